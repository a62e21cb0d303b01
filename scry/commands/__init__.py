"""One file a command; `_group` finds them by their names and imports only the one asked for.

    @verb("recall")
    @click.argument("query")
    def command(app: App, *, query: str, as_json: bool) -> Exit | None:
        '''Answer a question.'''
        answer(as_json, {...}, "text")

`verb` adds `--json` and `--store`, which may also stand before the command's name.  Answers go
to stdout, everything else to stderr.
"""

import functools
import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import click

from scry.app import App, utc_now
from scry.errors import Exit
from scry.text import clean_prose, one_line
from scry.when import read_time

# What may stand raw in JSON and would steer a terminal or hide text there.
_STEERING = re.compile(
    r"[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff"
    r"\U000e0000-\U000e007f]"
)


def verb(
    name: str, *, hidden: bool = False
) -> Callable[[Callable[..., Exit | None]], click.Command]:
    """Make a command of a function, which is called with the app and what was given.

    The function returns the exit code, or None when all is done.
    """

    def wrap(function: Callable[..., Exit | None]) -> click.Command:
        @click.command(name, hidden=hidden)
        @click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
        @click.option("--store", type=FILE_PATH, help="Use the store in this folder.")
        @click.pass_context
        @functools.wraps(function)
        def run(
            context: click.Context, /, *, as_json: bool, store: Path | None, **given: object
        ) -> int:
            before = context.find_root().params
            app = App.of_environment(os.environ, store or before.get("store"))
            code = function(app, as_json=as_json or bool(before.get("as_json")), **given)
            return int(code or Exit.DONE)

        return run

    return wrap


class FilePath(click.Path):
    """A path as people give it; "", as of a variable that is not set, is none."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Return the path.  An empty one would mean the current folder, which nobody asked for."""
        if not os.fspath(value):
            self.fail("the path is empty. Give a file or a folder; `.` is the current one.")
        return super().convert(value, param, ctx)


FILE_PATH = FilePath()


class Time(click.ParamType[datetime]):
    """A time as people give it (see `scry.when`)."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Return the moment, in UTC."""
        if isinstance(value, datetime):
            return value
        moment = read_time(str(value), utc_now())
        if moment is None:
            self.fail(
                f"'{one_line(str(value))}' is no time. "
                "Give a date such as 2026-08-01, `yesterday` or `2 weeks ago`.",
                param,
                ctx,
            )
        return moment


TIME = Time()

as_of = click.option("--as-of", type=TIME, help="Ask what was true then.")
as_known = click.option(
    "--as-known", default="", metavar="TIME|REV", help="Ask what was known then, or at a commit."
)


def answer(as_json: bool, data: Mapping[str, object], text: str) -> None:  # noqa: FBT001 -- the flag as given
    """Print an answer: one JSON object, or text that is safe for a terminal."""
    if as_json:
        click.echo(dumped(data))
    elif text:
        click.echo(clean_prose(text).rstrip("\n"))


def dumped(data: Mapping[str, object]) -> str:
    """Return an object as JSON on one line, safe for a terminal and for its encoding."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    text = json.dumps(data, ensure_ascii=encoding != "utf8")
    return _STEERING.sub(lambda found: json.dumps(found[0])[1:-1], text)


def tell(text: str) -> None:
    """Print a message that is no answer, to stderr."""
    click.echo(clean_prose(text), err=True)


def current_folder() -> Path | None:
    """Return the folder that we stand in; None, with a message, when somebody has removed it."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        tell("scry: the current folder is gone; this goes on without one.")
        return None


def at_terminal() -> bool:
    """Say whether somebody can be asked; a stream that was closed is nobody's."""
    streams = (sys.stdin, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams)


def plural(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> plural(1, "episode"), plural(2, "entity")
    ('1 episode', '2 entities')
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1] + 'ies' if noun.endswith('y') else noun + 's'}"
