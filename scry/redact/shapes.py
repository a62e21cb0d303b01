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
    for span in _leading(words):
        yield span.start


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


def _token(text: str, at: int, shape: Shape) -> Span | None:
    """Return the token of a shape whose literal stands here, or None when it is none."""
    found = shape.regex.match(text, at + len(shape.literal))
    if not found or (start := shape.beginning(text, at)) is None:
        return None
    end = found.end()
    while text[end - 1] == ".":
        end -= 1
    return None if _CROSSES.search(text, start, end) else Span(start, end, shape.kind, 2)
