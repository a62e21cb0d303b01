"""Recall: what is named comes first, what has ended stays out, and a miss is honest."""

import subprocess
import sys
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from make_records import NOW, REPO, cite, day, make_entity, make_episode, make_fact, make_index

from scry.model import PENDING, UNDONE, ChangeSet
from scry.recall import recall
from scry.statement import declare

HERMES = make_entity(
    "Hermes",
    aliases=("the postman",),
    description="Relays chat messages for the bakery.",
)
TALOS = make_entity("Talos", description="Resizes photos for the museum.")
MINI = make_entity("Mac mini", "machine")
LAPTOP = make_entity("laptop", "machine")
ADA = make_entity("Ada Lovelace", "person", aliases=("Ada",))


def sentences(found):
    return [fact.fact for fact in found.facts]


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Hermes", "hermes", "the Hermes", "postman", "  hermes?  "])
def test_a_name_or_an_alias_alone_gives_the_facts_of_its_thing(name):
    runs = make_fact("Hermes", "runs_on", "Mac mini")
    other = make_fact("Talos", "runs_on", "laptop")

    found = recall(make_index(HERMES, TALOS, MINI, LAPTOP, runs, other), name, now=NOW)

    assert [(e.slug, bool(words)) for e, words in found.entities] == [("hermes", True)]
    assert list(found.facts) == [runs]


def test_facts_are_found_under_the_name_of_what_was_merged():
    old = make_entity("hermes bot", merged_into="hermes")
    runs = make_fact("hermes bot", "runs_on", "Mac mini")

    found = recall(make_index(HERMES, old, MINI, runs), "Hermes", now=NOW)

    assert list(found.facts) == [runs]
    assert recall(make_index(HERMES, old, MINI, runs), "hermes bot", now=NOW).facts == (runs,)


def test_a_contested_alias_shows_all_its_owners():
    one = make_entity("Iris", aliases=("gateway",))
    two = make_entity("Juno", aliases=("gateway",))
    facts = make_fact("Iris", value="a"), make_fact("Juno", value="b")

    for query in ("gateway", "what does the gateway use?"):
        found = recall(make_index(one, two, *facts), query, now=NOW)

        assert {e.slug for e, _ in found.entities} == {"iris", "juno"}
        assert set(found.facts) == set(facts)


@pytest.mark.parametrize(
    "query",
    [
        "what port does hermes3 use?",
        "what port does hermes-east use?",
        "which TCP number do I curl for hermes3-east?",
        "who owns hermes_next?",
        "who is responsible for wombat-hub?",
        "what port does wombat use?",
        "Hermes-v9",
        "hermess",
        "what is the port of Ada Perlman?",
    ],
)
def test_a_name_that_nobody_bears_is_not_answered_with_the_facts_of_a_near_one(query):
    facts = (
        make_fact("Hermes", "located_at", value="8080", fact="Hermes listens on port 8080."),
        make_fact("Talos", "located_at", value="9090", fact="Talos listens on port 9090."),
        make_fact("Ada Lovelace", "owns", "Hermes"),
    )

    found = recall(make_index(HERMES, TALOS, ADA, *facts), query, now=NOW)

    assert found.facts == ()
    assert found.entities == ()


@pytest.mark.parametrize("name", ["hermes3", "hermes-east", "hermess", "Hermse"])
def test_a_miss_names_what_is_near(name):
    index = make_index(HERMES, TALOS, make_fact("Hermes", value="8080"))

    assert "Hermes" in recall(index, f"what port does {name} use?", now=NOW).near
    assert "Hermes" in recall(index, name, now=NOW).near


def test_one_wrong_letter_inside_a_name_is_understood_and_told():
    port = make_fact("Hermes", "located_at", value="8080")

    found = recall(make_index(HERMES, TALOS, port), "what port does hremes use?", now=NOW)

    assert list(found.facts) == [port]
    assert found.near[0] == "Hermes"
    assert [words for _, words in found.entities] == ["hremes"]


def test_a_wrong_letter_that_could_mean_two_names_means_none():
    one, two = make_entity("corona"), make_entity("coroma")
    facts = make_fact("corona", value="a"), make_fact("coroma", value="b")

    assert recall(make_index(one, two, *facts), "port of corola?", now=NOW).facts == ()


def test_the_words_of_a_name_in_another_order_name_it():
    gateway = make_entity("billing gateway")
    uses = make_fact("billing gateway", "uses", "Redis")

    assert recall(make_index(gateway, uses), "gateway billing", now=NOW).facts == (uses,)


