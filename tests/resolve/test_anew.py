"""New answers in the place of old ones: as if only the new had ever been given."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from resolve.test_retract import named, same_level, times
from resolve.worlds import ALIASES, NAMES, Answer, answers, differences, episode, learn, worlds

from scry.index import Index
from scry.model import ChangeSet, Claim, Declared, Extraction, Tombstone
from scry.resolve import deleted_by_hand, retract
from scry.resolve.anew import rebuild
from scry.statement import birth_of
from scry.store.paths import path_of

NOW = datetime(2026, 12, 1, tzinfo=UTC)
many = settings(max_examples=20, deadline=None)


@st.composite
def two_worlds(draw: st.DrawFn) -> tuple[list[Answer], list[Answer]]:
    """Draw answers for the same episodes by two extractors."""
    old = named(draw(worlds(largest=4)))
    new = named([draw(answers(number)) for number in range(len(old))])
    second = [
        replace(n, episode=o.episode, extraction=replace(n.extraction, extractor="other"))
        for o, n in zip(old, new, strict=True)
    ]
    return same_level(old), same_level(second)


def anew(index: Index, given: list[Answer], by_hand: Collection[str] = ()) -> ChangeSet:
    """Rebuild, and give each record the path that it has in a store; all texts are kept."""
    texts = {answer.episode.id: answer.text for answer in given}
    given = [replace(a, episode=index.episodes[a.episode.id]) for a in given]
    everything = " , ".join([*NAMES, *ALIASES])
    change = rebuild(index, given, lambda i: texts.get(i, everything), by_hand)
    for record in change.writes:
        index.put(replace(record, path=path_of(record)))
    return change


def entities(index: Index):
    return {s: (e.name, e.type, e.aliases, e.description) for s, e in index.entities.items()}


@many
@given(two_worlds())
def test_a_store_that_is_rebuilt_whole_is_one_that_only_heard_the_new_answers(pair):
    old, new = pair
    index = learn(old)
    anew(index, new)
    fresh = learn(new)
    assert differences(index, fresh) == []


@many
@given(two_worlds())
def test_one_after_the_other_gives_the_same_facts_and_things(pair):
    old, new = pair
    index = learn(old)
    for answer in new:
        anew(index, [answer])
    fresh = learn(new)
    assert sorted(times(index).items() ^ times(fresh).items()) == []
    assert entities(index) == entities(fresh)


@many
@given(worlds(largest=4), st.data())
def test_the_same_answers_again_change_nothing(world, data):
    world = named(world)
    index = learn(world)
    again = data.draw(st.lists(st.sampled_from(world), unique_by=lambda a: a.episode.id))
    change = anew(index, again) if again else None
    assert not change
    assert differences(index, learn(world)) == []


@many
@given(two_worlds(), st.data())
def test_the_records_that_are_told_are_the_difference(pair, data):
    old, new = pair
    index, other = learn(old), learn(old)
    some = data.draw(st.lists(st.sampled_from(new), min_size=1, unique_by=lambda a: a.episode.id))
    change = anew(index, some)
    for record in change.removes:
        other.drop(record)
    for record in change.writes:
        other.put(replace(record, path=path_of(record)))
    assert differences(index, other) == []


@many
@given(two_worlds(), st.data())
def test_what_is_forgotten_or_deleted_or_undone_stays_so(pair, data):
    old, new = pair
    index = learn(old)
    facts = sorted(index.facts.values(), key=lambda f: f.id)
    if not facts:
        return
    gone = birth_of(data.draw(st.sampled_from(facts)))[0]
    if data.draw(st.booleans()):
        stone = Tombstone(id=gone, triple=index.statement(gone).triple, when=NOW)
        retract(index, lambda _: "", tombstones=[stone], subject="forget")
    else:
        for fact in index.files_of(gone):
            index.drop(fact)
        for stone in deleted_by_hand(index, NOW):
            index.put(stone)
    anew(index, new)
    assert gone not in index.births
    assert {s.id for s in deleted_by_hand(index, NOW)} <= {gone}


@many
@given(two_worlds(), st.data())
def test_a_fact_that_a_person_has_changed_stays_to_the_letter_with_its_things(pair, data):
    old, new = pair
    index = learn(old)
    facts = sorted(index.facts.values(), key=lambda f: f.id)
    if not facts:
        return
    fact = data.draw(st.sampled_from(facts))
    how = data.draw(st.sampled_from(["words", "file"]))
    theirs = replace(fact, fact="As Jane says.") if how == "words" else fact
    index.put(theirs)
    by_hand = {theirs.path} if how == "file" else set()
    change = anew(index, new, by_hand)
    stands = {**index.facts, **index.waiting}[fact.id]
    assert (stands.fact, stands.path) == (theirs.fact, theirs.path)
    assert set(stands.episodes) >= set(theirs.episodes)
    assert fact.id not in {getattr(record, "id", "") for record in change.removes}
    assert {slug for slug in (stands.src, stands.dst) if slug} <= index.entities.keys()
    cited = {c.episode for c in theirs.episodes}
    assert all(birth_of(theirs)[0] in index.episodes[e].facts for e in cited)


def test_a_thing_that_a_person_has_changed_stays_though_nobody_names_it_any_more():
    claim = Claim(src="Hermes", relation="uses", value="Redis", fact="Hermes uses Redis.")
    thing = Declared(name="Hermes", type="service", description="A gateway.", aliases=("relay",))
    first = Extraction(extractor="m", summary="s", entities=(thing,), claims=(claim,))
    index = learn([Answer(episode(1, 1), first, "Hermes relay")])
    index.put(replace(index.entities["hermes"], description="Jane's own words.", aliases=()))
    silent = Extraction(extractor="other", summary="Nothing.")
    same = replace(first, extractor="other")

    anew(index, [Answer(episode(1, 1), same, "Hermes relay")])
    assert index.entities["hermes"].description == "Jane's own words."
    assert index.entities["hermes"].aliases == ()

    anew(index, [Answer(episode(1, 1), silent, "Hermes")])
    assert index.facts == {}
    assert index.entities["hermes"].description == "Jane's own words."


def test_an_alias_that_was_turned_down_is_not_proposed_again():
    def said(number: int, *things: Declared) -> Answer:
        found = Extraction(extractor="m", summary="s", entities=things)
        return Answer(episode(number, number), found, "Hermes relay Talos")

    world = [
        said(1, Declared(name="Hermes", type="service", aliases=("relay",))),
        said(2, Declared(name="relay", type="service")),
    ]
    index = learn(world)
    (proposal,) = index.proposals.values()
    index.drop(proposal)

    change = anew(index, world)

    assert index.proposals == {}
    assert not change
