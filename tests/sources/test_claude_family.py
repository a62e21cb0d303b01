"""Copies and forks: each record counts once, in the file that had it first, in whatever order."""

import itertools
import os
from types import SimpleNamespace

import pytest
from sources.transcript_files import OTHER, SESSION, human, model, queued, told, write

from scry.sources import claude, claude_folder

THIRD = "3b5ebf2c-7d9f-4e77-8c5a-2f8b3e4d9c12"


def said(words, uuid, session, minute, **more):
    record = human(words) if words.islower() else model(words)
    return {
        **record,
        "uuid": uuid,
        "sessionId": session,
        "timestamp": f"2026-08-01T09:{minute:02}:00Z",
        **more,
    }


def history(session, **more):
    return [said("one", "u1", session, 1, **more), said("ONE", "a1", session, 2, **more)]


def read_all(folder):
    """Every file of a folder, by session, the same in every order of reading."""
    paths = sorted(folder.glob("*.jsonl"))
    orders = [{p.name: claude.read(p) for p in order} for order in itertools.permutations(paths)]
    assert all(order == orders[0] for order in orders)
    return {path.name: orders[0][path.name] for path in paths}


@pytest.mark.parametrize(
    "copy",
    [
        pytest.param(history(SESSION), id="the old session id stays"),
        pytest.param(
            history(OTHER, forkedFrom={"sessionId": SESSION}), id="it says where it is from"
        ),
        pytest.param(history(OTHER, sessionKind="bg"), id="sent to the background"),
        pytest.param(history(OTHER), id="nothing tells but the times"),
    ],
)
def test_a_fork_gives_only_what_it_adds(tmp_path, copy):
    write(
        tmp_path / f"{SESSION}.jsonl",
        [*history(SESSION), said("two", "u2", SESSION, 3), said("TWO", "a2", SESSION, 4)],
    )
    write(
        tmp_path / f"{OTHER}.jsonl",
        [*copy, said("three", "u3", OTHER, 5), said("THREE", "a3", OTHER, 6)],
    )

    origin, fork = read_all(tmp_path).values()

    assert (origin.verdict, origin.continues) == ("session", None)
    assert told(origin) == ["U one", "A ONE", "U two", "A TWO"]
    assert (fork.verdict, fork.continues, fork.session) == ("fork-of", SESSION, OTHER)
    assert told(fork) == ["U three", "A THREE"]


def test_another_sessions_id_in_the_records_tells_more_than_who_went_on_first(tmp_path):
    write(tmp_path / f"{SESSION}.jsonl", [*history(SESSION), said("late", "u2", SESSION, 30)])
    write(tmp_path / f"{OTHER}.jsonl", [*history(SESSION), said("early", "u3", OTHER, 3)])

    got = read_all(tmp_path)

    assert told(got[f"{SESSION}.jsonl"]) == ["U one", "A ONE", "U late"]
    assert (got[f"{OTHER}.jsonl"].continues, told(got[f"{OTHER}.jsonl"])) == (SESSION, ["U early"])


@pytest.mark.parametrize("first", [SESSION, OTHER])
def test_an_origin_that_never_went_on_stays_the_origin(tmp_path, first):
    other = OTHER if first == SESSION else SESSION
    write(tmp_path / f"{first}.jsonl", history(first))
    write(tmp_path / f"{other}.jsonl", [*history(other), said("two", "u2", other, 3)])

    got = read_all(tmp_path)

    assert got[f"{first}.jsonl"].verdict == "session"
    assert (got[f"{other}.jsonl"].verdict, told(got[f"{other}.jsonl"])) == ("fork-of", ["U two"])


def test_records_without_an_id_tell_the_origin_from_its_copy(tmp_path):
    snapshot = {"type": "file-history-snapshot", "snapshot": {}}
    write(tmp_path / f"{OTHER}.jsonl", [snapshot, *history(OTHER), said("late", "u2", OTHER, 30)])
    write(tmp_path / f"{SESSION}.jsonl", [*history(SESSION), said("early", "u3", SESSION, 3)])

    got = read_all(tmp_path)

    assert got[f"{OTHER}.jsonl"].verdict == "session"
    assert (got[f"{SESSION}.jsonl"].continues, told(got[f"{SESSION}.jsonl"])) == (
        OTHER,
        ["U early"],
    )


