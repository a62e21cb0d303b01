"""What a thing is called, and what it is.

A file's name is a function of the name, so a new name is a new file; the old one leads there, and
goes on collecting what is said under the old name.  Where both names give the same file, only the
name in it changes.
"""

from collections.abc import Sequence
from dataclasses import replace

from scry.index import Index
from scry.mending.things import (
    Evidence,
    Mended,
    MendError,
    entity_of,
    find_thing,
    nothing,
    paths_of,
)
from scry.model import ENTITY_TYPES, Entity
from scry.resolve import reshape
from scry.text import slug_of


def rename(index: Index, evidence: Evidence, name: str, new: str) -> Mended:
    """Give an entity another name; the old ones go on finding it.

    Raises:
        MendError: the new name is that of something else.
        UnknownNameError: nothing is called so.
    """
    entity, key = find_thing(index, name), slug_of(new)
    if entity.name == new:
        return nothing(f"It is called {new} already.")
    _check_free(index, entity, new, f"`scry merge {entity.slug} {key}` makes them one.")
    if key == entity.slug:
        renamed = [replace(entity, name=new)]
    else:
        heir = replace(entity, slug=key, name=new, path="", aliases=(), rejected=())
        if (there := index.entities.get(key)) is not None:  # What it was called before.
            own = (there.path, there.aliases, there.rejected)
            heir = replace(heir, path=own[0], aliases=own[1], rejected=own[2])
        renamed = [heir, replace(entity, merged_into=key)]
    change = reshape(
        index,
        evidence,
        entities=renamed,
        subject=f"rename: {entity.name} to {new}",
        lines=[f"= {entity.slug} is {key}"] if key != entity.slug else [],
    )
    said = f"{entity.name} is called {new} now; its old names go on finding it."
    return Mended(change=change, said=said, paths=paths_of(entity, *renamed))


def _check_free(index: Index, entity: Entity, new: str, remedy: str) -> None:
    """Refuse a name that is something else's.

    Raises:
        MendError: it is; the message says whose.
    """
    names, key = index.names, slug_of(new)
    owner = names.owner(key)
    if owner is not None and names.final(owner) != entity.slug:
        other = entity_of(index, names.final(owner))
        raise MendError(f"'{new}' is the name of {other.name} ({other.type}). {remedy}")
    others = [s for s in names.claimants(key) if names.final(s) != entity.slug] if not owner else []
    if others:
        other = entity_of(index, others[0])
        raise MendError(
            f"'{new}' is claimed for {other.name} ({other.type}) as well. "
            f'`scry alias {other.slug} --reject "{new}"` takes it from there first.'
        )


def retype(index: Index, evidence: Evidence, name: str, kind: str) -> Mended:
    """Say what kind of thing an entity is; no machine changes that again.

    Raises:
        MendError: there is no such type.
        UnknownNameError: nothing is called so.
    """
    if kind not in ENTITY_TYPES:
        raise MendError(f"'{kind}' is no type. An entity is one of {', '.join(ENTITY_TYPES)}.")
    entity = find_thing(index, name)
    if entity.type == kind:
        return nothing(f"{entity.name} is a {kind} already.")
    subject = f"retype: {entity.name} is a {kind}"
    change = reshape(index, evidence, entities=[replace(entity, type=kind)], subject=subject)
    said = f"{entity.name} is a {kind} now; it was a {entity.type}."
    return Mended(change=change, said=said, paths=paths_of(entity))


def alias(
    index: Index, evidence: Evidence, name: str, *, add: Sequence[str], reject: Sequence[str]
) -> Mended:
    """Give an entity further names, and take names from it that stay away.

    Raises:
        MendError: a name is something else's, or the entity's own.
        UnknownNameError: nothing is called so.
    """
    entity = find_thing(index, name)
    if both := {slug_of(a) for a in add} & {slug_of(r) for r in reject}:
        raise MendError(f"'{min(both)}' cannot be added and rejected at once.")
    new = entity
    for one in add:
        new = _added(index, new, one)
    changed = {e.slug: e for e in ([new] if new != entity else [])}
    for one in reject:
        for bearer in _bearers(index, entity, one):
            changed[bearer.slug] = _rejected(changed.get(bearer.slug, bearer), one)
    changed = {s: e for s, e in changed.items() if e != index.entities.get(s)}
    if not changed:
        return nothing(f"{entity.name} has these names, and not those, already.")
    signs = [*(f"+{a}" for a in add), *(f"-{r}" for r in reject)]
    change = reshape(
        index,
        evidence,
        entities=list(changed.values()),
        subject=f"alias: {entity.name} {' '.join(signs)}",
    )
    said = ", ".join((*(f"{a} finds it" for a in add), *(f"{r} does not" for r in reject)))
    return Mended(change=change, said=f"{entity.name}: {said}.", paths=paths_of(*changed.values()))


def _added(index: Index, entity: Entity, one: str) -> Entity:
    names, key = index.names, slug_of(one)
    remedy = f'`scry merge "{one}" {entity.slug}` makes them one.'
    _check_free(index, entity, one, remedy)
    rejected = tuple(r for r in entity.rejected if slug_of(r) != key)
    known = {slug_of(n) for n in (entity.name, *entity.aliases)}
    if key in known or names.final(names.owner(key) or "") == entity.slug:
        return replace(entity, rejected=rejected)
    return replace(entity, aliases=tuple(sorted({*entity.aliases, one})), rejected=rejected)


def _bearers(index: Index, entity: Entity, one: str) -> list[Entity]:
    """Return the files that give an entity a name: its own, or that of something merged into it.

    Raises:
        MendError: it is the name of one of them.
    """
    key, names = slug_of(one), index.names
    group = [entity.slug, *names.merged(entity.slug)]
    if names.owner(key) == entity.slug:
        raise MendError(f"'{one}' is its name. `scry rename {entity.slug} NEW` gives it another.")
    if names.owner(key) in group:
        raise MendError(
            f"'{one}' is the name of what was merged into {entity.name}. "
            f"`scry split {names.owner(key)}` undoes that."
        )
    found = [s for s in names.claimants(key) if s in group] or [entity.slug]
    return [entity if slug == entity.slug else entity_of(index, slug) for slug in found]


def _rejected(entity: Entity, one: str) -> Entity:
    key = slug_of(one)
    known = {slug_of(r) for r in entity.rejected}
    rejected = entity.rejected if key in known else tuple(sorted({*entity.rejected, one}))
    aliases = tuple(a for a in entity.aliases if slug_of(a) != key)
    return replace(entity, aliases=aliases, rejected=rejected)
