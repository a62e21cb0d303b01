"""`scry undo`: take an ingestion back; it stays undone until the commit is reverted."""

import click

from scry.app import App
from scry.commands import answer, verb
from scry.commands._report import still_waiting
from scry.errors import Exit
from scry.repair import undo


@verb("undo")
@click.argument("ref", metavar="COMMIT|EPISODE|SESSION")
def command(app: App, *, ref: str, as_json: bool) -> Exit | None:
    """Take back what an ingestion said; its episodes stay, marked as undone."""
    applied, undone = undo(app.ingest(), ref)
    text = (
        f"Undone: {', '.join(undone)} (commit {applied.commit[:10]}; "
        f"`git revert {applied.commit[:10]}` in the store takes this back)."
        if applied.commit
        else f"Nothing to do: {', '.join(undone)} had been undone before."
    )
    answer(as_json, {"commit": applied.commit, "undone": undone}, text)
    return still_waiting(applied)
