"""Which known names a text names: the longest match at each place, whole names only.

Costs one pass over the words of the text, whatever the number of names.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable

from scry.text import normalise_name, slug_of

_EDGES = ".,;:!?()[]{}<>\"'`*“”‘’"
_WORD = re.compile(r"([^\s_-]+)([_-]+(?=[^\s_-]))?")
_FIRST_WIDE = 0x2E80
"""From here on scripts put no space between words."""


class Vocabulary:
    """The spellings of all names on record, ready to be found in texts."""

    def __init__(self, spellings: Iterable[str] = ()) -> None:
        self._keys: set[str] = set()
        # First word of a name -> number of words of the longest name that begins with it.
        self._longest: dict[str, int] = {}
        self._wide: dict[str, str] = {}
        # Words of names that begin or end with a sign which elsewhere is punctuation: .NET, A*
        self._edged: set[str] = set()
        for spelling in spellings:
            self.add(spelling)

    def add(self, spelling: str) -> None:
        """Let a name be found from now on."""
        name, key = normalise_name(spelling), slug_of(spelling)
        if not name:
            return
        self._keys.add(key)
        first, *rest = name.split(" ")
        self._longest[first] = max(self._longest.get(first, 0), 1 + len(rest))
        self._edged |= {word for word in (first, *rest) if word != word.strip(_EDGES)}
        if any(ord(char) >= _FIRST_WIDE for char in name):
            self._wide[name] = key

    def names_in(self, text: str, *, whole: bool = True) -> dict[str, str]:
        """Return key -> words, for each known name that a text names, in the text's order.

        A name inside a longer known name does not count, nor, where `whole`, one that goes on
        behind a hyphen: hermes is not in hermes-east.
        """
        words = _words(text, self._edged)
        words = words if whole else [(word, False) for word, _ in words]
        found: dict[str, str] = {}
        position = 0
        while position < len(words):
            size = self._match(words, position)
            if size:
                name = " ".join(word for word, _ in words[position : position + size])
                found.setdefault(slug_of(name), name)
            position += size or 1
        folded = text.casefold()
        for name, key in sorted(self._wide.items(), key=lambda pair: (-len(pair[0]), pair[0])):
            if name in folded:
                found.setdefault(key, name)
                folded = folded.replace(name, " ")
        return found

    def _match(self, words: list[tuple[str, bool]], position: int) -> int:
        """Return how many words the longest known name at a position has; 0 for none."""
        if position and words[position - 1][1]:
            return 0
        longest = min(self._longest.get(words[position][0], 0), len(words) - position)
        for size in range(longest, 0, -1):
            run = words[position : position + size]
            if not run[-1][1] and slug_of(" ".join(word for word, _ in run)) in self._keys:
                return size
        return 0


def _words(text: str, edged: Collection[str]) -> list[tuple[str, bool]]:
    """Return the words of a text as names have them, each with whether a hyphen joins the next.

    Signs around a word are punctuation, unless with them it is one of `edged`.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    out = []
    for found in _WORD.finditer(folded):
        bare = found[1].strip(_EDGES).removesuffix("'s").removesuffix("’s")
        if edged and bare != found[1]:
            bare = next((word for word in _trimmed(found[1]) if word in edged), bare)
        out.append((bare, bool(found[2])))
    return out


def _trimmed(word: str) -> list[str]:
    """Return a word with more and more of the signs around it taken away."""
    left = len(word) - len(word.lstrip(_EDGES))
    right = len(word) - len(word.rstrip(_EDGES))
    return [word[i : len(word) - j] for i in range(left + 1) for j in range(right + 1)]
