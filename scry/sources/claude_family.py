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
from pathlib import Path

from scry.errors import SourceError
from scry.sources.claude_folder import holds, listing_of
from scry.sources.jsonl import Lines
from scry.sources.stamp import Stamp, stamp_of

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)


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


def _kin(path: Path, own: frozenset[str], middle: str) -> list[Stamp]:
    """Return the files beside a file that begin with records of its own, or hold the id `middle`."""
    listing = listing_of(os.fspath(path.parent))
    names = {name for uuid in listing.names.keys() & own for name in listing.names[uuid]}
    if middle:
        names |= {name for name, state in listing.states.items() if holds(state, middle)}
    kin = (stamp_of(path.with_name(name)) for name in sorted(names - {path.name}))
    return [state for state in kin if state]


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
