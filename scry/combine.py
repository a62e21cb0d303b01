"""Several change sets in a row as one commit: a later state of a file wins."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from scry.model import ChangeSet, Record
from scry.usage import FREE, Count, read_tokens, tokens_trailer

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
    """Return all trailers, each once; tokens are summed up by extractor.

    Where only one model has answered the trailer need not name it.
    """
    out: dict[tuple[str, str], None] = {}
    spent: dict[str, Count] = {}
    for change in changes:
        by = next((value for key, value in change.trailers if key == "Scry-Extractor"), "")
        for key, value in change.trailers:
            tokens = read_tokens(value) if key == "Scry-Tokens" else None
            if tokens is None:
                out[key, value] = None
            else:
                name = tokens[0] or by
                spent[name] = spent.get(name, Count()) + tokens[1]
    models = {value for key, value in out if key == "Scry-Extractor"} - {*FREE}
    for name, count in sorted(spent.items()):
        out[tokens_trailer(count, name if len(models) > 1 else "")] = None
    return tuple(out)
