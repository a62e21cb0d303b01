"""Which transcripts are due: those that have changed and that nobody is writing to.

There is no cursor to lose.  What is known is what the episodes say; the note of sizes and times
beside the store only saves the reading, and may be deleted at any time.

    seen.json       {KEY: [size, mtime in ns]}      as a transcript was when it was last read

This looks at names and states only: no transcript is opened.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

from scry.exclude import Excluded, is_exclusion
from scry.model import Problem
from scry.ports import Places, Source
from scry.yields import Left, Tally

SEEN = "seen.json"
LAST_SWEEP = "last-sweep.json"
_SKEW = 60
"""Seconds by which a file may seem to come from the future and still be being written."""


@dataclass(frozen=True, slots=True)
class Due:
    """What a sweep would take in, and what it leaves out for now.

    `left` are transcripts that nothing is read of, each with the reason; `keys` stand in the notes
    for all that was found.
    """

    found: list[tuple[Source, Path]]
    scanned: int
    unchanged: int
    active: int
    vanished: list[Problem]
    left: list[tuple[Source, Path, str]] = field(default_factory=list)
    tallies: dict[str, Tally] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)


def due(
    sources: Mapping[str, Source],
    places: Places,
    *,
    seen: Mapping[str, list[int]],
    now: datetime,
    idle_minutes: float,
    since: datetime | None = None,
    excluded: Excluded | None = None,
    skipped: Mapping[str, Left] | None = None,
) -> Due:
    """Return the transcripts that have changed and that nobody is writing to.

    Args:
        sources: by name, in order.
        places: where the agents keep their files.
        seen: key of a path -> [size, mtime in ns] when it was last taken in whole.
        now: the present moment.
        idle_minutes: a file changed later than this is still being written, and waits.
        since: leave out files that were last changed before.
        excluded: folders that nothing is read from.
        skipped: key of a path -> why it gave no words when it was last read.
    """
    out = Due([], 0, 0, 0, [])
    skipped = skipped or {}
    # The clock is cut to seconds: a file may be from the very second that runs.
    newest, oldest = now.timestamp() + _SKEW, now.timestamp() - idle_minutes * 60
    active = 0
    for source in sources.values():
        tally = out.tallies.setdefault(source.NAME, Tally())
        for path in source.discover(places):
            tally.found += 1
            key = key_of(path)
            out.keys.add(key)
            try:
                size, changed = stamp(source, path)
            except OSError as error:
                out.vanished.append(Problem(str(path), f"cannot be read: {error.strerror}"))
                continue
            before, at = skipped.get(key), changed / 1e9
            why = excluded.reason([str(path)]) if excluded else ""
            if seen.get(key) == [size, changed] and _stands(before, why, excluded):
                tally.skipped += before is not None
                tally.held += before is None
            elif why:
                out.left.append((source, path, why))
            elif idle_minutes > 0 and oldest < at <= newest:
                active += 1
            elif since is None or at >= since.timestamp():
                out.found.append((source, path))
    tallies = out.tallies.values()
    unchanged = sum(tally.held + tally.skipped for tally in tallies)
    return replace(out, scanned=sum(t.found for t in tallies), unchanged=unchanged, active=active)


def _stands(before: Left | None, why: str, excluded: Excluded | None) -> bool:
    """Say whether what was done with a transcript would be done again.

    A folder that is not excluded any more makes its transcripts due.  One that has become so
    changes nothing about what was read before.
    """
    if before is None or not is_exclusion(before.reason):
        return True
    return before.reason == why or (
        not why and excluded is not None and before.reason in excluded.reasons
    )


def read_seen(text: str) -> dict[str, list[int]]:
    """Read the note of sizes and times; an empty one if it is spoilt."""
    try:
        data = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def key_of(path: Path) -> str:
    """Return what stands for a path in the notes, for a file's name may hold a secret."""
    return blake2b(str(path).encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def stamp(source: Source, path: Path) -> tuple[int, int]:
    """Return size and time of change (ns) of a transcript.

    A source whose transcripts are no plain files, such as folders, gives them itself.
    """
    own: Callable[[Path], tuple[int, int]] | None = getattr(source, "stamp", None)
    if own is not None:
        return own(path)
    stat = os.stat(str(path))  # noqa: PTH116 -- a path keeps its text; for thousands of files
    return stat.st_size, stat.st_mtime_ns
