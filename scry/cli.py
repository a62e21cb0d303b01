"""`scry`, the command line: runs a command, and turns every error into a sentence and a code.

Only what Python has loaded already is imported at the top: whoever presses Ctrl-C while the rest
is being loaded gets the same answer as later, and no traceback.
"""

import os
import sys
from collections.abc import Sequence
from typing import IO

_PIPE = 141
"""What a program says that was stopped by SIGPIPE: its reader has gone, as in `scry log | head`."""
_INTERRUPTED = 130


def main() -> None:
    """Run `scry` with the arguments of the process, and end it."""
    try:
        _load()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = _stopped()
    sys.exit(code)


def _load() -> None:
    """Import what every command needs; Ctrl-C ends the process meanwhile, for nothing has begun.

    An exception would not do: Python prints those that come while it cleans up after an import.
    """
    import signal

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        return  # It is to be ignored, as in the background of a shell.
    signal.signal(signal.SIGINT, lambda *_: os._exit(_stopped()))
    try:
        import scry.commands._group  # noqa: F401 -- for later
    finally:
        signal.signal(signal.SIGINT, before)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; no foreseeable error leaves as a traceback."""
    from io import TextIOWrapper

    if asked := os.environ.get("_SCRY_COMPLETE"):
        from click.shell_completion import shell_complete

        from scry.commands._group import group

        return shell_complete(group, {}, "scry", "_SCRY_COMPLETE", asked)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # A letter that the terminal lacks shows as "?".
    try:
        code = _run(arguments)
        _flush()
    except BrokenPipeError:
        _drop_output()
        return _PIPE
    return code


def _run(arguments: Sequence[str]) -> int:
    import click

    from scry.commands._group import group
    from scry.errors import Exit, ScryError, StoreError

    try:
        # Not `group.main`, which would end the process by itself when the reader has gone.
        with group.make_context("scry", list(arguments)) as context:
            code = group.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _stopped()
    except ScryError as error:
        return _said(str(error), error.exit_code)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _said(_sentence(error), StoreError.exit_code)
    return int(code or Exit.DONE)


def _stopped() -> int:
    """Say that we were interrupted; nothing is imported for it, for there may be a second Ctrl-C."""
    sys.stderr.write("scry: Stopped. What was finished is stored.\n")
    return _INTERRUPTED


def _said(message: str, code: int) -> int:
    import click

    from scry.redact import redact
    from scry.text import clean_prose

    # An error may quote what a server or a file said.
    click.echo(f"scry: {clean_prose(redact(message))}", err=True)
    return int(code)


def _sentence(error: OSError) -> str:
    """Say what the system refused, of which file, and what next."""
    if error.filename is None and isinstance(error, FileNotFoundError) and _is_nowhere():
        return "The current folder is gone. Go to another one and run the command again."
    where = f"{os.fsdecode(error.filename)}: " if error.filename is not None else ""
    why = error.strerror or str(error) or type(error).__name__
    return (
        f"{where}{why[:1].lower()}{why[1:]}. What was finished is stored; "
        "put this right and run the command again."
    )


def _is_nowhere() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 -- Path.cwd is no better, and slower to import
    except FileNotFoundError:
        return True
    return False


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        _flush_one(stream)


def _flush_one(stream: IO[str] | None) -> None:
    if stream is not None and not stream.closed:
        stream.flush()


def _drop_output() -> None:
    """Let Python's own flush at exit go nowhere, or it would complain about the pipe."""
    from io import TextIOWrapper

    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            os.dup2(nowhere, stream.fileno())
