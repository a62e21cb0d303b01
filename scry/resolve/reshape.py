"""What follows when a person changes an entity or a fact: the rest of the store falls into place.

A merge lets two slots become one, a name that is taken away routes its facts elsewhere.  As
everywhere, the state before and the state after are derived and the difference is written.
"""

from collections.abc import Callable, Sequence

from scry.index import Index
from scry.model import ChangeSet, Entity, Fact, Record
from scry.resolve.entities import derived_entities, derived_proposals, entity_changes
from scry.resolve.facts import Ledger
from scry.statement import birth_of
from scry.text import slug_of


def reshape(
    index: Index,
    evidence: Callable[[str], str],
    *,
    entities: Sequence[Entity] = (),
    facts: Sequence[Fact] = (),
    subject: str,
    lines: Sequence[str] = (),
) -> ChangeSet:
    """Return what changes, and bring the index along.

    Args:
        index: the store as it stands.
        evidence: gives the distilled text of an episode.
        entities: files of entities as a person wants them.
        facts: facts as a person wants them, each in the place of the one with its id.
        subject: the first line of the commit message.
        lines: further lines of it.
    """
    touched = touched_names(index, entities)
    slugs = {s for key in touched for s in (key, *index.names.claimants(key))}
    before = derived_entities(index, slugs)
    proposed = derived_proposals(index, touched)
    old = {fact.id: index.facts.get(fact.id) or index.waiting[fact.id] for fact in facts}
    ledger = Ledger(index, evidence)
    ledger.open((), touched, {b for f in old.values() for b in (f.id, birth_of(f)[0])})
    for entity in entities:
        index.put(entity)
    for fact in facts:
        index.drop(old[fact.id])
        index.put(fact)
    slugs |= {s for key in touched for s in index.names.claimants(key)}
    writes, removes = ledger.close(())
    slugs |= {s for f in (*writes, *removes, *facts, *old.values()) for s in (f.src, f.dst) if s}
    before |= derived_entities(index, slugs - before.keys())
    more, gone = entity_changes(index, slugs, before, touched, proposed)
    kept = [e for e in entities if index.entities.get(e.slug) == e]
    moved = [f for f in facts if index.facts.get(f.id) == f]
    return ChangeSet(
        subject=subject,
        writes=(*kept, *moved, *writes, *more),
        removes=_left(old, [*moved, *writes], [*removes, *gone]),
        lines=(
            *lines,
            *_told(writes),
            *ledger.doubts(f for f in (*moved, *writes) if f.invalid_at),
        ),
    )


def touched_names(index: Index, entities: Sequence[Entity]) -> set[str]:
    """Return every key that may mean something else once some entities are as given."""
    names = index.names
    roots = {e.slug for e in entities} | {e.merged_into for e in entities if e.merged_into}
    roots = {names.final(slug) for slug in roots} | roots
    group = roots | {slug for root in roots for slug in names.merged(root)}
    out = group | {slug_of(name) for slug in group for name in names.spellings(slug)}
    for entity in entities:
        there = index.entities.get(entity.slug, entity)
        said = (entity.name, *entity.aliases, *entity.rejected, *there.rejected)
        out |= {slug_of(name) for name in said}
    return out


def _left(old: dict[str, Fact], now: Sequence[Fact], gone: Sequence[Record]) -> tuple[Record, ...]:
    """Return what is to be removed: facts that move leave the file that they had."""
    places = {fact.id: fact.path for fact in now}
    left = [fact for fact in old.values() if fact.path != places.get(fact.id, fact.path)]
    ids = {fact.id for fact in left}
    return (*left, *(r for r in gone if not (isinstance(r, Fact) and r.id in ids and not r.path)))


def _told(writes: Sequence[Fact]) -> list[str]:
    out = []
    for fact in writes:
        what = f"{fact.src} {fact.relation} {fact.dst or fact.value}"
        if fact.reason:
            out.append(f"? {what} (waits: {fact.reason})")
        elif fact.invalid_at:
            out.append(f"- {what} (ended {fact.invalid_at:%Y-%m-%d})")
        else:
            out.append(f"+ {what}")
    return list(dict.fromkeys(out))
