"""`scry forget`: remove something from the present; it does not come back by itself."""

import click

from scry.app import App
from scry.commands import answer, verb
from scry.commands._report import still_waiting
from scry.errors import Exit
from scry.repair import forget


@verb("forget")
@click.argument("ref", metavar="FACT|ENTITY|EPISODE")
def command(app: App, *, ref: str, as_json: bool) -> Exit | None:
    """Forget a fact, all facts about an entity, or what an episode alone supports."""
    applied, gone = forget(app.ingest(), ref, app.now)
    text = (
        f"Forgotten: {', '.join(gone)} (commit {applied.commit[:10]}; "
        f"`git revert {applied.commit[:10]}` in the store takes this back)."
        if applied.commit
        else "There was nothing left to forget."
    )
    answer(as_json, {"commit": applied.commit, "forgotten": gone}, text)
    return still_waiting(applied)
