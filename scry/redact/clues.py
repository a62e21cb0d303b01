r"""What each word of a text could be part of, remembered from text to text.

    text    "the token is in src/app.py"
    words   the token is in src/app.py        white space parts them, and no clue reaches over it
    clues         NAME, PLACE

A word that gives no clue is dull, and nine of ten words of a text have been seen before and found dull.  Taking
those away is one operation on sets; only the others are looked at, all together.  Words that give a clue are not
remembered for long, and long words not at all.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import filterfalse

from scry.redact import assignments, blocks, encoding, placing, shapes
from scry.redact.page import Clue, Sheet, lowered
from scry.redact.spans import MASK

_MANY = 40_000
"""Dull words that are remembered, and words with a clue a tenth of that; then memory begins anew."""
_LONG = 100
"""Characters of a word that is too long to be remembered."""
_CUT = 4_000
_BITS = tuple(
    tuple(clue.value for clue in Clue if given & clue.value)
    for given in range(2 * max(clue.value for clue in Clue))
)
"""The clues of a word one by one, by all of them together."""
_FINDERS: tuple[tuple[int, Callable[[str, str], Iterator[int]]], ...] = (
    (Clue.TOKEN.value, shapes.clues),
    (Clue.INSIDE.value, shapes.clues_inside),
    (Clue.PLACE.value, placing.clues),
    (Clue.NAME.value, assignments.clues),
    (Clue.BASE64.value, encoding.clues),
    (Clue.ARMOUR.value, blocks.clues),
)
_dull: set[str] = set()
_telling: dict[str, int] = {}


class Page(Sheet):
    """One text to search, with stars for what stands in its masks: no finder looks into those."""

    __slots__ = ()

    def __init__(self, text: str) -> None:
        if "[REDACTED:" in text:
            text = MASK.sub(_stars, text)
        words = set(filterfalse(_dull.__contains__, text.split()))
        super().__init__(text, _by_clue(words) if words else {})


def _stars(mask: re.Match[str]) -> str:
    return "[" + "*" * (len(mask[0]) - 2) + "]"


def _by_clue(words: set[str]) -> dict[int, list[str]]:
    known = {word: _telling[word] for word in words if word in _telling}
    if len(known) < len(words):
        known |= _looked_at(words - known.keys())
    out: dict[int, list[str]] = {}
    for word, given in known.items():
        for bit in _BITS[given]:
            out.setdefault(bit, []).append(word)
    return out


def _looked_at(words: set[str]) -> dict[str, int]:
    """Return what new words give away, and remember it."""
    text = "\n".join(words)
    low = lowered(text)
    # The one letter whose small form is longer, so that a word has two forms in lower case.
    found = {word: Clue.PLACE.value for word in words if "İ" in word} if "İ" in text else {}
    # A value is cut where it is so long, and what is left of the word may be a name.
    found |= {word: Clue.NAME.value for word in words if len(word) > _CUT}
    for clue, places in _FINDERS:
        for word in _words_at(text, places(text, low)):
            found[word] = found.get(word, 0) | clue
    _remember(words, found)
    return found


def _words_at(text: str, places: Iterable[int]) -> Iterator[str]:
    """Yield the words in which places stand that come in order, each once."""
    end = -1
    for at in places:
        if at > end:
            start = text.rfind("\n", 0, at) + 1
            newline = text.find("\n", at)
            end = len(text) if newline < 0 else newline
            yield text[start:end]


def _remember(words: set[str], found: dict[str, int]) -> None:
    if len(_dull) > _MANY:
        _dull.clear()
    _dull.update(word for word in words if word not in found and len(word) <= _LONG)
    if len(_telling) > _MANY // 10:
        _telling.clear()
    _telling.update((word, given) for word, given in found.items() if len(word) <= _LONG)