def test_a_fork_with_nothing_of_its_own_gives_nothing(tmp_path):
    write(tmp_path / f"{SESSION}.jsonl", [*history(SESSION), said("two", "u2", SESSION, 3)])
    write(tmp_path / f"{OTHER}.jsonl", history(OTHER, sessionKind="bg"))

    got = read_all(tmp_path)

    assert told(got[f"{SESSION}.jsonl"]) == ["U one", "A ONE", "U two"]
    assert (got[f"{OTHER}.jsonl"].verdict, got[f"{OTHER}.jsonl"].events) == ("fork-of", ())


def test_an_older_copy_of_the_same_session_gives_nothing(tmp_path):
    write(tmp_path / f"2026-01-05-{SESSION}.jsonl", history(SESSION))
    write(tmp_path / f"{SESSION}.jsonl", [*history(SESSION), said("two", "u2", SESSION, 3)])

    whole, copy = read_all(tmp_path).values()

    assert (copy.verdict, copy.continues, copy.events) == ("fork-of", SESSION, ())
    assert (whole.verdict, told(whole)) == ("session", ["U one", "A ONE", "U two"])


def test_equal_copies_count_once_under_the_sessions_own_name(tmp_path):
    for name in (SESSION, f"2026-01-05-{SESSION}", "backup of it"):
        write(tmp_path / f"{name}.jsonl", history(SESSION))

    got = read_all(tmp_path)

    assert [name for name, one in got.items() if one.events] == [f"{SESSION}.jsonl"]


def test_a_fork_of_a_fork_continues_the_one_that_it_left(tmp_path):
    first = history(SESSION)
    second = [*first, said("two", "u2", OTHER, 3)]
    third = [*second, said("three", "u3", THIRD, 4)]
    for session, records in ((SESSION, first), (OTHER, second), (THIRD, third)):
        write(tmp_path / f"{session}.jsonl", records)

    got = read_all(tmp_path)

    assert [(told(t), t.continues) for t in got.values()] == [
        (["U one", "A ONE"], None),
        (["U two"], SESSION),
        (["U three"], OTHER),
    ]


def test_a_fork_that_begins_after_a_compaction_is_found_in_the_middle_of_its_origin(tmp_path):
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "b",
        "parentUuid": None,
        "sessionId": SESSION,
    }
    filler = [said(f"filler {n} " + "x" * 4000, f"f{n}", SESSION, 2) for n in range(40)]
    tail = [boundary, said("after", "u9", SESSION, 9)]
    write(tmp_path / f"{SESSION}.jsonl", [*history(SESSION), *filler, *tail])
    write(tmp_path / f"{OTHER}.jsonl", [*tail, said("mine", "u10", OTHER, 10)])

    got = read_all(tmp_path)

    assert got[f"{SESSION}.jsonl"].verdict == "session"
    assert (got[f"{OTHER}.jsonl"].continues, told(got[f"{OTHER}.jsonl"])) == (SESSION, ["U mine"])


def test_queued_words_of_the_origin_do_not_come_out_of_its_fork(tmp_path):
    steering = [queued("enqueue", "hurry", sessionId=SESSION), queued("remove", sessionId=SESSION)]
    write(
        tmp_path / f"{SESSION}.jsonl", [*history(SESSION), *steering, said("two", "u2", SESSION, 3)]
    )
    write(
        tmp_path / f"{OTHER}.jsonl", [*history(SESSION), *steering, said("three", "u3", OTHER, 4)]
    )

    got = read_all(tmp_path)

    assert told(got[f"{SESSION}.jsonl"]) == ["U one", "A ONE", "U hurry", "U two"]
    assert told(got[f"{OTHER}.jsonl"]) == ["U three"]


