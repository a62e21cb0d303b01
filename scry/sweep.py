"""Which transcripts are due: find them, leave out what has not changed, ingest the rest.

There is no cursor to lose.  What is known is what the episodes say; the note of sizes and times
beside the store only saves the reading, and may be deleted at any time.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from scry.errors import SourceError
from scry.ingest import Ingest
from scry.model import Problem
from scry.ports import Places, Source
from scry.text import short_hash

SEEN = "seen.json"
LAST_SWEEP = "last-sweep.json"
_MANY = 5
"""Transcripts without words from which on a source is taken to be misread."""
_SKEW = 60
"""Seconds by which a file may seem to come from the future and still be being written."""
Progress = Callable[[Iterable[tuple[Source, Path]]], Iterable[tuple[Source, Path]]]


@dataclass(frozen=True, slots=True)
class Due:
    """What a sweep would take in, and what it leaves out for now."""

    found: list[tuple[Source, Path]]
    scanned: int
    unchanged: int
    active: int
    vanished: list[Problem]


def due(
    sources: Mapping[str, Source],
    places: Places,
    *,
    seen: Mapping[str, list[int]],
    now: datetime,
    idle_minutes: float,
    since: datetime | None = None,
) -> Due:
    """Return the transcripts that have changed and that nobody is writing to.

    Args:
        sources: by name, in order.
        places: where the agents keep their files.
        seen: key of a path -> [size, mtime in ns] when it was last taken in whole.
        now: the present moment.
        idle_minutes: a file changed later than this is still being written, and waits.
        since: leave out files that were last changed before.
    """
    out = Due([], 0, 0, 0, [])
    scanned = unchanged = active = 0
    for source in sources.values():
        for path in source.discover(places):
            scanned += 1
            try:
                size, changed = stamp(source, path)
            except OSError as error:
                out.vanished.append(Problem(str(path), f"cannot be read: {error.strerror}"))
                continue
            # The clock is cut to seconds: a file may be from the very second that runs.
            age = now.timestamp() - changed / 1e9
            if seen.get(_key(path)) == [size, changed]:
                unchanged += 1
            elif idle_minutes > 0 and -_SKEW <= age < idle_minutes * 60:
                active += 1
            elif since is None or changed / 1e9 >= since.timestamp():
                out.found.append((source, path))
    return Due(out.found, scanned, unchanged, active, out.vanished)


def read_seen(text: str) -> dict[str, list[int]]:
    """Read the note of sizes and times; an empty one if it is spoilt."""
    try:
        data = json.loads(text or "{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def sweep(
    ingest: Ingest,
    found: Due,
    seen: dict[str, list[int]],
    progress: Progress,
    *,
    attempts: int = 6,
) -> None:
    """Take in what is due, then ask again for episodes that wait.  A bad file costs itself only.

    An episode that has been asked for `attempts` times waits for `scry retry`.

    Raises:
        StoreError: the store cannot be written; what was committed before stays.
    """
    report = ingest.report
    report.scanned += found.scanned
    report.unchanged += found.unchanged
    report.active += found.active
    report.problems += [replace(p, path=ingest.show(Path(p.path))) for p in found.vanished]
    mute: Counter[str] = Counter()  # Transcripts of a source, as long as none held any words.
    try:
        for source, path in progress(found.found):
            held = _one(ingest, source, path, seen)
            mute[source.NAME] = -len(found.found) if held else mute[source.NAME] + 1
        report.problems += [_silent(name, count) for name, count in mute.items() if count >= _MANY]
        if not ingest.offline:
            waiting = ingest.waiting_episodes(tried_less_than=attempts)
            ingest.retry([p for p in waiting if p.episode.id not in ingest.asked])
        ingest.flush()
    finally:
        ingest.store.keep_local(SEEN, json.dumps(seen, indent=0, sort_keys=True))


def _silent(name: str, count: int) -> Problem:
    return Problem(
        name, f"{count} transcripts of this agent hold no words; their format may have changed"
    )


def _one(ingest: Ingest, source: Source, path: Path, seen: dict[str, list[int]]) -> bool:
    """Take in one transcript; return whether it held a conversation."""
    skipped = len(ingest.report.skipped)
    try:
        now = stamp(source, path)
        settled = ingest.transcript(source, path)
    except (SourceError, OSError) as error:
        if isinstance(error, OSError) and error.filename not in (None, str(path)):
            raise  # It is not about the transcript: the store, perhaps.
        ingest.report.skipped.append((ingest.show(path), ingest.redact(str(error))))
        return False
    if settled:
        seen[_key(path)] = list(now)
    return len(ingest.report.skipped) == skipped


def _key(path: Path) -> str:
    """Return what stands for a path in the note, for a file's name may hold a secret."""
    return short_hash("path", str(path), length=16)


def stamp(source: Source, path: Path) -> tuple[int, int]:
    """Return size and time of change (ns) of a transcript.

    A source whose transcripts are no plain files, such as folders, gives them itself.
    """
    own: Callable[[Path], tuple[int, int]] | None = getattr(source, "stamp", None)
    if own is not None:
        return own(path)
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns
