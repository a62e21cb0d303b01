"""JSON over HTTP as every provider needs it: where to, how often, and what counts as an answer.

    outcome                                                     requests  kind of the failure
    nothing is reached, TLS or the proxy fails, too late            1     transport
    the connection breaks, the body is cut short or no JSON         3     transport
    a good status with an empty body                                2     transport
    a good status with another type than JSON, over 4 MiB           1     transport
    a redirect to the same origin (307, 308)                      + 1     (followed, three at most)
    any other redirect                                              1     permanent
    408 409 425 500 502 503 504 and other 5xx                       3     transport
    429 529                                                         3     quota
    any of these with a Retry-After of more than a minute           1     quota
    429 about money or a quota, without Retry-After                 1     quota
    402, and 400 or 403 about money or a quota                      1     quota
    413, and 400 422 500 about length; 429 about one request        1     content, as TooLongError
    400 422 about the key or the model                              1     permanent
    other 400 422                                                   1     content
    401 403 404, other 4xx, 501 505                                 1     permanent
    the day's budget is spent                                       0     quota

An error object under a good status counts as the status in its `code`, or as 502.  All requests of one
question share one deadline; waits between them are apart: what Retry-After says, as seconds or as a
date, else about one and four seconds.  What a server says about an error is shown as far as 200
characters, redacted, and never with our key.
"""

import json
import random
import time
from collections.abc import Callable, Mapping
from urllib.parse import urljoin, urlsplit

from scry.errors import ExtractionError, ProviderError, TooLongError
from scry.providers.address import check_url
from scry.providers.refusal import Refusal, read_refusal, refusal_of, showable
from scry.providers.wire import Answer, ExchangeError, exchange

_RETRIES = 2
_HOPS = 3

Sleep = Callable[[float], None]


class RefusedError(ProviderError):
    """The server answered with an error status; `words` is what it said, in lower case."""

    def __init__(self, message: str, refusal: Refusal) -> None:
        super().__init__(message, kind=refusal.kind)
        self.status = refusal.status
        self.words = refusal.words
        self.retry_after = refusal.wait_s


class _AgainError(Exception):
    """The request may be sent again, `most` times in all, after `wait_s` seconds if given."""

    def __init__(
        self, error: ExtractionError, *, most: int = _RETRIES, wait_s: float | None = None
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.most = most
        self.wait_s = wait_s


class Endpoint:
    """A server that takes JSON and answers with JSON.

    Args:
        name: the provider's name, for messages.
        base_url: https, or http on loopback.
        timeout_s: seconds for all tries of one question together, waits between them apart.
        key: gives our key, "" for none; it is looked up when the first request needs it.
        headers: gives the headers that carry a key.
        count: is told of each request that is about to be sent, and may forbid it.
        sleep: waits a number of seconds.

    Raises:
        ConfigError: the URL may not be used.
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        *,
        timeout_s: float,
        key: Callable[[], str] = str,
        headers: Callable[[str], Mapping[str, str]] = lambda _key: {},
        count: Callable[[], None] = lambda: None,
        sleep: Sleep = time.sleep,
    ) -> None:
        self._name = name
        self._url = base_url.rstrip("/")
        self._own_machine = check_url(name, base_url)
        self._timeout_s = timeout_s
        self._key = key
        self._headers = headers
        self._count = count
        self._sleep = sleep

    def post(self, path: str, body: Mapping[str, object]) -> dict[str, object]:
        """Return the JSON object with which the server answers.

        Raises:
            RefusedError: it answered with an error status.
            TooLongError: it says that the question is too long for it.
            ProviderError: there was no usable answer, or `count` forbade a request.
        """
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        left, tries = self._timeout_s, 0
        while True:
            began = time.monotonic()
            try:
                return self._ask(self._url + path, data, left)
            except _AgainError as again:
                tries += 1
                left -= time.monotonic() - began
                if tries > again.most or left <= 0:
                    raise again.error from None
                wait = again.wait_s
            self._sleep(_pause(tries) if wait is None else wait)

    def _ask(self, url: str, data: bytes, seconds: float) -> dict[str, object]:
        key = self._key()
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "User-Agent": "scry",
            **self._headers(key),
        }
        for _ in range(_HOPS):
            self._count()
            try:
                answer = exchange(
                    url, data, headers=headers, seconds=seconds, own_machine=self._own_machine
                )
            except ExchangeError as error:
                trouble = self._error(f"{error}.")
                raise (_AgainError(trouble) if error.again else trouble) from None
            if answer.status not in (301, 302, 303, 307, 308):
                return self._object(answer, key)
            url = self._redirected(url, answer)
        raise self._error("it redirects us in circles.", kind="permanent")

    def _redirected(self, url: str, answer: Answer) -> str:
        """Return where a redirect leads, if that is the same origin: our key goes nowhere else."""
        target = urljoin(url, answer.headers.get("Location", ""))
        if urlsplit(target)[:2] != urlsplit(url)[:2]:
            raise self._error(
                "it redirects to another server, and that is not followed. If the other one is "
                "right, write its address as base_url.",
                kind="permanent",
            )
        if answer.status not in (307, 308):
            raise self._error(
                f"it redirects with HTTP {answer.status}, which would lose the question. base_url is "
                "probably not quite the API's.",
                kind="permanent",
            )
        return target

    def _object(self, answer: Answer, key: str) -> dict[str, object]:
        """Return the object in an answer with a good status, or raise what the status means."""
        if not 200 <= answer.status < 300:
            raise self._refused(read_refusal(answer, key))
        if not answer.body.strip():
            raise _AgainError(self._error("its answer is empty."), most=1)
        kind = answer.headers.get("Content-Type", "").partition(";")[0].strip().casefold()
        if kind != "application/json" and not kind.endswith("+json"):
            raise self._error(
                f"it answers with {showable(kind, key, 40) or 'no content type'} instead of JSON. "
                "A proxy or a login page may stand between, or base_url is not the API's."
            )
        try:
            value = json.loads(answer.body.decode("utf-8"))
        except (ValueError, RecursionError):
            raise _AgainError(self._error("its answer is cut short or no JSON.")) from None
        if not isinstance(value, dict):
            raise self._error("its answer is not a JSON object.")
        if value.get("error"):
            refusal = refusal_of(_status_in(value), value, key)
            if (
                refusal.words.strip()
            ):  # Some proxies send an error without content with every answer.
                raise self._refused(refusal)
        return value

    def _refused(self, refusal: Refusal) -> Exception:
        said = f": {refusal.said.rstrip('.')}" if refusal.said else ""
        message = f"{self._name}: it answers with HTTP {refusal.status}{said}."
        if refusal.too_long:
            return TooLongError(message)
        error = RefusedError(message, refusal)
        return _AgainError(error, wait_s=refusal.wait_s) if refusal.again else error

    def _error(self, message: str, *, kind: str = "transport") -> ProviderError:
        return ProviderError(f"{self._name}: {message}", kind=kind)


def _status_in(value: Mapping[str, object]) -> int:
    """Return the status that an error object names: a proxy's own answer was a good one."""
    match value:
        case {"error": {"code": int(code)}} if 400 <= code <= 599:
            return code
        case _:
            return 502


def _pause(tries: int) -> float:
    """Return about 1 s, then about 4 s, and never the same for all who wait."""
    return 4.0 ** (tries - 1) * random.uniform(0.5, 1.0)  # noqa: S311 -- no secret
