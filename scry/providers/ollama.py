"""Ollama's own API; its OpenAI-compatible one has no way to say how long a prompt may be.

    POST {base_url}/api/chat
    {"model", "messages": [system, user], "stream": false, "think": false, "format": schema, "options"}
    -> {"message": {"content", "thinking"}, "done_reason", "prompt_eval_count", "eval_count"}

Ollama cuts a prompt that does not fit into `num_ctx` without a word, and its default is small.  So the
number is always sent, a prompt that will not fit is not, and the count that comes back is checked.
"""

import shlex
from collections.abc import Mapping

from scry.errors import ConfigError, ProviderError, TooLongError
from scry.model import Prompt
from scry.providers.base import HttpProvider, count
from scry.providers.http import RefusedError
from scry.text import estimate_tokens, one_line

_NUM_CTX = 16_384
_ANSWER = 4_096
"""Tokens that are kept free for the answer, at most a quarter of `num_ctx`."""
_BESIDE = ("keep_alive", "think")
"""What stands beside `options` in a request, not in it."""


class Ollama(HttpProvider):
    """A model behind Ollama's chat API."""

    MODES = ("json_schema", "json_object", "prompt")
    BASE_URL = "http://127.0.0.1:11434"
    TAILS = ("/api/chat", "/api", "/v1")

    _thinks = True
    """Whether the server is told not to think; some do not know the word."""

    def _check_entry(self) -> None:
        size = self._spec.settings.get("num_ctx", _NUM_CTX)
        if not count(size):
            raise ConfigError(f"'{self._spec.id}': options.num_ctx must be a number of tokens.")
        self._num_ctx = count(size)
        self._room = self._spec.max_output_tokens or min(_ANSWER, self._num_ctx // 4)

    def _path(self) -> str:
        return "/api/chat"

    def _ask(self, prompt: Prompt, mode: str) -> dict[str, object]:
        self._check_fits(prompt)
        return super()._ask(prompt, mode)

    def _check_fits(self, prompt: Prompt) -> None:
        room, needed = self._num_ctx - self._room, _tokens(prompt)
        least = estimate_tokens(prompt.stable)
        if least >= room:
            raise ProviderError(
                f"{self.name}: the instructions alone are about {least} tokens, and num_ctx leaves "
                f"{max(room, 0)}. Set options.num_ctx to {_NUM_CTX}, or lower max_output_tokens.",
                kind="permanent",
            )
        if needed > room:
            raise TooLongError(
                f"{self.name}: the question is about {needed} tokens, and num_ctx leaves {room}. A "
                "larger options.num_ctx takes longer questions."
            )

    def _body(self, prompt: Prompt, mode: str) -> dict[str, object]:
        settings = self._spec.settings
        beside = {key: settings.pop(key) for key in _BESIDE if key in settings}
        most = self._spec.max_output_tokens
        asked = "\n\n".join(filter(None, (prompt.glossary, prompt.chunk, prompt.correction)))
        return {
            **({"think": False} if self._thinks else {}),
            **{key: value for key, value in beside.items() if key != "think" or self._thinks},
            "model": self._spec.model,
            "messages": [
                {"role": "system", "content": prompt.stable},
                {"role": "user", "content": asked},
            ],
            "stream": False,
            "options": settings
            | ({"num_predict": most} if most else {})
            | {"num_ctx": self._num_ctx},
            **_shape(mode, prompt.schema),
        }

    def _adapts(self, error: RefusedError) -> bool:
        """Say nothing of thinking to a server that does not know it."""
        refused = self._thinks and "think" in error.words
        self._thinks = self._thinks and not refused
        return refused

    def _remedy(self, error: RefusedError) -> str:
        if error.status == 404 and "model" in error.words:
            return f"`ollama pull {shlex.quote(one_line(self._spec.model))}` fetches it."
        return super()._remedy(error)

    def _usage(self, answer: Mapping[str, object]) -> tuple[int, int]:
        return count(answer.get("prompt_eval_count")), count(answer.get("eval_count"))

    def _read(self, answer: Mapping[str, object], _mode: str, prompt: Prompt) -> tuple[str, bool]:
        message = answer.get("message")
        if not isinstance(message, dict):
            raise self._bad("its answer holds no message.")
        if answer.get("done_reason") == "length" or answer.get("done") is False:
            raise self._cut_off()
        read, written = self._usage(answer)
        if self._was_cut(read, written, prompt):
            raise TooLongError(
                f"{self.name}: the server read {read} tokens of the question, as many as it has room "
                "for, and left out the rest. A larger options.num_ctx may help, if the model can."
            )
        content = message.get("content")
        return content if isinstance(content, str) else "", bool(message.get("thinking"))

    def _was_cut(self, read: int, written: int, prompt: Prompt) -> bool:
        """Say whether the question was cut: at our `num_ctx`, or at a smaller one of the model's."""
        if read >= self._num_ctx * 0.98 or read + written > self._num_ctx:
            return True
        return read >= 512 and read.bit_count() == 1 and read * 1.15 < _tokens(prompt)


def _tokens(prompt: Prompt) -> int:
    parts = (prompt.stable, prompt.glossary, prompt.chunk, prompt.correction)
    return sum(map(estimate_tokens, parts))


def _shape(mode: str, schema: Mapping[str, object]) -> dict[str, object]:
    """Return the field of a request that asks for the shape of the answer."""
    match mode:
        case "json_schema":
            return {"format": schema}
        case "json_object":
            return {"format": "json"}
        case _:
            return {}
