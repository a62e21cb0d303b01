"""generateContent: what is sent, the name in the path, and the many ways in which it says no."""

import json
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import generated, loopback
from providerwires import KEY, WIRES, good_text, provider
from replycases import chunk_of

from scry.errors import BadReplyError, ProviderError, TooLongError
from scry.extract.prompt import SCHEMA, build_prompt
from scry.model import Known
from scry.providers.gemini import quoted

WIRE = WIRES["gemini"]
PROMPT = build_prompt(
    chunk_of("We moved Hermes to the mini."), [Known(name="Hermes", type="service")]
)
GOOD = generated(good_text())


def test_a_request_is_what_the_documentation_says_and_nothing_else():
    with loopback(GOOD) as server:
        provider(WIRE, server, model="gemini-x", max_output_tokens=900).complete(PROMPT)
    ((line, headers, _),) = server.requests
    assert line == "POST /v1beta/models/gemini-x:generateContent HTTP/1.1"
    assert headers["x-goog-api-key"] == KEY
    assert server.bodies() == [
        {
            "systemInstruction": {"parts": [{"text": PROMPT.stable}]},
            "contents": [
                {"role": "user", "parts": [{"text": PROMPT.glossary}, {"text": PROMPT.chunk}]}
            ],
            "generationConfig": {
                "maxOutputTokens": 900,
                "responseMimeType": "application/json",
                "responseJsonSchema": SCHEMA,
            },
        }
    ]


def test_options_go_where_the_server_looks_for_them():
    options = {
        "temperature": "0",
        "generationConfig": {"thinkingConfig": {"thinkingBudget": "0"}},
        "safetySettings": [{"category": "X", "threshold": "OFF"}],
    }
    with loopback(GOOD) as server:
        provider(WIRE, server, options=options, structured="prompt").complete(PROMPT)
    (body,) = server.bodies()
    assert body["generationConfig"] == {"temperature": 0, "thinkingConfig": {"thinkingBudget": 0}}
    assert body["safetySettings"] == [{"category": "X", "threshold": "OFF"}]


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_the_name_of_a_model_can_be_read_back_from_the_path(model):
    path = quoted(model)
    assert unquote(path) == model
    assert path.isascii()
    assert not any(folder in (".", "..") for folder in path.split("/"))


def test_parts_that_are_thoughts_are_no_answer():
    act = generated({"text": "hm {}", "thought": True}, good_text()[:9], good_text()[9:])
    with loopback(act) as server:
        assert provider(WIRE, server).complete(PROMPT).text == good_text()


@pytest.mark.parametrize(
    "reason",
    ["SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "LANGUAGE", "OTHER", "MALFORMED_FUNCTION_CALL", "SOMETHING_NEW"],
)  # fmt: skip
def test_an_answer_that_did_not_end_by_itself_is_none_even_if_it_parses(reason):
    act = generated(good_text(), finishReason=reason)
    with loopback(act) as server, pytest.raises(BadReplyError, match=reason) as caught:
        provider(WIRE, server).complete(PROMPT)
    assert not isinstance(caught.value, TooLongError)


@pytest.mark.parametrize("content", [{}, {"role": "model"}, {"parts": None}, None])
def test_an_answer_that_was_used_up_by_thinking_is_too_long(content):
    act = generated(finishReason="MAX_TOKENS", content=content)
    with loopback(act) as server, pytest.raises(TooLongError):
        provider(WIRE, server).complete(PROMPT)


def test_a_question_that_is_not_taken_is_declined():
    body = {
        "promptFeedback": {"blockReason": "SAFETY"},
        "candidates": [],
        "usageMetadata": {"promptTokenCount": 7},
    }
    act = {"body": json.dumps(body)}
    with loopback(act) as server, pytest.raises(BadReplyError, match="SAFETY"):
        provider(WIRE, server).complete(PROMPT)


def test_a_model_that_takes_no_instructions_apart_gets_them_with_the_question():
    refusal = WIRE.refusal("Developer instruction is not enabled for models/gemma-3-27b-it")
    json_mode = WIRE.refusal("JSON mode is not enabled for models/gemma-3-27b-it")
    with loopback(refusal, json_mode, json_mode, GOOD) as server:
        provider(WIRE, server).complete(PROMPT)
    *_, body = server.bodies()
    assert "systemInstruction" not in body
    assert [part["text"] for part in body["contents"][0]["parts"]] == [
        PROMPT.stable,
        PROMPT.glossary,
        PROMPT.chunk,
    ]
    assert WIRE.mode_of(body) == "prompt"
    with loopback(refusal) as server, pytest.raises(ProviderError):
        provider(WIRE, server).complete(PROMPT)
    assert len(server.requests) == 2


@pytest.mark.parametrize(("delay", "requests"), [("3s", 2), ("61s", 1), ("3.5s", 2), ("soon", 1)])
def test_the_wait_that_stands_in_the_details_of_an_error_is_kept_to(delay, requests):
    error = {
        "code": 429,
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure"},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay},
        ],
    }
    slept: list[float] = []
    act = {"status": 429, "body": json.dumps({"error": error})}
    with loopback(act, GOOD) as server:
        asked = provider(WIRE, server, slept=slept)
        if requests == 2:
            asked.complete(PROMPT)
            assert slept == [float(delay[:-1])]
        else:
            with pytest.raises(ProviderError) as caught:
                asked.complete(PROMPT)
            assert caught.value.kind == "quota"
    assert len(server.requests) == requests
