"""What the repair verbs print: what is so now, how to take it back, and what waits."""

from collections.abc import Callable

from scry.app import App
from scry.commands import answer, tell
from scry.commands._report import still_waiting
from scry.errors import Exit
from scry.index import Index
from scry.mending import Mended, mend


def mended(
    app: App, verb: Callable[[Index, Callable[[str], str]], Mended], *, as_json: bool
) -> Exit | None:
    """Write what a verb changes, and say so; `commit` is "" where all was so already."""
    ingest = app.ingest()
    done, applied = mend(ingest, verb, app.store().dirty)
    for note in done.notes if applied.commit else ():
        tell(f"scry: {note}")
    back = (
        f" (commit {applied.commit[:10]}; `git revert {applied.commit[:10]}` in the store "
        "takes this back)"
        if applied.commit
        else ""
    )
    answer(as_json, {"commit": applied.commit}, done.said.removesuffix(".") + back + ".")
    return still_waiting(applied)
