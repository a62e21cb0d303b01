"""`scry reextract`: a branch with what another extractor makes of the same words; people's stays."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from faces import REPLY, TALK, Home, model, saying
from loopback import completion

OTHER = {
    "episode_summary": "Hermes moved to the Mac mini, and keeps its queue in Redis.",
    "entities": [
        {"name": "Hermes", "type": "service", "description": "The gateway.", "aliases": []},
        {"name": "Mac mini", "type": "machine", "description": "", "aliases": []},
        {"name": "launchd", "type": "tool", "description": "", "aliases": []},
    ],
    "facts": [
        REPLY["facts"][0],  # type: ignore[index]
        {
            "src": "Hermes",
            "relation": "uses",
            "dst": "launchd",
            "fact": "Hermes is kept alive by launchd.",
            "confidence": 0.9,
            "turn": 1,
        },
    ],
}
EMPTY = {"episode_summary": "Nothing to keep.", "entities": [], "facts": []}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def learned(home: Home, reply: object = REPLY) -> str:
    """Take in one session through a model; return its episode."""
    with model(home, saying(reply)):
        (episode,) = home.call("ingest", home.transcript(*TALK))["episodes"]
    return str(episode)


def again(home: Home, *arguments: str, reply: object = OTHER, code: int = 0) -> dict[str, Any]:
    with model(home, saying(reply)):
        return home.call("reextract", *arguments, code=code)


def head(home: Home) -> str:
    return home.git("rev-parse", "HEAD").strip()


def files(home: Home) -> dict[str, bytes]:
    """Return every file of the work tree."""
    found = (path for path in home.store.rglob("*") if path.is_file())
    return {
        path.relative_to(home.store).as_posix(): path.read_bytes()
        for path in found
        if ".git" not in path.relative_to(home.store).parts
    }


def commit(home: Home, message: str = "by hand") -> None:
    home.git("-c", "user.name=p", "-c", "user.email=p@x", "commit", "-qam", message)


def merge(home: Home, branch: str) -> None:
    home.git("-c", "user.name=p", "-c", "user.email=p@x", "merge", "-q", "--no-edit", branch)


def path_of(home: Home, part: str) -> Path:
    (found,) = (path for path in home.store.rglob("*.md") if part in path.name)
    return found


def sound(home: Home) -> None:
    """The store is sound, and a sweep has nothing to add."""
    assert home.call("check")["findings"] == []
    before = head(home)
    swept = home.call("sweep", "--idle", "0", "--offline")
    assert (swept["commits"], head(home)) == ([], before)
    assert home.git("status", "--porcelain") == ""


def facts(home: Home) -> set[str]:
    return {fact["fact"] for fact in home.call("facts", "Hermes")["facts"]}


def test_the_difference_is_on_a_branch_and_nowhere_else(home: Home) -> None:
    episode = learned(home)
    before, there, index = head(home), files(home), (home.store / ".git" / "index").read_bytes()

    found = again(home)

    assert found["branch"].startswith("scry/reextract-")
    assert [f["fact"] for f in found["added"]] == ["Hermes is kept alive by launchd."]
    assert [f["fact"] for f in found["removed"]] == ["Hermes keeps its queue in Redis."]
    assert found["changed"] == []
    assert (found["episodes"], found["kept"]) == ([episode], {})
    assert (head(home), files(home)) == (before, there)
    assert (home.store / ".git" / "index").read_bytes() == index
    assert home.git("status", "--porcelain") == ""
    assert home.git("symbolic-ref", "HEAD").strip() == "refs/heads/main"
    assert home.git("rev-parse", f"{found['branch']}^").strip() == before
    assert facts(home) == {f["fact"] for f in REPLY["facts"]}  # type: ignore[index]
    assert "kept alive" not in home.run("recall", "launchd")[1]
    home.git("fsck", "--strict")


def test_a_merge_takes_it_over_and_then_nothing_is_left_to_do(home: Home) -> None:
    learned(home)
    found = again(home)

    merge(home, found["branch"])

    assert facts(home) == {f["fact"] for f in OTHER["facts"]}  # type: ignore[index]
    assert not list(home.store.rglob("redis.md"))
    assert not list((home.store / "forgotten").rglob("*.md"))
    sound(home)
    home.call("ingest", home.transcript(*TALK))
    assert facts(home) == {f["fact"] for f in OTHER["facts"]}  # type: ignore[index]


def test_what_comes_out_is_what_the_new_extractor_alone_would_have_made(
    home: Home, tmp_path: Path
) -> None:
    learned(home)
    merge(home, again(home)["branch"])
    other = Home(tmp_path / "other" / "home")
    with model(other, saying(OTHER)):
        other.call("ingest", other.transcript(*TALK))

    def plain(made: Home) -> dict[str, bytes]:
        kept = {n: b for n, b in files(made).items() if n.startswith(("facts/", "entities/"))}
        return dict(kept)

    assert plain(home) == plain(other)


def test_the_text_says_how_to_go_on(home: Home) -> None:
    learned(home)
    with model(home, saying(OTHER)):
        code, out, _ = home.run("reextract")

    branch = home.git("branch", "--list", "scry/*").strip()
    assert code == 0
    assert "+ " in out
    assert "kept alive by launchd" in out
    assert f"merge {branch}" in out
    assert f"diff HEAD...{branch}" in out


def test_the_same_answers_make_no_branch(home: Home) -> None:
    learned(home)

    found = again(home, reply=REPLY)

    assert (found["branch"], found["added"], found["removed"], found["changed"]) == ("", [], [], [])
    assert home.git("branch", "--list", "scry/*") == ""


def test_an_episode_without_a_usable_answer_keeps_what_it_has(home: Home) -> None:
    episode = learned(home)

    found = again(home, reply="I cannot.", code=30)

    assert (found["branch"], found["removed"]) == ("", [])
    assert list(found["kept"]) == [episode]


def test_the_rules_replace_a_model_only_when_they_are_asked_for(home: Home) -> None:
    episode = learned(home)
    config = home.root / ".scry" / "config.yaml"
    with model(home, saying("I cannot.")):
        config.write_text(config.read_text() + "  - id: rules\n    type: rules\n")
        kept = home.call("reextract", code=30)
        taken = home.call("reextract", "--model", "rules")

    assert list(kept["kept"]) == [episode]
    assert taken["episodes"] == [episode]
    shown = home.git("show", f"{taken['branch']}:{path_of(home, episode).relative_to(home.store)}")
    assert "extractor: rules" in shown


def test_only_the_extractor_that_is_named_is_asked(home: Home) -> None:
    (episode,) = home.call("ingest", home.transcript(*TALK))["episodes"]
    config = home.root / ".scry" / "config.yaml"
    with model(home, saying(OTHER)) as server:
        text = config.read_text()
        link = text[text.index("  - id: near") :]
        config.write_text(text + link.replace("near", "far").replace("test-1", "test-2"))
        found = home.call("reextract", "--model", "far")
        code, _, err = home.run("reextract", "--model", "fat")

    assert found["episodes"] == [episode]
    assert {body["model"] for body in server.bodies()} == {"test-2"}
    assert code == 2
    assert "far" in err


def test_since_leaves_out_what_is_older(home: Home) -> None:
    learned(home)

    assert again(home, "--since", "2026-08-02")["episodes"] == []
    assert len(again(home, "--since", "2026-08-01")["episodes"]) == 1


def test_where_the_kept_text_is_gone_the_transcript_will_do(home: Home) -> None:
    episode = learned(home)
    for path in (home.store / ".git" / "scry" / "evidence").rglob("*.txt"):
        path.unlink()

    assert again(home)["episodes"] == [episode]

    home.transcript(*TALK).unlink()
    gone = again(home, code=30)
    assert "not on this machine" in gone["kept"][episode]


def test_a_folder_that_is_excluded_now_is_not_sent(home: Home) -> None:
    learned(home)
    with model(home, saying(OTHER)) as server:
        config = home.root / ".scry" / "config.yaml"
        config.write_text(config.read_text() + f"sources:\n  exclude:\n  - {home.root}/hermes\n")
        found = home.call("reextract")

    assert (found["episodes"], server.requests) == ([], [])


# --- what people did ------------------------------------------------------------------------------


def test_a_fact_that_a_person_has_edited_stays(home: Home) -> None:
    learned(home)
    path = path_of(home, "uses--redis")
    path.write_text(path.read_text().replace("keeps its queue in Redis", "needs Redis, says Jane"))
    commit(home)

    merge(home, again(home)["branch"])

    assert "says Jane" in path.read_text()
    assert (home.store / "entities" / "re" / "redis.md").exists()
    sound(home)


def test_a_comment_or_a_key_of_a_person_s_is_enough(home: Home) -> None:
    learned(home)
    path = path_of(home, "uses--redis")
    path.write_text(path.read_text().replace("type: fact\n", "type: fact\nmine: yes # for Jane\n"))
    commit(home)
    text = path.read_text()

    found = again(home)

    assert found["removed"] == []
    merge(home, found["branch"])
    assert path.read_text() == text
    sound(home)


def test_an_edit_that_is_not_committed_yet_stays_and_can_be_merged_around(home: Home) -> None:
    learned(home)
    path = path_of(home, "uses--redis")
    text = path.read_text().replace("confidence: 0.8", "confidence: 0.3")
    path.write_text(text)

    merge(home, again(home)["branch"])

    assert path.read_text() == text
    assert "Hermes is kept alive by launchd." in facts(home)


def test_an_edit_stays_also_after_a_machine_has_added_to_the_file(home: Home) -> None:
    learned(home)
    path = path_of(home, "uses--redis")
    path.write_text(path.read_text().replace("confidence: 0.8", "confidence: 0.3"))
    commit(home)
    later = home.transcript(*TALK, session="2f3c9e0a-5b7d-4c55-9a3e-0d6f1c2b7a91")
    with model(home, saying(REPLY)):
        home.call("ingest", later)
    assert path.read_text().count("- 2026-08-01-claude-") == 2

    found = again(home)

    assert found["removed"] == []


def test_what_was_forgotten_stays_forgotten(home: Home) -> None:
    learned(home)
    fact = next(f for f in home.call("facts", "Hermes")["facts"] if f["dst"] == "redis")
    home.call("forget", fact["id"])

    found = again(home, reply=REPLY)

    assert found["added"] == []
    if found["branch"]:
        merge(home, found["branch"])
    assert fact["fact"] not in facts(home)
    sound(home)


def test_what_was_deleted_by_hand_stays_deleted(home: Home) -> None:
    learned(home)
    path_of(home, "uses--redis").unlink()
    commit(home)

    found = again(home, reply={**REPLY, "episode_summary": "Another summary."})

    assert found["added"] == []
    merge(home, found["branch"])
    home.call(
        "sweep", "--idle", "0", "--offline"
    )  # It notes the deletion, as it would have anyway.
    assert facts(home) == {"Hermes runs on the Mac mini under launchd."}
    sound(home)


def test_what_was_undone_stays_undone(home: Home) -> None:
    episode = learned(home)
    home.call("undo", episode)

    found = again(home)

    assert (found["episodes"], found["branch"]) == ([], "")


def test_what_was_remembered_or_submitted_is_left_alone(home: Home) -> None:
    home.call("remember", "Hermes prefers port 8443.", "--entity", "Hermes",
              "--relation", "prefers", "--value", "port 8443")  # fmt: skip
    (episode,) = home.call("ingest", "--offline", home.transcript(*TALK))["episodes"]
    home.call("submit", episode, input=json.dumps(REPLY).encode())
    before = facts(home)

    found = again(home)

    assert (found["episodes"], found["branch"]) == ([], "")
    assert facts(home) == before


def test_a_description_that_a_person_wrote_stays(home: Home) -> None:
    learned(home)
    path = home.store / "entities" / "he" / "hermes.md"
    path.write_text(path.read_text().replace("A gateway.", "Jane's own words."))
    commit(home)

    merge(home, again(home)["branch"])

    assert "Jane's own words." in path.read_text()
    sound(home)


def test_an_episode_whose_file_a_person_has_changed_is_left_alone(home: Home) -> None:
    episode = learned(home)
    path = path_of(home, episode)
    path.write_text(path.read_text().replace("Moved Hermes", "We moved Hermes"))
    commit(home)

    assert again(home)["episodes"] == []


# --- while others write, and when it is killed ----------------------------------------------------


def test_what_is_learned_meanwhile_is_under_the_branch(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scry.extract.model import ModelExtractor

    learned(home)
    before = head(home)
    talk = (
        "We keep Talos on the Mac mini now as well, for the laptop is too slow for it by far.",
        "Understood: Talos is on the Mac mini, and I have moved its queue to Redis as well.",
    )
    other = home.transcript(*talk, session="2f3c9e0a-5b7d-4c55-9a3e-0d6f1c2b7a91")
    real = ModelExtractor.extract

    def slowly(self: ModelExtractor, *arguments: Any) -> Any:
        assert home.start("ingest", "--offline", other).returncode == 0
        return real(self, *arguments)

    monkeypatch.setattr(ModelExtractor, "extract", slowly)
    found = again(home)

    assert head(home) != before
    assert home.git("merge-base", "HEAD", found["branch"]).strip() == head(home)
    assert len(found["episodes"]) == 1
    merge(home, found["branch"])
    assert facts(home) == {f["fact"] for f in OTHER["facts"]}  # type: ignore[index]
    sound(home)


def wait(for_it: Any) -> None:
    until = time.monotonic() + 20
    while not for_it():
        assert time.monotonic() < until
        os.sched_yield()


def test_ctrl_c_keeps_what_was_answered_on_the_branch(home: Home) -> None:
    learned(home)
    later = home.transcript(*TALK, session="2f3c9e0a-5b7d-4c55-9a3e-0d6f1c2b7a91")
    with model(home, saying(REPLY)):
        home.call("ingest", later)
    before, there = head(home), files(home)
    with model(home, saying(OTHER), {"behaviour": "accept and hang"}) as server:
        running = subprocess.Popen(
            [sys.executable, "-m", "scry", "reextract", "--json"],
            env=home.environ,
            cwd=home.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        wait(lambda: len(server.requests) == 2)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    found = json.loads(out)

    assert running.returncode == 130, err
    assert len(found["episodes"]) == 1
    assert home.git("rev-parse", f"{found['branch']}^").strip() == before
    assert (head(home), files(home)) == (before, there)


def test_killed_in_the_middle_it_does_no_harm(home: Home) -> None:
    learned(home)
    before, there = head(home), files(home)
    with model(home, {"behaviour": "accept and hang"}) as server:
        running = subprocess.Popen(
            [sys.executable, "-m", "scry", "reextract"],
            env=home.environ,
            cwd=home.root,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait(lambda: bool(server.requests))
        running.kill()
        running.wait()

    assert (head(home), files(home)) == (before, there)
    sound(home)


def test_two_runs_in_one_second_have_two_branches(home: Home) -> None:
    from datetime import UTC, datetime

    from scry.model import ChangeSet, Tombstone
    from scry.store.branch import Branch

    learned(home)
    now = datetime(2026, 12, 1, 9, tzinfo=UTC)
    stone = Tombstone(id="k3v9m2", triple="", when=now)
    change = ChangeSet(subject="x", writes=(stone,))
    names = []
    for _ in range(2):
        branch = Branch(home.store, head(home), clock=lambda: now, prefix="scry/reextract")
        branch.commit(change)
        names.append(branch.name)

    assert names == ["scry/reextract-20261201-090000", "scry/reextract-20261201-090000-2"]


def test_much_is_not_sent_to_another_machine_without_asking(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scry.commands.reextract._MANY", 0)
    monkeypatch.setattr("scry.commands.reextract.remote_links", lambda config: config.chain)
    learned(home)
    with model(home, completion(json.dumps(OTHER))) as server:
        code, _, err = home.run("reextract")
        assert (code, server.requests) == (2, [])
        assert "--yes" in err
        assert home.call("reextract", "--yes")["branch"]
