"""The laws of the graph, each as a property of small worlds in any order."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from resolve.worlds import differences, learn, records, supersede, worlds

from scry.index import Index
from scry.model import Snapshot
from scry.names import declarations
from scry.relations import EXCLUSIVE
from scry.resolve import resolve
from scry.text import fold

picks = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=3)


@settings(max_examples=400, deadline=None)
@given(worlds(), picks, st.randoms(use_true_random=False))
def test_the_same_answers_in_any_order_give_the_same_records(world, pairs, random):
    world = supersede(world, pairs)
    shuffled = list(world)
    random.shuffle(shuffled)
    assert differences(learn(world), learn(shuffled)) == []


@settings(max_examples=200, deadline=None)
@given(worlds(), picks)
def test_learning_again_changes_nothing(world, pairs):
    world = supersede(world, pairs)
    index = learn(world)
    texts = {a.episode.id: a.text for a in world}
    for answer in world:
        assert not resolve(index, answer, texts.__getitem__)


@settings(max_examples=200, deadline=None)
@given(worlds(), picks)
def test_every_distinct_sentence_is_on_record(world, pairs):
    world = supersede(world, pairs)
    index = learn(world)
    kept = {fold(f.fact) for f in (*index.facts.values(), *index.waiting.values())}
    said = {fold(c.fact) for a in world for c in a.extraction.claims}
    assert said == kept


@settings(max_examples=200, deadline=None)
@given(worlds(), picks)
def test_an_exclusive_slot_holds_one_object_at_any_time_unless_dates_are_equal(world, pairs):
    index = learn(supersede(world, pairs))
    facts = [f for f in index.facts.values() if f.relation in EXCLUSIVE and f.stance == "asserted"]
    for a in facts:
        for b in facts:
            same_slot = (a.src, a.relation, a.qualifier) == (b.src, b.relation, b.qualifier)
            if same_slot and (a.dst, a.value) != (b.dst, b.value) and a.valid_from < b.valid_from:
                assert a.invalid_at is not None
                assert a.invalid_at <= b.valid_from


@settings(max_examples=200, deadline=None)
@given(worlds(), picks)
def test_no_record_is_hollow_dangling_self_looping_or_has_a_stolen_alias(world, pairs):
    index = learn(supersede(world, pairs))
    names = {e.slug for e in index.entities.values()}
    for fact in index.facts.values():
        assert {fact.src, fact.dst} - {None} <= names
        assert fact.src != fact.dst
        assert fact.episodes
        assert all(c.episode in index.episodes for c in fact.episodes)
        assert fact.invalid_at is None or fact.valid_from < fact.invalid_at
        assert not fact.superseded_by or fact.superseded_by in index.facts
    owners: dict[str, str] = {}
    for entity in index.entities.values():
        assert index.links[entity.slug]
        for alias in entity.aliases:
            assert alias not in owners
            owners[alias] = entity.slug
            assert not index.names.bears(alias)


@settings(max_examples=200, deadline=None)
@given(worlds(), picks)
def test_an_index_that_is_read_back_equals_the_one_that_was_taken_along(world, pairs):
    world = supersede(world, pairs)
    index = learn(world)
    again = Index.build(Snapshot(records=tuple(records(index).values())))
    texts = {a.episode.id: a.text for a in world}
    assert differences(again, index) == []
    for answer in world:
        assert not resolve(again, answer, texts.__getitem__)


@settings(max_examples=150, deadline=None)
@given(worlds(largest=4), st.data())
def test_a_growing_episode_ends_where_a_whole_one_does(world, data):
    grown = data.draw(st.sampled_from(world))
    claims, entities = grown.extraction.claims, grown.extraction.entities
    part = replace(
        grown,
        extraction=replace(
            grown.extraction,
            claims=claims[: data.draw(st.integers(0, len(claims)))],
            entities=tuple(
                replace(e, aliases=e.aliases[: data.draw(st.integers(0, len(e.aliases)))])
                for e in entities[: data.draw(st.integers(0, len(entities)))]
            ),
        ),
    )
    others = [a for a in world if a is not grown]
    assert differences(learn([part, *others, grown]), learn([*others, grown])) == []


@settings(max_examples=100, deadline=None)
@given(worlds())
def test_a_person_s_edits_survive_whatever_is_learned_later(world):
    index = learn(world[:1])
    if not index.facts:
        return
    slug, entity = next(iter(index.entities.items()))
    mine = replace(entity, description="Written by hand.", name=entity.name + " Prime")
    index.put(mine)
    for answer in world[1:]:
        resolve(index, answer, lambda _: "")
    after = index.entities[slug]
    assert (after.name, after.description) == (mine.name, mine.description)


def test_a_declared_name_is_its_own_entity_and_the_alias_claim_waits():
    from resolve.worlds import episode

    from scry.model import Claim, Declared, Extraction
    from scry.resolve import Answer

    one = Answer(
        episode(1, 0),
        Extraction(
            extractor="model",
            summary="One.",
            entities=(Declared(name="Hermes", type="service", aliases=("relay",)),),
            claims=(Claim(src="Hermes", relation="status", value="live", fact="Hermes is live."),),
        ),
        "Hermes",
    )
    two = Answer(
        episode(2, 1),
        Extraction(
            extractor="model",
            summary="Two.",
            entities=(Declared(name="relay", type="tool"),),
            claims=(Claim(src="relay", relation="status", value="down", fact="relay is down."),),
        ),
        "relay",
    )
    index = learn([one, two])
    assert index.entities["hermes"].aliases == ()
    assert set(index.proposals) == {("hermes", "relay")}
    assert declarations(index.episodes[one.episode.id])["hermes"].entity.aliases == ("relay",)
