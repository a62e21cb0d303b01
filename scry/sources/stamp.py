"""A file in the state in which it was seen: the key under which what it holds is remembered."""

import os
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple


class Stamp(NamedTuple):
    """A path with its size in bytes and the time of its last change in nanoseconds."""

    path: str
    size: int
    changed: int

    @property
    def file(self) -> Path:
        """The path as such."""
        return Path(self.path)


def stamp_of(path: Path | os.DirEntry[str]) -> Stamp | None:
    """Return the state of a regular file, or None if there is none."""
    try:
        state = path.stat()
    except OSError:
        return None  # Gone, or a link that leads to itself.
    return (
        Stamp(os.fspath(path), state.st_size, state.st_mtime_ns) if S_ISREG(state.st_mode) else None
    )
