"""The repair verbs on small worlds in memory: what a person has put right stays so."""

import contextlib
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resolve.worlds import (
    ALIASES,
    NAMES,
    START,
    Answer,
    Claim,
    Declared,
    Extraction,
    differences,
    episode,
    learn,
    records,
    worlds,
)

from scry.errors import UnknownNameError
from scry.index import Index
from scry.mending import MendError, alias, end, merge, part, rename, retype, split
from scry.model import Fact, Snapshot
from scry.resolve import adopt, resolve
from scry.store.paths import path_of
from scry.text import slug_of

many = settings(max_examples=120, deadline=None)


def nobody(_: str) -> str:
    return ""


def named(world):
    """Return a world whose texts name everything, so that nothing waits for want of a name."""
    return [replace(a, text=" , ".join([*NAMES, *ALIASES])) for a in world]


def stored(index, done):
    """Give what was written the files that it has in a store."""
    for record in done.change.writes:
        index.put(replace(record, path=path_of(record)))
    return done


def said(number, *facts, entities=(("Hermes", "service"),), day=None, origin="user"):
    """Return an episode in which somebody says (src, relation, end, words); `=x` is a literal."""
    claims = tuple(
        Claim(
            src=src,
            relation=relation,
            dst=None if over.startswith("=") else over,
            value=over[1:] if over.startswith("=") else None,
            fact=words,
            origin=origin,
        )
        for src, relation, over, words in facts
    )
    declared = tuple(Declared(name=n, type=t, aliases=tuple(a)) for n, t, *a in entities)
    found = Extraction(extractor="m", summary="s", entities=declared, claims=claims)
    names = [n for n, _, *a in entities for n in (n, *a)]
    names += [over for _, _, over, _ in facts] + [src for src, *_ in facts]
    return Answer(episode(number, number if day is None else day), found, " , ".join(names))


def again(index, world):
    return [change for a in world if (change := resolve(index, a, nobody))]


def fact_of(index, words) -> Fact:
    return next(f for f in (*index.facts.values(), *index.waiting.values()) if f.fact == words)


TWO = (("Hermes", "service", "the bot"), ("Mercury", "service", "quick"))


# --- whatever the world, what was put right stays so -----------------------------------------------


@st.composite
def edits(draw, index):
    """Draw one edit that an index allows, as a function of an index; None where there is none."""
    slugs = sorted(index.entities)
    facts = sorted(i for i, f in index.facts.items() if f.invalid_at is None)
    if not slugs:
        return None
    one, other = draw(st.sampled_from(slugs)), draw(st.sampled_from(slugs))
    kinds = ["rename", "retype", "alias"] + (["end", "part"] if facts else [])
    kind = draw(st.sampled_from(kinds + (["merge"] * 3 if one != other else [])))
    fact = draw(st.sampled_from(facts)) if facts else ""
    at = START + timedelta(days=draw(st.integers(1, 9)), hours=1)
    return {
        "merge": lambda i: merge(i, nobody, one, other),
        "rename": lambda i: rename(i, nobody, one, "Quicksilver"),
        "retype": lambda i: retype(i, nobody, one, "runbook"),
        "alias": lambda i: alias(i, nobody, one, add=(), reject=("relay", "the bot")),
        "end": lambda i: end(i, nobody, fact, at),
        "part": lambda i: part(i, nobody, i.facts[fact].src, "Quicksilver", facts=[fact]),
    }[kind]


def mended(index, edit):
    try:
        return stored(index, edit(index))
    except (MendError, UnknownNameError):
        return None


@many
@given(worlds(), st.data())
def test_what_was_put_right_is_not_changed_by_learning_the_same_again(world, data):
    world = named(world)
    index = learn(world)
    edit = data.draw(edits(index))
    if edit is None or mended(index, edit) is None:
        return
    for answer in world:
        assert not (c := resolve(index, answer, nobody)), (c.writes, c.removes)


@many
@given(worlds(), st.data())
def test_doing_it_twice_changes_nothing(world, data):
    index = learn(named(world))
    edit = data.draw(edits(index))
    if edit is None or mended(index, edit) is None:
        return
    with contextlib.suppress(MendError, UnknownNameError):
        assert not edit(index).change


