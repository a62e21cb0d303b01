"""The write stages as one: again changes nothing, order and slices do not matter, nothing lost."""

import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ingesting import START, Echo, claude_lines, files, stages, take

from scry.ingest import Ingest
from scry.model import Said, Transcript
from scry.store.memory import MemoryStore

SPEECH = [
    "Hermes is live. Please look at the queue, it seems slow to me today.",
    "The queue is fine. I looked at it and at the workers, all of them idle.",
    "Hermes is paused. We stop it for the night and look again tomorrow.",
    "Understood, noted and done.",
    "Talos is live. Hermes is live. Both run now, thank you for the help.",
    "Good.",
]


def write(folder: Path, session: str, lines: list[str]) -> Path:
    path = folder / "projects" / "-w-hermes" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_transcript_is_one_commit_with_the_facts_it_supports(tmp_path):
    ingest = stages()
    take(ingest, write(tmp_path, "s1", claude_lines("s1", SPEECH)))
    (commit,) = ingest.store.log()
    assert commit.subject == "learn: About Hermes, Talos."
    assert [line for line in commit.lines if line.startswith("+")]
    facts = [f for f in ingest.index.facts.values() if f.src == "hermes"]
    assert sorted((f.value, f.invalid_at is None) for f in facts) == [
        ("live", False),
        ("live", True),
        ("paused", False),
    ]


def test_taking_in_a_transcript_again_changes_nothing(tmp_path):
    store = MemoryStore()
    path = write(tmp_path, "s1", claude_lines("s1", SPEECH))
    take(stages(store), path)
    head, before = store.head(), files(store)
    again = stages(store)
    take(again, path)
    assert (store.head(), files(store)) == (head, before)
    assert again.report.unchanged == 1


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, len(SPEECH)), min_size=1, max_size=4))
def test_a_session_taken_in_slices_ends_where_one_taken_in_whole_does(cuts):
    lines = claude_lines("s1", SPEECH)
    with tempfile.TemporaryDirectory() as folder:
        sliced = stages()
        for cut in [*sorted(cuts), len(lines)]:
            take(sliced, write(Path(folder), "s1", lines[:cut]))
        whole = stages()
        take(whole, write(Path(folder), "s1", lines))
        assert files(sliced.store) == files(whole.store)


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(4)))
def test_sessions_in_any_order_give_the_same_files(order):
    speech = [SPEECH[:2] * 2, SPEECH[2:4] * 2, SPEECH[4:] * 2, SPEECH]
    with tempfile.TemporaryDirectory() as folder:
        paths = [
            write(Path(folder), f"s{n}", claude_lines(f"s{n}", said))
            for n, said in enumerate(speech)
        ]
        first, other = stages(), stages()
        for path in paths:
            take(first, path)
        for number in order:
            take(other, paths[number])
        assert files(first.store) == files(other.store)


def test_a_long_session_is_several_episodes_that_stay_when_it_grows(tmp_path):
    speech = ["word " * 1500 + f"Hermes is state{n}." for n in range(8)]
    lines = claude_lines("s1", speech)
    sliced = stages()
    take(sliced, write(tmp_path, "s1", lines[:5]))
    early = set(sliced.index.episodes)
    take(sliced, write(tmp_path, "s1", lines))
    assert early < set(sliced.index.episodes)
    whole = stages()
    take(whole, write(tmp_path, "s1", lines))
    assert files(sliced.store) == files(whole.store)


def test_an_older_copy_of_a_session_does_not_shrink_the_episode(tmp_path):
    lines = claude_lines("s1", SPEECH)
    ingest = stages()
    take(ingest, write(tmp_path / "new", "s1", lines))
    before = files(ingest.store)
    take(ingest, write(tmp_path / "old", "s1", lines[:3]))
    assert files(ingest.store) == before


def test_when_nobody_answers_the_episode_waits_with_its_text_and_the_reason(tmp_path):
    store = MemoryStore()
    path = write(tmp_path, "s1", claude_lines("s1", SPEECH))
    failing = stages(store, Echo(fails=True))
    take(failing, path)
    (episode,) = failing.index.episodes.values()
    assert episode.extractor == "pending"
    assert "Hermes is live" in store.evidence(episode.id)
    assert failing.report.reasons[episode.id] == "echo: it said nothing"
    path.unlink()
    later = stages(store)
    later.retry(later.waiting_episodes())
    healthy = stages()
    take(healthy, write(tmp_path, "s1", claude_lines("s1", SPEECH)))
    assert set(later.index.facts) == set(healthy.index.facts)
    assert later.index.episodes[episode.id].extractor == "echo"


