"""What Scry promises about its graph, each promise as a test on a real store with real git."""

import re
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from faces import TALK, Home
from independent_checker import faults
from independent_pages import Shelf, sentences
from plain_speech import Speech, statements, write_session

from scry.app import App
from scry.store.init import init_store

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
PERSON = ("-c", "user.name=Jane", "-c", "user.email=jane@example.org")
SESSIONS = [
    (2, ["«Hermes» status =live, as noted 1. «Hermes» aka «the bot».", "«Hermes» uses «Redis», as noted 2."]),
    (1, ["«Hermes» status =down, as noted 3.", "«Hermes» runs_on «mini», as noted 4."]),
    (4, ["«the bot» uses «Redis», as noted 5.", "«Talos» calls «Hermes», as noted 6."]),
    (3, ["«Hermes» status =paused in production, as noted 7.", "«Talos» aka «the giant». «Talos» runs_on «mini», as noted 8."]),
]  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    return new_home(tmp_path / "home", monkeypatch)


def new_home(root: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setattr(App, "extractor", lambda *_: Speech())
    home = Home(root)
    home.store.parent.mkdir(parents=True)
    init_store(home.store)
    return home


def session(home: Home, number: int, speech: list[str], day: int = 1) -> Path:
    name = f"5e5510{number:02d}-0000-4000-8000-000000000000"
    path = home.root / ".claude" / "projects" / "-w-hermes" / f"{name}.jsonl"
    write_session(path, name, speech, START + timedelta(days=day))
    return path


def told(home: Home) -> Home:
    """Let a home learn what all sessions say."""
    paths = [session(home, number, said, day) for number, (day, said) in enumerate(SESSIONS)]
    assert run(home, "ingest", *paths) == 0
    return home


def run(home: Home, *arguments: object) -> int:
    code, out, err = home.run(*arguments)
    assert code in (0, 1), f"{arguments}: {out}{err}"
    return code


def tree(home: Home) -> dict[str, str]:
    """Return every file of a store, but for when it was taken in."""
    return {
        page.path: re.sub(r"ingested_at: .*\n", "", (home.store / page.path).read_text())
        for page in Shelf(home.store).pages
    }


def count(home: Home) -> int:
    return int(home.git("rev-list", "--count", "HEAD"))


def revert(home: Home) -> None:
    home.git(*PERSON, "revert", "--no-edit", "HEAD")


# --- nothing is ever lost or overwritten ----------------------------------------------------------


def test_each_distinct_sentence_is_kept_and_each_ingestion_is_one_commit(home):
    told(home)
    before, commits = tree(home), count(home)
    more = ["«Hermes» uses «Redis», as noted 9. «Hermes» uses «Redis», as noted 2.", "Yes."]
    assert run(home, "ingest", session(home, 9, more, 5)) == 0
    assert count(home) == commits + 1
    said = statements(" ".join(" ".join(speech) for _, speech in SESSIONS) + " ".join(more))
    assert said == sentences(home.store)
    bodies = {path: text.rpartition("---\n")[2] for path, text in tree(home).items()}
    assert all(bodies[path] == text.rpartition("---\n")[2] for path, text in before.items())
    home.git("fsck", "--strict", "--no-dangling")


def test_what_is_killed_at_any_moment_ends_where_it_would_have_ended(tmp_path):
    home = Home(tmp_path / "home")
    home.transcript(*TALK, *TALK)
    home.start("sweep", "--idle", "0")
    whole = tree(home)
    shutil.rmtree(home.store)
    random = Random(7)
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-m", "scry", "sweep", "--idle", "0"],
            env=home.environ,
            cwd=home.root,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            time.sleep(0.1 + random.random() * 0.3)
            process.kill()
    done = home.start("sweep", "--idle", "0")
    assert done.returncode == 0, done.stderr
    assert tree(home) == whole != {}
    assert home.git("status", "--porcelain") == ""
    home.git("fsck", "--strict", "--no-dangling")


# --- order does not matter, and again changes nothing ---------------------------------------------


def test_sessions_in_any_order_give_the_same_bytes_and_the_same_answers(tmp_path, monkeypatch):
    trees, answers = [], []
    for order in ([0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]):
        home = new_home(tmp_path / "".join(map(str, order)), monkeypatch)
        for number in order:
            day, said = SESSIONS[number]
            run(home, "ingest", session(home, number, said, day))
        trees.append(tree(home))
        answers.append(
            [home.call("recall", name)["facts"] for name in ("Hermes", "the bot", "Talos")]
        )
    assert trees[0] == trees[1] == trees[2]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("seed", range(3))
def test_a_session_taken_in_whole_or_in_pieces_gives_the_same_episodes(tmp_path, monkeypatch, seed):
    random = Random(seed)
    speech = [
        f"«Hermes» uses «tool{n}», as noted {n}. {'We talked about it at length. ' * 60}"
        for n in range(24)
    ]
    whole = new_home(tmp_path / "whole", monkeypatch)
    run(whole, "ingest", session(whole, 1, speech))
    pieces = new_home(tmp_path / "pieces", monkeypatch)
    for end in sorted({*random.sample(range(1, len(speech)), 3), len(speech)}):
        run(pieces, "ingest", session(pieces, 1, speech[:end]))
    one, other = Shelf(whole.store), Shelf(pieces.store)
    assert len(one.episodes) > 2
    assert one.episodes.keys() == other.episodes.keys()
    assert tree(pieces) == tree(whole)
    assert statements(" ".join(speech)) == sentences(pieces.store)
    spans = sorted(
        tuple(map(int, p.text("span").rpartition(":")[2].split("-")))
        for p in other.episodes.values()
    )
    assert [line for first, last in spans for line in range(first, last + 1)] == list(range(1, 25))
    head = pieces.git("rev-parse", "HEAD")
    run(pieces, "ingest", session(pieces, 1, speech))
    run(pieces, "sweep")
    assert pieces.git("rev-parse", "HEAD") == head


# --- states, and the two clocks -------------------------------------------------------------------


def test_the_newest_state_comes_first_and_what_has_ended_is_not_shown_as_current(home):
    random = Random(11)
    names = [f"svc{chr(97 + n)}{chr(97 + n)}" for n in range(20)]
    latest: dict[str, tuple[int, str]] = {}
    for number, day in enumerate(random.sample(range(1, 25), 4)):
        said = []
        for place, name in enumerate(names):
            state = random.choice(["live", "paused", "down", "retired"])
            said.append(f"«{name}» status ={state}, as noted {number * 100 + place}.")
            latest[name] = max(latest.get(name, (0, "")), (day, state))
        run(home, "ingest", session(home, number, [" ".join(said)], day))
    for name, (_, state) in latest.items():
        for question in (name, f"what is the status of {name}?", f"is {name} live?"):
            facts = home.call("recall", question)["facts"]
            assert (facts[0]["src"], facts[0]["value"]) == (name, state)
            assert not [f for f in facts if f["src"] == name and f.get("invalid_at")]


def test_what_is_true_in_two_environments_stays_true_in_both(home):
    said = "«Hermes» status =live in production, as noted 1. «Hermes» status =down in staging, as noted 2."
    run(home, "ingest", session(home, 1, [said]))
    later = "«Hermes» status =paused in staging, as noted 3."
    run(home, "ingest", session(home, 2, [later], 3))
    facts = home.call("facts", "Hermes")["facts"]
    assert {(f["qualifier"], f["value"]) for f in facts} == {
        ("production", "live"),
        ("staging", "paused"),
    }


def test_what_was_true_then_and_what_was_known_then_are_two_questions(home):
    run(home, "ingest", session(home, 1, ["«Hermes» status =live, as noted 1."], 1))
    first = home.git("rev-parse", "HEAD").strip()
    run(home, "ingest", session(home, 2, ["«Hermes» status =down, as noted 2."], 5))
    run(home, "ingest", session(home, 3, ["«Hermes» status =paused, as noted 3."], 3))

    def state(*flags: str) -> list[str]:
        return [f["value"] for f in home.call("facts", "Hermes", *flags)["facts"]]

    assert state() == ["down"]
    assert state("--as-of", "2026-03-03T00:00:00Z") == ["live"]
    assert state("--as-of", "2026-03-05T00:00:00Z") == ["paused"]
    assert state("--as-of", "2026-03-01") == []
    assert state("--as-known", first) == ["live"]
    assert state("--as-of", "2026-03-05T00:00:00Z", "--as-known", first) == ["live"]


# --- identity -------------------------------------------------------------------------------------


def test_no_record_is_hollow_dangling_self_looping_or_stolen_and_check_agrees(home):
    told(home)
    run(home, "merge", "Talos", "Hermes")
    assert faults(home.store) == []
    assert home.call("check")["ok"]


def test_after_a_merge_every_spelling_answers_and_one_revert_takes_it_back(home):
    told(home)
    before, commits = tree(home), count(home)
    assert run(home, "merge", "Talos", "Hermes") == 0
    assert count(home) == commits + 1
    for name in ("Talos", "the giant", "Hermes", "talos"):
        assert home.call("recall", name)["entities"][0]["name"] == "Hermes"
        assert {f["fact"] for f in home.call("facts", name)["facts"]} >= {
            "«Hermes» uses «Redis», as noted 2.",
            "«Talos» runs_on «mini», as noted 8.",
        }
    merged = tree(home)
    run(home, "sweep", "--idle", "0")
    assert tree(home) == merged
    revert(home)
    assert tree(home) == before
    run(home, "sweep", "--idle", "0")
    assert tree(home) == before


# --- repair ---------------------------------------------------------------------------------------

REPAIRS = [
    ("merge", "Talos", "Hermes"),
    ("rename", "Hermes", "Mercury"),
    ("retype", "Hermes", "machine"),
    ("alias", "Hermes", "--add", "herald"),
    ("alias", "Hermes", "--reject", "the bot"),
    ("end", "FACT", "--at", "2026-04-01"),
    ("forget", "FACT"),
    ("forget", "Talos"),
    ("undo", "EPISODE"),
    ("retire", "--source", "claude", "--since", "2026-03-04"),
    ("split", "Hermes", "Hermes two", "--fact", "FACT"),
]


@pytest.mark.parametrize("repair", REPAIRS, ids=" ".join)
def test_a_repair_is_one_command_one_commit_and_one_revert_and_no_sweep_undoes_it(home, repair):
    told(home)
    shelf = Shelf(home.store)
    meant = {
        "FACT": next(p.id for p in shelf.facts if "as noted 2." in p.body),
        "EPISODE": next(e for e in shelf.episodes if e.startswith("2026-03-03")),
    }
    before, commits = tree(home), count(home)
    begun = time.monotonic()
    assert run(home, *(meant.get(word, word) for word in repair)) == 0
    assert time.monotonic() - begun < 1
    repaired = tree(home)
    assert repaired != before
    assert count(home) == commits + 1
    assert faults(home.store) == []
    run(home, "ingest", *(home.root / ".claude").rglob("*.jsonl"))
    run(home, "sweep", "--idle", "0")
    assert tree(home) == repaired
    revert(home)
    assert tree(home) == before
    run(home, "sweep", "--idle", "0")
    assert tree(home) == before


BROKEN = [
    ("facts", "src: hermes", "src: nobody"),
    ("facts", "type: fact", "type: fact\ntype: fact"),
    ("entities", "name: ", "name: [a"),
    ("entities", "type: service", "type: library"),
]


@pytest.mark.parametrize(("folder", "old", "new"), BROKEN)
def test_a_wrong_edit_by_hand_is_explained_with_its_path_and_a_remedy(home, folder, old, new):
    told(home)
    page = next(p for p in Shelf(home.store).pages if p.folder == folder and "hermes" in p.path)
    path = home.store / page.path
    path.write_text(path.read_text().replace(old, new, 1))
    findings = home.call("check", code=1)["findings"]
    (found,) = [f for f in findings if f["path"] == page.path][:1]
    assert found["message"]
    assert found["remedy"]
    assert path.read_text().count(new) == 1
