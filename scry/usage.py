"""What is remembered of each extractor on this machine: troubles, modes, and counts by the day.

    {"breakers": {"near/m": {"failures": 3, "until": "2026-08-01T09:30:00Z", "reason": "…",
                             "mark": "k3v9m2"}},
     "modes":    {"near/m": {"mode": "tool", "mark": "k3v9m2"}},
     "days":     {"2026-08-01": {"near/m": {"calls": 9, "answers": 5, "failed": 2,
                                            "tokens_in": 36900, "tokens_out": 3100}}}}

In git, a commit says what its answers cost: `Scry-Tokens: 4120 in, 380 out`, and with the name in
front, `Scry-Tokens: near/m 4120 in, 380 out`, where several extractors have answered in it.

The note `chain.json` as a value; `meter` is what writes it.  A call is a request that was sent,
retries too; an answer is an episode with a usable one.  The `mark` stands for the configuration:
what was learnt of another server, key or way of asking is not held against the new one.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Protocol, cast

from scry.text import iso, parse_time

CHAIN = "chain.json"
FREE = ("rules", "remember")
"""Extractors that need no model, and so no tokens."""
_DAYS = 90
_WEEK = 7
_TOKENS = re.compile(r"(?:(.+) )?([0-9][0-9,]{0,20}) in, ([0-9][0-9,]{0,20}) out")

Trouble = Mapping[str, object]


class Local(Protocol):
    """Where small texts are kept on this machine."""

    def local(self, name: str) -> str:
        """Return a text, or ""."""

    def update_local(self, name: str, change: Callable[[str], str]) -> str:
        """Change a text while no other process does, and return it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What one extractor did in some days.  `calls` are requests, `answers` and `failed` episodes."""

    calls: int = 0
    answers: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def asked(self) -> int:
        """Episodes for which it was asked, as far as that came to an end."""
        return self.answers + self.failed

    @property
    def tokens(self) -> int:
        """Tokens of both directions."""
        return self.tokens_in + self.tokens_out

    def __add__(self, other: "Count") -> "Count":
        names = [one.name for one in fields(self)]
        return Count(**{name: getattr(self, name) + getattr(other, name) for name in names})


@dataclass(slots=True)
class Remembered:
    """The file, read: every part that is spoilt counts as empty."""

    breakers: dict[str, Trouble] = field(default_factory=dict)
    modes: dict[str, Trouble] = field(default_factory=dict)
    days: dict[str, dict[str, Count]] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> "Remembered":
        """Read the file's text."""
        try:
            data = _mapping(json.loads(text or "{}"))
        except (ValueError, RecursionError):
            return cls()
        days = {
            day: {name: _count(found) for name, found in _mapping(names).items()}
            for day, names in _mapping(data.get("days")).items()
            if len(day) == 10 and parse_time(day)
        }
        return cls(_mappings(data.get("breakers")), _mappings(data.get("modes")), days)

    def text(self) -> str:
        """Return the file's text."""
        days = {
            day: {
                name: {k: v for k, v in _fields(count).items() if v} for name, count in on.items()
            }
            for day, on in self.days.items()
        }
        whole = {"breakers": self.breakers, "modes": self.modes, "days": days}
        return json.dumps(whole, indent=1, sort_keys=True)

    def add(self, day: str, name: str, more: Count) -> None:
        """Add to a day's count, and drop the days that are too old."""
        on = self.days.setdefault(day, {})
        on[name] = on.get(name, Count()) + more
        oldest = (datetime.fromisoformat(day) - timedelta(days=_DAYS - 1)).date().isoformat()
        self.days = {day: names for day, names in self.days.items() if day >= oldest}

    def on(self, now: datetime) -> dict[str, Count]:
        """Return the counts of a moment's day, by extractor."""
        return dict(self.days.get(day_of(now), {}))

    def week(self, now: datetime) -> dict[str, Count]:
        """Return the counts of the last seven days, that of the moment among them."""
        first = day_of(now - timedelta(days=_WEEK - 1))
        return self._sum(day for day in self.days if first <= day <= day_of(now))

    def whole(self) -> dict[str, Count]:
        """Return the counts of all days that are kept."""
        return self._sum(self.days)

    def paused(self, name: str, now: datetime, mark: str = "") -> tuple[datetime, str] | None:
        """Return until when an extractor is left out, and why; None if it may be asked."""
        trouble = self.breakers.get(name, {})
        until = parse_time(str(trouble.get("until", "")))
        if until is None or until <= now or mark != trouble.get("mark", ""):
            return None
        return until, str(trouble.get("reason", ""))

    def mode(self, name: str, mark: str = "") -> str:
        """Return how the shape of an answer is asked for, or ""."""
        kept = self.modes.get(name, {})
        return str(kept.get("mode", "")) if kept.get("mark", "") == mark else ""

    def used(self, provider: str, now: datetime) -> Count:
        """Return what was used of a provider's budget: by all its models, in a moment's day."""
        mine = (c for n, c in self.on(now).items() if n == provider or n.startswith(f"{provider}/"))
        return sum(mine, Count())

    def _sum(self, days: Iterable[str]) -> dict[str, Count]:
        out: dict[str, Count] = defaultdict(Count)
        for day in days:
            for name, count in self.days[day].items():
                out[name] += count
        return dict(out)


def read_tokens(trailer: str) -> tuple[str, Count] | None:
    """Return extractor ("" where none is named) and tokens of a trailer; None if it is none.

    >>> read_tokens("near/m 4,120 in, 380 out")[1].tokens
    4500
    """
    found = _TOKENS.fullmatch(trailer)
    if found is None:
        return None
    tokens_in, tokens_out = (int(number.replace(",", "")) for number in found.groups()[1:])
    return found[1] or "", Count(tokens_in=tokens_in, tokens_out=tokens_out)


def tokens_trailer(count: Count, name: str = "") -> tuple[str, str]:
    """Return the trailer that says what answers cost."""
    return "Scry-Tokens", f"{name} {count.tokens_in} in, {count.tokens_out} out".strip()


def day_of(moment: datetime) -> str:
    """Return a moment's UTC day, `2026-08-01`."""
    return iso(moment)[:10]


def _mapping(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _mappings(value: object) -> dict[str, Trouble]:
    return {k: _mapping(v) for k, v in _mapping(value).items() if isinstance(v, dict)}


def _fields(count: Count) -> dict[str, int]:
    return {one.name: getattr(count, one.name) for one in fields(count)}


def _count(value: object) -> Count:
    found = _mapping(value)
    numbers = {one.name: found.get(one.name) for one in fields(Count)}
    return Count(**{k: v for k, v in numbers.items() if type(v) is int and v >= 0})
