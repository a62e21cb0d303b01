"""`scry alias`: further names for a thing, and names that are not its own."""

import click

from scry.app import App
from scry.commands import verb
from scry.commands._mended import mended
from scry.errors import Exit


@verb("alias")
@click.argument("name")
@click.option("--add", multiple=True, metavar="ALIAS", help="It is called this as well.")
@click.option("--reject", multiple=True, metavar="ALIAS", help="It is not called this.")
def command(
    app: App, *, name: str, add: tuple[str, ...], reject: tuple[str, ...], as_json: bool
) -> Exit | None:
    """Give NAME further names, or take names from it that then stay away."""
    from scry.mending import alias, clean_name

    if not add and not reject:
        raise click.UsageError("Give --add ALIAS or --reject ALIAS.")
    added = [clean_name(one, app.redact) for one in add]
    gone = [clean_name(one, app.redact) for one in reject]
    return mended(
        app,
        lambda index, said: alias(index, said, name, add=added, reject=gone),
        as_json=as_json,
    )
