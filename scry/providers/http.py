"""JSON over HTTP as every provider needs it: where to, how often, and what counts as an answer.

    408 409 425 429 5xx, cut or empty bodies    at most two more tries, Retry-After up to a minute
    401 402 403 404 and other refusals          none: the next extractor is asked at once
    a redirect                                  not followed, except to the same origin
    anything but JSON, or over 4 MiB            no answer

What a server says about an error is shown as far as 200 characters, redacted, and never with our key.
"""

import email.utils
import json
import time
from collections.abc import Callable, Mapping
from urllib.parse import urljoin, urlsplit

from scry.errors import ProviderError
from scry.providers.address import check_url
from scry.providers.wire import Answer, ExchangeError, exchange
from scry.redact import redact
from scry.text import one_line

_RETRIES = 2
_LONGEST_WAIT_S = 60.0
_HOPS = 3
_SPENT = ("insufficient_quota", "quota exceeded", "exceeded your current quota", "billing", "credit",
          "insufficient balance", "balance is too low", "spend limit", "payment required")  # fmt: skip

Sleep = Callable[[float], None]


class RefusedError(ProviderError):
    """The server answered with an error status; `detail` is what it said, redacted."""

    def __init__(self, message: str, *, status: int, detail: str, kind: str) -> None:
        super().__init__(message, kind=kind)
        self.status = status
        self.detail = detail


class _AgainError(Exception):
    """The request may be sent again, `most` times in all, after `wait_s` seconds if given."""

    def __init__(
        self, error: ProviderError, *, most: int = _RETRIES, wait_s: float | None = None
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
        headers: gives the headers when a request is made, the key among them.
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
        headers: Callable[[], Mapping[str, str]] = dict,
        sleep: Sleep = time.sleep,
    ) -> None:
        self._name = name
        self._url = base_url.rstrip("/")
        self._own_machine = check_url(name, base_url)
        self._timeout_s = timeout_s
        self._headers = headers
        self._sleep = sleep

    def post(self, path: str, body: Mapping[str, object]) -> dict[str, object]:
        """Return the JSON object with which the server answers.

        Raises:
            RefusedError: it answered with an error status.
            ProviderError: there was no usable answer.
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
            self._sleep(4.0 ** (tries - 1) if wait is None else wait)

    def _ask(self, url: str, data: bytes, seconds: float) -> dict[str, object]:
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "User-Agent": "scry",
            **self._headers(),
        }
        for _ in range(_HOPS):
            try:
                answer = exchange(
                    url, data, headers=headers, seconds=seconds, own_machine=self._own_machine
                )
            except ExchangeError as error:
                trouble = self._error(f"{error}.")
                raise (_AgainError(trouble) if error.again else trouble) from None
            if answer.status not in (307, 308):
                return self._object(answer, headers)
            url = self._redirected(url, answer)
        raise self._error("it redirects us in circles.")

    def _redirected(self, url: str, answer: Answer) -> str:
        """Return where a redirect leads, if that is the same origin: our key goes nowhere else."""
        target = urljoin(url, answer.headers.get("Location", ""))
        if urlsplit(target)[:2] != urlsplit(url)[:2]:
            raise self._error(
                "it redirects to another server, and that is not followed. If the other one is "
                "right, write its address as base_url.",
                kind="permanent",
            )
        return target

    def _object(self, answer: Answer, headers: Mapping[str, str]) -> dict[str, object]:
        """Return the object in an answer with a good status, or raise what the status means."""
        if not 200 <= answer.status < 300:
            raise self._refusal(answer, headers)
        if not answer.body.strip():
            raise _AgainError(self._error("its answer is empty."), most=1)
        kind = answer.headers.get("Content-Type", "").partition(";")[0].strip().casefold()
        if kind != "application/json" and not kind.endswith("+json"):
            raise self._error(
                f"it answers with {one_line(kind, 40) or 'no content type'} instead of JSON. "
                "A proxy or a login page may stand between, or base_url is not the API's."
            )
        try:
            value = json.loads(answer.body.decode("utf-8"))
        except (ValueError, RecursionError):
            raise _AgainError(self._error("its answer is cut short or no JSON.")) from None
        if not isinstance(value, dict):
            raise self._error("its answer is not a JSON object.")
        return value

    def _refusal(self, answer: Answer, headers: Mapping[str, str]) -> Exception:
        status, detail = answer.status, _detail(answer, headers)
        spent = status == 402 or any(word in detail.casefold() for word in _SPENT)
        if status == 429 or (400 <= status < 500 and spent):
            kind = "quota"
        elif status in (408, 409, 425) or status >= 500:
            kind = "transport"
        elif status in (400, 413, 422):
            kind = "content"  # Another chunk may be fine.
        else:
            kind = "permanent"
        said = f": {one_line(detail, 200)}" if detail else ""
        error = RefusedError(
            f"{self._name}: it answers with HTTP {status}{said}.",
            status=status,
            detail=detail,
            kind=kind,
        )
        if spent or not (status in (408, 409, 425, 429) or status >= 500):
            return error
        wait = _retry_after(answer)
        return (
            error
            if wait is not None and wait > _LONGEST_WAIT_S
            else _AgainError(error, wait_s=wait)
        )

    def _error(self, message: str, *, kind: str = "transport") -> ProviderError:
        return ProviderError(f"{self._name}: {message}", kind=kind)


def _detail(answer: Answer, headers: Mapping[str, str]) -> str:
    """Return what a server says about its error, fit to be shown."""
    try:
        said = json.loads(answer.body.decode("utf-8"))
    except (ValueError, RecursionError):
        return ""
    match said:
        case {"error": {"message": str(text), "param": str(field)}}:
            text = f"{text} ({field})"
        case {"error": {"message": str(text)}} | {"message": str(text)} | {"error": str(text)}:
            pass
        case {"error": {"type": str(text)}} | {"detail": str(text)}:
            pass
        case {"detail": list() as problems}:
            text = json.dumps(problems, ensure_ascii=False)
        case _:
            return ""
    for value in headers.values():
        for secret in value.split():
            if len(secret) >= 8 and secret not in ("application/json", "identity"):
                text = text.replace(secret, "[key]")
    return one_line(redact(text[:4_000]), 2_000)


def _retry_after(answer: Answer) -> float | None:
    """Return for how many seconds a server wants to be left alone, or None if it does not say."""
    value = answer.headers.get("Retry-After", "").strip()
    if value.replace(".", "", 1).isdigit():
        return float(value)
    try:
        until = email.utils.parsedate_to_datetime(value)
        now = answer.headers.get("Date")
        present = email.utils.parsedate_to_datetime(now).timestamp() if now else time.time()
        return max(0.0, until.timestamp() - present)
    except (TypeError, ValueError, OverflowError):
        return None
