"""Secrets in base64: a private key, a file of settings, the data of a Kubernetes Secret."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator

from scry.redact.page import Clue, Sheet
from scry.redact.spans import Span

_WORD = re.compile(r"(?<![A-Za-z0-9+/_.-])[A-Za-z0-9+/]{24,}={0,2}(?![A-Za-z0-9_-])")
_HEX = re.compile(r"[0-9a-fA-F]{24,}")
_SAMPLE = 4096
_TEXT = re.compile(rb"[\t\n\r -~]{12,}\Z")
_SECRET = re.compile(r"^[ \t]*[\"']?kind[\"']?:[ \t]*[\"']?secret[\"']?[ \t]*,?\r?$", re.MULTILINE)
_DOCUMENT = re.compile(r"^---", re.MULTILINE)
_DATA = re.compile(r"^([ \t]*)(?:string)?data:[ \t]*\r?\n", re.MULTILINE)
_ENTRY = re.compile(
    r"([ \t]+)[\"']?[\w./-]{1,100}[\"']?:[ \t]*(?:[|>][+-]?[ \t]*\r?\n[ \t]+)?[\"']?(?P<s>[^\s\"'#{][^\s\"']{3,})"
)


def encoded(page: Sheet, holds_secret: Callable[[str], bool]) -> Iterator[Span]:
    """Yield words of base64 whose plain text holds a secret."""
    held = page.clues.get(Clue.BASE64)
    if held and any(True for _ in _words("\n".join(held), holds_secret)):
        yield from _words(page.text, holds_secret)


def clues(words: str, _low: str) -> Iterator[int]:
    """Yield where something stands that may be base64."""
    for found in _WORD.finditer(words):
        yield found.start()


def _words(text: str, holds_secret: Callable[[str], bool]) -> Iterator[Span]:
    for found in _WORD.finditer(text):
        plain = _decoded(found[0])
        if "PRIVATE KEY" in plain:
            yield Span(*found.span(), "private-key", 0)
        elif plain and (holds_secret(plain) or holds_secret(_decoded(plain))):
            yield Span(*found.span(), "encoded", 5)


def _decoded(word: str) -> str:
    """Return the beginning of what base64 encodes, or "" when that is no text."""
    if not len(word) % 2 and _HEX.fullmatch(word):
        plain = bytes.fromhex(word[:_SAMPLE])
        return plain.decode("ascii") if _TEXT.match(plain) else ""
    sample = word[: _SAMPLE - _SAMPLE % 4].rstrip("=")
    try:
        plain = base64.b64decode(
            sample[: len(sample) - (len(sample) % 4 == 1)] + "=" * (-len(sample) % 4)
        )
    except binascii.Error:
        return ""
    return plain.decode("ascii") if _TEXT.match(plain) else ""


def manifests(page: Sheet) -> Iterator[Span]:
    """Yield the data of Kubernetes Secrets; other kinds, such as SealedSecret, hold none in clear."""
    # Most texts hold no `:` at all behind `data`, whatever its case.
    if "ata:" not in page.text and "ATA:" not in page.text and "data:" not in page.low:
        return
    if "data:" not in page.low or "secret" not in page.low:
        return
    first = 0
    for end in (*(m.start() for m in _DOCUMENT.finditer(page.low)), len(page.low)):
        if _SECRET.search(page.low, first, end):
            for data in _DATA.finditer(page.low, first, end):
                yield from _entries(page.text, data.end(), len(data[1]))
        first = end


def _entries(text: str, at: int, indent: int) -> Iterator[Span]:
    while (entry := _ENTRY.match(text, at)) and len(entry[1]) > indent:
        yield Span(*entry.span("s"), "secret", 5)
        newline = text.find("\n", entry.end())
        if newline < 0:
            return
        at = newline + 1
