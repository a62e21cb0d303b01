r"""Markdown as its readers see it: visible lines, and sections under headings.

    # Hermes            ATX heading
    Deploy              setext heading
    ------
    <!-- hidden -->     what no reader sees is no part of it; in code it is seen, and stays

Comments are taken out before headings are looked for, since a comment may hold headings.  Lines
keep the numbers that they have in the file.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from scry.sources.jsonl import legible
from scry.sources.own_words import without_echo

_ADVICE = ("<!-- scry: begin -->", "<!-- scry: end -->")
"""Between these stands the text that Scry's own hooks put into an AGENTS.md."""
_FENCE = re.compile(r"(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t])*(`{3,}(?=[^`]*\Z)|~{3,})")
_ATX = re.compile(r" {0,3}(#{1,6})([ \t].*)?\Z")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
_NO_PARAGRAPH = re.compile(r" {0,3}(?:[>|<]|(?:[-*+]|\d{1,9}[.)])[ \t])")
_INDENTED = re.compile(r" {4}|\t")
_CODE_OR_COMMENT = re.compile(r"(?<!`)(`+)(?!`).{1,400}?(?<!`)\1(?!`)|<!--(?:-?>)?")
# `[//]: # (words)`: a definition of a link that goes nowhere is the other way to write a comment.
_EMPTY_LINK = re.compile(r" {0,3}\[[^\]]*\]:\s*(?:#|<>)\s*(?:[\"'(].*)?\Z")
_KEY = re.compile(r"[\w.-]+\s*[:=]")
_LINES_OF_A_HEADING = 2
"""Longer paragraphs over a line of dashes are text with a rule below, whatever the standard says."""
_NO_END = 1 << 30
_FURTHEST = 200
"""Lines in which the end of a comment, or of a front matter, is looked for."""


@dataclass(frozen=True, slots=True)
class Line:
    """A visible line with its number in the file; `code` when it stands in a fence."""

    number: int
    text: str
    code: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading, up to the next one; `path` holds the headings above it too.

    Text before the first heading has an empty path.
    """

    path: tuple[str, ...]
    text: str
    line: int
    last: int


def decoded(raw: bytes) -> str:
    r"""Return a file's text with `\n` at the ends of lines; damaged bytes become U+FFFD."""
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = raw.decode("utf-16" if wide else "utf-8-sig", "replace")
    return legible(text.replace("\r\n", "\n").replace("\r", "\n"))


def visible(text: str) -> list[Line]:
    """Return the lines that a reader sees, without front matter and without Scry's own words."""
    # Numbers written before the lines survive when a block over several lines is taken out.
    numbered = "\n".join(f"\0{n}\0{line}" for n, line in enumerate(text.split("\n"), start=1))
    left = without_echo(_without_advice(numbered)).split("\n")
    lines = [(int(n), line) for _, n, line in (one.split("\0", 2) for one in left)]
    return list(_seen([(n, re.sub(r"\0\d+\0", "", line)) for n, line in _body(lines)]))


def _without_advice(text: str) -> str:
    first, *others = text.split(_ADVICE[0])
    return first + "".join(one.partition(_ADVICE[1])[2] or one for one in others)


