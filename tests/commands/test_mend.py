"""The repair verbs on a real store: one commit each, and one `git revert` takes it back."""

from collections.abc import Sequence

import pytest
from faces import REPLY, TALK, Home, model, saying

from scry.errors import Exit
from scry.store.tree import FileReader

FACTS = REPLY["facts"]
SECOND = "2f3c9e0a-5b7d-4c55-9a3e-0d6f1c2b7a90"


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home that has learned one session from a model."""
    home = Home(tmp_path_factory.mktemp("mend") / "home")
    home.transcript(*TALK)
    with model(home, saying(REPLY)):
        home.call("sweep")
    return home


@pytest.fixture
def home(learned: Home) -> Home:
    """Return that home as it was first."""
    first = learned.git("rev-list", "--max-parents=1", "--all", "--reverse").split()
    learned.git("reset", "--hard", "-q", _learnt(learned, first))
    return learned


def _learnt(home: Home, commits: Sequence[str]) -> str:
    return next(c for c in commits if "learn:" in home.git("show", "-s", "--format=%s", c))


def ids(home: Home) -> dict[str, str]:
    """Return the id of each fact by its relation."""
    return {f["relation"]: f["id"] for f in home.call("facts", "Hermes", "--ended")["facts"]}


def tree(home: Home) -> str:
    return home.git("rev-parse", "HEAD^{tree}").strip()


def others(reply: dict, sentence: str) -> dict:
    """Return a reply that says the first fact in other words."""
    first, *rest = reply["facts"]
    return {**reply, "facts": [{**first, "fact": sentence}, *rest]}


VERBS = {
    "merge": lambda home: ("merge", "Redis", "Hermes"),
    "split": lambda home: ("split", "Hermes", "Iris", "--fact", ids(home)["runs_on"]),
    "rename": lambda home: ("rename", "Hermes", "Mercury"),
    "retype": lambda home: ("retype", "Redis", "service"),
    "alias": lambda home: ("alias", "Hermes", "--add", "the bot", "--reject", "gateway"),
    "end": lambda home: ("end", ids(home)["runs_on"]),
    "retire": lambda home: ("retire", "--source", "claude", "--since", "2026-01-01"),
    "undo": lambda home: ("undo", "claude"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_is_one_commit_that_one_revert_takes_back(home: Home, verb: str) -> None:
    before, head = tree(home), home.git("rev-parse", "HEAD").strip()
    done = home.call(*VERBS[verb](home))
    assert home.git("rev-list", "--count", f"{head}..HEAD").strip() == "1"
    assert done["commit"] == home.git("rev-parse", "HEAD").strip()
    assert home.git("status", "--porcelain") == ""
    assert home.git("show", "-s", "--format=%s").startswith(f"{verb}: ")
    assert home.call("log", "-n", "1")["commits"][0]["subject"].startswith(f"{verb}: ")
    home.git("-c", "user.name=p", "-c", "user.email=p@x", "revert", "--no-edit", "HEAD")
    assert tree(home) == before


@pytest.mark.parametrize("verb", VERBS)
def test_what_was_put_right_stays_so_after_a_sweep_and_reading_it_again(
    home: Home, verb: str
) -> None:
    home.call(*VERBS[verb](home))
    after = tree(home)
    transcript = next((home.root / ".claude").rglob("*.jsonl"))
    with model(home, saying(REPLY), saying(REPLY)):
        home.call("sweep")
        assert tree(home) == after
        home.call("ingest", transcript, "--again")
        assert tree(home) == after


@pytest.mark.parametrize("verb", VERBS)
def test_the_second_time_makes_no_commit(home: Home, verb: str) -> None:
    words = VERBS[verb](home)
    home.call(*words)
    head = home.git("rev-parse", "HEAD")
    assert home.call(*words)["commit"] == ""
    assert home.git("rev-parse", "HEAD") == head


def test_a_better_model_s_other_words_for_what_was_ended_wait(home: Home) -> None:
    home.call("end", ids(home)["runs_on"])
    transcript = next((home.root / ".claude").rglob("*.jsonl"))
    words = "Hermes is hosted by the Mac mini."
    with model(home, saying(others(REPLY, words))):
        home.call("ingest", transcript, "--again")
    assert [f["relation"] for f in home.call("facts", "Hermes")["facts"]] == ["uses"]
    waiting = [r for r in FileReader(home.store).load().records if getattr(r, "reason", "")]
    assert [(r.fact, r.reason) for r in waiting] == [
        (words, "ended by a person in other words: runs_on")
    ]


def test_both_names_of_a_merged_pair_find_the_same(home: Home) -> None:
    home.call("merge", "Redis", "Hermes")
    for name in ("Redis", "Hermes"):
        found = home.call("recall", name)
        assert [e["slug"] for e in found["entities"]][:1] == ["hermes"]
    home.call("split", "Redis")
    assert [e["slug"] for e in home.call("recall", "Redis")["entities"]][:1] == ["redis"]


def test_a_name_that_nobody_bears_is_said_with_those_that_are_near(home: Home) -> None:
    for words in (
        ("merge", "Hermess", "Redis"),
        ("split", "Hermess"),
        ("rename", "Hermess", "Iris"),
        ("retype", "Hermess", "tool"),
        ("alias", "Hermess", "--add", "bot"),
        ("end", "hermess"),
    ):
        code, _, err = home.run(*words)
        assert code == Exit.UNKNOWN_NAME, (words, err)
    assert "Did you mean Hermes?" in home.run("merge", "Hermess", "Redis")[2]
    assert home.run("retire", "--source", "clod", "--since", "2026-01-01")[0] == Exit.UNKNOWN_NAME


def test_a_file_with_changes_of_a_person_is_left_alone_and_nothing_is_done(home: Home) -> None:
    path = home.store / "entities" / "re" / "redis.md"
    path.write_text(path.read_text() + "\nMine.\n")
    head = home.git("rev-parse", "HEAD")
    code, _, err = home.run("merge", "Redis", "Hermes")
    assert code == Exit.NO
    assert "entities/re/redis.md has changes that are not committed" in err
    assert home.git("rev-parse", "HEAD") == head
    assert path.read_text().endswith("Mine.\n")


def test_comments_and_keys_of_a_person_survive_every_verb(home: Home) -> None:
    path = home.store / "entities" / "re" / "redis.md"
    path.write_text(path.read_text().replace("name:", "# mine\nowner: jane\nname:"))
    home.git("-c", "user.name=p", "-c", "user.email=p@x", "commit", "-qam", "mine")
    home.call("merge", "Redis", "Hermes")
    home.call("alias", "Redis", "--add", "cache")
    assert "# mine\nowner: jane\nname: Redis" in path.read_text()


def test_a_moved_file_is_followed_at_the_next_write(home: Home) -> None:
    (home.store / "entities" / "me").mkdir()
    home.git("mv", "entities/he/hermes.md", "entities/me/mercury.md")
    home.git("-c", "user.name=p", "-c", "user.email=p@x", "commit", "-qam", "moved")
    assert len(home.call("facts", "Hermes")["facts"]) == 2
    home.call("remember", "A note.")
    assert "merged_into: mercury" in (home.store / "entities/he/hermes.md").read_text()
    assert len(home.call("facts", "Hermes")["facts"]) == 2
    assert home.git("status", "--porcelain") == ""


def test_an_alias_that_a_person_deletes_leads_nowhere_after_the_next_write(home: Home) -> None:
    home.call("sweep")
    reply = {
        **REPLY,
        "entities": [{**REPLY["entities"][0], "aliases": ["the gateway", "hm"]}],
    }
    home.transcript(*TALK, session=SECOND)
    with model(home, saying(reply)):
        home.call("sweep")
    path = home.store / "entities" / "he" / "hermes.md"
    assert "- hm\n" in path.read_text()
    path.write_text(path.read_text().replace("- hm\n", ""))
    home.git("-c", "user.name=p", "-c", "user.email=p@x", "commit", "-qam", "not hm")
    home.call("remember", "A note.")
    assert "rejected:\n- hm\n" in path.read_text()
    assert home.run("facts", "hm")[0] == Exit.UNKNOWN_NAME
    next((home.root / ".claude").rglob(f"{SECOND}.jsonl")).unlink()


def test_undoing_all_that_a_winner_came_from_leaves_the_redirect_somewhere_to_lead(
    home: Home,
) -> None:
    home.call("merge", "Redis", "Hermes")

    home.call("undo", "claude")

    assert home.call("check")["findings"] == []
    assert (home.store / "entities" / "he" / "hermes.md").exists()
