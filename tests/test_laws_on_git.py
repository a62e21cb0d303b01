"""A smaller number of the laws on a real git repository: files, commits, undo and revert."""

import subprocess
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ingesting import NOW, stages
from resolve.worlds import worlds

from scry.index import Index
from scry.model import Chunk
from scry.repair import forget, undo
from scry.store.git import GitStore
from scry.store.init import init_store

few = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


def git(store, *args):
    done = subprocess.run(
        ["git", "-C", store.path, *args], capture_output=True, text=True, check=True
    )
    return done.stdout


def learned(folder, name, world):
    """Return a store that has learned some answers, one commit each."""
    path = Path(folder) / name
    init_store(path)
    store = GitStore(path, clock=lambda: NOW)
    ingest = stages(store)
    for answer in world:
        store.keep_evidence({answer.episode.id: answer.text})
        ingest.accept(Chunk(episode=answer.episode, turns=()), answer.extraction, answer.text)
    return store


def tree(store):
    """Return every record's file as bytes."""
    return {
        path.relative_to(store.path).as_posix(): path.read_bytes()
        for top in ("entities", "facts", "episodes", "review", "forgotten")
        for path in (store.path / top).rglob("*.md")
    }


@few
@given(worlds(largest=4), st.randoms(use_true_random=False))
def test_the_same_answers_in_any_order_give_the_same_bytes(world, random):
    shuffled = list(world)
    random.shuffle(shuffled)
    with tempfile.TemporaryDirectory() as folder:
        one, other = learned(folder, "one", world), learned(folder, "other", shuffled)
        assert tree(one) == tree(other)
        assert git(one, "status", "--porcelain") == ""
        git(one, "fsck", "--strict")


@few
@given(worlds(largest=3))
def test_learning_again_makes_no_commit(world):
    with tempfile.TemporaryDirectory() as folder:
        store = learned(folder, "one", world)
        head = store.head()
        ingest = stages(GitStore(store.path, clock=lambda: NOW))
        for answer in world:
            ingest.accept(Chunk(episode=answer.episode, turns=()), answer.extraction, answer.text)
        assert store.head() == head


@few
@given(worlds(largest=3), st.data())
def test_an_undo_is_one_commit_and_one_revert_takes_it_back(world, data):
    with tempfile.TemporaryDirectory() as folder:
        store = learned(folder, "one", world)
        before, head = tree(store), store.head()
        gone = data.draw(st.sampled_from(world)).episode.id
        applied, undone = undo(stages(store), gone)
        assert undone == [gone]
        assert git(store, "rev-list", "--count", f"{head}..HEAD").strip() == "1"
        git(
            store,
            "-c",
            "user.name=p",
            "-c",
            "user.email=p@x",
            "revert",
            "--no-edit",
            applied.commit,
        )
        assert tree(store) == before


@few
@given(worlds(largest=3), st.data())
def test_a_forgotten_fact_is_gone_and_one_revert_takes_it_back(world, data):
    with tempfile.TemporaryDirectory() as folder:
        store = learned(folder, "one", world)
        facts = sorted(Index.build(store.load()).facts)
        if not facts:
            return
        before = tree(store)
        fact = data.draw(st.sampled_from(facts))
        applied, gone = forget(stages(store), fact, NOW)
        assert fact in gone
        assert fact not in Index.build(store.load()).facts
        git(
            store,
            "-c",
            "user.name=p",
            "-c",
            "user.email=p@x",
            "revert",
            "--no-edit",
            applied.commit,
        )
        assert tree(store) == before


@few
@given(worlds(largest=3))
def test_what_is_read_back_is_what_was_written(world):
    with tempfile.TemporaryDirectory() as folder:
        store = learned(folder, "one", world)
        snapshot = store.load()
        assert snapshot.problems == ()
        ingest = stages(store)
        for answer in world:
            assert answer.episode.id in ingest.index.episodes
