"""What one round of `check --fix` works on: the index, the files, and what has been found so far."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from scry.index import Index
from scry.model import Applied, Entity, Fact, Record
from scry.store import codec, files
from scry.store.document import BadFileError, split
from scry.store.git import GitStore


@dataclass(slots=True)
class Fixed:
    """What was done, a line for each change, and what was left with the reason."""

    applied: Applied = field(default_factory=Applied)
    lines: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Round:
    """One round over a store, under its lock."""

    index: Index
    store: GitStore
    now: datetime
    redact: Callable[[str], str]
    done: Fixed
    new: set[str] = field(default_factory=set)
    """Files that git does not know."""
    dirty: set[str] = field(default_factory=set)
    """Others with changes that are not committed."""
    removes: dict[str, Record] = field(default_factory=dict)
    moved: dict[str, Fact] = field(default_factory=dict)
    """Where a fact that is completed was -> as it will be."""
    entities: dict[str, Entity] = field(default_factory=dict)
    """Things that facts by hand need, and whose type these say."""
    needed: set[str] = field(default_factory=set)
    """Slugs of things that facts need, and that episodes declare."""

    def records(self) -> Iterator[Record]:
        """Yield every record that could be in the wrong place, or a copy."""
        index = self.index
        yield from index.facts.values()
        yield from index.waiting.values()
        yield from index.entities.values()
        yield from index.episodes.values()

    def read(self, path: str) -> Record | None:
        """Return the record of a file; None where there is none."""
        data = self.bytes(path)
        try:
            return codec.decode(path, data) if data is not None else None
        except BadFileError:
            return None

    def front(self, path: str) -> dict[str, object]:
        """Return the keys of a file as a person wrote them."""
        data = self.bytes(path)
        return codec.read_front(split(data)) if data is not None else {}

    def bytes(self, path: str) -> bytes | None:
        """Return what is in a file; None where there is none."""
        return files.content(Path(self.store.path) / path)

    def say(self, path: str, what: str) -> None:
        """Note a change, for the person and for the commit."""
        self.done.lines.append(self.redact(f"{path}: {what}"))
