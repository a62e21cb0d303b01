r"""Values that stand behind a name that promises a secret: `DB_PASSWORD=…`, `"token": "…"`, `the password is …`.

    name   how it may go on to its value                                          such as
    ----   --------------------------------------------------------------------   ---------------------------------
    ident  quote? type? = : := => == -> ：                                         token: str = "…", 'key' => '…'
    ident  line break, alone on its line                                          password:\n  …
    ident  > … <                                                                  <password>…</password>
    ident  </key><string>                                                         <key>apiToken</key><string>…
    ident  quote , … value = :                                                    key="ApiKey" value="…"
    ident  quote ,                                                                define('DB_PASSWORD', '…')
    -ident blank                                                                  --password …
    ident  | , (a table)   is, to, for …:   blank                                 the password for the bot is …

The closer a way is to prose, the more the value must look like a secret by itself.  Only names are searched for; what
stands around them is read where they are found, within bounds, so that time stays linear.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scry.redact.names import Promise, Trust, promise_of
from scry.redact.page import Clue, Sheet, whole_words
from scry.redact.reading import GLANCE, bare, quoted, rest
from scry.redact.spans import Span
from scry.redact.values import is_coined, is_password, is_random, is_secret

_NOUN = re.compile(
    r"p(?:ass|w[dw]?(?![a-z])|sk|at(?![a-z])|in(?![a-z])|hpsess|riv)|se(?:cret|nha|ed|ss)|s(?:alt(?![a-z])|id(?![a-z])|ig)|"
    r"token|key|auth|mdp(?![a-z])|c(?:red|ookie|ontrasena|ode(?![a-z]))|bearer|jwt|otp|motdepasse|kennwort|hmac|dsn|log(?:in)(?![a-z])|"
    r"webhook|jsession|unlockcode"
)
_IDENT = re.compile(r"[A-Za-z0-9_.$-]*")
_IDENT_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-")
_CLOSE = r"""(?:\\{0,8}["'`]|\[\d{0,5}\]|\]|\*\*){0,3}"""
_OPEN = r"""(?:[rbfunRBFUN@$]{1,2}(?=["'])|(?:new[ ])?[A-Za-z_][\w.:]{0,40}\((?=\\{0,8}["'`])|\*\*)?[“„«]?(?P<quote>\\{0,8}["'`]{1,3})?"""
_TYPE = (
    r"""(?:[ \t]*:?[ \t]*&?(?:'static[ ])?(?:string|str|String|char[ ]?\*|SecretStr|bytes|Text|any|Any|object|Optional\[str\]|"""
    r"""str[ ]\|[ ]None|\[\]byte|NSString[ ]?\*)[?!]?(?=[ \t]{0,4}=))?"""
)
_WAYS = {
    "direct": re.compile(
        _CLOSE
        + _TYPE
        + r"[ \t]{0,20}(?:\*\*)?(?:={2,3}|=>|:{0,3}=|(?:\?\?|\|\||[?+.~])=|!={1,2}|->|:(?![:/]/?)|：|＝)(?:\*\*)?"
        r"""(?:[ \t]{0,20}[|>]?[+-]?[ \t]{0,8}\r?\n(?P<below>[ \t]{0,60})|[ \t]{0,20}(?:\(\s{0,60}(?=[rbfu]?["']))?)"""
        + _OPEN
    ),
    "element": re.compile(r"[^<>\n]{0,80}>\s{0,80}(?:<!\[CDATA\[)?(?P<quote>(?!))?"),
    "pair": re.compile(
        r"""\\{0,8}["'`]?(?:[ ][\w-]{1,20}=["'][^"'\n]{0,40}["']){0,2}[ \t]{0,8}[,;{]?\s{0,40}[-{]?\s{0,8}\\{0,8}["']?(?:\w{1,20}[_-])?(?:value|Value|VALUE|default|content)"""
        r"""\\{0,8}["']?[ \t]{0,8}[:=][ \t]{0,8}""" + _OPEN
    ),
    "plist": re.compile(r"</key>\s{0,80}<string>(?P<quote>(?!))?"),
    "next": re.compile(r"""\\{0,8}["'`][ \t]{0,8},[ \t]{0,8}""" + _OPEN),
    "flag": re.compile(r"[ \t]{1,8}" + _OPEN),
    "cell": re.compile(r"[`*\"]{0,3}(?:[ \t]{0,40}\|[ \t]{0,40}|[,;](?=\S)|\t{1,4})" + _OPEN),
    "said": re.compile(
        r"[`*\"']{0,3}(?:[ \t][\w'’/()@.-]{1,24}){0,6}?[ \t]{0,2}(?::|=|：|[ \t](?:is|are|was|to|as|be|è|é|es|est|ist|lautet|jest|är|er|=|->|→)(?::|[ \t]now)?)"
        r"[ \t]{1,4}" + _OPEN
    ),
    "beside": re.compile(r"[ \t]{1,4}\(?" + _OPEN),
}
_WORD_NEXT = re.compile(r" [A-Za-z]{2,}[ ,.]")
_HALF = frozenset({"key", "keys", "token", "tokens"})
_WORD_BEFORE = re.compile(r"([A-Za-z]{2,16})[ ]\Z")
_URN = re.compile(r":\S")
_LOGINS = frozenset({"creds", "cred", "credential", "credentials"})
_PASSWORD = Promise("password", Trust.SURE)
_LOGIN = re.compile(r"[A-Za-z][\w.@-]{1,40}:(?=[^\s/])")
_BEHIND = {'"': ("next",), "'": ("next",), "`": ("next",), "<": ("element",), ":": ("element",)}
_BEHIND[">"] = ("plist",)
"""Ways that are open to a name only behind such a character."""
_SHORTEST_KEY = 10
_ENDS = re.compile(r"[^<>]{0,200}<")
_NAMED = re.compile(r"([\w.%-]{1,60})=")
_SHELL = re.compile(r"[A-Z][A-Z0-9_]*\Z")
_PHRASE = re.compile(r"[a-z]{2,12}(?: [a-z]{2,12}){2,11}\Z")
_BLANK = re.compile(r"[ \t]{0,40}\r?(?:\n|\Z)")
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
    """Yield the nouns of a text: where it has few names that promise anything, only those there."""
    if len(words) > 8:
        yield from _NOUN.finditer(low)
        return
    for first, last in sorted(span for word in words for span in whole_words(text, word)):
        yield from _NOUN.finditer(low, first, last)


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
        if (login := _LOGIN.match(value)) and text[start:end].lower() in _LOGINS:
            first, value, promise = first + login.end(), value[login.end() :], _PASSWORD
        if value and _passes(text, value[:_TELLING], way, promise, (start, end)):
            last = first + len(value)
            if len(value) >= GLANCE:
                last = rest(text, last, first) or last
            return Span(first, last, promise.kind, 4)
    return None


def _ways(text: str, start: int, end: int) -> Iterator[_Way]:
    """Yield the ways from a name to a value, the surest first."""
    before, flag = text[start - 1 : start], text[start : start + 1] == "-"
    urn = before == ":" and _URN.match(text, end)  # arn:aws:secretsmanager:...:secret:name
    names = ["flag"] if flag else ["cell", "said", "beside"]
    if not urn and not _WORD_NEXT.match(text, end):
        names = [*_BEHIND.get(before, ()), "direct", "pair", *names]
    for name in names:
        if found := _WAYS[name].match(text, end):
            yield _Way(name, found)
            if name in {"direct", "pair"}:
                return


def _passes(text: str, value: str, way: _Way, promise: Promise, name: tuple[int, int]) -> bool:
    """Judge a value by the way that leads to it."""
    in_quotes, trust = bool(way.match["quote"]), promise.trust
    if _is_unfit(value, promise):
        return False
    if way.name == "direct" and not in_quotes:
        return _passes_bare(text, value, way, trust, name)
    if way.name in {"element", "plist"}:
        ends = _ENDS.match(text, way.match.end() + len(value))
        return bool(ends) and is_secret(value, trust, quoted=True)
    verb = text[name[0] : name[1]].lower() == "pass"  # "pass `--force` to it"
    if way.name == "beside" or (way.name in {"said", "cell"} and (verb or not in_quotes)):
        seems = is_password if trust is Trust.SURE and not verb else is_random
        return is_secret(value, trust) and (seems(value) or is_coined(value))
    if in_quotes and promise.kind == "passphrase" and _PHRASE.match(value):
        return True
    # What follows in a list may be the next name: ["password", "repository"].
    loose = in_quotes and way.name != "next"
    bare = way.name == "flag" and trust is Trust.SURE
    return (in_quotes or way.name != "next") and is_secret(value, trust, quoted=loose, bare=bare)


def _is_unfit(value: str, promise: Promise) -> bool:
    """Say whether a value cannot be what its name promises, whatever leads to it."""
    if promise.kind.endswith("key") and len(value) < _SHORTEST_KEY:
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
