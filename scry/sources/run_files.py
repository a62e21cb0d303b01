"""The papers of an autonomous run: which files of its folder are read, and as what.

    GOAL.md  iterations/1/{plan.md,verdict.json}  iterations/2/...  loop.log
    iter000/{spec,plan,test-results}/...          iter004/...
    spec/*.md  plan.md  test-results/*.md         history/...        (overwritten each round)

There is no standard, so a paper is known by the words in its name and in its folder's.  All else is
left alone: logs, build output, nested checkouts.  Links are never followed.
"""

import os
import re
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from scry.model import Problem

LARGEST = 256_000
"""Bytes of one paper."""
_MOST_PAPERS = 300
_MOST_ITERATIONS = 2_000
_MOST_ENTRIES = 20_000
_DEPTH = 3
_SUFFIXES = (".md", ".markdown", ".json")

GOAL, PLAN, VERDICT, LEARNED = "goal", "plan", "verdict", "prose"
_ROLES = {
    GOAL: "goal goals objective mission brief spec specs prd prompt requirements task",
    PLAN: "plan plans hypothesis approach strategy todo tasks roadmap",
    LEARNED: "insights learnings learned lessons progress handoff analysis notes",
    VERDICT: """verdict verdicts result results review reviews status score scores grade eval evals
    evaluation judge critique check checks summary state report outcome feedback assessment tree
    metrics qa""",
}
_ROLE_OF = {word: role for role, words in _ROLES.items() for word in words.split()}
_CONTAINERS = frozenset("iterations iters iter iteration rounds cycles attempts loops".split())
_HISTORIES = frozenset("history versions archive".split())
_STEP = r"(?:iteration|iter|round|cycle|attempt|loop)"
_NUMBERED = re.compile(rf"({_STEP}[-_. ]?\d{{1,9}})(?=[-_. ]|\Z)", re.IGNORECASE)
_INSIDE = re.compile(rf"((?:{_STEP}|step|run|v|no)?[-_. ]?\d{{1,9}})(?=[-_. ]|\Z)", re.IGNORECASE)
_NEVER = frozenset(
    """node_modules target dist build out venv env vendor logs log __pycache__ coverage site-packages
    bin obj tmp cache artifacts""".split()
)
_ROOMS = frozenset("ralph loop runner agent".split())
"""Words in the names of folders of a run that hold papers of several kinds."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A file that is read: as what, and what it is called in every iteration.

    `data` is what an earlier version held; None for the file as it is.
    """

    path: Path
    role: str
    key: str
    size: int
    changed_ns: int
    data: bytes | None = None


@dataclass(slots=True)
class Round:
    """The papers of one iteration, or those that belong to the run as a whole.

    With `adds` it holds only what has changed: checks that it does not judge stand as before.
    """

    name: str
    papers: list[Paper] = field(default_factory=list)
    adds: bool = False


@dataclass(slots=True)
class Layout:
    """What a folder holds: papers of the run, its iterations in order, what was left out."""

    top: Round
    rounds: list[Round]
    problems: list[Problem]


