"""Entities and alias proposals, derived from what episodes declare.

An entity has a file while a fact or a redirect needs it, or a person made or changed it.  What a person has
changed in the file (three ways: derived before, derived after, the file) stays.
"""

from collections.abc import Iterable
from dataclasses import replace

from scry.index import Index
from scry.model import Citation, Entity, Proposal, Record
from scry.names import derive_entity
from scry.text import slug_of

Derived = dict[str, Entity | None]


def derived_entities(index: Index, slugs: Iterable[str]) -> Derived:
    """Return each entity as the declarations on record describe it."""
    names = index.names
    return {s: derive_entity(s, names.attested.get(s, {}).values(), names) for s in slugs}


def derived_proposals(index: Index, keys: Iterable[str]) -> dict[tuple[str, str], Proposal]:
    """Return the alias claims that must wait: for a name of its own, or one with two claimants."""
    out: dict[tuple[str, str], Proposal] = {}
    for key in keys:
        claimants = [s for s in index.names.claimants(key) if s != key]
        owner = index.names.owner(key)
        if owner is None and len({index.names.final(slug) for slug in claimants}) < 2:
            continue
        for slug in claimants:
            if owner is not None and index.names.final(owner) == index.names.final(slug):
                continue  # They have turned out to be one thing.
            attested = [
                (a, alias)
                for a in index.names.attested.get(slug, {}).values()
                for alias in a.entity.aliases
                if slug_of(alias) == key
            ]
            if not attested:
                continue
            others = [owner] if owner else [c for c in claimants if c != slug]
            out[slug, key] = Proposal(
                entity=slug,
                alias=min(alias for _, alias in attested),
                reason=("it is the name of " if owner else "it is also claimed for ")
                + ", ".join(others),
                episodes=tuple(sorted({Citation(a.episode) for a, _ in attested})),
            )
    return out


def entity_changes(
    index: Index,
    slugs: set[str],
    before: Derived,
    touched: set[str],
    proposed: dict[tuple[str, str], Proposal],
) -> tuple[list[Record], list[Record]]:
    """Return records to write and to remove, and bring the index along.

    Args:
        index: the store, with the new declarations and facts.
        slugs: the entities that may have changed.
        before: those among them that were derived before the change.
        touched: the keys about which a declaration came or went.
        proposed: the proposals about these keys, derived before the change.
    """
    writes: list[Record] = []
    removes: list[Record] = []
    for slug in sorted(slugs):
        there = index.entities.get(slug)
        new = _entity(index, slug, there, before)
        if new == there or slug in index.unreadable:
            continue
        if new is None:
            removes += [there] if there else []
        else:
            writes.append(new)
    after = derived_proposals(index, touched)
    for key in sorted({*proposed, *after}):
        old, new_one = index.proposals.get(key), after.get(key)
        if new_one is None and old is not None:
            removes.append(old)
        elif new_one is not None and new_one != old and (old is not None or key not in proposed):
            writes.append(replace(new_one, path=old.path if old else ""))
    for record in removes:
        index.drop(record)
    for record in writes:
        index.put(record)
    return writes, removes


def _entity(index: Index, slug: str, there: Entity | None, before: Derived) -> Entity | None:
    """Return an entity as its file should be; None when there should be no file."""
    attested = index.names.attested.get(slug, {}).values()
    derived = derive_entity(slug, attested, index.names)
    old = before.get(slug, derived)
    if not index.is_needed(slug):
        return there if there is not None and there != old else None
    if there is None and index.names.final(slug) != slug:
        return None  # A person has moved the file.
    if there is None or derived is None:
        return there or derived
    if old is None:
        return replace(
            there,
            aliases=_three_ways(there.aliases, (), derived.aliases),
            repos=_three_ways(there.repos, (), derived.repos),
        )
    return replace(
        there,
        name=derived.name if there.name == old.name else there.name,
        type=derived.type if there.type == old.type else there.type,
        aliases=_three_ways(there.aliases, old.aliases, derived.aliases),
        repos=_three_ways(there.repos, old.repos, derived.repos),
        description=(
            derived.description
            if there.description.strip() == old.description.strip()
            else there.description
        ),
    )


def _three_ways(
    there: tuple[str, ...], old: tuple[str, ...], new: tuple[str, ...]
) -> tuple[str, ...]:
    """Return a list as a person left it, with what a machine adds and takes back."""
    return tuple(sorted((set(there) | (set(new) - set(old))) - (set(old) - set(new))))
