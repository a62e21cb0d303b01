"""`scry facts`: everything that is known about one thing."""

from datetime import datetime

import click

from scry.app import App
from scry.commands import answer, as_known, as_of, verb


@verb("facts")
@click.argument("name")
@click.option("--ended", is_flag=True, help="Show what has ended as well.")
@as_of
@as_known
def command(
    app: App, *, name: str, ended: bool, as_of: datetime | None, as_known: str, as_json: bool
) -> None:
    """List the facts about NAME, newest first."""
    from scry.lookup import facts
    from scry.render import fact_json, fact_lines

    index = app.index(as_known)
    found = facts(index, name, now=app.now, as_of=as_of, ended=ended)
    answer(
        as_json,
        {"facts": [fact_json(fact) for fact in found]},
        "\n".join(fact_lines(index, found)) or "No fact holds; try --ended.",
    )
