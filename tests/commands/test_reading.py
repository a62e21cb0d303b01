"""The commands that read: over a store that a person wrote, which needs no git to be read."""

import json
from pathlib import Path

import pytest
from faces import DOWN, EPISODE, LATER, RUNS, USES, WORLD, Home
from make_records import day, make_fact

from scry.text import iso

FACT_KEYS = set(
    "id src relation dst value qualifier fact valid_from invalid_at superseded_by confidence stance"
    " origin episodes path".split()
)
EPISODE_KEYS = set(
    "id source session span occurred_at ingested_at cwd repo summary extractor path".split()
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.write(*WORLD)
    return made


def test_recall_answers_by_name_alias_and_words(home: Home) -> None:
    for query in (["Hermes"], ["the bot"], ["where", "does", "Hermes", "run?"]):
        found = home.call("recall", *query)

        assert RUNS.id in [fact["id"] for fact in found["facts"]], query
        assert found["entities"][0]["slug"] == "hermes"


def test_recall_has_the_keys_of_the_contract(home: Home) -> None:
    found = home.call("recall", "Hermes")

    assert set(found) >= set("query entities facts episodes near pending truncated as_of".split())
    assert set(found["facts"][0]) >= FACT_KEYS
    assert set(found["episodes"][0]) >= EPISODE_KEYS
    assert found["pending"] == 1


def test_recall_shows_what_has_ended_only_when_asked_or_for_when_it_held(home: Home) -> None:
    def ids(*more: object) -> set[str]:
        return {fact["id"] for fact in home.call("recall", "Hermes", *more)["facts"]}

    assert DOWN.id not in ids()
    assert DOWN.id in ids("--ended")
    assert DOWN.id in ids("--as-of", iso(day(1)))
    assert USES.id not in ids("--as-of", "2026-08-01T13:00:00Z")


def test_recall_that_finds_nothing_ends_with_1_and_says_what_is_near(home: Home) -> None:
    code, out, err = home.run("recall", "Hermse3")

    assert code == 1
    assert "Nothing is known about 'Hermse3'" in out
    assert "1 episode waits" in out
    assert err == ""


def test_recall_limits_and_says_that_there_is_more(home: Home) -> None:
    home.write(*(make_fact("Hermes", "uses", f"tool {n}") for n in range(5)))

    found = home.call("recall", "Hermes", "--limit", "2")

    assert len(found["facts"]) == 2
    assert found["truncated"] is True


def test_path_gives_the_chain_or_ends_with_1(home: Home) -> None:
    chain = home.call("path", "Mac mini", "Redis")
    none = home.call("path", "Hermes", "laptop", code=1)

    assert [fact["id"] for fact in chain["facts"]] == [RUNS.id, USES.id]
    assert chain["length"] == 2
    assert (none["length"], none["facts"]) == (None, [])


@pytest.mark.parametrize(
    "arguments",
    [("path", "Hermse", "Redis"), ("episodes", "Hermse"), ("facts", "Hermse"), ("log", "Hermse")],
)
def test_a_name_that_nobody_bears_ends_with_50_and_names_what_is_near(
    home: Home, arguments: tuple[str, ...]
) -> None:
    code, out, err = home.run(*arguments, "--json")

    assert (code, out) == (50, "")
    assert err == "scry: Nothing is called 'Hermse'. Did you mean Hermes?\n"


def test_episodes_lists_sessions_newest_first(home: Home) -> None:
    found = home.call("episodes", "the bot")

    assert found["entity"] == "hermes"
    assert [episode["id"] for episode in found["episodes"]] == [EPISODE.id]
    assert set(found["episodes"][0]) >= EPISODE_KEYS


def test_entities_can_be_listed_by_type(home: Home) -> None:
    everything = [e["name"] for e in home.call("entities")["entities"]]
    machines = [e["name"] for e in home.call("entities", "--type", "machine")["entities"]]

    assert everything == ["Hermes", "laptop", "Mac mini", "Redis"]
    assert machines == ["laptop", "Mac mini"]


def test_facts_of_a_thing_are_those_that_hold_unless_asked(home: Home) -> None:
    now = [fact["id"] for fact in home.call("facts", "Hermes")["facts"]]
    ever = [fact["id"] for fact in home.call("facts", "Hermes", "--ended")["facts"]]

    assert now == [USES.id, RUNS.id]
    assert ever == [*now, DOWN.id]


@pytest.mark.parametrize(
    ("reference", "kind", "key", "value"),
    [
        pytest.param(RUNS.id, "fact", "id", RUNS.id, id="a fact by its id"),
        pytest.param(f"hermes/runs_on--mac-mini--{RUNS.id}", "fact", "id", RUNS.id, id="a handle"),
        pytest.param(EPISODE.id, "episode", "id", EPISODE.id, id="an episode"),
        pytest.param("the bot", "entity", "slug", "hermes", id="an entity by an alias"),
        pytest.param("entities/he/hermes.md", "entity", "slug", "hermes", id="a file"),
    ],
)
def test_show_gives_any_record_with_its_file(
    home: Home, reference: str, kind: str, key: str, value: str
) -> None:
    found = home.call("show", reference)
    _, text, _ = home.run("show", reference)

    assert (found["kind"], found[key]) == (kind, value)
    assert text.startswith(f"{home.store / found['path']}\n")
    assert "\n---\n" in text


def test_show_of_what_nobody_knows_ends_with_50(home: Home) -> None:
    assert home.run("show", "nobody")[0] == 50


def test_pending_gives_each_episode_with_a_reason(home: Home) -> None:
    (row,) = home.call("pending")["pending"]

    assert row["id"] == LATER.id
    assert set(row) >= EPISODE_KEYS
    assert (row["attempts"], row["reasons"]) == (0, ["not asked yet"])


def test_pending_tells_the_reasons_that_are_on_record(home: Home) -> None:
    note = home.store / ".git" / "scry" / "local" / "attempts.json"
    note.parent.mkdir(parents=True)
    note.write_text(json.dumps({LATER.id: {"attempts": 3, "reasons": ["a/b: timeout"]}}))

    (row,) = home.call("pending", LATER.id)["pending"]

    assert (row["attempts"], row["reasons"]) == (3, ["a/b: timeout"])


def test_orient_prints_markdown_and_never_fails(home: Home, tmp_path: Path) -> None:
    found = home.call("orient")
    nowhere = Home(tmp_path / "other").run("orient", "--json")

    assert set(found) == {"markdown", "tokens", "facts", "ms"}
    assert nowhere[0] == 0
    assert '"markdown": ""' in nowhere[1]
    assert "there is no store here" in nowhere[2]


def test_orient_of_a_folder_that_has_gone_is_empty_and_ends_with_0(home: Home) -> None:
    gone = home.root / "gone"

    code, out, _ = home.run("orient", "--cwd", gone)

    assert code == 0
    assert "Traceback" not in out


def test_what_a_record_holds_cannot_steer_the_terminal(home: Home) -> None:
    entity = home.store / "entities" / "he" / "hermes.md"
    entity.write_text(entity.read_text() + "\nred \x1b[31m and \u202e reversed and \x9b2J\n")

    for arguments in (["recall", "Hermes"], ["show", "Hermes"], ["show", "Hermes", "--json"]):
        _, out, _ = home.run(*arguments)

        assert not set("\x1b\u202e\x9b") & set(out), arguments


def test_the_options_of_all_commands_may_stand_before_or_after_the_command(
    home: Home, tmp_path: Path
) -> None:
    other = Home(tmp_path / "other")
    expected = home.call("recall", "Hermes")

    for arguments in (
        ["--json", "--store", home.store, "recall", "Hermes"],
        ["recall", "Hermes", "--store", home.store, "--json"],
        ["recall", "--json", "--store", home.store, "Hermes"],
        ["--store", home.store, "memory", "recall", "--json", "Hermes"],
    ):
        done = other.start(*arguments)

        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == expected
