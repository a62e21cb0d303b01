"""What all repair verbs share: finding the thing that is meant, and writing what follows."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from scry.errors import Exit, ScryError, UnknownNameError
from scry.index import Index
from scry.ingest import Ingest
from scry.lookup import ContestedNameError, find_entity, near
from scry.model import Applied, ChangeSet, Entity
from scry.resolve.entities import derived_entities
from scry.text import is_safe_name, one_line, slug_of

Evidence = Callable[[str], str]
"""Gives the distilled text of an episode, "" where it is gone."""


class MendError(ScryError):
    """What was asked for cannot be: the message says why, and what can be done."""

    exit_code = Exit.USAGE


class DirtyError(ScryError):
    """A file that a verb would change holds changes that are not committed."""

    exit_code = Exit.NO

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} has changes that are not committed, so nothing was done. "
            "Commit or drop them, and run the command again."
        )
        self.path = path


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What a verb changes, and a sentence about it; `paths` are the files it is about.

    `said` tells what is so already where nothing changes.
    """

    change: ChangeSet
    said: str
    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def nothing(said: str) -> Mended:
    """Return that all is so already."""
    return Mended(change=ChangeSet(subject=""), said=said)


def mend(
    ingest: Ingest,
    verb: Callable[[Index, Evidence], Mended],
    dirty: Callable[[], Collection[str]] = tuple,
) -> tuple[Mended, Applied]:
    """Write what a verb changes as one commit, made from the store as it stands under the lock.

    Args:
        ingest: the store to be written.
        verb: makes the change from the index.
        dirty: gives the files that a person has changed and not committed.

    Raises:
        DirtyError: one of them is what the verb is about; nothing has changed.
        ScryError: as the verb says.
    """
    made: list[Mended] = []

    def change() -> list[ChangeSet]:
        made.append(verb(ingest.index, ingest.store.evidence))
        if made[-1].change:
            theirs = set(dirty())
            for path in (path for path in made[-1].paths if path in theirs):
                ingest.writer.forget()
                raise DirtyError(path)
        return [made[-1].change] if made[-1].change else []

    _, applied = ingest.writer.commit(change)
    return made[-1], applied


def clean_name(name: str, redact: Callable[[str], str]) -> str:
    """Return a name as it may be stored.

    Raises:
        MendError: it cannot be a name.
    """
    clean = " ".join(redact(name).split())
    if not clean or len(clean) > 120 or not is_safe_name(clean):
        raise MendError(f"'{one_line(clean, 60)}' cannot be a name.")
    return clean


def find_slug(index: Index, name: str) -> str:
    """Return the slug that a name means itself, whatever it was merged into.

    Raises:
        UnknownNameError: nothing is called so, or more than one thing is.
    """
    names = index.names
    key = slug_of(name)
    owner = names.owner(key) or (name if name in index.entities else None)
    owners = [owner] if owner else names.claimants(key)
    if len({names.final(slug) for slug in owners}) == 1:
        return owners[0] if len(owners) == 1 else names.final(owners[0])
    if owners:
        raise ContestedNameError(name, [entity_of(index, slug) for slug in owners])
    find_entity(index, name)  # It may be in a file that cannot be read, which is said.
    raise UnknownNameError(one_line(name), near(index, [name], limit=3))


def entity_of(index: Index, slug: str) -> Entity:
    """Return an entity as its file has it, else as episodes describe it, else by its slug."""
    there = index.entities.get(slug) or derived_entities(index, [slug])[slug]
    return there or Entity(slug=slug, name=slug, type="concept")


def find_thing(index: Index, name: str) -> Entity:
    """Return the entity that answers to a name today.

    Raises:
        UnknownNameError: nothing is called so, or more than one thing is.
        UnreadableError: its file cannot be used.
    """
    slug = index.names.final(find_slug(index, name))
    if slug in index.unreadable:
        return find_entity(index, slug)
    return entity_of(index, slug)


def paths_of(*entities: Entity) -> tuple[str, ...]:
    """Return the files of entities that have one."""
    return tuple(entity.path for entity in entities if entity.path)
