"""The OpenAI wire against a real server on loopback: what is sent, what counts as an answer."""

import json
import logging
from typing import Any

import pytest
from loopback import Loopback, completion, loopback
from replycases import chunk_of, good_reply

from scry.errors import BadReplyError, ConfigError, ProviderError, TooLongError
from scry.extract.model import ModelExtractor
from scry.extract.prompt import build_prompt
from scry.model import Known
from scry.providers import ProviderSpec
from scry.providers.openai import OpenAI

CHUNK = chunk_of("We moved Hermes to the mini.")
PROMPT = build_prompt(CHUNK, [Known(name="Hermes", type="service")])
KEY = "sesame" + "-opens-42"
GOOD = completion(good_reply())


def provider(server: Loopback | str, *, slept: list[float] | None = None, **more: Any) -> OpenAI:
    url = server if isinstance(server, str) else server.url
    values: dict[str, Any] = {
        "id": "fake",
        "type": "openai",
        "base_url": f"{url}/v1",
        "model": "m",
        "timeout_s": 20.0,
    }
    return OpenAI(ProviderSpec(**values | more), sleep=(slept if slept is not None else []).append)


def test_the_stable_part_comes_first_and_the_model_name_is_sent_as_it_is():
    model = "@cf/meta/llama-3.1-8b:free #1"
    with loopback(GOOD) as server:
        reply = provider(server, model=model, options={"temperature": 0, "model": "x"}).complete(
            PROMPT
        )
    (request,) = server.bodies()

    assert server.requests[0][0] == "POST /v1/chat/completions HTTP/1.1"
    assert request["model"] == model
    assert request["temperature"] == 0
    assert request["messages"][0] == {"role": "system", "content": PROMPT.stable}
    assert request["messages"][1]["content"] == f"{PROMPT.glossary}\n\n{PROMPT.chunk}"
    assert (reply.text, reply.tokens_in, reply.tokens_out) == (good_reply(), 100, 20)


# --- the shape of the answer -------------------------------------------------------------------


def refusal(message: str, status: int = 400) -> dict[str, Any]:
    return {"status": status, "body": json.dumps({"error": {"message": message}})}


def _mode(body: dict[str, Any]) -> str:
    if "tools" in body:
        return "tool"
    return str(body.get("response_format", {}).get("type", "prompt"))


def test_auto_steps_down_on_a_400_that_names_the_field_and_remembers():
    script = (
        refusal("This response_format type is unavailable now"),
        refusal("tool_choice 'function' is not supported"),
        GOOD,
        GOOD,
    )
    with loopback(*script) as server:
        asked = provider(server)
        asked.complete(PROMPT)
        asked.complete(PROMPT)
    assert [_mode(body) for body in server.bodies()] == [
        "json_schema",
        "tool",
        "json_object",
        "json_object",
    ]


def test_auto_ends_with_the_prompt_alone_and_then_gives_up():
    with loopback(refusal("schema not supported")) as server, pytest.raises(ProviderError):
        provider(server).complete(PROMPT)
    assert [_mode(body) for body in server.bodies()] == [
        "json_schema",
        "tool",
        "json_object",
        "prompt",
    ]


def test_a_mode_that_was_chosen_is_kept():
    with loopback(refusal("response_format is unknown")) as server, pytest.raises(ProviderError):
        provider(server, structured="json_object").complete(PROMPT)
    assert len(server.requests) == 1


