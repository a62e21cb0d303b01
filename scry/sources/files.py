"""Folders that agents keep their transcripts in, listed without following a link anywhere."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scry.errors import SourceError
from scry.sources.jsonl import open_bytes

_SMALL = 4_000_000
"""Bytes of a side file; what is larger is not one."""


def files_in(top: Path, folders: str, pattern: str) -> Iterator[Path]:
    """Yield the plain files whose name matches, sorted by path; nothing where there is no folder.

    Args:
        top: where to begin; this alone may be a link.
        folders: the folders below it, `*` for each: `*/chats` or "" for `top` itself.
        pattern: a regular expression for the whole name of a file.
    """
    found = [top]
    for step in filter(None, folders.split("/")):
        found = [
            Path(entry.path)
            for folder in found
            for entry in _entries(folder)
            if step in ("*", entry.name) and _is(entry, "dir")
        ]
    name = re.compile(pattern)
    yield from sorted(
        Path(entry.path)
        for folder in found
        for entry in _entries(folder)
        if name.fullmatch(entry.name) and _is(entry, "file")
    )


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _is(entry: os.DirEntry[str], what: str) -> bool:
    try:
        return (entry.is_dir if what == "dir" else entry.is_file)(follow_symlinks=False)
    except OSError:
        return False


def side_text(path: Path) -> str:
    """Return the text of a small file beside a transcript, "" when there is none to read."""
    try:
        with open_bytes(path) as file:
            return file.read(_SMALL).decode("utf-8", "replace")
    except (SourceError, OSError):
        return ""


def side_record(path: Path) -> dict[str, Any]:
    """Return the JSON object in a small file beside a transcript, empty when there is none."""
    try:
        value = json.loads(side_text(path) or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
