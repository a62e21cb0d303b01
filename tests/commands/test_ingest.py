"""`ingest` and `remember`, over a whole home with a real store and server."""

import json
from pathlib import Path

import pytest
from faces import FAKE_SECRET, REPLY, TALK, Home, model, saying


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def test_ingest_takes_in_the_good_paths_before_it_tells_of_the_bad(home: Home) -> None:
    good = home.transcript(*TALK)
    notes = home.root / "shopping.txt"
    notes.write_text("milk\n")

    code, out, err = home.run("ingest", home.root / "nowhere", good, notes, "--json")

    assert code == 20
    assert json.loads(out)["ingested"] == 1
    assert "nowhere: there is no such file or folder." in err
    assert "shopping.txt: no source recognises this file" in err


@pytest.mark.parametrize("name", ["nowhere.jsonl", "shopping.txt", "empty.jsonl", "folder"])
def test_ingest_of_what_is_no_transcript_ends_with_20(home: Home, name: str) -> None:
    (home.root / "shopping.txt").write_text("milk\n")
    (home.root / "empty.jsonl").write_text("")
    (home.root / "folder").mkdir()

    code, out, err = home.run("ingest", home.root / name, "--json")

    assert (code, out) == (20, "")
    assert err.startswith(f"scry: {home.root / name}: ")


def test_ingest_walks_a_folder_and_leaves_other_files_alone(home: Home) -> None:
    path = home.transcript(*TALK)
    (path.parent / "shopping.txt").write_text("milk\n")

    found = home.call("ingest", home.root / ".claude")

    assert (found["scanned"], found["ingested"], found["skipped"]) == (1, 1, [])


def test_again_asks_anew(home: Home) -> None:
    path = home.transcript(*TALK)
    with model(home, saying(REPLY)) as server:
        home.call("ingest", path)
        home.call("ingest", path)
        home.call("ingest", path, "--again")

    assert len(server.requests) == 2


def test_every_skipped_path_is_told_with_its_reason(home: Home) -> None:
    home.transcript("Hi", "Hello.")

    (skipped,) = home.call("sweep")["skipped"]

    assert skipped["path"].startswith("~/.claude/projects/")
    assert "too small" in skipped["reason"]


# --- remember ----------------------------------------------------------------------------------


def test_a_note_with_typed_fields_is_a_fact_at_once(home: Home) -> None:
    typed = ["--entity", "Hermes", "--relation", "runs_on", "--dst", "Mac mini"]

    found = home.call("remember", "Hermes runs on the Mac mini.", *typed, "--type", "service")

    (fact,) = home.call("facts", "Hermes")["facts"]
    assert found["status"] == "active"
    assert found["facts"] == [fact["id"]]
    assert found["commit"] == home.git("rev-parse", "HEAD").strip()
    assert (fact["origin"], fact["episodes"]) == ("person", [found["episode"]])


def test_a_note_is_read_from_stdin_and_found_by_its_words_at_once(home: Home) -> None:
    with model(home, {"status": 500}):
        found = home.call("remember", "-", input=b"The zephyr cluster needs a reboot.")
        recalled = home.call("recall", "zephyr cluster")

    assert (found["status"], found["facts"]) == ("pending", [])
    assert [episode["id"] for episode in recalled["episodes"]] == [found["episode"]]


def test_without_a_model_a_note_in_words_need_not_wait(home: Home) -> None:
    found = home.call("remember", "The zephyr cluster needs a reboot every Monday.")

    assert found["status"] != "pending"
    assert home.call("pending")["pending"] == []
    assert found["commit"] == home.git("rev-parse", "HEAD").strip()


def test_what_an_agent_asks_to_remember_is_the_agents(home: Home) -> None:
    typed = ["--entity", "Hermes", "--relation", "status", "--value", "down"]

    home.call("remember", "Hermes is down.", *typed, environ={"CLAUDECODE": "1"})

    assert home.call("facts", "Hermes")["facts"][0]["origin"] == "assistant"


def test_the_same_note_twice_is_one_commit(home: Home) -> None:
    typed = ["--entity", "Hermes", "--relation", "status", "--value", "down"]

    first = home.call("remember", "Hermes is down.", *typed)
    again = home.call("remember", "Hermes is down.", *typed)

    assert first == again


def test_an_empty_note_is_not_understood(home: Home) -> None:
    code, out, err = home.run("remember", "  ", "--json")

    assert (code, out) == (2, "")
    assert "the text is empty" in err


def test_no_secret_of_a_note_is_kept_or_printed(home: Home) -> None:
    _, out, err = home.run("remember", f"The token of Hermes is {FAKE_SECRET}, keep it.", "--json")

    kept = b"".join(path.read_bytes() for path in home.store.rglob("*") if path.is_file())
    assert FAKE_SECRET not in out + err
    assert FAKE_SECRET.encode() not in kept
    assert FAKE_SECRET not in home.git("log", "-p")
