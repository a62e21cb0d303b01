"""Taking back: undone episodes lose their say, forgotten statements leave a tombstone.

What else had said the same stays; what had been ended by it holds again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from scry.index import Index
from scry.model import UNDONE, ChangeSet, Citation, Entity, Episode, Fact, Record, Tombstone
from scry.names import touched_by
from scry.resolve.entities import derived_entities, derived_proposals, entity_changes
from scry.resolve.facts import Ledger
from scry.text import one_line


def retract(
    index: Index,
    evidence: Callable[[str], str],
    *,
    undone: Sequence[Episode] = (),
    tombstones: Sequence[Tombstone] = (),
    subject: str,
) -> ChangeSet:
    """Return what changes, and bring the index along.

    Args:
        index: the store as it stands.
        evidence: gives the distilled text of an episode.
        undone: episodes that no longer count; their files stay, marked.
        tombstones: statements that are removed from the present.
        subject: the first line of the commit message.
    """
    after = [replace(episode, extractor=UNDONE) for episode in undone]
    touched = {key for episode in undone for key in touched_by(episode)}
    slugs = {s for key in touched for s in (key, *index.names.claimants(key))}
    births = {b for episode in undone for b in episode.facts} | {t.id for t in tombstones}
    before = derived_entities(index, slugs)
    proposed = derived_proposals(index, touched)
    meant = {key: index.names.meaning(key) for key in touched}
    left = _take_back(index, after, before)
    renamed = {key for key in touched if index.names.meaning(key) != meant[key]}
    originals: list[Record] = [*undone, *left]
    for record in originals:
        index.put(record)
    ledger = Ledger(index, evidence)
    ledger.open((), renamed, births)
    _take_back(index, after, before)
    for stone in tombstones:
        index.put(stone)
    writes, removes = ledger.close((), without={episode.id for episode in undone})
    unneeded = [entity for entity in left if not index.is_needed(entity.slug)]
    for entity in left:
        if entity not in unneeded:
            index.put(entity)
    slugs |= {s for fact in (*writes, *removes) for s in (fact.src, fact.dst) if s}
    before |= derived_entities(index, slugs - before.keys())
    more, gone = entity_changes(index, slugs, before, touched, proposed)
    return ChangeSet(
        subject=subject,
        writes=(*after, *tombstones, *writes, *more),
        removes=(*removes, *gone, *unneeded),
        lines=tuple(f"- {_what(fact)}" for fact in removes),
    )


def catch_up(
    index: Index,
    evidence: Callable[[str], str],
    *,
    facts: Mapping[str, Sequence[Citation]],
    entities: Sequence[str],
) -> ChangeSet:
    """Return the changes that had to wait for files with edits of a person's.

    Args:
        index: the store as it stands; it is taken along.
        evidence: gives the distilled text of an episode.
        facts: id -> citations that the file should have.
        entities: slugs of entities whose file should have more names or repositories.
    """
    births = {index.birth_by_id(i) for i in facts}
    ledger = Ledger(index, evidence)
    ledger.open((), set(), births)
    more = []
    for fact_id, citations in facts.items():
        statement = index.statement(index.birth_by_id(fact_id))
        known = frozenset(c for c in citations if c.episode in index.episodes)
        if statement is not None and known - statement.citations:
            more.append(replace(statement, citations=known))
    undone = {e.id for e in index.episodes.values() if e.extractor == UNDONE}
    writes, removes = ledger.close(more, undone, late=facts.keys())
    slugs = {s for fact in (*writes, *removes) for s in (fact.src, fact.dst) if s}
    before = derived_entities(index, slugs)
    changed, gone = entity_changes(index, slugs, before, set(), {})
    named = [e for slug in entities if (e := _with_names(index, slug))]
    for entity in named:
        index.put(entity)
    return ChangeSet(
        subject="apply: what waited for changes made by hand",
        writes=(*writes, *changed, *named),
        removes=(*removes, *gone),
    )


def _with_names(index: Index, slug: str) -> Entity | None:
    """Return an entity with the names that episodes give it as well, None if it has them."""
    there, derived = index.entities.get(slug), derived_entities(index, [slug])[slug]
    if there is None or derived is None:
        return None
    full = replace(
        there,
        aliases=tuple(sorted({*there.aliases, *derived.aliases})),
        repos=tuple(sorted({*there.repos, *derived.repos})),
    )
    return full if full != there else None


def lapse(
    index: Index, evidence: Callable[[str], str], *, episodes: Sequence[Episode], subject: str
) -> ChangeSet:
    """Return what changes when documents no longer say, or say again, what they said.

    Args:
        index: the store as it stands; it is taken along.
        evidence: gives the distilled text of an episode.
        episodes: with `ended_at` as it is from now on.
        subject: the first line of the commit message.
    """
    ledger = Ledger(index, evidence)
    ledger.open((), set(), {birth for episode in episodes for birth in episode.facts})
    for episode in episodes:
        index.put(episode)
    writes, removes = ledger.close(())
    return ChangeSet(
        subject=subject,
        writes=(*episodes, *writes),
        removes=tuple(removes),
        lines=(
            *(f"- {_what(fact)}" for fact in writes if fact.invalid_at),
            *ledger.doubts(fact for fact in writes if fact.invalid_at),
        ),
        trailers=tuple(("Scry-Episode", episode.id) for episode in episodes),
    )


def _take_back(
    index: Index, after: Sequence[Episode], before: Mapping[str, Entity | None]
) -> list[Entity]:
    """Let episodes count no longer; return the entities that only they had declared.

    A file that a person has made or changed stays a thing of its own.
    """
    for episode in after:
        index.put(episode)
    gone = [
        entity
        for slug, derived in before.items()
        if (entity := index.entities.get(slug)) is not None
        and entity == derived
        and slug not in index.names.attested
    ]
    for entity in gone:
        index.drop(entity)
    return gone


def _what(fact: Fact) -> str:
    return one_line(f"{fact.src} {fact.relation} {fact.dst or fact.value}", 120)
