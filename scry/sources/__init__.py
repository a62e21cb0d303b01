"""Agents whose transcripts can be read, one module each.

A new agent is one module that follows the contract `scry.ports.Source` and one line in the table.
"""

from pathlib import Path

from scry.errors import SourceError, UnknownTranscriptError
from scry.ports import Source
from scry.sources import (
    claude,
    codex,
    copilot,
    cursor,
    gemini,
    kimi,
    notes,
    opencode,
    pi,
    runs,
)
from scry.sources.jsonl import HEAD, head_of

_TABLE: tuple[Source, ...] = (
    claude,
    codex,
    opencode,
    gemini,
    copilot,
    kimi,
    cursor,
    pi,
    runs,
    notes,
)
SOURCES: dict[str, Source] = {source.NAME: source for source in _TABLE}
"""By name; asked in this order whose a file is."""


def detect(path: Path) -> Source:
    """Return the source that a transcript comes from.

    Raises:
        UnknownTranscriptError: no source recognises it.
        SourceError: there is no such file, or it is no transcript at all; the message says what.
    """
    if not path.is_file():
        # A folder, or a session in a database, which has a path and no file of its own.
        for source in SOURCES.values():
            if source.recognises(path, b""):
                return source
    head = head_of(path, HEAD)
    if not head.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        raise SourceError(f"{path}: the file is empty.")
    for source in SOURCES.values():
        if source.recognises(path, head):
            return source
    if head.startswith(b"version https://git-lfs.github.com/"):
        raise SourceError(
            f"{path}: this is a Git LFS pointer, not the transcript itself. "
            "Run `git lfs pull` where it lies, then try again."
        )
    first = head.split(b"\n", 1)[0].strip()
    if first in (b"{", b"[", b"[{"):
        raise SourceError(
            f"{path}: this is one JSON document over several lines; a transcript holds one record a line."
        )
    raise UnknownTranscriptError(path, tuple(SOURCES))
