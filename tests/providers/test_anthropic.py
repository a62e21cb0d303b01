"""Messages: what is sent byte for byte, the cache, and the tool that is forced."""

import json

import pytest
from loopback import loopback, message
from providerwires import KEY, WIRES, CountingMeter, good_text, provider
from replycases import chunk_of

from scry.errors import BadReplyError, ProviderError, TooLongError
from scry.extract.prompt import SCHEMA, build_prompt
from scry.model import Known

WIRE = WIRES["anthropic"]
CHUNK = chunk_of("We moved Hermes to the mini.")
PROMPT = build_prompt(CHUNK, [Known(name="Hermes", type="service")], "It was no JSON.")
GOOD = message(good_text())


def _call(name: str, arguments: object, *more: object) -> dict:
    return message(
        {"type": "thinking", "thinking": "hm"},
        {"type": "tool_use", "id": "t", "name": name, "input": arguments},
        *more,
        stop_reason="tool_use",
    )


def test_a_request_is_what_the_documentation_says_and_nothing_else():
    with loopback(GOOD) as server:
        provider(WIRE, server, model="claude-x").complete(PROMPT)
    ((line, headers, _),) = server.requests
    (body,) = server.bodies()
    assert line == "POST /v1/messages HTTP/1.1"
    assert headers["x-api-key"] == KEY
    assert headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in headers
    assert "anthropic-beta" not in headers
    assert body == {
        "model": "claude-x",
        "max_tokens": 8_192,
        "system": [{"type": "text", "text": PROMPT.stable, "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": PROMPT.glossary},
                    {"type": "text", "text": PROMPT.chunk},
                    {"type": "text", "text": PROMPT.correction},
                ],
            }
        ],
        "stream": False,
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
    }


def test_what_stands_before_the_mark_of_the_cache_is_the_same_in_every_request():
    other = build_prompt(chunk_of("Iris has a cache now."), [])
    for mode in WIRE.modes:
        with loopback(GOOD) as server:
            asked = provider(WIRE, server, structured=mode)
            for prompt in (PROMPT, other):
                asked.complete(prompt)
        first, second = server.bodies()
        differs = {key for key in first if first[key] != second[key]}
        assert differs == {"messages"}


def test_an_empty_part_of_the_question_is_no_block():
    with loopback(GOOD) as server:
        provider(WIRE, server).complete(build_prompt(CHUNK, []))
    assert len(server.bodies()[0]["messages"][0]["content"]) == 1


def test_options_are_passed_on_and_the_limit_of_an_answer_is_the_configured_one():
    options = {"temperature": "0", "output_config": {"effort": "low"}, "max_tokens": "99"}
    with loopback(GOOD) as server:
        provider(WIRE, server, options=options).complete(PROMPT)
        provider(WIRE, server, options=options, max_output_tokens=4_000).complete(PROMPT)
    first, second = server.bodies()
    assert first["temperature"] == 0
    assert first["output_config"]["effort"] == "low"
    assert first["output_config"]["format"]["type"] == "json_schema"
    assert (first["max_tokens"], second["max_tokens"]) == (99, 4_000)


def test_the_input_of_the_tool_that_we_forced_is_the_answer():
    with loopback(_call("remember", json.loads(good_text()))) as server:
        reply = provider(WIRE, server, structured="tool").complete(PROMPT)
    assert json.loads(reply.text) == json.loads(good_text())
    (body,) = server.bodies()
    assert body["tool_choice"] == {"type": "tool", "name": body["tools"][0]["name"]}
    assert body["tools"][0]["input_schema"] == SCHEMA
    assert "output_config" not in body


@pytest.mark.parametrize(
    ("mode", "act"),
    [
        ("tool", _call("run_shell", json.loads(good_text()))),
        ("json_schema", _call("remember", json.loads(good_text()))),
        ("prompt", _call("remember", json.loads(good_text()))),
        (
            "tool",
            _call(
                "remember",
                json.loads(good_text()),
                {"type": "tool_use", "id": "u", "name": "run_shell", "input": {}},
            ),
        ),
    ],
)
def test_a_tool_call_that_we_did_not_force_is_no_answer(mode, act):
    with loopback(act) as server, pytest.raises(BadReplyError):
        provider(WIRE, server, structured=mode).complete(PROMPT)


def test_text_beside_thoughts_and_foreign_calls_is_the_answer():
    act = _call("run_shell", {}, good_text())
    with loopback(act) as server:
        assert provider(WIRE, server).complete(PROMPT).text == good_text()


@pytest.mark.parametrize(
    ("reason", "error"),
    [
        ("max_tokens", TooLongError),
        ("model_context_window_exceeded", TooLongError),
        ("refusal", BadReplyError),
        ("pause_turn", BadReplyError),
    ],
)
def test_an_answer_that_did_not_end_by_itself_is_none_even_if_it_parses(reason, error):
    with loopback(message(good_text(), stop_reason=reason)) as server:
        with pytest.raises(error) as caught:
            provider(WIRE, server).complete(PROMPT)
        assert isinstance(caught.value, TooLongError) == (error is TooLongError)


def test_a_model_with_a_smaller_limit_is_asked_with_its_own():
    said = "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for m"
    meter = CountingMeter()
    with loopback(WIRE.refusal(said), GOOD, GOOD) as server:
        asked = provider(WIRE, server, meter=meter)
        asked.complete(PROMPT)
        asked.complete(PROMPT)
    assert [body["max_tokens"] for body in server.bodies()] == [8_192, 4_096, 4_096]
    assert meter.requests == 3
    with loopback(WIRE.refusal(said)) as server, pytest.raises(ProviderError):
        provider(WIRE, server).complete(PROMPT)
    assert len(server.requests) == 2


def test_a_json_object_is_no_mode_of_this_wire():
    with pytest.raises(Exception, match="json_schema, tool, prompt"):
        provider(WIRE, "https://models.example", structured="json_object")
