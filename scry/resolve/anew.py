"""New answers in the place of old ones: what follows if the old had never been.  Pure.

As `retract` and `resolve` in one, so that the state before and the state after are compared, and
what people have changed in between stays: their facts with all that these need, and their files.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from scry.index import Index
from scry.model import ChangeSet, Entity, Episode, Extraction, Fact, Record
from scry.names import touched_by
from scry.resolve import Answer, _lines, _mentions, _statement
from scry.resolve.entities import derived_entities, derived_proposals, entity_changes
from scry.resolve.facts import Ledger
from scry.statement import (
    Statement,
    birth_of,
    declare,
    describe,
    read_declaration,
    unite_declarations,
)
from scry.text import one_line, slug_of

Evidence = Callable[[str], str]


def rebuild(
    index: Index, answers: Sequence[Answer], evidence: Evidence, by_hand: Collection[str] = ()
) -> ChangeSet:
    """Return what changes when answers take the place of those on record; the index goes along.

    Args:
        index: the store as it stands.
        answers: with extractions, for episodes that the store has.
        evidence: gives the distilled text of an episode, "" where it is gone.
        by_hand: files that people have changed.
    """
    olds = [index.episodes[answer.episode.id] for answer in answers]
    kept = _persons(index, olds, by_hand)
    news = [
        _anew(o, a.extraction, kept) for o, a in zip(olds, answers, strict=True) if a.extraction
    ]
    swap = _Swap(index, olds, news, by_hand)
    renamed = swap.forward()
    said = [
        [
            _statement(claim, new, a, index)
            for claim in (a.extraction.claims if a.extraction else ())
        ]
        for new, a in zip(news, answers, strict=True)
    ]
    news = [_with_facts(index, o, n, s, kept) for o, n, s in zip(olds, news, said, strict=True)]
    swap.back()

    ledger = Ledger(index, evidence)
    statements = [statement for group in said for statement in group]
    ledger.open(statements, renamed, {birth for old in olds for birth in old.facts})
    theirs = {f.id: f for birth in kept for f in index.files_of(birth)}
    swap.news = news
    swap.forward()
    found = ledger.close([*statements, *kept.values()], without={old.id for old in olds})
    writes, removes = _in_place(index, theirs, *found)
    more, gone = swap.settle([*writes, *removes])
    return ChangeSet(
        subject=_subject(news),
        writes=(*writes, *more, *(n for n, o in zip(news, olds, strict=True) if n != o)),
        removes=(*removes, *gone),
        lines=(*_lines(writes, ledger), *_gone(removes, writes)),
        trailers=_trailers(answers),
    )


class _Swap:
    """An index with new episodes in the place of old ones, and the way back.

    What only the old ones had declared is no thing then.  What a file lists as an alias since they
    said so does not count either: without them it would look as if a person had written it.
    """

    def __init__(
        self,
        index: Index,
        olds: Sequence[Episode],
        news: Sequence[Episode],
        by_hand: Collection[str],
    ) -> None:
        self.news = news
        self._index, self._olds, self._by_hand = index, olds, by_hand
        self._touched = {key for episode in (*olds, *news) for key in touched_by(episode)}
        self._slugs = self._near()
        self._before = derived_entities(index, self._slugs)
        self._proposed = derived_proposals(index, self._touched)
        self._meant = {key: index.names.meaning(key) for key in self._touched}
        self._left: list[Entity] = []

    def forward(self) -> set[str]:
        """Put the new episodes in; return the keys that mean something else then."""
        index, names = self._index, self._index.names
        for episode in self.news:
            index.put(episode)
        self._left = [
            entity
            for slug, derived in self._before.items()
            if (entity := index.entities.get(slug)) is not None
            and entity == derived
            and entity.path not in self._by_hand
            and slug not in names.attested
        ]
        for entity in self._left:
            index.drop(entity)
        for slug, derived in self._before.items():
            if (there := index.entities.get(slug)) and derived:
                own = tuple(alias for alias in there.aliases if alias not in derived.aliases)
                names.put_entity(replace(there, aliases=own))
        self._slugs |= self._near()
        return {key for key in self._touched if names.meaning(key) != self._meant[key]}

    def back(self) -> None:
        """Put the old ones in again, and everything that they had declared."""
        originals: list[Record] = [*self._olds, *self._left]
        for record in originals:
            self._index.put(record)
        self._restore_names()

    def settle(self, facts: Iterable[Fact]) -> tuple[list[Record], list[Record]]:
        """Return what to write and to remove besides the facts that change."""
        index = self._index
        unneeded = [entity for entity in self._left if not index.is_needed(entity.slug)]
        for entity in (entity for entity in self._left if entity not in unneeded):
            index.put(entity)
        self._slugs |= {s for fact in facts for s in (fact.src, fact.dst) if s}
        before = self._before | derived_entities(index, self._slugs - self._before.keys())
        more, gone = entity_changes(index, self._slugs, before, self._touched, self._proposed)
        for record in gone:
            if record.path in self._by_hand:
                index.put(record)
        self._restore_names()
        return more, [*(r for r in gone if r.path not in self._by_hand), *unneeded]

    def _near(self) -> set[str]:
        return {s for key in self._touched for s in (key, *self._index.names.claimants(key))}

    def _restore_names(self) -> None:
        for slug in self._before:
            if entity := self._index.entities.get(slug):
                self._index.names.put_entity(entity)


def _persons(
    index: Index, episodes: Sequence[Episode], by_hand: Collection[str]
) -> dict[str, Statement]:
    """Return, by birth, the statements of episodes that people have made their own.

    They have the citations of these episodes only; any other is not touched.
    """
    ids = {episode.id for episode in episodes}
    out: dict[str, Statement] = {}
    for birth in {birth for episode in episodes for birth in episode.facts}:
        files = index.files_of(birth)
        statement = index.statement(birth)
        theirs = any(f.origin == "person" or birth_of(f)[1] or f.path in by_hand for f in files)
        if statement is not None and theirs:
            own = frozenset(c for c in statement.citations if c.episode in ids)
            out[birth] = replace(statement, citations=own)
    return out


def _anew(old: Episode, extraction: Extraction, kept: Mapping[str, Statement]) -> Episode:
    """Return an episode with what it declares now, and with what people's facts need of before."""
    ends = {slug_of(said) for s in kept.values() for said in (s.said_src, s.said_dst) if said}
    ends |= {end for s in kept.values() for end in (s.src, s.dst) if end}
    needed = []
    for line in old.declares:
        entity = read_declaration(line)
        if entity and ends & {slug_of(name) for name in (entity.name, *entity.aliases)}:
            needed.append(declare(entity))
    described = {describe(entity) for entity in extraction.entities if entity.description}
    return replace(
        old,
        facts=(),
        mentions=(),
        declares=unite_declarations(needed, extraction.entities),
        described=tuple(sorted(described)),
        refused=tuple(sorted(set(extraction.refused))),
        summary=extraction.summary or old.summary,
        extractor=extraction.extractor,
    )


