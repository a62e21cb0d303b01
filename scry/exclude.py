"""Folders that nothing is read from: `sources.exclude` of the configuration.

    ~/clients/acme        the folder and all below it
    ~/clients/*/private   `*`, `?` and `[a-z]` stay within one name; `**` stands for any depth
    **/secret             a folder of this name, wherever it lies

What a session says about its folder counts as well as where its transcript lies, and a link counts
as what it leads to: leaving out too much can be put right, reading too much cannot.
"""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from scry.errors import ConfigError

# The file systems that people use on these do not tell `Acme` from `acme`.
_FOLDS = re.IGNORECASE if sys.platform in ("darwin", "win32") else 0


class Excluded:
    """The folders that a configuration excludes.

    Args:
        patterns: as configured.
        home: what `~` stands for.
        where: the configuration's file, for what is wrong with it.

    Raises:
        ConfigError: a pattern says no place.
    """

    def __init__(self, patterns: Sequence[str], home: Path, where: str = "config.yaml") -> None:
        self._patterns = [
            (pattern, re.compile("|".join(_regexes(pattern, home, where)), _FOLDS))
            for pattern in patterns
        ]

    def __bool__(self) -> bool:
        """Say whether anything is excluded."""
        return bool(self._patterns)

    @property
    def reasons(self) -> frozenset[str]:
        """All that `reason` may say."""
        return frozenset(_reason(pattern) for pattern, _ in self._patterns)

    def reason(self, paths: Iterable[str]) -> str:
        """Return why what lies at, or is about, any of the paths is left out; "" if it is not."""
        if not self._patterns:
            return ""
        places = [form for path in paths for form in _forms(path)]
        for pattern, regex in self._patterns:
            if any(map(regex.fullmatch, places)):
                return _reason(pattern)
        return ""


def is_exclusion(reason: str) -> bool:
    """Say whether a reason for leaving a transcript out is that its folder is excluded."""
    return reason.startswith(_BEGINS)


_BEGINS = "excluded by sources.exclude: "


def _reason(pattern: str) -> str:
    return _BEGINS + pattern


def _forms(path: str) -> set[str]:
    """Return a path as it is written, and as what its links lead to."""
    plain = os.path.normpath(path)
    if not os.path.islink(plain):  # noqa: PTH114 -- for each of thousands of files
        folder, name = os.path.split(plain)
        return {plain, f"{_real(folder).rstrip('/')}/{name}"}
    return {plain, _real(plain)}


@lru_cache(maxsize=1024)
def _real(path: str) -> str:
    return os.path.realpath(path)


def _regexes(pattern: str, home: Path, where: str) -> set[str]:
    """Return a pattern as regular expressions for a whole path, links in its own path resolved."""
    text = pattern.strip()
    if text == "~" or text.startswith("~/"):
        text = f"{home}{text[1:]}"
    if not text.startswith(("/", "**/")) or not text.strip("/*"):
        raise ConfigError(
            f"{where}: sources.exclude has '{pattern}', which says no folder. "
            "Begin with ~/ or /, or with **/ for a folder of that name anywhere."
        )
    parts = [part for part in text.split("/") if part not in ("", ".")]
    plain = next((n for n, part in enumerate(parts) if re.search(r"[*?\[]", part)), len(parts))
    ends = parts[plain:]
    starts = {"/" + "/".join(parts[:plain])}
    starts |= {os.path.realpath(start) for start in starts}
    return {_regex([*start.strip("/").split("/"), *ends]) for start in starts}


def _regex(parts: Sequence[str]) -> str:
    out = ""
    for part in filter(None, parts):
        out += "(?:/[^/]+)*" if part == "**" else "/" + _name(part)
    return out + "(?:/.*)?"


def _name(part: str) -> str:
    """Return the pattern of one name, whose stars end where the name does."""
    pieces = re.split(r"(\*+|\?|\[!?\]?[^\]]*\])", part)
    return "".join(_piece(piece) for piece in pieces)


def _piece(piece: str) -> str:
    if piece.startswith("*"):
        return "[^/]*"
    if piece == "?":
        return "[^/]"
    if len(piece) > 2 and piece.startswith("[") and piece.endswith("]"):
        inner = piece[1:-1].replace("\\", r"\\").replace("^", r"\^")
        return f"[^/{inner[1:]}]" if inner.startswith("!") else f"[{inner}]"
    return re.escape(piece)
