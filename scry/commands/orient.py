"""`scry orient`: what a session should know before it begins.

A hook prints it into an agent's session, so it never fails one: what went wrong is said on
stderr, the answer is empty and the exit code 0.
"""

from pathlib import Path
from time import perf_counter

import click

from scry.app import App
from scry.commands import answer, current_folder, tell, verb
from scry.errors import ScryError
from scry.orient import Orientation


@verb("orient")
@click.option(
    "--cwd", type=click.Path(path_type=Path), help="Orient for this folder.  [default: here]"
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=500,
    show_default=True,
    metavar="TOKENS",
    help="Say no more than this.",
)
def command(app: App, *, cwd: Path | None, budget: int, as_json: bool) -> None:
    """Show what a session in this repository should know.

    Rules, commands, blockers, decisions; nothing at all when nothing is known.
    """
    from scry.render import orientation_json

    begun = perf_counter()
    try:
        found = oriented(app, cwd or current_folder(), budget)
    except (ScryError, OSError) as error:
        tell(f"scry: {error}")
        found = Orientation()
    ms = round((perf_counter() - begun) * 1000)
    answer(as_json, orientation_json(found, ms), found.markdown)


def oriented(app: App, cwd: Path | None, budget: int) -> Orientation:
    """Return the block for a session in a folder."""
    from scry.orient import orient

    index = app.index()
    return orient(
        index,
        repo=app.repo_of(cwd) if cwd else "",
        now=app.now,
        budget=budget,
        cwd_name=cwd.absolute().name if cwd else "",
    )
