"""OpenAI's Chat Completions, and every server that speaks it.

    POST {base_url}/chat/completions
    {"model", "messages": [system, user], ...}
    -> {"choices": [{"finish_reason", "message": {"content", "tool_calls", "refusal"}}], "usage"}

Only `content`, or the arguments of the tool we forced, is an answer; what a model thinks aloud in other
fields is none.  The limit of an answer is `max_tokens` to most servers, and `max_completion_tokens` to
those that say so.
"""

from collections.abc import Mapping

from scry.model import Prompt
from scry.providers.base import HttpProvider, count, mapping, texts_of
from scry.providers.http import RefusedError
from scry.providers.structured import TOOL, TOOL_PURPOSE, arguments_text


class OpenAI(HttpProvider):
    """A model behind Chat Completions."""

    MODES = ("json_schema", "tool", "json_object", "prompt")
    TAILS = ("/chat/completions",)
    _limit = "max_tokens"

    def _path(self) -> str:
        return "/chat/completions"

    def _body(self, prompt: Prompt, mode: str) -> dict[str, object]:
        asked = "\n\n".join(filter(None, (prompt.glossary, prompt.chunk, prompt.correction)))
        most = self._spec.max_output_tokens
        return {
            **self._spec.settings,
            **({self._limit: most} if most else {}),
            "model": self._spec.model,
            "messages": [
                {"role": "system", "content": prompt.stable},
                {"role": "user", "content": asked},
            ],
            "stream": False,
            **_shape(mode, prompt.schema),
        }

    def _adapts(self, error: RefusedError) -> bool:
        """Name the limit of an answer as the server wants it named."""
        if self._limit != "max_tokens" or "max_completion_tokens" not in error.words:
            return False
        self._limit = "max_completion_tokens"
        return self._spec.max_output_tokens > 0

    def _usage(self, answer: Mapping[str, object]) -> tuple[int, int]:
        usage = mapping(answer.get("usage"))
        return count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))

    def _read(self, answer: Mapping[str, object], mode: str, _prompt: Prompt) -> tuple[str, bool]:
        match answer:
            case {"choices": [{"message": dict(message), **choice}, *_]}:
                pass
            case _:
                raise self._bad("its answer holds no message.")
        if choice.get("finish_reason") == "length":
            raise self._cut_off()
        if choice.get("finish_reason") == "content_filter" or message.get("refusal"):
            raise self._bad("the model declined to answer.")
        text = self._arguments(message) if mode == "tool" else ""
        content = message.get("content")
        text = text or (content if isinstance(content, str) else texts_of(content))
        thoughts = ("reasoning_content", "reasoning", "reasoning_details", "thinking")
        return text, any(message.get(key) for key in thoughts)

    def _arguments(self, message: Mapping[str, object]) -> str:
        """Return what the forced tool was called with; a call of any other tool is no answer."""
        match message:
            case {"tool_calls": [{"function": {"name": str(name), "arguments": arguments}}]}:
                return arguments_text(arguments, self.name) if name == TOOL else ""
            case _:
                return ""


def _shape(mode: str, schema: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of a request that ask for the shape of the answer."""
    match mode:
        case "json_schema":
            named = {"name": TOOL, "strict": True, "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case "tool":
            function = {"name": TOOL, "description": TOOL_PURPOSE, "parameters": schema}
            return {
                "tools": [{"type": "function", "function": function}],
                "tool_choice": {"type": "function", "function": {"name": TOOL}},
            }
        case "json_object":
            return {"response_format": {"type": "json_object"}}
        case _:
            return {}
