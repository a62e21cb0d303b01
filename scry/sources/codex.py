"""Codex rollouts: `~/.codex/sessions/YYYY/MM/DD/rollout-*-ID.jsonl`, and archived ones.

    {"timestamp": ..., "type": "session_meta", "payload": {"id", "cwd", "cli_version", "git"}}
    {"timestamp": ..., "type": "response_item", "payload": {"type": "message", ...}}

Rollouts that lie for a week are compressed (`.jsonl.zst`); before Codex appends to one it writes
the plain file again, so both may exist, and the plain one wins.  Dates in names are local, those
inside are UTC.  The threads of subagents lie beside their parents; only their meta tells.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from scry.model import Did, Event, Mark, Said, Transcript
from scry.ports import Places
from scry.sources.codex_fork import own_part, parent_of
from scry.sources.codex_records import BARE_TYPES, KNOWN_TYPES, Reading
from scry.sources.jsonl import Lines, Record, head_records

NAME = "codex"
_NAME = re.compile(r"rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl(?:\.zst)?\Z")
_ROLLOUT = re.compile(r"rollout-.+\.jsonl(?:\.zst)?\Z")
_SHARED_TYPES = frozenset(("message",))
"""Types of the bare generation that other agents use too, so they prove nothing alone."""


def discover(places: Places) -> Iterator[Path]:
    """Yield rollouts, sorted by path, each session once: dated before archived, plain before zst."""
    best: dict[str, Path] = {}
    odd: list[Path] = []
    for folder in ("sessions", "archived_sessions"):
        for path in sorted(_rollouts(places.codex / folder, odd)):
            found = _NAME.match(path.name)
            key = found[1] if found else path.name.removesuffix(".zst")
            held = best.get(key)
            if held is None or (held.suffix == ".zst" and held.with_suffix("") == path):
                best[key] = path
    for path in odd:
        # Given too, so that whoever reads it says what it is; any file of the session is better.
        found = _NAME.match(path.name)
        best.setdefault(found[1] if found else path.name.removesuffix(".zst"), path)
    yield from sorted(best.values())


def _rollouts(top: Path, odd: list[Path]) -> Iterator[Path]:
    """Yield the rollout files under a folder; links are followed, each folder once.

    What bears such a name and is no file goes into `odd`.
    """
    seen: set[tuple[int, int]] = set()
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            state = folder.stat()
            entries = list(os.scandir(folder))
        except OSError:
            continue
        if (state.st_dev, state.st_ino) in seen:
            continue
        seen.add((state.st_dev, state.st_ino))
        for entry in entries:
            rollout = _ROLLOUT.match(entry.name)
            if rollout and _is(entry, "file"):
                yield Path(entry.path)
            elif rollout:
                odd.append(Path(entry.path))
            elif _is(entry, "dir"):
                waiting.append(Path(entry.path))


def _is(entry: os.DirEntry[str], what: str) -> bool:
    try:
        return entry.is_dir() if what == "dir" else entry.is_file()
    except OSError:
        return False  # A link that leads to itself.


def recognises(path: Path, head: bytes) -> bool:
    """Say whether a file is a Codex rollout, by the records at its beginning."""
    if path.is_dir():
        return False
    for record in head_records(head):
        if _is_ours(record):
            return True
    start = head[:4096]
    return b'"type":"session_meta"' in start and b'"payload"' in start


def _is_ours(record: Record) -> bool:
    kind, payload = record.get("type"), record.get("payload")
    if isinstance(payload, dict):
        return isinstance(kind, str) and kind in KNOWN_TYPES
    if record.get("record_type") == "state":
        return True
    if kind is None:
        return {"id", "timestamp", "instructions"} <= record.keys()
    return (
        isinstance(kind, str) and kind in BARE_TYPES - _SHARED_TYPES and "sessionId" not in record
    )


def read(path: Path) -> Transcript:
    """Read one rollout.

    Raises:
        SourceError: the file cannot be opened.
    """
    lines, reading = Lines(path), Reading()
    for number, record in lines:
        reading.feed(record, number)
    known = reading.particulars
    whole = Transcript(
        source=NAME,
        path=path,
        session=_session_of(path, known.ids),
        problems=tuple(lines.problems),
        cwds=tuple(known.cwds),
        branches=tuple(known.branches),
        versions=tuple(known.versions),
        ids=tuple(known.ids),
        remote=_without_credentials(known.remote),
        started=known.started,
        ended=known.ended,
        lines=lines.count,
        types=Counter(known.types),
    )
    return _conversation(whole, reading)


def _conversation(whole: Transcript, reading: Reading) -> Transcript:
    events = reading.finished()
    if _is_subagent(reading):
        did = tuple(event for event in events if isinstance(event, Did))
        return replace(whole, verdict="subagent", events=did, continues=parent_of(reading) or None)
    parent = parent_of(reading)
    own = own_part(whole.path, parent, reading, events) if parent else None
    if own is not None:
        return replace(whole, verdict="fork-of", continues=parent, events=tuple(own))
    said = any(isinstance(event, Said) for event in events)
    if parent and said:
        # The parent is not on this disk: its words are kept, for nobody else has them.
        events = [_forked(events[0]), *events]
    verdict = "session" if said else "metadata-only"
    return replace(whole, verdict=verdict, continues=parent or None, events=tuple(events))


def _forked(first: Event) -> Mark:
    return Mark(at=first.at, line=first.line, kind="forked")


def _is_subagent(reading: Reading) -> bool:
    meta = reading.metas[0] if reading.metas else {}
    source = meta.get("source")
    return (isinstance(source, dict) and "subagent" in source) or meta.get(
        "thread_source"
    ) == "subagent"


def _session_of(path: Path, ids: dict[str, None]) -> str:
    """Return the id of the first meta, else the one in the file's name, else the name."""
    found = _NAME.match(path.name)
    name = path.name.removesuffix(".zst").removesuffix(".jsonl")
    return next(iter(ids), found[1] if found else name)


def _without_credentials(url: str) -> str:
    """Return a remote's address without user and password, which some people put into it."""
    if "://" not in url:
        return url
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return ""
    return parts._replace(netloc=host, query="", fragment="").geturl()
