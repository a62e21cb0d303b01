r"""Values that stand behind a name that promises a secret: `DB_PASSWORD=…`, `"token": "…"`, `the password is …`.

`ways` shows how a name may go on to its value.  The closer a way is to prose, the more the value must look like a secret by itself.  Only names are searched for; what
stands around them is read where they are found, within bounds, so that time stays linear.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scry.redact.names import Promise, Trust, promise_of
from scry.redact.page import Clue, Sheet, lowered, places, whole_words
from scry.redact.reading import GLANCE, bare, folded, quoted, rest
from scry.redact.spans import Span
from scry.redact.values import is_coined, is_password, is_random, is_secret, is_told
from scry.redact.ways import BEHIND, IN_TAGS, PROSE, WAYS

_NOUN = re.compile(
    r"p(?:ass|[4@]ss|a[s5$]|sw|w[dw]?(?![a-z])|sk|at(?![a-z])|in(?![a-z])|hpsess|riv)|s(?:e(?:cret|nha|ed|ss)|3cr)|t0ken|s(?:alt(?![a-z])|id(?![a-z])|ig)|"
    r"token|key|auth|mdp(?![a-z])|c(?:red|ookie|ontrasena|ode(?![a-z]))|bearer|jwt|otp|motdepasse|kennwort|hmac|dsn|log(?:in)(?![a-z])|"
    r"webhook|jsession|unlockcode"
)
_IDENT = re.compile(r"[A-Za-z0-9_.$-]*")
_IDENT_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-")
_WORD_NEXT = re.compile(r" [A-Za-z]{2,}[ ,.]")
_HALF = frozenset({"key", "keys", "token", "tokens"})
_WORD_BEFORE = re.compile(r"([A-Za-z]{2,16})[ ]\Z")
_URN = re.compile(r":\S")
_LAST = re.compile(r"[-_.]")
_LOGINS = frozenset({"auth", "creds", "cred", "credential", "credentials"})
_SPOKEN = frozenset({"password", "passphrase"})
_PASSWORD = Promise("password", Trust.SURE)
_LOGIN = re.compile(r"[A-Za-z][\w.@-]{1,40}:(?=[^\s/])")
_SHORTEST_KEY = 10
_ENDS = re.compile(r"(?:[^<>]{0,200}|\]\]>\s{0,20})<")
_NAMED = re.compile(r"([\w.%-]{1,60})=")
_SHELL = re.compile(r"[A-Z][A-Z0-9_]*\Z")
_PHRASE = re.compile(r"[a-z]{2,12}(?: [a-z0-9]{2,12}){2,11}\Z")
_BLANK = re.compile(r"[ \t]{0,40}\r?(?:\n|\Z)")
_FEW = 8
"""Different names, or nouns in them, up to which each is looked for by itself."""
_TELLING = 64
"""Characters of a value that are judged."""


class _Way(NamedTuple):
    """Where a value begins and how it was reached."""

    name: str
    match: re.Match[str]


def assigned(page: Sheet) -> Iterator[Span]:
    """Yield the values of names that promise a secret."""
    if Clue.NAME not in page.clues:
        return
    text, done = page.text, 0
    for hit in _nouns(page.low, page.clues[Clue.NAME], text):
        if hit.start() < done:
            continue
        start, end = _name_at(text, hit, done)
        done = max(end, hit.end())
        promise = promise_of(_full_name(text, start, end))
        if promise and (span := _value(text, start, end, promise)):
            done = max(done, span.end)
            yield span


def clues(words: str, low: str) -> Iterator[int]:
    """Yield where a name stands that promises a secret, or may do so with the word before it."""
    done = 0
    for hit in _NOUN.finditer(low):
        if hit.start() < done:
            continue
        start, end = _name_at(words, hit, done)
        done = max(end, hit.end())
        name = words[max(start, end - 80) : end]
        if name.lower() in _HALF or promise_of(name):
            yield hit.start()


def _nouns(low: str, words: Sequence[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the nouns of a text, at least those in the names that promise anything."""
    if len(words) <= _FEW:
        for first, last in sorted(span for word in words for span in whole_words(text, word)):
            yield from _NOUN.finditer(low, first, last)
        return
    held = {found[0] for found in _NOUN.finditer(lowered("\n".join(words)))}
    if len(held) > _FEW:
        yield from _NOUN.finditer(low)
        return
    end = 0
    for at in sorted(at for noun in held for at in places(low, noun)):
        if at >= end and (found := _NOUN.match(low, at)):
            end = found.end()
            yield found


def _name_at(text: str, hit: re.Match[str], done: int) -> tuple[int, int]:
    """Return where the name begins and ends in which a noun stands."""
    start = hit.start()
    while start > done and text[start - 1] in _IDENT_CHARS:
        start -= 1
    return start, _end_of_name(text, hit.end())


def _end_of_name(text: str, at: int) -> int:
    found = _IDENT.match(text, at)
    end = found.end() if found else at
    while end > at and text[end - 1] in ".-":
        end -= 1
    return end


def _full_name(text: str, start: int, end: int) -> str:
    """Return a name, with the word before it where that tells what key it is: `api key`."""
    name = text[max(start, end - 80) : end]
    if name.lower() in _HALF and (before := _WORD_BEFORE.search(text[max(0, start - 20) : start])):
        return f"{before[1]}_{name}"
    return name


