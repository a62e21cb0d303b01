"""Ends that a person has set: what was said before stays ended, what is said later begins anew.

    uses [May, -)  cited in May, June      the person writes  invalid_at: July
    uses [May, July)                       said again in June: it stays ended
    uses [May, July)  uses [August, -)     said again in August: a second stretch

An end is a person's if nothing else on record explains it: no fact that superseded it, and no note
that no longer says so.  The file is all that there is to know of it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scry.index import Index
from scry.model import Citation, Fact
from scry.slots import Dated, Stretch, sorted_citations
from scry.statement import birth_of, stretch_id
from scry.text import fold


@dataclass(frozen=True, slots=True, order=True)
class Cut:
    """Where a person has ended a statement, and what the file cited that says so.

    What it cites belongs to what has ended, also if it is younger than the end: the person has
    overruled it.
    """

    at: datetime
    cited: frozenset[Citation]


def ended_by_hand(index: Index, fact: Fact) -> bool:
    """Say whether a person has set the end of a fact."""
    if fact.invalid_at is None or fact.superseded_by:
        return False
    episodes = [index.episodes.get(citation.episode) for citation in fact.episodes]
    lapsed = [e.ended_at for e in episodes if e is not None and e.ended_at is not None]
    return not lapsed or len(lapsed) < len(episodes) or max(lapsed) != fact.invalid_at


def cuts_of(index: Index, births: Iterable[str]) -> dict[str, list[Cut]]:
    """Return, by birth, where people have ended statements."""
    out: dict[str, list[Cut]] = {}
    for birth in births:
        for fact in index.files_of(birth):
            if not fact.reason and fact.invalid_at and ended_by_hand(index, fact):
                out.setdefault(birth, []).append(Cut(fact.invalid_at, frozenset(fact.episodes)))
    return {birth: sorted(cuts, key=lambda cut: cut.at) for birth, cuts in out.items()}


def cut(found: Iterable[Stretch], cuts: Mapping[str, Sequence[Cut]], dated: Dated) -> list[Stretch]:
    """Return stretches with those cut in two that a person has ended in between."""
    out: list[Stretch] = []
    for stretch in found:
        rest: Stretch | None = stretch
        for one in cuts.get(stretch.statement.id, ()) if not stretch.reason else ():
            if rest is not None and _holds_at(rest, one.at):
                early, rest = _cut(rest, one, dated)
                out.append(early)
        out += [rest] if rest is not None else []
    return out


def _holds_at(stretch: Stretch, at: datetime) -> bool:
    begun = stretch.start is None or stretch.start < at
    return begun and (stretch.end is None or at < stretch.end)


def _cut(stretch: Stretch, one: Cut, dated: Dated) -> tuple[Stretch, Stretch | None]:
    """Return what had ended, and what was said after that, if anything."""
    late = {c: at for c in stretch.citations if (at := dated(c)) is not None and at >= one.at}
    late = {c: at for c, at in late.items() if c not in one.cited}
    early = tuple(c for c in stretch.citations if c not in late)
    ended = replace(stretch, end=one.at, ended_by="", citations=early)
    if not late:
        return ended, None
    start = min(late.values())
    again = replace(
        stretch,
        id=stretch_id(stretch.statement.id, start),
        start=start,
        citations=tuple(sorted_citations(late)),
    )
    return ended, again


def ended_in_other_words(
    index: Index, fact: Fact, birth: str, dates: Sequence[datetime | None]
) -> bool:
    """Say whether a person has ended the same in other words, and this is no newer than that.

    What had been there before the end was set, and was left, stays.
    """
    final = index.names.final
    if any(not there.reason for there in index.files_of(birth)):
        return False
    same = _end_of(fact, final)
    for slug in (final(fact.src), *index.names.merged(final(fact.src))):
        for other in (index.facts[i] for i in index.links.get(slug, ())):
            if (
                other.relation == fact.relation
                and other.invalid_at is not None
                and all(at is None or at < other.invalid_at for at in dates)
                and final(other.src) == final(fact.src)
                and _end_of(other, final) == same
                and ended_by_hand(index, other)
                and birth_of(other)[0] != birth
            ):
                return True
    return False


def _end_of(fact: Fact, final: Callable[[str], str]) -> tuple[str, str, str]:
    end = final(fact.dst) if fact.dst is not None else "=" + fold(fact.value or "")
    return end, fold(fact.qualifier), fact.stance
