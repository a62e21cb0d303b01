"""Rollouts that begin with another one: only what they add comes out."""

import pytest
from sources.transcript_files import (
    OTHER,
    SESSION,
    did,
    event,
    item,
    marked,
    message,
    meta,
    told,
    turn,
    write,
)

from scry.sources import codex

PARENT = [meta(), turn("t1"), message("user", "one"), message("assistant", "ONE")]
FORKED = meta(OTHER, forked_from_id=SESSION)
CALL = item("function_call", name="shell", arguments='{"command":["pytest"]}', call_id="c")


def at(home, session, folder="sessions/2026/08/01"):
    return home / folder / f"rollout-2026-08-01T09-00-00-{session}.jsonl"


@pytest.fixture
def fork(tmp_path):
    """Write a parent and a fork of it, and read the fork."""

    def fork(parent, records, folder="sessions/2026/08/01"):
        write(at(tmp_path, SESSION, folder), parent)
        return codex.read(write(at(tmp_path, OTHER), records))

    return fork


@pytest.mark.parametrize(
    "folder", ["sessions/2026/08/01", "sessions/2026/07/30", "archived_sessions"]
)
def test_a_fork_gives_what_follows_the_first_turn_that_its_parent_does_not_know(fork, folder):
    own = [turn("t2"), message("user", "two"), CALL, message("assistant", "TWO")]

    got = fork([*PARENT, turn("t9"), message("user", "elsewhere")], [FORKED, *PARENT, *own], folder)

    assert (got.verdict, got.continues, got.session) == ("fork-of", SESSION, OTHER)
    assert told(got) == ["U two", "A TWO"]
    assert did(got) == ["ran tests: pytest"]


def test_the_prompt_of_the_first_own_turn_may_stand_before_its_context(fork):
    got = fork(
        PARENT, [FORKED, *PARENT, message("user", "two"), turn("t2"), message("assistant", "TWO")]
    )

    assert told(got) == ["U two", "A TWO"]


def test_turn_ids_tell_own_words_from_equal_ones_that_the_parent_said_later(fork):
    again = message("user", "continue")
    parent = [*PARENT, turn("t2"), again, message("assistant", "X")]

    got = fork(parent, [FORKED, *PARENT, turn("t3"), again, message("assistant", "Y")])

    assert told(got) == ["U continue", "A Y"]


def test_without_turn_ids_a_replay_ends_where_the_words_stop_being_the_parents(fork):
    parent = [
        meta(),
        message("user", "one"),
        CALL,
        message("assistant", "ONE"),
        message("user", "cut off"),
        event("turn_aborted"),
    ]
    own = [message("user", "two"), message("assistant", "TWO")]

    got = fork(parent, [meta(OTHER), *parent[:4], *own])

    assert (got.verdict, got.continues) == ("fork-of", SESSION)
    assert (told(got), did(got)) == (["U two", "A TWO"], [])


def test_a_replay_that_leaves_words_of_the_parent_out_is_still_a_replay(fork):
    parent = [
        meta(),
        *(message("user" if n % 2 == 0 else "assistant", f"words {n}") for n in range(8)),
    ]
    own = [message("user", "two")]

    got = fork(parent, [meta(OTHER), *parent[:3], *parent[4:], *own])

    assert told(got) == ["U two"]


def test_a_fork_with_nothing_of_its_own_gives_nothing(fork):
    got = fork(PARENT, [FORKED, *PARENT])

    assert (got.verdict, told(got)) == ("fork-of", [])


def test_without_the_parent_on_disk_all_is_kept_and_marked(tmp_path):
    got = codex.read(
        write(at(tmp_path, OTHER), [FORKED, *PARENT, turn("t2"), message("user", "two")])
    )

    assert (got.verdict, got.continues) == ("session", SESSION)
    assert told(got) == ["U one", "A ONE", "U two"]
    assert marked(got)[0] == "forked"


def test_a_fork_of_a_fork_gives_only_its_own(tmp_path):
    third = "3b5ebf2c-7d9f-4e77-8c5a-2f8b3e4d9c12"
    middle = [FORKED, *PARENT, turn("t2"), message("user", "two")]
    write(at(tmp_path, SESSION), PARENT)
    write(at(tmp_path, OTHER), middle)

    got = codex.read(
        write(
            at(tmp_path, third),
            [meta(third, forked_from_id=OTHER), *middle, turn("t3"), message("user", "three")],
        )
    )

    assert (got.continues, told(got)) == (OTHER, ["U three"])


def test_an_id_from_a_file_is_no_pattern_for_other_files(tmp_path):
    write(at(tmp_path, SESSION), PARENT)

    got = codex.read(write(at(tmp_path, OTHER), [meta(OTHER, forked_from_id="*"), *PARENT]))

    assert told(got) == ["U one", "A ONE"]
