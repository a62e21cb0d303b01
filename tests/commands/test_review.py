"""What waits for a person, and their word on it: on a real store, with real git and a real editor."""

import os
import pty
import select
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from faces import Home
from ingesting import NOW, stages
from resolve.worlds import START, episode

from scry.commands import _todo
from scry.index import Index
from scry.model import Chunk, Claim, Declared, Extraction
from scry.resolve import Answer
from scry.reviewing import ReviewError
from scry.store.git import GitStore
from scry.store.init import init_store


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.store.parent.mkdir(parents=True)
    init_store(home.store)
    return home


def said(number: int, *claims: Claim, names: tuple[Declared, ...] = (), text: str = "") -> Answer:
    words = text or " , ".join(n for c in claims for n in (c.src, c.dst, c.fact) if n)
    found = Extraction(extractor="m", summary=f"Episode {number}.", entities=names, claims=claims)
    return Answer(episode(number, number), found, f"[4] user: {words}")


def service(name: str, *aliases: str) -> Declared:
    return Declared(name=name, type="service", aliases=aliases)


def claim(src: str, relation: str, dst: str = "", *, value: str = "", **more: object) -> Claim:
    end = {"value": value} if value else {"dst": dst}
    words = more.pop("fact", f"{src} {relation} {dst or value}.")
    return Claim(src=src, relation=relation, fact=words, origin="user", line=4, **end, **more)


def learn(home: Home, *answers: Answer) -> None:
    store = GitStore(home.store, clock=lambda: NOW)
    ingest = stages(store)
    for answer in answers:
        store.keep_evidence({answer.episode.id: answer.text})
        ingest.accept(Chunk(episode=answer.episode, turns=()), answer.extraction, answer.text)


def index(home: Home) -> Index:
    return Index.build(GitStore(home.store, clock=lambda: NOW).load())


def tree(home: Home) -> dict[str, bytes]:
    return {
        path.relative_to(home.store).as_posix(): path.read_bytes()
        for top in ("entities", "facts", "episodes", "review", "forgotten")
        for path in (home.store / top).rglob("*.md")
    }


def revert(home: Home, commit: str) -> None:
    home.git("-c", "user.name=p", "-c", "user.email=p@x", "revert", "--no-edit", commit)


HERMES, ZEPHYR = service("Hermes"), service("Zephyr")
LOKI = said(1, claim("Hermes", "depends_on", "Loki"), names=(HERMES,))
ELSEWHERE = said(
    2, claim("Zephyr", "uses", value="Redis 7"), names=(ZEPHYR,), text="we spoke of other things"
)
CONTESTED = (
    said(3, claim("Hermes", "uses", value="Go 1"), names=(service("Hermes", "the bot"),)),
    said(4, claim("Talos", "uses", value="Go 2"), names=(service("Talos", "the bot"),)),
    said(5, claim("the bot", "uses", value="port 80")),
)
MERGED = (
    said(6, claim("Hermes", "uses", value="Go 1"), names=(service("Hermes", "relay"),)),
    said(7, claim("relay", "uses", value="port 81"), names=(service("relay"),)),
)


def only_waiting(home: Home) -> str:
    (row,) = home.call("review")["waiting"]
    return str(row["id"])


# --- listing -------------------------------------------------------------------------------------


def test_what_waits_is_listed_with_its_reason_its_date_and_the_words_it_comes_from(
    home: Home,
) -> None:
    learn(home, LOKI, *CONTESTED)

    found = home.call("review")

    row = next(r for r in found["waiting"] if r["dst"] == "loki")
    assert row["reason"] == "nobody has said what this is: loki"
    assert row["said_at"].startswith("2026-03-02")
    assert "Hermes depends_on Loki." in row["quote"]
    assert {r["id"] for r in found["proposals"]} == {"hermes/alias--bot", "talos/alias--bot"}
    _, out, _ = home.run("review")
    assert row["id"] in out
    assert "hermes/alias--bot" in out
    assert "4 items waiting" in out


def test_nothing_waits_in_a_store_where_everything_is_settled(home: Home) -> None:
    learn(home, CONTESTED[0])

    assert home.call("review") == {"waiting": [], "proposals": [], "doubtful": []}


# --- facts ---------------------------------------------------------------------------------------


