"""One commit, whole or not at all: files of the work tree, the person's index and HEAD together.

    1  objects        blobs, trees and the commit; nothing points to them yet
    2  journal        what is about to change, so that `journal.recover` can finish it or undo it
    3  index.lock     the person's index plus our paths only; everybody else's git waits from here
    4  work tree      temp file and rename, only where the bytes are those that we have seen
    5  update-ref     with compare-and-swap: the one commit point
    6  index          the lock becomes the index; the journal goes

What the person has staged stays staged and is in no commit of ours.  `index.lock` appears with its
whole content, by a link: a killed writer's lock can always be told from somebody else's.
"""

import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from scry.errors import LockedError, MovedError
from scry.store import journal, refs
from scry.store.files import replace_file, write_temp
from scry.store.gitrun import GitError
from scry.store.journal import Change, Site
from scry.store.objects import Author, make_commit

Step = Callable[[str], None]
"""Is told the name of each step when it has been taken."""

_INDEX_WAIT_S = 2.0


def install(
    site: Site,
    changes: Sequence[Change],
    *,
    base: str,
    message: str,
    author: Author,
    epoch: int,
    step: Step = lambda _: None,
) -> str:
    """Make one commit of file changes on top of `base`, and return its id.

    Raises:
        MovedError: HEAD is not at `base` any more.
        RacedError: a file has changed under our hands.
        LockedError: another git process holds the index.
        StoreError: it cannot be written.  In each case everything is as before.
    """
    files = {change.path: change.blob for change in changes}
    commit, blobs = make_commit(
        site.git, files, base=base, message=message, author=author, epoch=epoch
    )
    step("objects")
    try:
        # Written and synced before the lock is taken: what others wait for is a few renames.
        ready = [
            write_temp(site.temp(f"file-{number}"), change.new) if change.new is not None else None
            for number, change in enumerate(changes)
        ]
        _lock_index(site, changes, blobs, commit, step)
        for change, temp in zip(changes, ready, strict=True):
            replace_file(site.tree, change.path, old=change.old, ready=temp)
            step("file")
        _move_head(site, base, commit, message.partition("\n")[0])
        step("head")
        site.lock.replace(site.folder / "index")
        step("index")
    except BaseException:
        journal.recover(site, after_crash=False)
        raise
    journal.end(site)
    return commit


def _move_head(site: Site, base: str, commit: str, subject: str) -> None:
    """Move the branch from `base` to the commit; the one step that makes it count."""
    expected = base or "0" * len(commit)
    try:
        site.git.run("update-ref", "-m", f"scry: {subject}", "HEAD", commit, expected)
    except GitError as error:
        if refs.head(site.folder) != base:
            raise MovedError("The store has moved on while it was being written.") from error
        raise


# --- the index ------------------------------------------------------------------------------------


def _lock_index(
    site: Site, changes: Sequence[Change], blobs: Mapping[str, str], commit: str, step: Step
) -> None:
    """Take `.git/index.lock`, holding the person's index with our paths changed.

    The journal is written first.  If the index changes before the lock is ours, begin again.
    """
    until = time.monotonic() + _INDEX_WAIT_S
    pause = 0.005
    while True:
        seen = _identity(site.folder / "index")
        new = _new_index(site, changes, blobs)
        journal.begin(site, changes, blobs, commit, new.read_bytes())
        step("journal")
        if _take(site.lock, new):
            if _identity(site.folder / "index") == seen:
                step("lock")
                return
            site.lock.unlink()
        elif time.monotonic() > until:
            raise LockedError(_in_the_way(site.lock))
        time.sleep(pause)
        pause = min(2 * pause, 0.1)


def _new_index(site: Site, changes: Sequence[Change], blobs: Mapping[str, str]) -> Path:
    """Make a copy of the index in which our paths are changed, and return its place."""
    new = site.temp("index")
    index = site.folder / "index"
    new.unlink(missing_ok=True)
    if index.exists():
        shutil.copyfile(index, new)
    nothing = "0" * len(next(iter(blobs.values()), "0" * 40))
    rows = [
        f"100644 {blobs[change.path]}\t{change.path}\0"
        if change.blob is not None
        else f"0 {nothing}\t{change.path}\0"
        for change in changes
    ]
    site.git.run(
        "update-index",
        "-z",
        "--index-info",
        stdin="".join(rows).encode(),
        env={"GIT_INDEX_FILE": os.fspath(new.absolute())},
    )
    return new


def _take(lock: Path, new: Path) -> bool:
    """Give the lock its content and its name at once; False when somebody else has it."""
    try:
        os.link(new, lock)
    except FileExistsError:
        return False
    except OSError:  # A disk without links.
        return _take_without_link(lock, new)
    new.unlink()
    return True


def _take_without_link(lock: Path, new: Path) -> bool:
    try:
        handle = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(handle, "wb") as file:
        file.write(new.read_bytes())
    return True


def _identity(index: Path) -> tuple[int, int, int]:
    """Return what changes whenever git writes the index: it is replaced each time."""
    try:
        found = index.stat()
    except FileNotFoundError:
        return 0, 0, 0
    return found.st_ino, found.st_mtime_ns, found.st_size


def _in_the_way(lock: Path) -> str:
    try:
        age = f"{max(0, time.time() - lock.stat().st_mtime):.0f} s old"
    except OSError:
        age = "gone by now"
    return (
        f"{lock} is in the way ({age}): another git command is at work in the store, or was "
        "killed. Nothing was changed. If no git is running, remove that file and try again."
    )
