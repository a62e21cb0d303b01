"""Which known names a text names: the longest match at each place, whole names only.

Costs one pass over the words of the text, whatever the number of names.
"""

from collections.abc import Iterable

from scry.text import normalise_name, slug_of

_EDGES = ".,;:!?()[]{}<>\"'`*“”‘’"
_FIRST_WIDE = 0x2E80
"""From here on scripts put no space between words."""


class Vocabulary:
    """The spellings of all names on record, ready to be found in texts."""

    def __init__(self, spellings: Iterable[str] = ()) -> None:
        self._keys: set[str] = set()
        # First word of a name -> number of words of the longest name that begins with it.
        self._longest: dict[str, int] = {}
        self._wide: dict[str, str] = {}
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
        if any(ord(char) >= _FIRST_WIDE for char in name):
            self._wide[name] = key

    def names_in(self, text: str) -> dict[str, str]:
        """Return key -> words, for each known name that a text names, in the text's order.

        A name inside a longer known name does not count.
        """
        words = [_bare(word) for word in normalise_name(text).split(" ")]
        found: dict[str, str] = {}
        position = 0
        while position < len(words):
            size = self._match(words, position)
            if size:
                name = " ".join(words[position : position + size])
                found.setdefault(slug_of(name), name)
            position += size or 1
        folded = text.casefold()
        for name, key in sorted(self._wide.items(), key=lambda pair: (-len(pair[0]), pair[0])):
            if name in folded:
                found.setdefault(key, name)
                folded = folded.replace(name, " ")
        return found

    def _match(self, words: list[str], position: int) -> int:
        """Return how many words the longest known name at a position has; 0 for none."""
        longest = min(self._longest.get(words[position], 0), len(words) - position)
        for size in range(longest, 0, -1):
            if slug_of(" ".join(words[position : position + size])) in self._keys:
                return size
        return 0


def _bare(word: str) -> str:
    bare = word.strip(_EDGES)
    return bare.removesuffix("'s").removesuffix("’s")