def test_what_was_extracted_before_ctrl_c_is_committed_and_the_rest_waits(tmp_path):
    class Impatient(Echo):
        def extract(self, chunk, glossary):
            if self.asked:
                raise KeyboardInterrupt
            return super().extract(chunk, glossary)

    speech = ["word " * 1500 + f"Hermes is state{n}." for n in range(8)]
    ingest = stages(extractor=Impatient())
    with pytest.raises(KeyboardInterrupt):
        take(ingest, write(tmp_path, "s1", claude_lines("s1", speech)))
    answered = [e.extractor for e in ingest.index.episodes.values()]
    assert answered.count("echo") == 1
    assert answered.count("pending") == len(answered) - 1 > 0
    assert ingest.store.head()


def test_a_store_that_has_moved_meanwhile_is_resolved_again(tmp_path):
    store = MemoryStore()
    one, other = stages(store), stages(store)
    assert one.index.head == other.index.head == ""
    take(one, write(tmp_path, "s1", claude_lines("s1", SPEECH[:2] * 2)))
    take(other, write(tmp_path, "s2", claude_lines("s2", SPEECH[2:] * 2)))
    fresh = stages()
    take(fresh, write(tmp_path, "s1", claude_lines("s1", SPEECH[:2] * 2)))
    take(fresh, write(tmp_path, "s2", claude_lines("s2", SPEECH[2:] * 2)))
    assert files(store) == files(fresh.store)


def test_a_fact_whose_file_a_person_deletes_leaves_a_tombstone_and_stays_away(tmp_path):
    store = MemoryStore()
    take(stages(store), write(tmp_path, "s1", claude_lines("s1", SPEECH[:2] * 2)))
    gone = next(r for r in store.load().records if getattr(r, "value", None) == "live")
    del store._files[gone.path]
    later = stages(store)
    take(later, write(tmp_path, "s2", claude_lines("s2", SPEECH[2:] * 2)))
    assert gone.id in later.index.tombstones
    grown = claude_lines("s1", SPEECH[:2] * 2 + ["Talos is paused. Look at it tomorrow."])
    take(later, write(tmp_path, "s1", grown))
    kept = {*later.index.facts, *later.index.waiting}
    assert gone.id not in kept


def test_secrets_are_in_no_record_and_in_no_evidence(tmp_path):
    secret = "ghp_" + "a1B2" * 9
    store = MemoryStore()
    ingest = stages(store)
    speech = [f"use {secret} for this. Hermes is live.", "Done, I used it for the push.", "Fine."]
    take(ingest, write(tmp_path, "s1", claude_lines("s1", speech)))
    (episode,) = ingest.index.episodes.values()
    everything = repr(files(store)) + store.evidence(episode.id)
    assert "Hermes is live" in everything
    assert secret not in everything


def test_ingest_is_given_its_ports():
    assert isinstance(stages(), Ingest)


def note(folder: Path, *sections: str) -> Path:
    path = folder / "NOTES.md"
    path.write_text("\n\n".join(sections) + "\n", encoding="utf-8")
    return path


class Notes:
    """A source whose documents are read paragraph by paragraph, each a section."""

    NAME = "notes"
    at = START

    def read(self, path: Path) -> Transcript:
        text = path.read_text(encoding="utf-8")
        sections = [part.strip() for part in text.split("\n\n") if part.strip()]
        events = tuple(
            Said(at=self.at, line=n, role="user", text=s, kind="document", uid=s)
            for n, s in enumerate(sections, start=1)
        )
        return Transcript(source="notes", path=path, session="notes-1", events=events)


def test_what_a_note_no_longer_says_has_ended_and_history_stays(tmp_path):
    ingest, notes = stages(), Notes()
    ingest.transcript(notes, note(tmp_path, "Hermes is live.", "Talos is live."))
    assert {(f.src, f.invalid_at, f.origin) for f in ingest.index.facts.values()} == {
        ("hermes", None, "user"),
        ("talos", None, "user"),
    }
    notes.at = START + timedelta(days=3)
    ingest.transcript(notes, note(tmp_path, "Hermes is live.", "Talos is frozen."))
    ended = {f.value: f.invalid_at for f in ingest.index.facts.values() if f.src == "talos"}
    assert ended == {"live": notes.at, "frozen": None}
    assert next(f for f in ingest.index.facts.values() if f.src == "hermes").invalid_at is None


def test_what_a_note_says_again_holds_again(tmp_path):
    ingest, notes = stages(), Notes()
    ingest.transcript(notes, note(tmp_path, "Hermes is live.", "It uses Redis."))
    notes.at = START + timedelta(days=3)
    ingest.transcript(notes, note(tmp_path, "It uses Redis."))
    (fact,) = ingest.index.facts.values()
    assert fact.invalid_at == notes.at
    notes.at = START + timedelta(days=5)
    ingest.transcript(notes, note(tmp_path, "Hermes is live.", "It uses Redis."))
    (fact,) = ingest.index.facts.values()
    assert fact.invalid_at is None


def test_each_section_of_a_note_is_an_episode_of_its_own(tmp_path):
    ingest = stages()
    ingest.transcript(Notes(), note(tmp_path, "Hermes is live.", "Talos is live."))
    assert len(ingest.index.episodes) == 2
