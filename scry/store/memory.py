"""A store in memory, for tests and for `--dry-run`: the same contract, no files.

Records go through the codec on their way in, so that what comes out is what a file would give.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from scry.errors import MovedError, StoreError
from scry.model import Applied, ChangeSet, Commit, Record, Snapshot
from scry.ports import Clock, Reader
from scry.store import codec, message, paths


def _epoch() -> datetime:
    return datetime(2000, 1, 1, tzinfo=UTC)


class MemoryStore:
    """A store that forgets everything with the process.

    Args:
        snapshot: what it begins with, such as the real store for a dry run.
        clock: dates the commits.
        behind: where evidence and local texts are read that were not kept here.
    """

    def __init__(
        self,
        snapshot: Snapshot | None = None,
        *,
        clock: Clock = _epoch,
        behind: Reader | None = None,
    ) -> None:
        start = snapshot or Snapshot(records=())
        self._files = {paths.path_of(record): record for record in start.records}
        self._problems = start.problems
        self._head = start.head
        self._clock = clock
        self._behind = behind
        self._held = False
        self._evidence: dict[str, str] = {}
        self._local: dict[str, str] = {}
        self._commits: list[tuple[Commit, frozenset[str]]] = []

    def load(self) -> Snapshot:
        """Return every record, in the order of their paths."""
        records = tuple(record for _, record in sorted(self._files.items()))
        return Snapshot(records=records, problems=self._problems, head=self._head)

    def head(self) -> str:
        """Return the commit that the store stands at; "" when it has none."""
        return self._head

    @staticmethod
    def path_of(record: Record) -> str:
        """Return the file that a record would live in."""
        return paths.path_of(record)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the one writer's lock."""
        if self._held:
            raise StoreError("The store is being written by this very process already.")
        self._held = True
        try:
            yield
        finally:
            self._held = False

    def apply(self, changes: ChangeSet, *, base: str) -> Applied:
        """Take a change set as one commit on top of `base`; must hold `writing()`.

        Raises:
            MovedError: the store no longer stands at `base`.
        """
        if not self._held:
            raise StoreError("A store is only changed within `writing()`.")
        if base != self._head:
            raise MovedError("The store has moved on since it was read.")
        files = dict(self._files)
        for record in changes.removes:
            files.pop(paths.checked(paths.path_of(record)), None)
        for record in changes.writes:
            path = paths.checked(paths.path_of(record))
            files[path] = codec.decode(path, codec.encode(record))
        touched = {p for p in {*files, *self._files} if files.get(p) != self._files.get(p)}
        if not touched:
            return Applied()
        self._files = files
        text = message.compose(changes)
        told = f"{base}\n{len(self._commits)}\n{text}"
        self._head = hashlib.sha256(told.encode()).hexdigest()[:40]
        made = message.read(self._head, self._clock().replace(microsecond=0), text)
        self._commits.insert(0, (made, frozenset(touched)))
        return Applied(commit=self._head)

    def evidence(self, episode: str) -> str:
        """Return the distilled text kept for an episode, or ""."""
        kept = self._evidence.get(episode, "")
        return kept or (self._behind.evidence(episode) if self._behind else "")

    def keep_evidence(self, texts: Mapping[str, str]) -> None:
        """Keep distilled, redacted texts by episode id."""
        self._evidence.update(texts)

    def local(self, name: str) -> str:
        """Return a small text, or ""."""
        kept = self._local.get(name, "")
        return kept or (self._behind.local(name) if self._behind else "")

    def keep_local(self, name: str, text: str) -> None:
        """Keep a small text."""
        self._local[name] = text

    def update_local(self, name: str, change: Callable[[str], str]) -> str:
        """Change a small text, and return it."""
        self._local[name] = change(self.local(name))
        return self._local[name]

    def log(self, *, limit: int = 0, paths: Sequence[str] = ()) -> Sequence[Commit]:
        """Return commits, newest first; those that touched `paths`, if given."""
        wanted = set(paths)
        found = [made for made, touched in self._commits if not wanted or touched & wanted]
        return tuple(found[:limit] if limit > 0 else found)
