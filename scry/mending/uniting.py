"""Two names for one thing, and two things under one name.

A merge is a redirect in the loser's file.  Its facts stay where they are, and its name goes on
being learned; readers go to the winner.  Taking the redirect out is all that undoes it.
"""

from collections.abc import Sequence
from dataclasses import replace

from scry.index import Index
from scry.lookup import find_fact
from scry.mending.things import (
    Evidence,
    Mended,
    MendError,
    entity_of,
    find_slug,
    find_thing,
    nothing,
    paths_of,
)
from scry.model import ENTITY_TYPES, Entity, Fact
from scry.resolve import reshape
from scry.statement import birth_of
from scry.text import slug_of


def merge(index: Index, evidence: Evidence, loser: str, winner: str) -> Mended:
    """Let everything that leads to one entity lead to another.

    Raises:
        MendError: both are one already by name, or the winner was merged into the loser.
        UnknownNameError: one of them is not known.
    """
    lost, won = find_slug(index, loser), find_slug(index, winner)
    old, new = find_thing(index, loser), find_thing(index, winner)
    if lost == won:
        raise MendError(f"'{loser}' and '{winner}' are both {new.name}: there is nothing to merge.")
    if old.slug == new.slug == lost:
        raise MendError(
            f"{winner} was merged into {old.name}, so {old.name} cannot be merged into it. "
            f"`scry split {won}` undoes that first."
        )
    if old.slug == new.slug:
        return nothing(f"{entity_of(index, lost).name} has been merged into {new.name} before.")
    note = f"{old.name} was a {old.type}, {new.name} is a {new.type}."
    change = reshape(
        index,
        evidence,
        entities=[*_filed(index, new), replace(old, merged_into=new.slug)],
        subject=f"merge: {old.name} into {new.name}",
        lines=[f"= {old.slug} is {new.slug}"],
    )
    return Mended(
        change=change,
        said=f"{old.name} is {new.name} now; every name of the one finds the other.",
        paths=paths_of(old, new),
        notes=(note,) if old.type != new.type else (),
    )


def _filed(index: Index, entity: Entity) -> list[Entity]:
    """Return an entity that has no file yet and needs one."""
    return [] if entity.slug in index.entities else [entity]


def split(index: Index, evidence: Evidence, name: str) -> Mended:
    """Undo a merge: let a name stand for itself again.

    Raises:
        UnknownNameError: nothing is called so.
    """
    slug = find_slug(index, name)
    entity = entity_of(index, slug)
    if not entity.merged_into:
        losers = [s for s in index.names.merged(slug) if s in index.entities]
        hint = f" What was merged into it: {', '.join(losers)}." if losers else ""
        return nothing(f"{entity.name} has not been merged into anything.{hint}")
    into = entity_of(index, entity.merged_into)
    change = reshape(
        index,
        evidence,
        entities=[replace(entity, merged_into="")],
        subject=f"split: {entity.name} from {into.name}",
        lines=[f"= {slug} stands for itself"],
    )
    said = f"{entity.name} stands for itself again, and no longer for {into.name}."
    return Mended(change=change, said=said, paths=paths_of(entity))


def part(
    index: Index,
    evidence: Evidence,
    name: str,
    new: str,
    *,
    facts: Sequence[str],
    kind: str = "",
) -> Mended:
    """Move facts from one entity to another, which is made if there is none.

    Raises:
        MendError: a fact is about something else, or the type is none.
        UnknownNameError: nothing is called so, or there is no such fact.
    """
    if kind and kind not in ENTITY_TYPES:
        raise MendError(f"'{kind}' is no type. An entity is one of {', '.join(ENTITY_TYPES)}.")
    entity, other = find_thing(index, name), _other(index, new)
    if other is not None and other.slug == entity.slug:
        raise MendError(f"'{new}' is {entity.name} itself. Give the other thing another name.")
    made = other or Entity(slug=slug_of(new), name=new, type=kind or entity.type)
    # A statement moves as a whole, with all its stretches.
    births = dict.fromkeys(birth_of(find_fact(index, ref))[0] for ref in facts)
    found = [fact for birth in births for fact in index.files_of(birth)]
    moved = [
        _moved(index, fact, entity, made) for fact in found if not _is_there(index, fact, made)
    ]
    if not moved and other is not None:
        return nothing(f"These facts are about {made.name} already.")
    old = replace(entity, aliases=tuple(a for a in entity.aliases if slug_of(a) != made.slug))
    change = reshape(
        index,
        evidence,
        entities=[*([old] if old != entity else []), made],
        facts=moved,
        subject=f"split: {made.name} from {entity.name}",
    )
    paths = (*paths_of(entity, made), *(f.path for f in found if f.path))
    return Mended(change=change, said=f"{len(moved)} moved to {made.name}.", paths=paths)


def _other(index: Index, new: str) -> Entity | None:
    """Return the entity whose own name is given; an alias becomes a name of its own."""
    owner = index.names.owner(slug_of(new))
    return entity_of(index, index.names.final(owner)) if owner else None


def _is_there(index: Index, fact: Fact, made: Entity) -> bool:
    return made.slug in {index.names.final(end) for end in (fact.src, fact.dst) if end}


def _moved(index: Index, fact: Fact, entity: Entity, made: Entity) -> Fact:
    """Return a fact about another thing: from then on it is a person's own."""
    ends = [index.names.final(end) if end else None for end in (fact.src, fact.dst)]
    if entity.slug not in ends:
        raise MendError(
            f"{fact.id} is not about {entity.name}, but about {' and '.join(filter(None, ends))}."
        )
    theirs = replace(fact, origin="person", path="")
    if ends[0] == entity.slug:
        theirs = replace(theirs, src=made.slug, said_src="")
    if ends[1] == entity.slug:
        theirs = replace(theirs, dst=made.slug, said_dst="")
    return theirs
