"""`scry submit`: a reply by hand goes the way of every reply, or leaves everything as it was."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from faces import FAKE_SECRET, REPLY, TALK, Home, model, saying
from replycases import Case, cases

from scry.model import Redacted

CASES = {case.name: case for case in cases(".txt")}
BAD = (
    "not-utf8 utf16 whitespace-only refusal think-only toplevel-array two-different-objects"
    " nan-confidence missing-facts summary-empty entities-10000 yaml-reply"
).split()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def waits(home: Home, *said: str) -> str:
    """Take in a session that nobody answers for; return its episode."""
    config = home.root / ".scry" / "config.yaml"
    config.parent.mkdir(exist_ok=True)
    (episode,) = home.call("ingest", "--offline", home.transcript(*(said or TALK)))["episodes"]
    return str(episode)


def submit(home: Home, episode: str, reply: object, *more: str, code: int = 0) -> dict[str, Any]:
    raw = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
    return home.call("submit", episode, *more, code=code, input=raw)


def head(home: Home) -> str:
    return home.git("rev-parse", "HEAD").strip()


def test_a_reply_becomes_facts_in_one_commit(home: Home) -> None:
    episode = waits(home)
    before = head(home)

    found = submit(home, episode, REPLY)

    (commit,) = found["commits"]
    assert (found["episodes"], found["pending"], found["refused"]) == ([episode], [], [])
    assert commit["id"] == head(home)
    assert home.git("rev-list", "--count", f"{before}..HEAD").strip() == "1"
    assert f"Scry-Episode: {episode}" in home.git("log", "-1", "--format=%B")
    assert {fact["dst"] for fact in home.call("recall", "Hermes")["facts"]} >= {"mac-mini", "redis"}
    assert home.call("show", episode)["extractor"] == "submit"
    assert home.call("pending")["pending"] == []
    assert home.git("status", "--porcelain") == ""


def test_the_same_reply_gives_the_same_facts_as_from_a_model(home: Home, tmp_path: Path) -> None:
    by_hand = waits(home)
    submit(home, by_hand, REPLY)
    other = Home(tmp_path / "other")
    with model(other, saying(REPLY)):
        other.call("ingest", other.transcript(*TALK))

    def facts(made: Home) -> list[dict[str, Any]]:
        return list(made.call("facts", "Hermes")["facts"])

    assert facts(home) == facts(other) != []


def test_the_name_of_who_made_it_is_on_record(home: Home) -> None:
    episode = waits(home)

    submit(home, episode, REPLY, "--model", "claude-opus-4")

    assert home.call("show", episode)["extractor"] == "submit/claude-opus-4"
    assert "Scry-Extractor: submit/claude-opus-4" in home.git("log", "-1", "--format=%B")


@pytest.mark.parametrize("name", ["a\nScry-Episode: x", "\x1b[2J", "x" * 81, FAKE_SECRET, " "])
def test_a_name_that_could_do_harm_is_a_usage_error(home: Home, name: str) -> None:
    episode = waits(home)
    before = head(home)

    code, _, err = home.run("submit", episode, "--model", name, input=json.dumps(REPLY).encode())

    assert code == 2
    assert "--model" in err
    assert FAKE_SECRET not in err
    assert head(home) == before


# --- replies that cannot be used ------------------------------------------------------------------


@pytest.mark.parametrize("name", BAD)
def test_a_bad_reply_ends_with_30_is_noted_and_changes_nothing(home: Home, name: str) -> None:
    case: Case = CASES[name]
    assert case.expect["outcome"] == "fallback"
    episode = waits(home)
    before, text = head(home), home.git("show", "HEAD")

    code, out, err = home.run("submit", episode, "--json", input=case.raw)

    assert code == 30, out + err
    assert "Traceback" not in err
    assert re.search(r"^scry: .*[.] Nothing of it was stored", err)
    found = json.loads(out)
    assert (found["pending"], found["commits"], found["episodes"]) == ([episode], [], [])
    (row,) = home.call("pending")["pending"]
    assert (row["id"], row["attempts"]) == (episode, 1)
    assert row["reasons"] == [found["reasons"][episode]]
    assert row["reasons"][0].startswith("submit: ")
    assert (head(home), home.git("show", "HEAD")) == (before, text)
    assert home.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "empty"),
        (b" " * ((1 << 20) + 1), "longer than 1 MiB"),
        (json.dumps(REPLY).encode() + b" " * (1 << 20), "longer than 1 MiB"),
        (b"\xff\xfe" + json.dumps(REPLY).encode("utf-16-le"), "not UTF-8"),
    ],
)
def test_nothing_too_much_and_no_text_are_no_reply(home: Home, raw: bytes, said: str) -> None:
    episode = waits(home)

    code, _, err = home.run("submit", episode, input=raw)

    assert code == 30
    assert said in err
    assert home.call("pending")["pending"][0]["id"] == episode


@pytest.mark.parametrize(
    "name", ["fence-json", "prose-around", "think-then-json", "bom", "name-traversal"]
)
def test_a_reply_that_is_good_or_partly_so_is_applied_as_its_case_says(
    home: Home, name: str
) -> None:
    case = CASES[name]
    assert case.expect["outcome"] in ("applied", "partial")
    words = case.raw.decode("utf-8", "replace")
    names = " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', words))
    episode = waits(home, names, "Understood, and I will keep that in mind for the next time.")

    found = submit(home, episode, case.raw)

    assert found["episodes"] == [episode]
    active = list((home.store / "facts").rglob("*.md"))
    assert len(active) == case.expect["facts"]
    assert bool(found["refused"]) == (case.expect["outcome"] == "partial")
    assert not list(home.store.parent.glob("*.md"))


def test_after_a_bad_reply_a_good_one_is_taken_and_the_reasons_go(home: Home) -> None:
    episode = waits(home)
    submit(home, episode, b"no", code=30)

    submit(home, episode, REPLY)

    assert home.call("pending")["pending"] == []
    assert episode not in home.git("status", "--porcelain")
    kept = home.store / ".git" / "scry" / "local" / "attempts.json"
    assert episode not in kept.read_text()


def test_a_secret_in_a_reply_is_in_no_file_and_on_no_line(home: Home) -> None:
    episode = waits(home)
    fact = {**REPLY["facts"][0], "fact": f"Hermes runs on the Mac mini with {FAKE_SECRET}."}  # type: ignore[index, dict-item]
    reply = {**REPLY, "facts": [fact]}

    code, out, err = home.run("submit", episode, input=json.dumps(reply).encode())

    assert code == 0
    stored = "".join(path.read_text() for path in home.store.rglob("*.md"))
    assert FAKE_SECRET not in stored + out + err + home.git("log", "-p")


# --- the right episode ----------------------------------------------------------------------------


def test_a_reply_for_another_episode_is_refused(home: Home) -> None:
    episode = waits(home)

    found = submit(home, episode, {"episode": "2026-01-01-claude-aaaaaaaa", **REPLY}, code=30)

    assert "2026-01-01-claude-aaaaaaaa" in found["reasons"][episode]
    assert home.call("pending")["pending"][0]["id"] == episode


def test_the_prompt_says_how_to_hand_the_answer_back_and_that_is_taken(home: Home) -> None:
    episode = waits(home)
    (row,) = home.call("pending", "--prompt", episode)["pending"]

    assert f"scry submit {episode} < reply.json" in row["prompt"].splitlines()[-1]
    (mark,) = re.findall(r'"episode": "([^"]+)"', row["prompt"].splitlines()[-1])
    assert mark.startswith(f"{episode}#")
    assert submit(home, episode, {"episode": mark, **REPLY})["episodes"] == [episode]


def test_a_reply_to_what_an_episode_said_before_it_grew_is_refused(home: Home) -> None:
    episode = waits(home)
    (row,) = home.call("pending", "--prompt", episode)["pending"]
    (mark,) = re.findall(r'"episode": "([^"]+)"', row["prompt"].splitlines()[-1])
    more = (*TALK, "And Talos uses Redis as well.", "Yes, Talos uses the very same Redis.")
    home.call("ingest", "--offline", home.transcript(*more))

    found = submit(home, episode, {"episode": mark, **REPLY}, code=30)

    assert "earlier text" in found["reasons"][episode]
    assert submit(home, episode, REPLY)["episodes"] == [episode]


def test_without_an_id_the_prompt_is_the_oldest_one(home: Home) -> None:
    first = waits(home)
    later = home.transcript(*TALK, session="2f3c9e0a-5b7d-4c55-9a3e-0d6f1c2b7a91")
    later.write_text(later.read_text().replace("2026-08-01T", "2026-08-05T"))
    home.call("ingest", "--offline", later)

    assert len(home.call("pending")["pending"]) == 2
    (row,) = home.call("pending", "--prompt")["pending"]
    assert row["id"] == first
    assert TALK[0] in row["prompt"]


def test_an_unknown_episode_ends_with_50_and_names_the_nearest(home: Home) -> None:
    episode = waits(home)

    code, _, err = home.run("submit", episode[:-1] + "0", input=json.dumps(REPLY).encode())

    assert code == 50
    assert episode in err


def test_what_a_model_has_answered_is_not_answered_again(home: Home) -> None:
    with model(home, saying(REPLY)):
        (episode,) = home.call("ingest", home.transcript(*TALK))["episodes"]
    before = head(home)

    code, _, err = home.run("submit", episode, input=json.dumps(REPLY).encode())

    assert (code, head(home)) == (1, before)
    assert "near/test-1" in err


def test_what_only_the_rules_answered_may_be_answered(home: Home) -> None:
    (episode,) = home.call("ingest", home.transcript(*TALK))["episodes"]
    assert home.call("show", episode)["extractor"] == "rules"
    assert home.call("pending")["pending"] == []
    (row,) = home.call("pending", "--prompt")["pending"]
    assert (row["id"], TALK[0] in row["prompt"]) == (episode, True)

    submit(home, episode, REPLY)

    assert home.call("show", episode)["extractor"] == "submit"


def test_what_was_undone_is_not_answered(home: Home) -> None:
    episode = waits(home)
    home.call("undo", episode)

    code, _, err = home.run("submit", episode, input=json.dumps(REPLY).encode())

    assert code == 1
    assert "undone" in err


def test_where_the_text_is_gone_it_says_what_to_do(home: Home) -> None:
    episode = waits(home)
    for path in (home.store / ".git" / "scry" / "evidence").rglob("*.txt"):
        path.unlink()
    kept = home.transcript(*TALK)
    text = kept.read_text()
    kept.unlink()

    code, _, err = home.run("submit", episode, input=json.dumps(REPLY).encode())
    assert code == 20
    assert "not on this machine" in err
    assert "scry ingest" in err

    kept.write_text(text)  # The transcript will do.
    assert submit(home, episode, REPLY)["episodes"] == [episode]


def test_two_replies_at_once_are_one_answer(home: Home) -> None:
    import subprocess
    import sys

    episode = waits(home)
    command = [sys.executable, "-m", "scry", "submit", episode, "--json"]
    running = [
        subprocess.Popen(
            command,
            env=home.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    for process in running:
        process.communicate(json.dumps(REPLY).encode())

    assert sorted(process.returncode for process in running) in ([0, 0], [0, 1])
    assert home.git("log", "--format=%s").count("Moved Hermes") == 1
    assert home.git("status", "--porcelain") == ""


def test_a_submitted_reply_can_be_undone_and_nothing_comes_back(home: Home) -> None:
    episode = waits(home)
    submit(home, episode, REPLY)

    home.call("undo", episode)
    home.call("ingest", home.transcript(*TALK))

    assert home.run("recall", "Redis")[0] == 1 or not home.call("recall", "Redis")["facts"]


def test_the_mark_changes_with_the_words_and_not_with_anything_else() -> None:
    from dataclasses import replace

    from replycases import chunk_of

    from scry.commands._words import mark

    part = chunk_of("Hermes is live.")
    assert mark(part) == mark(replace(part, context=Redacted("user: x")))
    assert mark(part) != mark(chunk_of("Hermes is down."))


def test_an_answer_that_comes_while_another_is_stored_is_refused_under_the_lock(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scry.ingest import Ingest

    episode = waits(home)
    accept = Ingest.accept

    def late(ingest: Ingest, *given: Any, **more: Any) -> Any:
        """Let somebody else's answer be stored between the first look and the lock."""
        monkeypatch.setattr(Ingest, "accept", accept)
        assert home.start("submit", episode, input=json.dumps(REPLY).encode()).returncode == 0
        return accept(ingest, *given, **more)

    monkeypatch.setattr(Ingest, "accept", late)
    (home.root / "reply.json").write_text(json.dumps(REPLY))
    with (home.root / "reply.json").open() as file:
        monkeypatch.setattr("sys.stdin", file)
        code, _, err = home.run("submit", episode)

    assert code == 1
    assert "has an answer already" in err
    assert home.git("log", "--format=%s").count("learn:") == 1
