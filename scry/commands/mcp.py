"""`scry mcp`: the server that agents start and ask."""

import os

from scry.app import App
from scry.commands import verb


@verb("mcp")
def command(app: App, *, as_json: bool) -> None:
    """Serve an agent over the Model Context Protocol, on stdin and stdout."""
    from scry.mcp import serve

    del as_json  # The protocol is all that goes to stdout.
    serve(os.environ, app.store_path)
