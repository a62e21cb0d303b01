"""Where a project keeps its notes: patterns, and the files in its folder that match them.

    CLAUDE.md   docs/DECISIONS.md     upper and lower case count the same
    docs/adr/*.md                     `*` and `?` stay within one name
    .claude/rules/**/*.md             `**` is any folder below, none of them hidden

A folder is listed once, whatever the number of patterns, and only when a pattern leads into it:
a sweep looks at every project that a session ever worked in.
"""

import os
import re
from collections.abc import Iterator, Sequence
from functools import cache

USUAL = (
    "CLAUDE.md",
    "CLAUDE.local.md",
    ".claude/CLAUDE.md",
    ".claude/rules/**/*.md",
    "AGENTS.md",
    "AGENTS.override.md",
    "GEMINI.md",
    ".github/copilot-instructions.md",
    ".cursor/rules/**/*.mdc",
    "DECISIONS.md",
    "docs/DECISIONS.md",
    "docs/adr/**/*.md",
    "docs/adrs/**/*.md",
    "docs/decisions/**/*.md",
    "docs/architecture/decisions/**/*.md",
    "doc/adr/**/*.md",
    "doc/decisions/**/*.md",
    "adr/**/*.md",
)
"""Notes of a project, as agents and people keep them."""
SUFFIXES = (".md", ".markdown", ".mdc")
_NEVER = frozenset("node_modules target dist build venv vendor __pycache__ site-packages".split())
_DEPTH = 8
_MOST = 2_000
"""Files that the patterns of one project may give."""

Pattern = tuple[re.Pattern[str] | None, ...]
"""One name after the other; None for `**`."""


def check_pattern(pattern: str) -> str:
    """Return what is wrong with a pattern of a configuration, as a sentence, or ""."""
    parts = pattern.split("/")
    if pattern.startswith(("/", "~")) or ".." in parts:
        return "A pattern is relative to a project's folder, such as docs/notes/*.md."
    if ".git" in parts or not pattern.lower().endswith((*SUFFIXES, "*")):
        return f"Notes are Markdown: a pattern ends in {', '.join(SUFFIXES)} or in a star."
    return ""


def notes_in(folder: str, patterns: Sequence[str]) -> Iterator[str]:
    """Yield the Markdown files below a folder that match, each once, sorted by path."""
    compiled = _compiled(tuple(patterns))
    yield from sorted(set(_walk(folder, compiled, 0)))[:_MOST]


@cache
def _compiled(patterns: tuple[str, ...]) -> tuple[Pattern, ...]:
    parts = [[part for part in pattern.split("/") if part not in ("", ".")] for pattern in patterns]
    return tuple(
        tuple(map(_name, [*names, "*"] if names[-1:] == ["**"] else names)) for names in parts
    )


def _name(part: str) -> re.Pattern[str] | None:
    if part == "**":
        return None
    pieces = re.split(r"(\*+|\?)", part)
    shown = {"?": "[^/]"}
    regex = "".join(
        "[^/]*" if piece.startswith("*") else shown.get(piece, re.escape(piece)) for piece in pieces
    )
    return re.compile(regex, re.IGNORECASE)


def _walk(folder: str, patterns: Sequence[Pattern], depth: int) -> Iterator[str]:
    try:
        with os.scandir(folder) as scan:
            entries = list(scan)
    except OSError:
        return
    here = [*patterns, *(pattern[1:] for pattern in patterns if pattern and pattern[0] is None)]
    for entry in entries:
        below: list[Pattern] = []
        for first, *rest in filter(None, here):
            if first is None:
                below += [(None, *rest)] if _is_open(entry.name) else []
            elif first.fullmatch(entry.name):
                if rest:
                    below.append(tuple(rest))
                elif entry.name.lower().endswith(SUFFIXES):
                    yield entry.path
        if below and depth < _DEPTH and _is_folder(entry, below):
            yield from _walk(entry.path, below, depth + 1)


def _is_open(name: str) -> bool:
    """Say whether `**` looks into a folder: not into hidden ones, nor into what tools have put there."""
    return not name.startswith(".") and name not in _NEVER


def _is_folder(entry: os.DirEntry[str], below: Sequence[Pattern]) -> bool:
    """Say whether to look into a folder; a link is followed where its name was said, not by `**`."""
    try:
        return entry.is_dir(follow_symlinks=any(pattern[0] is not None for pattern in below))
    except OSError:
        return False
