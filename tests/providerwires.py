"""The wires of the HTTP providers, as far as a test needs to know them to play the server."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from loopback import ANSWERS, Loopback, chat, completion, generated, message
from replycases import good_reply

from scry.errors import ProviderError
from scry.providers import ProviderSpec, make_provider
from scry.providers.base import HttpProvider

KEY = "sesame" + "-opens-42"
good_text = cache(good_reply)
"""The reply that a good model gives; read once."""


@dataclass
class CountingMeter:
    """A meter that counts, remembers a mode, and forbids what is beyond `most` requests."""

    most: int = 1_000
    kept: str = ""
    requests: int = 0
    tokens: list[tuple[int, int]] = field(default_factory=list)

    def request(self) -> None:
        if self.requests >= self.most:
            raise ProviderError("the day's budget is spent", kind="quota")
        self.requests += 1

    def used(self, tokens_in: int, tokens_out: int) -> None:
        self.tokens.append((tokens_in, tokens_out))

    def mode(self) -> str:
        return self.kept

    def keep_mode(self, mode: str) -> None:
        self.kept = mode


@dataclass(frozen=True)
class Wire:
    """One wire: where it is asked, how its servers say what, and how to read its requests."""

    kind: str
    path: str
    key_header: str
    modes: tuple[str, ...]
    mode_of: Callable[[dict[str, Any]], str]
    names_field: tuple[str, ...]
    """What real servers say when they do not take the field that asks for the shape."""
    empty: dict[str, Any] = field(repr=False)
    thought: dict[str, Any] = field(repr=False)
    cut: dict[str, Any] = field(repr=False)
    declined: dict[str, Any] = field(repr=False)
    foreign: dict[str, Any] = field(repr=False)
    """An answer that only calls a tool which nobody offered."""
    shapeless: tuple[str, ...] = ("{}", '{"x": 1}')

    def good(self, text: str = "") -> dict[str, Any]:
        return ANSWERS[self.kind](text or good_text())

    def refusal(self, said: str, status: int = 400, **more: Any) -> dict[str, Any]:
        """Return an error as this wire's servers write it."""
        error: object = {"type": "invalid_request_error", "message": said}
        if self.kind == "gemini":
            error = {"code": status, "message": said, "status": "INVALID_ARGUMENT"}
        if self.kind == "ollama":
            error = said
        return {"status": status, "body": json.dumps({"error": error})} | more


def provider(
    wire: Wire,
    server: Loopback | str,
    *,
    meter: CountingMeter | None = None,
    slept: list[float] | None = None,
    **more: Any,
) -> HttpProvider:
    """Return a provider of that wire for a server on loopback; no wait takes time."""
    url = server if isinstance(server, str) else server.url
    values: dict[str, Any] = {"id": "fake", "type": wire.kind, "base_url": url, "model": "m"}
    values |= {"timeout_s": 20.0, "api_key": "env:FAKE_KEY"}
    made = make_provider(
        ProviderSpec(**values | more), environ={"FAKE_KEY": KEY}, meter=meter or CountingMeter()
    )
    assert isinstance(made, HttpProvider)
    made._server._sleep = (slept if slept is not None else []).append
    return made


def _openai_mode(body: dict[str, Any]) -> str:
    return "tool" if "tools" in body else body.get("response_format", {}).get("type", "prompt")


def _anthropic_mode(body: dict[str, Any]) -> str:
    asked = body.get("output_config", {}).get("format", {}).get("type", "prompt")
    return "tool" if "tools" in body else asked


def _ollama_mode(body: dict[str, Any]) -> str:
    wanted = body.get("format")
    return "json_object" if wanted == "json" else "json_schema" if wanted else "prompt"


def _gemini_mode(body: dict[str, Any]) -> str:
    config = body["generationConfig"]
    if "responseJsonSchema" in config:
        return "json_schema"
    return "json_object" if "responseMimeType" in config else "prompt"


_CALL = {"id": "c", "type": "function", "function": {"name": "run_shell", "arguments": "{}"}}
_FOREIGN = {"role": "assistant", "content": None, "tool_calls": [_CALL]}

WIRES = {
    "openai": Wire(
        kind="openai",
        path="/chat/completions",
        key_header="authorization",
        modes=("json_schema", "tool", "json_object", "prompt"),
        mode_of=_openai_mode,
        names_field=(
            "This response_format type is unavailable now",
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
            "tool_choice 'function' is not supported",
            "Invalid schema for response_format 'remember'",
            "Model does not support structured outputs",
        ),
        empty=completion(""),
        thought=completion(None, message={"content": None, "reasoning_content": good_text()}),
        cut=completion(good_text(), finish_reason="length"),
        declined=completion(None, message={"content": None, "refusal": "I cannot."}),
        foreign=completion(None, message=_FOREIGN, finish_reason="tool_calls"),
        shapeless=("{}", '{"choices": []}', '{"choices": [{}]}', '{"choices": null}', '{"choices": [7]}'),
    ),
    "anthropic": Wire(
        kind="anthropic",
        path="/v1/messages",
        key_header="x-api-key",
        modes=("json_schema", "tool", "prompt"),
        mode_of=_anthropic_mode,
        names_field=(
            "output_config.format: Extra inputs are not permitted",
            "'claude-3-haiku-20240307' does not support output format.",
            "Thinking may not be enabled when tool_choice forces tool use.",
            "tools.0.custom.input_schema: JSON schema is invalid",
        ),
        empty=message(),
        thought=message({"type": "thinking", "thinking": good_text(), "signature": "x"}),
        cut=message(good_text(), stop_reason="max_tokens"),
        declined=message("I cannot.", stop_reason="refusal"),
        foreign=message(
            {"type": "tool_use", "id": "t", "name": "run_shell", "input": json.loads(good_text())}
        ),
        shapeless=("{}", '{"content": null}', '{"content": {}}', '{"content": [7, null]}'),
    ),
    "ollama": Wire(
        kind="ollama",
        path="/api/chat",
        key_header="authorization",
        modes=("json_schema", "json_object", "prompt"),
        mode_of=_ollama_mode,
        names_field=(
            "json: cannot unmarshal object into Go struct field ChatRequest.format of type string",
            'invalid format: expected "json" or a JSON schema',
            "failed to parse grammar",
        ),
        empty=chat(""),
        thought=chat("", message={"role": "assistant", "content": "", "thinking": good_text()}),
        cut=chat(good_text(), done_reason="length"),
        declined=chat(None),
        foreign=chat(None, message=_FOREIGN),
        shapeless=("{}", '{"message": null}', '{"message": []}', '{"message": {"content": 7}}'),
    ),
    "gemini": Wire(
        kind="gemini",
        path="/v1beta/models/m:generateContent",
        key_header="x-goog-api-key",
        modes=("json_schema", "json_object", "prompt"),
        mode_of=_gemini_mode,
        names_field=(
            "Invalid JSON payload received. Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field.",
            "JSON mode is not enabled for models/gemma-3-27b-it",
            "* GenerateContentRequest.generation_config.response_schema.properties: should be non-empty",
        ),
        empty=generated(""),
        thought=generated({"text": good_text(), "thought": True}),
        cut=generated(good_text(), finishReason="MAX_TOKENS"),
        declined={"body": json.dumps({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}})},
        foreign=generated({"functionCall": {"name": "run_shell", "args": {}}}),
        shapeless=("{}", '{"candidates": []}', '{"candidates": [{}]}', '{"candidates": [7]}',
                   '{"candidates": [{"content": {"parts": [7, {"text": 7}]}}]}'),
    ),
}  # fmt: skip
