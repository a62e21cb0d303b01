"""What a commit under way has begun, and how the next writer finishes it or puts it back.

`.git/scry/journal`, one JSON object:

    {"base": id, "commit": id, "index": sha256 of the content of our index.lock,
     "files": {path: [id of the blob before or "", id after or "", bytes before in base64 or ""]}}

HEAD at `commit`: the commit is done, its index is put in place.  HEAD elsewhere: files that still
hold our bytes are put back.  What a person has touched in between is never touched.
"""

import base64
import hashlib
import json
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scry.errors import StoreError
from scry.store import refs
from scry.store.files import (
    RacedError,
    content,
    replace_file,
    sync_folder,
    write_file,
    write_temp,
)
from scry.store.gitrun import Git
from scry.store.objects import read_blobs

_LOCK_GRACE_S = 1.0


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one file: `old` and `new` as in the work tree, None where there is none.

    `blob` is what is committed: `new` with LF, where the person's editor has made CRLF of it.
    `before` is the id of the blob at `path` before, "" for a new file.
    """

    path: str
    old: bytes | None
    new: bytes | None
    blob: bytes | None
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The store that is written to: its work tree, its git folder, and its git."""

    tree: Path
    folder: Path
    git: Git

    @property
    def journal(self) -> Path:
        """The file that says what is under way."""
        return self.folder / "scry" / "journal"

    @property
    def lock(self) -> Path:
        """The lock that makes everybody else's git wait."""
        return self.folder / "index.lock"

    def temp(self, name: str) -> Path:
        """Return a free name on the store's disk; only the holder of the lock asks."""
        folder = self.folder / "scry" / "tmp"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder / name


def begin(
    site: Site, changes: Sequence[Change], after: Mapping[str, str], commit: str, index: bytes
) -> None:
    """Write down what is about to change, durably."""
    entry = {
        "base": refs.head(site.folder),
        "commit": commit,
        "index": hashlib.sha256(index).hexdigest(),
        "files": {
            change.path: [
                change.before,
                after.get(change.path, ""),
                base64.b64encode(change.old or b"").decode(),
            ]
            for change in changes
        },
    }
    write_file(site.journal, json.dumps(entry).encode(), temp=site.temp("journal"))
    sync_folder(site.journal.parent)


def end(site: Site) -> None:
    """Forget what was under way."""
    site.journal.unlink(missing_ok=True)


def recover(site: Site, *, after_crash: bool = True) -> str:
    """Finish or put back what a writer has begun; return what was done, "" for nothing.

    Must hold the writer's lock.  `after_crash` is False for a writer that is still alive: then a
    lock of git's is somebody else's.
    """
    shutil.rmtree(site.folder / "scry" / "tmp", ignore_errors=True)
    try:
        entry = json.loads(site.journal.read_bytes())
        commit, index = str(entry["commit"]), str(entry["index"])
        files = {str(path): [str(part) for part in row] for path, row in entry["files"].items()}
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        end(site)  # Written by rename, so it was never whole: nothing had begun.
        return ""
    if after_crash:
        _drop_dead_locks(site)
    ours = _is_ours(site.lock, index)
    if commit and refs.head(site.folder) == commit:
        _bring_forward(site, files)
        if ours:
            site.lock.replace(site.folder / "index")
        done = "finished an interrupted commit"
    else:
        _put_back(site, files)
        if ours:
            site.lock.unlink(missing_ok=True)
        done = "put back an interrupted commit"
    end(site)
    return done


def _bring_forward(site: Site, files: Mapping[str, Sequence[str]]) -> None:
    """Write what HEAD has where the old bytes are still there, as after a power cut."""
    blobs = read_blobs(site.git, [f"HEAD:{path}" for path in files])
    for (path, (before, after, _)), blob in zip(files.items(), blobs, strict=True):
        if before != after and _holds(site, path, before, like=after):
            _replace(site, path, blob.data if blob else None)


def _put_back(site: Site, files: Mapping[str, Sequence[str]]) -> None:
    """Restore each file that holds our bytes, while HEAD still has the old ones."""
    head = refs.head(site.folder)
    names = [f"{head}:{path}" for path in files] if head else []
    now = read_blobs(site.git, names) if head else [None] * len(files)
    for (path, (before, after, old)), blob in zip(files.items(), now, strict=True):
        untouched = (blob.id if blob else "") == before
        if untouched and before != after and _holds(site, path, after, like=before):
            _replace(site, path, base64.b64decode(old) if before else None)


def _holds(site: Site, path: str, blob: str, *, like: str) -> bool:
    """Say whether a file holds a blob; "" stands for no file."""
    try:
        return _blob_id(content(site.tree / path), blob or like) == blob
    except StoreError:
        return False  # A link by now, or a folder: a person's.


def _replace(site: Site, path: str, new: bytes | None) -> None:
    ready = write_temp(site.temp("restored"), new) if new is not None else None
    with suppress(RacedError):
        replace_file(site.tree, path, old=content(site.tree / path), ready=ready)


def _blob_id(data: bytes | None, like: str) -> str:
    """Return the id that git gives a file with LF; "" for no file."""
    if data is None:
        return ""
    text = data.replace(b"\r\n", b"\n")
    make = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return make(b"blob %d\0" % len(text) + text, usedforsecurity=False).hexdigest()


def _is_ours(lock: Path, digest: str) -> bool:
    try:
        return hashlib.sha256(lock.read_bytes()).hexdigest() == digest
    except OSError:
        return False


def _drop_dead_locks(site: Site) -> None:
    """Remove the locks that our own dead git has left on HEAD and its branch.

    A living one goes by itself within milliseconds.
    """
    names = ("HEAD", refs.branch(site.folder))
    locks = [refs.common_folder(site.folder) / f"{name}.lock" for name in names if name]
    since = site.journal.stat().st_mtime
    until = time.monotonic() + _LOCK_GRACE_S
    for lock in locks:
        while lock.exists() and time.monotonic() < until:
            time.sleep(0.02)
        with suppress(OSError):
            if lock.stat().st_mtime >= since:
                lock.unlink()


def check_unfinished(folder: Path) -> None:
    """See that nothing of the person's is under way, such as a merge.

    Raises:
        StoreError: something is; the message names it and how to end it.
    """
    for name, what, how in (
        ("MERGE_HEAD", "merge", "git merge --abort"),
        ("rebase-merge", "rebase", "git rebase --abort"),
        ("rebase-apply", "rebase", "git rebase --abort"),
        ("CHERRY_PICK_HEAD", "cherry-pick", "git cherry-pick --abort"),
        ("REVERT_HEAD", "revert", "git revert --abort"),
        ("BISECT_LOG", "bisect", "git bisect reset"),
    ):
        if os.path.lexists(folder / name):
            raise StoreError(
                f"A {what} is under way in the store. Finish it, or give it up with `{how}`; "
                "until then nothing is written, and recall goes on working."
            )
    if (refs.common_folder(folder) / "reftable").exists():
        raise StoreError(
            "The store keeps its references in a reftable, which Scry does not read. "
            "`git refs migrate --ref-format=files` brings them back; nothing was written."
        )
    if refs.head(folder) and not refs.branch(folder):
        raise StoreError(
            "The store's HEAD is detached, so a commit would be on no branch. "
            "Go back with `git switch main`; nothing was written."
        )
