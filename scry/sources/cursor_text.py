"""Old transcripts of Cursor, which are plain text: `agent-transcripts/ID.txt`.

    user:
    <user_query>
    fix it
    </user_query>

    assistant:
    [Thinking] ...
    I will look first.
    [Tool call] Read
      path: src/a.py
    [Tool result] Read
      ...

What stands indented under a marker in brackets belongs to it, and so do empty lines.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from scry.errors import SourceError
from scry.sources.jsonl import Record, open_bytes

LARGEST = 64_000_000
"""Bytes of one transcript."""
_SPEAKER = re.compile(r"(user|assistant):\s*\Z")
_MARKER = re.compile(r"\[(Thinking|Tool call|Tool result)\][ \t]*(.*)\Z")
_FIELD = re.compile(r"\s+(\w+)\s*[:=]\s?(.*)\Z")


@dataclass(slots=True)
class Entries:
    """The records of a transcript, in the form of the newer ones, with their lines."""

    records: list[tuple[int, Record]] = field(default_factory=list)
    lines: int = 0


def entries(path: Path) -> Entries:
    """Read an old transcript.

    Raises:
        SourceError: the file cannot be opened, or is too large.
    """
    lines = _text_of(path).split("\n")
    out = Entries(lines=sum(bool(line.strip()) for line in lines))
    speaker, begun, block = "", 0, list[str]()
    for number, line in enumerate(lines, start=1):
        if found := _SPEAKER.match(line):
            _add(out, speaker, begun, block)
            speaker, begun, block = found[1], number, []
        else:
            block.append(line)
    _add(out, speaker, begun, block)
    return out


def _text_of(path: Path) -> str:
    with open_bytes(path) as file:
        try:
            raw = file.read(LARGEST + 1)
        except Exception as error:
            raise SourceError(f"{path}: the file cannot be read: {error}.") from error
    if len(raw) > LARGEST:
        size = LARGEST // 1_000_000
        raise SourceError(
            f"{path}: a transcript of more than {size} MB is not read. Cut it in two."
        )
    return raw.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").decode("utf-8", "replace")


def _add(out: Entries, speaker: str, line: int, block: list[str]) -> None:
    if speaker == "user":
        out.records.append(
            (line, {"role": "user", "message": {"content": "\n".join(block)}}),
        )
    elif speaker == "assistant":
        content = _assistant(block)
        out.records.append((line, {"role": "assistant", "message": {"content": content}}))


def _assistant(block: list[str]) -> list[Record]:
    """Return speech and calls of a block; thoughts and what tools gave back are left out."""
    content: list[Record] = []
    words: list[str] = []
    under: Record | None = None
    hidden = False
    for line in block:
        if found := _MARKER.match(line):
            _flush(words, content)
            hidden, under = True, None
            if found[1] == "Tool call":
                under = {"type": "tool_use", "name": found[2].strip(), "input": {}}
                content.append(under)
        elif hidden and (not line.strip() or line[:1] in " \t"):
            if under is not None and (given := _FIELD.match(line)):
                under["input"].setdefault(given[1], given[2].strip())
        else:
            hidden, under = False, None
            words.append(line)
    _flush(words, content)
    return content


def _flush(words: list[str], content: list[Record]) -> None:
    if "".join(words).strip():
        content.append({"type": "text", "text": "\n".join(words).strip()})
    words.clear()
