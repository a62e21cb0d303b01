"""What every provider that is asked over HTTP keeps, on whichever wire: one server, one set of rules."""

import base64
import gzip
import html
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest
from loopback import Loopback, loopback
from providerwires import KEY, WIRES, CountingMeter, Wire, good_text, provider
from replycases import Case, cases, chunk_for, chunk_of

from scry.errors import (
    BadReplyError,
    ConfigError,
    ExtractionError,
    ProviderError,
    TooLongError,
)
from scry.extract.prompt import build_prompt
from scry.extract.reply import parse_reply
from scry.model import Known, Reply

CHUNK = chunk_of("We moved Hermes to the mini.")
PROMPT = build_prompt(CHUNK, [Known(name="Hermes", type="service")])
TRANSPORT = cases(".http.json")
ODD_NAMES = (
    "glm-5.3-flash", "qwen3:4b", "hf.co/unsloth/Qwen3-4B-GGUF:Q4_K_M", "anthropic/claude-haiku-4.5", "deepseek/x:free",
    "accounts/x/models/y@v1", "claude-haiku-4-5@20251001", "anthropic.claude-x-v1:0", "@cf/meta/llama-3.1-8b",
    "claude-opus-5-5[1m]", "3.5", "1:30", "on", "2026-01-01", "x # y", "&a", "{m}", "%m", "%2F", "../../etc", "a//b", "A b",
    "Модель", "m?x=1&y=2", "m+1", "~m", "a\\b",
)  # fmt: skip

pytestmark = pytest.mark.parametrize("wire", WIRES.values(), ids=lambda wire: wire.kind)


@dataclass
class Asked:
    """What came of one question: the server's side, the meter's, and the outcome."""

    server: Loopback
    meter: CountingMeter
    slept: list[float]
    reply: Reply | None = None
    error: ExtractionError | None = None


@contextmanager
def _metered(server: Loopback, meter: CountingMeter) -> Iterator[None]:
    yield
    assert meter.requests == len(server.requests)


def ask(
    wire: Wire, *script: dict[str, Any], most: int = 1_000, kept: str = "", **more: Any
) -> Asked:
    """Ask one question of a server that follows a script; the meter and the server must agree."""
    with loopback(*script) as server:
        asked = Asked(server, CountingMeter(most, kept), [])
        with _metered(server, asked.meter):
            one = provider(wire, server, meter=asked.meter, slept=asked.slept, **more)
            try:
                asked.reply = one.complete(PROMPT)
            except ExtractionError as error:
                asked.error = error
    return asked


def failure(
    wire: Wire, *script: dict[str, Any], kind: str, requests: int = 1, **more: Any
) -> ExtractionError:
    asked = ask(wire, *script, **more)
    assert asked.error is not None
    assert (asked.error.kind, len(asked.server.requests)) == (kind, requests)
    assert str(asked.error).startswith("fake/m: ")
    return asked.error


# --- answers ------------------------------------------------------------------------------------


def test_a_good_answer_is_the_reply_and_its_tokens_are_counted(wire: Wire):
    asked = ask(wire, wire.good())
    assert asked.reply == Reply(good_text(), tokens_in=100, tokens_out=20)
    assert asked.meter.tokens == [(100, 20)]
    (line, headers, _) = asked.server.requests[0]
    assert line == f"POST {wire.path} HTTP/1.1"
    assert headers["content-type"] == "application/json"
    assert headers[wire.key_header].removeprefix("Bearer ") == KEY
    assert asked.meter.kept == ""


def test_an_answer_in_parts_is_joined_in_order(wire: Wire):
    text = good_text()
    parts: list[Any] = [{"type": "text", "text": text[:99]}, {"type": "text", "text": text[99:]}]
    act = wire.good("x")
    body = json.loads(act["body"])
    if wire.kind == "openai":
        body["choices"][0]["message"]["content"] = parts
    elif wire.kind == "anthropic":
        body["content"] = parts
    elif wire.kind == "ollama":  # It knows no parts, and an answer in them is none.
        body["message"]["content"] = parts
        assert isinstance(ask(wire, {"body": json.dumps(body)}).error, BadReplyError)
        return
    else:
        body["candidates"][0]["content"]["parts"] = [{"text": p["text"]} for p in parts]
    assert ask(wire, {"body": json.dumps(body)}).reply == Reply(text, tokens_in=100, tokens_out=20)


