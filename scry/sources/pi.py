"""Sessions of pi: `~/.pi/agent/sessions/--ENCODED-CWD--/TIME_ID.jsonl`.

    {"type": "session", "version": 3, "id": ..., "timestamp": ..., "cwd": "/w", "parentSession"?}
    {"type": "message", "id": "2db1ef95", "parentId": ..., "message": {"role": "user", "content"}}

A file is a tree: going back and taking another way appends to an earlier entry, and the ancestry
of the last entry is the conversation.  What lies beside it keeps its place, marked as abandoned.
A fork copies entries, with their ids, into a new file that names its parent.

Evidence: `docs/session-format.md` and `session-manager.js` of pi-coding-agent 0.73.1, and sessions
that this version has written.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from scry.errors import SourceError
from scry.model import Event, Mark, Said, Transcript
from scry.ports import Places
from scry.sources.files import files_in
from scry.sources.gathering import Gathering
from scry.sources.jsonl import Lines, Record, head_of, head_records, legible

NAME = "pi"
VERIFIED = True
"""Real files written by the program have been read."""
_KNOWN = frozenset(
    """session message model_change thinking_level_change compaction branch_summary custom
    custom_message label session_info""".split()
)
_ROLES = frozenset("user assistant toolResult bashExecution custom".split())
_FILE = re.compile(r"[^/\\]+_([0-9a-f-]{36})\.jsonl\Z")


def discover(places: Places) -> Iterator[Path]:
    """Yield the sessions, sorted; links are not followed."""
    yield from files_in(places.home / ".pi/agent/sessions", "*", r".+\.jsonl")


def recognises(path: Path, head: bytes) -> bool:
    """Say whether a file is a session of pi, by the records at its beginning."""
    return path.suffix == ".jsonl" and any(map(_is_ours, head_records(head)))


def _is_ours(record: Record) -> bool:
    match record:
        case {"type": "session", "id": str(), "cwd": str()}:
            return "sessionId" not in record
        case {"type": "message", "id": str(), "parentId": _, "message": {"role": str(role)}}:
            return role in _ROLES and "data" not in record
        case _:
            return False


def read(path: Path) -> Transcript:
    """Read one session.

    Raises:
        SourceError: the file cannot be opened.
    """
    lines, reading = Lines(path), _Reading()
    reading.problems = lines.problems
    for number, record in lines:
        reading.feed(record, number)
    reading.abandon()
    named = _FILE.match(path.name)
    session = next(iter(reading.known.ids), named[1] if named else path.stem)
    whole = reading.transcript(NAME, path, session, lines=lines.count)
    return _without_parent(whole, reading)


class _Reading(Gathering):
    """What has been read so far, and how the entries hang together."""

    def __init__(self) -> None:
        super().__init__()
        self.parent_file = ""
        self.origins: list[str] = []
        """The entry that each event stands in."""
        self.stamps: dict[str, object] = {}
        """The time of each entry, which with its id tells a copy from a chance."""
        self._parents: dict[str, str | None] = {}
        self._order: dict[str, str] = {}
        self._last = ""

    def feed(self, record: Record, line: int) -> None:
        kind, entry = record.get("type"), record.get("id")
        self.at, self.line = self.known.time(record.get("timestamp")), line
        if kind == "session":
            self._header(record)
            return
        if not isinstance(kind, str) or kind not in _KNOWN:
            self.known.types[legible(kind) if isinstance(kind, str) else "None"] += 1
            return
        entry = entry if isinstance(entry, str) else ""
        if entry and not self._hang(entry, record):
            return  # The same entry a second time.
        self._entry(kind, record, entry)
        self.origins += [entry] * (len(self.events) - len(self.origins))

    def _header(self, record: Record) -> None:
        self.known.add(self.known.ids, record.get("id"))
        self.place(record.get("cwd"))
        parent = record.get("parentSession")
        if isinstance(parent, str) and not self.parent_file:
            # Only the name counts: a transcript does not say where to read.
            self.parent_file = parent.replace("\\", "/").rsplit("/", 1)[-1]

    def _hang(self, entry: str, record: Record) -> bool:
        if entry in self._parents:
            return False
        parent = record.get("parentId")
        self._parents[entry] = parent if isinstance(parent, str) else None
        self._order[entry] = self._last
        self.stamps[entry] = record.get("timestamp")
        self._last = entry
        return True

    def _entry(self, kind: str, record: Record, entry: str) -> None:
        match kind, record:
            case "compaction", _:
                self.mark("compacted")
            case "session_info", {"name": str(name)}:
                self.known.title = legible(name)
            case "message", {"message": {"role": "user", "content": content}}:
                self.typed(content, uid=entry)
            case "message", {"message": {"role": "assistant"}}:
                self._assistant(record["message"], entry)
            case "message", {"message": {"role": "bashExecution", "command": command}}:
                self.did("bash", {"command": command})
            case _:
                pass

    def _assistant(self, message: Record, entry: str) -> None:
        content = message.get("content")
        for block in content if isinstance(content, list) else [str(content or "")]:
            match block:
                case str(text) | {"type": "text", "text": str(text)}:
                    self.said("assistant", text, uid=entry)
                case {"type": "toolCall", "name": name}:
                    self.did(name, block.get("arguments"))
                case _:
                    continue
        if message.get("stopReason") == "aborted":
            self.mark("interrupted")

    def abandon(self) -> None:
        """Mark the words of entries that are no ancestors of the last one."""
        line: set[str] = set()
        entry: str | None = self._last
        while entry and entry not in line:
            line.add(entry)
            parent = self._parents[entry]
            # Where the parent's line is broken, what stands before it is the best that is known.
            entry = self._order[entry] if parent and parent not in self._parents else parent
        for number, (event, origin) in enumerate(zip(self.events, self.origins, strict=True)):
            if origin and origin not in line and isinstance(event, Said):
                self.events[number] = replace(event, kind="abandoned")


def _without_parent(whole: Transcript, reading: _Reading) -> Transcript:
    """Return only what a fork adds to the session that it was copied from."""
    if not reading.parent_file or not whole.events:
        return whole
    named = _FILE.match(reading.parent_file)
    parent = named[1] if named else reading.parent_file.removesuffix(".jsonl")
    copied = _entries_of(_beside(whole.path, reading.parent_file))
    if copied is None:
        # The parent is not on this disk: its words are kept, for nobody else has them.
        first = whole.events[0]
        mark = Mark(at=first.at, line=first.line, kind="forked")
        return replace(whole, continues=parent, events=(mark, *whole.events))
    own: list[Event] = [
        event
        for event, origin in zip(whole.events, reading.origins, strict=True)
        if not origin or copied.get(origin, ...) != reading.stamps[origin]
    ]
    return replace(whole, verdict="fork-of", continues=parent, events=tuple(own))


def _beside(path: Path, name: str) -> Path | None:
    """Return the file of this name in the folder of any project beside the session's own."""
    found = (p for p in files_in(path.parent.parent, "*", re.escape(name)) if p != path)
    return next(found, None) if _FILE.match(name) else None


def _entries_of(path: Path | None) -> dict[str, object] | None:
    """Return the ids of a session's entries with their times, None if it cannot be read."""
    try:
        if path is None or not any(map(_is_ours, head_records(head_of(path)))):
            return None
        return {
            record["id"]: record.get("timestamp")
            for _, record in Lines(path)
            if isinstance(record.get("id"), str) and record.get("type") != "session"
        }
    except SourceError:
        return None