@many
@given(worlds(), st.randoms(use_true_random=False), st.data())
def test_the_same_edit_after_any_order_of_answers_gives_the_same_records(world, random, data):
    world = named(world)
    index = learn(world)
    edit = data.draw(edits(index))
    if edit is None:
        return
    shuffled = list(world)
    random.shuffle(shuffled)
    other = learn(shuffled)
    assert (mended(index, edit) is None) == (mended(other, edit) is None)
    assert differences(index, other) == []


@many
@given(worlds(), st.data())
def test_an_index_read_back_after_an_edit_equals_the_one_that_was_taken_along(world, data):
    world = named(world)
    index = learn(world)
    edit = data.draw(edits(index))
    if edit is None or mended(index, edit) is None:
        return
    back = Index.build(Snapshot(records=tuple(records(index).values())))
    for answer in world:
        assert not (c := resolve(back, answer, nobody)), (c.writes, c.removes)


@many
@given(worlds(), st.data())
def test_a_merge_that_is_undone_leaves_everything_as_it_was(world, data):
    index = learn(named(world))
    slugs = sorted(index.entities)
    if len(slugs) < 2:
        return
    before = records(index)
    one, other = data.draw(st.permutations(slugs))[:2]
    stored(index, merge(index, nobody, one, other))
    stored(index, split(index, nobody, one))
    assert records(index) == before


@many
@given(worlds(), st.data())
def test_it_does_not_matter_whether_a_merge_comes_before_or_after_what_is_learned(world, data):
    world = named(world)
    cut = data.draw(st.integers(0, len(world)))
    first = learn(world[:cut])
    slugs = sorted(first.entities)
    if len(slugs) < 2:
        return
    one, other = data.draw(st.permutations(slugs))[:2]
    stored(first, merge(first, nobody, one, other))
    for answer in world[cut:]:
        for record in resolve(first, answer, nobody).writes:
            first.put(replace(record, path=path_of(record)))
    last = learn(world)
    stored(last, merge(last, nobody, one, other))
    # Which of a merged pair lists a shared alias may differ; it leads to the same thing.
    assert [d for d in differences(first, last) if ".aliases: " not in d] == []


# --- merge and split -------------------------------------------------------------------------------


def both():
    return [
        said(1, ("Hermes", "status", "=live", "Hermes is live."), entities=TWO),
        said(2, ("Mercury", "status", "=down", "Mercury is down."), entities=TWO),
        said(3, ("Hermes", "related_to", "Mercury", "Hermes is Mercury."), entities=TWO),
    ]


def test_every_spelling_of_either_finds_the_winner_after_a_merge():
    index = learn(both())
    stored(index, merge(index, nobody, "Hermes", "quick"))
    for name in ("Hermes", "the bot", "Mercury", "quick", "the-bot"):
        assert index.names.find(name) == ["mercury"]
    assert {k.name for k in index.glossary("ask the bot")} == {"Mercury"}
    assert "Hermes" in index.glossary("ask the bot")[0].aliases
    assert index.facts_of("mercury")


def test_the_slots_of_a_merged_pair_are_one_and_a_fact_between_them_is_none():
    index = learn(both())
    stored(index, merge(index, nobody, "Hermes", "Mercury"))
    live, down = fact_of(index, "Hermes is live."), fact_of(index, "Mercury is down.")
    assert (live.src, live.superseded_by, live.invalid_at) == ("hermes", down.id, down.valid_from)
    assert fact_of(index, "Hermes is Mercury.").reason == "both ends are the same thing: hermes"
    assert again(index, both()) == []


def test_a_merge_into_itself_or_in_a_ring_is_refused_and_the_second_time_says_so():
    index = learn(both())
    with pytest.raises(MendError, match="nothing to merge"):
        merge(index, nobody, "Hermes", "the bot")
    stored(index, merge(index, nobody, "Hermes", "Mercury"))
    assert not merge(index, nobody, "Hermes", "Mercury").change
    with pytest.raises(MendError, match="scry split hermes"):
        merge(index, nobody, "Mercury", "Hermes")
    with pytest.raises(UnknownNameError):
        merge(index, nobody, "Hermos", "Mercury")


def test_a_merge_of_two_types_is_told():
    world = [said(1, ("Hermes", "uses", "Redis", "x."), entities=(*TWO, ("Redis", "tool")))]
    index = learn(world)
    assert merge(index, nobody, "Redis", "Hermes").notes == (
        "Redis was a tool, Hermes is a service.",
    )