def test_a_longer_name_that_holds_the_name_is_another_thing():
    mine = make_fact("Hermes", "uses", "Redis")
    twin = make_fact("Hermes-ops", "uses", "NATS")
    twins = make_entity("Hermes-ops")

    found = recall(make_index(HERMES, twins, mine, twin), "what does Hermes use?", now=NOW)

    assert list(found.facts) == [mine]
    assert recall(make_index(HERMES, twins, mine, twin), "use of hermes-ops", now=NOW).facts == (
        twin,
    )


def test_a_fact_whose_sentence_names_a_thing_concerns_it():
    tool = make_entity("Dex", "tool")
    fact = make_fact("Hermes", "decided", "Keycloak", fact="Hermes chose Keycloak over Dex.")
    other = make_fact("Talos", "decided", "Loki", fact="Talos chose Loki over Graylog.")

    found = recall(make_index(HERMES, TALOS, tool, fact, other), "what spoke against Dex?", now=NOW)

    assert list(found.facts) == [fact]


def test_a_name_with_a_common_tail_is_still_that_name():
    runs = make_fact("Hermes", "runs_on", "Mac mini")

    found = recall(make_index(HERMES, MINI, runs), "is there a hermes-based bot?", now=NOW)

    assert list(found.facts) == [runs]


@pytest.mark.parametrize("question", ["which cache does hermes use?", "a cold cache of hermes"])
def test_a_plain_word_is_not_taken_for_the_thing_that_is_called_so(question):
    cache = make_entity("Cache")
    uses = make_fact("Hermes", "uses", "Redis", qualifier="caching")
    others = [make_fact("Cache", "uses", f"tool{n}", valid_from=day(9)) for n in range(9)]

    found = recall(make_index(HERMES, cache, uses, *others), question, now=NOW)

    assert found.facts[0] == uses
    assert recall(make_index(cache, *others), "what does Cache use?", now=NOW).facts[0] in others


# --- time ----------------------------------------------------------------------------------------


def test_a_fact_that_has_ended_is_recalled_only_for_when_it_held():
    was = make_fact("Hermes", "runs_on", "laptop", invalid_at=day(10))
    now_on = make_fact("Hermes", "runs_on", "Mac mini", valid_from=day(10))
    index = make_index(HERMES, MINI, LAPTOP, was, now_on)

    for query in ("Hermes", "where does Hermes run?"):
        assert recall(index, query, now=NOW).facts == (now_on,)
        assert recall(index, query, now=NOW, as_of=day(9)).facts == (was,)
        assert recall(index, query, now=NOW, as_of=day(10)).facts == (now_on,)
        assert recall(index, query, now=NOW, ended=True).facts == (now_on, was)


@given(
    st.lists(
        st.tuples(st.integers(-20, 20), st.none() | st.integers(1, 20)), min_size=1, max_size=12
    ),
    st.integers(-25, 45),
    st.sampled_from(["Hermes", "what state is Hermes in?", "alpha"]),
)
@settings(max_examples=60, deadline=None)
def test_as_of_shows_exactly_what_held(stretches, at, query):
    facts = [
        make_fact(
            "Hermes",
            "status",
            value=f"alpha {n}",
            valid_from=day(begun),
            invalid_at=None if length is None else day(begun + length),
        )
        for n, (begun, length) in enumerate(stretches)
    ]

    found = recall(make_index(HERMES, *facts), query, now=NOW, as_of=day(at), limit=50)

    assert set(found.facts) == {f for f in facts if f.holds_at(day(at))}


def test_the_newest_of_what_was_never_ended_comes_first():
    facts = [
        make_fact("Hermes", "runs_on", name, valid_from=day(n), fact=f"Hermes runs on {name}.")
        for n, name in enumerate(["laptop", "nas", "Mac mini", "pi"])
    ]

    found = recall(make_index(HERMES, *facts), "which machine hosts hermes?", now=NOW)

    assert list(found.facts) == facts[::-1]


def test_what_was_said_again_later_counts_as_newer():
    april, may, june = (make_episode(n, at=day(n)) for n in (1, 2, 3))
    first = make_fact("Hermes", "runs_on", "laptop", valid_from=day(1), episodes=cite(april, june))
    then = make_fact("Hermes", "runs_on", "nas", valid_from=day(2), episodes=cite(may))

    found = recall(make_index(HERMES, april, may, june, first, then), "where is Hermes?", now=NOW)

    assert list(found.facts) == [first, then]


