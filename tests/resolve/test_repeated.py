"""Where two sessions have to say the same: what one has said waits, whatever the order."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from resolve.worlds import Answer, Claim, Declared, Extraction, differences, episode, worlds

from scry.index import Index
from scry.resolve import resolve
from scry.statement import UNREPEATED
from scry.store.paths import path_of

HERMES = Declared(name="Hermes", type="service")


def learn(world: list[Answer]) -> Index:
    index = Index()
    index.sessions_needed = 2
    seen: dict[str, str] = {}
    for answer in world:
        seen[answer.episode.id] = answer.text
        for record in resolve(index, answer, lambda i: seen.get(i, "")).writes:
            index.put(replace(record, path=path_of(record)))
    return index


def said(number: int, words: str, **more: object) -> Answer:
    claim = Claim(src="Hermes", relation="uses", value="Redis", fact=words, origin="user")
    found = Extraction(extractor="m", summary="s", entities=(HERMES,), claims=(claim,))
    return Answer(replace(episode(number, number), **more), found, "Hermes")


def test_what_one_session_says_waits_until_another_one_says_it_in_whichever_words() -> None:
    first, second = said(1, "Hermes uses Redis."), said(2, "Hermes relies on Redis.")

    alone = learn([first])
    both = learn([first, second])

    assert [f.reason for f in alone.waiting.values()] == [UNREPEATED + "uses"]
    assert not alone.facts
    assert len(both.facts) == 2
    assert not both.waiting


def test_two_parts_of_one_session_are_one_voice() -> None:
    first = said(1, "Hermes uses Redis.", session="s")

    assert not learn([first, said(2, "Hermes uses Redis.", session="s")]).facts


def test_what_a_person_says_needs_nobody_else() -> None:
    (claim,) = said(1, "Hermes uses Redis.").extraction.claims
    answer = said(1, "")
    found = replace(answer.extraction, claims=(replace(claim, origin="person"),))

    assert len(learn([replace(answer, extraction=found)]).facts) == 1


@settings(max_examples=300, deadline=None)
@given(worlds(), st.randoms(use_true_random=False))
def test_the_same_answers_in_any_order_give_the_same_records(world, random):
    shuffled = list(world)
    random.shuffle(shuffled)
    assert differences(learn(world), learn(shuffled)) == []
