"""Facts that say the same in other words are collapsed when they are shown, never when written.

Hermes runs on the Mac mini.            shown
Hermes is now running on the Mac mini.  +1 more in other words
Hermes runs on the Mac mini because the laptop overheated.   shown: it says something new
"""

import re
from collections.abc import Iterable

from scry.asking import STOP, crude
from scry.index import Index
from scry.model import Fact
from scry.text import fold

_WORD = re.compile(r"[^\W_]+(?:[.:/-][^\W_]+)*")
_NEW_WORDS = 2
"""How many words a restatement may hold that the shown sentence lacks: "is now", "still runs"."""


def collapsed(index: Index, facts: Iterable[Fact]) -> list[tuple[Fact, int]]:
    """Return facts in their order, each with how many others only restate it."""
    groups: dict[tuple[object, ...], list[tuple[Fact, int]]] = {}
    order: list[tuple[tuple[object, ...], int]] = []
    for fact in facts:
        key = _triple(index, fact)
        group = groups.setdefault(key, [])
        for place, (shown, more) in enumerate(group):
            if _restates(index, fact, shown):
                group[place] = (shown, more + 1)
                break
        else:
            order.append((key, len(group)))
            group.append((fact, 0))
    return [groups[key][place] for key, place in order]


def _triple(index: Index, fact: Fact) -> tuple[object, ...]:
    end = index.names.final(fact.dst) if fact.dst else "=" + fold(fact.value or "")
    slot = (index.names.final(fact.src), fact.relation, end, fold(fact.qualifier))
    return (*slot, fact.stance, fact.invalid_at is None)


def _restates(index: Index, fact: Fact, shown: Fact) -> bool:
    """Say whether a fact tells hardly a word, and no number, that the shown one does not."""
    new = _words(index, fact) - _words(index, shown)
    return len(new) <= _NEW_WORDS and not any(c.isdigit() for word in new for c in word)


def _words(index: Index, fact: Fact) -> set[str]:
    names = (index.entity(slug).name for slug in (fact.src, fact.dst) if slug)
    ends = {crude(w) for name in names for w in _WORD.findall(name.casefold())}
    words = (w for w in _WORD.findall(fact.fact.casefold()) if w not in STOP)
    return {crude(word) for word in words} - ends
