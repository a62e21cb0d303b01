"""How a store stands."""

from dataclasses import replace

from make_records import NOW, day, make_entity, make_episode, make_fact, make_index

from scry.config import Link
from scry.model import PENDING, UNDONE, Commit
from scry.status import Spent, status

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
