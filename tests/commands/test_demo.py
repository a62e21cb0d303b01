"""The demo, run as it is: its transcripts, its answers, and that it leaves nothing behind."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from scry.commands import demo
from scry.commands._group import group
from scry.model import Did, Said
from scry.sources import detect

README = (Path(__file__).parents[2] / "README.md").read_text()
BUNDLED = sorted(demo.BUNDLED.rglob("*.jsonl"))


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(group, ["demo", *arguments])
    assert result.exit_code == 0, result.output
    return result


def plain(shown: str) -> str:
    """Return an output without the ids of commits, which depend on the throwaway home's path."""
    return re.sub(r"\b[0-9a-f]{7,40}\b", "COMMIT", shown)


@pytest.fixture(scope="module")
def text() -> str:
    return run().stdout


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Return the answer of a demo whose home is kept, below the test's own folder."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return json.loads(run("--keep", "--json").stdout)


def step(answer: dict, command: str) -> dict:
    return next(s["output"] for s in answer["steps"] if s["command"].startswith(command))


# --- what is bundled -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", BUNDLED, ids=[path.stem[:32] for path in BUNDLED])
def test_a_bundled_transcript_is_one_that_its_agent_could_have_written(path):
    transcript = detect(path).read(path)

    assert (transcript.verdict, transcript.problems, transcript.types) == ("session", (), {})
    assert any(isinstance(event, Said) for event in transcript.events)
    assert any(isinstance(event, Did) for event in transcript.events)
    assert [cwd.startswith("@HOME@/src/") for cwd in transcript.cwds] == [True]


def test_the_reason_of_a_refused_edit_is_among_the_bundled_words():
    said = [
        event
        for path in BUNDLED
        for event in detect(path).read(path).events
        if isinstance(event, Said) and event.kind == "rejection"
    ]

    assert [event.text[:28] for event in said] == ["Never edit timetable.json by"]


def test_no_file_of_the_package_holds_the_key_or_a_path_of_somebody_s_home():
    package = demo.BUNDLED.parent
    texts = [p.read_text() for p in package.rglob("*") if p.suffix in (".py", ".jsonl")]

    assert sum("@SECRET@" in text for text in texts) >= 2  # A transcript, and the demo itself.
    assert not [text for text in texts if demo.secret() in text]
    assert not re.search(r"/(?:home|Users)/\w", "".join(p.read_text() for p in BUNDLED))


# --- what it shows -------------------------------------------------------------------------------


def test_the_demo_finds_both_agents_sessions_and_says_what_it_learned(kept):
    swept = step(kept, "scry sweep")

    assert (swept["ingested"], swept["skipped"], swept["problems"]) == (6, [], [])
    assert len(swept["commits"]) == 6
    assert swept["pending"] == []


def test_the_demo_recalls_what_two_sessions_of_two_agents_said_about_a_machine(kept):
    found = step(kept, "scry recall pier1")

    assert [entity["type"] for entity in found["entities"]] == ["machine"]
    assert {fact["src"] for fact in found["facts"]} == {"ferrybot", "quayside"}
    assert {episode["source"] for episode in found["episodes"]} == {"claude", "codex"}


def test_the_demo_recalls_what_held_at_a_time_and_has_ended_since(kept):
    (fact,) = step(kept, "scry recall 'is ferrybot live'")["facts"]

    assert fact["fact"].startswith("ferrybot is paused")
    assert fact["invalid_at"][:10] == "2026-11-16"


def test_the_demo_s_path_leads_over_the_machine_that_two_projects_share(kept):
    found = step(kept, "scry path")

    assert found["length"] == 2
    assert {fact["dst"] for fact in found["facts"]} == {"pier1"}


def test_the_demo_s_why_quotes_the_words_of_the_refused_edit(kept):
    (episode,) = step(kept, "scry why")["episodes"]

    assert episode["state"] == "verified"
    assert "Never edit timetable.json by hand" in episode["quote"]


def test_the_demo_s_orientation_holds_the_rules_and_commands_of_its_folder_alone(kept):
    block = step(kept, "scry orient")["markdown"]

    assert "pytest -q" in block
    assert "Tuesdays only" in block
    assert "rotate the logs" not in block


def test_the_log_of_the_demo_has_a_line_for_each_session(kept):
    assert sum(" learn: " in line for line in kept["log"]) == 6


def test_the_key_that_a_tool_printed_reaches_neither_the_store_nor_its_history(kept):
    assert kept["secret"] == {"transcripts": 1, "store": 0}

    everything = subprocess.run(
        ["git", "-C", kept["kept"], "log", "--all", "-p"], capture_output=True, check=True
    ).stdout
    assert b"never edit timetable.json" in everything
    assert demo.secret().encode() not in everything
    evidence = "".join(p.read_text() for p in Path(kept["kept"]).rglob("evidence/**/*.txt"))
    assert re.search(r"the token is \[REDACTED:[a-z-]+\] as you saw", evidence)


def test_the_readme_s_example_is_what_the_demo_prints(text):
    (example,) = re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)

    for part in re.split(r"^(?=\$ )", plain(example), flags=re.MULTILINE):
        assert part.strip() in plain(text)


# --- what it leaves ------------------------------------------------------------------------------


def test_the_demo_says_the_same_every_time_but_for_commits(text):
    assert plain(run().stdout) == plain(text)


def test_the_demo_touches_nothing_of_the_user_s_own_and_cleans_up(tmp_path, monkeypatch):
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    for name in ("SCRY_HOME", "SCRY_STORE", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SCRY_STORE", str(home / "mine"))

    run()

    assert list(home.iterdir()) == []
    assert list(temporary.iterdir()) == []


def test_a_kept_demo_can_be_asked_with_the_ordinary_commands(kept, monkeypatch):
    monkeypatch.setenv("SCRY_STORE", kept["kept"])

    result = CliRunner().invoke(group, ["recall", "pier1", "--json"])

    assert result.exit_code == 0
    assert len(json.loads(result.stdout)["facts"]) == 2
    assert os.path.isdir(kept["kept"])  # noqa: PTH112 -- a text from JSON
