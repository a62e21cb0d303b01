"""Several change sets in a row as one commit: a later state of a file wins."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from scry.model import ChangeSet, Record

_LINES = 60
"""Lines of a commit message that say what was learned; more are counted."""


def combine(
    changes: Sequence[ChangeSet], extra: Sequence[Record], path_of: Callable[[Record], str]
) -> ChangeSet:
    """Return one change set that leads where the given ones lead one after the other.

    Args:
        changes: in the order in which they were made; at least one.
        extra: further records to write, which none of them touches.
        path_of: gives the file that a record lives in.
    """
    writes = {path_of(record): record for record in extra}
    removes: dict[str, Record] = {}
    for change in changes:
        for record in change.removes:
            path = path_of(record)
            writes.pop(path, None)
            removes[path] = record
        for record in change.writes:
            path = path_of(record)
            removes.pop(path, None)
            writes[path] = replace(record, path=path)
    said = [c for c in changes if not c.subject.startswith("apply:")] or list(changes)
    first = next((c for c in said if not c.subject.startswith("note:")), said[0])
    more = f" (+{len(said) - 1} more)" if len(said) > 1 else ""
    lines = list(dict.fromkeys(line for change in changes for line in change.lines))
    left = len(lines) - _LINES
    return ChangeSet(
        subject=first.subject + more,
        writes=tuple(writes.values()),
        removes=tuple(removes.values()),
        lines=(*lines[:_LINES], *((f"… and {left} more",) if left > 0 else ())),
        trailers=_trailers(changes),
    )


def _trailers(changes: Sequence[ChangeSet]) -> tuple[tuple[str, str], ...]:
    """Return all trailers, each once; tokens are summed up."""
    out: dict[tuple[str, str], None] = {}
    spent = [0, 0]
    for change in changes:
        for key, value in change.trailers:
            if key == "Scry-Tokens":
                numbers = [int(word) for word in value.replace(",", "").split() if word.isdigit()]
                spent = [a + b for a, b in zip(spent, numbers, strict=True)]
            else:
                out[key, value] = None
    if any(spent):
        out["Scry-Tokens", f"{spent[0]} in, {spent[1]} out"] = None
    return tuple(out)
