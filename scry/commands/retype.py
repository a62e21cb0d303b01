"""`scry retype`: say what kind of thing something is."""

import click

from scry.app import App
from scry.commands import verb
from scry.commands._mended import mended
from scry.errors import Exit
from scry.model import ENTITY_TYPES


@verb("retype")
@click.argument("name")
@click.argument("kind", metavar="TYPE", type=click.Choice(ENTITY_TYPES))
def command(app: App, *, name: str, kind: str, as_json: bool) -> Exit | None:
    """Say what kind of thing NAME is; no machine changes that again."""
    from scry.mending import retype

    return mended(app, lambda index, said: retype(index, said, name, kind), as_json=as_json)
