"""What people did with their files, where the files alone say it: moved, renamed, or cleared.

    git mv entities/he/hermes.md entities/me/mercury.md    facts about hermes lead to mercury now
    - the bot            taken out of `aliases`            the name leads there no more

Found at the next write, and by `scry check --fix`; what follows is one change like any other.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from scry.index import Index
from scry.model import ChangeSet, Entity
from scry.names import derive_entity
from scry.resolve.reshape import reshape
from scry.text import slug_of

BY_HAND = "apply: what was changed by hand"


def adopt(
    index: Index, evidence: Callable[[str], str], *, unsettled: Collection[str] = ()
) -> ChangeSet | None:
    """Return what follows from moved files and cleared aliases; None if there are none.

    The index goes along.

    Args:
        index: the store as it stands.
        evidence: gives the distilled text of an episode.
        unsettled: slugs of entities whose file lacks what had to wait for it.
    """
    found = [*moved_by_hand(index), *cleared_by_hand(index, unsettled)]
    if not found:
        return None
    return reshape(
        index, evidence, entities=found, subject=BY_HAND, lines=[_line(e) for e in found]
    )


def moved_by_hand(index: Index) -> list[Entity]:
    """Return redirects for entities whose file a person has moved to another slug.

    Such a slug has facts and no file.  Another file bears its name, or looks like what episodes
    say of it and is nothing that any of them declares; if several do, nothing is guessed.
    """
    out = []
    lone: list[Entity] | None = None
    for slug in sorted(s for s, facts in index.links.items() if facts):
        if slug in index.entities or slug in index.unreadable:
            continue
        if lone is None:
            lone = [e for e in index.entities.values() if e.slug not in index.names.attested]
        attested = index.names.attested.get(slug, {}).values()
        known = derive_entity(slug, attested, index.names)
        if known is not None:  # Whether or not the aliases are contested by now.
            claimed = {alias for a in attested for alias in a.entity.aliases}
            known = replace(known, aliases=tuple(sorted(claimed)))
        named = index.names.owner(slug)
        heirs = [named] if named not in (None, slug) else _alike(known, slug, lone)
        heir = index.entities.get(heirs[0] or "") if len(heirs) == 1 else None
        if heir is not None:
            name, kind = (known.name, known.type) if known else (slug, heir.type)
            out.append(Entity(slug=slug, name=name, type=kind, merged_into=heir.slug))
    return out


def _alike(known: Entity | None, slug: str, others: Iterable[Entity]) -> list[str | None]:
    """Return the slugs of files that hold what is known of an entity, or list its name."""
    out: list[str | None] = []
    for other in others:
        listed = {slug_of(alias) for alias in other.aliases}
        same = slug in listed
        if known is not None:
            same = same or not listed.isdisjoint(map(slug_of, known.aliases))
            same = same or bool(set(known.repos) & set(other.repos))
            same = same or known.description.strip() == other.description.strip() != ""
        if same and not other.merged_into:
            out.append(other.slug)
    return out


def cleared_by_hand(index: Index, unsettled: Collection[str] = ()) -> list[Entity]:
    """Return entities with the aliases rejected that a person has taken out of their files.

    An alias was taken out if episodes claim it for nothing else, and the file lists others of
    theirs but not this one.
    """
    out = []
    names = index.names
    for slug, attested in names.attested.items():
        entity = index.entities.get(slug)
        if entity is None or slug in unsettled or slug in index.unreadable:
            continue
        claimed = {slug_of(n): n for a in attested.values() for n in a.entity.aliases}
        listed = {slug_of(alias) for alias in (entity.name, *entity.aliases)}
        if claimed.keys() <= listed or listed.isdisjoint(claimed):
            continue
        gone = [
            name
            for key, name in sorted(claimed.items())
            if key not in listed and not names.bears(key) and names.claimants(key) == [slug]
            if not names.claimed_for_others(key, slug)
        ]
        if gone:
            out.append(replace(entity, rejected=tuple(sorted({*entity.rejected, *gone}))))
    return out


def _line(entity: Entity) -> str:
    if entity.merged_into:
        return f"= {entity.slug} leads to {entity.merged_into}, for its file was moved"
    return f"= {entity.name} is no longer called {', '.join(entity.rejected)}"
