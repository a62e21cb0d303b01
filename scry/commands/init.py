"""`scry init`: a store, made from the template."""

from pathlib import Path

import click

from scry.app import App
from scry.commands import FILE_PATH, answer, verb


@verb("init")
@click.argument("path", required=False, type=FILE_PATH)
def command(app: App, *, path: Path | None, as_json: bool) -> None:
    """Make a store, in PATH or where the environment says.

    It is harmless when there is one already, and every command that writes does it when needed.
    """
    from scry.store.init import init_store

    store = (path or app.store_path).absolute()
    created = init_store(store)
    said = f"Made a store in {store}." if created else f"{store} is a store already."
    answer(as_json, {"store": str(store), "created": created}, said)