def test_planned_and_denied_facts_stand_after_asserted_ones():
    planned = make_fact("Hermes", "runs_on", "laptop", stance="planned", valid_from=day(3))
    denied = make_fact("Hermes", "runs_on", "laptop", stance="denied", valid_from=day(2))
    asserted = make_fact("Hermes", "runs_on", "Mac mini", valid_from=day(1))
    index = make_index(HERMES, MINI, LAPTOP, planned, denied, asserted)

    for query in ("Hermes", "where does Hermes run?"):
        assert recall(index, query, now=NOW).facts[0] == asserted
    asked = recall(index, "is there a plan to move Hermes to another machine?", now=NOW)
    assert asked.facts[0] == planned


def test_a_plan_that_fits_the_question_better_still_stands_after_what_is_so():
    planned = make_fact("Hermes", "runs_on", "Mac mini", stance="planned", valid_from=day(3))
    asserted = make_fact("Hermes", "located_at", value="the cellar", valid_from=day(1))

    found = recall(make_index(HERMES, MINI, planned, asserted), "where does Hermes run?", now=NOW)

    assert list(found.facts) == [asserted, planned]


def test_a_denial_answers_a_question_that_names_both_ends():
    others = [make_fact("Hermes", "uses", name) for name in ("Redis", "Postgres", "NATS")]
    denied = make_fact(
        "Hermes", "uses", "Kafka", stance="denied", fact="Hermes does not use Kafka."
    )

    found = recall(make_index(HERMES, *others, denied), "does Hermes use Kafka?", now=NOW)

    assert found.facts[0] == denied


# --- questions -----------------------------------------------------------------------------------


FACTS = {
    "person": make_fact("Ada Lovelace", "owns", "Hermes"),
    "machine": make_fact("Hermes", "runs_on", "Mac mini", qualifier="production"),
    "staging": make_fact("Hermes", "runs_on", "laptop", qualifier="staging", valid_from=day(1)),
    "port": make_fact("Hermes", "located_at", value="8080", fact="Hermes listens on 8080."),
    "url": make_fact("Hermes", "located_at", value="https://hermes.example/"),
    "status": make_fact("Hermes", "status", value="paused"),
    "version": make_fact("Hermes", "uses", value="Python 3.11.4"),
    "commit": make_fact("Hermes", "uses", value="9f3c2ab77d10"),
    "tool": make_fact("Hermes", "uses", "Redis", qualifier="caching"),
    "service": make_fact("Hermes", "depends_on", "Talos"),
    "rule": make_fact("Hermes", "enforces", value="no mocks", fact="No mocks in Hermes."),
    "run": make_fact("Hermes", "tests", value="just dev", qualifier="run"),
    "test": make_fact("Hermes", "tests", value="just check", qualifier="test"),
    "issue": make_fact("Hermes", "has_issue", value="the disk was full"),
    "purpose": make_fact("Hermes", "implements", value="chat"),
    "restore": make_fact("Hermes", "documents", value="stop it, then restore the dump"),
}


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("who looks after hermes?", "person"),
        ("whom do I contact about hermes?", "person"),
        ("on which server is hermes in production?", "machine"),
        ("which host has hermes for staging?", "staging"),
        ("which host has hermes in prod?", "machine"),
        ("port of hermes?", "port"),
        ("under which address do I reach hermes in a browser?", "url"),
        ("is hermes up?", "status"),
        ("how is hermes doing?", "status"),
        ("which version of the runtime does hermes have?", "version"),
        ("at which revision is hermes held?", "commit"),
        ("what does hermes rely on for caching?", "tool"),
        ("which service must be up before hermes?", "service"),
        ("what conventions does hermes follow?", "rule"),
        ("how do I start hermes locally?", "run"),
        ("how do I run the tests of hermes?", "test"),
        ("why did hermes crash?", "issue"),
        ("what is hermes for?", "purpose"),
        ("how do I recover hermes?", "restore"),
    ],
)
def test_a_question_about_a_named_thing_gets_the_kind_of_fact_it_asks_for(question, kind):
    index = make_index(HERMES, TALOS, MINI, LAPTOP, ADA, *FACTS.values())

    assert recall(index, question, now=NOW).facts[0] == FACTS[kind]


def test_what_only_shares_words_does_not_outrank_the_facts_of_what_is_named():
    about = make_fact("Hermes", "located_at", value="8080", fact="Hermes answers on port 8080.")
    loud = [
        make_fact(f"svc{n}", "located_at", value=f"{n}", fact=f"port port port use use {n}")
        for n in range(30)
    ]

    found = recall(make_index(HERMES, about, *loud), "what port does hermes use?", now=NOW)

    assert found.facts[0] == about


