"""The chain as a person sees it: what it was asked, what it cost, who is left out, who waits."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from faces import Home
from faulty_server import Faulty, faulty_server, talk_of

from scry.app import App
from scry.attempts import ATTEMPTS
from scry.commands._plan import remote_links
from scry.config import Config, Link


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def sessions(home: Home, *numbers: int) -> None:
    for number in numbers:
        home.transcript(*talk_of(number), session=f"{number:08d}-5b7d-4c55-9a3e-0d6f1c2b7a90")


def configured(home: Home, server: Faulty, *providers: str, more: str = "", **how: bool) -> None:
    config = home.root / ".scry" / "config.yaml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(server.config(*providers, more=more, **how))
    config.chmod(0o600)


def chain(home: Home) -> dict[str, dict]:
    return {link["id"]: link for link in home.call("status")["chain"]}


# --- what it cost --------------------------------------------------------------------------------


def test_every_figure_of_what_was_asked_and_spent_equals_the_server_s_own(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scry.providers.http._pause", lambda _: 0)
    sessions(home, *range(6))
    script = [
        *("500", "429", ""),  # Retries on the wire.
        *("malformed", ""),  # One correction.
        *("malformed", "malformed", ""),  # The next in the chain.
        *("empty", "529", ""),
        *("truncated", ""),  # The next in the chain: the record is short.
    ]
    with faulty_server(rate=0.0, strict=frozenset(["near"]), script=script) as server:
        configured(home, server, "near", "far")
        home.call("sweep")
        home.call("sweep")
        found = home.call("status")

    assert server.script == []
    for link in found["chain"]:
        assert link["today"] == link["week"]
        assert link["today"]["calls"] == server.count(provider=link["id"])
        assert (link["today"]["tokens_in"], link["today"]["tokens_out"]) == server.tokens(
            link["id"]
        )
        assert link["answered"] == link["today"]["answers"]
    spend = {name: (s["tokens_in"], s["tokens_out"]) for name, s in found["spend"].items()}
    assert spend == {f"{name}/m": server.tokens(name) for name in ("near", "far")}
    assert sum(link["facts"] for link in found["chain"]) == found["current"] == 6
    assert [link["answered"] for link in found["chain"]] == [4, 2]


def test_a_weaker_mode_is_remembered_by_the_next_process(home: Home) -> None:
    with faulty_server(rate=0.0, strict=frozenset(["near"])) as server:
        configured(home, server, "near")
        for number in range(3):
            sessions(home, number)
            home.call("sweep")
        found = chain(home)["near"]

    assert [asked.fault for asked in server.asked] == ["no format", "", "", ""]
    assert found["mode"] == "tool"


def test_a_commit_says_what_each_of_several_extractors_has_cost(home: Home) -> None:
    with faulty_server(rate=0.0, script=["", "refused", ""]) as server:
        configured(home, server, "near", "far")
        turns = [text + " word" * 2_600 for number in range(2) for text in talk_of(number)]
        home.transcript(*turns)
        home.call("sweep")
        spend = home.call("status")["spend"]

    message = home.git("log", "-1", "--format=%B")
    assert "Scry-Tokens: near/m 100 in, 20 out" in message
    assert "Scry-Tokens: far/m 300 in, 60 out" in message
    assert {name: tuple(s.values()) for name, s in spend.items()} == {
        "near/m": (100, 20),
        "far/m": (300, 60),
    }


# --- who is left out -----------------------------------------------------------------------------


def test_what_will_never_work_is_asked_once_and_again_only_when_a_person_says_so(
    home: Home,
) -> None:
    sessions(home, 0, 1, 2)
    with faulty_server(rate=1.0, faults=["refused"]) as server:
        configured(home, server, "near")
        counts = []
        for command in ("sweep", "sweep", "retry", "sweep"):
            home.run(command)
            counts.append(len(server.asked))
        waits = home.call("pending")
        _, status, _ = home.run("status")
        config = home.root / ".scry" / "config.yaml"
        config.write_text(config.read_text().replace('model: "m"', 'model: "n"'))
        home.run("sweep")
        counts.append(len(server.asked))

    assert counts == [1, 1, 2, 2, 3]
    assert sum(row["attempts"] for row in waits["pending"]) == 2
    assert all(row["next"] and row["reasons"] for row in waits["pending"])
    (pause,) = waits["left_out"]
    assert pause["extractor"] == "near/m"
    assert "the key is not valid" in pause["reason"]
    assert f"left out until {pause['until']}" in status


def test_a_server_that_is_down_is_left_out_by_the_next_process_too(home: Home) -> None:
    sessions(home, *range(5))
    with faulty_server(rate=1.0, faults=["wrong type"]) as server:
        configured(home, server, "near")
        home.run("sweep")
        home.run("sweep")

    assert len(server.asked) == 3
    assert [row["attempts"] for row in home.call("pending")["pending"]].count(0) == 2


def test_a_budget_stops_requests_and_an_episode_that_was_not_asked_for_is_not_given_up(
    home: Home,
) -> None:
    sessions(home, *range(5))
    with faulty_server(rate=0.0) as server:
        more = "  attempts: {per_episode: 1}\n  budget: {calls_per_day: 3}\n"
        configured(home, server, "near", more=more)
        for _ in range(3):
            home.call("sweep")
        waits = home.call("pending")
        found = chain(home)["near"]
        configured(home, server, "near", more=more.replace("3", "9"))
        home.call("sweep")

    assert found["left"] == {"calls": 0}
    rows = waits["pending"]
    assert [(row["attempts"], row["given_up"]) for row in rows] == [(0, ""), (0, "")]
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%dT00:00:00Z")
    assert {row["next"] for row in rows} == {tomorrow}
    assert "budget of 3 calls" in rows[0]["reasons"][0]
    assert len(server.asked) == 5
    assert home.call("pending")["pending"] == []


# --- who waits -----------------------------------------------------------------------------------


def test_what_only_rules_have_answered_waits_for_a_model_once_there_is_one(home: Home) -> None:
    sessions(home, 0, 1)
    home.call("sweep")
    assert home.call("status")["by_rules"] == 0
    with faulty_server(rate=0.0) as server:
        configured(home, server, "near", rules=True)
        before = home.call("status")["by_rules"], home.call("pending")["by_rules"]
        would = home.call("sweep", "--dry-run")["would"]
        home.call("sweep")
        after = home.call("status")
        home.call("sweep")

    assert before == (2, 2)
    assert (would["episodes"], would["again"]) == (0, 2)
    assert would["tokens"] > 1_000
    assert after["by_rules"] == 0
    assert len(server.asked) == 2


def test_where_no_model_answers_what_the_rules_said_stays_as_it_is(home: Home) -> None:
    sessions(home, 0)
    home.call("sweep")
    head = home.git("rev-parse", "HEAD")
    with faulty_server(rate=1.0, faults=["malformed"]) as server:
        configured(home, server, "near", more="  attempts: {per_episode: 2}\n")
        for _ in range(4):
            home.call("sweep")
        found = home.call("status")

    assert len(server.asked) == 2 * 2
    assert home.git("rev-parse", "HEAD") == head
    assert (found["by_rules"], found["pending"]) == (1, 0)


def test_rules_behind_a_model_that_is_left_out_answer_at_once_and_the_model_later(
    home: Home,
) -> None:
    sessions(home, 0, 1, 2)
    with faulty_server(rate=0.0, script=["refused"]) as server:
        configured(home, server, "near", rules=True)
        first = home.call("sweep")
        waiting = home.call("status")["by_rules"]
        home.call("retry")

    assert first["pending"] == []
    assert waiting == 3
    assert len(server.asked) == 4
    assert home.call("status")["by_rules"] == 0


def test_an_attempt_counts_even_if_the_process_dies_of_it(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions(home, 0)
    with faulty_server(rate=0.0) as server, monkeypatch.context() as patch:
        configured(home, server, "near")
        patch.setattr("scry.providers.http.exchange", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            home.run("sweep")
        note = App.of_environment(home.environ).reader.local(ATTEMPTS)

    assert '"attempts": 1' in note
    assert "the process ended" in note


def test_an_episode_that_has_waited_too_long_is_left_to_the_person(home: Home) -> None:
    sessions(home, 0)
    with faulty_server(rate=1.0, faults=["malformed"]) as server:
        configured(home, server, "near", more="  attempts: {give_up_after_days: 3}\n")
        home.call("sweep")
        note = home.store / ".git" / "scry" / "local" / ATTEMPTS
        long_ago = (datetime.now(UTC) - timedelta(days=4)).strftime("%Y-%m-%d")
        today = datetime.now(UTC).strftime("%Y-%m-%d")
        note.write_text(note.read_text().replace(today, long_ago))
        asked = len(server.asked)
        swept = home.call("sweep")
        (row,) = home.call("pending")["pending"]
        _, text, _ = home.run("pending")
        left_alone = len(server.asked)
        home.run("retry", row["id"])

    assert asked == left_alone == 2
    assert len(server.asked) == 4
    assert swept["pending"] == []
    assert "more than 3 days" in row["given_up"]
    assert row["reasons"]
    assert "scry retry" in text


def test_a_sweep_asks_again_for_so_many_only_and_the_next_one_goes_on(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scry.commands.sweep._MANY", 2)
    sessions(home, *range(5))
    home.call("sweep")
    with faulty_server(rate=0.0) as server:
        configured(home, server, "near")
        monkeypatch.setattr("scry.commands.sweep.remote_links", lambda config: config.chain)
        counts = []
        for _ in range(3):
            code, _, err = home.run("sweep")
            assert code == 0
            counts.append(len(server.asked))

    assert counts == [2, 4, 5]
    assert err == ""


def test_an_answer_is_asked_for_from_the_kept_text_when_the_transcript_is_gone(home: Home) -> None:
    sessions(home, 0)
    home.call("sweep", "--offline")
    for path in home.root.glob(".claude/projects/*/*.jsonl"):
        path.unlink()
    with faulty_server(rate=0.0) as server:
        configured(home, server, "near")
        home.call("sweep")

    assert len(server.asked) == 1
    assert home.call("status")["pending"] == 0


# --- what leaves the machine -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "leaves"),
    [
        ({"type": "rules"}, False),
        ({"type": "openai", "base_url": "http://127.0.0.1:8080/v1"}, False),
        ({"type": "openai", "base_url": "https://api.example.com/v1"}, True),
        ({"type": "anthropic"}, True),
        ({"type": "gemini"}, True),
        ({"type": "anthropic", "base_url": "http://localhost:9000"}, False),
        ({"type": "ollama", "model": "qwen3:4b"}, False),
        ({"type": "ollama", "model": "gpt-oss:120b-cloud"}, True),
        ({"type": "ollama", "model": "glm-4.6:cloud"}, True),
        ({"type": "ollama", "model": "qwen3:4b", "base_url": "https://gpu.example.com"}, True),
        ({"type": "command", "preset": "claude"}, True),
        ({"type": "command", "argv": ("ask-model",)}, True),
    ],
    ids=str,
)
def test_text_counts_as_leaving_the_machine_wherever_nobody_can_know_better(
    link: dict,
    leaves: bool,  # noqa: FBT001 -- a case
) -> None:
    one = Link(id="it", **link)
    assert remote_links(Config(chain=(one,))) == [one] * leaves