def test_an_alias_that_both_claim_leads_to_the_one_that_they_are():
    world = [
        said(
            1, ("Hermes", "uses", "=x", "Hermes uses x."), entities=(("Hermes", "service", "hm"),)
        ),
        said(2, ("Mercury", "uses", "=y", "M uses y."), entities=(("Mercury", "service", "hm"),)),
        said(3, ("hm", "uses", "=z", "hm uses z."), entities=()),
    ]
    index = learn(world)
    assert fact_of(index, "hm uses z.").reason
    stored(index, merge(index, nobody, "Hermes", "Mercury"))
    assert fact_of(index, "hm uses z.").reason == ""
    assert index.proposals == {}
    stored(index, split(index, nobody, "Hermes"))
    assert fact_of(index, "hm uses z.").reason
    assert set(index.proposals) == {("hermes", "hm"), ("mercury", "hm")}


def test_facts_that_are_split_off_stay_with_their_new_owner():
    world = [
        said(1, ("Hermes", "status", "=live", "Hermes is live."), entities=TWO),
        said(2, ("Hermes", "status", "=down", "Hermes is down."), entities=TWO),
    ]
    index = learn(world)
    down = fact_of(index, "Hermes is down.")
    stored(index, part(index, nobody, "Hermes", "hermes-ops", facts=[down.id]))
    moved = index.facts[down.id]
    assert (moved.src, moved.origin) == ("hermes-ops", "person")
    assert path_of(moved).startswith("facts/he/hermes-ops/")
    assert fact_of(index, "Hermes is live.").invalid_at is None
    assert index.entities["hermes-ops"].type == "service"
    assert again(index, world) == []
    assert not part(index, nobody, "Hermes", "hermes-ops", facts=[down.id]).change


def test_a_fact_about_something_else_cannot_be_split_off():
    index = learn(both())
    with pytest.raises(MendError, match="is not about Hermes"):
        part(index, nobody, "Hermes", "ops", facts=[fact_of(index, "Mercury is down.").id])


# --- names -----------------------------------------------------------------------------------------


def test_a_renamed_thing_is_found_by_all_its_names_and_goes_on_learning():
    world = [said(1, ("Hermes", "uses", "=x", "Hermes uses x."), entities=TWO[:1])]
    index = learn(world)
    stored(index, rename(index, nobody, "the bot", "Quicksilver"))
    more = said(2, ("Hermes", "uses", "=y", "Hermes uses y."), entities=TWO[:1])
    assert resolve(index, more, nobody)
    for name in ("Hermes", "the bot", "Quicksilver"):
        assert index.names.find(name) == ["quicksilver"]
    assert len(index.facts_of("quicksilver")) == 2
    assert index.entity("hermes").name == "Quicksilver"
    assert again(index, [*world, more]) == []
    stored(index, rename(index, nobody, "Quicksilver", "Hermes"))
    assert index.names.find("Quicksilver") == ["hermes"]


def test_a_name_that_gives_the_same_file_changes_in_the_file_only():
    index = learn([said(1, ("Hermes", "uses", "=x", "Hermes uses x."))])
    done = stored(index, rename(index, nobody, "Hermes", "HERMES"))
    assert [e.name for e in done.change.writes] == ["HERMES"]
    assert not rename(index, nobody, "Hermes", "HERMES").change


def test_the_name_of_another_thing_is_not_given_away():
    index = learn(both())
    with pytest.raises(MendError, match="scry merge hermes mercury"):
        rename(index, nobody, "Hermes", "Mercury")
    with pytest.raises(MendError, match="--reject"):
        rename(index, nobody, "Hermes", "quick")
    with pytest.raises(MendError, match="scry merge"):
        alias(index, nobody, "Hermes", add=["Mercury"], reject=[])
    with pytest.raises(MendError, match='scry alias mercury --reject "quick"'):
        alias(index, nobody, "Hermes", add=["quick"], reject=[])


def test_a_name_that_a_person_has_written_into_the_file_is_its_own():
    world = [said(1, ("Hermes", "uses", "=x", "Hermes uses x."))]
    index = learn(world)
    index.put(replace(index.entities["hermes"], name="Mercury"))
    more = said(2, ("Mercury", "uses", "=y", "Mercury uses y."), entities=(("Mercury", "service"),))
    resolve(index, more, nobody)
    assert fact_of(index, "Mercury uses y.").src == "hermes"
    assert set(index.entities) == {"hermes"}
    assert index.names.find("Hermes") == index.names.find("Mercury") == ["hermes"]


