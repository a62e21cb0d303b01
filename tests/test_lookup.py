"""Looking things up: one thing, or an error that says what is near or who else is called so."""

import pytest
from make_records import NOW, REPO, cite, day, make_entity, make_episode, make_fact, make_index

from scry.errors import Exit, UnknownNameError
from scry.index import handle
from scry.lookup import (
    citing,
    current_project,
    entities,
    episodes,
    facts,
    find_entity,
    find_fact,
    why,
)
from scry.model import UNDONE, Citation, Declared
from scry.statement import declare

HERMES = make_entity("Hermes", aliases=("the bot",))


def test_a_thing_is_found_by_name_alias_and_slug():
    odd = make_entity("C++", "tool")
    index = make_index(HERMES, odd)

    assert find_entity(index, "the bot") == HERMES
    assert find_entity(index, "c++") == odd
    assert find_entity(index, odd.slug) == odd


def test_an_unknown_name_names_what_is_near():
    with pytest.raises(UnknownNameError) as caught:
        find_entity(make_index(HERMES), "Hermse")

    assert caught.value.exit_code == Exit.UNKNOWN_NAME
    assert str(caught.value) == "Nothing is called 'Hermse'. Did you mean Hermes?"


def test_a_contested_name_says_which_things_bear_it():
    one, two = make_entity("Iris", aliases=("gw",)), make_entity("Juno", "tool", aliases=("gw",))

    with pytest.raises(UnknownNameError) as caught:
        find_entity(make_index(one, two), "gw")

    assert str(caught.value) == (
        "More than one thing is called 'gw': Iris (service, `iris`), Juno (tool, `juno`). "
        "Use one of these names."
    )


def test_entities_are_listed_by_type_and_without_those_that_were_merged():
    mini = make_entity("Mac mini", "machine")
    merged = make_entity("mini", "machine", merged_into="mac-mini")
    index = make_index(HERMES, mini, merged)

    assert entities(index) == [HERMES, mini]
    assert entities(index, "machine") == [mini]


def test_facts_are_listed_newest_first_and_ended_ones_on_request_at_the_end():
    old = make_fact("Hermes", value="old", valid_from=day(0))
    new = make_fact("Hermes", value="new", valid_from=day(2))
    gone = make_fact("Hermes", value="gone", valid_from=day(3), invalid_at=day(4))
    index = make_index(HERMES, old, new, gone)

    assert facts(index, "Hermes", now=NOW) == [new, old]
    assert facts(index, "Hermes", now=NOW, ended=True) == [new, old, gone]
    assert facts(index, "Hermes", now=NOW, as_of=day(3)) == [gone, new, old]


def test_episodes_about_a_thing_cite_declare_or_mention_it_newest_first():
    cited = make_episode(1, at=day(1))
    declaring = make_episode(
        2, at=day(3), declares=(declare(Declared(name="Hermes", type="tool")),)
    )
    mentioning = make_episode(3, at=day(2), mentions=("the bot",))
    undone = make_episode(4, at=day(9), mentions=("Hermes",), extractor=UNDONE)
    other = make_episode(5, at=day(8))
    fact = make_fact("Hermes", value="x", episodes=cite(cited))
    index = make_index(HERMES, cited, declaring, mentioning, undone, other, fact)

    assert episodes(index, "Hermes") == [declaring, mentioning, cited]
    assert episodes(index, "Hermes", limit=1) == [declaring]
    assert citing(index, set()) == []


def test_a_fact_is_found_by_id_beginning_handle_and_file():
    fact = make_fact("Hermes", "runs_on", "Mac mini", id="k3v9m2qqqq")
    twin = make_fact("Hermes", "runs_on", "laptop", id="k3v9zzzzzz")
    waiting = make_fact("Hermes", value="w", id="w2w2w2w2w2", reason="contested")
    index = make_index(HERMES, fact, twin, waiting)

    for ref in (
        "k3v9m2qqqq",
        "k3v9m",
        handle(fact),
        "runs_on--mac-mini--k3v9m2qqqq",
        "facts/he/hermes/runs_on--mac-mini--k3v9m2qqqq.md",
    ):
        assert find_fact(index, ref) == fact
    assert find_fact(index, "w2w2w2") == waiting


@pytest.mark.parametrize("ref", ["k3v9", "k3", "", "zzzzzz", "hermes", "w2w"])
def test_a_reference_to_no_fact_or_to_several_is_an_error(ref):
    index = make_index(
        HERMES,
        make_fact("Hermes", value="a", id="k3v9m2"),
        make_fact("Hermes", value="b", id="k3v9zz"),
        make_fact("Hermes", value="c", id="w2w2w2"),
    )

    with pytest.raises(UnknownNameError):
        find_fact(index, ref)


def test_why_gives_each_citation_with_its_line_the_oldest_first_and_gone_ones_too():
    early, late = make_episode(1, at=day(1)), make_episode(2, at=day(2))
    cited = (Citation("2026-01-01-claude-gone", 3), *cite(late, line=9), *cite(early, line=4))
    fact = make_fact("Hermes", value="x", episodes=cited)

    pieces = why(make_index(HERMES, early, late, fact), fact)

    assert [(p.episode, p.citation.line) for p in pieces] == [(early, 4), (late, 9), (None, 3)]


def test_the_project_of_a_repository_lists_it_or_is_the_one_most_spoken_of_there():
    listed = make_entity("Hermes", "project", repos=(REPO,))
    guest = make_entity("Talos", "project")
    here, there = make_episode(1), make_episode(2, repo="github.com/jane/else")
    about = [make_fact("Talos", value=f"{n}", episodes=cite(here)) for n in range(3)]
    elsewhere = make_fact("Notes", value="x", episodes=cite(there))
    notes = make_entity("Notes", "project")
    records = (guest, notes, here, there, *about, elsewhere)

    assert current_project(make_index(*records, listed), REPO) == listed
    assert current_project(make_index(*records), REPO) == guest
    assert current_project(make_index(*records), "") is None
    assert current_project(make_index(*records), "github.com/jane/nowhere") is None