def _value(text: str, start: int, end: int, promise: Promise) -> Span | None:
    for way in _ways(text, start, end):
        first = way.match.end()
        value = quoted(text, first, way.match["quote"] or "") or bare(text, first)
        if (login := _LOGIN.match(value)) and _LAST.split(text[start:end].lower())[-1] in _LOGINS:
            first, value, promise = first + login.end(), value[login.end() :], _PASSWORD
        if value and _passes(text, value[:_TELLING], way, promise, (start, end)):
            last = first + len(value)
            if len(value) >= GLANCE:
                last = rest(text, last, first) or last
            if way.name == "direct" and way.match["below"] and ">" in way.match[0]:
                last = folded(text, last, way.match["below"])
            return Span(first, last, promise.kind, 4)
    return None


def _ways(text: str, start: int, end: int) -> Iterator[_Way]:
    """Yield the ways from a name to a value, the surest first."""
    before = text[start - 1 : start]
    names: tuple[str, ...] = ("flag",) if text[start : start + 1] == "-" else PROSE
    if word := _WORD_NEXT.match(text, end):
        # The next word itself is no value, unless it is long or may go on.
        short = word.end() - end <= _SHORTEST_KEY and word[0][-1] != "." and word[0] != " new "
        names = ("said",) if short and names is PROSE else names
    elif before != ":" or not _URN.match(text, end):  # arn:aws:secretsmanager:...:secret:name
        names = (*BEHIND.get(before, ()), "direct", "pair", "call", *names)
    for name in names:
        if found := WAYS[name].match(text, end):
            yield _Way(name, found)
            if name in {"direct", "pair", "call"}:
                return


def _passes(text: str, value: str, way: _Way, promise: Promise, name: tuple[int, int]) -> bool:
    """Judge a value by the way that leads to it."""
    in_quotes, trust = bool(way.match["quote"]), promise.trust
    plain = not in_quotes and way.name in PROSE
    if (plain and _is_plain(value)) or _is_unfit(value, promise):
        return False
    if way.name in IN_TAGS:
        return _passes_tagged(text, value, way, trust)
    if way.name == "direct" and not in_quotes:
        return _passes_bare(text, value, way, trust, name)
    if way.name in {"call", "atom"}:  # what is handed over is often a name: getToken("user")
        return _seems(value, trust) and is_secret(value, trust)
    phrase = in_quotes and promise.kind == "passphrase" and bool(_PHRASE.match(value))
    verb = text[name[0] : name[1]].lower() == "pass"  # "pass `--force` to it"
    if way.name == "beside" or (way.name in {"said", "cell"} and (verb or not in_quotes)):
        told = promise.kind in _SPOKEN or way.name == "said"
        seems = _seems(value, Trust.WEAK if verb else trust, told=told)
        return phrase or ((seems or is_coined(value)) and is_secret(value, trust))
    # What follows in a list may be the next name: ["password", "repository"].
    loose = in_quotes and way.name != "next"
    bare = way.name == "flag" and trust is Trust.SURE
    fits = (in_quotes or way.name != "next") and is_secret(value, trust, quoted=loose, bare=bare)
    return phrase or fits


def _seems(value: str, trust: Trust, *, told: bool = True) -> bool:
    if trust is not Trust.SURE:
        return is_random(value)
    return is_told(value) if told else is_password(value)


def _passes_tagged(text: str, value: str, way: _Way, trust: Trust) -> bool:
    """Judge a value between two tags."""
    first = way.match.start()
    if way.name == "element" and text[first - 5 : first].lower() == "<code":
        return False  # the element of that name, which says nothing
    ends = _ENDS.match(text, way.match.end() + len(value))
    seems = way.name in {"element", "plist"} or is_told(value)
    return bool(ends) and seems and is_secret(value, trust, quoted=True)


def _is_plain(value: str) -> bool:
    """Say whether a value is what sentences have there: a short word is the first of what nothing else lets pass."""
    return value[0] == "-" or (len(value) < _SHORTEST_KEY and value.isalpha())


def _is_unfit(value: str, promise: Promise) -> bool:
    """Say whether a value cannot be what its name promises, whatever leads to it."""
    if (promise.kind.endswith("key") and len(value) < _SHORTEST_KEY) or value.startswith("pass:"):
        return True
    if not (inner := _NAMED.match(value)):
        return False
    # An assignment itself, which is looked at by its own name.
    return promise.kind == "cookie" or promise_of(inner[1]) is not None


def _passes_bare(text: str, value: str, way: _Way, trust: Trust, name: tuple[int, int]) -> bool:
    """Judge a value without quotes behind `=` or `:`."""
    first, last = name
    if way.match["below"] is not None:
        alone = _BLANK.match(text, way.match.end() + len(value))
        seems = bool(way.match["below"]) or is_password(value)
        return bool(alone) and seems and is_secret(value, trust)
    if trust is Trust.WEAK and text[first - 1 : first] in {"?", "&"}:  # of an address
        return is_random(value, 16) or (len(value) >= 16 and is_secret(value, Trust.NAMED))
    shell = bool(_SHELL.match(text, first, last)) and text[last : last + 1] == "="
    return is_secret(value, trust, bare=shell)
