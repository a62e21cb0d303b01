"""The files of Gemini CLI: which of them hold a session, and chats that are one JSON document.

    {
      "sessionId": "...",
      "messages": [
        {                     <- the line of a message is the one that it begins on
          "id": "...",

A document is written anew at each message, so a copy may be torn; every message that stands whole
in it is given, everything else is a problem with its line.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from scry.errors import SourceError
from scry.model import Problem
from scry.sources.files import files_in
from scry.sources.jsonl import Record, head_of, open_bytes

LARGEST = 64_000_000
"""Bytes of one document, for it has to be in memory as a whole."""
_TORN = "not JSON: the document is torn here"
_DECODER = json.JSONDecoder(strict=False)
_SPACE = re.compile(r"[\s,]*")
_KEY = re.compile(r'\s*("(?:[^"\\]|\\.)*")\s*:\s*')
_LIST = re.compile(r'"messages"\s*:\s*(?=\[)')
_NEXT = re.compile(r'\n\s{2,8}(?=\{\s*\n?\s*"(?:id|timestamp|type)")')
_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"\\]{1,100})"')
_IDS = re.compile(rb'"id"\s*:\s*"([^"\\]{1,100})"')


def chats(top: Path) -> Iterator[Path]:
    """Yield the chats of all projects, sorted; a file whose messages all stand in another is left out."""
    by_session: dict[bytes, list[Path]] = {}
    for path in files_in(top, "*/chats", r"session-.+\.jsonl?"):
        try:
            head = head_of(path, 4096)
        except SourceError:
            head = b""
        found = _SESSION.search(head)
        by_session.setdefault(found[1] if found else bytes(path), []).append(path)
    for paths in list(by_session.values()):
        if len(paths) > 1:
            paths[:] = _without_copies(paths)
    yield from sorted(path for paths in by_session.values() for path in paths)


def _without_copies(paths: list[Path]) -> list[Path]:
    """Return the files that hold a message which no file before them holds, the fullest first."""
    ids = {path: _ids_in(path) for path in paths}
    seen: set[bytes] = set()
    kept: list[Path] = []
    for path in sorted(paths, key=lambda p: (-len(ids[p]), p.suffix == ".json", p)):
        if not kept or not ids[path] <= seen:
            kept.append(path)
            seen |= ids[path]
    return kept


def _ids_in(path: Path) -> set[bytes]:
    try:
        with open_bytes(path) as file:
            return set(_IDS.findall(file.read(LARGEST)))
    except (SourceError, OSError):
        return set()


@dataclass(slots=True)
class Document:
    """The records of one document, its particulars first, with the lines they begin on."""

    records: list[tuple[int, Record]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    lines: int = 0


def document(path: Path) -> Document:
    """Read a chat that is one JSON document.

    Raises:
        SourceError: the file cannot be opened, or is too large.
    """
    with open_bytes(path) as file:
        try:
            raw = file.read(LARGEST + 1)
        except Exception as error:
            raise SourceError(f"{path}: the file cannot be read: {error}.") from error
    if len(raw) > LARGEST:
        raise SourceError(
            f"{path}: a document of more than {LARGEST // 1_000_000} MB is not read. "
            "Resume the chat once, and a newer Gemini CLI writes it line by line."
        )
    text = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").decode("utf-8", "replace")
    out = Document(lines=text.count("\n") + (not text.endswith("\n")))
    particulars: Record = {}
    _top(text, path, out, particulars)
    if particulars:
        out.records.insert(0, (1, particulars))
    return out


def _top(text: str, path: Path, out: Document, particulars: Record) -> None:
    """Read key after key of the outermost object; where one is torn, go on at the messages."""
    position = text.find("{") + 1
    while (position := _skipped(text, position)) < len(text) and text[position] != "}":
        try:
            position = _pair(text, position, path, out, particulars)
        except (ValueError, RecursionError):
            out.problems.append(_problem(path, text, position))
            again = _LIST.search(text, position)
            if again is None:
                return
            position = again.start()


def _pair(text: str, position: int, path: Path, out: Document, particulars: Record) -> int:
    """Read a key and its value; return where they end.

    Raises:
        ValueError: there is no such pair.
        RecursionError: the value is nested too deeply.
    """
    found = _KEY.match(text, position)
    if found is None:
        raise ValueError
    if found[1] == '"messages"' and text.startswith("[", found.end()):
        return _messages(text, found.end() + 1, path, out)
    particulars[json.loads(found[1])], end = _DECODER.raw_decode(text, found.end())
    return end


def _skipped(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _messages(text: str, position: int, path: Path, out: Document) -> int:
    """Read the list of messages; return where it ends."""
    line, counted = 1, 0
    while True:
        position = _skipped(text, position)
        line, counted = line + text.count("\n", counted, position), position
        if text[position : position + 1] == "]":
            return position + 1
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            out.problems.append(Problem(str(path), _TORN, line))
            again = _NEXT.search(text, position)
            if again is None:
                return len(text)
            position = again.end()
            continue
        if isinstance(value, dict):
            out.records.append((line, value))
        else:
            out.problems.append(Problem(str(path), "a message is an object, this is none", line))


def _problem(path: Path, text: str, position: int) -> Problem:
    line = text.count("\n", 0, position) + 1
    return Problem(str(path), _TORN, line)
