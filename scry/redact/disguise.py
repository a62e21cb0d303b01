r"""Secrets in disguise: the same text with its wrapping taken off, and the way back.

    \x1b[1m  zero width  \ at a line's end  "a" + "b"      dropped
    \_  a*b*c  p a s s w o r d                             dropped
    %3D  &quot;  \u003d  \x3d  \075  \n                     read as the character they stand for
    ｐａｓｓ  раss (letters of another script)             read as the character they look like

What is found in the plain text is masked in the original.  Only the lines that hold a disguise are looked at again.
"""

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

# Each begins with one character of a small class, so that the search skips to those quickly.
_HIDDEN = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u0300-\u036f"
_WIDE = "\uff10-\uff19\uff21-\uff3a\uff3f\uff41-\uff5a\u24b6-\u24e9\U0001d400-\U0001d7ff"
# Letters of other scripts that look like those of ours, and ours.
_ALIKE = dict(
    zip(
        "асеіјорѕхуһԁкмтвнАВЕНІЈКМОРСТХУЅαορνιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aceijopsxyhdkmtbhABEHIJKMOPCTXYSaopviABEZHIKMNOPTYX",
        strict=True,
    )
)
_LIKE = "".join(_ALIKE)
_DISGUISE = re.compile(
    rf"[\x1b<\\`\"'{_HIDDEN}%&*{_WIDE}{_LIKE}](?:"
    # Most of these are quotes around plain words: what follows tells that first.
    r"(?:(?<![\"'`])|(?=[ \t]{0,4}[+.&<\"'\r\n\\]))(?:"
    rf"(?P<dropped>(?<=[{_HIDDEN}])|"
    r"(?:(?<=\x1b)|(?<=\\)(?:u001b|x1b|033|e))\[[0-9;?]{0,20}[A-Za-z]|"
    r"(?<=\\)\r?\n[ \t]{0,20}|(?<=\\)\\\\n[ \t]{0,20}|(?<=\\)\\?(?=[_*~-])|(?<=`)\r?\n[ \t]{0,20}(?=[A-Za-z0-9])|"
    r"(?<=[A-Za-z0-9_=>-]<)/?(?:b|i|u|em|strong|span|wbr|code|mark|font)\b[^<>\n]{0,40}>|"
    r"(?<=[A-Za-z0-9]\*)\*?(?=[A-Za-z0-9])|"
    r"(?<=[\"'])[ \t]{0,4}(?:[+.&]|\.\.|<>)[ \t]{0,4}(?:\\?\r?\n[ \t]{0,40})?[\"']|"
    r"(?<=[A-Za-z0-9_-][\"'])[ \t]{0,4}(?:(?:\r?\n|\\{1,2}n)[ \t]{0,40})?[\"'](?=[A-Za-z0-9]))|"
    rf"(?P<alike>(?<=[{_WIDE}])|(?<=[{_LIKE}])(?:(?=[{_LIKE}]{{0,8}}[A-Za-z])|(?<=[A-Za-z].)|(?<=[A-Za-z]..)))|"
    r"(?P<line>(?<=\\)\\?[nt]|(?<=\\)\\?r\\{1,2}n)|(?P<octal>(?<=\\)\\{0,3}(?:0[4-7][0-7]|1[0-7][0-7]))|"
    r"(?P<entity>(?<=&)(?:quot|apos|amp|lt|gt|equals|colon|\#\d{2,3}|\#x[0-9A-Fa-f]{2});)|"
    r"(?P<coded>(?:(?<=%)(?:25)?|(?<=\\)\\{0,3}(?:u00|x))[2-7][0-9A-Fa-f])))"
)
# `P A S S W O R D :` -- the blanks between single characters.
_SPACED = re.compile(r"(?<![^\s\"'(])[!-~](?: [!-~]){6,400}(?=[\s\"')]|\Z)")
_MANY_SINGLE = re.compile(r" [!-~] [!-~] [!-~] [!-~] [!-~] ?")


class _Cover(NamedTuple):
    """A stretch of a text that stands for something else."""

    start: int
    end: int
    plain: str


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
    found = [_read(match) for match in _DISGUISE.finditer(text) if not _closes(match)]
    if blanks := list(_blanks(text)):
        found = sorted({*found, *blanks})
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
        for cover in inside:
            add(text[at : cover.start], at, same=True)
            add(cover.plain, cover.start, same=False)
            at = cover.end
        add(text[at:last], at, same=True)
        add("\n", last, same=True)
    there.append(len(text))
    return Plain("".join(pieces), here, there, literal)


def _windows(text: str, found: list[_Cover]) -> Iterator[tuple[int, int, list[_Cover]]]:
    """Yield the runs of lines that hold a disguise, with what is found in each."""
    inside: list[_Cover] = []
    first = last = -1
    for cover in found:
        if cover.start >= last:
            if inside:
                yield first, last, inside
            first, inside = text.rfind("\n", 0, cover.start) + 1, []
        inside.append(cover)
        if cover.end > last:
            newline = text.find("\n", cover.end)
            last = len(text) if newline < 0 else newline
    yield first, last, inside


def _blanks(text: str) -> Iterator[_Cover]:
    """Yield the blanks between characters that stand alone."""
    done = 0
    for single in _MANY_SINGLE.finditer(text):
        if single.start() < done:
            continue
        first = text.rfind("\n", 0, single.start()) + 1
        newline = text.find("\n", single.end())
        done = len(text) if newline < 0 else newline + 1
        for found in _SPACED.finditer(text, first, done):
            for at in range(found.start() + 1, found.end() - 1, 2):
                yield _Cover(at, at + 1, "")


def _closes(match: re.Match[str]) -> bool:
    """Say whether a backtick before a line break closes what another on its line has opened."""
    if match[0][0] != "`" or "\n" not in match[0]:
        return False
    text, at = match.string, match.start()
    return text.count("`", text.rfind("\n", 0, at) + 1, at) % 2 == 1


def _read(match: re.Match[str]) -> _Cover:
    """Return what stands in a disguise."""
    what = match[0]
    plain = ""
    if match["coded"]:
        plain = chr(int(what[-2:], 16))
    elif match["octal"]:
        plain = chr(int(what[-3:], 8))
    elif match["entity"]:
        plain = html.unescape(what)
    elif match["line"]:
        plain = "\t" if what[-1] == "t" else "\n"
    elif match["alike"] is not None:
        plain = _ALIKE.get(what) or unicodedata.normalize("NFKC", what)
    return _Cover(*match.span(), plain)
