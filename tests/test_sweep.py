"""Which transcripts are due, and what a sweep says about those that it cannot use."""

import os
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from ingesting import NOW, claude_lines, stages

from scry.due import due
from scry.errors import SourceError
from scry.exclude import Excluded
from scry.model import Transcript
from scry.ports import Places
from scry.sources import claude
from scry.sweep import sweep
from scry.text import iso
from scry.yields import SKIPPED_NOTE, SOURCES_NOTE, Tally, read_skipped, read_tallies

SPEECH = [
    "Hermes is live. Have a look at the queue, it seems slow to me.",
    "I did. It is fine.",
] * 2


@pytest.fixture
def places(tmp_path):
    return Places(home=tmp_path, claude=tmp_path / ".claude", codex=tmp_path / ".codex")


def session(places, name, *, age=timedelta(days=1), lines=None):
    path = places.claude / "projects" / "-w" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines or claude_lines(name, SPEECH)) + "\n", encoding="utf-8")
    moment = (NOW - age).timestamp()
    os.utime(path, (moment, moment))
    return path


def look(places, *, idle=5.0, seen=None, sources=None):
    return due(sources or {"claude": claude}, places, seen=seen or {}, now=NOW, idle_minutes=idle)


def run(places, seen, **more):
    ingest = stages()
    sweep(ingest, look(places, seen=seen, **more), seen, lambda found: found)
    return ingest


@pytest.mark.parametrize(
    ("age", "active"),
    [
        pytest.param(timedelta(seconds=-0.5), 1, id="in the very second that runs"),
        pytest.param(timedelta(minutes=1), 1, id="a minute ago"),
        pytest.param(timedelta(minutes=6), 0, id="six minutes ago"),
        pytest.param(timedelta(days=-400), 0, id="a clock that was wrong"),
    ],
)
def test_a_session_that_is_being_written_waits(places, age, active):
    session(places, "s1", age=age)
    assert look(places).active == active
    assert look(places, idle=0).active == 0


def test_a_second_sweep_reads_nothing_again(places):
    session(places, "s1")
    seen: dict[str, list[int]] = {}
    assert run(places, seen).report.ingested == 1
    again = look(places, seen=seen)
    assert (again.found, again.unchanged) == ([], 1)


def test_the_note_of_what_was_seen_holds_no_name(places):
    session(places, "planted-name")
    seen: dict[str, list[int]] = {}
    run(places, seen)
    assert seen
    assert not any("/" in key or "planted" in key for key in seen)


def test_a_bad_file_costs_itself_only(places):
    session(places, "s1")
    session(places, "s2").unlink()
    (places.claude / "projects" / "-w" / "s2.jsonl").mkdir()
    session(places, "s3", lines=["not json"] * 3)
    report = run(places, {}).report
    assert report.ingested == 1
    assert report.problems


@dataclass
class Misread:
    """A source whose format has changed: it finds files and no words in them."""

    paths: list[Path]
    NAME: str = "other"
    read_ones: list[Path] = field(default_factory=list)

    def discover(self, places):
        return iter(self.paths)

    def recognises(self, path, head):
        return False

    def read(self, path):
        self.read_ones.append(path)
        return Transcript(source="other", path=path, session=path.stem)


def test_a_source_that_yields_nothing_is_reported(places):
    paths = [session(places, f"s{n}") for n in range(6)]
    report = run(places, {}, sources={"other": Misread(paths)}).report
    (problem,) = report.problems
    assert problem.path == "other"
    assert "6 transcripts of this agent hold no words" in problem.message


def test_a_few_empty_sessions_are_no_reason_to_worry(places):
    paths = [session(places, f"s{n}") for n in range(3)]
    assert run(places, {}, sources={"other": Misread(paths)}).report.problems == []


@dataclass
class Failing(Misread):
    """A source that cannot read what it finds."""

    error: Exception = field(default_factory=lambda: SourceError("it is no transcript"))

    def read(self, path):
        self.read_ones.append(path)
        raise self.error


def closed(path):
    """Return the error of a file that may not be opened."""
    error = SourceError(f"{path}: permission denied.")
    error.__cause__ = PermissionError(13, "Permission denied", str(path))
    return error


@pytest.mark.parametrize(("error", "reads"), [(SourceError("no"), 1), (closed("x"), 2)])
def test_what_could_not_be_opened_is_tried_again_and_what_is_no_transcript_is_not(
    places, error, reads
):
    source = Failing([session(places, "s1")], error=error)
    seen: dict[str, list[int]] = {}

    run(places, seen, sources={"other": source})
    run(places, seen, sources={"other": source})

    assert len(source.read_ones) == reads


def test_an_excluded_session_stands_for_no_silence(places):
    paths = [session(places, f"s{n}") for n in range(6)]
    ingest = stages()
    ingest.left_out = lambda _: "excluded by sources.exclude: ~/x"
    sweep(ingest, look(places, sources={"other": Misread(paths)}), {}, lambda found: found)

    assert len(ingest.report.skipped) == 6
    assert ingest.report.problems == []


def test_what_is_left_out_is_reported_and_noted_and_never_read(places):
    source = Misread([session(places, "s1")])
    excluded = Excluded([str(places.home)], places.home)
    found = due({"other": source}, places, seen={}, now=NOW, idle_minutes=5, excluded=excluded)
    ingest, seen = stages(), {}

    sweep(ingest, found, seen, lambda found: found)

    assert [reason for _, reason in ingest.report.skipped] == list(excluded.reasons)
    assert (len(seen), source.read_ones) == (1, [])
    assert read_tallies(ingest.store.local(SOURCES_NOTE))["other"] == Tally(1, 0, 1)


def test_the_notes_say_what_each_source_gave_and_when(places):
    session(places, "s1")
    session(places, "s2", lines=["{}"])
    seen: dict[str, list[int]] = {}
    store = run(places, seen).store

    assert read_tallies(store.local(SOURCES_NOTE)) == {"claude": Tally(2, 1, 1, iso(NOW))}
    assert [left.source for left in read_skipped(store.local(SKIPPED_NOTE)).values()] == ["claude"]


def test_a_transcript_that_gives_words_at_last_is_not_noted_as_skipped_any_more(places):
    session(places, "s1", lines=["{}"])
    ingest, seen = stages(), {}
    sweep(ingest, look(places, seen=seen), seen, lambda found: found)
    session(places, "s1")

    sweep(ingest, look(places, seen=seen), seen, lambda found: found)

    assert read_skipped(ingest.store.local(SKIPPED_NOTE)) == {}
    assert read_tallies(ingest.store.local(SOURCES_NOTE))["claude"] == Tally(1, 1, 0, iso(NOW))
