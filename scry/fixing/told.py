"""How a change of a file is told in one line, before and after."""

import difflib

from scry.model import Entity, Fact, Proposal, Record
from scry.text import one_line, slug_of


def key_of(record: Record) -> tuple[str, str]:
    """Return what stays the same of a record when its file moves."""
    match record:
        case Entity():
            return "entity", record.slug
        case Proposal():
            return "alias", f"{record.entity} {slug_of(record.alias)}"
        case _:
            return type(record).__name__, record.id


def summary(record: Record) -> str:
    """Return what a record says, in a few words."""
    match record:
        case Entity():
            leads = f", leads to {record.merged_into}" if record.merged_into else ""
            return one_line(f"{record.name} ({record.type}){leads}", 120)
        case Fact():
            return one_line(f"{record.src} {record.relation} {record.dst or record.value}", 120)
        case Proposal():
            return one_line(f"'{record.alias}' for {record.entity}", 120)
        case _:
            return record.id


def why(old: Record, new: Record) -> str:
    """Say which reason no longer applies, where a fact leaves `review/` or comes there."""
    if not (isinstance(old, Fact) and isinstance(new, Fact)) or old.reason == new.reason:
        return ""
    told = f"no longer: {old.reason}" if old.reason else f"waits: {new.reason}"
    return f" ({one_line(told, 160)})"


def changes(old: Record, new: Record) -> str:
    """Return the fields that change, with their values before and after."""
    names = [
        name
        for name in old.__dataclass_fields__
        if name != "path" and getattr(old, name) != getattr(new, name, None)
    ]
    shown = (f"{n}: {_value(getattr(old, n))} -> {_value(getattr(new, n, None))}" for n in names)
    return one_line("; ".join(shown), 300)


def _value(value: object) -> str:
    return one_line(str(value), 80) if value not in (None, "", ()) else "nothing"


def lines_between(before: bytes, after: bytes) -> str:
    """Return the lines that a file had and has no longer, and those that are new in it."""
    was, now = (data.decode("utf-8", "replace").splitlines() for data in (before, after))
    rows = [row for row in difflib.ndiff(was, now) if row[:2] in ("- ", "+ ")]
    return "; ".join(one_line(row, 100) for row in rows)
