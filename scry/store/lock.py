"""One writer at a time: `flock` on `.git/scry/lock`.

The kernel lets go of the lock when its holder dies, so a stale lock does not exist; the pid inside
the file is only for the message.  Who waits says so once, and gives up after a while.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from scry.errors import LockedError, StoreError

_PAUSES_S = (0.005, 0.01, 0.02, 0.05, 0.1)
_SAY_AFTER_S = 0.5


@contextmanager
def writer_lock(path: Path, *, wait_s: float, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock of a store; wait for at most `wait_s` seconds.

    Raises:
        LockedError: another process held it for all that time.
        StoreError: the lock's file cannot be made.
    """
    import fcntl

    handle = _opened(path)
    try:
        _wait(handle, path, wait_s, say)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        try:
            yield
        finally:
            fcntl.flock(handle, fcntl.LOCK_UN)
    finally:
        os.close(handle)


@contextmanager
def update_lock(path: Path) -> Iterator[None]:
    """Hold the lock of a small file; others hold it for a moment only, so it is waited for.

    Raises:
        StoreError: the lock's file cannot be made.
    """
    import fcntl

    handle = _opened(path)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)  # And with it the lock goes.


def _opened(path: Path) -> int:
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError(
            f"{path}: the lock cannot be opened ({error.strerror}). Nothing was written; "
            "make the store's .git/scry writable, or use a store of your own."
        ) from error


def _wait(handle: int, path: Path, wait_s: float, say: Callable[[str], None]) -> None:
    import fcntl

    begun = time.monotonic()
    said = False
    for attempt in range(1_000_000):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = time.monotonic() - begun
            if waited >= wait_s:
                raise LockedError(
                    f"{path}: {_holder(handle)} has been writing for {wait_s:g} s. "
                    "Nothing was changed; try again later."
                ) from None
            if waited >= _SAY_AFTER_S and not said:
                said = True
                say(f"Waiting for {_holder(handle)}, which is writing to the store …")
            time.sleep(_PAUSES_S[min(attempt, len(_PAUSES_S) - 1)])
        else:
            return


def _holder(handle: int) -> str:
    try:
        pid = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
    except OSError:
        pid = ""
    return f"process {pid}" if pid.isdigit() else "another process"
