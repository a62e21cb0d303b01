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
    kin = [
        sibling
        for sibling in (_siblings(path) if own else ())
        if not own.isdisjoint(_first_ids(sibling))
        or (from_the_middle and first and _holds(sibling, first))
    ]
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


def _siblings(path: Path) -> list[Stamp]:
    try:
        with os.scandir(path.parent) as entries:  # A folder may hold thousands.
            others = [
                entry
                for entry in entries
                if entry.name.endswith(".jsonl")
                and entry.name != path.name
                and not entry.name.startswith("agent-")
            ]
    except OSError:
        return []
    others.sort(key=lambda entry: entry.name)
    return [stamp for stamp in map(stamp_of, others) if stamp]


@lru_cache(maxsize=4096)
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
    """Return the members of a family, the origin first."""
    best: dict[str, Member] = {}
    for member in sorted(family, key=_within_session):
        best.setdefault(member.session, member)
    shared = _shared(list(best.values()))

    def between_sessions(member: Member) -> tuple[int, bool, bool, str, int, str]:
        others = sum(session in best and session != member.session for session in member.ids)
        last = max((n for n, uuid in enumerate(member.times) if uuid in shared), default=0)
        copied = not any(place <= last for place in member.bare)
        own = min((time for uuid, time in member.times.items() if uuid not in shared), default="")
        return others, member.background, copied, own, len(member.times), member.session

    rank = {m.session: between_sessions(m) for m in best.values()}
    return sorted(family, key=lambda m: (rank[m.session], _within_session(m)))


def _within_session(member: Member) -> tuple[int, bool, str]:
    return -len(member.times), member.path.stem != member.session, member.path.name


def _shared(members: list[Member]) -> frozenset[str]:
    """Return the ids that every member has, or any two where no id is in all."""
    common = set.intersection(*(set(m.times) for m in members))
    if common:
        return frozenset(common)
    seen: set[str] = set()
    twice: set[str] = set()
    for member in members:
        twice |= seen & member.times.keys()
        seen |= member.times.keys()
    return frozenset(twice)
