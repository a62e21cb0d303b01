"""`scry`, the command line: finds the command, and turns every error into a sentence and a code.

A command is a file in `scry/commands/`, imported only when it is asked for: the start of Scry
costs the start of Python, click and that one file.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import IO

import click

import scry
from scry.errors import Exit, ScryError, StoreError

_COMMANDS = Path(__file__).parent / "commands"
_PIPE = 141
"""What a program says that was stopped by SIGPIPE: its reader has gone, as in `scry log | head`."""


class Commands(click.Group):
    """The commands in `scry/commands/`, each imported when it is first needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        del ctx
        found = (path.stem for path in _COMMANDS.glob("*.py"))
        return sorted(name for name in found if not name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name, or None when there is none."""
        if cmd_name == "memory" and ctx.parent is None:
            return Commands("memory", hidden=True, help=self.help)
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"scry.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its first sentence, wrapped where click would cut it."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(n, c.get_short_help_str(200)) for n, c in commands if c and not c.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one is a usage error that names those spelt like it."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=self.list_commands(ctx), ctx=ctx
            ) from None


@click.command("scry", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(scry.__version__, prog_name="scry")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--store", type=click.Path(path_type=Path), help="Use the store in this folder.")
def group(as_json: bool, store: Path | None) -> None:  # noqa: FBT001 -- as click passes it
    """Remember what was said to coding agents: Markdown files in a git repository.

    `scry sweep` takes in their transcripts, `scry recall` asks.
    """
    del as_json, store  # The commands read them from the context.


def main() -> None:
    """Run `scry` with the arguments of the process, and end it."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; no foreseeable error leaves as a traceback."""
    if asked := os.environ.get("_SCRY_COMPLETE"):
        from click.shell_completion import shell_complete

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
        return _said("Stopped. What was finished is stored.", Exit.INTERRUPTED)
    except ScryError as error:
        return _said(str(error), error.exit_code)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _said(_sentence(error), StoreError.exit_code)
    return int(code or Exit.DONE)


def _said(message: str, code: int) -> int:
    from scry.redact import redact
    from scry.text import clean_prose

    # An error may quote what a server or a file said.
    click.echo(f"scry: {clean_prose(redact(message))}", err=True)
    return int(code)


def _sentence(error: OSError) -> str:
    """Say what the system refused, of which file, and what next."""
    where = f"{os.fsdecode(error.filename)}: " if error.filename is not None else ""
    why = error.strerror or str(error) or type(error).__name__
    return (
        f"{where}{why[:1].lower()}{why[1:]}. What was finished is stored; "
        "put this right and run the command again."
    )


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        _flush_one(stream)


def _flush_one(stream: IO[str] | None) -> None:
    if stream is not None and not stream.closed:
        stream.flush()


def _drop_output() -> None:
    """Let Python's own flush at exit go nowhere, or it would complain about the pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            os.dup2(nowhere, stream.fileno())
