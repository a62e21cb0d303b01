"""Ollama: what is sent, and that a question it would cut silently is never taken for answered."""

import pytest
from loopback import chat, loopback
from providerwires import WIRES, CountingMeter, good_text, provider
from replycases import chunk_of

from scry.errors import ConfigError, ProviderError, TooLongError
from scry.extract.prompt import SCHEMA, build_prompt
from scry.model import Known
from scry.text import estimate_tokens

WIRE = WIRES["ollama"]
PROMPT = build_prompt(
    chunk_of("We moved Hermes to the mini."), [Known(name="Hermes", type="service")]
)
GOOD = chat(good_text())
STABLE = estimate_tokens(PROMPT.stable)


def _long(tokens: int) -> object:
    return build_prompt(chunk_of("word " * tokens), [])


def test_a_request_is_what_the_documentation_says_and_nothing_else():
    with loopback(GOOD) as server:
        provider(WIRE, server, model="qwen3:4b", api_key="").complete(PROMPT)
    assert server.requests[0][0] == "POST /api/chat HTTP/1.1"
    assert server.bodies() == [
        {
            "think": False,
            "model": "qwen3:4b",
            "messages": [
                {"role": "system", "content": PROMPT.stable},
                {"role": "user", "content": f"{PROMPT.glossary}\n\n{PROMPT.chunk}"},
            ],
            "stream": False,
            "options": {"num_ctx": 16_384},
            "format": SCHEMA,
        }
    ]


def test_options_go_where_the_server_looks_for_them():
    options = {"num_ctx": "8192", "temperature": "0", "keep_alive": "10m", "think": "low"}
    with loopback(GOOD) as server:
        provider(WIRE, server, options=options, max_output_tokens=900).complete(PROMPT)
    (body,) = server.bodies()
    assert body["options"] == {"num_ctx": 8_192, "temperature": 0, "num_predict": 900}
    assert (body["keep_alive"], body["think"]) == ("10m", "low")


@pytest.mark.parametrize("size", ["many", "0", "-1", "1.5", "true"])
def test_a_context_that_is_no_number_is_a_configuration_error(size):
    with pytest.raises(ConfigError, match="num_ctx"):
        provider(WIRE, "http://127.0.0.1:9", options={"num_ctx": size})


def test_without_an_address_the_server_of_this_machine_is_asked():
    made = provider(WIRE, "", api_key="")
    assert made._server._url == "http://127.0.0.1:11434"


def test_a_question_that_does_not_fit_is_not_sent():
    size = STABLE + 4_000
    with loopback(GOOD) as server:
        meter = CountingMeter()
        asked = provider(WIRE, server, options={"num_ctx": size}, meter=meter)
        with pytest.raises(TooLongError, match="num_ctx") as caught:
            asked.complete(_long(3_500))
        assert caught.value.kind == "content"
        assert (server.requests, meter.requests) == ([], 0)
        asked.complete(_long(1_500))
        # What is kept free for the answer takes from the question.
        with pytest.raises(TooLongError):
            provider(WIRE, server, options={"num_ctx": size}, max_output_tokens=3_000).complete(
                _long(1_500)
            )
    assert len(server.requests) == 1


def test_a_context_in_which_no_question_fits_is_a_mistake_in_the_configuration():
    with loopback(GOOD) as server, pytest.raises(ProviderError, match="num_ctx") as caught:
        provider(WIRE, server, options={"num_ctx": "1024"}).complete(PROMPT)
    assert caught.value.kind == "permanent"
    assert server.requests == []


@pytest.mark.parametrize(
    "counts",
    [
        {"prompt_eval_count": 16_384},
        {"prompt_eval_count": 16_380},
        {"prompt_eval_count": 20_000},
        {"prompt_eval_count": 16_200, "eval_count": 1},
        {"prompt_eval_count": 16_000, "eval_count": 500},
        {"done_reason": "length"},
        {"done": False},
    ],
    ids=str,
)
def test_a_question_or_an_answer_that_was_cut_is_too_long_and_is_counted(counts):
    meter = CountingMeter()
    with loopback(chat(good_text(), **counts)) as server, pytest.raises(TooLongError):
        provider(WIRE, server, meter=meter).complete(PROMPT)
    assert len(meter.tokens) == 1


def test_a_model_whose_own_context_is_smaller_than_ours_is_noticed():
    with loopback(chat(good_text(), prompt_eval_count=4_096)) as server:
        asked = provider(WIRE, server)
        with pytest.raises(TooLongError, match="4096 tokens"):
            asked.complete(_long(6_000))
        asked.complete(_long(4_096 - STABLE - 100))


def test_a_count_that_leaves_out_what_was_cached_is_no_sign_of_a_cut():
    for read in (0, 12, 500, 5_000):
        with loopback(chat(good_text(), prompt_eval_count=read)) as server:
            assert provider(WIRE, server).complete(_long(6_000)).text == good_text()


def test_thinking_is_not_mentioned_again_to_a_server_that_does_not_know_it():
    refusal = WIRE.refusal('"m" does not support thinking')
    with loopback(refusal, GOOD, GOOD) as server:
        asked = provider(WIRE, server)
        asked.complete(PROMPT)
        asked.complete(PROMPT)
    assert [body.get("think") for body in server.bodies()] == [False, None, None]
    assert all("format" in body for body in server.bodies())
    with loopback(refusal) as server, pytest.raises(ProviderError):
        provider(WIRE, server).complete(PROMPT)
    assert len(server.requests) == 2


def test_a_model_that_is_not_there_is_permanent_and_the_message_says_how_to_fetch_it():
    act = WIRE.refusal("model 'hf.co/x/Y:Q4' not found", 404)
    with loopback(act) as server, pytest.raises(ProviderError) as caught:
        provider(WIRE, server, model="hf.co/x/Y:Q4").complete(PROMPT)
    assert caught.value.kind == "permanent"
    assert "`ollama pull hf.co/x/Y:Q4`" in str(caught.value)
    with loopback(act) as server, pytest.raises(ProviderError) as caught:
        provider(WIRE, server, model="m; rm -rf ~").complete(PROMPT)
    assert "`ollama pull 'm; rm -rf ~'`" in str(caught.value)
