"""Full text over what an index holds: SQLite's FTS5 in memory, built when first asked for.

    facts      sentence, names of both ends, relation in words, qualifier, value
    entities   name, aliases | description
    episodes   summary, names it mentions

Built once for an index as it stands and built again after the index has changed.  Porter stems
and the words as written share one column: FTS5 stems both sides alike.  What its tokenizer
cannot cut (camelCase, Chinese and Japanese) is appended to the text in parts.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
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
        for table in ("facts", "episodes", "evidence", "scratch"):
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
        self, words: Sequence[str], evidence: Evidence | None = None, *, deep: bool = False
    ) -> list[Episode]:
        """Return the episodes whose summary holds any of the words, best first.

        Of episodes that nobody has answered for, the evidence is searched as well, if it is
        given; with `deep`, that of all episodes, after the summaries.
        """
        found = self._ranked("episodes", words)
        if evidence is not None and words:
            self._read_evidence(evidence, deep=deep)
            found += self._ranked("evidence", words)
        return [self.episodes[row] for row in dict.fromkeys(found)]

    def knows(self, word: str) -> bool:
        """Say whether a word, or the parts of a longer one side by side, occur anywhere."""
        match = _phrase(word)
        return bool(match) and any(
            self._sql.execute(
                f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1",  # noqa: S608 -- fixed names
                (match,),
            ).fetchone()
            for table in ("facts", "entities", "episodes", "evidence")
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

    def _read_evidence(self, evidence: Evidence, *, deep: bool) -> None:
        for row, episode in enumerate(self.episodes):
            if episode.id not in self._read and (deep or episode.extractor == PENDING):
                self._read.add(episode.id)
                self._sql.execute(
                    "INSERT INTO evidence(rowid, body) VALUES (?, ?)",
                    (row, expand(evidence(episode.id))),
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


def _any(words: Sequence[str]) -> str:
    """Return a query for any of the words, longer ones whole or in parts."""
    parts = [f'"{part}"' for word in words for part in _WORD.findall(word) if len(part) > 1]
    return " OR ".join(dict.fromkeys((*_terms(words), *parts)))
