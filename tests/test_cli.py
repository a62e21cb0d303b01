"""The command line as a whole: finding commands, errors as sentences, odd surroundings."""

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from faces import FAKE_SECRET, WORLD, Home

import scry
from scry.app import App
from scry.cli import run
from scry.commands import _exit_codes, dumped
from scry.commands._group import group
from scry.errors import ConfigError, Exit, LockedError

ROOT = Path(scry.__file__).parent.parent
NAMES = [name for name in group.list_commands(click.Context(group)) if name != "mcp"]
READING = ["check", "entities", "log", "pending", "status"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = Home(tmp_path / "home")
    made.write(*WORLD)
    for name in ("SCRY_HOME", "SCRY_STORE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(made.root))
    return made


def _command(name: str) -> click.Command:
    found = group.get_command(click.Context(group), name)
    assert isinstance(found, click.Command)
    return found


def test_the_page_of_exit_codes_says_what_the_code_says() -> None:
    page = (ROOT / "docs" / "exit-codes.md").read_text(encoding="utf-8")

    assert page == _exit_codes.page()
    assert all(f"| {code.value} | {code.name} | " in page for code in Exit)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_the_common_options_and_help_that_begins_with_a_verb(name: str) -> None:
    command = _command(name)
    options = {option for param in command.params for option in param.opts}

    assert {"--json", "--store"} <= options
    assert re.match(r"[A-Z][a-z]+ ", command.help or "")


def test_help_lists_all_commands_and_not_the_hidden_alias(home: Home) -> None:
    code, out, _ = home.run("--help")

    assert code == 0
    assert all(f"\n  {name} " in out for name in [*NAMES, "mcp"])
    assert "..." not in out.split("Commands:")[1]
    assert "memory" not in out.split("Commands:")[1]


def test_memory_is_another_way_to_say_scry(home: Home) -> None:
    assert home.call("memory", "recall", "Hermes") == home.call("recall", "Hermes")
    assert home.run("memory", "memory", "recall", "Hermes")[0] == Exit.USAGE


def test_the_version_is_the_packages(home: Home) -> None:
    assert home.run("--version")[1].strip().endswith(scry.__version__)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["recal", "Hermes"], "Did you mean 'recall'?"),
        (["recall"], "QUERY"),
        (["recall", "Hermes", "--as-of", "soonish"], "'soonish' is no time"),
        (["recall", "Hermes", "--limit", "0"], "--limit"),
        (["entities", "--type", "gadget"], "gadget"),
        (["path", "Hermes"], "TO"),
        (["remember", "x is y", "--value", "y"], "--relation"),
        (["ingest", "t.jsonl", "--source", "cluade"], "Did you mean claude"),
    ],
)
def test_a_command_line_that_is_not_understood_ends_with_2(
    home: Home, arguments: list[str], says: str
) -> None:
    code, out, err = home.run(*arguments, "--json")

    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", READING)
def test_a_command_that_reads_makes_no_store(tmp_path: Path, name: str) -> None:
    empty = Home(tmp_path / "empty")

    code, out, err = empty.run(name, "--json")

    assert (code, out) == (40, "")
    assert "there is no store here. `scry init` makes one." in err
    assert not empty.store.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        *([name] for name in [*READING, "init", "sweep", "retry"]),
        ["recall", "Hermes"],
        ["path", "Hermes", "Redis"],
        ["show", "x"],
        ["why", "x"],
        ["remember", "The sky is blue over Hermes."],
    ],
)
def test_a_store_that_is_a_file_is_said_in_a_sentence(tmp_path: Path, arguments: list[str]) -> None:
    home = Home(tmp_path / "home")
    blocked = tmp_path / "store"
    blocked.write_text("I am a file.")

    code, out, err = home.run(*arguments, "--store", blocked, "--json")

    assert (code, out) == (40, "")
    assert "Traceback" not in err
    assert err.startswith("scry: ")
    assert str(blocked) in err
    assert blocked.read_text() == "I am a file."


def test_without_home_the_place_of_the_user_counts(home: Home) -> None:
    environ = {**home.environ, "SCRY_STORE": str(home.store)}
    del environ["HOME"]

    done = subprocess.run(
        [sys.executable, "-m", "scry", "recall", "Hermes"],
        check=False,
        env=environ,
        capture_output=True,
    )

    assert done.returncode == 0, done.stderr


def test_arguments_that_are_no_utf8_are_taken_as_they_are(home: Home) -> None:
    for more in ([], ["--json"]):
        done = home.start("recall", b"Herm\xffes", *more)

        assert done.returncode in {0, 1}
        assert b"Traceback" not in done.stderr
        done.stdout.decode("utf-8")


def test_a_terminal_without_our_letters_gets_question_marks_and_json_escapes(home: Home) -> None:
    page = home.store / "entities" / "he" / "hermes.md"
    page.write_text(page.read_text(encoding="utf-8") + "Grüße — ☃\n", encoding="utf-8")
    latin = {"PYTHONIOENCODING": "latin-1"}

    text = home.start("show", "Hermes", environ=latin)
    data = home.start("recall", "Hermes", "--json", environ=latin)

    assert (text.returncode, data.returncode) == (0, 0), text.stderr + data.stderr
    assert "Grüße" in json.loads(data.stdout.decode("ascii"))["entities"][0]["description"]
    assert "Grüße ? ?".encode("latin-1") in text.stdout


def test_a_reader_that_goes_away_is_met_with_silence(home: Home) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "scry", "recall", "Hermes"],
            check=False,
            env=home.environ,
            stdout=writer,
            stderr=subprocess.PIPE,
        )
    finally:
        os.close(writer)

    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        pytest.param(
            OSError(errno.ENOSPC, "No space left on device", "/store/facts"),
            40,
            "/store/facts: no space left on device.",
            id="a full disk",
        ),
        pytest.param(
            PermissionError(errno.EACCES, "Permission denied", b"/store"),
            40,
            "/store: permission denied.",
            id="no right to read",
        ),
        pytest.param(LockedError("Another process writes."), 75, "Another process", id="a lock"),
        pytest.param(KeyboardInterrupt(), 130, "Stopped.", id="Ctrl-C"),
        pytest.param(
            ConfigError(f"the server said: bad key {FAKE_SECRET}\x1b[2J\x9b2J\u202e"),
            10,
            "the server said: bad key",
            id="a secret in a message",
        ),
    ],
)
def test_what_goes_wrong_is_a_sentence_on_stderr_and_a_code(  # noqa: PLR0917 -- fixtures and cases
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    says: str,
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(App, "index", fails)

    got = run(["recall", "Hermes", "--json"])

    out, err = capsys.readouterr()
    assert (got, out) == (code, "")
    assert f"scry: {says}" in err
    assert FAKE_SECRET not in err
    assert not {"\x1b", "\x9b", "\u202e"} & set(err)


def test_json_never_holds_raw_what_steers_a_terminal() -> None:
    steering = "\x1b[2J \x9b \u202e \u200b \U000e0041 \ud800"

    printed = dumped({"text": steering})

    assert printed.isprintable()
    assert json.loads(printed) == {"text": steering}
