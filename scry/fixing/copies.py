"""Copies of files, as programs that sync folders leave them: out with those that say nothing new."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from scry.fixing.round import Round
from scry.handmade import COPY
from scry.model import Entity, Episode, Fact, Record
from scry.store import files, paths


def remove_copies(at: Round) -> None:
    """Take out copies that say nothing of their own."""
    for problem in at.index.problems:
        _, sign, first = problem.message.partition("same record as ")
        first = first.removesuffix("; keep one.")
        if sign and at.read(first) is not None:
            _copy(at, problem.path, first)
    for record in list(at.records()):
        original = original_of(record.path)
        if original and original in {r.path for r in _like(at, record)}:
            _copy(at, record.path, original)


def _like(at: Round, record: Record) -> Sequence[Record]:
    """Return the record that a copy may be of, by its kind."""
    index, name = at.index, paths.stem_of(original_of(record.path))
    if isinstance(record, Entity):
        return [e for e in (index.entities.get(name),) if e]
    if isinstance(record, Episode):
        return [e for e in (index.episodes.get(name),) if e]
    return ()  # Facts go by their words: a copy with the same words is a problem.


def _copy(at: Round, path: str, first: str) -> None:
    a, b = at.read(first), at.read(path)
    if path in at.dirty or a is None or b is None or not _says_nothing_new(a, b):
        at.done.left.append(
            f"{path}: it is not the same as {first}. Keep one of the two, or merge them by hand."
        )
    elif path in at.new:
        files.replace_file(at.store.path, path, old=at.bytes(path), ready=None)
        at.say(path, f"removed; {first} says the same")
    else:
        at.removes[path] = b
        at.index.drop(b) if isinstance(b, (Entity, Episode)) else None
        at.say(path, f"removed; {first} says the same")


def original_of(path: str) -> str:
    """Return the file that a copy was made of, as programs that sync folders name them; else "".

    >>> original_of("entities/he/hermes (conflict).md"), original_of("entities/he/hermes.md")
    ('entities/he/hermes.md', '')
    """
    place = PurePosixPath(path)
    found = COPY.match(place.stem)
    return str(place.with_name(found["stem"] + ".md")) if found else ""


def _says_nothing_new(first: Record, copy: Record) -> bool:
    """Say whether a copy holds no more than the first one does."""
    match first, copy:
        case Entity(), Entity():
            return replace(copy, slug=first.slug) == first
        case Fact(), Fact():
            cited = set(copy.episodes) <= set(first.episodes)
            return cited and replace(copy, id=first.id, episodes=first.episodes) == first
        case Episode(), Episode():
            return replace(copy, id=first.id) == first
    return first == copy
