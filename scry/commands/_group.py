"""All commands as one: found by the names of their files, each imported when it is asked for."""

from importlib import import_module
from pathlib import Path

import click

import scry
from scry.commands import FILE_PATH

_COMMANDS = Path(__file__).parent


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
@click.option("--store", type=FILE_PATH, help="Use the store in this folder.")
def group(as_json: bool, store: Path | None) -> None:  # noqa: FBT001 -- as click passes it
    """Remember what was said to coding agents: Markdown files in a git repository.

    `scry sweep` takes in their transcripts, `scry recall` asks.
    """
    del as_json, store  # The commands read them from the context.
