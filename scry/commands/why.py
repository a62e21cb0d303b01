"""`scry why`: where a fact comes from, down to the line of the transcript."""

from collections.abc import Sequence
from typing import Any

import click

from scry.app import App
from scry.commands import answer, verb
from scry.commands._history import history
from scry.commands._source import GONE, words_of
from scry.index import Index
from scry.lookup import Support
from scry.model import Commit, Fact
from scry.text import iso, one_line


@verb("why")
@click.argument("fact")
def command(app: App, *, fact: str, as_json: bool) -> None:
    """Show where FACT comes from, down to the words that were said.

    FACT is an id, its beginning, the handle that answers show in brackets, or a file.
    """
    from scry.lookup import find_fact, why
    from scry.render import fact_json

    index = app.index()
    found = find_fact(index, fact)
    commits = history(app, paths=[found.path])
    rows = [_row(app, index, support) for support in why(index, found)]
    data = {
        "fact": fact_json(found),
        "commits": [{"id": c.id, "date": iso(c.date), "subject": c.subject} for c in commits],
        "episodes": rows,
    }
    answer(as_json, data, _text(found, commits, rows))


def _row(app: App, index: Index, support: Support) -> dict[str, Any]:
    """Return one citation: the episode, the line, whether it still stands so, and the words."""
    from scry.render import episode_json

    cited = support.citation
    if support.episode is None:
        return {"id": cited.episode, "line": cited.line, "state": GONE, "quote": ""}
    words = words_of(app, index, support.episode)
    return {
        **episode_json(support.episode),
        "line": cited.line,
        "said_at": iso(cited.at or support.episode.occurred_at),
        "state": words.state,
        "quote": words.at(cited.line) or (support.episode.summary if not cited.line else ""),
    }


def _text(fact: Fact, commits: Sequence[Commit], rows: list[dict[str, Any]]) -> str:
    from scry.render import fact_line

    lines = [fact_line(fact), f"  file    {fact.path}"]
    if fact.reason:
        lines.append(f"  waits   {one_line(fact.reason)}")
    lines += [
        f"  commit  {iso(c.date)[:10]} {c.id[:10]} {one_line(c.subject, 100)}" for c in commits
    ]
    for row in rows:
        lines.append(f"  said    {_place(row)}")
        if row["quote"]:
            lines.append(f"          “{one_line(row['quote'], 600)}”")
    if not rows:
        lines.append("  said    by nobody on record; somebody wrote the file by hand")
    return "\n".join(lines)


def _place(row: dict[str, Any]) -> str:
    if "span" not in row:
        return f"{row['id']}: the episode is not in the store"
    line = f":{row['line']}" if row["line"] else f":{row['span']['first']}-{row['span']['last']}"
    return f"{row['said_at'][:10]} {row['span']['path']}{line} ({row['state']}) [{row['id']}]"
