"""`scry log`: what was learned, ingestion by ingestion."""

import re

import click

from scry.app import App
from scry.commands import answer, verb
from scry.commands._history import history
from scry.index import Index
from scry.model import Commit, Record
from scry.text import iso, one_line

_ENDED = re.compile(r" \(ended [\d-]{10}\)$")


@verb("log")
@click.argument("name", required=False, default="")
@click.option("-n", "limit", type=click.IntRange(min=1), default=20, show_default=True)
def command(app: App, *, name: str, limit: int, as_json: bool) -> None:
    """Show what was learned, in all or about NAME, newest first."""
    paths = _paths_about(app.index(), name) if name else []
    commits = history(app, limit=limit, paths=paths)
    answer(
        as_json,
        {"commits": [commit_json(commit) for commit in commits]},
        "\n".join(map(_lines, commits)) or "Nothing has been learned yet.",
    )


def commit_json(commit: Commit) -> dict[str, object]:
    """Return a commit as the contract has it; `added` and `ended` are statements."""
    return {
        "id": commit.id,
        "date": iso(commit.date),
        "subject": commit.subject,
        "episodes": [value for key, value in commit.trailers if key == "Scry-Episode"],
        "added": [line[2:] for line in commit.lines if line.startswith("+ ")],
        "ended": [_ENDED.sub("", line[2:]) for line in commit.lines if line.startswith("- ")],
        "doubtful": [line[2:] for line in commit.lines if line.startswith("! ")],
    }


def _paths_about(index: Index, name: str) -> list[str]:
    """Return the files of an entity, of its facts, and of the episodes about it."""
    from scry.lookup import citing, find_entity

    entity = find_entity(index, name)
    records: list[Record] = [entity, *index.facts_of(entity.slug), *citing(index, {entity.slug})]
    return sorted({record.path for record in records if record.path})


def _lines(commit: Commit) -> str:
    head = f"{iso(commit.date)[:10]}  {commit.id[:10]}  {one_line(commit.subject, 100)}"
    told = [line for line in commit.lines if line[:2] in ("+ ", "- ", "? ", "! ", "= ")]
    return "\n".join([head, *(f"    {one_line(line, 160)}" for line in told)])
