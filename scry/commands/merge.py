"""`scry merge`: two names for one thing become one; no spelling is lost."""

import click

from scry.app import App
from scry.commands import verb
from scry.commands._mended import mended
from scry.errors import Exit


@verb("merge")
@click.argument("loser")
@click.argument("winner")
def command(app: App, *, loser: str, winner: str, as_json: bool) -> Exit | None:
    """Let everything that is called LOSER be found under WINNER, and the other way round."""
    from scry.mending import merge

    return mended(app, lambda index, said: merge(index, said, loser, winner), as_json=as_json)
