"""`scry split`: undo a merge, or move facts to a thing of their own."""

import click

from scry.app import App
from scry.commands import verb
from scry.commands._mended import mended
from scry.errors import Exit


@verb("split")
@click.argument("name")
@click.argument("new", required=False, default="")
@click.option("--fact", "facts", multiple=True, metavar="FACT", help="Move this fact to NEW.")
@click.option("--type", "kind", default="", help="What NEW is, if it is made; else as NAME.")
def command(
    app: App, *, name: str, new: str, facts: tuple[str, ...], kind: str, as_json: bool
) -> Exit | None:
    """Let NAME stand for itself again; or move facts about NAME to NEW."""
    from scry.mending import clean_name, part, split

    if bool(new) != bool(facts) or (kind and not new):
        raise click.UsageError(
            "Give NAME alone to undo its merge, or NAME, NEW and one --fact or more."
        )
    if not new:
        return mended(app, lambda index, said: split(index, said, name), as_json=as_json)
    clean = clean_name(new, app.redact)
    return mended(
        app,
        lambda index, said: part(index, said, name, clean, facts=facts, kind=kind),
        as_json=as_json,
    )
