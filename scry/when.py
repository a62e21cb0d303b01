"""Times as people give them on the command line, to moments in UTC.

    2026-08-01   2026-08-01T09:30:00Z   today   yesterday   3 days ago   2 weeks ago   last month

A day without a time is its first moment, in UTC like every time that Scry prints.
"""

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta

from scry.text import parse_time

_UNITS = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
_SHORT = {"s": "second", "sec": "second", "min": "minute", "h": "hour", "hr": "hour"} | {
    "d": "day",
    "w": "week",
    "y": "year",
}
_MONTHS = {"month": 1, "year": 12}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_AGO = re.compile(r"(?:(\d{1,6}) ?|(an?|one|two|three|four|five|six) )([a-z]+?)s? ago\Z")
_LAST = re.compile(r"last (week|month|year)\Z")
_YEAR_MONTH = re.compile(r"(\d{4})(?:-(\d\d))?\Z")


def read_time(text: str, now: datetime) -> datetime | None:
    """Return the moment that a person means, in UTC and to the second, or None if it is no time.

    >>> now = datetime(2026, 8, 15, 12, 30, tzinfo=UTC)
    >>> [read_time(t, now).isoformat()[:16] for t in ("yesterday", "2 weeks ago", "2026-08")]
    ['2026-08-14T00:00', '2026-08-01T12:30', '2026-08-01T00:00']
    """
    words = " ".join(text.casefold().split())
    now = now.astimezone(UTC).replace(microsecond=0)
    midnight = now.replace(hour=0, minute=0, second=0)
    match words:
        case "now":
            return now
        case "today":
            return midnight
        case "yesterday":
            return midnight - timedelta(days=1)
    try:
        return _ago(words, now) or _month(words) or parse_time(text)
    except OverflowError:
        return None


def _ago(words: str, now: datetime) -> datetime | None:
    if last := _LAST.match(words):
        return _back(now, 1, last[1])
    if ago := _AGO.match(words):
        count = int(ago[1]) if ago[1] else _NUMBERS[ago[2]]
        return _back(now, count, _SHORT.get(ago[3], ago[3]))
    return None


def _back(now: datetime, count: int, unit: str) -> datetime | None:
    """Return `now` less a number of units; the 31st less a month is the last day of that month."""
    if unit in _UNITS:
        return now - count * _UNITS[unit]
    if unit not in _MONTHS:
        return None
    month = now.year * 12 + now.month - 1 - count * _MONTHS[unit]
    if month < 12:
        return None
    year, month = month // 12, month % 12 + 1
    return now.replace(year=year, month=month, day=min(now.day, monthrange(year, month)[1]))


def _month(words: str) -> datetime | None:
    found = _YEAR_MONTH.match(words)
    if not found or not int(found[1]) or not 1 <= int(found[2] or 1) <= 12:
        return None
    return datetime(int(found[1]), int(found[2] or 1), 1, tzinfo=UTC)