def layout_of(folder: Path) -> Layout:
    """Return what is to be read of a run; looks at names only."""
    top, rounds = Round(""), dict[str, Round]()
    for entry in _entries(folder):
        number = _NUMBERED.match(entry.name)
        if number:
            _add(rounds, number[1], entry)
        elif not entry.is_dir():
            _paper(entry, "", top.papers)
        elif _is_series(entry.name):
            _series(entry, rounds)
        elif set(_words(entry.name)) & (_ROLE_OF.keys() | _ROOMS) and not _is_closed(entry):
            _room(entry, top, rounds)
    ordered = sorted(rounds.values(), key=lambda one: natural(one.name))
    kept = ordered[-_MOST_ITERATIONS:]
    problems = [
        Problem(str(folder / one.name), f"only the first {_MOST_PAPERS} papers are read")
        for one in (top, *kept)
        if len(one.papers) == _MOST_PAPERS
    ]
    if len(kept) < len(ordered):
        problems.append(Problem(str(folder), f"only the last {len(kept):,} iterations are read"))
    return Layout(top, kept, problems)


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return a key that puts 10 behind 9."""
    return tuple(
        (int(part), "") if part.isdigit() else (-1, part.lower())
        for part in re.findall(r"[0-9]{1,18}|[^0-9]+", name)
    )


def _is_series(name: str) -> bool:
    return name.lower() in _CONTAINERS or name.lower() in _HISTORIES


def _series(top: os.DirEntry[str], rounds: dict[str, Round], room: str = "") -> None:
    """Add what a folder of iterations holds: numbered folders or files; a history, anything."""
    for entry in _entries(Path(top.path)):
        number = _INSIDE.match(entry.name)
        if top.name.lower() in _HISTORIES:
            _add(rounds, Path(entry.name).stem, entry, room)
        elif number:
            _add(rounds, number[1], entry, room)


def _add(rounds: dict[str, Round], name: str, entry: os.DirEntry[str], room: str = "") -> None:
    """Add a folder or file to its iteration.  A name that tells nothing is known by its `room`."""
    one = rounds.setdefault(name, Round(name))
    if entry.is_dir():
        _walk(entry, "", one.papers, room=room)
        return
    rest = entry.name[len(name) :].lstrip("-_. ")
    # A file that bears only its number is all there is of its iteration.
    alone = "verdict.json" if entry.name.endswith(".json") else "plan.md"
    _paper(entry, "", one.papers, name=rest if _role("", rest) else alone)


def _room(room: os.DirEntry[str], top: Round, rounds: dict[str, Round]) -> None:
    """Read a folder beside the iterations; it may hold iterations of its own papers."""
    for entry in _entries(Path(room.path)):
        if not entry.is_dir():
            _paper(entry, room.name, top.papers)
        elif _is_series(entry.name):
            _series(entry, rounds, room.name)
        elif not _is_closed(entry):
            _walk(entry, f"{room.name}/{entry.name}", top.papers)


def _walk(
    top: os.DirEntry[str], below: str, papers: list[Paper], depth: int = 1, room: str = ""
) -> None:
    """Add the papers of a folder and of the folders in it."""
    for entry in _entries(Path(top.path)):
        if not entry.is_dir():
            _paper(entry, below, papers, room=room)
        elif depth < _DEPTH and not _is_closed(entry):
            _walk(entry, f"{below}/{entry.name}".lstrip("/"), papers, depth + 1, room)


def _is_closed(folder: os.DirEntry[str]) -> bool:
    """Say whether a folder is none of the run's own: build output, or a checkout."""
    return folder.name.lower() in _NEVER or Path(folder.path, ".git").exists()


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return the files and folders in a folder, in order; no links, nothing hidden."""
    try:
        with os.scandir(folder) as scan:
            found = [
                entry
                for entry in islice(scan, _MOST_ENTRIES)
                if not entry.name.startswith(".")
                and (entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False))
            ]
    except OSError:
        return []
    return sorted(found, key=lambda entry: (natural(entry.name), entry.name))


def _paper(
    entry: os.DirEntry[str], below: str, papers: list[Paper], name: str = "", room: str = ""
) -> None:
    name = name or entry.name
    role = _role(below, name) or _role(room, "")
    if not role or not entry.name.lower().endswith(_SUFFIXES) or len(papers) >= _MOST_PAPERS:
        return
    if entry.name.lower().endswith(".json"):
        role = VERDICT  # Plans in JSON are lists of tasks with a status each.
    try:
        changed = entry.stat(follow_symlinks=False)
    except OSError:
        return  # Gone since the folder was listed.
    key = f"{below}/{name}".lstrip("/").lower()
    papers.append(Paper(Path(entry.path), role, key, changed.st_size, changed.st_mtime_ns))


def _role(below: str, name: str) -> str:
    """Return what a paper is: the folder that holds it decides, else the last word that tells."""
    for part in (*reversed(below.split("/")), name.rpartition(".")[0]):
        for word in reversed(_words(part)):
            if word in _ROLE_OF:
                return _ROLE_OF[word]
    return ""


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z]+", name.lower())
