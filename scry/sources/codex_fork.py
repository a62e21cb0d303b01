"""Rollouts that begin with a replay of another one: forks, and resumes of old versions.

    session_meta(own id, forked_from_id P)  session_meta(P)  ...items of P, times re-stamped...  own

The times lie, so the replay is found by what is said: it ends at the first turn whose id the
parent does not know, and without such ids where the words stop being the parent's.
"""

import os
from functools import lru_cache
from pathlib import Path

from scry.model import Event, Said
from scry.sources.codex_records import Reading, Spoken, words_of
from scry.sources.jsonl import Lines
from scry.sources.stamp import Stamp, stamp_of

_LOOK_AHEAD = 4
"""How many of the parent's words a replay may leave out at one place."""


def parent_of(reading: Reading) -> str:
    """Return the id of the session that a rollout replays, or ""."""
    if not reading.metas:
        return ""
    first = reading.metas[0]
    own = first.get("id")
    for value in (first.get("forked_from_id"), *(meta.get("id") for meta in reading.metas[1:2])):
        if isinstance(value, str) and value and value != own:
            return value
    return ""


def own_part(path: Path, parent: str, reading: Reading, events: list[Event]) -> list[Event] | None:
    """Return the events of a rollout that its parent does not hold; None without the parent."""
    source = _find(path, parent)
    if source is None:
        return None
    spoken, turns = _contents(source)
    said = [event for event in events if isinstance(event, Said)]
    replayed = _replayed([words_of(one) for one in said], spoken)
    line = said[replayed].line if replayed < len(said) else _after(events)
    fresh = next((at for at, turn in reading.turns if turn not in turns), None)
    if turns and reading.turns and fresh is not None:
        line = _turn_start(said, replayed, fresh)
    return [event for event in events if event.line >= line]


def _turn_start(said: list[Said], replayed: int, fresh: int) -> int:
    """Return where the first fresh turn begins: its prompt may stand before its context."""
    line = fresh
    for number in range(len(said) - 1, -1, -1):
        if said[number].line >= fresh:
            continue
        if number < replayed or said[number].role != "user":
            break
        line = said[number].line
    return line


def _after(events: list[Event]) -> int:
    return max((e.line for e in events), default=0) + 1


def _replayed(own: list[Spoken], parent: tuple[Spoken, ...]) -> int:
    """Return how many of a rollout's words are the parent's, from the beginning."""
    mine, theirs = 0, 0
    while mine < len(own):
        for skipped in range(_LOOK_AHEAD):
            at = theirs + skipped
            if at >= len(parent) or own[mine] != parent[at]:
                continue
            follows = (
                mine + 1 >= len(own) or at + 1 >= len(parent) or own[mine + 1] == parent[at + 1]
            )
            if skipped == 0 or follows:
                theirs = at + 1
                break
        else:
            return mine
        mine += 1
    return mine


@lru_cache(maxsize=16)
def _contents(stamp: Stamp) -> tuple[tuple[Spoken, ...], frozenset[str]]:
    """Return all that is said in a rollout, replays too, and the ids of its turns."""
    reading = Reading()
    for number, record in Lines(stamp.file):
        reading.feed(record, number)
    said = tuple(words_of(event) for event in reading.finished() if isinstance(event, Said))
    return said, frozenset(turn for _, turn in reading.turns)


def _find(path: Path, session: str) -> Stamp | None:
    """Return the rollout of a session: in the same home, or beside this one."""
    folders = [path.parent]
    for above in path.parents:
        if above.name in ("sessions", "archived_sessions"):
            folders = [above.parent / "sessions", above.parent / "archived_sessions", *folders]
            break
    for folder in folders:
        for found in _search(folder, session):
            if found != path and (stamp := stamp_of(found)):
                return stamp
    return None


def _search(folder: Path, session: str) -> list[Path]:
    """Return the rollouts under a folder that are named after a session, plain ones first."""
    if not all(c.isalnum() or c == "-" for c in session):
        return []  # The id comes from the file, and may be anything.
    ends = (f"-{session}.jsonl", f"-{session}.jsonl.zst")
    found = [
        Path(place, name)
        for place, folders, files in os.walk(folder)
        for name in (*files, *folders)
        if name.endswith(ends)
    ]
    return sorted(found, key=lambda path: (path.suffix == ".zst", path))
