"""Commits on a branch that nobody stands on: the work tree, its index and HEAD are not touched.

A commit is objects and one reference (see `objects`), so a run that is killed leaves at worst a
branch that ends early.  Nobody else writes that branch; so the writer's lock is not needed.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from scry.errors import StoreError
from scry.model import ChangeSet, Fact, Record
from scry.ports import Clock
from scry.store import codec, message, paths
from scry.store.gitrun import Git, GitError
from scry.store.objects import author_of, make_commit, read_blobs
from scry.store.splice import rewrite

_NAMES = 20
"""Names to try, where others of the same second are taken."""


class Branch:
    """A branch on top of a commit.  It comes into being with its first commit.

    `name` is "" until then; `left` holds files that could not be rewritten, and stay as they are.

    Args:
        store: the store's folder.
        base: the commit that it begins at.
        clock: dates the commits.
        prefix: the name begins with it; the moment follows.
    """

    def __init__(self, store: Path, base: str, *, clock: Clock, prefix: str) -> None:
        self.name = ""
        self.left: list[str] = []
        self._git = Git(store)
        self._clock = clock
        self._prefix = prefix
        self._tip = base
        self._there = ""
        self._author = author_of(self._git)

    def commit(self, changes: ChangeSet) -> str:
        """Write a change set as one commit; return its id, "" where it changes no file.

        Raises:
            StoreError: it cannot be written, or somebody else has moved the branch.
        """
        files = self._files(changes)
        if not files:
            return ""
        now = self._clock()
        made, _ = make_commit(
            self._git,
            files,
            base=self._tip,
            message=message.compose(changes),
            author=self._author,
            epoch=int(now.timestamp()),
        )
        if self.name:
            self._point(self.name, made)
        else:
            self._begin(made, now)
        self._tip = self._there = made
        return made

    def restart(self, base: str) -> None:
        """Begin anew on top of another commit; what was on the branch goes with the next commit."""
        self._tip = base
        self.left = []

    def end(self) -> None:
        """Delete the branch if nothing has been written since it was begun anew."""
        if self.name and self._tip != self._there:
            self._git.run("update-ref", "-d", f"refs/heads/{self.name}", self._there)
            self.name = self._there = ""

    def _begin(self, made: str, now: datetime) -> None:
        """Give the branch the first name that is free."""
        for number in range(1, _NAMES):
            name = f"{self._prefix}-{now:%Y%m%d-%H%M%S}{f'-{number}' if number > 1 else ''}"
            try:
                self._point(name, made)
            except GitError:
                if number == _NAMES - 1 or not self._is_taken(name):
                    raise
            else:
                self.name = name
                return

    def _point(self, name: str, made: str) -> None:
        expected = self._there or "0" * len(made)
        self._git.run("update-ref", f"refs/heads/{name}", made, expected)

    def _is_taken(self, name: str) -> bool:
        try:
            self._git.run("rev-parse", "--verify", "--quiet", f"refs/heads/{name}")
        except GitError:
            return False
        return True

    # --- files ------------------------------------------------------------------------------------

    def _files(self, changes: ChangeSet) -> dict[str, bytes | None]:
        """Return the new content of each file that changes, None for one that goes."""
        writes = {paths.checked(paths.path_of(record)): record for record in changes.writes}
        removes = {paths.checked(paths.path_of(record)): record for record in changes.removes}
        for path in writes:
            removes.pop(path, None)
        here = self._contents([*writes, *removes])
        moved = {_key(record): path for path, record in removes.items() if isinstance(record, Fact)}
        files: dict[str, bytes | None] = {}
        for path, record in writes.items():
            # A record that moves to another file takes the words of people along.
            source = moved.get(_key(record), "")
            old = here[source or path]
            try:
                new = rewrite(old, record, path, source) if old else codec.encode(record)
            except StoreError:
                self.left.append(path)
                removes.pop(source, None)
                continue
            if new != here[path]:
                files[path] = new
        return files | {path: None for path in removes if here[path] is not None}

    def _contents(self, names: list[str]) -> Mapping[str, bytes | None]:
        found = read_blobs(self._git, [f"{self._tip}:{name}" for name in names])
        return {n: blob.data if blob else None for n, blob in zip(names, found, strict=True)}


def _key(record: Record) -> tuple[str, str]:
    return type(record).__name__, getattr(record, "id", "")


# --- whose a file is ------------------------------------------------------------------------------

_FORMAT = "--format=%x01%s%x02%(trailers:key=Scry-Episode,valueonly,separator=%x20)%x02"
_DERIVED = ("apply:", "undo:", "forget:", "note:", "learn:", "relearn:", "reextract:")
"""How the commits begin in which everything follows from what episodes say."""


def changed_by_hand(store: Path, commit: str, *, also: Callable[[], list[str]]) -> frozenset[str]:
    """Return the files of a commit that are not as machines alone would have left them.

    A file is a person's from their first commit about it on, also when a machine adds to it later;
    reverting it to a content that a machine wrote gives it back.  `also` names files that are
    changed and not committed yet.
    """
    git = Git(store)
    shape = ("-z", "--raw", "--no-renames", "--no-abbrev", "--reverse", "--topo-order")
    out = git.run("log", *shape, _FORMAT, commit, "--", *paths.FOLDERS)
    clean: dict[str, set[str]] = {}
    for part in out.decode("utf-8", "replace").split("\x01")[1:]:
        subject, episodes, rows = part.split("\x02", 2)
        if episodes.strip() or subject.startswith(_DERIVED):
            _by_machine(clean, rows.strip("\0\n").split("\0"))
    blobs = git.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *paths.FOLDERS)
    found = set(also())
    for row in blobs.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        facts, _, path = row.partition("\t")
        if paths.kind_of(path) and facts.split(" ")[2] not in clean.get(path, ()):
            found.add(path)
    return frozenset(found)


def _by_machine(clean: dict[str, set[str]], rows: list[str]) -> None:
    """Note which contents a machine's commit has made of contents that were a machine's."""
    changes = [
        (path, *entry.split(" ")[2:4]) for entry, path in zip(rows[::2], rows[1::2], strict=False)
    ]
    # A fact that moves has a new path and the same id.
    gone = {paths.id_of(path): (path, old) for path, old, new in changes if not new.strip("0")}
    for path, old, new in changes:
        before = (path, old) if old.strip("0") else gone.get(paths.id_of(path), (path, ""))
        if new.strip("0") and (not before[1] or before[1] in clean.get(before[0], ())):
            clean.setdefault(path, set()).add(new)
