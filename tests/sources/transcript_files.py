"""Small transcripts made by tests: records in, lines on disk, words out."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scry.model import Did, Mark, Said, Transcript

SESSION = "1f3c9e0a-5b7d-4c55-9a3e-0d6f1c2b7a90"
OTHER = "2a4dae1b-6c8e-4d66-8b4f-1e7a2d3c8b01"


def write(path: Path, records: Iterable[Any]) -> Path:
    """Write records as lines; a `str` or `bytes` stands for a raw line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line_of(record) + b"\n" for record in records))
    return path


def line_of(record: Any) -> bytes:
    if isinstance(record, bytes):
        return record
    text = record if isinstance(record, str) else json.dumps(record, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def told(transcript: Transcript) -> list[str]:
    """What was said, in order: `U words` and `A words`."""
    return [f"{e.role[0].upper()} {e.text}" for e in transcript.events if isinstance(e, Said)]


def did(transcript: Transcript) -> list[str]:
    return [str(e) for e in transcript.events if isinstance(e, Did)]


def marked(transcript: Transcript) -> list[str]:
    return [e.kind for e in transcript.events if isinstance(e, Mark)]


def kinds(transcript: Transcript) -> list[str]:
    return [e.kind for e in transcript.events if isinstance(e, Said)]


# --- Claude Code -------------------------------------------------------------------------------


def human(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def model(*blocks: Any, mid: str | None = None, **more: Any) -> dict[str, Any]:
    content = [text(b) if isinstance(b, str) else b for b in blocks]
    return {
        "type": "assistant",
        "message": {"role": "assistant", "id": mid, "content": content},
        **more,
    }


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(name: str, call: str = "t", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call, "name": name, "input": given}


def result(content: Any, call: str = "t", *, mirror: Any = None, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call, "content": content, **more}
    return human([block]) | ({"toolUseResult": mirror} if mirror is not None else {})


def queued(operation: str, content: str | None = None, **more: Any) -> dict[str, Any]:
    record = {"type": "queue-operation", "operation": operation, **more}
    return record if content is None else record | {"content": content}


# --- Codex -------------------------------------------------------------------------------------


def envelope(kind: str, payload: Any, at: str = "2026-08-01T09:00:00.000Z") -> dict[str, Any]:
    return {"timestamp": at, "type": kind, "payload": payload}


def meta(session: str = SESSION, **more: Any) -> dict[str, Any]:
    return envelope("session_meta", {"id": session, "cwd": "/w", "cli_version": "0.146.0", **more})


def message(role: str, *texts: str, **more: Any) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": words} for words in texts]
    return item("message", role=role, content=content, **more)


def item(kind: str, **more: Any) -> dict[str, Any]:
    return envelope("response_item", {"type": kind, **more})


def event(kind: str, **more: Any) -> dict[str, Any]:
    return envelope("event_msg", {"type": kind, **more})


def turn(turn_id: str) -> dict[str, Any]:
    return envelope("turn_context", {"turn_id": turn_id, "cwd": "/w"})
