"""Sessions of Kimi: the wire between its loop and its face, `wire.jsonl`, in two generations.

    ~/.kimi/sessions/MD5-OF-CWD/ID/wire.jsonl                            Kimi CLI
    {"timestamp": 1.7e9, "message": {"type": "TurnBegin", "payload": {"user_input": ...}}}
    {"timestamp": 1.7e9, "message": {"type": "ContentPart", "payload": {"type": "text", "text"}}}

    ~/.kimi-code/sessions/wd_DIR_HASH/session_ID/agents/main/wire.jsonl  Kimi Code
    {"type": "turn.prompt", "input": [{"type": "text", "text"}], "origin": {"kind": "user"}, "time"}
    {"type": "context.append_loop_event", "event": {"type": "content.part", "part": {...}}, "time"}

Text comes in pieces as it streams in, so pieces that follow each other are one speech.  Skills,
timers and reminders prompt too; `origin` says so.  Each subagent has a wire of its own.

Evidence: the source of kimi-cli 1.52.0 (`wire/types.py`, `wire/file.py`), and sessions that Kimi
Code 2.1.0 has written; no real file of the older program was at hand.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from scry.model import Transcript
from scry.ports import Places
from scry.sources.files import files_in, side_record
from scry.sources.jsonl import Lines, Record, head_records, legible
from scry.sources.kimi_wire import OLD, Wire

NAME = "kimi"
VERIFIED = True
"""Real files of Kimi Code have been read; the older Kimi CLI is known from its source."""
_WIRE = r"wire\.jsonl"
_NEW = frozenset("turn.prompt turn.steer context.append_loop_event context.append_message".split())


def discover(places: Places) -> Iterator[Path]:
    """Yield the wires of sessions, sorted; not those of subagents."""
    yield from sorted(
        [
            *files_in(places.home / ".kimi/sessions", "*/*", _WIRE),
            *files_in(places.home / ".kimi-code/sessions", "*/*/agents/main", _WIRE),
        ]
    )


def recognises(path: Path, head: bytes) -> bool:
    """Say whether a file is a wire of Kimi, by the records at its beginning."""
    return path.suffix == ".jsonl" and any(map(_is_ours, head_records(head)))


def _is_ours(record: Record) -> bool:
    match record:
        case {"message": {"type": str(kind), "payload": dict()}}:
            return kind in OLD
        case {"type": "metadata", "protocol_version": str()}:
            return True
        case {"type": str(kind), "agentId": str()}:
            return kind in _NEW
        case _:
            return False


def read(path: Path) -> Transcript:
    """Read one wire.

    Raises:
        SourceError: the file cannot be opened.
    """
    lines, reading = Lines(path), Wire()
    reading.problems = lines.problems
    agent = path.parent.name if path.parent.parent.name == "agents" else ""
    folder = path.parents[2] if agent and len(path.parents) > 2 else path.parent
    _beside(folder, reading)
    for number, record in lines:
        reading.feed(record, number)
    reading.flush()
    whole = reading.transcript(NAME, path, folder.name, lines=lines.count)
    if agent not in ("", "main") or path.parent.parent.name == "subagents":
        return replace(whole, verdict="subagent", events=())
    return whole


def _beside(folder: Path, reading: "Wire") -> None:
    """Read what the session's own folder says of it: directory and title."""
    state = side_record(folder / "state.json")
    reading.place(state.get("cwd"))
    for key in ("title", "custom_title", "customTitle"):
        if isinstance(title := state.get(key), str) and title:
            reading.known.title = legible(title)
    if len(folder.parents) > 2 and not reading.cwd:
        known = side_record(folder.parents[2] / "kimi.json").get("work_dirs")
        for each in known if isinstance(known, list) else ():
            match each:
                case {"path": str(cwd)} if _md5(cwd) == folder.parent.name:
                    reading.place(cwd)
                case _:
                    continue


def _md5(text: str) -> str:
    return hashlib.md5(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
