"""OpenAI's Chat Completions, and every server that speaks it.

    POST {base_url}/chat/completions
    {"model", "messages": [system, user], ...}
    -> {"choices": [{"finish_reason", "message": {"content", "tool_calls", "refusal"}}], "usage"}

Servers differ in how they take the shape of the answer: `response_format` with a schema, a forced
tool, JSON of any shape, or nothing.  `auto` begins with the strictest; a 400 that names the field
goes one step down, and the step is kept.  Only `content`, or the arguments of the tool we forced, is
an answer; what a model thinks aloud in other fields is none.
"""

import json
import os
import time
from collections.abc import Mapping

from scry.errors import BadReplyError, ConfigError, ProviderError
from scry.model import Prompt, Reply
from scry.ports import Meter
from scry.providers import ProviderSpec, Unmetered
from scry.providers.http import Endpoint, RefusedError, Sleep
from scry.providers.keys import resolve_key
from scry.redact import redact
from scry.text import one_line

MODES = ("json_schema", "tool", "json_object", "prompt")
_TOOL = "remember"
_FIELDS = ("response_format", "json_schema", "json_object", "json mode", "structured", "schema", "strict",
           "tool_choice", "tool", "function", "text.format", "guided", "grammar")  # fmt: skip
_TOO_LONG = ("context length", "context_length", "too long", "too many tokens", "maximum context",
             "token limit", "max_tokens", "reduce the length")  # fmt: skip


class OpenAI:
    """A model behind Chat Completions.

    Raises:
        ConfigError: the entry lacks a model or a usable base_url, or asks for an unknown mode.
    """

    def __init__(
        self,
        spec: ProviderSpec,
        *,
        environ: Mapping[str, str] | None = None,
        meter: Meter | None = None,
        sleep: Sleep = time.sleep,
    ) -> None:
        if not spec.model:
            raise ConfigError(
                f"'{spec.id}': model is missing. Write the name that the server knows."
            )
        if not spec.base_url:
            raise ConfigError(
                f"'{spec.id}': base_url is missing. For OpenAI itself it is https://api.openai.com/v1."
            )
        if spec.structured not in ("auto", *MODES):
            raise ConfigError(f"'{spec.id}': structured must be auto or one of {', '.join(MODES)}.")
        self.name = spec.name
        self._spec = spec
        self._environ = os.environ if environ is None else environ
        self._meter = meter or Unmetered()
        self._key: str | None = None
        self._mode = MODES[0] if spec.structured == "auto" else spec.structured
        self._server = Endpoint(
            spec.name,
            spec.base_url.rstrip("/").removesuffix("/chat/completions"),
            timeout_s=spec.timeout_s,
            headers=self._headers,
            sleep=sleep,
        )

    @classmethod
    def of(cls, spec: ProviderSpec, environ: Mapping[str, str], meter: Meter) -> "OpenAI":
        """Make one of an entry of the configuration."""
        return cls(spec, environ=environ, meter=meter)

    def complete(self, prompt: Prompt) -> Reply:
        """Ask once, with the retries that the wire calls for.

        Raises:
            BadReplyError: the model gave no answer: nothing, a refusal, or a part of one.
            ProviderError: the server gave none.
        """
        while True:
            try:
                answer = self._server.post("/chat/completions", self._body(prompt))
            except RefusedError as error:
                if not self._steps_down(error):
                    raise
                continue
            return self._reply(answer)

    def _headers(self) -> Mapping[str, str]:
        if self._key is None:
            self._key = resolve_key(self._spec.api_key, owner=self.name, environ=self._environ)
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def _body(self, prompt: Prompt) -> dict[str, object]:
        asked = "\n\n".join(filter(None, (prompt.glossary, prompt.chunk, prompt.correction)))
        return {
            **self._spec.settings,
            "model": self._spec.model,
            "messages": [
                {"role": "system", "content": prompt.stable},
                {"role": "user", "content": asked},
            ],
            "stream": False,
            **_shape(self._mode, prompt.schema),
        }

    def _steps_down(self, error: RefusedError) -> bool:
        """Ask for the shape in a weaker way from now on, if the server does not take this one."""
        said = error.detail.casefold()
        if self._spec.structured != "auto" or error.status not in (400, 422):
            return False
        if not any(word in said for word in _FIELDS) or any(word in said for word in _TOO_LONG):
            return False
        at = MODES.index(self._mode)
        if at + 1 == len(MODES):
            return False
        self._mode = MODES[at + 1]
        return True

    def _reply(self, answer: Mapping[str, object]) -> Reply:
        match answer:
            case {"choices": [{"message": dict(message), **choice}, *_]}:
                pass
            case {"error": {"message": str(text)}}:
                raise ProviderError(f"{self.name}: it says: {one_line(redact(text[:4_000]), 200)}.")
            case _:
                raise BadReplyError(f"{self.name}: its answer holds no message.")
        if choice.get("finish_reason") == "length":
            raise BadReplyError(f"{self.name}: the answer was cut off at the limit of its length.")
        if choice.get("finish_reason") == "content_filter" or message.get("refusal"):
            raise BadReplyError(f"{self.name}: the model declined to answer.")
        text = _arguments(message) if self._mode == "tool" else ""
        text = text or _text(message.get("content"))
        if not text.strip():
            thought = any(
                message.get(key) for key in ("reasoning_content", "reasoning", "thinking")
            )
            raise BadReplyError(
                f"{self.name}: the model said nothing" + (", it only thought." if thought else ".")
            )
        used = answer.get("usage")
        usage: Mapping[str, object] = used if isinstance(used, dict) else {}
        return Reply(
            text,
            tokens_in=_count(usage.get("prompt_tokens")),
            tokens_out=_count(usage.get("completion_tokens")),
        )


def _shape(mode: str, schema: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of a request that ask for the shape of the answer."""
    match mode:
        case "json_schema":
            named = {"name": _TOOL, "strict": True, "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case "tool":
            function = {
                "name": _TOOL,
                "description": "Hand over what the record says.",
                "parameters": schema,
            }
            return {
                "tools": [{"type": "function", "function": function}],
                "tool_choice": {"type": "function", "function": {"name": _TOOL}},
            }
        case "json_object":
            return {"response_format": {"type": "json_object"}}
        case _:
            return {}


def _arguments(message: Mapping[str, object]) -> str:
    """Return what the forced tool was called with; a call of any other tool is no answer."""
    match message:
        case {"tool_calls": [{"function": {"name": str(name), "arguments": arguments}}]}:
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            return text if name == _TOOL else ""
        case _:
            return ""


def _text(content: object) -> str:
    """Return the text of a message: a string, or blocks of which the text ones count, in order."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [b.get("text") for b in blocks if isinstance(b, dict) and b.get("type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
