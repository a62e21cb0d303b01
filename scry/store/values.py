"""Scalars to typed values and back: times, citations, spans, numbers, words of a closed list.

    2026-08-01T09:30:00Z                             a time, in UTC, to the second
    2026-08-01-claude-7k3m9q:214@2026-08-01          EPISODE:LINE@DATE
    ~/.claude/projects/-src-hermes/1f3c.jsonl:180-388    PATH:FIRST-LAST

A person may write less: a date without a time, a citation without a line, a span of one line.
"""

import re
from collections.abc import Callable
from datetime import datetime

from scry.model import Citation, Span
from scry.store.document import BadFileError
from scry.text import iso, parse_time

_SPAN = re.compile(r"(?s)(.*):([0-9]{1,18})(?:-([0-9]{1,18}))?\Z")
_CITATION = re.compile(r"([^\s:@]+)(?::([0-9]{1,18}))?(?:@(\S+))?\Z")


class WrongValueError(BadFileError):
    """The value of one key is not what the record needs; `key` names it, "" before it is known."""

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


def read_citation(text: str) -> Citation:
    """Read `EPISODE:LINE@DATE`; line and date may be missing.

    >>> read_citation("2026-08-01-claude-7k3m9q:214")
    Citation(episode='2026-08-01-claude-7k3m9q', line=214, at=None)

    Raises:
        WrongValueError: it is something else.
    """
    found = _CITATION.match(text)
    if found is None:
        raise WrongValueError(f"'{text}' is no citation; write EPISODE, EPISODE:LINE or with @DATE")
    return Citation(found[1], int(found[2] or 0), read_time(found[3]) if found[3] else None)


def write_citation(citation: Citation) -> str:
    """Return a citation as `EPISODE:LINE@DATE`.

    >>> write_citation(Citation("2026-08-01-claude-7k3m9q", 214))
    '2026-08-01-claude-7k3m9q:214'
    """
    line = f":{citation.line}" if citation.line > 0 else ""
    return f"{citation.episode}{line}{'@' + write_time(citation.at) if citation.at else ''}"


def read_time(text: str) -> datetime:
    """Read an ISO date or RFC 3339 time."""
    moment = parse_time(text)
    if moment is None:
        raise WrongValueError(
            f"'{text}' is no time; write 2026-08-01 or 2026-08-01T09:30:00Z (that is UTC)"
        )
    return moment


def write_time(moment: datetime) -> str:
    """Return a moment as RFC 3339."""
    return iso(moment).zfill(20)  # Years before 1000 lack their zeros otherwise.


def read_span(text: str) -> Span:
    """Read `PATH:FIRST-LAST`."""
    found = _SPAN.match(text)
    if found is None:
        raise WrongValueError(f"'{text}' is no span; write PATH:FIRST-LAST")
    return Span(found[1], int(found[2]), int(found[3] or found[2]))


def read_share(text: str) -> float:
    """Read a number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise WrongValueError(f"'{text}' is no number from 0 to 1")
    return number


def read_count(text: str) -> int:
    """Read a number of things."""
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise WrongValueError(f"'{text}' is no number")
    return int(text)


def one_of(*allowed: str) -> Callable[[str], str]:
    """Return a reader that takes these words only."""

    def read(text: str) -> str:
        if text not in allowed:
            raise WrongValueError(f"'{text}' is none of {', '.join(allowed)}")
        return text

    return read