def _with_facts(
    index: Index,
    old: Episode,
    new: Episode,
    said: list[Statement],
    kept: Mapping[str, Statement],
) -> Episode:
    """Return an episode with the statements that it supports.

    What was forgotten, was deleted or cannot be read stays on the list: it is known to be gone.
    """
    stays = {b for b in old.facts if b in kept or b not in index.births or b in index.unreadable}
    new = replace(new, facts=tuple(sorted({s.id for s in said} | stays)))
    return replace(new, mentions=_mentions(index, new, said))


def _in_place(
    index: Index, theirs: Mapping[str, Fact], writes: Sequence[Fact], removes: Sequence[Fact]
) -> tuple[list[Fact], list[Fact]]:
    """Leave people's facts in their files, whatever has become of the names in them."""
    moved = [f for f in writes if f.id in theirs and f.path != theirs[f.id].path]
    gone = [f for f in removes if f.id in theirs]
    back = {fact.id for fact in (*moved, *gone)}
    for fact in moved:
        index.drop(fact)
    for fact_id in sorted(back):
        index.put(theirs[fact_id])
    return [f for f in writes if f.id not in back], [f for f in removes if f.id not in back]


def _subject(episodes: Sequence[Episode]) -> str:
    names = sorted({episode.extractor for episode in episodes})
    many = f"{len(episodes)} episodes" if len(episodes) != 1 else "1 episode"
    return f"reextract: {many} by {', '.join(names)}"


def _gone(removes: Sequence[Fact], writes: Sequence[Fact]) -> list[str]:
    """Return a line for each fact that goes, and not only to another file."""
    gone = [fact for fact in removes if fact.id not in {f.id for f in writes}]
    return ["- " + one_line(f"{f.src} {f.relation} {f.dst or f.value}", 120) for f in gone]


def _trailers(answers: Sequence[Answer]) -> tuple[tuple[str, str], ...]:
    """Return the trailers; where several have answered, each has its tokens to its name."""
    found = [(a.episode.id, a.extraction) for a in answers if a.extraction]
    spent: dict[str, list[int]] = {}
    for _, extraction in found:
        sums = spent.setdefault(extraction.extractor, [0, 0])
        sums[0] += extraction.tokens_in
        sums[1] += extraction.tokens_out
    return (
        *(("Scry-Episode", episode) for episode, _ in found),
        *(("Scry-Extractor", name) for name in sorted(spent)),
        *(
            ("Scry-Tokens", f"{f'{name} ' if len(spent) > 1 else ''}{n_in} in, {n_out} out")
            for name, (n_in, n_out) in sorted(spent.items())
            if n_in or n_out
        ),
    )
