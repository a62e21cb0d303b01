"""The folder in which sessions of Claude Code lie: which of them begin with the same records.

    aaaa.jsonl   u1 u2 u3 ...        the first ids of each file are known,
    bbbb.jsonl   u1 u2 u9 ...        so a file finds its kin by its own ids

This is asked for each file of the folder, so what is known of the folder is kept for a moment.
"""

import os
import re
import time
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from scry.errors import SourceError
from scry.sources.jsonl import HEAD, open_bytes
from scry.sources.stamp import Stamp, stamp_of

_ID = re.compile(rb'"uuid"\s*:\s*"([^"\\]+)"')
_FIRST = 16
"""How many ids at the beginning of a file are compared: some copies lack the very first."""
_FEW = 64
"""Sessions up to which a folder is listed again whenever it has changed."""
_SHARE = 20
"""What listing a folder has cost is not spent again before so many times that has passed."""
_FRESH = 1_000_000_000
"""Nanoseconds for which a change may hide another one: file systems count time in coarse steps."""


@dataclass(slots=True)
class Listing:
    """The sessions of a folder: their states, and in which of them each of the first ids stands.

    It holds until a moment of the monotonic clock.
    """

    states: dict[str, Stamp]
    firsts: dict[Stamp, frozenset[str]]
    names: dict[str, list[str]] = field(default_factory=dict)
    until: float = 0.0
    changed: int = -1
    """When the folder itself last changed, in nanoseconds; -1 when that was only just."""

    def __post_init__(self) -> None:
        for name, state in self.states.items():
            for uuid in self.firsts[state]:
                self.names.setdefault(uuid, []).append(name)


_listings: dict[str, Listing] = {}


def listing_of(folder: str) -> Listing:
    """Return what a folder holds.

    Thousands of sessions may lie in one folder, and to look at all of them for each of them would
    take longer than to read them.  So a large folder is looked at again only now and then, and a
    small one as well unless a file has come or gone.
    """
    before, start = _listings.get(folder), time.monotonic()
    large = before is not None and len(before.states) > _FEW
    changed = -1 if large else _changed(folder)
    if before and start < before.until and (large or before.changed == changed >= 0):
        return before
    states = _states(folder)
    made = before if before and before.states == states else _made(states, before)
    now = time.monotonic()
    made.changed, made.until = changed, now + _SHARE * (now - start)
    if len(_listings) >= _FEW and folder not in _listings:
        _listings.clear()
    _listings[folder] = made
    return made


def _changed(folder: str) -> int:
    """Return when a folder last changed, in nanoseconds; -1 when it may since have done so unseen."""
    try:
        changed = os.stat(folder).st_mtime_ns  # noqa: PTH116 -- for each file there is
    except OSError:
        return -1
    return changed if time.time_ns() - changed > _FRESH else -1


def _made(states: dict[str, Stamp], before: Listing | None) -> Listing:
    known = before.firsts if before else {}
    return Listing(states, {s: known.get(s) or _first_ids(s) for s in states.values()})


def _states(folder: str) -> dict[str, Stamp]:
    try:
        with os.scandir(folder) as entries:
            found = {
                entry.name: stamp_of(entry)
                for entry in entries
                if entry.name.endswith(".jsonl") and not entry.name.startswith("agent-")
            }
    except OSError:
        return {}
    return {name: state for name, state in sorted(found.items()) if state}


def _first_ids(stamp: Stamp) -> frozenset[str]:
    """Return the first ids in a file, at least one if it has any, without reading it all.

    An id inside a string has backslashes before its quotes, so it is not found.
    """
    head = b""
    try:
        with open_bytes(stamp.file) as file:
            while piece := file.read(HEAD):
                head = head[-200:] + piece
                if found := list(islice(_ID.finditer(head), _FIRST)):
                    return frozenset(match[1].decode("utf-8", "replace") for match in found)
    except (OSError, SourceError):
        return frozenset()
    return frozenset()


@lru_cache(maxsize=4096)
def holds(stamp: Stamp, uuid: str) -> bool:
    """Say whether a file holds an id anywhere, looking at its bytes only."""
    wanted, before = uuid.encode("utf-8", "replace"), b""
    try:
        with open_bytes(stamp.file) as file:
            while piece := file.read(1 << 20):
                if wanted in before + piece:
                    return True
                before = piece[-len(wanted) :]
    except (OSError, SourceError):
        return False
    return False
