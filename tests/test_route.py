"""The shortest chain of facts between two things."""

from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from make_records import NOW, day, make_entity, make_fact, make_index

from scry.errors import UnknownNameError
from scry.route import path


def chain(*names, **more):
    return [make_fact(a, "uses", b, **more) for a, b in pairwise(names)]


def test_the_shortest_chain_is_taken_in_both_directions_of_a_fact():
    long = chain("a", "b", "c", "d")
    short = [make_fact("d", "part_of", "x"), make_fact("a", "owns", "x")]
    index = make_index(*long, *short)

    assert path(index, "a", "d", now=NOW) == [short[1], short[0]]
    assert path(index, "d", "a", now=NOW) == short


def test_only_what_holds_is_asserted_and_joins_two_things_counts():
    index = make_index(
        make_fact("a", "uses", "b", invalid_at=day(5)),
        make_fact("a", "uses", "b", stance="planned"),
        make_fact("a", "uses", "b", stance="denied"),
        make_fact("a", "uses", "b", reason="waits"),
        make_fact("a", "uses", value="b"),
    )

    assert path(index, "a", "b", now=NOW) is None
    then = path(index, "a", "b", now=NOW, as_of=day(4))
    assert then is not None
    assert [f.invalid_at for f in then] == [day(5)]


def test_of_equal_chains_the_one_around_the_hub_is_taken():
    hub = [make_fact(f"s{n}", "uses", "postgres") for n in range(9)]
    through_hub = [make_fact("a", "uses", "postgres"), make_fact("b", "uses", "postgres")]
    quiet = [make_fact("a", "uses", "zeta"), make_fact("b", "uses", "zeta")]

    assert path(make_index(*hub, *through_hub, *quiet), "a", "b", now=NOW) == quiet


def test_of_several_facts_between_two_things_the_newest_is_shown():
    old = make_fact("a", "uses", "b", valid_from=day(1))
    new = make_fact("a", "calls", "b", valid_from=day(2))

    assert path(make_index(old, new), "a", "b", now=NOW) == [new]


def test_a_chain_goes_by_the_place_where_a_thing_is_now():
    moved = [
        make_fact("bot", "runs_on", "laptop", valid_from=day(1)),
        make_fact("bot", "runs_on", "mini", valid_from=day(5)),
        make_fact("hub", "runs_on", "laptop", valid_from=day(1)),
        make_fact("mini", "part_of", "rack", valid_from=day(1)),
        make_fact("hub", "uses", "rack", valid_from=day(1)),
    ]
    index = make_index(*moved)

    assert path(index, "bot", "hub", now=NOW) == [moved[1], moved[3], moved[4]]
    assert path(index, "bot", "hub", now=NOW, as_of=day(4)) == [moved[0], moved[2]]


def test_an_older_place_is_gone_by_where_there_is_no_other_way():
    moved = [
        make_fact("bot", "runs_on", "laptop", valid_from=day(1)),
        make_fact("bot", "runs_on", "mini", valid_from=day(5)),
    ]

    assert path(make_index(*moved), "bot", "laptop", now=NOW) == [moved[0]]


@pytest.mark.parametrize("second", [{"qualifier": "staging"}, {"valid_from": day(1)}])
def test_places_that_do_not_outlive_each_other_are_both_gone_by(second):
    first = make_fact("bot", "runs_on", "laptop", valid_from=day(1))
    other = make_fact("bot", "runs_on", "mini", **{"valid_from": day(5)} | second)
    far = make_fact("mini", "part_of", "laptop", valid_from=day(1))

    assert path(make_index(first, other, far), "bot", "laptop", now=NOW) == [first]


def test_of_two_owners_the_newer_one_is_gone_by():
    owners = [
        make_fact("Ann", "owns", "bot", valid_from=day(1)),
        make_fact("Bea", "owns", "bot", valid_from=day(5)),
        make_fact("Ann", "owns", "hub", valid_from=day(1)),
        make_fact("Bea", "uses", "desk"),
        make_fact("hub", "uses", "desk"),
    ]

    assert path(make_index(*owners), "bot", "hub", now=NOW) == [owners[1], owners[3], owners[4]]


def test_merges_are_followed():
    merged = make_entity("old b", merged_into="b")
    facts = [make_fact("a", "uses", "old b"), make_fact("b", "uses", "c")]

    assert path(make_index(merged, make_entity("b"), *facts), "a", "c", now=NOW) == facts


def test_a_thing_is_joined_to_itself_by_an_empty_chain():
    index = make_index(make_entity("b", aliases=("bee",)))

    assert path(index, "b", "bee", now=NOW) == []


def test_a_name_that_leads_nowhere_or_to_several_things_is_an_error():
    index = make_index(make_entity("a", aliases=("x",)), make_entity("b", aliases=("x",)))

    with pytest.raises(UnknownNameError, match="Nothing is called 'zeta'"):
        path(index, "a", "zeta", now=NOW)
    with pytest.raises(UnknownNameError, match=r"More than one thing is called 'x': a .*, b "):
        path(index, "x", "b", now=NOW)


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=16))
@settings(max_examples=80, deadline=None)
def test_the_chain_is_as_short_as_can_be_joined_up_and_the_same_in_any_order(pairs):
    names = [f"n{n}" for n in range(10)]
    facts = [make_fact(names[a], "uses", names[b]) for a, b in pairs if a != b]
    ends = [make_entity(name) for name in names]

    found = path(make_index(*ends, *facts), "n0", "n1", now=NOW)

    assert found == path(make_index(*ends, *reversed(facts)), "n0", "n1", now=NOW)
    assert (None if found is None else len(found)) == _distance(facts)
    at = "n0"
    for fact in found or ():
        assert at in (fact.src, fact.dst)
        at = fact.dst if at == fact.src else fact.src
    assert found is None or at == "n1"


def _distance(facts):
    seen, queue = {"n0": 0}, deque(["n0"])
    while queue:
        at = queue.popleft()
        for fact in facts:
            for near, far in ((fact.src, fact.dst), (fact.dst, fact.src)):
                if near == at and far not in seen:
                    seen[far] = seen[at] + 1
                    queue.append(far)
    return seen.get("n1")
