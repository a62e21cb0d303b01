"""Autonomous runs: a folder in which an agent works towards a goal, round after round.

    GOAL.md                       Said user       goal      once, and what of it changed later
    iterations/1/plan.md          Said assistant  plan      what the plan before did not say
    iterations/1/verdict.json     Said assistant  verdict   "startup: fail - It takes nine seconds."
                                  Said assistant  state     "After 3 iterations; 2 of 2 checks pass."

There is no single file: lines count the events, and `written` gives the run as lines.  A verdict is
a model's opinion, never the user's.  An iteration without one is open, and is read again.  Where
each round overwrites the papers of the one before, the earlier ones come from git.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from scry.errors import SourceError
from scry.model import Said, Transcript
from scry.ports import Places
from scry.sources import claude, codex
from scry.sources.checkout import root_of
from scry.sources.jsonl import HEAD, head_of
from scry.sources.run_files import GOAL, PLAN, VERDICT, Layout, Round, layout_of
from scry.sources.run_history import earlier_rounds, not_committed
from scry.sources.run_story import Story
from scry.text import short_hash

NAME = "runs"
_ENOUGH = 2
"""Signs of a run without which a folder is none."""
_TRIED = 40
"""Papers in which a status is looked for."""


def discover(places: Places) -> Iterator[Path]:
    """Yield the runs where agents are known to keep them, sorted; one level, for this is a sweep."""
    tops = [places.home / ".loom" / "runs"]
    tops += [folder / ".autonomous" for folder in dict.fromkeys((places.home, *places.folders))]
    found: set[Path] = set()
    for top in tops:
        try:
            found.update(one for one in top.iterdir() if one.is_dir() and not one.is_symlink())
        except OSError:
            continue
    yield from (path for path in sorted(found) if recognises(path, b""))


def recognises(path: Path, head: bytes) -> bool:  # noqa: ARG001 -- the contract; a folder has none
    """Say whether a folder is a run."""
    return len(believes(path)) >= _ENOUGH


def believes(path: Path) -> list[str]:
    """Return the signs that a folder is a run, as parts of a sentence; none where it is not one.

    Two signs are enough.  A folder with an agent's sessions is where that agent keeps its files.
    """
    if not path.is_dir() or _is_store(path):
        return []
    layout = layout_of(path)
    papers = [paper for one in (layout.top, *layout.rounds) for paper in one.papers]
    signs = []
    if stated := next((p for p in papers if p.role in (GOAL, PLAN)), None):
        signs.append(f"it states a {stated.role} ({stated.path.relative_to(path).as_posix()})")
    if layout.rounds:
        names = list(dict.fromkeys((layout.rounds[0].name, layout.rounds[-1].name)))
        signs.append(f"it has a numbered series ({' to '.join(names)})")
    if len(signs) < _ENOUGH and (judged := _judged(layout, path)):
        signs.append(f"it gives a status ({judged})")
    return [] if signs and _has_sessions(path) else signs


def _judged(layout: Layout, folder: Path) -> str:
    """Return the first paper that gives a status, or ""."""
    papers = [p for one in (layout.top, *layout.rounds) for p in one.papers if p.role == VERDICT]
    for paper in papers[:_TRIED]:
        story = Story(folder)
        story.tell(Round("", [paper]))
        if story.events:
            return paper.path.relative_to(folder).as_posix()
    return ""


def _has_sessions(folder: Path) -> bool:
    for path in _first(folder.glob("*.jsonl")) + _first(folder.glob("*/*.jsonl")):
        try:
            head = head_of(path, HEAD)
        except SourceError:
            continue
        if any(source.recognises(path, head) for source in (claude, codex)):
            return True
    return False


def _first(paths: Iterable[Path]) -> list[Path]:
    try:
        return [path for path, _ in zip(paths, range(_TRIED), strict=False)]
    except OSError:
        return []


def _is_store(folder: Path) -> bool:
    own = sum((folder / name).is_dir() for name in ("facts", "entities", "episodes"))
    return own > 1 or ".git" in folder.absolute().parts


def read(path: Path) -> Transcript:
    """Read a run.

    Raises:
        SourceError: it is no folder, or may not be read.
    """
    try:
        next(path.iterdir(), None)
    except OSError as error:
        why = (error.strerror or "it cannot be opened").lower()
        raise SourceError(f"{path}: {why}. A run is a folder.") from error
    layout, story = _told(path)
    events = story.dated()
    first = next((one.text for one in events if one.kind == GOAL), events[0].text if events else "")
    root = root_of(path.absolute() / "x")
    return Transcript(
        source=NAME,
        path=path,
        session=f"{path.absolute().name}-{short_hash('run', path.absolute().name, first, length=8)}",
        verdict="session" if events else "metadata-only",
        events=tuple(events),
        problems=(*layout.problems, *story.problems),
        cwds=(str(root),) if root else (),
        title=first.partition("\n")[0].strip("# "),
        started=events[0].at if events else None,
        ended=events[-1].at if events else None,
        lines=len(events),
    )


def _told(path: Path) -> tuple[Layout, Story]:
    """Tell a run from its beginning to the state in which it stands."""
    layout, story = layout_of(path), Story(path)
    rounds = layout.rounds or earlier_rounds(path, layout.top.papers)
    if rounds and not layout.rounds:
        top = Round("", not_committed(layout.top.papers, rounds))
        layout = Layout(top, rounds, layout.problems)
        parts: list[tuple[Round, bool | None]] = [*((one, None) for one in rounds), (top, None)]
    else:
        top = layout.top
        parts = [(top, True), *((one, None) for one in rounds), (top, False)]
    for one, goal in parts:
        story.tell(one, goal=goal)
    story.close(layout)
    return layout, story


def written(transcript: Transcript) -> list[bytes]:
    """Return a run as lines, one for each event, so that a span of it can be hashed and shown."""
    return [
        json.dumps([e.role, e.kind, e.file, e.text], ensure_ascii=False).encode() + b"\n"
        for e in transcript.events
        if isinstance(e, Said)
    ]


def stamp(path: Path) -> tuple[int, int]:
    """Return size in bytes and time of the last change in nanoseconds of all that is read of a run.

    A folder's own times say nothing about the files further below.
    """
    layout = layout_of(path)
    papers = [paper for one in (layout.top, *layout.rounds) for paper in one.papers]
    return sum(p.size for p in papers), max((p.changed_ns for p in papers), default=0)
