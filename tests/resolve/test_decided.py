"""A person's decisions: they hold whenever they are made, and whatever is learned before or after."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from resolve.worlds import differences, learn, worlds

from scry.index import Index
from scry.model import Tombstone
from scry.resolve import resolve
from scry.resolve.decided import Decisions, decide
from scry.statement import birth_of, from_fact
from scry.store.paths import path_of

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def also(index: Index, world, texts) -> Index:
    for answer in world:
        settled(index, resolve(index, answer, lambda i: texts.get(i, "")))
    return index


def settled(index: Index, changes) -> Index:
    for record in changes.writes:
        index.put(replace(record, path=path_of(record)))
    return index


def decided(index: Index, fact, texts, *, verb: str) -> Index:
    birth = birth_of(fact)[0]
    stone = Tombstone(id=birth, triple=from_fact(fact).triple, when=NOW)
    said = Decisions(accepted=[birth]) if verb == "accept" else Decisions(stones=[stone])
    return settled(index, decide(index, lambda i: texts.get(i, ""), said, "review"))


def some_waiting(index: Index, data):
    """Draw a fact that waits, both of whose ends are known."""
    found = [
        f
        for f in sorted(index.waiting.values(), key=lambda f: f.id)
        if all(index.names.route(key)[0] for key in (f.src, f.dst) if key)
        and index.names.final(f.src) != index.names.final(f.dst or "")
    ]
    return data.draw(st.sampled_from(found)) if found else None


@settings(max_examples=200, deadline=None)
@given(worlds(), st.data())
def test_what_is_accepted_holds_whatever_is_learned_afterwards(world, data):
    cut = data.draw(st.integers(1, len(world)))
    texts = {a.episode.id: a.text for a in world}
    index = learn(world[:cut])
    fact = some_waiting(index, data)
    if fact is None:
        return
    decided(index, fact, texts, verb="accept")
    also(index, world[cut:], texts)
    files = index.files_of(birth_of(fact)[0])
    assert files
    assert all(not f.reason and f.origin == "person" for f in files)


@settings(max_examples=200, deadline=None)
@given(worlds(), st.data())
def test_what_is_rejected_never_comes_back(world, data):
    cut = data.draw(st.integers(1, len(world)))
    texts = {a.episode.id: a.text for a in world}
    index = learn(world[:cut])
    fact = some_waiting(index, data)
    if fact is None:
        return
    decided(index, fact, texts, verb="reject")
    also(index, [*world[cut:], *world], texts)
    assert not index.files_of(birth_of(fact)[0])


@settings(max_examples=200, deadline=None)
@given(worlds(), st.data(), st.randoms(use_true_random=False))
def test_accepting_earlier_or_later_gives_the_same_records(world, data, random):
    texts = {a.episode.id: a.text for a in world}
    whole = learn(world)
    fact = some_waiting(whole, data)
    if fact is None:
        return
    cut = data.draw(st.integers(1, len(world)))
    shuffled = list(world)
    random.shuffle(shuffled)
    early = learn(shuffled[:cut])
    birth = birth_of(fact)[0]
    there = next((f for f in early.files_of(birth) if f.reason), None)
    if there is None or not all(early.names.route(k)[0] for k in (there.src, there.dst) if k):
        return
    decided(early, there, texts, verb="accept")
    also(early, shuffled[cut:], texts)
    decided(whole, fact, texts, verb="accept")
    assert differences(early, whole) == []


@settings(max_examples=200, deadline=None)
@given(worlds(), st.data())
def test_deciding_nothing_changes_nothing(world, data):
    texts = {a.episode.id: a.text for a in world}
    index = learn(world)
    births = {birth_of(f)[0] for f in (*index.waiting.values(), *index.facts.values())}
    said = Decisions(reviewed=births, needed=set(index.entities))
    assert not decide(index, lambda i: texts.get(i, ""), said, "check")
