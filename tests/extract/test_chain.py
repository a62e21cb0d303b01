"""A model as an extractor, and a chain of them: who is asked, how often, and what is remembered."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from replycases import cases, chunk_for, chunk_of, good_reply

from scry.errors import (
    BadReplyError,
    ChainExhaustedError,
    ExtractionError,
    ProviderError,
    ScryError,
)
from scry.extract.chain import Chain, Troubles
from scry.extract.find import decode_reply
from scry.extract.model import ModelExtractor
from scry.model import Known, Reply
from scry.providers.canned import Canned

CHUNK = chunk_of("We moved Hermes to the mini.")
START = datetime(2026, 6, 15, 12, tzinfo=UTC)
DOWN = ProviderError("it is down")
SPENT = ProviderError("no credit left", kind="quota")
REFUSED = ProviderError("the key is refused", kind="permanent")
BAD = "I cannot help with that."


class Time:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def chain(*canned: Canned, clock: Time | None = None, state: Troubles | None = None) -> Chain:
    return Chain([ModelExtractor(c) for c in canned], clock=clock or Time(), state=state)


# --- one model ---------------------------------------------------------------------------------


def test_a_bad_answer_is_asked_for_once_more_with_the_reason():
    canned = Canned([Reply(BAD, 10, 1), Reply(good_reply(), 12, 2)], name="a/m")
    extraction = ModelExtractor(canned).extract(CHUNK, [])

    first, second = canned.asked
    assert first.correction == ""
    assert "no complete JSON object" in second.correction
    assert (second.stable, second.chunk, second.schema) == (first.stable, first.chunk, first.schema)
    assert (extraction.extractor, extraction.tokens_in, extraction.tokens_out) == ("a/m", 22, 3)


def test_two_bad_answers_are_enough():
    canned = Canned([BAD])
    with pytest.raises(BadReplyError):
        ModelExtractor(canned).extract(CHUNK, [])
    assert len(canned.asked) == 2


@pytest.mark.parametrize("error", [DOWN, SPENT, REFUSED, BadReplyError("it said nothing")], ids=str)
def test_a_provider_that_failed_by_itself_is_not_asked_again(error):
    canned = Canned([error])
    with pytest.raises(ExtractionError) as caught:
        ModelExtractor(canned).extract(CHUNK, [])
    assert caught.value is error
    assert len(canned.asked) == 1


def test_an_answer_is_read_against_the_chunk_that_it_was_asked_for():
    canned = Canned([good_reply()])
    late = chunk_of("Hello.", "Hermes runs on the mini.", first_line=500)
    assert [c.line for c in ModelExtractor(canned).extract(late, []).claims] == [510]
    assert [c.line for c in ModelExtractor(canned).extract(CHUNK, []).claims] == [1]
    assert [late.text in prompt.chunk for prompt in canned.asked] == [True, False]


def test_when_the_redactor_fails_nothing_is_sent_and_nothing_is_kept(monkeypatch):
    def gives_up(text: str) -> str:
        raise ScryError("Redaction failed.")

    canned = Canned([good_reply()])
    with monkeypatch.context() as patch:
        patch.setattr("scry.extract.prompt.redact", gives_up)
        with pytest.raises(ExtractionError, match="Redaction failed"):
            ModelExtractor(canned).extract(CHUNK, [])
    assert canned.asked == []
    monkeypatch.setattr("scry.extract.clean.redact", gives_up)
    with pytest.raises(BadReplyError, match="Redaction failed"):
        ModelExtractor(canned).extract(CHUNK, [])


# --- a chain -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [c for c in cases(".txt") if c.expect["outcome"] == "fallback"],
    ids=lambda case: case.name,
)
def test_after_a_bad_reply_the_next_extractor_gets_the_same_chunk(case):
    chunk = chunk_for(good_reply().encode())
    try:
        bad = Canned([decode_reply(case.raw)], name="bad/m")
    except BadReplyError as error:
        bad = Canned([error], name="bad/m")
    good = Canned([good_reply()], name="good/m")
    extraction = chain(bad, good).extract(chunk, [])

    assert (extraction.extractor, len(extraction.claims)) == ("good/m", 1)
    assert len(extraction.notes) == 1
    assert extraction.notes[0].startswith("bad/m: ")
    assert {prompt.chunk for prompt in bad.asked} == {prompt.chunk for prompt in good.asked}


def test_when_nobody_answers_the_chain_says_why_one_by_one():
    with pytest.raises(ChainExhaustedError) as caught:
        chain(Canned([DOWN], name="a"), Canned([BAD], name="b")).extract(CHUNK, [])
    assert [name for name, _ in caught.value.failures] == ["a", "b"]
    assert caught.value.failures[0][1] == "it is down"
    with pytest.raises(ChainExhaustedError, match="no extractor is configured"):
        chain().extract(CHUNK, [])


def test_a_chain_of_chains_is_a_chain():
    inner = chain(Canned([DOWN], name="a"), Canned([BAD], name="b"))
    whole = Chain([inner, ModelExtractor(Canned([good_reply()], name="c"))], clock=Time())
    assert whole.name == "a > b > c"
    assert whole.extract(CHUNK, [Known(name="Hermes", type="service")]).extractor == "c"


@pytest.mark.parametrize("error", [SPENT, REFUSED], ids=str)
def test_one_that_will_not_work_is_left_out_for_a_while_and_then_asked_again(error):
    clock, state = Time(), Troubles()
    dead, good = Canned([error], name="dead"), Canned([good_reply()], name="good")
    links = chain(dead, good, clock=clock, state=state)

    notes = [links.extract(CHUNK, []).notes for _ in range(3)]
    assert len(dead.asked) == 1
    assert notes[0] == (f"dead: {error}",)
    assert notes[2] == (f"dead: left out until 2026-06-15T12:15:00Z after: {error}",)

    again = chain(dead, good, clock=clock, state=Troubles(json.loads(json.dumps(state))))
    again.extract(CHUNK, [])
    assert len(dead.asked) == 1
    clock.passes(900)
    again.extract(CHUNK, [])
    assert len(dead.asked) == 2


def test_a_server_that_is_down_is_left_out_after_three_failures_in_a_row():
    clock = Time()
    dead, good = Canned([DOWN], name="dead"), Canned([good_reply()], name="good")
    links = chain(dead, good, clock=clock)
    for _ in range(5):
        links.extract(CHUNK, [])
    assert len(dead.asked) == 3
    clock.passes(901)
    links.extract(CHUNK, [])
    links.extract(CHUNK, [])
    assert len(dead.asked) == 4


def test_an_answer_good_or_bad_ends_the_count_of_failures():
    state = Troubles()
    shaky = Canned([DOWN, DOWN, BAD, BAD, DOWN, DOWN, good_reply()], name="shaky")
    links = chain(shaky, Canned([good_reply()], name="good"), state=state)
    for _ in range(5):
        links.extract(CHUNK, [])
    assert len(shaky.asked) == 6
    assert state["shaky"]["failures"] == 2
    links.extract(CHUNK, [])
    assert state == {}


def test_what_will_never_work_is_asked_once_a_run_however_short_the_cooldown_is():
    clock = Time()
    dead, good = Canned([REFUSED], name="dead"), Canned([good_reply()], name="good")
    links = chain(dead, good, clock=clock)
    for _ in range(4):
        extraction = links.extract(CHUNK, [])
        clock.passes(3_600)
    assert len(dead.asked) == 1
    assert extraction.notes == (f"dead: left out for the rest of this run after: {REFUSED}",)


@pytest.mark.parametrize(
    ("wanted", "rest"), [(5, 900), (7_200, 7_200), (1e12, 86_400), (-4, 900), ("soon", 900)]
)
@pytest.mark.parametrize("kind", ["quota", "transport"])
def test_a_server_is_left_alone_for_as_long_as_it_asks_but_not_for_ever(kind, wanted, rest):
    clock, state = Time(), Troubles()
    error = ProviderError("not now", kind=kind)
    error.retry_after = wanted
    busy, good = Canned([error], name="busy"), Canned([good_reply()], name="good")
    links = chain(busy, good, clock=clock, state=state)
    links.extract(CHUNK, [])
    if kind == "transport" and rest == 900:  # It may be back at once.
        assert state["busy"]["until"] == ""
        return
    clock.passes(rest - 1)
    links.extract(CHUNK, [])
    assert len(busy.asked) == 1
    clock.passes(1)
    links.extract(CHUNK, [])
    assert len(busy.asked) == 2


@pytest.mark.parametrize("spoilt", [{"until": "soon"}, {"until": 7}, {"failures": "many"}, {}])
def test_a_trouble_that_is_spoilt_pauses_nobody(spoilt):
    canned = Canned([DOWN, good_reply()], name="near")
    links = chain(canned, state=Troubles(near=spoilt))
    with pytest.raises(ChainExhaustedError):
        links.extract(CHUNK, [])
    assert links.extract(CHUNK, []).extractor == "near"
