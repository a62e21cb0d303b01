"""Read a value as it stands behind its name: in quotes, or bare up to where a sentence or an address goes on."""

import re

_BARE = re.compile(
    r"""(?:[^\s"'`<>,;|&\\，。；」』）、“”„»\x1b]+|&(?=[^\s"'`<>,;|&=\\\[]{0,40}\d)(?![\w.%\[\]-]{1,60}[=\[]|\#?\w{1,10};))+"""
)
GLANCE, LONGEST = 200, 4096
"""Characters of a value that are read at first, and that are masked at most."""


def rest(text: str, at: int, first: int) -> int | None:
    """Return where a long value ends that begins at `first` and was read up to `at`, None when it ends there."""
    more = _BARE.match(text, at, first + LONGEST)
    return more.end() if more else None


def folded(text: str, at: int, indent: str) -> int:
    """Return where a value ends of which more lines follow, each a word as far in as the first."""
    line = re.compile(rf"[ \t]{{0,8}}\r?\n{indent}[\w+/=.-]{{4,400}}(?=[ \t]{{0,8}}(?:\r?\n|\Z))")
    for _ in range(LONGEST // 4):
        if not (more := line.match(text, at)):
            break
        at = more.end()
    return at


def bare(text: str, first: int) -> str:
    """Return the beginning of what stands unquoted at a place."""
    found = _BARE.match(text, first, first + GLANCE)
    if not found or len(found[0]) >= GLANCE:
        return found[0] if found else ""
    return _trimmed(found[0])


def quoted(text: str, first: int, quote: str) -> str:
    """Return what stands between quotes, or "" when the quote is not closed on its line."""
    end, limit = first, first + LONGEST
    while quote and (end := text.find(quote, end, limit)) >= 0:
        if len(quote) > 1 or text[end - 1] != "\\":
            return "" if "\n" in text[first:end] else text[first:end]
        end += 1
    return ""


def _trimmed(value: str) -> str:
    """Drop the punctuation that ends a sentence or closes a bracket around the value."""
    if value.endswith((".", ":")):
        value = value.rstrip(".:!?")
    for opening, closing in ("()", "[]", "{}"):
        spare = value.count(closing) - value.count(opening)
        while spare > 0 and value.endswith((closing, closing + ".")):
            value, spare = value.rstrip(".")[:-1], spare - 1
    return value
