"""`scry episodes`: the sessions in which a thing came up."""

import click

from scry.app import App
from scry.commands import answer, verb


@verb("episodes")
@click.argument("name")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True)
def command(app: App, *, name: str, limit: int, as_json: bool) -> None:
    """List the sessions about NAME, newest first."""
    from scry.lookup import episodes, find_entity
    from scry.render import episode_json, episode_line

    index = app.index()
    entity = find_entity(index, name)
    found = episodes(index, name, limit)
    answer(
        as_json,
        {"entity": entity.slug, "episodes": [episode_json(episode) for episode in found]},
        "\n".join(map(episode_line, found)) or f"No session speaks of {entity.name}.",
    )