def test_an_accepted_fact_is_a_fact_whatever_is_learned_later(home: Home) -> None:
    learn(home, ELSEWHERE)
    fact = only_waiting(home)

    done = home.call("review", "--accept", fact)

    assert done["waiting"] == []
    assert home.git("log", "-1", "--format=%s%n%b").startswith("review: 1 accepted\n+ zephyr uses")
    head = home.git("rev-parse", "HEAD")
    learn(home, ELSEWHERE)
    assert home.git("rev-parse", "HEAD") == head
    renamed = said(8, claim("Zephyr", "uses", value="Go 9"), names=(service("Zephyr", "Z7"),))
    learn(home, renamed, replace(ELSEWHERE, episode=episode(9, 6)))
    after = index(home)
    assert fact in after.facts
    assert not after.waiting
    assert len(after.facts[fact].episodes) == 2


def test_an_accepted_statement_ends_what_a_person_had_said_before_in_its_slot(home: Home) -> None:
    person = claim("Hermes", "status", value="paused")
    learn(home, said(1, replace(person, origin="person"), names=(HERMES,)))
    learn(home, said(2, claim("Hermes", "status", value="live"), names=(HERMES,)))
    fact = only_waiting(home)

    home.call("review", "--accept", fact)

    facts = {f.value: f for f in index(home).facts.values()}
    assert facts["paused"].superseded_by == fact
    assert facts["live"].invalid_at is None


def test_a_fact_about_an_unknown_thing_is_accepted_with_a_type_and_frees_the_others(
    home: Home,
) -> None:
    learn(home, LOKI, said(2, claim("Hermes", "calls", "Loki"), names=(HERMES,)))
    one, _ = sorted(index(home).waiting)

    code, _, err = home.run("review", "--accept", one)
    assert code == 2
    assert "--type TYPE" in err
    assert len(index(home).waiting) == 2
    code, _, err = home.run("review", "--accept", one, "--type", "library")
    assert code == 2
    assert "'library' is no type" in err
    home.call("review", "--accept", one, "--type", "service")

    after = index(home)
    assert not after.waiting
    assert len(after.facts) == 2
    assert (after.entities["loki"].name, after.entities["loki"].type) == ("Loki", "service")


def test_of_two_unknown_things_each_needs_its_type(home: Home) -> None:
    learn(home, said(1, claim("Odin", "calls", "Loki")))
    fact = only_waiting(home)

    assert home.run("review", "--accept", fact, "--type", "service")[0] == 2
    home.call("review", "--accept", fact, "--type", "Odin=person", "--type", "loki=service")

    assert {e.slug: e.type for e in index(home).entities.values()} == {
        "loki": "service",
        "odin": "person",
    }


def test_a_rejected_fact_comes_back_neither_by_a_sweep_nor_in_other_words(home: Home) -> None:
    learn(home, ELSEWHERE)
    fact = only_waiting(home)

    home.call("review", "--reject", fact)

    head = home.git("rev-parse", "HEAD")
    learn(home, ELSEWHERE)
    assert home.git("rev-parse", "HEAD") == head
    better = claim("Zephyr", "uses", value="Redis 7", fact="Zephyr relies on Redis 7.")
    learn(home, said(3, better, names=(ZEPHYR,)))
    after = index(home)
    assert [f.value for f in after.facts.values()] == []
    assert [f.reason for f in after.waiting.values()] == ["forgotten before in other words: uses"]


def test_refusing_one_wording_leaves_the_same_fact_in_other_words_alone(home: Home) -> None:
    there = claim("Zephyr", "uses", value="Redis 7", fact="Zephyr has Redis 7.")
    learn(home, said(1, there, names=(ZEPHYR,)), ELSEWHERE)

    home.call("review", "--reject", only_waiting(home))
    again = replace(there, fact="Zephyr works with Redis 7.")
    learn(home, said(3, again, names=(ZEPHYR,)))

    after = index(home)
    assert len(after.facts) == 2
    assert not after.waiting


def test_a_fact_whose_ends_are_one_thing_is_not_accepted(home: Home) -> None:
    learn(home, said(1, claim("Hermes", "calls", "the Hermes"), names=(HERMES,)))

    code, _, err = home.run("review", "--accept", only_waiting(home))

    assert code == 2
    assert "both ends are the same thing" in err


def test_an_unknown_name_can_be_said_to_be_another_name_of_a_known_thing(
    home: Home, tmp_path: Path
) -> None:
    learn(home, said(1, claim("Talos", "uses", value="Go 1"), names=(service("Talos"),)), LOKI)
    list_ = tmp_path / "list"
    list_.write_text(f"merge(Talos) {only_waiting(home)}\n")

    home.call("review", "--from", list_)

    after = index(home)
    (fact,) = [f for f in after.facts.values() if f.relation == "depends_on"]
    assert (fact.dst, fact.said_dst) == ("talos", "Loki")
    assert after.names.find("Loki") == ["talos"]
    assert not after.waiting


