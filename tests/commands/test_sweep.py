"""`init`, `sweep`, `pending` and `retry`, over a whole home with a real store and server."""

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest
from faces import REPLY, TALK, Home, model, saying

REPORT_KEYS = set(
    "scanned ingested unchanged active episodes pending skipped problems commits".split()
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def _written_to(path: Path, *, seconds_ago: int) -> None:
    then = time.time() - seconds_ago
    os.utime(path, (then, then))


def test_init_makes_a_store_once_and_is_harmless_after(home: Home) -> None:
    first, again = home.call("init"), home.call("init")

    assert first == {"store": str(home.store), "created": True}
    assert again == {"store": str(home.store), "created": False}
    assert home.store.stat().st_mode & 0o777 == 0o700


def test_init_makes_a_store_where_it_is_told(home: Home) -> None:
    elsewhere = home.root / "elsewhere"

    assert home.call("init", elsewhere)["store"] == str(elsewhere)
    assert home.call("check", "--store", elsewhere) == {"ok": True, "findings": []}


def test_init_leaves_a_folder_with_other_things_alone(home: Home) -> None:
    (home.root / "work").mkdir()
    (home.root / "work" / "thesis.txt").write_text("mine")

    code, _, err = home.run("init", home.root / "work")

    assert code == 40
    assert "not empty" in err
    assert [path.name for path in (home.root / "work").iterdir()] == ["thesis.txt"]


def test_a_sweep_without_any_transcript_says_so_and_points_to_the_demo(home: Home) -> None:
    code, _, err = home.run("sweep")

    assert code == 0
    assert "No transcripts were found in ~/.claude and ~/.codex" in err
    assert "scry demo" in err


def test_a_sweep_reports_with_the_keys_of_the_contract_and_again_changes_nothing(
    home: Home,
) -> None:
    home.transcript(*TALK)
    with model(home, saying(REPLY)) as server:
        first = home.call("sweep")
        again = home.call("sweep")

    assert set(first) >= REPORT_KEYS
    assert (first["scanned"], first["ingested"], len(first["episodes"])) == (1, 1, 1)
    assert (again["scanned"], again["ingested"], again["unchanged"]) == (1, 0, 1)
    assert (again["episodes"], again["commits"]) == ([], [])
    assert len(server.requests) == 1


def test_a_transcript_that_is_being_written_waits_unless_it_is_named(home: Home) -> None:
    path = home.transcript(*TALK)
    _written_to(path, seconds_ago=30)

    swept = home.call("sweep")
    _, text, _ = home.run("sweep")
    named = home.call("ingest", path)

    assert (swept["active"], swept["ingested"]) == (1, 0)
    assert "1 still being written (idle for 5 minutes first)" in text
    assert named["ingested"] == 1


def test_idle_0_takes_what_is_being_written(home: Home) -> None:
    _written_to(home.transcript(*TALK), seconds_ago=30)

    assert home.call("sweep", "--idle", "0")["ingested"] == 1


def test_since_leaves_out_what_was_last_changed_before(home: Home) -> None:
    home.transcript(*TALK)

    assert home.call("sweep", "--since", "yesterday")["ingested"] == 0
    assert home.call("sweep", "--since", "2026-01-01")["ingested"] == 1


def test_a_dry_run_counts_and_neither_stores_nor_sends(home: Home) -> None:
    home.transcript(*TALK)
    with model(home, saying(REPLY)) as server:
        found = home.call("sweep", "--dry-run")
        _, text, _ = home.run("sweep", "--dry-run")

    assert set(found) >= REPORT_KEYS
    assert (found["would"]["transcripts"], found["would"]["episodes"]) == (1, 1)
    assert found["would"]["tokens"] > 500
    assert "1 transcript with 1 episode would be taken in by near" in text
    assert server.requests == []
    assert not home.store.exists()


def test_offline_asks_nobody_and_the_episode_waits_with_the_reason(home: Home) -> None:
    home.transcript(*TALK)
    with model(home, saying(REPLY)) as server:
        found = home.call("sweep", "--offline")
        waits = home.call("pending")["pending"]
        asked = len(server.requests)
        retried = home.call("retry")
        left = home.call("pending")["pending"]

    assert (len(found["pending"]), asked) == (1, 0)
    assert [(row["attempts"], row["reasons"]) for row in waits] == [(0, ["not asked: offline"])]
    assert retried["pending"] == left == []


def test_a_model_that_fails_leaves_the_episode_pending_and_retry_ends_with_30(home: Home) -> None:
    home.transcript(*TALK)
    with model(home, {"status": 400, "body": '{"error": {"message": "no such model"}}'}):
        found = home.call("sweep")
        again = home.call("retry", found["pending"][0], code=30)

    (row,) = home.call("pending")["pending"]
    assert found["pending"] == again["pending"] == [row["id"]]
    assert row["attempts"] == 2
    assert "no such model" in " ".join(row["reasons"])


def test_retry_of_what_does_not_wait_ends_with_50(home: Home) -> None:
    home.call("init")

    assert home.run("retry", "2026-08-01-claude-nobody")[0] == 50
    assert home.run("retry")[1] == "No episode is waiting.\n"


def test_a_prompt_can_be_read_before_it_is_sent(home: Home) -> None:
    home.transcript(*TALK)
    home.call("sweep", "--offline")

    (row,) = home.call("pending", "--prompt")["pending"]

    assert TALK[0] in row["prompt"]


def test_many_episodes_are_not_sent_to_another_machine_without_a_yes(home: Home) -> None:
    for number in range(201):
        home.transcript(*TALK, session=f"{number:08d}-5b7d-4c55-9a3e-0d6f1c2b7a90")
    config = home.root / ".scry" / "config.yaml"
    config.parent.mkdir()
    config.write_text(
        "version: 1\nextraction:\n  chain:\n  - id: far\n    type: openai\n    model: m\n"
        '    base_url: "https://models.invalid/v1"\n'
    )

    code, out, err = home.run("sweep", "--json")

    assert (code, out) == (2, "")
    assert "201 episodes, about " in err
    assert "would be sent to far" in err
    assert "--yes" in err
    assert not home.store.exists()


@pytest.mark.parametrize(("reply", "code"), [(b"n\n", 1), (b"y\n", 0)])
def test_on_a_terminal_a_person_is_asked_and_sees_a_progress_bar(
    home: Home, reply: bytes, code: int
) -> None:
    home.transcript(*TALK)
    # One episode is "many" here, and the server that answers counts as far away.
    program = (
        "import sys; from scry.commands import sweep; from scry.cli import main;"
        "sweep._MANY = 0; sweep.remote_links = lambda config: config.chain; main()"
    )
    ours, theirs = pty.openpty()
    with model(home, saying(REPLY)) as server:
        os.write(ours, reply)
        done = subprocess.run(
            [sys.executable, "-c", program, "sweep"],
            check=False,
            env=home.environ,
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
        )
        os.close(theirs)
        shown = os.read(ours, 65_536).decode()
        os.close(ours)

    assert done.returncode == code
    assert "1 episode, about" in shown
    assert ("Sweeping" in shown) is (code == 0)
    assert len(server.requests) == (code == 0)
