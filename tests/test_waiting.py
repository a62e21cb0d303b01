"""Changes that wait for files with a person's edits: made as soon as they are clean, never lost."""

import subprocess

import pytest
from ingesting import NOW, Echo, claude_lines, stages, take
from test_ingest import write

from scry.attempts import Patience
from scry.index import Index
from scry.repair import forget, undo
from scry.store.git import GitStore
from scry.store.init import init_store

LIVE = [
    "Hermes is live. Have a look at the queue when you find the time.",
    "I did, it is fine, and the workers are idle as well at the moment.",
]
PAUSED = [
    "Hermes is paused. We stop it until the new disk has come.",
    "Understood, I have written that down for the next time we meet.",
]


@pytest.fixture
def store(tmp_path):
    init_store(tmp_path / "store")
    return GitStore(tmp_path / "store", clock=lambda: NOW)


def facts(store, **wanted):
    found = Index.build(store.load()).facts.values()
    return [f for f in found if all(getattr(f, k) == v for k, v in wanted.items())]


def edit(store, fact, old, new):
    path = store.path / fact.path
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def commit(store):
    who = ["-c", "user.name=p", "-c", "user.email=p@x"]
    subprocess.run(["git", "-C", store.path, *who, "commit", "-qam", "by hand"], check=True)


def learn(store, folder, session, speech, day=1):
    from datetime import timedelta

    from ingesting import START

    lines = claude_lines(session, speech, start=START + timedelta(days=day))
    ingest = stages(store)
    take(ingest, write(folder, session, lines))
    ingest.flush()
    return ingest


def test_an_end_that_waited_for_an_edit_is_written_once_the_file_is_clean(store, tmp_path):
    learn(store, tmp_path, "s1", LIVE, day=1)
    (live,) = facts(store, value="live")
    edit(store, live, "type: fact", "type: fact\nmykey: x")
    waited = learn(store, tmp_path, "s2", PAUSED, day=2)
    assert waited.report.waiting == [live.path]
    assert facts(store, value="live")[0].invalid_at is None
    commit(store)
    learn(
        store,
        tmp_path,
        "s3",
        [
            "Talos is live. That is all for today, see you tomorrow at nine.",
            "Good, until then I look at the tests once more.",
        ],
        day=3,
    )
    (live,) = facts(store, value="live", src="hermes")
    (paused,) = facts(store, value="paused")
    assert (live.invalid_at, live.superseded_by) == (paused.valid_from, paused.id)
    assert "mykey: x" in (store.path / live.path).read_text(encoding="utf-8")


def test_a_citation_that_waited_is_added_by_a_sweep_with_nothing_else_to_do(store, tmp_path):
    learn(store, tmp_path, "s1", LIVE)
    (live,) = facts(store, value="live")
    edit(store, live, "type: fact", "type: fact\nmykey: x")
    learn(store, tmp_path, "s2", LIVE, day=2)
    commit(store)
    before = store.head()
    stages(store).flush()
    (live,) = facts(store, value="live")
    assert len(live.episodes) == 2
    assert store.head() != before
    again = store.head()
    stages(store).flush()
    assert store.head() == again


@pytest.mark.parametrize("verb", [undo, lambda ingest, ref: forget(ingest, ref, NOW)])
def test_what_is_taken_back_while_a_person_edits_it_goes_once_the_file_is_clean(
    store, tmp_path, verb
):
    ingest = learn(store, tmp_path, "s1", LIVE)
    (episode,) = ingest.index.episodes
    (live,) = facts(store, value="live")
    edit(store, live, "type: fact", "type: fact\nmykey: x")
    applied, _ = verb(stages(store), episode)
    assert applied.waiting == (live.path,)
    assert facts(store, value="live")
    commit(store)
    stages(store).flush()
    assert not facts(store, value="live")


def test_a_thing_that_only_an_unreadable_fact_needs_keeps_its_file(store, tmp_path):
    learn(store, tmp_path, "s1", LIVE)
    (live,) = facts(store, value="live")
    text = (store.path / live.path).read_text(encoding="utf-8")
    (store.path / live.path).write_text(text.removeprefix("---\n"), encoding="utf-8")
    commit(store)
    learn(store, tmp_path, "s1", [*LIVE, "Talos is live. And that is all for today."])
    assert "hermes" in Index.build(store.load()).entities


def test_an_answer_of_the_rules_after_a_model_has_failed_still_waits_for_the_model(tmp_path):
    class Fallback(Echo):
        def extract(self, chunk, glossary):
            from dataclasses import replace

            found = super().extract(chunk, glossary)
            return replace(found, extractor="rules", notes=("far: it is down",))

    ingest = stages(extractor=Fallback())
    take(ingest, write(tmp_path, "s1", claude_lines("s1", LIVE)))
    (episode,) = ingest.index.episodes
    assert ingest.report.reasons == {episode: "far: it is down"}
    assert ingest.report.pending == []
    later = stages(ingest.store, Echo())
    assert [part.episode.id for part in later.waiting_episodes()] == [episode]
    later.retry(later.waiting_episodes())
    assert later.index.episodes[episode].extractor == "echo"
    assert stages(ingest.store).waiting_episodes() == []


def test_an_episode_that_was_asked_for_often_enough_is_left_to_the_person(tmp_path):
    ingest = stages(extractor=Echo(fails=True))
    take(ingest, write(tmp_path, "s1", claude_lines("s1", LIVE)))
    ingest.patience = Patience(attempts=3, days=0)
    for _ in range(3):
        ingest.retry(ingest.waiting_episodes())
    assert len(ingest.extractor.asked) == 3
    ingest.patience = None
    assert len(ingest.waiting_episodes()) == 1


def test_what_a_person_had_forgotten_can_be_remembered_again(tmp_path):
    from scry.remember import Note, remember

    note = Note(text="Hermes uses Redis.", entities=("Hermes",), relation="uses", value="Redis")
    ingest = stages()
    remember(ingest, note, NOW)
    (fact,) = ingest.index.facts
    forget(stages(ingest.store), fact, NOW)
    later = stages(ingest.store)
    assert not later.index.facts
    remember(later, note, NOW)
    assert list(stages(ingest.store).index.facts) == [fact]
    assert stages(ingest.store).index.tombstones == {}
