"""`scry entities`: all things that are known."""

import click

from scry.app import App
from scry.commands import answer, verb
from scry.model import ENTITY_TYPES


@verb("entities")
@click.option("--type", "type_", type=click.Choice(ENTITY_TYPES), default=None)
def command(app: App, *, type_: str | None, as_json: bool) -> None:
    """List the things that are known, by name."""
    from scry.lookup import entities
    from scry.render import entity_json, entity_line

    found = entities(app.index(), type_ or "")
    answer(
        as_json,
        {"entities": [entity_json(e) | {"path": e.path} for e in found]},
        "\n".join(map(entity_line, found)) or "Nothing is known yet.",
    )
