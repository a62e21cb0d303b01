"""A text as the finders see it: itself, in lower case, and the words in it that could matter.

Most words can be no part of any secret, and most texts hold few others.  So each word is looked at once and what it
gives away is remembered (see `clues`); a finder asks first whether a page holds a word for it.
"""

from collections.abc import Iterator, Mapping
from enum import IntFlag


class Clue(IntFlag):
    """What a word could be part of."""

    TOKEN = 1
    """It holds a token known by its beginning."""
    INSIDE = 2
    """It holds a token known by text inside it."""
    PLACE = 4
    """It names a place that may hold a secret."""
    NAME = 8
    """It is a name that promises a secret, or the second half of one."""
    BASE64 = 16
    """It may be base64 of a text."""
    ARMOUR = 32
    """It stands in the marker of a private key."""


class Sheet:
    """One text to search, and the words in it that give a clue."""

    __slots__ = ("_low", "clues", "text")

    def __init__(self, text: str, clues: Mapping[int, list[str]]) -> None:
        self.text = text
        self.clues = clues
        """Words by the clue that they give; a clue that none gives is left out."""
        self._low: str | None = None

    @property
    def low(self) -> str:
        """The text in lower case, of the same length, so that places in it are the same."""
        if self._low is None:
            self._low = lowered(self.text)
        return self._low


def whole_words(text: str, word: str) -> Iterator[tuple[int, int]]:
    """Yield where a word stands between white space."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not text[at - 1 : at].strip() and not text[end : end + 1].strip():
            yield at, end
        at = text.find(word, end)


def places(text: str, words: str) -> Iterator[int]:
    """Yield where some words stand, one behind the other."""
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + len(words))


def overlapping(text: str, words: str) -> Iterator[int]:
    """Yield where some words stand, each place of them."""
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + 1)


def lowered(text: str) -> str:
    """Return a text in lower case, of the same length."""
    low = text.lower()
    return low if len(low) == len(text) else text.replace("İ", "I").lower()
