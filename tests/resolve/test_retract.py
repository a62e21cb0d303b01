"""Taking back: what remains is what the other episodes said."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from resolve.worlds import ALIASES, NAMES, learn, worlds

from scry.index import Index
from scry.model import UNDONE, Tombstone
from scry.resolve import resolve, retract
from scry.statement import birth_of

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def named(world):
    """Return a world whose texts name everything, so that nothing waits for want of a name."""
    return [replace(a, text=" , ".join([*NAMES, *ALIASES])) for a in world]


def times(index: Index):
    """Return when each fact holds, and what it is about."""
    every = {**index.facts, **index.waiting}
    return {
        i: (f.src, f.dst, f.valid_from, f.invalid_at, f.superseded_by, f.episodes)
        for i, f in every.items()
    }


def same_level(world):
    """Return a world in which everybody is trusted alike: trust is not taken back."""
    return [
        replace(
            a,
            extraction=replace(
                a.extraction,
                claims=tuple(
                    replace(c, origin="user", stance="asserted") for c in a.extraction.claims
                ),
            ),
        )
        for a in world
    ]


@settings(max_examples=200, deadline=None)
@given(worlds(), st.data())
def test_after_an_undo_facts_stand_as_if_the_episode_had_never_been(world, data):
    world = same_level(named(world))
    gone = data.draw(st.sampled_from(world))
    index = learn(world)
    retract(index, lambda _: "", undone=[index.episodes[gone.episode.id]], subject="undo")
    rest = learn([a for a in world if a is not gone])
    assert sorted(times(index).items() ^ times(rest).items()) == []
    assert {s: e.aliases for s, e in index.entities.items()} == {
        s: e.aliases for s, e in rest.entities.items()
    }
    assert index.episodes[gone.episode.id].extractor == UNDONE


@settings(max_examples=200, deadline=None)
@given(worlds(), st.data())
def test_what_is_forgotten_does_not_come_back_by_being_said_again(world, data):
    world = named(world)
    index = learn(world)
    if not index.facts:
        return
    fact = data.draw(st.sampled_from(sorted(index.facts.values(), key=lambda f: f.id)))
    birth = birth_of(fact)[0]
    stone = Tombstone(id=birth, triple=index.statement(birth).triple, when=NOW)
    retract(index, lambda _: "", tombstones=[stone], subject="forget")
    assert birth not in index.births
    for answer in world:
        resolve(index, answer, lambda _: "")
    assert birth not in index.births


def test_the_same_triple_in_other_words_waits_after_a_forget():
    from resolve.worlds import Answer, Claim, Declared, Extraction, episode

    def said(number: int, words: str) -> Answer:
        claim = Claim(src="Hermes", relation="uses", value="Redis", fact=words, origin="user")
        entity = Declared(name="Hermes", type="service")
        found = Extraction(extractor="m", summary="s", entities=(entity,), claims=(claim,))
        return Answer(episode(number, number), found, "Hermes")

    index = learn([said(1, "Hermes uses Redis.")])
    (birth,) = index.births
    stone = Tombstone(id=birth, triple=index.statement(birth).triple, when=NOW)
    retract(index, lambda _: "", tombstones=[stone], subject="forget")
    assert not index.facts
    assert not index.entities
    resolve(index, said(2, "Hermes relies on Redis."), lambda _: "")
    assert not index.facts
    (waiting,) = index.waiting.values()
    assert waiting.reason.startswith("forgotten before")
