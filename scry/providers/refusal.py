"""What a server says when it refuses: which kind of failure that is, and what of it may be shown.

    {"error": {"message", "type", "code", "param", "status", "details"}}   {"error": "..."}
    {"message"}   {"detail": "..."}   {"detail": [{"loc", "msg", "type"}]}   [{"error": {...}}]

Only these fields are read: some servers send our own question back with the error, and what somebody
said in a record must not be taken for the server's word.  A text of another type than JSON is read if
it is short, and never shown.
"""

import email.utils
import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC

from scry.errors import ScryError
from scry.providers.keys import without_key
from scry.providers.wire import Answer
from scry.redact import redact
from scry.text import one_line

LONGEST_WAIT_S = 60.0
"""For how long a server may ask us to wait; beyond it the next extractor is better."""
_FIELDS = ("error", "errors", "message", "msg", "code", "type", "status", "param", "reason", "detail", "details", "loc", "raw")  # fmt: skip
_MOST = 20_000
_SPENT = re.compile(
    r"insufficient.?(?:quota|balance|credit|funds)|quota.exceeded|exceeded your current quota|"
    r"\bbilling|\bcredits?\b|balance is too low|spend(?:ing)?.(?:limit|cap)|usage limits?\b|"
    r"payment.required|out of (?:budget|funds)"
)
_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size|limit)|exceed_context|tokens_limit_reached|request_too_large|"
    r"\b(?:prompt|inputs?|request|messages?|conversation|payload)\b[^\n]{0,80}\btoo (?:long|large|big)|"
    r"too many (?:input |prompt )?tokens|reduce (?:the |your )?(?:length|prompt|input|messages?)|"
    r"(?:token|prompt|\binput)[^\n]{0,80}\bexceed|exceed[^\n]{0,80}\b(?:token|prompt|input length|max(?:imum)? length)|"
    r"(?:maximum|max) (?:prompt|input|sequence|model) length|range of input length|"
    r"inputs?\W{0,2} tokens[^\n]{0,60}\bmust"
)
_OUTPUT_CAP = re.compile(r"max_(?:\w+_)?tokens|maxoutputtokens")
_INPUT = re.compile(r"\b(?:input|inputs|prompt|context|messages)\b")
_NO_KEY = re.compile(
    r"api.?key[^\n]{0,20}\b(?:not valid|invalid|expired|incorrect|missing)|"
    r"(?:invalid|incorrect|missing|no) api.?key|authentication_error|location is not supported"
)
_NO_MODEL = re.compile(
    r"model[^\n]{0,120}\b(?:not found|(?:does )?not exist|not (?:a )?valid|decommissioned|deprecated)|"
    r"(?:unknown|invalid|no such) model|not a valid model"
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a status and the words that came with it mean."""

    status: int
    said: str
    """Fit to be shown: redacted, without our key, on one line; "" for nothing."""
    words: str
    """Everything the server gave as its reason, in lower case, without our key."""
    wait_s: float | None
    """Seconds for which it wants to be left alone, or None if it does not say."""

    @property
    def too_long(self) -> bool:
        """Whether a shorter question would do."""
        if self.status == 429:  # More in one request than a whole minute allows.
            return "request too large" in self.words
        if self.status == 413:
            return True
        if self.status not in (400, 422, 500) or self._spent:
            return False
        about_answer = _OUTPUT_CAP.search(self.words) and not _INPUT.search(self.words)
        return bool(_TOO_LONG.search(self.words)) and not about_answer

    @property
    def again(self) -> bool:
        """Whether the same request may succeed soon."""
        if self.wait_s is not None and self.wait_s > LONGEST_WAIT_S:
            return False
        if self.status == 429:
            return self.wait_s is not None or not self._spent
        return self._passes

    @property
    def kind(self) -> str:
        """Which kind of failure it is, once it has been asked often enough."""
        if self.status in (402, 429, 529) or (self.status in (400, 403) and self._spent):
            return "quota"
        if self._passes:
            return "transport" if self.again else "quota"
        if self.status in (400, 422):
            for_good = _NO_KEY.search(self.words) or _NO_MODEL.search(self.words)
            return "permanent" if for_good else "content"  # Another chunk may be fine.
        return "permanent"

    @property
    def _passes(self) -> bool:
        return self.status in (408, 409, 425) or (
            self.status >= 500 and self.status not in (501, 505)
        )

    @property
    def _spent(self) -> bool:
        return bool(_SPENT.search(self.words))


def read_refusal(answer: Answer, key: str) -> Refusal:
    """Return what an answer with an error status means; `key` is ours, and is not repeated."""
    text = answer.body[:_MOST].decode("utf-8", "replace")
    try:
        said = json.loads(answer.body.decode("utf-8"))
    except (ValueError, RecursionError):
        page = "html" in answer.headers.get("Content-Type", "") or text.lstrip().startswith("<")
        words = "" if page or len(text) > 2_000 else text
        return Refusal(answer.status, "", without_key(words, key).casefold(), _retry_after(answer))
    wait = _retry_after(answer)
    return refusal_of(answer.status, said, key, wait_s=_delay(said) if wait is None else wait)


def refusal_of(status: int, said: object, key: str, *, wait_s: float | None = None) -> Refusal:
    """Return what a status and the parsed body that came with it mean."""
    if isinstance(said, list) and said:
        said = said[0]
    words = without_key("\n".join(_told(said))[:_MOST], key)
    return Refusal(status, showable(_sentence(said), key), words.casefold()[:4_000], wait_s)


def showable(text: str, key: str, limit: int = 200) -> str:
    """Return a server's text as it may be shown: short, redacted, and without our key."""
    try:
        return one_line(redact(without_key(text[:_MOST], key)[:4_000]), limit)
    except ScryError:
        return ""


def _sentence(said: object) -> str:
    match said:
        case {"error": {"message": str(text), "param": str(field)}}:
            return f"{text} ({field})"
        case {"error": {"message": str(text)}} | {"message": str(text)} | {"error": str(text)}:
            return text
        case {"error": {"type": str(text)}} | {"detail": str(text)}:
            return text
        case {"detail": [{"msg": str(text), **problem}, *_]}:
            place = problem.get("loc")
            return f"{text} ({'.'.join(map(str, place))})" if isinstance(place, list) else text
        case _:
            return ""


def _told(said: object) -> Iterator[str]:
    match said:
        case str():
            yield said[:4_000]
        case dict():
            for name in _FIELDS:
                yield from _told(said.get(name))
        case list():
            for item in said[:20]:
                yield from _told(item)
        case _:
            return


def _delay(said: object) -> float | None:
    """Return the seconds in Google's RetryInfo, which takes the place of Retry-After there."""
    details: Mapping[str, object] = {}
    match said:
        case {"error": {"details": list(items)}} | [{"error": {"details": list(items)}}, *_]:
            details = next((d for d in items if isinstance(d, dict) and "retryDelay" in d), {})
        case _:
            pass
    delay = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]+)?)s", str(details.get("retryDelay", "")))
    return float(delay[1]) if delay else None


def _retry_after(answer: Answer) -> float | None:
    """Return for how many seconds a server wants to be left alone, or None if it does not say."""
    value = answer.headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]{1,12}(?:\.[0-9]+)?", value):
        return float(value)
    until, now = _moment(value), _moment(answer.headers.get("Date", ""))
    return None if until is None else max(0.0, until - (time.time() if now is None else now))


def _moment(value: str) -> float | None:
    """Return an HTTP date as seconds since 1970, or None if it is none."""
    try:
        read = email.utils.parsedate_to_datetime(value)
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