def test_sessions_that_share_nothing_are_no_family(tmp_path):
    write(tmp_path / f"{SESSION}.jsonl", [said("one", "u1", SESSION, 1)])
    write(tmp_path / f"{OTHER}.jsonl", [said("one", "v1", OTHER, 1, note={"uuid": "u1"})])

    assert [t.verdict for t in read_all(tmp_path).values()] == ["session", "session"]


def test_a_copy_in_another_folder_bears_the_same_ids(tmp_path):
    live = claude.read(
        write(
            tmp_path / "live" / f"{SESSION}.jsonl",
            [*history(SESSION), said("two", "u2", SESSION, 3)],
        )
    )
    backup = claude.read(write(tmp_path / "backup" / f"{SESSION}.jsonl", history(SESSION)))

    assert (backup.session, backup.verdict) == (live.session, "session")
    assert [e.uid for e in backup.events] == [e.uid for e in live.events][:2]


def test_a_file_that_changes_is_seen_as_it_is_now(tmp_path):
    fork = write(tmp_path / f"{OTHER}.jsonl", [*history(SESSION), said("mine", "u3", OTHER, 3)])
    assert claude.read(fork).verdict == "session"

    write(tmp_path / f"{SESSION}.jsonl", history(SESSION))
    assert told(claude.read(fork)) == ["U mine"]

    (tmp_path / f"{SESSION}.jsonl").unlink()
    assert told(claude.read(fork)) == ["U one", "A ONE", "U mine"]


def test_a_large_folder_is_not_listed_again_for_each_of_its_files(tmp_path, monkeypatch):
    paths = [write(tmp_path / f"{n}.jsonl", [said("hello", f"u{n}", f"s{n}", 0)]) for n in range(5)]
    listed, now = [], itertools.count()
    states = claude_folder._states
    monkeypatch.setattr(claude_folder, "_FEW", 3)
    monkeypatch.setattr(claude_folder, "_states", lambda at: listed.append(at) or states(at))
    # Each look at the clock takes a second, so a listing costs one.
    monkeypatch.setattr(
        claude_folder, "time", SimpleNamespace(monotonic=lambda: next(now), time_ns=lambda: 0)
    )

    for path in paths:
        claude.read(path)
    assert len(listed) == 1

    for path in paths * claude_folder._SHARE:
        claude.read(path)
    assert 1 < len(listed) <= 6


def test_a_small_folder_is_listed_again_as_soon_as_a_file_has_come(tmp_path, monkeypatch):
    listed, states = [], claude_folder._states
    monkeypatch.setattr(claude_folder, "_states", lambda at: listed.append(at) or states(at))
    monkeypatch.setattr(claude_folder, "_SHARE", 1e9)
    monkeypatch.setattr(claude_folder, "_FRESH", -1)
    first = write(tmp_path / f"{SESSION}.jsonl", history(SESSION))
    os.utime(tmp_path, (1, 1))
    for _ in range(5):
        claude.read(first)
    assert len(listed) == 1

    fork = write(tmp_path / f"{OTHER}.jsonl", [*history(SESSION), said("mine", "u3", OTHER, 3)])
    assert told(claude.read(fork)) == ["U mine"]
    assert len(listed) == 2


def test_a_folder_that_has_only_just_changed_is_listed_for_each_file(tmp_path, monkeypatch):
    listed, states = [], claude_folder._states
    monkeypatch.setattr(claude_folder, "_states", lambda at: listed.append(at) or states(at))
    first = write(tmp_path / f"{SESSION}.jsonl", history(SESSION))
    for _ in range(3):
        claude.read(first)
    assert len(listed) == 3


def test_a_fork_that_has_come_since_a_large_folder_was_listed_is_known_by_its_origin(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(claude_folder, "_FEW", 0)
    monkeypatch.setattr(claude_folder, "_SHARE", 1e9)
    write(tmp_path / f"{SESSION}.jsonl", history(SESSION))
    claude.read(tmp_path / f"{SESSION}.jsonl")
    fork = write(tmp_path / f"{OTHER}.jsonl", [*history(SESSION), said("mine", "u3", OTHER, 3)])

    assert told(claude.read(fork)) == ["U mine"]
