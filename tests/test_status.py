"""How a store stands."""

from dataclasses import replace

from make_records import NOW, cite, day, make_entity, make_episode, make_fact, make_index

from scry.config import Budget, Link
from scry.meter import mark_of
from scry.model import PENDING, UNDONE, Commit
from scry.status import Spent, status
from scry.usage import Count, Remembered

RULES = Link(id="rules", type="rules")
HAIKU = Link(id="haiku", type="openai", base_url="https://api.example.com", model="haiku-4-5")


def _commit(number: int, *trailers: tuple[str, str]) -> Commit:
    return Commit(id=f"c{number}", date=day(number), subject="learn: it", trailers=trailers)


def test_counts_tell_current_from_ended_and_answered_from_waiting() -> None:
    index = make_index(
        make_entity("Hermes"),
        make_entity("the bot", merged_into="hermes"),
        make_fact("Hermes", "uses", "Redis"),
        make_fact("Hermes", "status", value="down", invalid_at=day(2)),
        make_fact("Hermes", "uses", "Kafka", reason="unknown"),
        make_episode(1),
        replace(make_episode(2), extractor=PENDING),
        replace(make_episode(3), extractor=UNDONE),
    )

    found = status(index, [RULES], [], now=NOW)

    assert (found.entities, found.facts, found.current) == (3, 2, 1)
    assert (found.episodes, found.pending, found.undone, found.review) == (3, 1, 1, 1)


def test_an_extractor_is_credited_with_the_episodes_it_really_answered_for() -> None:
    index = make_index(
        replace(make_episode(1), extractor="rules"),
        replace(make_episode(2), extractor="rules"),
        replace(make_episode(3), extractor="old/model"),
    )
    commits = [_commit(4, ("Scry-Extractor", "rules")), _commit(2, ("Scry-Extractor", "rules"))]

    found = status(index, [HAIKU, RULES], commits, now=NOW)

    assert [(a.id, a.answered, a.last) for a in found.chain] == [
        ("haiku", 0, None),
        ("rules", 2, day(4)),
    ]
    assert [(a.name, a.answered) for a in found.before] == [("old/model", 1)]


def test_spend_is_summed_up_by_extractor_from_the_trailers() -> None:
    haiku = ("Scry-Extractor", "haiku/haiku-4-5")
    commits = [
        _commit(1, haiku, ("Scry-Tokens", "4,120 in, 380 out")),
        _commit(2, haiku, ("Scry-Extractor", "rules"), ("Scry-Tokens", "100 in, 20 out")),
        _commit(3, haiku, ("Scry-Tokens", "many")),
    ]

    found = status(make_index(), [HAIKU], commits, now=NOW)

    assert found.spend == {"haiku/haiku-4-5": Spent(tokens_in=4220, tokens_out=400)}


def test_of_two_counts_of_tokens_the_larger_one_is_told() -> None:
    haiku = ("Scry-Extractor", "haiku/haiku-4-5")
    commits = [
        _commit(
            1, haiku, ("Scry-Extractor", "b/m"), ("Scry-Tokens", "haiku/haiku-4-5 9 in, 2 out")
        ),
        _commit(2, haiku, ("Scry-Extractor", "b/m"), ("Scry-Tokens", "40 in, 4 out")),
    ]
    days = {"2026-08-31": {"haiku/haiku-4-5": Count(calls=3, tokens_in=12, tokens_out=1)}}

    found = status(make_index(), [HAIKU], commits, now=NOW, remembered=Remembered(days=days))

    assert found.spend == {
        "b/m + haiku/haiku-4-5": Spent(tokens_in=40, tokens_out=4),
        "haiku/haiku-4-5": Spent(tokens_in=12, tokens_out=2),
    }


def test_an_extractor_s_health_is_what_this_machine_has_seen_of_it() -> None:
    now, name = NOW.replace(year=2026), HAIKU.name
    known = Remembered(
        breakers={
            name: {"until": "2026-08-31T13:00:00Z", "reason": "down", "mark": mark_of(HAIKU)}
        },
        modes={name: {"mode": "tool", "mark": mark_of(HAIKU)}},
        days={
            "2026-08-31": {name: Count(calls=3, answers=1, failed=1, tokens_in=30)},
            "2026-08-25": {name: Count(calls=4, answers=4)},
            "2026-08-24": {name: Count(calls=9)},
        },
    )

    found = status(
        make_index(),
        [HAIKU, RULES],
        [],
        now=now,
        remembered=known,
        budget=Budget(calls_per_day=10, tokens_per_day=20),
    )

    haiku, rules = found.chain
    assert (haiku.today.asked, haiku.today.calls, haiku.week.calls) == (2, 3, 7)
    assert haiku.paused == (now.replace(hour=13), "down")
    assert (haiku.mode, haiku.left) == ("tool", {"calls": 7, "tokens": 0})
    assert (rules.today, rules.paused, rules.left) == (Count(), None, {})


def test_episodes_of_the_rules_wait_only_where_a_model_is_asked_before_them() -> None:
    index = make_index(replace(make_episode(1), extractor="rules"), make_episode(2))

    assert status(index, [HAIKU, RULES], [], now=NOW).by_rules == 1
    assert status(index, [RULES, HAIKU], [], now=NOW).by_rules == 0
    assert status(index, [RULES], [], now=NOW).by_rules == 0


def test_facts_that_hold_are_credited_to_whoever_gave_them() -> None:
    one, two = (
        replace(make_episode(1), extractor=HAIKU.name),
        replace(make_episode(2), extractor="rules"),
    )
    index = make_index(
        one,
        two,
        make_fact("Hermes", "uses", "Redis", episodes=cite(one)),
        make_fact("Hermes", "uses", "Kafka", episodes=(*cite(one), *cite(two))),
        make_fact("Hermes", "status", value="down", invalid_at=day(2), episodes=cite(one)),
    )

    found = status(index, [HAIKU, RULES], [], now=NOW)

    assert [link.facts for link in found.chain] == [2, 1]