@pytest.mark.parametrize("name", ["Hermes", "Mercury"])
def test_facts_of_a_file_that_was_moved_are_found_and_its_old_slug_leads_there(name):
    entities = (("Hermes", "service", "the bot"),)
    world = [said(1, ("Hermes", "uses", "=x", "Hermes uses x."), entities=entities)]
    index = learn(world)
    there = index.entities["hermes"]
    index.drop(there)
    index.put(replace(there, slug="mercury", name=name, path=""))
    changes = adopt(index, nobody)
    assert changes is not None
    assert index.entities["hermes"].merged_into == "mercury"
    assert index.names.find("Hermes") == index.names.find("the bot") == ["mercury"]
    assert index.facts_of("mercury")
    assert adopt(index, nobody) is None
    assert again(index, world) == []


def test_a_moved_file_is_no_guess_where_two_look_like_it():
    entities = (("Hermes", "service", "the bot"),)
    index = learn([said(1, ("Hermes", "uses", "=x", "Hermes uses x."), entities=entities)])
    there = index.entities["hermes"]
    index.drop(there)
    for slug in ("one", "two"):
        index.put(replace(there, slug=slug, name=slug, path=""))
    assert adopt(index, nobody) is None


def test_a_rejected_alias_stays_rejected_whoever_declares_it_and_its_facts_wait():
    entities = (("Hermes", "service", "the bot", "hm"),)
    world = [
        said(1, ("Hermes", "uses", "=x", "Hermes uses x."), entities=entities),
        said(2, ("the bot", "uses", "=y", "the bot uses y."), entities=()),
    ]
    index = learn(world)
    assert fact_of(index, "the bot uses y.").src == "hermes"
    stored(index, alias(index, nobody, "Hermes", add=[], reject=["the bot"]))
    assert index.entities["hermes"].rejected == ("the bot",)
    assert index.entities["hermes"].aliases == ("hm",)
    assert fact_of(index, "the bot uses y.").reason == "nobody has said what this is: bot"
    more = said(3, ("Hermes", "uses", "=z", "Hermes uses z."), entities=entities)
    resolve(index, more, nobody)
    assert index.names.find("the bot") == []
    assert "the bot" not in index.names.spellings("hermes")
    stored(index, alias(index, nobody, "Hermes", add=["the bot"], reject=[]))
    assert fact_of(index, "the bot uses y.").reason == ""


def test_an_added_alias_leads_there_at_once():
    world = [
        said(1, ("Hermes", "uses", "=x", "Hermes uses x.")),
        said(2, ("courier", "uses", "=y", "courier uses y."), entities=()),
    ]
    index = learn(world)
    stored(index, alias(index, nobody, "Hermes", add=["courier"], reject=[]))
    assert fact_of(index, "courier uses y.").src == "hermes"
    assert fact_of(index, "courier uses y.").reason == ""
    assert not alias(index, nobody, "Hermes", add=["courier"], reject=[]).change


def test_an_alias_that_was_deleted_from_the_file_is_rejected():
    entities = (("Hermes", "service", "the bot", "hm"),)
    world = [said(1, ("Hermes", "uses", "=x", "Hermes uses x."), entities=entities)]
    index = learn(world)
    assert adopt(index, nobody) is None
    index.put(replace(index.entities["hermes"], aliases=("hm",)))
    assert adopt(index, nobody, unsettled=["hermes"]) is None
    assert adopt(index, nobody) is not None
    assert index.names.find("the bot") == []
    assert index.names.find("hm") == ["hermes"]
    assert adopt(index, nobody) is None


# --- types -----------------------------------------------------------------------------------------


def test_no_machine_changes_a_type_that_a_person_set_or_that_two_episodes_agree_on():
    def one(number, kind):
        return said(
            number, ("Hermes", "uses", f"={number}", f"{number}."), entities=(("Hermes", kind),)
        )

    index = learn([one(1, "tool"), one(2, "service"), one(3, "service")])
    assert index.entities["hermes"].type == "service"
    for number in range(4, 8):
        resolve(index, one(number, "tool"), nobody)
    assert index.entities["hermes"].type == "service"
    stored(index, retype(index, nobody, "Hermes", "project"))
    for number in range(8, 12):
        resolve(index, one(number, "machine"), nobody)
    assert index.entities["hermes"].type == "project"
    assert not retype(index, nobody, "Hermes", "project").change


