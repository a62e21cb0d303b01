"""Find the secrets of the table `places`, and judge each by the check of its row."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain

from scry.redact.names import Trust, promise_of
from scry.redact.page import Clue, Sheet, overlapping, places
from scry.redact.places import PLACES, Place, linking
from scry.redact.spans import Span
from scry.redact.values import (
    UUID,
    WORDS,
    is_coined,
    is_password,
    is_random,
    is_reference,
    is_secret,
    is_told,
)
from scry.redact.wording import CHECKS

_WORD = re.compile(r"[a-z]{3,}")
_BY_WORD: dict[str, list[tuple[Place, str]]] = {}
"""Rows and triggers by the longest word of the trigger, which then must be in the text."""
_BY_SIGN: dict[str, list[tuple[Place, str]]] = {}
"""The same for triggers without a word, such as `://`; of several parts the longest, a line break for each blank beside it."""
for _place in PLACES:
    for _trigger in _place.triggers:
        if _trigger not in _place.parts and (_words := _WORD.findall(_trigger)):
            _BY_WORD.setdefault(max(_words, key=len), []).append((_place, _trigger))
        else:
            # Words part at blanks, so a sign beside a blank begins or ends its word: `-b ` is in no `read-by`.
            _edged = _trigger.replace(" ", "\n \n").split(" ")
            _sign = max(_edged, key=lambda part: len(part.strip()))
            _BY_SIGN.setdefault(_sign, []).append((_place, _trigger))
_BY_KEY = {key: _BY_WORD.get(key, []) + _BY_SIGN.get(key, []) for key in {*_BY_WORD, *_BY_SIGN}}
_PAIR = re.compile(r"(?P<name>[\w.%-]{1,80})=(?P<s>[^\s;,\"']{8,4096})")
_BEFORE, _BEYOND, _AFTER = 300, 200, 5_000
"""Characters of a line that are searched before and after a trigger, and how far beyond its line."""
_LINK = 64
"""Characters between a value and a label after it."""
_LONG = 100
"""Characters of a word whose parts are remembered."""
_ASSIGNS = re.compile(r"[\w.-]{1,60}=")
_FILE = re.compile(
    r"\.(?:zip|7z|rar|tar|t?gz|pem|key|txt|json|ya?ml|conf|py|sh|md|xml|csv|p12|pfx)\Z"
)
_ATTRIBUTES = frozenset("expires path domain samesite max-age secure httponly version".split())


def placed(page: Sheet) -> Iterator[Span]:
    """Yield the secrets that their place gives away."""
    if Clue.PLACE not in page.clues:
        return
    for place, triggers in _near(page).items():
        searched = page.text if "(?-i:" in place.pattern else page.low
        for found in _matches(place, triggers, searched, page.low):
            yield from _judged(place, page.text, found)


def _matches(place: Place, triggers: list[str], text: str, low: str) -> Iterator[re.Match[str]]:
    if place.begins:
        for trigger in triggers:
            done = 0
            for hit in places(low, trigger):
                if hit >= done and (found := place.regex.match(text, hit)):
                    yield found
                    # What is so long is not read again from each trigger in it.
                    done = found.end() if found.end() - hit > _AFTER else 0
        return
    if place.link:
        hits = _labels(place, low)
    else:
        hits = sorted(hit for trigger in triggers for hit in places(low, trigger))
    for first, last in _windows(low, hits):
        yield from place.regex.finditer(text, first, last)


def _labels(place: Place, low: str) -> list[int]:
    """Return where a label stands that comes after its value: most words that could be one link to nothing."""
    linked, hits = linking(place.link), (at for word in place.triggers for at in places(low, word))
    return sorted(hit for hit in hits if linked.search(low, max(0, hit - _LINK), hit))


def _judged(place: Place, text: str, found: re.Match[str]) -> Iterator[Span]:
    """Yield the secret of a match, if it passes the row's check."""
    start, end = found.span("s")
    secret = text[start:end]
    if place.check == "cookie":
        yield from _cookies(secret, start)
    elif place.check in {"named", "field"}:
        holds = _is_named if place.check == "named" else _is_field
        if holds(text[slice(*found.span("name"))], secret):
            yield Span(start, end, place.kind, 3)
    elif _CHECKS[place.check](secret):
        yield Span(start, start + len(_trimmed(secret)), place.kind, 3)


def clues(_words: str, low: str) -> Iterator[int]:
    """Yield where something stands that a trigger cannot do without."""
    edged = f"\n{low}\n"
    hits = [
        hit - (sign[0] != "\n")
        for sign in _BY_SIGN
        for hit in (overlapping(edged, sign) if sign in edged else ())
    ]
    held = _BY_WORD.keys() & set(_WORD.findall(low))
    hits += [hit for word in held for hit in places(low, word)]
    yield from sorted(hits)


