"""A change set as changes of files: what would be written where, and what has to wait.

A path waits when a person has changed, staged, deleted or put there a file and not committed it,
or when its file cannot be rewritten safely.  A record that moves to another file takes its text
along, comments and all; it moves whole or waits whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scry.errors import StoreError
from scry.model import ChangeSet, Fact, Record
from scry.store import codec, paths
from scry.store.files import content
from scry.store.gitrun import Git
from scry.store.journal import Change, Site
from scry.store.objects import Blob, read_blobs
from scry.store.splice import rewrite

_ALL_BELOW = 64


@dataclass(slots=True)
class Plan:
    """What to install, and which paths wait."""

    changes: list[Change] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)


def plan(site: Site, changes: ChangeSet, base: str, keep_off: frozenset[str]) -> Plan:
    """Return what a change set does to the files; `keep_off` are paths that wait anyway."""
    writes = {paths.checked(paths.path_of(record)): record for record in changes.writes}
    removes = {paths.checked(paths.path_of(record)): record for record in changes.removes}
    for path in writes:
        removes.pop(path, None)
    planner = _Planner(_Files(site, base, [*writes, *removes]), keep_off)
    moved = {_key(record): path for path, record in removes.items() if isinstance(record, Fact)}
    for path, record in writes.items():
        planner.write(path, record, moved.get(_key(record), ""))
    for path in removes:
        planner.remove(path)
    return planner.plan


class _Planner:
    def __init__(self, files: "_Files", keep_off: frozenset[str]) -> None:
        self.plan = Plan()
        self._files = files
        self._keep_off = keep_off

    def write(self, path: str, record: Record, source: str) -> None:
        """Plan one record; with a `source` it moves from there, and both wait or neither."""
        files = self._files
        touched = {path, source} - {""}
        start = files.here(source or path)
        try:
            new = rewrite(start, record, path, source) if start else codec.encode(record)
        except StoreError:
            self.plan.waiting |= touched
            return
        clean = files.is_clean(path, wanted=new) and (not source or files.is_clean(source))
        if not clean or touched & self._keep_off:
            self.plan.waiting |= touched
            return
        old, blob = files.here(path), files.as_committed(path, new)
        if new != old or files.blob(path) != blob:
            self.plan.changes.append(Change(path, old, new, blob, files.blob_id(path)))

    def remove(self, path: str) -> None:
        """Plan that a file goes."""
        files = self._files
        if path in self.plan.waiting or path in self._keep_off or not files.is_clean(path):
            self.plan.waiting.add(path)
        elif (old := files.here(path)) is not None:
            self.plan.changes.append(Change(path, old, None, None, files.blob_id(path)))


def _key(record: Record) -> tuple[str, str]:
    return type(record).__name__, getattr(record, "id", "")


class _Files:
    """Files as the work tree, the index and HEAD have them."""

    def __init__(self, site: Site, base: str, names: list[str]) -> None:
        self._site = site
        self._work: dict[str, bytes | None] = {}
        self._links: set[str] = set()
        for name in names:
            try:
                self._work[name] = content(site.tree / name)
            except StoreError:
                self._links.add(name)
        blobs = read_blobs(site.git, [f"{base}:{name}" for name in names]) if base else []
        self._blobs: dict[str, Blob | None] = dict(zip(names, blobs, strict=bool(base)))
        self._staged = _staged(site.git, names)

    def here(self, path: str) -> bytes | None:
        """Return the bytes in the work tree; None for no file."""
        return self._work.get(path)

    def blob(self, path: str) -> bytes | None:
        """Return the bytes in HEAD; None for no file."""
        found = self._blobs.get(path)
        return found.data if found else None

    def blob_id(self, path: str) -> str:
        """Return the id of the blob in HEAD; "" for no file."""
        found = self._blobs.get(path)
        return found.id if found else ""

    def is_clean(self, path: str, wanted: bytes | None = None) -> bool:
        """Say whether the file holds nothing of a person that is not committed.

        A file that holds the `wanted` bytes already is what a killed writer has left.
        """
        if path in self._links or self._staged.get(path, "") != self.blob_id(path):
            return False
        here, blob = self._work.get(path), self.blob(path)
        if here is not None and here == wanted:
            return True
        return here == blob or (here is not None and here.replace(b"\r\n", b"\n") == blob)

    def as_committed(self, path: str, new: bytes) -> bytes:
        """Return new bytes as they are committed: with LF, if the old ones were."""
        here, blob = self._work.get(path), self.blob(path)
        if here is not None and here != blob and here.replace(b"\r\n", b"\n") == blob:
            return new.replace(b"\r\n", b"\n")
        return new


def _staged(git: Git, names: list[str]) -> Mapping[str, str]:
    """Return the blob that the index has for each path; of an unmerged one, no blob at all."""
    asked = names if len(names) <= _ALL_BELOW else list(paths.FOLDERS)
    rows = git.run("ls-files", "-s", "-z", "--", *asked).decode("utf-8", "surrogateescape")
    found: dict[str, str] = {}
    for row in rows.split("\0")[:-1]:
        facts, _, path = row.partition("\t")
        _, blob, stage = facts.split(" ")
        found[path] = blob if stage == "0" else "unmerged"
    return found
