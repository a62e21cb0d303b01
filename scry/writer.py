"""One writer's view of a store: an index that goes along, and commits that are whole.

Extraction happens outside the lock; resolving is pure and is done again if the store has moved.
A change to a file that a person has changed and not committed waits: what waits is noted on this
machine, and made anew from the episodes as soon as the file is clean.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from scry.combine import combine
from scry.errors import MovedError
from scry.index import Index
from scry.model import Applied, ChangeSet, Citation, Entity, Fact, Record, Tombstone
from scry.ports import Clock, Store
from scry.resolve import adopt, catch_up, deleted_by_hand
from scry.text import iso, parse_time

WAITING = "waiting.json"


class Writer:
    """The store as this process knows it, and the way to change it."""

    def __init__(self, store: Store, clock: Clock, sessions_needed: int = 1) -> None:
        self.store = store
        self._clock = clock
        self._sessions_needed = sessions_needed
        self._index: Index | None = None
        self._stones: list[Tombstone] = []
        self._late: list[ChangeSet] = []
        self._adopted: set[str] = set()

    @property
    def index(self) -> Index:
        """The store as it stands, with what this process has added."""
        if self._index is None:
            index = Index.build(self.store.load())
            index.sessions_needed = self._sessions_needed
            # Before anything is resolved: what a person has deleted is not learned anew.
            self._stones = deleted_by_hand(index, self._clock())
            for stone in self._stones:
                index.put(stone)
            facts, entities = read_waiting(self.store.local(WAITING))
            self._late = []
            if facts or entities:
                late = catch_up(index, self.store.evidence, facts=facts, entities=entities)
                self._late.append(late)
            if changes := adopt(index, self.store.evidence, unsettled=entities):
                self._late.append(changes)
            # Found anew each time as long as it waits: no note is needed, and it adds no names.
            self._adopted = (
                {e.slug for e in changes.writes if isinstance(e, Entity)} if changes else set()
            )
            self._index = index
        return self._index

    def forget(self) -> None:
        """Let go of the index, which is ahead of a store that will not be written."""
        self._index = None

    def commit(
        self, again: Callable[[], Sequence[ChangeSet]], made: Sequence[ChangeSet] | None = None
    ) -> tuple[ChangeSet, Applied]:
        """Write changes as one commit; return them as written, and what became of them.

        Args:
            again: makes the changes from the index as it stands; it takes the index along.
            made: the changes, if they have been made already.

        Raises:
            MovedError: somebody else keeps changing the store.
            StoreError: it cannot be written; nothing has changed.
        """
        for _ in range(3):
            with self.store.writing():
                if self._index is None or self.store.head() != self._index.head:
                    self._index, made = None, None
                _ = self.index
                changes = list(again() if made is None else made)
                made = None
                every = [*self._late, *changes]
                if not every and not self._stones:
                    return ChangeSet(subject=""), Applied()
                whole = combine(every or [_DELETED], self._stones, self.store.path_of)
                try:
                    applied = self.store.apply(whole, base=self.index.head)
                except MovedError:
                    self._index = None
                    continue
                except BaseException:
                    self._index = None  # It is ahead of the store now.
                    raise
                self._settle(whole, applied)
                return whole, applied
        raise MovedError(
            "The store is being changed by someone else faster than this could be written. "
            "Nothing was lost; run the command again."
        )

    def _settle(self, whole: ChangeSet, applied: Applied) -> None:
        self._stones, self._late = [], []
        for record in whole.writes:
            self.index.put(record)  # Now with the path that it has in the store.
        if applied.commit:
            self.index.head = applied.commit
        paths = set(applied.waiting)
        noted = {self.store.path_of(r): r for r in (*whole.removes, *whole.writes)}
        text = waiting_text(
            record
            for path, record in noted.items()
            if path in paths
            if not (isinstance(record, Entity) and record.slug in self._adopted)
        )
        self._adopted = set()
        if text != (self.store.local(WAITING) or waiting_text(())):
            self.store.keep_local(WAITING, text)


_DELETED = ChangeSet(subject="note: files that were deleted by hand")


def waiting_text(records: Iterable[Record]) -> str:
    """Return the note of records whose change waits for a person's file."""
    facts: dict[str, list[tuple[str, int, str]]] = {}
    entities: list[str] = []
    for record in records:
        if isinstance(record, Fact):
            facts[record.id] = [(c.episode, c.line, _iso(c.at)) for c in record.episodes]
        elif isinstance(record, Entity):
            entities.append(record.slug)
    return json.dumps({"facts": facts, "entities": sorted(entities)}, indent=1, sort_keys=True)


def read_waiting(text: str) -> tuple[dict[str, list[Citation]], list[str]]:
    """Read the note: citations by fact id, and slugs of entities; nothing if it is spoilt."""
    try:
        data = json.loads(text or "{}")
        facts = {
            fact: [Citation(str(e), int(n), parse_time(at) if at else None) for e, n, at in cited]
            for fact, cited in data.get("facts", {}).items()
        }
        return facts, [str(slug) for slug in data.get("entities", [])]
    except (ValueError, TypeError, AttributeError):
        return {}, []


def _iso(at: datetime | None) -> str:
    return iso(at) if at else ""
