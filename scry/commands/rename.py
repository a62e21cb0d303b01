"""`scry rename`: another name for a thing; the old ones go on finding it."""

import click

from scry.app import App
from scry.commands import verb
from scry.commands._mended import mended
from scry.errors import Exit


@verb("rename")
@click.argument("name")
@click.argument("new")
def command(app: App, *, name: str, new: str, as_json: bool) -> Exit | None:
    """Call NAME by another name; every old one goes on finding it."""
    from scry.mending import clean_name, rename

    clean = clean_name(new, app.redact)
    return mended(app, lambda index, said: rename(index, said, name, clean), as_json=as_json)