def _near(page: Sheet) -> dict[Place, list[str]]:
    """Return the places that a page may hold, with the triggers that say so."""
    near: dict[Place, list[str]] = {}
    told = page.clues.get(Clue.PLACE, ())
    keys = set(chain.from_iterable(map(_keys_in, (word for word in told if len(word) <= _LONG))))
    for word in told:
        if len(word) > _LONG:  # Not remembered: it may be very long, and comes but once.
            keys.update(_keys_in.__wrapped__(word))
    for place, trigger in chain.from_iterable(map(_BY_KEY.__getitem__, sorted(keys))):
        if trigger in page.low:
            near.setdefault(place, []).append(trigger)
    return near


@lru_cache(maxsize=2048)
def _keys_in(word: str) -> tuple[str, ...]:
    """Return what of a word is part of a trigger."""
    low = word.lower()
    found = _BY_WORD.keys() & set(_WORD.findall(low))
    edged = f"\n{low}\n"
    return (*found, *(sign for sign in _BY_SIGN if sign in edged))


def _windows(low: str, hits: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the stretches around the triggers: their lines and a little more, cut where lines are very long."""
    first = last = -1
    for hit in hits:
        if hit + _AFTER // 2 < last:
            continue
        newline = low.find("\n", hit + _BEYOND, hit + _AFTER)
        end = newline if newline >= 0 else hit + _AFTER
        start = max(low.rfind("\n", max(0, hit - _BEFORE), hit) + 1, hit - _BEFORE)
        if start > last:
            if last >= 0:
                yield first, last
            first = start
        last = max(last, end)
    if last >= 0:
        yield first, last


def _trimmed(secret: str) -> str:
    """Drop the punctuation of the sentence around a secret."""
    ends = ".,;:)" if "(" not in secret and secret.endswith((")", ").", "),")) else ".,;:"
    return secret.rstrip(ends) or secret


def _cookies(header: str, base: int) -> Iterator[Span]:
    for pair in _PAIR.finditer(header):
        if pair["name"].lower() in _ATTRIBUTES:
            continue
        if is_random(pair["s"], 8 if promise_of(pair["name"]) else 16):
            yield Span(base + pair.start("s"), base + pair.end("s"), "cookie", 3)


def _is_named(name: str, value: str) -> bool:
    """Say whether a command sets a secret: `npm config set //registry/:_authToken …`."""
    promise = promise_of(name)
    if promise is None or _ASSIGNS.match(value):
        return False
    if promise.trust > Trust.WEAK and (UUID.match(value) or is_coined(value)):
        return True
    return is_told(value) if promise.trust is Trust.SURE else is_random(value)


def _is_field(name: str, value: str) -> bool:
    promise = promise_of(name)
    return promise is not None and is_secret(value, promise.trust, quoted=True)


def _is_login(value: str) -> bool:
    bare = value.strip("\"'`").lower()
    return (
        bare not in WORDS
        and not is_reference(value)
        and not bare.isdigit()
        and not bare.startswith(("$", "{", "<", "%"))
    )


def _is_flag(value: str) -> bool:
    return (
        len(value) >= 4
        and _is_login(value)
        and value[0] not in "-/|&>"
        and ":/" not in value
        and not _FILE.search(value)
    )


def _is_argument(value: str) -> bool:
    """Say whether the second of two words in quotes is a password: `login("jane", "…")`."""
    return len(value) >= 5 and not value.isalpha() and " " not in value and _is_login(value)


def _is_header(value: str) -> bool:
    return (
        not is_reference(value)
        and "(" not in value
        and (
            is_random(value)
            or is_coined(value)
            or (len(value) >= 32 and any(c.isdigit() for c in value))
        )
    )


def _is_userpass(value: str) -> bool:
    """Say whether base64 holds `user:password`."""
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except binascii.Error:
        return False
    return b":" in plain and plain.isascii()


def _is_phrase(value: str) -> bool:
    return len(set(re.split(r"[ ,]+", value))) >= 4


_CHECKS: dict[str, Callable[[str], bool]] = {
    **CHECKS,
    "any": lambda s: not is_reference(s) or "/" in s,
    "word": _is_login,
    "login": _is_login,
    "flag": _is_flag,
    "argument": _is_argument,
    "random": lambda s: is_random(s) or is_coined(s) or bool(UUID.match(s)),
    "path": lambda s: is_random(s, 20) or bool(UUID.match(s)),
    "pair": lambda s: is_password(s) and "." not in s[:-1] and not s.isalpha(),
    "password": is_password,
    "header": _is_header,
    "userpass": _is_userpass,
    "phrase": _is_phrase,
}
