"""Strings of a reply, made fit to keep: text, names and verbs.

Prose is cleaned and kept.  A name is never cleaned, because a cleaned twin could pass for another
name: it is taken as it is or refused.  Prose and verbs are redacted here; that a name is no
secret, `identity` sees to.
"""

import re
import unicodedata

from scry.redact import redact
from scry.text import clean_prose, normalise_name, one_line

_SPARE = 8_192
"""How much beyond a limit is redacted before text is cut: no half of a secret may stay."""


def prose(text: str, limit: int = 1_000) -> str:
    """Return text on one line, cleaned and redacted, cut well beyond `limit` characters."""
    start = text.strip()[: limit + _SPARE]
    # A secret must neither escape by an invisible letter in its middle, nor come about by taking
    # one out: so the redactor runs before and after.
    shown = " ".join(_visible(redact(_writable(start))).split())
    return str(redact(shown))


def scalar(value: object) -> str:
    """Return a JSON scalar as it was written; "" for null, lists and objects."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case float():
            return str(getattr(value, "written", value))
        case int():
            return str(value)
        case _:
            return ""


def cut(text: str, limit: int) -> str:
    """Return text of at most `limit` characters, cut between words where that costs little."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > limit * 3 // 4 else head).rstrip() + "…"


def verb(text: str) -> str:
    """Return a relation as a reply names it, as `snake_case` in any script; "" for none.

    >>> verb("Is Deployed: On!"), verb("läuft auf"), verb("-")
    ('is_deployed_on', 'läuft_auf', '')
    """
    plain = unicodedata.normalize("NFC", _visible(_writable(text)))
    return re.sub(r"[\W_]+", "_", str(redact(plain)).casefold()).strip("_")


def quote(text: str, limit: int = 80) -> str:
    """Return a reply's words as a note may show them: in quotes, redacted, on one line."""
    return f"'{one_line(prose(text), limit)}'"


def spelling(name: str) -> str:
    """Return a name as it is kept: NFC, plain single spaces.  Anything else is left alone."""
    spaced = "".join(" " if unicodedata.category(c) == "Zs" else c for c in name)
    return unicodedata.normalize("NFC", re.sub(" +", " ", spaced).strip(" "))


def twin(name: str) -> str:
    """Return the key of the name that a reader would take this one for."""
    return normalise_name("".join(c for c in _visible(spelling(name)) if c not in "\n\t"))


def has_hidden(name: str) -> bool:
    """Say whether a name holds a character that cannot be seen or would steer a terminal."""
    return any(_is_hidden(char, before) for before, char in zip(" " + name, name, strict=False))


def _visible(text: str) -> str:
    return "".join(
        char
        for before, char in zip(" " + text, text, strict=False)
        if char in "\n\t" or not _is_hidden(char, before)
    )


def _writable(text: str) -> str:
    """Return text that UTF-8 can hold and that keeps its line breaks."""
    return clean_prose(text.replace("\r", "\n"))


def _is_hidden(char: str, before: str) -> bool:
    if char.isascii():
        return not char.isprintable()
    if char in "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0":  # Letters that show nothing.
        return True
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return not unicodedata.category(before).startswith("S")  # An emoji may have a style.
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
