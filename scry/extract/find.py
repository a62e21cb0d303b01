"""The one JSON object of a reply, or the reason why there is none.

A reply is, at best, the object and nothing else:

    {"episode_summary": "...", "entities": [...], "facts": [...]}

Models put fences, prose and thinking around it.  So every `{` of the text is tried with a strict
decoder, and an object that was read is skipped as a whole: a schema that a model echoes has the
three keys *inside*, and must not count.  Nothing is repaired; a truncated answer is no answer.
"""

import json
import re
from collections.abc import Sequence
from typing import NoReturn, Self, TypeGuard

from scry.errors import BadReplyError

MAX_BYTES = 1 << 20
KEYS = frozenset(("episode_summary", "entities", "facts"))
_LONGEST_INTEGER = 300
# Text that makes the decoder read far and fail often could take minutes; this much is enough.
_PATIENCE = 4 * MAX_BYTES
_THINKING = re.compile(r"\s*<(think|thinking|reasoning)\b[^<>]*>", re.IGNORECASE)

Reply = dict[str, object]


class Decimal(float):
    """A number with a point, which still knows how it was written (`1.10` is not `1.1`)."""

    written: str

    def __new__(cls, written: str) -> Self:
        """Read a JSON number."""
        number = super().__new__(cls, written)
        number.written = written
        return number


class _NotStrictError(Exception):
    """JSON that another decoder would let pass; ours takes the reply for broken."""


def decode_reply(raw: bytes) -> str:
    """Return a reply's bytes as text.

    Raises:
        BadReplyError: it is over 1 MiB or not UTF-8.
    """
    _check_size(len(raw))
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadReplyError(f"The reply is not UTF-8 (byte {error.start}).") from None


def find_object(text: str) -> Reply:
    """Return the one object with the three keys that a reply's text holds.

    Raises:
        BadReplyError: there is none, or two that differ, or its JSON is broken.
    """
    _check_size(len(text.encode("utf-8", "surrogatepass")))
    text = _without_thinking(text.removeprefix("\ufeff"))
    if not text.strip():
        raise BadReplyError("The reply is empty.")
    try:
        try:
            whole = _DECODER.decode(text)
        except json.JSONDecodeError as error:
            return _only(_candidates(text), error)
    except _NotStrictError as error:
        raise BadReplyError(f"The reply is not strict JSON: {error}.") from None
    except RecursionError:
        raise BadReplyError("The reply's JSON is nested too deeply.") from None
    if not _is_candidate(whole):
        raise BadReplyError(f"The reply is JSON, but not an object with {', '.join(sorted(KEYS))}.")
    return whole


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise BadReplyError(f"The reply is {size} bytes long; the limit is {MAX_BYTES}.")


def _without_thinking(text: str) -> str:
    """Return the text after one leading block of thinking."""
    opened = _THINKING.match(text)
    if not opened:
        return text
    closed = re.compile(rf"</{opened[1]}\s*>", re.IGNORECASE).search(text, opened.end())
    if not closed:
        raise BadReplyError("The reply ends inside its own thinking.")
    return text[closed.end() :]


def _candidates(text: str) -> list[Reply]:
    """Return the objects with the three keys, tried at every `{` outside of what was read."""
    found: list[Reply] = []
    work, at = 0, text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            work, end = work + error.pos - at, at + 1
            if work > _PATIENCE:
                raise BadReplyError("The reply is a tangle of braces.") from None
        else:
            if _is_candidate(value):
                found.append(value)
        at = text.find("{", end)
    return found


def _only(found: Sequence[Reply], error: json.JSONDecodeError) -> Reply:
    """Return the one candidate; equal ones are one."""
    if not found:
        raise BadReplyError(
            f"The reply holds no complete JSON object with {', '.join(sorted(KEYS))} "
            f"(line {error.lineno}: {error.msg})."
        )
    if any(other != found[0] for other in found[1:]):
        raise BadReplyError("The reply holds two different answers.")
    return found[0]


def _is_candidate(value: object) -> TypeGuard[Reply]:
    return isinstance(value, dict) and value.keys() >= KEYS


def _pairs(pairs: list[tuple[str, object]]) -> Reply:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise _NotStrictError("an object has the same key twice")
    return value


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_INTEGER:
        raise _NotStrictError(f"an integer has {len(digits)} digits")
    return int(digits)


def _constant(name: str) -> NoReturn:
    raise _NotStrictError(f"{name} is no JSON value")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs,
    parse_float=Decimal,
    parse_int=_integer,
    parse_constant=_constant,
)
