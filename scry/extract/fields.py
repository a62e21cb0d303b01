"""The small fields of a fact, each read in the one way that cannot hurt.

A field that cannot be read never costs the fact: a word for a number, a date that no calendar has,
an invented id come to what the field means when it is not there.
"""

import re
from datetime import UTC, datetime, timedelta

from scry.extract.clean import cut, prose, scalar
from scry.model import STANCES
from scry.text import fold, parse_time

MAX_QUALIFIER = 120

_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?"
)
_FACT_ID = re.compile(r"[a-z0-9]{10}")
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_BLANK = frozenset(("", "null", "none", "n/a", "-", "unknown"))


def qualifier(value: object) -> str:
    """Return in which environment, branch, machine ... a statement holds; "" for any."""
    text = prose(scalar(value), MAX_QUALIFIER)
    return "" if fold(text) in _BLANK else cut(text, MAX_QUALIFIER)


def moment(value: object, at: datetime) -> datetime | None:
    """Return the date that a statement gives itself; None means that it gives none we can use."""
    if not isinstance(value, str) or not _DATE.fullmatch(value.strip()):
        return None
    moment = parse_time(value)
    return moment if moment and _EARLIEST <= moment <= at + timedelta(days=366) else None


def confidence(value: object) -> float:
    """Return the extractor's own estimate from 0 to 1; 0.5 for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return 0.5
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return 0.5
    return abs(number) if 0 <= number <= 1 else 0.5


def stance(value: object) -> str:
    """Return whether the statement is asserted, planned or denied."""
    stance = value.strip().casefold() if isinstance(value, str) else ""
    return stance if stance in STANCES else STANCES[0]


def supersedes(value: object) -> tuple[str, ...]:
    """Return the fact id that a reply names: bare, in brackets, or at the end of a handle."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str):
        return ()
    named = value.strip().removeprefix("[").removesuffix("]").strip().removesuffix(".md")
    last = named.rsplit("--", 1)[-1]
    return (last,) if _FACT_ID.fullmatch(last) else ()
