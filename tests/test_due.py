"""Which transcripts are due, and that finding out costs no reading."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from ingesting import NOW
from opened_files import opened

from scry.due import Due, due, key_of, read_seen
from scry.exclude import Excluded
from scry.ports import Places
from scry.sources import SOURCES, claude, codex
from scry.yields import Left, Tally

OLD = NOW - timedelta(days=1)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(home=tmp_path, claude=tmp_path / ".claude", codex=tmp_path / ".codex")


def file(path: Path, at=OLD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n")
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def session(places: Places, name: str, folder: str = "-w", at=OLD) -> Path:
    return file(places.claude / "projects" / folder / f"{name}.jsonl", at)


def states(*paths: Path) -> dict[str, list[int]]:
    return {key_of(path): [path.stat().st_size, path.stat().st_mtime_ns] for path in paths}


def look(places: Places, **more) -> Due:
    options = {"sources": {"claude": claude}, "seen": {}, "now": NOW, "idle_minutes": 5.0} | more
    return due(options.pop("sources"), places, **options)


def test_a_transcript_that_is_as_it_was_is_not_opened(places):
    paths = [session(places, f"s{n}") for n in range(3)]
    paths += [
        file(places.codex / f"sessions/2026/08/01/rollout-2026-08-01T09-00-0{n}-x.jsonl")
        for n in range(3)
    ]

    with opened() as files:
        found = look(places, sources=SOURCES, seen=states(*paths))

    assert (found.found, found.unchanged) == ([], 6)
    assert [path for path in files if path.endswith(".jsonl")] == []


def test_what_has_changed_in_size_or_time_is_due(places):
    grown, touched, same = (session(places, name) for name in ("a", "b", "c"))
    seen = states(grown, touched, same)
    grown.write_text("{}\n{}\n")
    os.utime(grown, ns=(seen[key_of(grown)][1],) * 2)
    os.utime(touched, (OLD.timestamp() + 1,) * 2)

    assert [path for _, path in look(places, seen=seen).found] == [grown, touched]


def test_each_source_counts_what_it_found_what_gave_words_and_what_did_not(places):
    held, empty, fresh = (session(places, name) for name in ("a", "b", "c"))
    left = {key_of(empty): Left("claude", "~/b", "too small")}

    found = look(
        places,
        sources={"claude": claude, "codex": codex},
        seen=states(held, empty),
        skipped=left,
    )

    assert found.tallies == {"claude": Tally(3, 1, 1), "codex": Tally()}
    assert [path for _, path in found.found] == [fresh]
    assert found.keys == {key_of(path) for path in (held, empty, fresh)}


def test_a_transcript_in_an_excluded_folder_is_left_out_with_the_reason(places):
    inside = session(places, "a", "-secret")
    outside = session(places, "b")
    excluded = Excluded([f"{places.claude}/projects/-secret"], places.home)

    found = look(places, excluded=excluded)

    assert [(path, why) for _, path, why in found.left] == [
        (inside, excluded.reason([str(inside)]))
    ]
    assert [path for _, path in found.found] == [outside]


def test_a_transcript_is_left_out_once_and_due_when_its_folder_is_not_excluded_any_more(places):
    path = session(places, "a")
    excluded = Excluded(["/srv/acme"], places.home)
    (reason,) = excluded.reasons
    notes = {"seen": states(path), "skipped": {key_of(path): Left("claude", "~/a", reason)}}

    assert look(places, excluded=excluded, **notes).unchanged == 1
    assert look(places, excluded=Excluded(["/srv/other"], places.home), **notes).found == [
        (claude, path)
    ]
    assert look(places, **notes).found == [(claude, path)]


def test_a_folder_that_becomes_excluded_makes_nothing_due_that_was_read_before(places):
    path = session(places, "a")
    excluded = Excluded([f"{places.claude}/**"], places.home)

    found = look(places, excluded=excluded, seen=states(path))

    assert (found.found, found.left, found.unchanged) == ([], [], 1)


def test_a_transcript_that_nobody_may_look_at_is_a_problem_and_costs_itself_only(
    places, monkeypatch
):
    session(places, "a")
    good = session(places, "b")
    state = os.stat

    def refused(path, *more, **named):
        if str(path).endswith("/a.jsonl") and not named:
            raise PermissionError(13, "Permission denied", str(path))
        return state(path, *more, **named)

    monkeypatch.setattr("scry.due.os.stat", refused)
    monkeypatch.setattr(Path, "is_file", lambda _: True)
    found = look(places)

    assert [path for _, path in found.found] == [good]
    assert "Permission denied" in found.vanished[0].message


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "3", "[" * 100_000])
def test_a_spoilt_note_is_an_empty_one(text):
    assert read_seen(text) == {}


def test_a_name_that_is_no_text_has_a_key_of_its_own():
    assert key_of(Path("/a\udcff")) != key_of(Path("/a\udcfe"))