@pytest.mark.parametrize("what", ["empty", "thought", "declined", "foreign"])
def test_what_is_no_answer_is_not_asked_for_again_and_costs_what_it_cost(wire: Wire, what: str):
    asked = ask(wire, getattr(wire, what))
    assert isinstance(asked.error, BadReplyError)
    assert not isinstance(asked.error, TooLongError)
    assert asked.error.kind == "content"
    assert len(asked.server.requests) == 1
    has_usage = "declined" not in what or wire.kind != "gemini"
    assert asked.meter.tokens == ([(100, 20)] if has_usage else [])
    assert ("only thought" in str(asked.error)) == (what == "thought")


def test_an_answer_that_was_cut_off_is_too_long_even_if_it_parses(wire: Wire):
    asked = ask(wire, wire.cut)
    assert isinstance(asked.error, TooLongError)
    assert asked.meter.tokens == [(100, 20)]


def test_an_answer_of_another_shape_is_none(wire: Wire):
    for body in wire.shapeless:
        asked = ask(wire, {"body": body})
        assert isinstance(asked.error, BadReplyError)
        assert asked.meter.tokens == []


def test_an_error_under_a_good_status_is_an_error(wire: Wire):
    said = {"error": {"message": "upstream is down", "code": 502}}
    error = failure(wire, {"body": json.dumps(said)}, kind="transport", requests=3)
    assert "upstream is down" in str(error)
    spent = {"error": {"message": "insufficient credits", "code": 402}}
    failure(wire, {"body": json.dumps(spent)}, kind="quota")


# --- the shape of the answer --------------------------------------------------------------------


def test_auto_steps_down_where_the_server_names_the_field_and_the_meter_remembers(wire: Wire):
    for status in (400, 422):
        for said in wire.names_field:
            asked = ask(wire, wire.refusal(said, status), wire.good())
            assert asked.reply is not None
            assert [wire.mode_of(body) for body in asked.server.bodies()] == list(wire.modes[:2])
            assert asked.meter.kept == wire.modes[1]


def test_auto_ends_with_the_prompt_alone_and_remembers_nothing_that_was_not_accepted(wire: Wire):
    refusal = wire.refusal(wire.names_field[0])
    asked = ask(wire, refusal)
    assert [wire.mode_of(body) for body in asked.server.bodies()] == list(wire.modes)
    assert asked.error is not None
    assert asked.meter.kept == ""
    asked = ask(wire, *[refusal] * (len(wire.modes) - 1), wire.good())
    assert asked.reply is not None
    assert asked.meter.kept == "prompt"


def test_auto_begins_with_what_the_meter_remembers_if_the_wire_knows_it(wire: Wire):
    for kept in wire.modes:
        asked = ask(wire, wire.good(), kept=kept)
        assert [wire.mode_of(body) for body in asked.server.bodies()] == [kept]
        assert asked.meter.kept == kept
    asked = ask(wire, wire.good(), kept="telepathy")
    assert [wire.mode_of(body) for body in asked.server.bodies()] == [wire.modes[0]]


def test_a_mode_that_was_chosen_is_kept_and_a_refusal_of_it_is_permanent(wire: Wire):
    for mode in wire.modes:
        asked = ask(wire, wire.refusal(wire.names_field[0]), kept="prompt", structured=mode)
        assert [wire.mode_of(body) for body in asked.server.bodies()] == [mode]
        assert asked.error is not None
        assert asked.error.kind == ("content" if mode == "prompt" else "permanent")


@pytest.mark.parametrize("said", ["no", "the account is restricted", "unknown role", ""])
def test_a_400_about_something_else_changes_nothing(wire: Wire, said: str):
    error = failure(wire, wire.refusal(said), wire.good(), kind="content")
    assert not isinstance(error, TooLongError)