# --- ends ------------------------------------------------------------------------------------------

USES = ("Hermes", "uses", "Redis", "Hermes uses Redis.")
REDIS = (("Hermes", "service"), ("Redis", "tool"))


def at(day):
    return START + timedelta(days=day)


def test_an_end_that_a_person_set_outlives_older_restatements_and_a_newer_one_begins_again():
    world = [said(1, USES, entities=REDIS), said(2, USES, entities=REDIS)]
    index = learn(world)
    (fact,) = index.facts.values()
    stored(index, end(index, nobody, fact.id, at(4)))
    resolve(index, said(3, USES, entities=REDIS), nobody)
    assert [f.invalid_at for f in index.facts.values()] == [at(4)]
    resolve(index, said(6, USES, entities=REDIS), nobody)
    first, second = sorted(index.facts.values(), key=lambda f: f.valid_from)
    assert (first.valid_from, first.invalid_at) == (at(1), at(4))
    assert (second.valid_from, second.invalid_at) == (at(6), None)
    assert first.fact == second.fact
    assert (
        again(index, [*world, said(3, USES, entities=REDIS), said(6, USES, entities=REDIS)]) == []
    )


def test_an_end_before_the_last_citation_holds_against_reading_it_again():
    world = [said(1, USES, entities=REDIS), said(5, USES, entities=REDIS)]
    index = learn(world)
    (fact,) = index.facts.values()
    stored(index, end(index, nobody, fact.id, at(3)))
    assert again(index, world) == []
    assert [f.invalid_at for f in index.facts.values()] == [at(3)]


def test_a_paraphrase_of_what_was_ended_waits_unless_it_is_newer():
    index = learn([said(1, USES, entities=REDIS)])
    (fact,) = index.facts.values()
    stored(index, end(index, nobody, fact.id, at(4)))
    words = ("Hermes", "uses", "Redis", "Hermes keeps its queue in Redis.")
    resolve(index, said(2, words, entities=REDIS), nobody)
    waiting = fact_of(index, words[3])
    assert waiting.reason == "ended by a person in other words: uses"
    resolve(index, said(6, words, entities=REDIS), nobody)
    assert fact_of(index, words[3]).reason == ""


def test_what_only_says_the_same_in_other_words_ends_as_well_and_what_says_more_does_not():
    world = [
        said(1, USES, entities=REDIS),
        said(2, ("Hermes", "uses", "Redis", "Hermes still uses Redis."), entities=REDIS),
        said(
            3,
            ("Hermes", "uses", "Redis", "Hermes uses Redis for rate limits and locks."),
            entities=REDIS,
        ),
    ]
    index = learn(world)
    stored(index, end(index, nobody, fact_of(index, USES[3]).id, at(9)))
    assert fact_of(index, "Hermes still uses Redis.").invalid_at == at(9)
    more = fact_of(index, "Hermes uses Redis for rate limits and locks.")
    assert (more.invalid_at, more.reason) == (None, "")
    assert again(index, world) == []


def test_what_has_ended_is_not_ended_again_and_nothing_ends_before_it_begins():
    index = learn([said(2, USES, entities=REDIS)])
    (fact,) = index.facts.values()
    with pytest.raises(MendError, match="scry forget"):
        end(index, nobody, fact.id, at(1))
    stored(index, end(index, nobody, fact.id, at(3)))
    assert not end(index, nobody, fact.id, at(5)).change


def test_a_person_s_end_in_a_slot_stands_beside_what_others_say():
    live = ("Hermes", "status", "=live", "Hermes is live.")
    down = ("Hermes", "status", "=down", "Hermes is down.")
    index = learn([said(1, live)])
    stored(index, end(index, nobody, fact_of(index, live[3]).id, at(3)))
    for number, words in ((5, down), (7, live)):
        resolve(index, said(number, words), nobody)
    found = sorted(index.facts.values(), key=lambda f: f.valid_from)
    assert [(f.value, f.valid_from, f.invalid_at) for f in found] == [
        ("live", at(1), at(3)),
        ("down", at(5), at(7)),
        ("live", at(7), None),
    ]
    assert slug_of("Hermes") == found[0].src
