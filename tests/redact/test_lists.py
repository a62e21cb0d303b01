"""People's own lists: what is always masked, and what never is."""

import pytest
from faces import Home
from ingesting import claude_lines

from scry.app import App
from scry.model import Transcript
from scry.redact import redact

TOKEN = "gh" + "p_" + "a1B2c3D4e5" * 4


def test_what_is_denied_is_masked_wherever_it_stands_though_it_looks_like_nothing():
    assert redact("ask Bluebird (bluebird) about BluebirdOne", deny=["Bluebird"]) == (
        "ask [REDACTED:literal] (bluebird) about [REDACTED:literal]One"
    )
    assert redact("a Zap is no Z", deny=["Zap", "Z", ""]) == "a [REDACTED:literal] is no Z"


def test_a_value_of_the_environment_must_be_longer_than_what_somebody_denies():
    assert redact("the Zap of it", literals=["Zap"]) == "the Zap of it"


@pytest.mark.parametrize(
    "text",
    [
        f"the token of the docs is {TOKEN}.",
        f"API_TOKEN={TOKEN}",
        f"| user | token |\n|---|---|\n| jane | {TOKEN} |",
        f"export T={TOKEN[:20]}\\\n{TOKEN[20:]}",
    ],
)
def test_what_is_spared_is_never_masked(text):
    assert redact(text) != text
    assert redact(text, spare=["", TOKEN, TOKEN[:20] + "\\\n" + TOKEN[20:]]) == text


def test_only_what_lies_within_a_spared_text_is_spared():
    beside = TOKEN[:-1] + "x"
    assert redact(f"{TOKEN} {beside}", spare=[TOKEN]) == f"{TOKEN} [REDACTED:github-token]"
    assert redact(TOKEN, spare=[TOKEN[:20]]) == "[REDACTED:github-token]"
    assert redact("the word hunter", spare=["word hunter"], deny=["hunter"]) == "the word hunter"


def test_lists_do_not_remember_each_other():
    text = f"use {TOKEN}"
    for _ in range(2):
        assert redact(text, spare=[TOKEN]) == text
        assert redact(text) == "use [REDACTED:github-token]"
        assert redact("plain words", deny=["plain"]) == "[REDACTED:literal] words"
        assert redact("plain words") == "plain words"


def test_redacting_twice_with_lists_is_the_same_as_once():
    text = f"Bluebird said password: {TOKEN}, token {TOKEN[:-1]}x"
    once = redact(text, deny=["Bluebird"], spare=[TOKEN])
    assert redact(once, deny=["Bluebird"], spare=[TOKEN]) == once


SAID = (
    f"We decided that Bluebird uses SQLite, and the token of the docs stays {TOKEN} for ever.",
    "Good. I wrote down that the queue lives in SQLite.",
)


def _told(home, lists):
    """Return what a store holds of a session: all its files, and the evidence of its episode."""
    made = Home(home)
    (home / ".scry").mkdir()
    (home / ".scry" / "config.yaml").write_text(lists, encoding="utf-8")
    path = home / ".claude" / "projects" / "-w-hermes" / "s.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(claude_lines("s", SAID)) + "\n", encoding="utf-8")
    made.call("init")
    made.call("ingest", path)
    kept = "".join(
        file.read_text(encoding="utf-8")
        for file in made.store.rglob("*")
        if file.is_file() and ".git" not in file.parts
    )
    here = App.of_environment(made.environ)
    (episode,) = here.index().episodes.values()
    return kept, here.reader.evidence(episode.id)


def test_the_lists_of_the_configuration_hold_for_what_is_stored_and_shown(tmp_path):
    lists = f'redaction:\n  deny: ["Bluebird"]\n  allow: ["{TOKEN}"]\n'
    kept, evidence = _told(tmp_path, lists)

    assert "SQLite" in kept
    assert "Bluebird" not in kept + evidence
    assert "[REDACTED:literal]" in evidence
    assert TOKEN in evidence


def test_without_lists_nothing_is_spared_and_nothing_more_is_masked(tmp_path):
    kept, evidence = _told(tmp_path, "version: '1'\n")

    assert "Bluebird" in evidence
    assert TOKEN not in kept + evidence


def test_an_env_file_does_not_make_the_lists_forgotten(tmp_path):
    (tmp_path / ".env").write_text('DB_PASSWORD="maple-Otter47-quay"\n', encoding="utf-8")
    (tmp_path / ".scry").mkdir()
    (tmp_path / ".scry" / "config.yaml").write_text('redaction: {deny: ["Bluebird"]}\n')
    here = App.of_environment({"HOME": str(tmp_path)})
    session = Transcript(source="claude", path=tmp_path / "s", session="s", cwds=(str(tmp_path),))

    assert here.redact_for(session)("Bluebird, maple-Otter47-quay") == (
        "[REDACTED:literal], [REDACTED:literal]"
    )
