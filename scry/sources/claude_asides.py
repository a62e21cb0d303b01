"""Side questions (`/btw`) of a Claude Code session: files of their own beside it.

`SESSION/subagents/agent-aside_question-*.jsonl` is a copy of the session so far, with the same
record ids, then one user record that begins with a reminder of the harness and ends with the
question, then the answer.  Only what comes from there on is new.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from scry.errors import SourceError
from scry.model import Problem, Said
from scry.sources.claude_records import Reading
from scry.sources.jsonl import Lines


def asides_of(session: Path, known: frozenset[str]) -> tuple[list[Said], list[Problem]]:
    """Return the questions asked aside and their answers, the earliest first, with the bad lines.

    Args:
        session: the session's file.
        known: ids of the session's own records.
    """
    found: list[tuple[str, str, list[Said]]] = []
    problems: list[Problem] = []
    for path in _files(session):
        lines, reading = Lines(path), Reading(sidechain=True, skip=known)
        try:
            for number, record in lines:
                reading.feed(record, number)
        except SourceError as error:
            problems.append(Problem(str(path), str(error)))
            continue
        problems += lines.problems
        said = list(_from_the_question(reading, str(path)))
        if said:
            at = said[0].at
            found.append((at.isoformat() if at else "", path.name, said))
    return [one for _, _, said in sorted(found, key=lambda f: f[:2]) for one in said], problems


def _files(session: Path) -> list[Path]:
    folder = os.path.splitext(session)[0] + "/subagents"  # noqa: PTH122 -- for each file there is
    if not os.path.isdir(folder):  # noqa: PTH112 -- as nearly always
        return []
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208
    except OSError:
        return []
    wanted = (n for n in names if n.startswith("agent-aside") and n.endswith(".jsonl"))
    return [Path(folder, name) for name in wanted]


def _from_the_question(reading: Reading, file: str) -> Iterator[Said]:
    """Yield the last prompt of the file and what was answered to it."""
    said = [entry.event for entry in reading.entries if isinstance(entry.event, Said)]
    prompts = [n for n, one in enumerate(said) if one.role == "user"]
    for one in said[prompts[-1] :] if prompts else ():
        yield replace(one, kind="btw", file=file)