def test_a_fact_of_what_is_named_comes_before_one_that_holds_more_of_the_words():
    mine = make_fact("Hermes", "related_to", value="x", fact="Hermes rotates things.")
    other = make_fact("Talos", "related_to", value="y", fact="Rotate vault credentials weekly.")
    index = make_index(HERMES, TALOS, mine, other)

    found = recall(index, "does hermes rotate vault credentials weekly?", now=NOW)

    assert list(found.facts) == [mine, other]


def test_what_shares_a_word_with_a_question_about_something_else_is_not_shown():
    mine = make_fact("Hermes", "related_to", value="x", fact="Hermes rotates vault credentials.")
    other = make_fact("Talos", "related_to", value="y", fact="Talos has credentials.")
    index = make_index(HERMES, TALOS, mine, other)

    found = recall(index, "does hermes rotate vault credentials weekly?", now=NOW)

    assert list(found.facts) == [mine]


def test_the_fact_that_holds_more_of_the_words_comes_first():
    both = make_fact("Talos", "related_to", value="x", fact="The cellar pump is noisy.")
    one = [
        make_fact("Talos", "related_to", value=f"{n}", fact=f"The pump {n}.", valid_from=day(5))
        for n in range(3)
    ]

    found = recall(make_index(TALOS, both, *one), "noisy cellar pump", now=NOW)

    assert found.facts[0] == both


def test_a_thing_without_any_fact_is_found_by_its_description():
    found = recall(make_index(HERMES, TALOS), "messages for the bakery", now=NOW)

    assert [(e.slug, words) for e, words in found.entities] == [("hermes", "")]


def test_a_thing_that_is_described_and_not_named_is_found_by_its_description():
    facts = [
        make_fact("Hermes", "runs_on", "Mac mini"),
        make_fact("Talos", "runs_on", "laptop"),
        make_fact("Hermes", "uses", "Redis"),
    ]

    found = recall(
        make_index(HERMES, TALOS, MINI, LAPTOP, *facts),
        "which machine hosts the thing that passes on messages for the bakery?",
        now=NOW,
    )

    assert found.facts[0] == facts[0]


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("The parser is pinned to 3.1.4 for now.", "what is at 3.1.4?"),
        ("Backups go to /srv/backups/nightly.tar.", "what goes to /srv/backups?"),
        ("It calls parseHeaderLine twice.", "header parse"),
        ("Approvals are needed twice.", "approval"),
        ("数据库迁移到新的主机上。", "数据库迁移"),
    ],
)
def test_text_is_found_whole_and_in_parts(words, asked):
    told = make_fact("Talos", "related_to", value="x", fact=words)
    other = make_fact("Talos", "related_to", value="y", fact="Nothing of the kind 13.1.40.")

    found = recall(make_index(TALOS, told, other), asked, now=NOW)

    assert found.facts[0] == told


def test_a_question_whose_words_occur_nowhere_finds_nothing():
    index = make_index(HERMES, make_fact("Hermes", "uses", "Redis"))

    found = recall(index, "which zebra ate the marmalade?", now=NOW)

    assert not found


# --- this project --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    ["how do I start this project?", "how do I run the repo I'm in?", "how do I start it here?"],
)
def test_this_project_is_the_one_that_the_asker_stands_in(question):
    mine = make_entity("Hermes", "project", repos=(REPO,))
    theirs = make_entity("Talos", "project", repos=("github.com/jane/talos",))
    runs = [
        make_fact(name, "tests", value=f"just {name}", qualifier="run")
        for name in ("Hermes", "Talos")
    ]

    index = make_index(mine, theirs, *runs)

    assert recall(index, question, now=NOW, repo=REPO).facts == (runs[0],)
    talos = recall(index, question, now=NOW, repo="github.com/jane/talos")
    assert talos.facts == (runs[1],)


def test_this_project_is_meant_also_when_the_question_shares_words_with_others():
    mine = make_entity("Hermes", "project", repos=(REPO,))
    run = make_fact("Hermes", "tests", value="just dev", qualifier="run")
    other = make_fact(
        "Talos", "tests", value="just cellar", qualifier="run", fact="Start Talos in the cellar."
    )
    index = make_index(mine, TALOS, run, other)

    found = recall(index, "how do I start this repository in the cellar?", now=NOW, repo=REPO)

    assert found.facts[0] == run


def test_a_project_that_lists_no_repository_is_known_by_its_episodes():
    project = make_entity("Notes", "project")
    episode = make_episode()
    fact = make_fact("Notes", "tests", value="just dev", qualifier="run", episodes=cite(episode))

    found = recall(
        make_index(project, episode, fact), "how do I run this project?", now=NOW, repo=REPO
    )

    assert found.facts == (fact,)


