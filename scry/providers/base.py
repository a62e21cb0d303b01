"""What every provider that is asked over HTTP does; a wire fills in where, what, and how to read it.

    path  headers  body  ->  POST  ->  usage  read

Every request and every token is told to the meter, also where the answer is of no use.  A server that
refuses one detail of a request (`_adapts`) is asked once more without it.
"""

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Self

from scry.errors import BadReplyError, ConfigError, ProviderError, TooLongError
from scry.model import Prompt, Reply
from scry.ports import Meter
from scry.providers import ProviderSpec, Unmetered
from scry.providers.http import Endpoint, RefusedError, Sleep
from scry.providers.keys import resolve_key
from scry.providers.structured import Modes

_REMEDIES = {
    401: "Look at its api_key.",
    403: "The key may not use this model, or a proxy stands between.",
    404: "Look at its model and its base_url.",
}


MOST_TOKENS = 10**9
"""Tokens of one answer beyond which a server's count is nonsense."""


class HttpProvider(ABC):
    """A model behind an API of JSON over HTTP.

    Args:
        spec: the entry of the configuration.
        environ: where `env:` keys are looked up; by default this process's own.
        meter: counts, and remembers how the server takes the shape of an answer.
        sleep: waits a number of seconds.

    Raises:
        ConfigError: the entry lacks what the wire needs, or names an address or mode that cannot be.
    """

    MODES: ClassVar[tuple[str, ...]]
    """How the wire can ask for the shape of an answer, the strictest first; `prompt` is the last."""
    BASE_URL: ClassVar[str] = ""
    """Where the API is if the entry does not say."""
    TAILS: ClassVar[tuple[str, ...]] = ()
    """Ends of an address that the wire puts there itself."""

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
        self.name = spec.name
        self._spec = spec
        self._environ = os.environ if environ is None else environ
        self._meter = meter or Unmetered()
        self._modes = Modes(spec, self.MODES, self._meter)
        self._resolved: str | None = None
        self._server = Endpoint(
            spec.name,
            self._base_url(),
            timeout_s=spec.timeout_s,
            key=self._key,
            headers=self._headers,
            count=self._meter.request,
            sleep=sleep,
        )
        self._check_entry()

    @classmethod
    def of(cls, spec: ProviderSpec, environ: Mapping[str, str], meter: Meter) -> Self:
        """Make one of an entry of the configuration."""
        return cls(spec, environ=environ, meter=meter)

    def complete(self, prompt: Prompt) -> Reply:
        """Ask once, with the retries that the wire calls for.

        Raises:
            TooLongError: the question does not fit, or the answer was cut off.
            BadReplyError: the model gave no answer: nothing, a refusal, or a part of one.
            ProviderError: the server gave none.
        """
        try:
            answer, mode = self._modes.ask(lambda mode: self._ask(prompt, mode))
        except RefusedError as error:
            remedy = self._remedy(error)
            if remedy:
                raise ProviderError(f"{error} {remedy}", kind=error.kind) from None
            raise
        tokens = self._usage(answer)
        if any(tokens):
            self._meter.used(*tokens)
        text, thought = self._read(answer, mode, prompt)
        if not text.strip():
            raise self._bad("the model said nothing" + (", it only thought." if thought else "."))
        return Reply(text, tokens_in=tokens[0], tokens_out=tokens[1])

    def _ask(self, prompt: Prompt, mode: str) -> dict[str, object]:
        while True:
            try:
                return self._server.post(self._path(), self._body(prompt, mode))
            except RefusedError as error:
                if error.status not in (400, 422) or not self._adapts(error):
                    raise

    # --- what a wire fills in ---------------------------------------------------------------------

    @abstractmethod
    def _path(self) -> str:
        """Return the path below the base URL."""

    @abstractmethod
    def _body(self, prompt: Prompt, mode: str) -> dict[str, object]:
        """Return the request."""

    @abstractmethod
    def _usage(self, answer: Mapping[str, object]) -> tuple[int, int]:
        """Return the tokens that went in and came out, 0 where the server does not say."""

    @abstractmethod
    def _read(self, answer: Mapping[str, object], mode: str, prompt: Prompt) -> tuple[str, bool]:
        """Return the text of the answer, and whether the model thought aloud elsewhere.

        Raises:
            BadReplyError: there is no message, it was cut off, or the model declined.
        """

    def _check_entry(self) -> None:  # noqa: B027 -- most wires need nothing more
        """Look at what only this wire needs.

        Raises:
            ConfigError: the entry lacks it, or it cannot be.
        """

    def _headers(self, key: str) -> Mapping[str, str]:
        """Return the headers that the API wants, with the key if there is one."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _adapts(self, _error: RefusedError) -> bool:
        """Leave out what the server refuses, if that can be; each thing once."""
        return False

    def _remedy(self, error: RefusedError) -> str:
        """Return what a person can do about it, as a sentence, or ""."""
        return _REMEDIES.get(error.status, "")

    # --- for the wires ----------------------------------------------------------------------------

    def _base_url(self) -> str:
        url = (self._spec.base_url or self.BASE_URL).rstrip("/")
        if not url:
            raise ConfigError(f"'{self._spec.id}': base_url is missing. It is the API's address.")
        for tail in self.TAILS:
            url = url.removesuffix(tail)
        return url

    def _key(self) -> str:
        if self._resolved is None:
            self._resolved = resolve_key(self._spec.api_key, owner=self.name, environ=self._environ)
        return self._resolved

    def _bad(self, reason: str) -> BadReplyError:
        return BadReplyError(f"{self.name}: {reason}")

    def _cut_off(self) -> TooLongError:
        return TooLongError(f"{self.name}: the answer was cut off at the limit of its length.")


def count(value: object) -> int:
    """Return a number of tokens as a server gives it; 0 for anything that can be none."""
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 0 < value <= MOST_TOKENS else 0


def mapping(value: object) -> Mapping[str, object]:
    """Return an object of an answer; an empty one for anything that is none."""
    return value if isinstance(value, dict) else {}


def texts_of(blocks: object) -> str:
    """Return the text of a list of blocks, joined in order; blocks of other types are no answer."""
    found = blocks if isinstance(blocks, list) else []
    texts = [b.get("text") for b in found if isinstance(b, dict) and b.get("type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))
