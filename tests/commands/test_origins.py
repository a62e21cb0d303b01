"""`why`, `show`, `log`, `status` and `check`: the commands that ask git and the transcripts."""

import time
from pathlib import Path

import pytest
from faces import REPLY, TALK, Home, model, saying


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def _learned(home: Home) -> str:
    """Take in one session through a model; return the id of what it says about the Mac mini."""
    with model(home, saying(REPLY)):
        home.call("ingest", home.transcript(*TALK))
    facts = home.call("recall", "Mac mini")["facts"]
    return str(next(fact["id"] for fact in facts if fact["dst"] == "mac-mini"))


def test_why_leads_to_the_commit_and_to_the_words(home: Home) -> None:
    fact = _learned(home)

    found = home.call("why", fact)
    _, text, _ = home.run("why", fact)

    (episode,) = found["episodes"]
    assert found["fact"]["id"] == fact
    assert [c["id"] for c in found["commits"]] == [home.git("rev-parse", "HEAD").strip()]
    assert (episode["state"], episode["quote"]) == ("verified", TALK[0])
    assert ".jsonl:1 (verified)" in text
    assert TALK[0] in text


def test_why_says_when_a_transcript_has_changed_or_gone_and_still_quotes_what_was_kept(
    home: Home,
) -> None:
    fact = _learned(home)
    path = home.transcript(*TALK)
    path.write_text(path.read_text().replace("laptop", "palmtop"))

    changed = home.call("why", fact)["episodes"][0]
    path.unlink()
    gone = home.call("why", fact)["episodes"][0]

    assert (changed["state"], changed["quote"]) == ("changed", TALK[0])
    assert (gone["state"], gone["quote"]) == ("gone", TALK[0])


def test_why_of_a_fact_that_nobody_knows_ends_with_50(home: Home) -> None:
    home.call("init")

    assert home.run("why", "nobody")[0] == 50


def test_show_prints_what_was_said_in_an_episode(home: Home) -> None:
    _learned(home)
    episode = home.call("episodes", "Hermes")["episodes"][0]["id"]

    found = home.call("show", episode, "--source")

    assert found["state"] == "verified"
    assert [(turn["line"], turn["text"]) for turn in found["turns"]] == [(1, TALK[0]), (2, TALK[1])]


def test_log_tells_what_was_learned_in_all_and_about_one_thing(home: Home) -> None:
    _learned(home)
    home.call(
        "remember", "Zephyr is up.", "--entity", "Zephyr", "--relation", "status", "--value", "up"
    )

    everything = home.call("log")["commits"]
    about = home.call("log", "Hermes")["commits"]
    newest = home.call("log", "-n", "1")["commits"]

    assert [c["added"] for c in everything[:2]] == [
        ["zephyr status up"],
        ["hermes uses redis", "hermes runs_on mac-mini"],
    ]
    assert [c["id"] for c in about] == [everything[1]["id"]]
    assert [c["id"] for c in newest] == [everything[0]["id"]]
    assert set(newest[0]) >= set("id date subject episodes added ended".split())


def test_log_tells_what_has_ended(home: Home) -> None:
    typed = ["--entity", "Hermes", "--relation", "status", "--value"]
    home.call("remember", "Hermes is up.", *typed, "up", "--as-of", "2026-08-01")
    home.call("remember", "Hermes is down.", *typed, "down", "--as-of", "2026-08-02")

    newest = home.call("log")["commits"][0]

    assert (newest["added"], newest["ended"]) == (["hermes status down"], ["hermes status up"])


def test_as_known_answers_as_it_was_known_then(home: Home) -> None:
    _learned(home)
    before = home.git("rev-parse", "HEAD").strip()
    home.call(
        "remember", "Hermes is down.", "--entity", "Hermes", "--relation", "status", "--value", "x"
    )

    now = {fact["relation"] for fact in home.call("facts", "Hermes")["facts"]}
    then = {f["relation"] for f in home.call("facts", "Hermes", "--as-known", before)["facts"]}
    never = home.run("recall", "Hermes", "--as-known", "2020-01-01")

    assert (now, then) == ({"runs_on", "uses", "status"}, {"runs_on", "uses"})
    assert never[0] == 1
    assert home.run("recall", "Hermes", "--as-known", "nonsense")[0] == 40


def test_status_says_who_really_answered_and_what_it_cost(home: Home) -> None:
    _learned(home)

    found = home.call("status")

    assert (found["entities"], found["facts"], found["current"]) == (3, 2, 2)
    assert (found["episodes"], found["pending"], found["review"]) == (1, 0, 0)
    assert [(link["id"], link["answered"]) for link in found["chain"]] == [("near", 1)]
    assert found["spend"] == {"near/test-1": {"tokens_in": 100, "tokens_out": 20}}
    assert (found["last_sweep"], found["dirty"]) == (None, [])


def test_status_names_the_files_that_a_person_has_changed(home: Home) -> None:
    _learned(home)
    page = home.store / "entities" / "he" / "hermes.md"
    page.write_text(page.read_text() + "More.\n")

    assert home.call("status")["dirty"] == ["entities/he/hermes.md"]


def test_the_last_sweep_is_on_record(home: Home) -> None:
    home.transcript(*TALK)
    home.call("sweep")

    assert str(home.call("status")["last_sweep"])[:4] == time.strftime("%Y")


def test_a_fresh_store_is_sound(home: Home) -> None:
    _learned(home)

    assert home.call("check") == home.call("check", "--deep") == {"ok": True, "findings": []}


def test_check_finds_what_a_person_broke_and_where(home: Home) -> None:
    _learned(home)
    page = home.store / "entities" / "he" / "hermes.md"
    page.write_text("---\ntype: service\nname: Hermes\nname: twice\n---\n")
    home.store.chmod(0o755)
    (home.root / ".scry" / "config.yaml").write_text("version: 7\n")

    found = home.call("check", code=1)

    assert found["ok"] is False
    by_kind = {finding["id"]: finding for finding in found["findings"]}
    assert set(by_kind) >= {"unreadable", "open-to-others", "config", "dangling-end"}
    assert by_kind["unreadable"]["path"] == "entities/he/hermes.md"
    assert by_kind["unreadable"]["line"] == 4
    assert set(by_kind["config"]) >= set("id level path line message remedy".split())


def test_check_deep_finds_an_object_that_is_gone(home: Home) -> None:
    _learned(home)
    blob = home.git("rev-parse", "HEAD:entities/he/hermes.md").strip()
    objects = home.store / ".git" / "objects"
    loose = objects / blob[:2] / blob[2:]
    for path in [loose] if loose.exists() else list((objects / "pack").iterdir()):
        path.unlink()

    assert home.call("check")["ok"] is True
    assert [finding["id"] for finding in home.call("check", "--deep", code=1)["findings"]]


def test_a_wrong_configuration_is_said_before_anything_is_read(home: Home) -> None:
    config = home.root / ".scry" / "config.yaml"
    config.parent.mkdir()
    config.write_text("version: 1\nextracion: {}\n")

    code, out, err = home.run("sweep", "--json")

    assert (code, out) == (10, "")
    assert "Did you mean 'extraction'?" in err
