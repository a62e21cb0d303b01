"""Anthropic's Messages, and servers that speak it.

    POST {base_url}/v1/messages
    {"model", "max_tokens", "system": [blocks], "messages": [{"role": "user", "content": [blocks]}],
     "output_config": {"format": {"type": "json_schema", "schema"}}}
    -> {"content": [{"type": "text" | "thinking" | "tool_use", ...}], "stop_reason", "usage"}

The instructions are a block of their own, marked for the cache: they and the schema are the same in every
request, the glossary and the record behind them are not.  Tokens read from the cache or written to it are
counted apart by the server, and are input all the same.
"""

import re
from collections.abc import Mapping

from scry.model import Prompt
from scry.providers.base import HttpProvider, count, mapping, texts_of
from scry.providers.http import RefusedError
from scry.providers.structured import TOOL, TOOL_PURPOSE, arguments_text

_VERSION = "2023-06-01"
_MOST = 8_192
"""Tokens of an answer at most, where the entry does not say: the API must be told a number."""
_CAP = re.compile(r"max_tokens: \d+ > (\d+)")
_CUT_OFF = ("max_tokens", "model_context_window_exceeded")


class Anthropic(HttpProvider):
    """A model behind Messages."""

    MODES = ("json_schema", "tool", "prompt")
    BASE_URL = "https://api.anthropic.com"
    TAILS = ("/messages", "/v1")
    _cap = 0
    """The model's own limit of an answer, once the server has named it."""

    def _path(self) -> str:
        return "/v1/messages"

    def _headers(self, key: str) -> Mapping[str, str]:
        return {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}

    def _body(self, prompt: Prompt, mode: str) -> dict[str, object]:
        settings = self._spec.settings
        most = self._spec.max_output_tokens or count(settings.get("max_tokens")) or _MOST
        stable = _block(prompt.stable) | {"cache_control": {"type": "ephemeral"}}
        asked = filter(str.strip, (prompt.glossary, prompt.chunk, prompt.correction))
        return {
            **settings,
            "model": self._spec.model,
            "max_tokens": self._cap or most,
            "system": [stable],
            "messages": [{"role": "user", "content": [_block(text) for text in asked]}],
            "stream": False,
            **_shape(mode, prompt.schema, mapping(settings.get("output_config"))),
        }

    def _adapts(self, error: RefusedError) -> bool:
        """Take the model's own limit of an answer, where ours is above it."""
        named = _CAP.search(error.words)
        if self._cap or not named:
            return False
        self._cap = int(named[1])
        return self._cap > 0

    def _usage(self, answer: Mapping[str, object]) -> tuple[int, int]:
        usage = mapping(answer.get("usage"))
        ways = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        return sum(count(usage.get(way)) for way in ways), count(usage.get("output_tokens"))

    def _read(self, answer: Mapping[str, object], mode: str, _prompt: Prompt) -> tuple[str, bool]:
        content, reason = answer.get("content"), answer.get("stop_reason")
        if not isinstance(content, list):
            raise self._bad("its answer holds no message.")
        if reason in _CUT_OFF:
            raise self._cut_off()
        if reason == "refusal":
            raise self._bad("the model declined to answer.")
        if reason == "pause_turn":
            raise self._bad("the model broke off in the middle of its answer.")
        blocks = [block for block in content if isinstance(block, dict)]
        text = self._arguments(blocks) if mode == "tool" else ""
        thought = any(block.get("type") in ("thinking", "redacted_thinking") for block in blocks)
        return text or texts_of(blocks), thought

    def _arguments(self, blocks: list[dict[str, object]]) -> str:
        """Return what the forced tool was called with; a call of any other tool is no answer."""
        match [block for block in blocks if block.get("type") == "tool_use"]:
            case [{"name": str(name), "input": arguments}] if name == TOOL:
                return arguments_text(arguments, self.name)
            case _:
                return ""


def _block(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def _shape(
    mode: str, schema: Mapping[str, object], config: Mapping[str, object]
) -> dict[str, object]:
    """Return the fields of a request that ask for the shape of the answer."""
    match mode:
        case "json_schema":
            wanted = {"type": "json_schema", "schema": schema}
            return {"output_config": {**config, "format": wanted}}
        case "tool":
            tool = {"name": TOOL, "description": TOOL_PURPOSE, "input_schema": schema}
            return {"tools": [tool], "tool_choice": {"type": "tool", "name": TOOL}}
        case _:
            return {}
