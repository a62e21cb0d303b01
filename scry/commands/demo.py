"""`scry demo`: the whole journey, on bundled transcripts, in a throwaway home.

    $ scry sweep                six sessions of two agents in two repositories become a store
    $ scry recall pier1         and so on: what is shown is what these commands print

The commands are the real ones; only the home, the store and the clock are the demo's own, so that
it says the same on every machine and touches nothing of the user's.  The transcripts lie in
`scry/_demo/` with `@HOME@` for the home folder and `@SECRET@` for a key that opens nothing.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from datetime import UTC, datetime
from importlib import import_module
from inspect import unwrap
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import click

from scry.app import App
from scry.commands import answer, plural, verb
from scry.errors import StoreError
from scry.ports import Places
from scry.text import parse_time

BUNDLED = Path(__file__).parent.parent / "_demo"
TODAY = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
"""When the demo takes place: some days after the last session."""

_FOLDER = "-home-nora-src-ferrybot"
"""As Claude Code names it; the home's real path changes from run to run."""
_STORY = """\
Nora works on two small programs, ferrybot and quayside, with two agents, Claude Code and Codex.
Between September and November they left six transcripts in a home folder, which is a throwaway
one here.  No model is asked, and nothing leaves this machine."""
_REPO_CONFIG = """\
[core]
	repositoryformatversion = 0
[remote "origin"]
	url = https://github.com/nora/{name}.git
"""


@verb("demo")
@click.option("--keep", is_flag=True, help="Leave the throwaway home and store where they are.")
def command(app: App, *, keep: bool, as_json: bool) -> None:
    """Show the whole journey on bundled transcripts in a throwaway store."""
    del app  # The user's own store is neither read nor written.
    top = Path(tempfile.mkdtemp(prefix="scry-demo-")).resolve()
    try:
        lay_out(top / "home")
        demo = demo_app(top)
        steps = []
        if not as_json:
            click.echo(_STORY)
        for shown, arguments in _scenes(demo):
            printed = _run(demo, [*arguments, *(["--json"] if as_json else [])])
            steps.append({"command": shown, "output": json.loads(printed) if as_json else printed})
            if not as_json:
                click.echo(f"\n$ {shown}\n{printed.rstrip()}")
        traces = secret_traces(demo)
        kept = str(demo.store_path) if keep else ""
        data = {"steps": steps, "log": _log(demo), "secret": traces, "kept": kept}
        answer(as_json, data, _ending(demo, traces, kept))
    finally:
        if not keep:
            shutil.rmtree(top, ignore_errors=True)


def demo_app(top: Path) -> App:
    """Return the app of the throwaway home; its clock stands at `TODAY`."""
    home = top / "home"
    return App(
        home=home / ".scry",
        store_path=home / ".scry" / "store",
        places=Places(home=home, claude=home / ".claude", codex=home / ".codex"),
        clock=lambda: TODAY,
    )


# --- the home -----------------------------------------------------------------------------------


def lay_out(home: Path) -> None:
    """Put the transcripts where the two agents keep theirs, as old as they say that they are."""
    for source in sorted((BUNDLED / "claude").glob("*.jsonl")):
        _write(home / ".claude" / "projects" / _FOLDER / source.name, _filled(source, home))
    for source in sorted((BUNDLED / "codex").glob("*.jsonl")):
        day = source.name.removeprefix("rollout-")[:10].split("-")
        _write(home.joinpath(".codex", "sessions", *day, source.name), _filled(source, home))
    for name in ("ferrybot", "quayside"):
        git = home / "src" / name / ".git"
        for part in ("objects", "refs"):
            (git / part).mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        (git / "config").write_text(_REPO_CONFIG.format(name=name), encoding="utf-8")


def secret() -> str:
    """Return what looks like a key of GitHub's.  Made here: no file of the project holds it."""
    return "gh" + "p_" + hashlib.sha256(b"a key that opens nothing").hexdigest()[:36]


def _filled(source: Path, home: Path) -> str:
    inside = json.dumps(str(home))[1:-1]  # It stands inside of JSON strings.
    text = source.read_text(encoding="utf-8")
    return text.replace("@HOME@", inside).replace("@SECRET@", secret())


def _write(path: Path, text: str) -> None:
    """Write a transcript with the time of its last record."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    ended = max(filter(None, map(parse_time, re.findall(r'"timestamp": "([^"]+)"', text))))
    os.utime(path, (ended.timestamp(), ended.timestamp()))


# --- the journey --------------------------------------------------------------------------------


def _scenes(app: App) -> Iterator[tuple[str, list[str]]]:
    """Yield the commands as a person types them, and their arguments; one is run at a time."""
    yield "scry sweep", ["sweep"]
    yield "scry recall pier1", ["recall", "pier1"]
    yield "scry recall timetable.json", ["recall", "timetable.json"]
    rule = next(f.id for f in app.index().facts.values() if "by hand" in f.fact)
    yield f"scry why {rule}", ["why", rule]
    asked = ["is ferrybot live", "--as-of", "2026-11-01", "--limit", "1"]
    yield f"scry recall {shlex.join(asked)}", ["recall", *asked]
    yield "scry path ferrybot quayside", ["path", "ferrybot", "quayside"]
    here = app.places.home / "src" / "ferrybot"
    yield "scry orient --cwd ~/src/ferrybot", ["orient", "--cwd", str(here)]


def _run(app: App, arguments: list[str]) -> str:
    """Run one of Scry's commands with the demo's app; return what it prints."""
    name, *rest = arguments
    command: click.Command = import_module(f"scry.commands.{name}").command
    given = command.make_context(name, rest).params
    given.pop("store")
    function: Any = unwrap(command.callback) if command.callback else None
    raw = BytesIO()
    with redirect_stdout(TextIOWrapper(raw, encoding="utf-8", write_through=True)):
        code = function(app, **given)
        printed = raw.getvalue().decode()
    if code:
        raise StoreError(f"The demo stopped at `scry {' '.join(arguments)}` (exit {int(code)}).")
    return printed


def _log(app: App) -> list[str]:
    return [f"{commit.id[:7]} {commit.subject}" for commit in app.store().log()]


def secret_traces(app: App) -> dict[str, int]:
    """Return how many transcripts hold the key, and how many files of the store do."""
    home, key = app.places.home, secret().encode()
    files = {
        "transcripts": [*home.glob(".claude/**/*.jsonl"), *home.glob(".codex/**/*.jsonl")],
        "store": [path for path in app.store_path.rglob("*") if path.is_file()],
    }
    return {name: sum(key in p.read_bytes() for p in found) for name, found in files.items()}


def _ending(app: App, traces: dict[str, int], kept: str) -> str:
    there, here = plural(traces["transcripts"], "transcript"), plural(traces["store"], "file")
    look = (
        f"The store is kept: SCRY_STORE={kept} scry recall pier1"
        if kept
        else "The throwaway home is gone again; --keep leaves it for a closer look."
    )
    return "\n".join(
        (
            "",
            "$ git -C ~/.scry/store log --oneline",
            *_log(app),
            "",
            f"A key that a tool printed and Nora pasted is in {there} and in {here} of the store.",
            look,
            "Your own sessions: scry sweep --dry-run, then scry sweep.",
        )
    )
