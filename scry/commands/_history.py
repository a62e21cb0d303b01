"""What only git knows of a store, for commands that read; none of them makes a store."""

from collections.abc import Sequence

from scry.app import App
from scry.model import Commit


def history(app: App, *, limit: int = 0, paths: Sequence[str] = ()) -> Sequence[Commit]:
    """Return the commits of a store, newest first; those that touched `paths`, if given.

    Raises:
        NotAStoreError: there is none, and none is made.
    """
    _ = app.reader
    return app.store().log(limit=limit, paths=paths)
