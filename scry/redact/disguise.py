r"""Secrets in disguise: the same text with its wrapping taken off, and the way back.

    \x1b[1m  zero width  \ at a line's end  "a" + "b"      dropped
    %3D  &quot;  \u003d  \x3d                              read as the character they stand for

What is found in the plain text is masked in the original.  Only the lines that hold a disguise are looked at again.
"""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

# Each begins with one character of a small class, so that the search skips to those quickly.
_DISGUISE = re.compile(
    r"[\x1b\\`\"'\u00ad\u200b-\u200f\u2060-\u2064\ufeff%&](?:"
    r"(?P<dropped>(?<=[\u00ad\u200b-\u200f\u2060-\u2064\ufeff])|"
    r"(?:(?<=\x1b)|(?<=\\)(?:u001b|x1b|033|e))\[[0-9;?]{0,20}[A-Za-z]|"
    r"(?<=\\)\r?\n[ \t]{0,20}|(?<=`)\r?\n[ \t]{0,20}(?=[A-Za-z0-9])|"
    r"(?<=[\"'])[ \t]{0,4}(?:[+.&]|\.\.|<>)[ \t]{0,4}(?:\\?\r?\n[ \t]{0,40})?[\"'])|"
    r"(?P<entity>(?<=&)(?:quot|apos|amp|lt|gt|equals|colon|\#\d{2,3}|\#x[0-9A-Fa-f]{2});)|"
    r"(?P<coded>(?:(?<=%)|(?<=\\)(?:u00|x))[2-7][0-9A-Fa-f]))"
)


@dataclass(frozen=True, slots=True)
class Plain:
    """A text without its disguise.  Piece `n` of it begins at `here[n]`, and at `there[n]` of the original."""

    text: str
    here: list[int]
    there: list[int]
    literal: list[bool]
    """Whether the piece is the same in both; else it stands for a longer one."""

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return where in the original a stretch of the plain text stands."""
        return self._place(start), self._place(end - 1, after=True)

    def _place(self, at: int, *, after: bool = False) -> int:
        n = bisect_right(self.here, at) - 1
        if self.literal[n]:
            return self.there[n] + at - self.here[n] + after
        return self.there[n + 1] if after else self.there[n]


def undisguised(text: str) -> Plain | None:
    """Return the lines that hold a disguise without it, or None when there is none."""
    found = [match for match in _DISGUISE.finditer(text) if not _closes(match)]
    if not found:
        return None
    pieces: list[str] = []
    here, there, literal = [], [], []
    size = 0

    def add(piece: str, at: int, *, same: bool) -> None:
        nonlocal size
        here.append(size)
        there.append(at)
        literal.append(same)
        pieces.append(piece)
        size += len(piece)

    for first, last, inside in _windows(text, found):
        at = first
        for match in inside:
            add(text[at : match.start()], at, same=True)
            add(_plain(match), match.start(), same=False)
            at = match.end()
        add(text[at:last], at, same=True)
        add("\n", last, same=True)
    there.append(len(text))
    return Plain("".join(pieces), here, there, literal)


def _windows(
    text: str, found: list[re.Match[str]]
) -> Iterator[tuple[int, int, list[re.Match[str]]]]:
    """Yield the runs of lines that hold a disguise, with what is found in each."""
    inside: list[re.Match[str]] = []
    first = last = -1
    for match in found:
        if match.start() >= last:
            if inside:
                yield first, last, inside
            first, inside = text.rfind("\n", 0, match.start()) + 1, []
        inside.append(match)
        if match.end() > last:
            newline = text.find("\n", match.end())
            last = len(text) if newline < 0 else newline
    yield first, last, inside


def _closes(match: re.Match[str]) -> bool:
    """Say whether a backtick before a line break closes what another on its line has opened."""
    if match[0][0] != "`" or "\n" not in match[0]:
        return False
    text, at = match.string, match.start()
    return text.count("`", text.rfind("\n", 0, at) + 1, at) % 2 == 1


def _plain(match: re.Match[str]) -> str:
    if match["coded"]:
        return chr(int(match[0][-2:], 16))
    return html.unescape(match[0]) if match["entity"] else ""
