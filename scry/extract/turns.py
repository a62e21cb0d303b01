"""Which turn of a chunk says a sentence: hence a claim's line, and whose word it is.

A reply may name the line, but it is checked, because a fact's origin follows from it: what the
agent said must not become what the user said.  What a fact is about counts most; the small words of
a language count next to nothing, and a word that every turn holds tells nothing.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from scry.model import Turn

# Runs of ASCII and runs of other letters apart, for Chinese and Japanese set no spaces.
_WORDS = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+")
_ENOUGH = 0.5
"""How well the turn that a reply names must fit, beside the one that fits best."""
_SMALL = frozenset(
    """about after all also and any are because been but can did does for from had has have his how into its
    just more new not now off one only out over she should some than that the their them then there they this
    was were what when where which who why will with would you your""".split()
)


class Turns:
    """The turns of one chunk, ready to be compared with sentences."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = tuple(turns)
        self._words = [words(turn.text) for turn in turns]
        self._shared = Counter(word for bag in self._words for word in bag)

    def saying(
        self, sentence: str, *, src: str = "", end: str = "", named: object = None
    ) -> Turn | None:
        """Return the turn that says a sentence, the first of those that fit equally well.

        Args:
            sentence: the fact.
            src: the name of its subject.
            end: the name or value that it joins to it.
            named: what the reply gives as `turn`; anything, for it is only a hint.
        """
        if not self._turns:
            return None
        weights = _weights(sentence, src, end)
        scores = [self._score(weights, bag) for bag in self._words]
        best = max(range(len(scores)), key=scores.__getitem__)
        line = _line(named)
        near = [i for i, turn in enumerate(self._turns) if turn.line <= line <= turn.last]
        hinted = max(near, key=scores.__getitem__, default=best)
        if scores[best] == 0:
            return self._turns[0] if len(self._turns) == 1 else None
        return self._turns[hinted if scores[hinted] >= _ENOUGH * scores[best] else best]

    def _score(self, weights: Mapping[str, float], bag: set[str]) -> float:
        return sum(weights[word] / self._shared[word] for word in weights.keys() & bag)


def words(text: str) -> set[str]:
    """Return the words of a text, case folded; pairs of letters where no spaces are set.

    >>> sorted(words("Hermes が db1 に移した"))
    ['db1', 'hermes', 'が', 'した', 'に移', '移し']
    """
    found: set[str] = set()
    for run in _WORDS.findall(text.casefold()):
        if run.isascii() or len(run) < 3 or not _is_wide(run):
            found.add(run)
        else:
            found.update(run[i : i + 2] for i in range(len(run) - 1))
    return found


def _weights(sentence: str, src: str, end: str) -> dict[str, float]:
    """Return what each word tells about where the sentence was said."""
    weights = {word: 0.1 if _is_small(word) else 1.0 for word in words(sentence)}
    for name in (src, end):
        parts = words(name)
        for word in parts:
            # `Go` is a language where it is an end; and a number is said where it is news, while
            # people say "it" of what it is about.
            share = 4.0 / len(parts) * (1.5 if word.isdigit() else 1)
            weights[word] = max(weights.get(word, 0), share)
    return weights


def _is_small(word: str) -> bool:
    return word in _SMALL or (len(word) < 3 and word.isascii() and word.isalpha())


def _is_wide(run: str) -> bool:
    return any("\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" for char in run)


def _line(named: object) -> int:
    match named:
        case bool():
            return 0
        case int():
            return named
        case str() if found := re.fullmatch(r"\s*\[?\s*(\d{1,9})\s*\]?\s*", named):
            return int(found[1])
        case _:
            return 0
