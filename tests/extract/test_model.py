"""A model that is asked in parts: what is cut, what is left out, and how the answers become one."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replycases import chunk_of, good_reply

from scry.errors import BadReplyError, ProviderError, TooLongError
from scry.extract import model
from scry.extract.model import MAX_HALVINGS, ModelExtractor
from scry.extract.parts import MAX_SUMMARY, halves, unite
from scry.extract.prompt import build_prompt
from scry.model import Did, Extraction, Known, Prompt, Reply
from scry.providers.canned import Canned
from scry.text import estimate_tokens

TALK = (
    "We moved Hermes to the mini.",
    "Understood. Hermes runs on the mini now.",
    "Talos keeps its queue in Redis.",
    "Right, Talos uses Redis for that.",
)
CHUNK = chunk_of(*TALK)
TALKED = ("Hermes", "runs_on", "mini", 1)


@pytest.fixture(autouse=True, scope="module")
def _short_records_count_as_long() -> Iterator[None]:
    """Let the few words of these tests be asked about in parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "LONG_RECORD", 0)
        yield


def said(prompt: Prompt) -> list[str]:
    """Return which sentences of the talk a prompt asks about."""
    record = (
        prompt.chunk.split("\n\n", 1)[-1] if "for context only" in prompt.chunk else prompt.chunk
    )
    return [text for text in TALK if text in record]


def reply(*facts: tuple[str, str, str, int], summary: str = "A talk.", aliases: dict | None = None):
    names = list(dict.fromkeys(name for src, _, dst, _ in facts for name in (src, dst)))
    return json.dumps(
        {
            "episode_summary": summary,
            "entities": [
                {
                    "name": name,
                    "type": "service",
                    "description": "",
                    "aliases": (aliases or {}).get(name, []),
                }
                for name in names
            ],
            "facts": [
                {
                    "src": src,
                    "relation": relation,
                    "dst": dst,
                    "fact": f"{src} {relation.replace('_', ' ')} {dst}.",
                    "confidence": 0.9,
                    "turn": line,
                }
                for src, relation, dst, line in facts
            ],
        }
    )


class Short:
    """A provider that takes so many turns at most, and then says what each of them says."""

    name = "short"

    def __init__(self, most: int) -> None:
        self.most = most
        self.asked: list[list[str]] = []

    def complete(self, prompt: Prompt) -> Reply:
        about = said(prompt)
        self.asked.append(about)
        if len(about) > self.most:
            raise TooLongError("the answer was cut off")
        facts = []
        for text in about:
            words = text.rstrip(".").split()
            src = next(word for word in words if word in ("Hermes", "Talos"))
            dst = "mini" if src == "Hermes" else "Redis"
            facts.append((src, "uses", dst, 1 + 10 * TALK.index(text)))
        return Reply(reply(*facts, summary=f"About {len(about)}."), 7, 3)


@pytest.mark.parametrize(("most", "questions"), [(4, 1), (2, 3), (1, 7)])
def test_an_answer_that_was_cut_off_is_asked_for_in_halves_and_gives_the_same_facts(
    most: int, questions: int
):
    short = Short(most)

    found = ModelExtractor(short).extract(CHUNK, [])

    assert len(short.asked) == questions
    answered = [about for about in short.asked if len(about) <= most]
    assert [text for about in answered for text in about] == list(TALK)
    assert {(c.src, c.dst, c.fact) for c in found.claims} == {
        ("Hermes", "mini", "Hermes uses mini."),
        ("Talos", "Redis", "Talos uses Redis."),
    }
    assert {e.name for e in found.entities} == {"Hermes", "mini", "Talos", "Redis"}
    assert (found.tokens_in, found.tokens_out) == (7 * len(answered), 3 * len(answered))


def test_a_fact_from_a_part_has_the_line_and_the_speaker_of_its_own_turn():
    found = ModelExtractor(Short(1)).extract(CHUNK, [])

    assert [(c.line, c.origin) for c in found.claims] == [
        (1, "user"),
        (11, "assistant"),
        (21, "user"),
        (31, "assistant"),
    ]


