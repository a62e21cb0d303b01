"""`sources` of the configuration: agents left out, folders that nothing is read from, notes."""

import json
import os
from pathlib import Path

import pytest
from faces import TALK, Home

from scry.yields import SKIPPED_NOTE

SECRET = "9f3c9e0a-5b7d-4c55-9a3e-0d6f1c2b7a90"
PLANTED = "bluebird"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with one open project, and one of a client with a session and notes."""
    made = Home(tmp_path / "home")
    made.transcript(*TALK)
    secret = made.transcript(
        *(f"{text} The code name is {PLANTED}." for text in TALK), session=SECRET
    )
    acme = made.root / "clients" / "acme"
    text = secret.read_text().replace(str(made.root / "hermes"), str(acme / "app"))
    old(secret, text)
    old(acme / "app" / "CLAUDE.md", f"# App\n\n- Never say {PLANTED}.\n")
    old(made.root / "hermes" / "CLAUDE.md", "# Hermes\n\n- Never push to main.\n")
    return made


def old(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (1_785_000_000, 1_785_000_000))
    return path


def configure(home: Home, **sources: list[str]) -> None:
    path = home.root / ".scry" / "config.yaml"
    path.parent.mkdir(exist_ok=True)
    rows = "".join(f"  {key}: {json.dumps(value)}\n" for key, value in sources.items())
    path.write_text(f"version: 1\nsources:\n{rows}")
    path.chmod(0o600)


def holds(home: Home, word: str) -> list[str]:
    """Return the files of the store, and of what is kept beside it, that hold a word."""
    home.git("gc", "--quiet")
    files = (path for path in home.store.rglob("*") if path.is_file())
    kept = [str(path) for path in files if word in path.read_bytes().decode("utf-8", "replace")]
    return kept + [line for line in home.git("log", "-p", "--all").splitlines() if word in line]


def skipped(found: dict[str, object]) -> list[str]:
    return [row["reason"] for row in found["skipped"]]


def test_nothing_of_a_session_that_worked_in_an_excluded_folder_is_kept(home: Home) -> None:
    configure(home, exclude=["~/clients/acme"])

    first, again = home.call("sweep"), home.call("sweep")

    assert first["ingested"] == 2
    assert skipped(first) == ["excluded by sources.exclude: ~/clients/acme"]
    assert (skipped(again), again["unchanged"]) == ([], 3)
    assert holds(home, PLANTED) == []
    assert holds(home, "push to main")


def test_the_reason_can_be_listed_at_any_time(home: Home) -> None:
    configure(home, exclude=["~/clients/*"])
    home.call("sweep")

    claude = next(row for row in home.call("status")["sources"] if row["name"] == "claude")

    assert (claude["found"], claude["held"]) == (2, 1)
    (row,) = claude["skipped"]
    assert row["path"].endswith(f"{SECRET}.jsonl")
    assert row["reason"] == "excluded by sources.exclude: ~/clients/*"


def test_a_named_transcript_and_a_dry_run_keep_to_it_too(home: Home) -> None:
    configure(home, exclude=["~/clients/acme"])
    path = home.root / ".claude/projects/-home-jane-hermes" / f"{SECRET}.jsonl"

    named = home.call("ingest", path)
    planned = home.call("sweep", "--dry-run")

    assert (named["ingested"], len(skipped(named))) == (0, 1)
    assert (planned["would"]["transcripts"], len(skipped(planned))) == (1, 1)


def test_transcripts_that_lie_in_an_excluded_folder_are_not_opened(home: Home) -> None:
    configure(home, exclude=["~/.claude"])

    found = home.call("sweep")

    assert (found["ingested"], len(found["skipped"])) == (0, 2)


def test_notes_of_an_excluded_folder_are_left_out_though_a_session_there_is_known(
    home: Home,
) -> None:
    (home.root / "clients/acme/app/CLAUDE.md").rename(home.root / "later.md")
    home.call("sweep")
    (home.root / "later.md").rename(home.root / "clients/acme/app/CLAUDE.md")
    configure(home, exclude=["~/clients/acme"])

    found = home.call("sweep")

    assert skipped(found) == ["excluded by sources.exclude: ~/clients/acme"]
    assert holds(home, "Never say") == []


def test_what_is_not_excluded_any_more_is_taken_in(home: Home) -> None:
    configure(home, exclude=["~/clients/acme"])
    home.call("sweep")
    configure(home, exclude=["~/clients/other"])

    # The session, and with it the notes of the folder that it tells of.
    assert home.call("sweep")["ingested"] == 2
    assert json.loads((home.store / ".git/scry/local" / SKIPPED_NOTE).read_text()) == {}


def test_a_source_that_is_off_is_not_looked_at(home: Home) -> None:
    configure(home, off=["claude"])
    assert home.call("sweep")["scanned"] == 0

    configure(home, off=["notes"])
    assert home.call("sweep")["ingested"] == 2


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        (
            {"off": ["cursr"]},
            "sources.off has 'cursr', and there is no such source. Did you mean 'cursor'?",
        ),
        ({"off": ["zzzzzzzz"]}, "Known are claude, codex"),
        ({"exclude": ["secret"]}, "Begin with ~/ or /"),
        ({"notes": ["/etc/*.md"]}, "relative to a project's folder"),
    ],
)
def test_what_cannot_be_is_an_error_that_says_what_would_be_right(
    home: Home, sources: dict[str, list[str]], said: str
) -> None:
    configure(home, **sources)

    code, _, err = home.run("sweep")

    assert code == 10
    assert said in err
    assert "config.yaml" in err
    assert not home.store.exists()


def test_notes_are_those_that_are_configured(home: Home) -> None:
    old(home.root / "hermes" / "wiki" / "style.md", "# Style\n\n- Always use tabs in Makefiles.\n")
    configure(home, notes=["wiki/**/*.md"])
    home.call("sweep")

    assert holds(home, "use tabs")
    assert holds(home, "push to main") == []


def test_status_shows_what_each_source_gave_and_which_is_unverified(home: Home) -> None:
    for number in range(5):
        name = f"{number:08d}-5b7d-4c55-9a3e-0d6f1c2b7a90"
        at = home.root / ".cursor/projects/-w/agent-transcripts" / name / f"{name}.jsonl"
        old(at, '{"something": "else"}\n')
    home.call("sweep")

    _, text, _ = home.run("status")

    lines = [
        line.removeprefix("source     ") for line in text.splitlines() if line[:7] == "source "
    ]
    unverified = "cursor (unverified): 5 found, 0 gave words, 5 skipped (metadata-only)"
    assert lines == [
        "claude: 2 found, 2 gave words",
        f"{unverified}; its format may have changed",
        "notes: 2 found, 2 gave words",
    ]
