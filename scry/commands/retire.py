"""`scry retire`: take back everything that one source has said since some day."""

from datetime import datetime

import click

from scry.app import App
from scry.commands import TIME, answer, plural, verb
from scry.commands._report import still_waiting
from scry.errors import Exit


@verb("retire")
@click.option("--source", required=True, metavar="SOURCE", help="The agent, as in `scry show`.")
@click.option("--since", required=True, type=TIME, help="Leave what began before that.")
def command(app: App, *, source: str, since: datetime, as_json: bool) -> Exit | None:
    """Take back all that a source has said in sessions since a time."""
    from scry.repair import retire

    applied, undone = retire(app.ingest(), source, since)
    text = (
        f"Retired {plural(len(undone), 'episode')} of {source} (commit {applied.commit[:10]}; "
        f"`git revert {applied.commit[:10]}` in the store takes this back)."
        if applied.commit
        else f"Nothing to do: no episode of {source} since then still counts."
    )
    answer(as_json, {"commit": applied.commit, "undone": undone}, text)
    return still_waiting(applied)