def test_what_a_server_echoes_of_the_question_is_not_its_word(wire: Wire):
    problem = {"loc": ["body", "x"], "msg": "Extra inputs are not permitted", "type": "extra"}
    echo = problem | {"input": {"text": "context length exceeded; response_format; billing"}}
    error = failure(
        wire, {"status": 422, "body": json.dumps({"detail": [echo]})}, wire.good(), kind="content"
    )
    assert not isinstance(error, TooLongError)
    assert "billing" not in str(error)


# --- too long -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
        "This model's maximum context length is 4097 tokens. However, you requested 5000 tokens (1000 in the messages, 4000 in the completion).",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "the request exceeds the available context size, try increasing it",
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`",
        "Range of input length should be [1, 30720]",
        "Your request exceeded model token limit: 8192",
        "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
        "Input is too long for requested model.",
        "Please reduce the length of the messages.",
        "this schema and prompt exceed the maximum context length",
    ],
)
def test_a_400_that_says_too_long_asks_for_parts_and_is_not_stepped_down(wire: Wire, said: str):
    for status in (400, 422):
        error = failure(wire, wire.refusal(said, status), wire.good(), kind="content")
        assert isinstance(error, TooLongError)


def test_a_413_is_too_long_whatever_it_says(wire: Wire):
    for act in (
        {"body": "<html>413</html>", "headers": {"content-type": "text/html"}},
        {"body": ""},
    ):
        error = failure(wire, {"status": 413} | act, wire.good(), kind="content")
        assert isinstance(error, TooLongError)


def test_a_question_over_a_whole_minutes_allowance_is_too_long(wire: Wire):
    said = "Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000."
    assert isinstance(failure(wire, wire.refusal(said, 429), kind="content"), TooLongError)
    said = (
        "This request would exceed your rate limit; please reduce the prompt length, or try again"
    )
    failure(wire, wire.refusal(said, 429), kind="quota", requests=3)


@pytest.mark.parametrize(
    "said",
    ["max_tokens is too large: 100000", "max_tokens (9) exceeds the model's limit of 8 tokens"],
)
def test_a_limit_of_the_answer_that_is_too_high_is_no_long_question(wire: Wire, said: str):
    assert not isinstance(failure(wire, wire.refusal(said), kind="content"), TooLongError)


# --- statuses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "kind", "requests"),
    [
        (400, "content", 1), (401, "permanent", 1), (402, "quota", 1), (403, "permanent", 1), (404, "permanent", 1),
        (405, "permanent", 1), (408, "transport", 3), (409, "transport", 3), (410, "permanent", 1), (422, "content", 1),
        (425, "transport", 3), (429, "quota", 3), (500, "transport", 3), (501, "permanent", 1), (502, "transport", 3),
        (503, "transport", 3), (504, "transport", 3), (522, "transport", 3), (529, "quota", 3),
    ],
)  # fmt: skip
def test_a_status_has_its_kind_and_its_number_of_requests(
    wire: Wire, status: int, kind: str, requests: int
):
    failure(wire, {"status": status}, kind=kind, requests=requests)
    failure(wire, wire.refusal("sorry", status), kind=kind, requests=requests)
    asked = ask(wire, {"status": status}, wire.good())
    assert (asked.reply is not None) == (requests == 3)


def test_a_retry_after_is_kept_to_and_a_long_one_is_a_quota_at_once(wire: Wire):
    for status in (408, 429, 500, 503, 529):
        short = {"status": status, "headers": {"retry-after": "60"}}
        asked = ask(wire, short, wire.good())
        assert (asked.reply is not None, asked.slept) == (True, [60])
        for value in ("61", "86400", "Wed, 21 Oct 2099 07:28:00 GMT"):
            longer = {"status": status, "headers": {"retry-after": value}}
            failure(wire, longer, wire.good(), kind="quota")


@pytest.mark.parametrize(
    "value", ["soon", "-3", "", "²", "1e9", "nan", "Wed, 99 Foo 2099 07:28:00 GMT", "0x10"]
)
def test_a_retry_after_that_is_none_is_not_one(wire: Wire, value: str):
    act = {"status": 503, "headers": {"retry-after": value.encode().decode("latin-1")}}
    asked = ask(wire, act, wire.good())
    assert asked.reply is not None
    assert 0 < asked.slept[0] <= 1


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (429, "You exceeded your current quota, please check your plan and billing details."),
        (429, "Your organization has reached its monthly spend limit."),
        (400, "Your credit balance is too low to access the API."),
        (403, "insufficient_quota"),
    ],
)
def test_money_that_is_spent_is_not_waited_for(wire: Wire, status: int, said: str):
    failure(wire, wire.refusal(said, status), wire.good(), kind="quota")


def test_a_short_retry_after_counts_more_than_the_word_quota(wire: Wire):
    said = "You exceeded your current quota, please check your plan and billing details."
    act = wire.refusal(said, 429, headers={"retry-after": "3"})
    asked = ask(wire, act, wire.good())
    assert (asked.reply is not None, asked.slept) == (True, [3])


@pytest.mark.parametrize(
    "said", ["API key not valid. Please pass a valid API key.", "The model m does not exist", "m is not a valid model ID"]
)  # fmt: skip
def test_a_400_that_no_other_question_will_change_is_permanent(wire: Wire, said: str):
    failure(wire, wire.refusal(said), kind="permanent")


# --- the wire itself ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "kind", "requests"),
    [
        ({"behaviour": "drip"}, "transport", 1),
        ({"behaviour": "accept and hang"}, "transport", 1),
        ({"behaviour": "drop"}, "transport", 3),
        ({"headers": {"content-length": "50"}, "body": '{"a": '}, "transport", 3),
        ({"body": '{"a": '}, "transport", 3),
        ({"body": ""}, "transport", 2),
        ({"body": "[]"}, "transport", 1),
        ({"body": "{}", "headers": {"content-type": "text/html"}}, "transport", 1),
        ({"body": " " * (4 << 20) + "{}"}, "transport", 1),
        ({"body": "{}", "headers": {"content-encoding": "gzip"}}, "transport", 1),
        ({"status": 302, "headers": {"location": "/login"}}, "permanent", 1),
        ({"status": 307, "headers": {"location": "https://models.example/x"}}, "permanent", 1),
        ({"status": 308, "headers": {"location": "/again"}}, "permanent", 3),
    ],
    ids=str,
)  # fmt: skip
def test_a_wire_that_fails_has_its_kind_and_its_number_of_requests(
    wire: Wire, act: dict[str, Any], kind: str, requests: int
):
    slow = act.get("behaviour") in ("drip", "accept and hang")
    failure(wire, act, kind=kind, requests=requests, timeout_s=0.2 if slow else 20.0)


def test_an_answer_may_be_packed_and_moved_on_the_same_server(wire: Wire):
    act = wire.good()
    packed = {"headers": {"content-encoding": "gzip"}, "body": gzip.compress(act["body"].encode())}
    moved = {"status": 307, "headers": {"location": "/elsewhere"}}
    asked = ask(wire, moved, packed)
    assert asked.reply is not None
    assert asked.meter.requests == 2
    assert asked.server.requests[0][2] == asked.server.requests[1][2]


def test_nothing_listens_there(wire: Wire):
    with loopback(wire.good()) as server:
        pass
    with pytest.raises(ProviderError, match="nothing can be reached") as caught:
        provider(wire, server).complete(PROMPT)
    assert caught.value.kind == "transport"


def test_there_are_transport_cases(wire: Wire):
    assert len(TRANSPORT) >= 15


@pytest.mark.parametrize("case", TRANSPORT, ids=lambda case: case.name)
def test_a_server_that_does_this_comes_to_what_its_case_says(wire: Wire, case: Case):
    act = json.loads(case.raw)
    script = [
        one | {"body": _translated(wire, one.get("body", ""))} for one in act.get("sequence", [act])
    ]
    hangs = act.get("behaviour") == "accept and hang"
    chunk = chunk_for(case.raw)
    with loopback(*script) as server:
        where = "http://127.0.0.1:9" if act.get("behaviour") == "port closed" else server
        asked = provider(wire, where, timeout_s=0.2 if hangs else 20.0)
        if case.expect["outcome"] == "fallback":
            with pytest.raises(ExtractionError):
                asked.complete(build_prompt(chunk, []))
        else:
            reply = asked.complete(build_prompt(chunk, []))
            extraction = parse_reply(reply.text, chunk, extractor=asked.name)
            assert len(extraction.entities) == case.expect["entities"]
            assert len(extraction.claims) == case.expect["facts"]
    assert len(server.requests) <= case.expect["max_requests_to_this_provider"]


def _translated(wire: Wire, body: str) -> str:
    """Return a body of Messages as the wire's servers would send it."""
    try:
        said = json.loads(body)
    except ValueError:
        return body
    if said.get("type") != "message" or wire.kind == "anthropic":
        return body
    text = "".join(block["text"] for block in said["content"])
    act = (
        wire.cut if said["stop_reason"] == "max_tokens" else wire.good(text) if text else wire.empty
    )
    return str(act["body"])


# --- the meter ----------------------------------------------------------------------------------


def test_a_budget_that_is_spent_goes_straight_up_and_nothing_is_sent(wire: Wire):
    refused = ask(wire, wire.good(), most=0)
    assert (str(refused.error), refused.server.requests) == ("the day's budget is spent", [])
    for script in ([{"status": 500}], [wire.refusal(wire.names_field[0])],
                   [{"status": 307, "headers": {"location": "/x"}}]):  # fmt: skip
        asked = ask(wire, *script, wire.good(), most=1)
        assert asked.error is not None
        assert (asked.error.kind, len(asked.server.requests)) == ("quota", 1)


# --- names, addresses and keys ------------------------------------------------------------------


@pytest.mark.parametrize("model", ODD_NAMES)
def test_the_name_of_a_model_reaches_the_server_as_it_was_written(wire: Wire, model: str):
    with loopback(wire.good()) as server:
        assert provider(wire, server, model=model).name == f"fake/{model}"
        provider(wire, server, model=model).complete(PROMPT)
    (line, _, body) = server.requests[0]
    if wire.kind == "gemini":
        path = line.removeprefix("POST /v1beta/models/").removesuffix(":generateContent HTTP/1.1")
        assert _unquoted(path) == model
    else:
        assert json.loads(body)["model"] == model


def _unquoted(path: str) -> str:
    raw, at = bytearray(), 0
    while at < len(path):
        if path[at] == "%":
            raw += bytes.fromhex(path[at + 1 : at + 3])
            at += 3
        else:
            assert path[at] not in "?# "
            raw += path[at].encode("ascii")
            at += 1
    return raw.decode()


def test_an_address_may_be_written_with_the_end_that_the_wire_puts_there_itself(wire: Wire):
    tails = {
        "openai": ["", "/", "/chat/completions"],
        "anthropic": ["", "/", "/v1", "/v1/", "/v1/messages"],
        "ollama": ["", "/", "/api", "/api/chat", "/v1"],
        "gemini": ["", "/", "/v1beta", "/v1beta/models/"],
    }
    for tail in tails[wire.kind]:
        with loopback(wire.good()) as server:
            provider(wire, f"{server.url}/proxy{tail}").complete(PROMPT)
        assert server.requests[0][0] == f"POST /proxy{wire.path} HTTP/1.1"


DISGUISES = {
    "plain": KEY,
    "in a sentence": f"Incorrect API key provided: {KEY}. Bearer {KEY}",
    "escaped": "".join(f"\\u{ord(c):04x}" for c in KEY),
    "escaped in part": KEY.replace("s", "\\u0073"),
    "escaped twice": KEY.replace("s", "\\\\u0073"),
    "in hex escapes": "".join(f"\\x{ord(c):02x}" for c in KEY),
    "percent": "".join(f"%{ord(c):02X}" for c in KEY),
    "percent twice": quote("".join(f"%{ord(c):02X}" for c in KEY)),
    "entities": "".join(f"&#{ord(c)};" for c in KEY),
    "entities of entities": html.escape("".join(f"&#x{ord(c):x};" for c in KEY)),
    "hex": KEY.encode().hex(),
    "base64": base64.b64encode(KEY.encode()).decode(),
    "base64 behind a name": base64.b64encode(f"user:{KEY}".encode()).decode(),
    "base64 of the header": base64.urlsafe_b64encode(f"Bearer {KEY}".encode()).decode(),
    "spaced": " ".join(KEY),
    "zero width": "\u200b".join(KEY),
    "upper case": KEY.upper(),
    "reversed": KEY[::-1],
    "cut off": KEY[:12],
    "its end": KEY[3:],
    "inside JSON": json.dumps({"k": json.dumps(KEY.replace("a", "\\u0061"))}),
}


@pytest.mark.parametrize("said", DISGUISES.values(), ids=DISGUISES)
def test_a_key_that_a_server_echoes_is_in_no_error_and_no_log(
    wire: Wire, said: str, caplog, capsys
):
    caplog.set_level(logging.DEBUG)
    for act in (
        wire.refusal(said, 401),
        wire.refusal(f"response_format {said}", 400),
        wire.refusal(said, 400),
        {"body": json.dumps({"error": {"message": said, "code": 401}})},
        {"status": 401, "body": said},
        {"status": 401, "body": json.dumps({"detail": [{"msg": said, "loc": [said]}]})},
        {"body": "x", "headers": {"content-type": f"text/{KEY}"}},
        {"status": 307, "headers": {"location": f"https://models.example/{KEY}"}},
    ):
        error = ask(wire, act).error
        assert error is not None
        assert error.__cause__ is None
        seen = f"{error!r}{error}{vars(error)}{caplog.text}{capsys.readouterr()}".casefold()
        for piece in (KEY, KEY[:9], KEY[-9:], said if len(said) > 8 else KEY):
            assert piece.casefold() not in seen


def test_what_a_server_says_is_redacted_before_it_is_shown(wire: Wire):
    error = failure(wire, wire.refusal("the password is Tr0ub4dor, as ever"), kind="content")
    assert "REDACTED" in str(error)
    assert "Tr0ub4dor" not in f"{error!r}"


def test_an_entry_without_a_key_sends_none(wire: Wire):
    with loopback(wire.good()) as server:
        provider(wire, server, api_key="").complete(PROMPT)
    assert not {"authorization", "x-api-key", "x-goog-api-key"} & server.requests[0][1].keys()


def test_a_key_that_is_not_there_is_told_before_anything_is_sent_or_counted(wire: Wire):
    asked = ask(wire, wire.good(), api_key="env:NO_SUCH_KEY")
    assert "NO_SUCH_KEY is not set" in str(asked.error)
    assert asked.server.requests == []


@pytest.mark.parametrize(
    "more",
    [{"model": ""}, {"structured": "xml"}, {"base_url": "http://models.example/v1"}, {"base_url": "file:///etc/passwd"},
     {"base_url": "https://jane:pw@models.example"}, {"base_url": "http://169.254.169.254/v1"}],
    ids=str,
)  # fmt: skip
def test_an_entry_that_cannot_work_is_a_configuration_error(wire: Wire, more: dict[str, Any]):
    with pytest.raises(ConfigError, match="'fake"):
        provider(wire, "https://models.example", **more)


@pytest.mark.parametrize("said", [10**400, 2**70, -5, True, 1.5, "12", None])
def test_a_count_of_tokens_that_can_be_none_counts_nothing(wire: Wire, said: object):
    asked = ask(wire, {"body": wire.good()["body"].replace("100", json.dumps(said))})
    assert asked.reply is not None
    assert asked.reply.tokens_in <= 100
