"""`scry path`: how two things hang together."""

from datetime import datetime

import click

from scry.app import App
from scry.commands import answer, as_known, as_of, verb
from scry.errors import Exit


@verb("path")
@click.argument("start", metavar="FROM")
@click.argument("goal", metavar="TO")
@as_of
@as_known
def command(
    app: App, *, start: str, goal: str, as_of: datetime | None, as_known: str, as_json: bool
) -> Exit | None:
    """Show the shortest chain of facts from one thing to another."""
    from scry.lookup import find_entity
    from scry.render import path_json, path_text
    from scry.route import path

    index = app.index(as_known)
    chain = path(index, start, goal, now=app.now, as_of=as_of)
    first, last = find_entity(index, start), find_entity(index, goal)
    answer(
        as_json,
        path_json(first.slug, last.slug, chain),
        path_text(index, first.name, last.name, chain),
    )
    return Exit.NO if chain is None else None