def test_a_question_that_is_too_long_is_halved_before_anybody_is_asked():
    whole = build_prompt(CHUNK, [])
    limit = estimate_tokens(whole.stable) + estimate_tokens(whole.chunk) - 1
    short = Short(4)

    found = ModelExtractor(short, context_tokens=limit).extract(CHUNK, [])

    assert short.asked == [list(TALK[:2]), list(TALK[2:])]
    assert [claim.src for claim in found.claims] == ["Hermes", "Talos"]


def test_a_question_that_fits_is_asked_whole():
    whole = build_prompt(CHUNK, [])
    limit = estimate_tokens(whole.stable) + estimate_tokens(whole.chunk)

    short = Short(4)
    ModelExtractor(short, context_tokens=limit).extract(CHUNK, [])

    assert short.asked == [list(TALK)]


def test_the_glossary_gives_way_line_by_line_before_the_record_is_cut():
    known = [Known(name=f"thing {n}", type="service") for n in range(40)]
    whole = build_prompt(CHUNK, known)
    bare = estimate_tokens(whole.stable) + estimate_tokens(whole.chunk)
    canned = Canned([good_reply()])

    ModelExtractor(canned, context_tokens=bare + 60).extract(CHUNK, known)
    ModelExtractor(canned, context_tokens=bare + 2).extract(CHUNK, known)

    cut, none = (prompt.glossary for prompt in canned.asked)
    assert whole.glossary.startswith(cut + "\n")
    assert 1 < len(cut.splitlines()) < 41
    assert none == ""
    assert [prompt.chunk for prompt in canned.asked] == [whole.chunk] * 2
    for prompt in canned.asked:
        assert bare + estimate_tokens(prompt.glossary) <= bare + 60


def test_with_a_limit_below_the_instructions_nobody_is_asked_and_it_says_so_for_good():
    canned = Canned([good_reply()])

    with pytest.raises(TooLongError, match="context_tokens") as caught:
        ModelExtractor(canned, context_tokens=50).extract(CHUNK, [])

    assert caught.value.kind == "permanent"
    assert canned.asked == []


def test_what_never_fits_is_given_up_after_a_bounded_number_of_questions():
    canned = Canned([TooLongError("the answer was cut off")])
    endless = chunk_of(*["Hermes is live. " * 400] * 64)

    with pytest.raises(TooLongError) as caught:
        ModelExtractor(canned).extract(endless, [])

    assert caught.value.kind == "content"
    assert len(canned.asked) == MAX_HALVINGS + 1  # The first part's first part ... and no more.


def test_a_part_without_a_usable_answer_leaves_no_answer_at_all():
    half = reply(("Hermes", "uses", "mini", 1))
    bad = Canned([TooLongError("cut off"), half, "I cannot.", "I still cannot."])
    down = Canned([TooLongError("cut off"), half, ProviderError("it is down")])

    with pytest.raises(BadReplyError):
        ModelExtractor(bad).extract(CHUNK, [])
    with pytest.raises(ProviderError):
        ModelExtractor(down).extract(CHUNK, [])


def test_ctrl_c_between_two_parts_leaves_no_answer():
    class Stopped(Short):
        def complete(self, prompt: Prompt) -> Reply:
            if len(self.asked) == 2:
                raise KeyboardInterrupt
            return super().complete(prompt)

    with pytest.raises(KeyboardInterrupt):
        ModelExtractor(Stopped(2)).extract(CHUNK, [])


def test_each_part_has_its_own_second_try_with_the_reason():
    canned = Canned(
        [
            TooLongError("cut off"),
            "What?",
            reply(("Hermes", "uses", "mini", 1)),
            reply(("Talos", "uses", "Redis", 21)),
        ]
    )

    found = ModelExtractor(canned).extract(CHUNK, [])

    assert [bool(prompt.correction) for prompt in canned.asked] == [False, False, True, False]
    assert [claim.src for claim in found.claims] == ["Hermes", "Talos"]


