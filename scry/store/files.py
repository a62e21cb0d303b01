"""Single files: read without following links, written whole or not at all.

A new content goes to a temp file under `.git/scry/tmp`, is synced, and takes the old one's place
by rename; so a reader sees the old or the new bytes, and a crash leaves nothing in the work tree.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from scry.errors import StoreError
from scry.store.document import LIMIT

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FIRST = 16_384


class RacedError(Exception):
    """A person saved a file while we were about to write it; `path` says which."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def read_file(full: str) -> bytes:
    """Return the bytes of a file, at most one more than a record may have.

    The caller has seen that it is a regular file, or may be given nothing by a pipe.

    Raises:
        OSError: it is not there, or is a link.
    """
    handle = os.open(full, _READ)
    try:
        data = os.read(handle, _FIRST)
        if len(data) < _FIRST:
            return data
        parts = [data]
        while sum(map(len, parts)) <= LIMIT and (more := os.read(handle, LIMIT)):
            parts.append(more)
        return b"".join(parts)
    finally:
        os.close(handle)


def content(target: Path) -> bytes | None:
    """Return a file's bytes, None when nothing is there.

    Raises:
        StoreError: something is there that is no readable file.
    """
    try:
        if not stat.S_ISREG(target.lstat().st_mode):
            raise StoreError(f"{target}: this is a link or no regular file; it is not opened.")
        return read_file(os.fspath(target))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StoreError(f"{target}: it cannot be read ({error.strerror}).") from error


def make_folders(root: Path, relative: str) -> Path:
    """Make the folders above a file, and return the file's full path.

    Raises:
        StoreError: one of them is a link or a file; nothing outside the store is written.
    """
    full = root
    for part in relative.split("/")[:-1]:
        full /= part
        try:
            full.mkdir(mode=0o700)
        except FileExistsError:
            if not stat.S_ISDIR(full.lstat().st_mode):
                raise StoreError(
                    f"{full} is no folder, or a link to one. Scry does not write through links; "
                    "put a real folder there."
                ) from None
    return full / relative.rpartition("/")[2]


def make_private(root: Path, folder: Path) -> None:
    """Make a folder at or below `root`, with all between, that nobody else can look into.

    `mkdir` gives its mode to the last folder only, and the umask has its say.
    """
    for place in (root, *reversed([p for p in folder.parents if root in p.parents]), folder):
        place.mkdir(mode=0o700, exist_ok=True)
        if stat.S_IMODE(place.lstat().st_mode) != 0o700:
            with suppress(PermissionError):  # It is somebody else's, who lets us write there.
                place.chmod(0o700)


def write_temp(temp: Path, data: bytes) -> Path:
    """Write a new file and sync it, so that a rename is all that is left to do."""
    temp.unlink(missing_ok=True)  # Ours, from a run that was killed.
    handle = os.open(temp, _WRITE, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        temp.unlink(missing_ok=True)
        raise
    return temp


def write_file(target: Path, data: bytes, *, temp: Path) -> None:
    """Write a file whole or not at all; `temp` is a free name on the same disk."""
    write_temp(temp, data).replace(target)


def replace_file(root: Path, path: str, *, old: bytes | None, ready: Path | None) -> None:
    """Put a written temp file in the place of a file that holds `old`; None stands for no file.

    Raises:
        RacedError: it does not hold `old` any more; it is left alone.
    """
    if ready is None and old is None and content(root / path) is None:
        return
    target = make_folders(root, path)
    if content(target) != old:
        raise RacedError(path)
    if ready is not None:
        ready.replace(target)
        return
    target.unlink(missing_ok=True)
    _drop_empty(root, path)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _drop_empty(root: Path, path: str) -> None:
    """Remove the folders that a file has left empty, but not the store's own ones."""
    for parent in list((Path(path)).parents)[:-2]:
        with suppress(OSError):
            (root / parent).rmdir()
