"""Files of one folder that hold the same records: copies, forks and sessions that went on elsewhere.

A fork copies the chain of records with their ids and times into a new file; the session id is
rewritten or left as it was.  Each record counts once, in the file that had it first, whatever the
order in which files are read: the answer depends on the files alone.  Which file is the origin:

1. Of two files of one session the one with more records; the other is a copy.
2. A file whose records bear another member's session id is a fork of it.
3. Records without id (file snapshots, the queue) are not copied, so a shared part that has none
   is the copy.
4. The file that first has a record of its own; one that never has is the origin of the other.
"""

import os
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path

from scry.errors import SourceError
from scry.sources.jsonl import HEAD, Lines, open_bytes
from scry.sources.stamp import Stamp, stamp_of

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_ID = re.compile(rb'"uuid"\s*:\s*"([^"\\]+)"')

_FIRST = 16
"""How many ids at the beginning of a file are compared: some copies lack the very first."""


@dataclass(slots=True)
class Member:
    """One file as a set of record ids, in order, with the time of each."""

    path: Path
    session: str = ""
    times: dict[str, str] = field(default_factory=dict)
    ids: dict[str, None] = field(default_factory=dict)
    """Session ids in its records."""
    bare: list[int] = field(default_factory=list)
    """How many records with an id stood before each record without one."""
    background: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """Where records of a file come from: `known` are in `session`, an earlier file."""

    session: str
    known: frozenset[str]


def session_of(path: Path, ids: Iterable[str]) -> str:
    """Return the key of a session: the id in the file's name, else the first in it, else the name."""
    found = _UUID.search(path.stem)
    return found[0] if found else next(iter(ids), path.stem)


def origin_of(path: Path, uuids: Iterable[str], *, from_the_middle: bool) -> Origin | None:
    """Return which of a file's records stand in an earlier file beside it, or None.

    Args:
        path: the file.
        uuids: the ids of its records.
        from_the_middle: its first record follows one that it does not hold, so that another
            file may hold the beginning and these records in its middle.
    """
    own, first = frozenset(uuids), next(iter(uuids), "")
    kin = _kin(path, own, first if from_the_middle else "") if own else []
    stamp = stamp_of(path) if kin else None
    if not stamp:
        return None
    me = _member(stamp)
    family = [me, *map(_member, kin)]
    before: dict[str, str] = {}
    for member in _in_order(family):
        if member is me:
            break
        for uuid in member.times:
            before.setdefault(uuid, member.session)
    known = [uuid for uuid in me.times if uuid in before]
    return Origin(before[known[-1]], frozenset(known)) if known else None


# --- the files of a folder ------------------------------------------------------------------------

_FEW = 64
"""Sessions up to which a folder is listed again for each of them."""
_SHARE = 20
"""What listing a larger folder has cost is not spent again before so many times that has passed."""


@dataclass(slots=True)
class Listing:
    """The sessions of a folder: their states, and in which of them each of the first ids stands."""

    states: dict[str, Stamp]
    firsts: dict[Stamp, frozenset[str]]
    names: dict[str, list[str]] = field(default_factory=dict)
    until: float = 0.0

    def __post_init__(self) -> None:
        for name, state in self.states.items():
            for uuid in self.firsts[state]:
                self.names.setdefault(uuid, []).append(name)


_listings: dict[str, Listing] = {}


def _kin(path: Path, own: frozenset[str], middle: str) -> list[Stamp]:
    """Return the files beside a file that begin with records of its own, or hold the id `middle`."""
    listing = _listing(os.fspath(path.parent))
    names = {name for uuid in own for name in listing.names.get(uuid, ())}
    if middle:
        names |= {name for name, state in listing.states.items() if _holds(state, middle)}
    kin = (stamp_of(path.with_name(name)) for name in sorted(names - {path.name}))
    return [state for state in kin if state]


def _listing(folder: str) -> Listing:
    """Return what a folder holds.

    Thousands of sessions may lie in one folder, and to look at all of them for each of them would
    take longer than to read them.  So a large folder is looked at again only now and then.
    """
    before, start = _listings.get(folder), time.monotonic()
    if before and start < before.until:
        return before
    states = _states(folder)
    known = before.firsts if before else {}
    made = Listing(states, {s: known.get(s) or _first_ids(s) for s in states.values()})
    if len(states) > _FEW:
        now = time.monotonic()
        made.until = now + _SHARE * (now - start)
    if len(_listings) >= _FEW and folder not in _listings:
        _listings.clear()
    _listings[folder] = made
    return made


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
def _holds(stamp: Stamp, uuid: str) -> bool:
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


@lru_cache(maxsize=64)
def _member(stamp: Stamp) -> Member:
    """Read the skeleton of a file."""
    member = Member(stamp.file)
    try:
        for _, record in Lines(member.path):
            uuid, kind, session = record.get("uuid"), record.get("type"), record.get("sessionId")
            if not isinstance(uuid, str):
                member.bare.append(len(member.times))
                continue
            message = record.get("message")
            if kind in ("user", "assistant") and not isinstance(message, dict):
                continue
            member.times.setdefault(uuid, str(record.get("timestamp", "")))
            member.background = member.background or record.get("sessionKind") == "bg"
            forked = record.get("forkedFrom")
            for found in (session, forked.get("sessionId") if isinstance(forked, dict) else None):
                if isinstance(found, str):
                    member.ids.setdefault(found)
    except SourceError:
        pass
    member.session = session_of(member.path, member.ids)
    return member


def _in_order(family: list[Member]) -> list[Member]:
    """Return the members of a family, the origin first, each before what was forked from it."""
    best: dict[str, Member] = {}
    for member in sorted(family, key=_within_session):
        best.setdefault(member.session, member)
    left = sorted(best)
    before = {s: {o for o in left if _is_origin(best[o], best[s])} for s in left}
    rank: dict[str, int] = {}
    while left:
        session = min(left, key=lambda s: len(before[s].intersection(left)))
        rank[session] = len(rank)
        left.remove(session)
    return sorted(family, key=lambda m: (rank[m.session], _within_session(m)))


def _is_origin(member: Member, other: Member) -> bool:
    """Say whether what two sessions share was in one of them first."""
    common = member.times.keys() & other.times.keys()
    return bool(common) and _signs(member, other, common) < _signs(other, member, common)


def _signs(
    member: Member, other: Member, common: set[str]
) -> tuple[bool, bool, bool, str, int, str]:
    """Return what speaks for a member's being the copy, the strongest sign first."""
    last = max((n for n, uuid in enumerate(member.times) if uuid in common), default=0)
    copied = not any(place <= last for place in member.bare)
    own = min((time for uuid, time in member.times.items() if uuid not in common), default="")
    told = other.session in member.ids and other.session != member.session
    return told, member.background, copied, own, len(member.times), member.session


def _within_session(member: Member) -> tuple[int, bool, str]:
    return -len(member.times), member.path.stem != member.session, member.path.name
