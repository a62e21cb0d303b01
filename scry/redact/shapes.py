"""Find the tokens of the table `kinds`.

One expression finds where any of the beginnings occurs; the rows with that beginning are then tried there.
"""

import re
from collections.abc import Iterator

from scry.redact.kinds import SHAPES, Shape
from scry.redact.literals import Literals
from scry.redact.page import Clue, Sheet
from scry.redact.spans import Span

# A row of crosses is how people write that a token was left out.
_CROSSES = re.compile(r"[xX]{5}|\*{3}|(.)\1{50}")
# The first part of a token and what a terminal puts between it and the next line.
_CUT = re.compile(
    r"(?P<part>[A-Za-z0-9_+/=.-]{4,200})(?:\r?\n[#>|+*/ \t-]{0,12}(?=[A-Za-z0-9])|\Z)"
)
# The same in a list of words, of which nobody knows what stands behind them in the text.
_ENDS_CUT = re.compile(r"[A-Za-z0-9_+/=.-]{4,200}(?=\n|\Z)")
_REST = 300
_SHORT = 2_000
_SHORTEST = 14
"""Characters of a text that is short, and of a token in one that is not."""
_BY_LITERAL: dict[str, list[Shape]] = {}
for _shape in SHAPES:
    if _shape.where != "~":
        _BY_LITERAL.setdefault(_shape.literal, []).append(_shape)
_BEGINNINGS = Literals(_BY_LITERAL)
_INSIDE = tuple(shape for shape in SHAPES if shape.where == "~")


def shaped(page: Sheet) -> Iterator[Span]:
    """Yield what has the shape of a known kind of token."""
    held = page.clues.get(Clue.TOKEN, ())
    if held and (len(page.text) < _SHORT or any(len(word) >= _SHORTEST for word in held)):
        yield from _leading(page.text)
    if Clue.INSIDE in page.clues:
        for shape in _INSIDE:
            yield from _inside(page.text, shape)


def clues(words: str, _low: str) -> Iterator[int]:
    """Yield where a token begins."""
    done = 0
    for at, literal in _BEGINNINGS.hits(words):
        for shape in _BY_LITERAL[literal] if at >= done else ():
            first = at + len(literal)
            span = _token(words, at, shape)
            if span or (shape.where == "*" and _ENDS_CUT.match(words, first)):
                # Each line is a word by itself: one that looks cut must not swallow the next.
                line = words.find("\n", at)
                end = span.end if span else first
                done = end if line < 0 else min(end, line)
                yield at
                break


def clues_inside(words: str, _low: str) -> Iterator[int]:
    """Yield where a token begins that is known by text inside it."""
    yield from sorted(span.start for shape in _INSIDE for span in _inside(words, shape))


def _leading(text: str) -> Iterator[Span]:
    done = 0
    for at, literal in _BEGINNINGS.hits(text):
        for shape in _BY_LITERAL[literal] if at >= done else ():
            if span := _token(text, at, shape):
                yield span
                done = span.end
                break


def _inside(text: str, shape: Shape) -> Iterator[Span]:
    at = text.find(shape.literal)
    while at >= 0:
        span = _token(text, at, shape)
        if span:
            yield span
        at = text.find(shape.literal, span.end if span else at + 1)


def _end_of_wrapped(text: str, at: int, shape: Shape) -> int:
    """Return where a token ends that the end of a line has cut in two, 0 when it is none."""
    first = at + len(shape.literal)
    if shape.where != "*" or not (cut := _CUT.match(text, first)):
        return 0
    size = cut.end("part") - first
    found = shape.regex.match(cut["part"] + text[cut.end() : cut.end() + _REST])
    if not found or found.end() <= size:
        return 0
    end = cut.end() + found.end() - size
    return end if any(char.isdigit() for char in text[cut.end() : end]) else 0


def _token(text: str, at: int, shape: Shape) -> Span | None:
    """Return the token of a shape whose literal stands here, or None when it is none."""
    if shape.where != "~" and shape.beginning(text, at) is None:
        return None  # This is asked first, for it costs least.
    found = shape.regex.match(text, at + len(shape.literal))
    if not (end := found.end() if found else _end_of_wrapped(text, at, shape)):
        return None
    if (start := shape.beginning(text, at)) is None:
        return None
    while text[end - 1] == ".":
        end -= 1
    return None if _CROSSES.search(text, start, end) else Span(start, end, shape.kind, 2)
