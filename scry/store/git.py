"""A store in a git repository: every change set is one commit, or waits, or never was.

Recall needs none of this: `tree.FileReader` reads the same store without git.  What happens when
is in `commit`; what waits, and why, in `plan`; how git is run, in `gitrun`.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path

from scry.errors import MovedError, StoreError
from scry.model import Applied, ChangeSet, Commit, Record, Snapshot
from scry.ports import Clock
from scry.store import commit, history, journal, message, paths, refs
from scry.store.files import RacedError, make_private, write_file
from scry.store.gitrun import Git
from scry.store.journal import Site
from scry.store.lock import update_lock, writer_lock
from scry.store.objects import Author, author_of
from scry.store.plan import plan
from scry.store.tree import FileReader

_RACES = 5
_AS_BEFORE = "Nothing of this change is in the store; what was committed before it stays."
_MANY_PACKS = 40
"""Each commit is a pack of its own; so many of them are rolled up into one."""


class GitStore(FileReader):
    """A store that can be read and written.

    Args:
        path: the store's folder.
        clock: dates the commits.
        wait_s: seconds to wait for another writer.
        say: is told why we wait, and what a killed writer had left.
    """

    _MAKES_FOLDERS = True  # With the first record; whose repository it is, `init_store` asks.

    def __init__(
        self,
        path: Path,
        *,
        clock: Clock,
        wait_s: float = 30,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        super().__init__(path)
        self._clock = clock
        self._wait_s = wait_s
        self._say = say
        self._held = False
        self._git = Git(path)
        self._site = Site(tree=path, folder=self.git_folder, git=self._git)
        self._step: commit.Step = lambda _: None

    @staticmethod
    def path_of(record: Record) -> str:
        """Return the file that a record lives in, relative to the store."""
        return paths.path_of(record)

    # --- writing ----------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the one writer's lock; first finish what a killed writer has begun.

        Raises:
            LockedError: another process held it for too long.
        """
        if self._held:
            raise StoreError("The store is being written by this very process already.")
        with writer_lock(self.local_folder / "lock", wait_s=self._wait_s, say=self._say):
            self._held = True
            try:
                if done := journal.recover(self._site):
                    self._say(f"A writer had been stopped half-way: {done}.")
                yield
            finally:
                self._held = False
        self._tidy()

    def apply(self, changes: ChangeSet, *, base: str) -> Applied:
        """Write a change set as one commit on top of `base`; must hold `writing()`.

        Raises:
            MovedError: the store no longer stands at `base`.
            LockedError: another git command is at work in the store.
            StoreError: it cannot be written; nothing of it is in the store.
        """
        if not self._held:
            raise StoreError("A store is only changed within `writing()`.")
        self._check_writable(base)
        keep_off: set[str] = set()
        for _ in range(_RACES):
            planned = plan(self._site, changes, base, frozenset(keep_off))
            waiting = tuple(sorted(planned.waiting))
            if not planned.changes:
                return Applied(waiting=waiting)
            try:
                made = commit.install(
                    self._site,
                    planned.changes,
                    base=base,
                    message=message.compose(changes),
                    author=self._author,
                    epoch=int(self._clock().timestamp()),
                    step=self._step,
                )
            except RacedError as error:
                keep_off.add(error.path)
            except OSError as error:
                raise StoreError(
                    f"{self.path}: it cannot be written ({error.strerror or error}). {_AS_BEFORE}"
                ) from error
            else:
                return Applied(commit=made, waiting=waiting)
        raise StoreError("Files of the store change faster than they can be written. Try again.")

    def keep_evidence(self, texts: Mapping[str, str]) -> None:
        """Keep distilled, redacted texts by episode id, on this machine only."""
        for episode, text in texts.items():
            self._keep(self._evidence_path(episode), episode, text)

    def keep_local(self, name: str, text: str) -> None:
        """Keep a small text on this machine only, beside the evidence."""
        self._keep(self._local_path(name), name, text)

    def update_local(self, name: str, change: Callable[[str], str]) -> str:
        """Change a small text kept on this machine while no other process does; return it.

        It needs no `writing()`, and the lock is held for as long as `change` takes.
        """
        with update_lock(self.local_folder / "local.lock"):
            text = change(self.local(name))
            self.keep_local(name, text)
        return text

    def _keep(self, path: Path | None, name: str, text: str) -> None:
        if path is None:
            raise StoreError(f"{name!r} cannot be the name of a file.")
        data = text.encode("utf-8", "replace")
        try:
            if path.is_file() and path.read_bytes() == data:
                return
            make_private(self.local_folder, path.parent)
            write_file(path, data, temp=path.with_name(f".{path.name}.{os.getpid()}"))
        except OSError as error:
            raise StoreError(f"{path}: it cannot be written ({error.strerror}).") from error

    def _check_writable(self, base: str) -> None:
        """Refuse, before the first write, whatever would go wrong later."""
        for folder in (self.path, self.git_folder):
            if not os.access(folder, os.W_OK):
                raise StoreError(f"{folder}: there is no right to write here. {_AS_BEFORE}")
        journal.check_unfinished(self.git_folder)
        if self.head() != base:
            raise MovedError("The store has moved on since it was read.")

    @cached_property
    def _author(self) -> Author:
        return author_of(self._git)

    def _tidy(self) -> None:
        """Roll up small packs when there are many; nothing else in git does that for us."""
        folder = refs.common_folder(self.git_folder) / "objects" / "pack"
        try:
            if sum(name.endswith(".pack") for name in os.listdir(folder)) > _MANY_PACKS:  # noqa: PTH208
                self._git.run("repack", "-d", "--geometric=2", "--quiet")
        except (OSError, StoreError):
            return  # It is only housekeeping; the next one tries again.

    # --- reading with git -------------------------------------------------------------------------

    def load_at(self, when: str | datetime) -> Snapshot:
        """Return the records as of a commit: a revision, or the last commit not after a time.

        Raises:
            StoreError: there is no such revision.
        """
        made = history.commit_at(self._git, when) if self.head() else ""
        return history.snapshot(self._git, made) if made else Snapshot(records=())

    def log(self, *, limit: int = 0, paths: Sequence[str] = ()) -> Sequence[Commit]:
        """Return commits, newest first; those that touched `paths`, if given."""
        return history.log(self._git, limit=limit, paths=paths) if self.head() else ()

    def commits_of(self, path: str) -> Sequence[Commit]:
        """Return the commits that touched one file, newest first."""
        return self.log(paths=[path])

    def dirty(self) -> list[str]:
        """Return the paths of records that a person has changed and not committed, sorted."""
        return history.dirty(self._git)

    def untracked(self) -> list[str]:
        """Return the paths of records that git does not know yet, sorted."""
        return history.untracked(self._git)
