"""`scry recall`: what is known about a question."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from scry.app import App
from scry.commands import FILE_PATH, answer, as_known, as_of, plural, tell, verb
from scry.errors import Exit


@verb("recall")
@click.argument("query", nargs=-1, required=True)
@as_of
@as_known
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True)
@click.option("--cwd", type=FILE_PATH, help="Ask from this folder: its repository counts.")
@click.option("--ended", is_flag=True, help="Show what has ended as well.")
def command(
    app: App,
    *,
    query: tuple[str, ...],
    as_of: datetime | None,
    as_known: str,
    limit: int,
    cwd: Path | None,
    ended: bool,
    as_json: bool,
) -> Exit | None:
    """Answer QUERY, a name or a question, from what is known."""
    from scry.recall import recall
    from scry.render import recollection, recollection_json
    from scry.text import clean_prose

    index = app.index(as_known)
    found = recall(
        index,
        clean_prose(" ".join(query)),
        now=app.now,
        as_of=as_of,
        limit=limit,
        repo=app.repo_of(cwd) if cwd else "",
        ended=ended,
        evidence=app.reader.evidence,
    )
    found = replace(found, query=app.echo(found.query))
    if index.problems:
        tell(f"{plural(len(index.problems), 'file')} of the store cannot be read: scry check")
    if as_json:
        answer(as_json, recollection_json(found), "")
    else:
        swept = None if found else last_sweep(app)
        answer(as_json, {}, recollection(index, found, last_sweep=swept))
    return None if found.facts or found.episodes else Exit.NO


def last_sweep(app: App) -> datetime | None:
    """Return when the last sweep was; None for never, or when it is not on record here."""
    from scry.due import LAST_SWEEP
    from scry.text import parse_time

    return parse_time(app.reader.local(LAST_SWEEP).strip())
