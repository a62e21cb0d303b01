"""What may no longer hold because something else has ended.  Pure; only look-ups in the index.

    - hermes runs_on mac-mini (ended 2026-11-03)
    ! hermes configures launchd may no longer hold (named mac-mini)

A current fact is in doubt when it is about the subject of one that has ended, had been said by the
time that one ended, and names what it ended with: by its other end, or in its sentence.  Nothing is
changed for that; a person is told.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from scry.index import Index
from scry.model import Fact
from scry.relations import EXCLUSIVE
from scry.resolve.grounding import is_named
from scry.text import fold, normalise_name, one_line

_TELLING = frozenset("0123456789/._:@")
_LONGEST = 80
_WORD = re.compile(r"[^\W_]+")
_EVER = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A current fact, the one that has ended, and what of it the first one names."""

    fact: Fact
    ended: Fact
    named: str


def doubts(index: Index, ended: Iterable[Fact]) -> list[Doubt]:
    """Return the current facts that may no longer hold, each once, sorted by subject and id."""
    out: dict[str, Doubt] = {}
    current: dict[str, _Current] = {}
    for gone in ended:
        subject = index.names.final(gone.src)
        if subject not in current:
            current[subject] = _Current(index, subject)
        for doubt in _about(index, current[subject], gone):
            first = out.setdefault(doubt.fact.id, doubt)
            if _when(doubt) > _when(first):
                out[doubt.fact.id] = doubt
    return sorted(out.values(), key=lambda d: (d.fact.src, d.fact.relation, d.fact.id))


def doubt_lines(index: Index, ended: Iterable[Fact]) -> list[str]:
    """Return one line of a commit message for each fact in doubt."""
    return [
        f"! {one_line(f'{d.fact.src} {d.fact.relation} {d.fact.dst or d.fact.value}', 120)}"
        f" may no longer hold (named {one_line(d.named, 40)})"
        for d in doubts(index, ended)
    ]


def _when(doubt: Doubt) -> tuple[datetime, str]:
    return doubt.ended.invalid_at or _EVER, doubt.ended.id


class _Current:
    """The current facts about one subject, by their other end and by the words of their sentences.

    So that a thing with thousands of facts, of which hundreds have ended, is read once.
    """

    def __init__(self, index: Index, subject: str) -> None:
        self.all: list[Fact] = []
        self.by_end: dict[str, list[Fact]] = defaultdict(list)
        self.by_value: dict[tuple[str, str], list[Fact]] = defaultdict(list)
        self._by_word: dict[str, list[Fact]] = defaultdict(list)
        final = index.names.final
        for fact in index.facts_of(subject):
            if fact.invalid_at is not None or fact.stance == "denied":
                continue
            self.all.append(fact)
            for end in {final(slug) for slug in (fact.src, fact.dst) if slug} - {subject}:
                self.by_end[end].append(fact)
            self.by_value[fact.relation, fold(fact.value or "")].append(fact)
            for word in set(_WORD.findall(fact.fact.casefold())):
                self._by_word[word].append(fact)

    def naming(self, name: str) -> Iterable[Fact]:
        """Return the facts whose sentence names something."""
        words = _WORD.findall(normalise_name(name))
        whole = not words or not words[0].isascii()  # Such scripts do not part their words.
        found = self.all if whole else self._by_word.get(words[0], ())
        return (fact for fact in found if is_named(fact.fact, name))


def _about(index: Index, current: _Current, gone: Fact) -> Iterator[Doubt]:
    end = gone.invalid_at
    if end is None:
        return
    found = [fact for name in _spellings(index, gone) for fact in current.naming(name)]
    if gone.dst is not None:
        found += current.by_end.get(index.names.final(gone.dst), ())
    elif gone.relation not in EXCLUSIVE:
        found += current.by_value.get((gone.relation, fold(gone.value or "")), ())
    for fact in found:
        heir = fact.id in (gone.id, gone.superseded_by)
        if not heir and (fact.valid_from is None or fact.valid_from < end):
            yield Doubt(fact, gone, gone.dst or gone.value or "")


def _spellings(index: Index, gone: Fact) -> tuple[str, ...]:
    """Return how a sentence would name what has ended; a state such as `live` is no name."""
    if gone.dst is not None:
        known = index.names.spellings(index.names.final(gone.dst))
        return tuple(sorted({gone.dst, *known}))
    value = gone.value or ""
    telling = 1 < len(value) <= _LONGEST and not _TELLING.isdisjoint(value)
    return (value,) if telling else ()
