"""A commit's message: words for people, then trailers for machines.

    learn: Hermes moved to the Mac mini

    + hermes runs_on mac-mini
    - hermes runs_on laptop (ended 2026-08-01)

    Scry-Episode: 2026-08-01-claude-7k3m9q

Everything in it comes from transcripts in the end, so each part is one clean line, and no line of
the middle part can pass for a trailer.
"""

import re
from collections.abc import Iterable
from datetime import datetime

from scry.model import ChangeSet, Commit
from scry.text import one_line

_TRAILER = re.compile(r"([A-Za-z][A-Za-z0-9-]*): (.+)\Z")
_NO_KEY = re.compile(r"[^A-Za-z0-9-]+")


def compose(changes: ChangeSet) -> str:
    """Return the message for a change set."""
    lines = [one_line(line, 500) for line in changes.lines]
    trailers = [
        f"{_NO_KEY.sub('-', key).strip('-') or 'Scry-Note'}: {one_line(value, 500)}"
        for key, value in changes.trailers
        if value.strip()
    ]
    parts = (
        one_line(changes.subject, 200) or "change the store",
        "\n".join(f"| {line}" if _TRAILER.match(line) else line for line in lines if line),
        "\n".join(trailers),
    )
    return "\n\n".join(part for part in parts if part) + "\n"


def read(commit: str, date: datetime, message: str) -> Commit:
    """Return a commit with its message taken apart; also one that a person has written."""
    subject, _, rest = message.strip().partition("\n")
    paragraphs = [part.splitlines() for part in re.split(r"\n\s*\n", rest.strip()) if part]
    trailers: list[tuple[str, str]] = []
    if paragraphs and all(_TRAILER.match(line) for line in paragraphs[-1]):
        trailers = _pairs(paragraphs.pop())
    return Commit(
        id=commit,
        date=date,
        subject=one_line(subject, 200),
        lines=tuple(one_line(line, 500) for part in paragraphs for line in part if line.strip()),
        trailers=tuple(trailers),
    )


def _pairs(lines: Iterable[str]) -> list[tuple[str, str]]:
    return [(m[1], one_line(m[2], 500)) for line in lines if (m := _TRAILER.match(line))]