def test_nothing_is_decided_about_a_file_with_changes_that_are_not_committed(home: Home) -> None:
    learn(home, ELSEWHERE)
    (waiting,) = index(home).waiting.values()
    file = home.store / waiting.path
    file.write_text(file.read_text() + "\nMine.\n")

    for how in ("--accept", "--reject"):
        code, _, err = home.run("review", how, waiting.id)
        assert code == 2
        assert waiting.path in err
    assert file.read_text().endswith("\nMine.\n")


# --- names ---------------------------------------------------------------------------------------


def test_an_alias_that_two_claim_is_given_to_the_one_it_is_accepted_for(home: Home) -> None:
    learn(home, *CONTESTED)
    fact = only_waiting(home)
    code, _, err = home.run("review", "--accept", fact)
    assert code == 2
    assert "hermes/alias--bot" in err

    home.call("review", "--accept", "hermes/alias--bot")

    after = index(home)
    assert after.names.find("the bot") == ["hermes"]
    assert after.facts[fact].src == "hermes"
    assert after.entities["hermes"].aliases == ("the bot",)
    assert not after.proposals
    assert not after.waiting


def test_a_rejected_alias_stays_rejected_and_the_other_claim_wins(home: Home) -> None:
    learn(home, *CONTESTED)

    home.call("review", "--reject", "hermes/alias--bot")
    learn(
        home, said(9, claim("Hermes", "uses", value="Go 3"), names=(service("Hermes", "the bot"),))
    )

    after = index(home)
    assert after.names.find("the bot") == ["talos"]
    assert not after.proposals


def test_an_accepted_alias_that_is_a_name_of_its_own_is_a_merge(home: Home) -> None:
    learn(home, *MERGED)
    (row,) = home.call("review")["proposals"]

    home.call("review", "--accept", row["id"])

    after = index(home)
    assert after.names.find("relay") == ["hermes"]
    assert after.entities["relay"].merged_into == "hermes"
    assert not after.proposals
    assert len(after.facts_of("hermes")) == 2
    head = home.git("rev-parse", "HEAD")
    learn(home, *MERGED)
    assert home.git("rev-parse", "HEAD") == head


def test_a_merge_lets_the_newer_state_of_the_two_end_the_older_one(home: Home) -> None:
    learn(
        home,
        said(6, claim("Hermes", "status", value="paused"), names=(service("Hermes", "relay"),)),
        said(7, claim("relay", "status", value="live"), names=(service("relay"),)),
    )

    done = home.call("review", "--accept", "hermes/alias--relay")

    facts = {f.value: f for f in index(home).facts.values()}
    assert facts["paused"].superseded_by == facts["live"].id
    assert facts["live"].invalid_at is None
    before = tree(home)
    learn(
        home,
        said(6, claim("Hermes", "status", value="paused"), names=(service("Hermes", "relay"),)),
    )
    assert tree(home) == before
    assert "= relay is hermes" in home.git("log", "-1", "--format=%b", done["commit"])


def test_a_merge_that_was_refused_is_not_proposed_again(home: Home) -> None:
    learn(home, *MERGED)

    home.call("review", "--reject", "hermes/alias--relay")
    learn(home, replace(MERGED[0], episode=episode(9, 6)))

    after = index(home)
    assert not after.proposals
    assert after.names.find("relay") == ["relay"]


# --- one commit, one revert ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("world", "how"),
    [
        ((ELSEWHERE,), ["--accept", "fact"]),
        ((ELSEWHERE,), ["--reject", "fact"]),
        ((LOKI,), ["--accept", "fact", "--type", "service"]),
        (CONTESTED, ["--accept", "hermes/alias--bot"]),
        (CONTESTED, ["--reject", "talos/alias--bot"]),
        (MERGED, ["--accept", "hermes/alias--relay"]),
        (MERGED, ["--reject", "hermes/alias--relay"]),
        ((ELSEWHERE, *CONTESTED), ["--reject", "hermes/alias--bot", "--reject", "fact"]),
    ],
)
def test_a_review_is_one_commit_that_one_revert_takes_back_and_a_sweep_leaves_alone(
    home: Home, world: tuple[Answer, ...], how: list[str]
) -> None:
    learn(home, *world)
    before, head = tree(home), home.git("rev-parse", "HEAD").strip()
    fact = min(index(home).waiting, default="")

    done = home.call("review", *(fact if word == "fact" else word for word in how))

    assert home.git("rev-list", "--count", f"{head}..HEAD").strip() == "1"
    decided = tree(home)
    learn(home, *world)
    assert tree(home) == decided
    revert(home, done["commit"])
    assert tree(home) == before
    learn(home, *world)
    assert tree(home) == before


