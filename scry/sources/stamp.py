"""A file in the state in which it was seen: the key under which what it holds is remembered."""

from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG


@dataclass(frozen=True, slots=True)
class Stamp:
    """A path with its size in bytes and the time of its last change in nanoseconds."""

    path: str
    size: int
    changed: int

    @property
    def file(self) -> Path:
        """The path as such."""
        return Path(self.path)


def stamp_of(path: Path) -> Stamp | None:
    """Return the state of a regular file, or None if there is none."""
    try:
        state = path.stat()
    except OSError:
        return None  # Gone, or a link that leads to itself.
    return Stamp(str(path), state.st_size, state.st_mtime_ns) if S_ISREG(state.st_mode) else None