def _body(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines behind the front matter, if there is any."""
    mark = lines[0][1].rstrip() if lines else ""
    if mark not in ("---", "+++"):
        return lines
    ends = ("---", "...") if mark == "---" else ("+++",)
    end = next((i for i, (_, x) in enumerate(lines[1:_FURTHEST], 1) if x.rstrip() in ends), 0)
    first = next((x for _, x in lines[1:end] if x.strip() and not x.startswith("#")), "")
    return lines[end + 1 :] if end and (end == 1 or _KEY.match(first)) else lines


def _seen(lines: Sequence[tuple[int, str]]) -> Iterator[Line]:
    fence, hidden = "", False
    for place, (number, whole) in enumerate(lines):
        text = whole
        if hidden:
            hidden = "-->" not in text
            text = text.partition("-->")[2]
            if hidden or not text.strip():
                continue
        opened = None if fence else _FENCE.match(text)
        if fence or opened:
            fence = opened[1] if opened else _still_open(fence, text)
            yield Line(number, text, code=True)
            continue
        shown, hidden = _without_comments(text, lines, place + 1)
        if _EMPTY_LINK.match(shown) or (shown != text and not shown.strip()):
            continue
        yield Line(number, shown)


def _still_open(fence: str, text: str) -> str:
    """Return the fence, or "" when a line closes it."""
    bare = text.strip(" \t>")
    return "" if len(bare) >= len(fence) and not bare.strip(fence[0]) else fence


def _without_comments(
    text: str, lines: Sequence[tuple[int, str]], following: int
) -> tuple[str, bool]:
    """Return a line without its comments, and whether one goes on in the next line."""
    out, start = "", 0
    if "<!--" not in text:
        return text, False
    for found in _CODE_OR_COMMENT.finditer(text):
        if found.start() < start or found[1]:
            continue
        end = found.end() if found[0].endswith(">") else text.find("-->", found.end()) + 3
        if end >= 3:
            out, start = out + text[start : found.start()], end
            continue
        before = out + text[start : found.start()]
        # At the beginning of a line it hides all that follows; within a paragraph it is a
        # comment only when it ends there.
        if not before.strip() or _ends_in_paragraph(lines, following):
            return before, True
        break
    return out + text[start:], False


def _ends_in_paragraph(lines: Sequence[tuple[int, str]], start: int) -> bool:
    for _, text in lines[start : start + _FURTHEST]:
        if "-->" in text:
            return True
        if not text.strip():
            return False
    return False


# --- sections ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: `start` is where it stands among the lines, `body` where the text below it begins."""

    start: int
    body: int
    level: int
    title: str


def sections(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the sections that hold text, and empty ones that have none below them."""
    found = list(headings(lines))
    path: dict[int, str] = {}
    yield from _section((), lines[: found[0].start if found else len(lines)])
    for own, after in zip_longest(found, found[1:]):
        path = {level: title for level, title in path.items() if level < own.level}
        path[own.level] = own.title
        body = lines[own.body : after.start if after else len(lines)]
        leaf = after is None or after.level <= own.level
        yield from _section(tuple(path.values()), body, lines[own.start : own.body], leaf=leaf)


def _section(
    path: tuple[str, ...], body: Sequence[Line], head: Sequence[Line] = (), *, leaf: bool = False
) -> Iterator[Section]:
    text = joined(body)
    numbers = [line.number for line in (*head, *body) if line.text.strip()]
    if text or (leaf and path[-1]):
        yield Section(path, text, numbers[0], numbers[-1])


def joined(lines: Sequence[Line]) -> str:
    """Return lines as one text, without empty lines at its ends and doubled ones inside."""
    out: list[str] = []
    for line in lines:
        if line.code or line.text.strip() or (out and out[-1].strip()):
            out.append(line.text.rstrip() if not line.code else line.text)
    return "\n".join(out).strip("\n").rstrip()


def _title(text: str) -> str:
    """Return the words of an ATX heading, which may be closed by more signs."""
    words = " ".join(text.split())
    open_ended = words.rstrip("#")
    return open_ended.rstrip() if open_ended.endswith(" ") or not open_ended else words


def headings(lines: Sequence[Line]) -> Iterator[Heading]:
    """Yield the headings of both kinds, in order."""
    paragraph = 0  # How many lines directly above belong to one paragraph.
    for place, line in enumerate(lines):
        atx = None if line.code else _ATX.match(line.text)
        under = None if line.code else _UNDERLINE.match(line.text)
        if atx:
            yield Heading(place, place + 1, len(atx[1]), _title(atx[2] or ""))
        elif under and 0 < paragraph <= _LINES_OF_A_HEADING:
            words = " ".join(one.text for one in lines[place - paragraph : place])
            level = 1 if under[1][0] == "=" else 2
            yield Heading(place - paragraph, place + 1, level, " ".join(words.split()))
        if atx or under or line.code or not line.text.strip():
            paragraph = 0
        elif _NO_PARAGRAPH.match(line.text) or (not paragraph and _INDENTED.match(line.text)):
            paragraph = -_NO_END  # A list, quotation or table: a rule below it is a rule.
        else:
            paragraph += 1
