"""What follows from a person's decisions about names and about facts that wait.  Pure.

Accepting makes a statement the person's own: its origin is `person` from then on, so that nothing
that is learned later holds it back, and slots count it as one that a person has said.  Rejecting
leaves a tombstone.  Files of entities are written as the person wants them.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain

from scry.index import Index
from scry.model import ChangeSet, Entity, Fact, Record, Tombstone
from scry.resolve.entities import derived_entities, derived_proposals, entity_changes
from scry.resolve.facts import Ledger
from scry.resolve.reshape import touched_names
from scry.statement import from_fact
from scry.text import iso, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """What a person has decided.  `accepted` and `reviewed` are births of statements.

    `reviewed` are looked at again as they are: what they wait for may be there by now.
    `entities` are files as the person wants them.
    """

    accepted: Collection[str] = ()
    reviewed: Collection[str] = ()
    stones: Sequence[Tombstone] = ()
    entities: Sequence[Entity] = ()
    written: Sequence[Fact] = ()
    """Facts that a person wrote, and that the index does not have yet."""
    needed: Collection[str] = field(default=())
    """Slugs of entities whose file may be missing."""


def decide(
    index: Index, evidence: Callable[[str], str], said: Decisions, subject: str
) -> ChangeSet:
    """Return what changes, and bring the index along.

    Args:
        index: the store as it stands.
        evidence: gives the distilled text of an episode, "" where it is gone.
        said: the decisions.
        subject: the first line of the commit message.
    """
    olds = [index.entities.get(entity.slug) for entity in said.entities]
    keys = touched_names(index, said.entities) if said.entities else set()
    slugs = {*said.needed, *chain(keys, *map(index.names.claimants, keys))}
    before, proposed = derived_entities(index, slugs), derived_proposals(index, keys)
    waited = {f.id for f in index.waiting.values()}
    written = list(map(from_fact, said.written))
    ledger = Ledger(index, evidence)
    births = {*said.accepted, *said.reviewed, *(stone.id for stone in said.stones)}
    ledger.open(written, keys, births)
    index.absorb(ChangeSet(subject="", writes=(*said.entities, *said.stones)))
    writes, removes = ledger.close(written, accepted=said.accepted)
    slugs |= {s for fact in (*writes, *removes) for s in (fact.src, fact.dst) if s}
    slugs |= {s for key in keys for s in index.names.claimants(key)}
    before |= derived_entities(index, slugs - before.keys())
    more, gone = entity_changes(index, slugs, before, keys, proposed)
    return ChangeSet(
        subject=subject,
        writes=(*said.stones, *_changed(said.entities, olds, more), *writes, *more),
        removes=(*removes, *gone),
        lines=_lines(ledger, writes, removes, waited),
    )


def _changed(
    entities: Sequence[Entity], olds: Sequence[Entity | None], more: Sequence[Record]
) -> list[Entity]:
    """Return the files that a person wants otherwise, and that do not change once more."""
    again = {record.slug for record in more if isinstance(record, Entity)}
    pairs = zip(entities, olds, strict=True)
    return [entity for entity, old in pairs if entity != old and entity.slug not in again]


def _lines(
    ledger: Ledger,
    writes: Sequence[Fact],
    removes: Sequence[Fact],
    waited: Collection[str],
) -> tuple[str, ...]:
    """Return the lines of the message: what is a fact now, what has ended, what is out."""
    out, ended = [], []
    for fact in writes:
        if fact.invalid_at and not fact.reason and not ledger.was_ended(fact):
            out.append(f"- {_what(fact)} (ended {iso(fact.invalid_at)[:10]})")
            ended.append(fact)
        elif not fact.reason and (fact.id in waited or not fact.path):
            out.append(f"+ {_what(fact)}")
    written = {fact.id for fact in writes}
    out += [f"- {_what(fact)} (rejected)" for fact in removes if fact.id not in written]
    return tuple(dict.fromkeys((*out, *ledger.doubts(ended))))


def _what(fact: Fact) -> str:
    return one_line(f"{fact.src} {fact.relation} {fact.dst or fact.value}", 120)