def _call(name: str, arguments: object) -> dict[str, Any]:
    calls = [{"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    return completion(None, message=message, finish_reason="tool_calls")


def test_the_arguments_of_the_tool_that_we_forced_are_the_answer():
    with loopback(_call("remember", good_reply())) as server:
        assert provider(server, structured="tool").complete(PROMPT).text == good_reply()
    (body,) = server.bodies()
    assert body["tool_choice"]["function"]["name"] == body["tools"][0]["function"]["name"]


@pytest.mark.parametrize(
    ("mode", "name"), [("tool", "run_shell"), ("json_schema", "remember"), ("prompt", "remember")]
)
def test_a_tool_call_that_we_did_not_force_is_no_answer(mode, name):
    with loopback(_call(name, good_reply())) as server, pytest.raises(BadReplyError):
        provider(server, structured=mode).complete(PROMPT)


@pytest.mark.parametrize(
    "message",
    [
        {"content": None},
        {"content": ""},
        {"content": " \n"},
        {"content": []},
        {"content": None, "reasoning_content": "{}"},
        {"content": "", "reasoning": "thinking ..."},
        {"content": [{"type": "thinking", "thinking": "{}"}]},
        {"content": None, "refusal": "I cannot."},
        {"content": 7},
    ],
    ids=str,
)
def test_a_message_without_text_is_no_answer_and_is_not_asked_for_again(message):
    act = completion(None, message=message)
    with loopback(act) as server, pytest.raises(BadReplyError) as caught:
        ModelExtractor(provider(server)).extract(CHUNK, [])
    assert caught.value.kind == "content"
    assert len(server.requests) == 1


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_an_answer_that_was_cut_or_filtered_is_none_even_if_it_parses(reason):
    act = completion(good_reply(), finish_reason=reason)
    with loopback(act) as server, pytest.raises(BadReplyError):
        provider(server).complete(PROMPT)


@pytest.mark.parametrize(
    "body", ["{}", '{"choices": []}', '{"choices": [{}]}', '{"choices": null}', '{"choices": [7]}']
)
def test_an_answer_of_another_shape_is_none(body):
    with loopback({"body": body}) as server, pytest.raises(BadReplyError):
        provider(server).complete(PROMPT)


def test_an_error_with_a_good_status_is_an_error():
    with (
        loopback(
            {"body": json.dumps({"error": {"message": "upstream is down", "code": 502}})}
        ) as server,
        pytest.raises(ProviderError, match="upstream is down"),
    ):
        provider(server).complete(PROMPT)


# --- the limit of an answer ---------------------------------------------------------------------


def test_the_limit_of_an_answer_is_sent_only_when_it_is_configured():
    with loopback(GOOD) as server:
        provider(server).complete(PROMPT)
        provider(server, max_output_tokens=4_000).complete(PROMPT)
        provider(server, options={"max_tokens": "9"}).complete(PROMPT)
    assert [body.get("max_tokens") for body in server.bodies()] == [None, 4_000, 9]


def test_a_server_that_wants_the_limit_named_otherwise_gets_it_so_from_then_on():
    said = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    with loopback(refusal(said), GOOD, GOOD) as server:
        asked = provider(server, max_output_tokens=4_000)
        asked.complete(PROMPT)
        asked.complete(PROMPT)
    limits = [
        (body.get("max_tokens"), body.get("max_completion_tokens")) for body in server.bodies()
    ]
    assert limits == [(4_000, None), (None, 4_000), (None, 4_000)]
    assert {_mode(body) for body in server.bodies()} == {"json_schema"}


def test_a_limit_that_is_refused_under_either_name_is_not_asked_for_again_and_again():
    said = "use max_completion_tokens, not max_tokens"
    with loopback(refusal(said)) as server, pytest.raises(ProviderError):
        provider(server, max_output_tokens=4_000).complete(PROMPT)
    assert len(server.requests) == 2
    with loopback(refusal(said)) as server, pytest.raises(ProviderError):
        provider(server).complete(PROMPT)
    assert len(server.requests) == 1


@pytest.mark.parametrize("message", [{"content": ""}, {"content": None, "reasoning": "hm"}])
def test_an_answer_that_was_used_up_by_thinking_is_too_long(message):
    act = completion(None, message=message, finish_reason="length")
    with loopback(act) as server, pytest.raises(TooLongError):
        provider(server).complete(PROMPT)


# --- keys ---------------------------------------------------------------------------------------


def test_the_key_is_sent_and_appears_nowhere_else(monkeypatch, caplog, capsys):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("FAKE_KEY", KEY)
    said = {"error": {"message": f"Incorrect API key provided: {KEY}. Bearer {KEY}"}}
    with loopback({"status": 401, "body": json.dumps(said)}) as server:
        asked = provider(server, api_key="env:FAKE_KEY")
        with pytest.raises(ProviderError) as caught:
            asked.complete(PROMPT)
    assert server.requests[0][1]["authorization"] == f"Bearer {KEY}"
    assert caught.value.kind == "permanent"
    assert (
        KEY
        not in f"{caught.value!r}{caught.value}{vars(caught.value)}{caplog.text}{capsys.readouterr()}"
    )
    assert caught.value.__cause__ is None


def test_a_key_that_is_not_there_fails_before_anything_is_sent(monkeypatch):
    monkeypatch.delenv("FAKE_KEY", raising=False)
    with (
        loopback(GOOD) as server,
        pytest.raises(ProviderError, match="FAKE_KEY is not set") as caught,
    ):
        provider(server, api_key="env:FAKE_KEY").complete(PROMPT)
    assert caught.value.kind == "permanent"
    assert server.requests == []


def test_a_netrc_or_a_proxy_never_touches_a_model_on_this_machine(tmp_path, monkeypatch):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login jane password swordfish")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with loopback(GOOD) as server:
        provider(server).complete(PROMPT)
    assert "authorization" not in server.requests[0][1]


@pytest.mark.parametrize(
    "more",
    [{"model": ""}, {"base_url": ""}, {"structured": "xml"}, {"base_url": "http://models.example/v1"},
     {"base_url": "https://jane:pw@models.example"}, {"base_url": "file:///etc/passwd"}, {"base_url": "http://169.254.169.254/v1"},
     {"base_url": "https://169.254.169.254/"}, {"base_url": "http://127.0.0.1.evil.example/"}, {"base_url": "https://[::1"}],
    ids=str,
)  # fmt: skip
def test_an_entry_that_cannot_work_is_a_configuration_error(more):
    with pytest.raises(ConfigError, match="'fake"):
        provider("https://models.example", **more)
