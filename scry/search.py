"""Full text over what an index holds: SQLite's FTS5 in memory, built when first asked for.

    facts      sentence, names of both ends, relation in words, qualifier, value
    entities   name, aliases | description
    episodes   summary, names it mentions
    said       what was said in an episode, as far as it is kept: read when nothing else answers

Built once for an index as it stands and built again after the index has changed.  Porter stems
and the words as written share one column: FTS5 stems both sides alike.  What its tokenizer
cannot cut (camelCase, Chinese and Japanese) is appended to the text in parts.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from operator import is_
from weakref import WeakKeyDictionary

from scry.index import Index
from scry.model import PENDING, UNDONE, Entity, Episode, Fact

_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_HUMP = re.compile(r"[a-z\d][A-Z]")
_CAMEL_WORD = re.compile(r"[A-Za-z]+[a-z\d][A-Z]\w*")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uffdf]+")
_WORD = re.compile(r"[^\W_]+")
_FETCH = 600
"""Hits to fetch at most; more are never shown, and the reply says that there were more."""

_READ = 48_000_000
"""Characters of kept text that one question may read: a third of a second, once they are cached."""
_FILE = 1_000
"""What it costs at least to look for one text, in characters."""

Evidence = Callable[[str], str]


class Texts:
    """The searchable text of an index as it stands."""

    def __init__(self, index: Index) -> None:
        # Imported late: an exact name needs no full text.
        import sqlite3

        self.facts: list[Fact] = list(index.facts.values())
        self.entities: list[Entity] = [e for e in index.entities.values() if not e.merged_into]
        self.episodes: list[Episode] = [e for e in index.episodes.values() if e.extractor != UNDONE]
        self._seen = _records(index)
        self._sql = sqlite3.connect(":memory:", check_same_thread=False)
        for table in ("facts", "episodes", "evidence", "said", "scratch"):
            self._create(table, "body")
        self._create("entities", "name, body")
        self._sql.execute("CREATE VIRTUAL TABLE words USING fts5vocab(scratch, instance)")
        name_of = cache(lambda slug: index.entity(slug).name)
        self._fill("facts", (fact_text(fact, name_of) for fact in self.facts))
        self._fill("episodes", (f"{e.summary} {' '.join(e.mentions)}" for e in self.episodes))
        self._sql.executemany(
            "INSERT INTO entities(rowid, name, body) VALUES (?, ?, ?)",
            (
                (row, expand(" ".join((e.name, *e.aliases))), expand(e.description))
                for row, e in enumerate(self.entities)
            ),
        )
        self._read: set[str] = set()

    def shows(self, index: Index) -> bool:
        """Say whether the index still holds the very records that this was built from."""
        records = _records(index)
        return len(records) == len(self._seen) and all(map(is_, records, self._seen))

    # --- asking -------------------------------------------------------------------------------

    def find_facts(self, words: Sequence[str]) -> list[Fact]:
        """Return the facts that hold any of the words, best first, those that hold all on top."""
        return [self.facts[row] for row in self._ranked("facts", words)]

    def find_entities(self, words: Sequence[str]) -> list[tuple[Entity, float]]:
        """Return entities whose name or description holds any of the words, with their scores."""
        if not words:
            return []
        found = self._sql.execute(
            "SELECT rowid, -bm25(entities, 1.0, 1.0) AS score FROM entities"
            " WHERE entities MATCH ? ORDER BY score DESC, rowid LIMIT 60",
            (_any(words),),
        ).fetchall()
        return [(self.entities[row], score) for row, score in found]

    def find_episodes(
        self, words: Sequence[str], evidence: Evidence | None = None
    ) -> list[Episode]:
        """Return the episodes whose summary holds any of the words, best first.

        Of episodes that nobody has answered for, the evidence is searched as well, if it is given.
        """
        found = self._ranked("episodes", words)
        if evidence is not None and words:
            self._read_pending(evidence)
            found += self._ranked("evidence", words)
        return [self.episodes[row] for row in dict.fromkeys(found)]

    def find_said(self, words: Sequence[str], evidence: Evidence) -> tuple[list[Episode], int]:
        """Return the episodes in which any of the words was said whole, newest first.

        Those that hold all of them come before the others.  Only so much is read; the number
        beside them is how many older episodes have not been looked at.
        """
        stems = zip(words, self.stems(words), strict=True)
        sought = [parts for word, held in stems if (parts := _needles(word, held))]
        if not sought:
            return [], 0
        self._sql.execute("DELETE FROM said")
        left, looked = _READ, 0
        for row in self._newest:
            if left <= 0:
                break
            looked += 1
            text = evidence(self.episodes[row].id)
            left -= max(len(text), _FILE)
            # Cutting a text into words is slow: most are left out by a look at their letters.
            letters = _letters(text)
            if any(all(part in letters for part in parts) for parts in sought):
                self._insert("said", row, text)
        best, found = (self._matching("said", how(words)) for how in (_all, _either))
        order = sorted(self._newest, key=lambda row: row not in best)
        return [self.episodes[row] for row in order if row in found], len(order) - looked

    def knows(self, word: str) -> bool:
        """Say whether a word, or the parts of a longer one side by side, are on record anywhere.

        What was merely said does not count, for that is only read when nothing else answers.
        """
        match = _phrase(word)
        return bool(match) and any(
            self._sql.execute(
                f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1",  # noqa: S608 -- fixed names
                (match,),
            ).fetchone()
            for table in ("facts", "entities", "episodes")
        )

    def weight(self, word: str) -> float:
        """Return how much a word tells, from 0 (nowhere, or everywhere) to 1 (in one text of many)."""
        match = _phrase(word)
        if not match:
            return 0.0
        held = sum(
            self._sql.execute(
                f"SELECT count(*) FROM {table} WHERE {table} MATCH ?",  # noqa: S608 -- fixed names
                (match,),
            ).fetchone()[0]
            for table in ("facts", "entities")
        )
        among = len(self.facts) + len(self.entities) + 1
        return math.log(1 + among / held) / math.log(1 + among) if held else 0.0

    def stems(self, texts: Sequence[str]) -> list[set[str]]:
        """Return the stems of the words of each text, as FTS5 makes them."""
        self._sql.execute("DELETE FROM scratch")
        self._fill("scratch", texts)
        out: list[set[str]] = [set() for _ in texts]
        for term, row in self._sql.execute("SELECT term, doc FROM words"):
            out[row].add(term)
        return out

    # --- how ----------------------------------------------------------------------------------

    def _create(self, table: str, columns: str) -> None:
        self._sql.execute(
            f"CREATE VIRTUAL TABLE {table} USING fts5({columns}, tokenize='porter unicode61')"
        )

    def _fill(self, table: str, texts: Iterable[str]) -> None:
        self._sql.executemany(
            f"INSERT INTO {table}(rowid, body) VALUES (?, ?)",  # noqa: S608 -- fixed names
            ((row, expand(text)) for row, text in enumerate(texts)),
        )

    @cached_property
    def _newest(self) -> list[int]:
        when = [(e.occurred_at, e.id) for e in self.episodes]
        return sorted(range(len(when)), key=when.__getitem__, reverse=True)

    def _matching(self, table: str, match: str) -> set[int]:
        found = self._sql.execute(
            f"SELECT rowid FROM {table} WHERE {table} MATCH ?",  # noqa: S608 -- fixed names
            (match,),
        )
        return {row for (row,) in found}

    def _ranked(self, table: str, words: Sequence[str]) -> list[int]:
        """Return rows that hold all the words, then rows that hold any, best first."""
        out: dict[int, None] = {}
        for match in (_all(words), _any(words)) if words else ():
            if len(out) < 20:
                rows = self._sql.execute(
                    f"SELECT rowid FROM {table} WHERE {table} MATCH ?"  # noqa: S608 -- fixed names
                    " ORDER BY rank, rowid LIMIT ?",
                    (match, _FETCH),
                )
                out |= dict.fromkeys(row for (row,) in rows)
        return list(out)

    def _read_pending(self, evidence: Evidence) -> None:
        for row, episode in enumerate(self.episodes):
            if episode.id not in self._read and episode.extractor == PENDING:
                self._read.add(episode.id)
                self._insert("evidence", row, evidence(episode.id))

    def _insert(self, table: str, row: int, text: str) -> None:
        self._sql.execute(
            f"INSERT INTO {table}(rowid, body) VALUES (?, ?)",  # noqa: S608 -- fixed names
            (row, expand(text)),
        )


_BUILT: "WeakKeyDictionary[Index, Texts]" = WeakKeyDictionary()


def texts_of(index: Index) -> Texts:
    """Return the full text of an index, built at the first call and after every change."""
    texts = _BUILT.get(index)
    if texts is None or not texts.shows(index):
        texts = _BUILT[index] = Texts(index)
    return texts


def _records(index: Index) -> list[object]:
    # The records are held, so that none of their places in memory is used again.
    return [*index.facts.values(), *index.entities.values(), *index.episodes.values()]


def fact_text(fact: Fact, name_of: Callable[[str], str]) -> str:
    """Return all the words under which a fact can be found; `name_of` gives names by slug."""
    ends = (name_of(fact.src), name_of(fact.dst) if fact.dst else "")
    said = (fact.said_src, fact.said_dst, fact.said.replace("_", " "))
    relation = fact.relation.replace("_", " ")
    return " ".join((fact.fact, *ends, *said, relation, fact.qualifier, fact.value or ""))


def expand(text: str) -> str:
    """Return a text with the parts appended that the tokenizer would not cut.

    >>> expand("callHome 望遠鏡")
    'callHome 望遠鏡 call Home 望遠 遠鏡'
    """
    extra: list[str] = []
    if _HUMP.search(text):  # The other pattern is slow, and few texts need it.
        extra += [part for word in _CAMEL_WORD.findall(text) for part in _CAMEL.split(word)]
    if not text.isascii():
        extra += [pair for run in _WIDE.findall(text) for pair in _pairs(run)]
    return " ".join((text, *extra)) if extra else text


def is_wide(text: str) -> bool:
    """Say whether a text is in a script that puts no space between words."""
    return bool(_WIDE.search(text))


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _phrase(word: str) -> str:
    """Return an FTS5 query for a word whole: `3.1.4` is three tokens side by side."""
    if _WIDE.search(word):
        return " OR ".join(
            f'"{pair}"' for run in _WIDE.findall(word) for pair in _pairs(run) or [run]
        )
    tokens = _WORD.findall(word)
    return f'"{" ".join(tokens)}"' if tokens else ""


def _terms(words: Sequence[str]) -> list[str]:
    return [phrase for word in words if (phrase := _phrase(word))] or ['""']


def _all(words: Sequence[str]) -> str:
    return " AND ".join(f"({term})" for term in _terms(words))


def _either(words: Sequence[str]) -> str:
    """Return a query for any of the words, each whole."""
    return " OR ".join(f"({term})" for term in _terms(words))


def _any(words: Sequence[str]) -> str:
    """Return a query for any of the words, longer ones whole or in parts."""
    parts = [f'"{part}"' for word in words for part in _WORD.findall(word) if len(part) > 1]
    return " OR ".join(dict.fromkeys((*_terms(words), *parts)))


def _needles(word: str, stems: set[str]) -> list[str]:
    """Return the letters that a text must have somewhere to hold a word, or a form of it."""
    if _WIDE.search(word):
        return [""]  # Any pair of its signs will do; they are few, and cut no further.
    # A stem may end in another letter than the word: happi, happy.
    return [_letters(stem[:-1] if len(stem) > 3 else stem) for stem in sorted(stems)]


def _letters(text: str) -> str:
    """Return a text in lower case, without accents, as FTS5 compares it."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFD", text.lower())
    return "".join(c for c in apart if not unicodedata.combining(c))
