"""What a document says that its version before did not: the part of a plan that is worth reading.

    # Plan            # Plan                 # Plan
    - fix the lock    - fix the lock    ->   - measure it
                      - measure it

What has only moved is not new, and what is gone is not told.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from scry.sources.markdown import Line, headings, joined

_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]")


def changed(lines: Sequence[Line], before: Sequence[Line]) -> str:
    """Return the blocks that were not there before, under the headings they stand under.

    A block is a paragraph, a list item or a stretch of code.
    """
    if not before:
        return joined(lines)
    known = {" ".join(text.split()) for _, text in _blocks(before)}
    out: list[str] = []
    shown: set[tuple[int, str]] = set()
    for path, text in _blocks(lines):
        if " ".join(text.split()) in known:
            continue
        out += [head for number, head in path if (number, head) not in shown and head != text]
        shown.update(path)
        out.append(text)
    return "".join(_apart(one, after) + after for one, after in pairwise(["", *out]))


def _apart(one: str, after: str) -> str:
    """Return what parts two blocks: between items of a list no line stays empty."""
    if not one:
        return ""
    return "\n" if _ITEM.match(one) and _ITEM.match(after) else "\n\n"


def _blocks(lines: Sequence[Line]) -> Iterator[tuple[tuple[tuple[int, str], ...], str]]:
    """Yield each block with the headings above it, as (line number, line); a heading is a block."""
    path: dict[int, tuple[int, str]] = {}
    heads = {head.start: head for head in headings(lines)}
    run: list[Line] = []
    place = 0
    while place < len(lines):
        line, head = lines[place], heads.get(place)
        ends = head or (not line.code and (not line.text.strip() or _ITEM.match(line.text)))
        if run and (ends or line.code != run[-1].code):
            yield tuple(path.values()), joined(run)
            run = []
        if head:
            text = joined(lines[place : head.body])
            path = {level: one for level, one in path.items() if level < head.level}
            path[head.level] = (line.number, text)
            yield tuple(path.values()), text
        elif line.text.strip() or line.code:
            run.append(line)
        place = head.body if head else place + 1
    if run:
        yield tuple(path.values()), joined(run)
