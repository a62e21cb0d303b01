"""`scry end`: say that something is no longer so."""

from datetime import datetime

import click

from scry.app import App
from scry.commands import TIME, verb
from scry.commands._mended import mended
from scry.errors import Exit


@verb("end")
@click.argument("fact")
@click.option("--at", type=TIME, help="When it stopped; now, if not given.")
def command(app: App, *, fact: str, at: datetime | None, as_json: bool) -> Exit | None:
    """Say that FACT no longer holds; only a newer statement begins it again."""
    from scry.mending import end

    when = at or app.now
    return mended(app, lambda index, said: end(index, said, fact, when), as_json=as_json)
