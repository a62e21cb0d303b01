"""Spans of text that hold a secret, and the masks that take their place.

A mask is `[REDACTED:kind]`.  What already is a mask stays untouched, whatever claims it: that is what makes redacting
twice the same as redacting once.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

MASK = re.compile(r"\[REDACTED:[a-z0-9][a-z0-9-]{0,30}\]")


class Span(NamedTuple):
    """Characters `start` to `end` (excluded) of a text are a secret of a kind.

    Where spans overlap, the one of the lowest `rank` gives the kind.
    """

    start: int
    end: int
    kind: str
    rank: int = 0


def mask(text: str, spans: Iterable[Span], kinds: frozenset[str]) -> str:
    """Return a text with its secrets masked.  A mask of one of the `kinds` is left as it is.

    The number of lines does not change.
    """
    found = sorted(spans)
    if not found:
        return text
    kept = (
        [m.span() for m in MASK.finditer(text) if m[0][10:-1] in kinds]
        if "[REDACTED:" in text
        else []
    )
    out: list[str] = []
    at = 0
    for span in _without(kept, _united(found)):
        lines = "\n" * text.count("\n", span.start, span.end)
        out += text[at : span.start], f"[REDACTED:{span.kind}]", lines
        at = span.end
    return "".join((*out, text[at:]))


def unspared(spans: Iterable[Span], text: str, spared: Sequence[str]) -> Iterable[Span]:
    """Leave out the spans that lie within a place where a spared text stands."""
    if not (held := [words for words in spared if words in text]):
        return spans
    inside = sorted(m.span() for words in held for m in re.finditer(re.escape(words), text))
    starts = [start for start, _ in inside]
    ends = list(accumulate((end for _, end in inside), max))
    return (
        span
        for span in spans
        if not (n := bisect_right(starts, span.start)) or ends[n - 1] < span.end
    )


def lines_with_masks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the runs of lines in which masks stand, each with the lines before and after it."""
    first = last = -1
    for found in MASK.finditer(text):
        if found.end() <= last:
            continue
        line = text.rfind("\n", 0, found.start())
        start = text.rfind("\n", 0, max(line, 0)) + 1
        if start > last:
            if last >= 0:
                yield first, last
            first = start
        line = text.find("\n", found.end())
        beside = text.find("\n", line + 1) if line >= 0 else -1
        last = beside if beside >= 0 else len(text)
    if last >= 0:
        yield first, last


def _united(spans: Iterable[Span]) -> Iterator[Span]:
    """Unite spans that overlap; they are in order."""
    last: Span | None = None
    for span in spans:
        if last is None or span.start >= last.end:
            if last is not None:
                yield last
            last = span
            continue
        best = min(last, span, key=lambda s: s.rank)
        last = Span(last.start, max(last.end, span.end), best.kind, best.rank)
    if last is not None:
        yield last


def _without(kept: list[tuple[int, int]], spans: Iterable[Span]) -> Iterator[Span]:
    """Cut the kept stretches out of the spans; both are in order."""
    n = 0
    for span in spans:
        start = span.start
        while n < len(kept) and kept[n][1] <= start:
            n += 1
        inside = n
        while inside < len(kept) and kept[inside][0] < span.end:
            if start < kept[inside][0]:
                yield span._replace(start=start, end=kept[inside][0])
            start = kept[inside][1]
            inside += 1
        if start < span.end:
            yield span._replace(start=start)