# --- the list in an editor -------------------------------------------------------------------------


def test_what_is_unknown_in_a_list_undoes_nothing_and_says_its_line() -> None:
    with pytest.raises(ReviewError, match="Line 2: 'acept x'"):
        _todo.read("skip a  b\nacept x\n")


def test_a_list_is_read_back_as_it_was_written_with_everything_skipped() -> None:
    text = _todo.written([("k3v9m2", "hermes uses redis")], ["a doubt"], ["service"])

    assert _todo.read(text) == []
    (one,) = _todo.read(text.replace("skip", "accept(service)", 1))
    assert (one.verb, one.ref, one.argument) == ("accept", "k3v9m2", "service")


def test_an_item_that_does_not_wait_undoes_the_whole_list(home: Home, tmp_path: Path) -> None:
    learn(home, ELSEWHERE)
    before = tree(home)
    list_ = tmp_path / "list"
    list_.write_text(f"accept {only_waiting(home)}\nreject nosuchid\n")

    code, _, err = home.run("review", "--from", list_)

    assert code == 50
    assert "nosuchid" in err
    assert tree(home) == before


def in_terminal(home: Home, editor: str) -> tuple[int, str]:
    """Run `scry review` on a terminal of its own, with a shell script as the editor."""
    script = home.root / "editor.sh"
    script.write_text(f"#!/bin/sh\n{editor}\n")
    script.chmod(0o700)
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "scry", "review"],
        env=home.environ | {"EDITOR": str(script), "VISUAL": ""},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=home.root,
    ) as process:
        os.close(theirs)
        shown = b""
        until = time.monotonic() + 30
        while time.monotonic() < until and select.select([ours], [], [], 30)[0]:
            try:
                more = os.read(ours, 65536)
            except OSError:  # The other end is closed.
                break
            if not more:
                break
            shown += more
        code = process.wait(30)
    os.close(ours)
    return code, shown.decode()


@pytest.mark.live
def test_on_a_terminal_the_list_is_decided_in_an_editor(home: Home) -> None:
    learn(home, ELSEWHERE, LOKI)
    edit = "sed -i 's/^skip \\(.*Loki\\)/accept(service) \\1/' \"$1\""

    code, shown = in_terminal(home, edit)

    assert code == 0, shown
    assert "1 item decided" in shown
    after = index(home)
    assert "loki" in after.entities
    assert len(after.waiting) == 1
    assert not (home.store / ".git/scry/review-list").exists()


@pytest.mark.live
def test_a_list_with_a_mistake_is_kept_and_nothing_is_done(home: Home) -> None:
    learn(home, ELSEWHERE)
    before = tree(home)

    code, shown = in_terminal(home, "sed -i '1s/^skip/take/' \"$1\"")

    assert code == 2, shown
    assert "Line 1" in shown
    assert tree(home) == before
    assert (home.store / ".git/scry/review-list").read_text().startswith("take ")


def test_what_may_no_longer_hold_is_named_in_the_commit_the_log_and_the_review(home: Home) -> None:
    mini = Declared(name="Mac mini", type="machine")
    rack = Declared(name="rack 2", type="machine")
    first = said(
        1,
        claim("Hermes", "runs_on", "Mac mini"),
        claim(
            "Hermes",
            "configures",
            value="launchd",
            fact="Hermes has its launchd job on the Mac mini.",
        ),
        claim("Hermes", "uses", value="Redis", fact="Hermes keeps its queue in Redis."),
        names=(HERMES, mini),
    )
    learn(home, first)
    (runs,) = [f for f in index(home).facts.values() if f.relation == "runs_on"]
    moved = claim("Hermes", "runs_on", "rack 2", fact="Hermes moved from the Mac mini to rack 2.")
    learn(home, said(2, replace(moved, supersedes=(runs.id,)), names=(HERMES, mini, rack)))

    line = "hermes configures launchd may no longer hold (named mac-mini)"
    assert f"! {line}" in home.git("log", "-1", "--format=%b")
    assert home.call("log")["commits"][0]["doubtful"] == [line]
    assert f"! {line}" in home.run("log")[1]
    (row,) = home.call("review")["doubtful"]
    assert row["value"] == "launchd"
    assert f"{START:%Y}" in row["valid_from"]
    (note,) = [f for f in home.call("check")["findings"] if f["id"] == "may-no-longer-hold"]
    assert note["level"] == "note"
    assert note["path"] == row["path"]