# --- episodes, review, limits --------------------------------------------------------------------


def test_an_undone_episode_is_not_recalled():
    index = make_index(make_episode(summary="We discussed marmalade.", extractor=UNDONE))

    assert not recall(index, "marmalade", now=NOW)


def test_the_summary_of_an_episode_is_searched():
    episode = make_episode(summary="We discussed marmalade.")

    assert recall(make_index(episode), "was marmalade discussed?", now=NOW).episodes == (episode,)


def test_the_evidence_of_an_unanswered_episode_is_searched_and_counted_as_pending():
    waiting = make_episode(extractor=PENDING, summary="")
    texts = {waiting.id: "[3] user: the marmalade is in the cellar"}

    found = recall(
        make_index(waiting), "where is the marmalade?", now=NOW, evidence=lambda i: texts[i]
    )

    assert found.episodes == (waiting,)
    assert found.pending == 1


def test_the_evidence_of_other_episodes_is_searched_when_nothing_else_answers():
    episode = make_episode(summary="Small talk.")

    found = recall(
        make_index(episode), "marmalade", now=NOW, evidence=lambda _: "the marmalade is gone"
    )

    assert found.episodes == (episode,)


def test_an_episode_from_after_the_moment_in_question_is_left_out():
    early, late = make_episode(1, at=day(1)), make_episode(2, at=day(5))
    fact = make_fact("Hermes", value="x", episodes=cite(early, late))

    found = recall(make_index(HERMES, early, late, fact), "Hermes", now=NOW, as_of=day(2))

    assert found.episodes == (early,)


@given(st.lists(st.sampled_from("hermes runs on mini talos uses redis the".split()), min_size=1))
@settings(max_examples=40, deadline=None)
def test_what_waits_for_a_person_is_never_recalled(words):
    waiting = [
        make_fact("Hermes", "runs_on", "Mac mini", reason="addresses the agent"),
        make_fact("Talos", "uses", "Redis", reason="contested"),
    ]
    shown = make_fact("Hermes", "uses", "Redis")

    found = recall(make_index(HERMES, TALOS, MINI, *waiting, shown), " ".join(words), now=NOW)

    assert set(found.facts) <= {shown}


@given(st.text(max_size=80))
@settings(max_examples=80, deadline=None)
def test_no_query_makes_recall_fail(query):
    fact = make_fact("Hermes", "uses", "Redis", fact='Hermes uses "Redis" AND NOT (x*) ^y:z')

    recall(make_index(HERMES, make_episode(), fact), query, now=NOW, repo=REPO)


def test_what_did_not_fit_is_told():
    facts = [make_fact("Hermes", value=f"{n}") for n in range(30)]
    index = make_index(HERMES, *facts)

    assert recall(index, "Hermes", now=NOW).truncated
    assert len(recall(index, "Hermes", now=NOW, limit=7).facts) == 7
    assert not recall(index, "Hermes", now=NOW, limit=30).truncated


def test_a_hundred_facts_of_one_kind_do_not_hide_the_others():
    many = [make_fact("Hermes", "calls", f"svc{n}", valid_from=day(n)) for n in range(100)]
    lone = make_fact("Hermes", "status", value="paused", valid_from=day(-5))

    assert lone in recall(make_index(HERMES, *many, lone), "Hermes", now=NOW).facts


def test_a_change_of_the_index_is_seen_by_the_next_recall():
    index = make_index(HERMES, make_fact("Hermes", value="apples"))
    assert recall(index, "pears anywhere", now=NOW).facts == ()

    pears = make_fact("Hermes", value="pears")
    index.absorb(ChangeSet(subject="learn: pears", writes=(pears,)))

    assert recall(index, "pears anywhere", now=NOW).facts == (pears,)
    ended = replace(pears, invalid_at=NOW - timedelta(days=1))
    index.absorb(ChangeSet(subject="end: pears", writes=(ended,)))
    assert recall(index, "pears anywhere", now=NOW).facts == ()


def test_a_name_that_is_only_declared_is_found_by_its_episodes():
    from scry.model import Declared

    episode = make_episode(
        declares=(declare(Declared(name="Loki", type="tool")),), mentions=("Loki",)
    )

    assert recall(make_index(episode), "what about Loki?", now=NOW).episodes == (episode,)


def test_importing_recall_loads_neither_sqlite_nor_rapidfuzz():
    code = "import sys, scry.recall; print({'sqlite3', 'rapidfuzz'} & set(sys.modules))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"
