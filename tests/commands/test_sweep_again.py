"""Sweeps that have nothing to do, and all that a sweep must do although nothing has changed."""

import json
import os
from pathlib import Path

import pytest
from faces import REPLY, TALK, Home, model, saying

from scry.ingest import Ingest
from scry.standing import STANDING
from scry.store.tree import FileReader
from scry.writer import WAITING

OTHER = "2f3c9e0a-5b7d-4c55-9a3e-0d6f1c2b7a90"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.transcript(*TALK)
    return made


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Count how often a store is read."""
    seen: list[object] = []
    load = FileReader.load
    monkeypatch.setattr(FileReader, "load", lambda reader: seen.append(reader) or load(reader))
    return seen


def local(home: Home, name: str) -> Path:
    return home.store / ".git" / "scry" / "local" / name


def old(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if text:
        path.write_text(text)
    os.utime(path, (1_785_000_000, 1_785_000_000))
    return path


def test_a_sweep_without_work_does_not_read_the_store_and_says_what_any_other_says(
    home: Home, loads: list[object]
) -> None:
    first = home.call("sweep")
    loads.clear()
    local(home, "last-sweep.json").unlink()

    again = home.call("sweep")

    assert loads == []
    assert again.keys() == first.keys()
    assert (again["scanned"], again["unchanged"], again["ingested"]) == (1, 1, 0)
    assert home.call("status")["last_sweep"]


@pytest.mark.parametrize("note", ["", "nonsense", '{"head": "0123"}', "[]"])
def test_without_a_note_that_holds_the_store_is_read_and_the_note_made_anew(
    home: Home, loads: list[object], note: str
) -> None:
    home.call("sweep")
    whole = local(home, STANDING).read_text()
    local(home, STANDING).write_text(note)
    loads.clear()

    assert home.call("sweep")["ingested"] == 0
    assert loads
    assert local(home, STANDING).read_text() == whole


def test_a_store_that_somebody_has_moved_on_is_read(home: Home, loads: list[object]) -> None:
    home.call("sweep")
    home.call("remember", "Hermes keeps its queue in Redis, and nothing else.")
    loads.clear()

    home.call("sweep")

    assert loads


def test_an_episode_that_waits_is_asked_for_though_no_transcript_has_changed(home: Home) -> None:
    with model(home, {"status": 400, "body": '{"error": {"message": "no"}}'}):
        waits = home.call("sweep")["pending"]
    with model(home, saying(REPLY)) as server:
        again = home.call("sweep")

    assert len(waits) == 1
    assert (again["unchanged"], again["episodes"], again["pending"]) == (1, waits, [])
    assert len(server.requests) == 1


def test_an_episode_that_was_stored_offline_is_asked_for_by_the_next_sweep(home: Home) -> None:
    with model(home, saying(REPLY)) as server:
        waits = home.call("sweep", "--offline")["pending"]
        offline = home.call("sweep", "--offline")
        assert (offline["unchanged"], server.requests) == (1, [])
        again = home.call("sweep")

    assert again["episodes"] == waits
    assert len(server.requests) == 1


def test_an_episode_that_was_given_up_costs_no_reading(home: Home, loads: list[object]) -> None:
    with model(home, {"status": 400, "body": '{"error": {"message": "no"}}'}):
        config = home.root / ".scry" / "config.yaml"
        more = "  attempts: {per_episode: 1}\n  cooldown: {failures: 9, seconds: 1}\n"
        config.write_text(config.read_text() + more)
        home.call("sweep")
        home.call("sweep")
        loads.clear()
        assert home.call("sweep")["pending"] == []

    assert loads == []


def test_what_waits_for_a_persons_file_is_not_forgotten(home: Home, loads: list[object]) -> None:
    home.call("sweep")
    local(home, WAITING).write_text(json.dumps({"facts": {}, "entities": ["hermes"]}))
    loads.clear()

    home.call("sweep")

    assert loads


def test_notes_of_a_folder_that_a_sweep_learns_of_are_taken_in_by_the_same_sweep(
    home: Home,
) -> None:
    old(home.root / "hermes" / "CLAUDE.md", "# Hermes\n\n## Rules\n\n- Never push to main.\n")

    found = home.call("sweep")

    assert (found["scanned"], found["ingested"], found["unchanged"]) == (2, 2, 0)
    assert home.call("sweep")["unchanged"] == 2


def test_the_notes_hold_no_more_than_what_was_found(home: Home) -> None:
    home.call("sweep")
    second = home.transcript(*TALK, session=OTHER)
    home.call("sweep")
    assert len(json.loads(local(home, "seen.json").read_text())) == 2
    second.unlink()
    home.transcript(*TALK, "And one more thing about the queue of Hermes, please.")

    home.call("sweep")

    assert len(json.loads(local(home, "seen.json").read_text())) == 1


def test_after_a_sweep_that_was_stopped_the_next_one_goes_on(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.transcript(*TALK, session=OTHER)
    take, taken = Ingest.transcript, []

    def stopped(ingest, source, path, **more):
        taken.append(path)
        if len(taken) == 2:
            raise KeyboardInterrupt
        return take(ingest, source, path, **more)

    monkeypatch.setattr(Ingest, "transcript", stopped)
    assert home.run("sweep")[0] == 130
    found = home.call("sweep")

    assert (found["unchanged"], found["ingested"]) == (1, 1)