def test_an_answer_cut_off_on_the_second_try_is_asked_for_in_halves_too():
    canned = Canned(
        [
            Reply("What?", 5, 1),
            TooLongError("cut off"),
            Reply(reply(("Hermes", "uses", "mini", 1)), 5, 1),
        ]
    )

    found = ModelExtractor(canned).extract(CHUNK, [])

    assert len(canned.asked) == 4
    assert (found.tokens_in, found.tokens_out) == (15, 3)


# --- cutting ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("first words here. " * 8 + "\n\n", "second words here. " * 8),
        ("first line " * 8 + "\n", "second line " * 8),
        ("One sentence of it stands here for all. " * 4, "Another sentence comes after that. " * 4),
        ("望遠鏡は屋根にある。" * 10, "雨の日には使わない。" * 10),
    ],
)
def test_a_turn_that_is_too_long_is_cut_at_the_best_border_near_its_middle(left: str, right: str):
    chunk = chunk_of(left + right)

    first, second = halves(chunk) or pytest.fail("it was not cut")

    assert first.turns[0].text == left.strip()
    assert second.turns[0].text == right
    assert (first.turns[0].line, second.turns[0].line) == (1, 1)
    assert second.context.startswith("user: ")


@given(st.lists(st.text(min_size=1, max_size=900), min_size=1, max_size=6))
def test_halves_hold_every_word_once_and_in_order(texts: list[str]):
    chunk = chunk_of(*texts)
    parts = halves(chunk)
    if parts is None:
        assert len(texts) == 1
        return
    before = "".join("".join(turn.text for turn in chunk.turns).split())
    after = "".join("".join(turn.text for part in parts for turn in part.turns).split())
    assert before == after
    assert all(part.turns for part in parts)
    lines = [turn.line for part in parts for turn in part.turns]
    assert lines == sorted(lines)


def test_halves_share_what_the_agent_did_between_them():
    did = tuple(Did(at=None, line=line, verb="ran tests", target="pytest") for line in (5, 25))

    first, second = halves(replace(CHUNK, did=did)) or pytest.fail("it was not cut")

    assert ([d.line for d in first.did], [d.line for d in second.did]) == ([5], [25])


# --- uniting ------------------------------------------------------------------------------------


def part(**more: object) -> Extraction:
    return Extraction(**{"extractor": "a/m", "summary": "One.", **more})  # type: ignore[arg-type]


def test_an_alias_that_is_a_name_in_another_part_is_nobody_s():
    talk = Canned(
        [
            TooLongError("cut off"),
            reply(("Hermes", "uses", "mini", 1), aliases={"Hermes": ["Talos", "Hermes gateway"]}),
            reply(("Talos", "uses", "Redis", 21)),
        ]
    )

    found = ModelExtractor(talk).extract(CHUNK, [])

    assert {e.name: e.aliases for e in found.entities}["Hermes"] == ("Hermes gateway",)
    assert any("alias was left out" in reason for reason in found.refused)


def test_summaries_are_joined_and_never_longer_than_one_may_be():
    few = unite([part(summary="One."), part(summary="Two."), part(summary="One.")])
    many = unite([part(summary=f"{n} " + "word " * 150) for n in range(16)])

    assert few.summary == "One. Two."
    assert len(many.summary) <= MAX_SUMMARY
    assert "15 word" in many.summary


def test_what_was_refused_says_in_which_part():
    found = unite([part(refused=("facts[0]: no.",)), part(refused=("facts[0]: no.",))])

    assert found.refused == ("part 1 of 2: facts[0]: no.", "part 2 of 2: facts[0]: no.")


def test_a_short_record_is_never_asked_about_in_parts_after_a_server_has_refused_it():
    canned = Canned([TooLongError("the answer was cut off"), reply(TALKED)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "LONG_RECORD", 1_000)
        with pytest.raises(BadReplyError) as caught:
            ModelExtractor(canned).extract(CHUNK, ())
    assert not isinstance(caught.value, TooLongError)
    assert len(canned.asked) == 1
