"""Statements cut into stretches of time: when each was true, computed from the statements alone.

    A said in May, B in June, A again in July   ->   A [May, June)  B [June, July)  A' [July, )

The result is a function of the set of statements and their own dates, so the order of arrival
does not matter: a late one lands already ended.  Ends are never accumulated; each time they are
computed anew and written out for people.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from scry.model import Citation
from scry.relations import EXCLUSIVE
from scry.statement import CONTRADICTS, Statement, stretch_id
from scry.text import fold

Dated = Callable[[Citation], datetime | None]
"""Gives a citation's date: its own, else that of its episode, else None."""

_BEFORE_ALL = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A statement for `[start, end)`, by some of its citations.  `reason` makes it wait."""

    id: str
    statement: Statement
    start: datetime | None
    end: datetime | None = None
    ended_by: str = ""
    citations: tuple[Citation, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One citation of one statement, as the timeline sees it."""

    at: datetime
    said: str
    statement: Statement
    citation: Citation


def stretches(statements: Iterable[Statement], dated: Dated) -> list[Stretch]:
    """Return the stretches of all statements of one slot, that is of one src, relation, qualifier.

    Only asserted statements about an exclusive relation end each other.
    """
    found: list[Stretch] = []
    rivals: list[Statement] = []
    for statement in statements:
        if statement.relation in EXCLUSIVE and statement.stance == "asserted":
            rivals.append(statement)
        else:
            found.append(_whole(statement, dated))
    return found + _timeline(rivals, dated)


def _whole(statement: Statement, dated: Dated) -> Stretch:
    """Return a statement as one stretch: it began when it was first said and has not ended."""
    dates = [at for at in map(dated, statement.citations) if at is not None]
    return Stretch(
        id=statement.id,
        statement=statement,
        start=min(dates, default=statement.since),
        citations=tuple(sorted_citations(statement.citations)),
    )


def sorted_citations(citations: Iterable[Citation]) -> list[Citation]:
    """Return citations in the order in which a file lists them."""
    return sorted(citations, key=lambda c: (c.episode, c.line, c.at or _BEFORE_ALL))


def _timeline(rivals: list[Statement], dated: Dated) -> list[Stretch]:
    entries = [
        _Entry(
            dated(citation) or statement.since or _BEFORE_ALL,
            _object(statement),
            statement,
            citation,
        )
        for statement in rivals
        for citation in statement.citations or (Citation(""),)
    ]
    open_entries, shadowed = _trusted(entries)
    by_date: dict[datetime, list[_Entry]] = defaultdict(list)
    for entry in open_entries:
        by_date[entry.at].append(entry)
    runs: dict[str, dict[str, list[_Entry]]] = {}  # object -> statement id -> entries, still open
    seen: set[str] = set()
    done: list[Stretch] = []
    for at in sorted(by_date):
        objects = {entry.said for entry in by_date[at]}
        closed = [runs.pop(said) for said in sorted(set(runs) - objects)]
        for entry in by_date[at]:
            runs.setdefault(entry.said, {}).setdefault(entry.statement.id, []).append(entry)
        if closed:
            # The newest statement ends what it contradicts; on a tie the smallest id is named.
            heir = min(_run_id(b, run, seen) for said in objects for b, run in runs[said].items())
            done += [_closed(run, seen, end=at, heir=heir) for c in closed for run in c.values()]
    done += [_closed(run, seen) for group in runs.values() for run in group.values()]
    return done + [_waiting(group, seen) for group in shadowed]


def _object(statement: Statement) -> str:
    return statement.dst if statement.dst is not None else "=" + fold(statement.value or "")


def _run_id(birth: str, run: list[_Entry], seen: set[str]) -> str:
    start = min(entry.at for entry in run)
    return stretch_id(birth, _real(start)) if birth in seen else birth


def _real(at: datetime) -> datetime | None:
    return None if at == _BEFORE_ALL else at


def _closed(
    run: list[_Entry], seen: set[str], *, end: datetime | None = None, heir: str = ""
) -> Stretch:
    """Return a run of entries as a stretch.  The first stretch of a statement keeps its id."""
    statement = run[0].statement
    stretch = Stretch(
        id=_run_id(statement.id, run, seen),
        statement=statement,
        start=_real(min(entry.at for entry in run)),
        end=end,
        ended_by=heir,
        citations=tuple(sorted_citations(e.citation for e in run if e.citation.episode)),
    )
    seen.add(statement.id)
    return stretch


def _trusted(entries: list[_Entry]) -> tuple[list[_Entry], list[list[_Entry]]]:
    """Split entries into those that count and, by statement, those that must wait.

    An entry waits when a higher level has said something else, at that time or before, and has
    not changed its mind: a machine never ends what a person wrote.
    """
    counted: list[_Entry] = []
    waiting: dict[str, list[_Entry]] = defaultdict(list)
    for entry in entries:
        above = [
            e for e in entries if e.statement.level > entry.statement.level and e.at <= entry.at
        ]
        latest = max((e.at for e in above), default=None)
        says = {e.said for e in above if e.at == latest}
        if says and entry.said not in says:
            waiting[entry.statement.id].append(entry)
        else:
            counted.append(entry)
    return counted, [waiting[key] for key in sorted(waiting)]


def _waiting(run: list[_Entry], seen: set[str]) -> Stretch:
    stretch = _closed(run, seen)
    return replace(stretch, reason=CONTRADICTS + stretch.statement.relation)


def end_superseded(
    found: list[Stretch], enders: Mapping[str, Iterable[tuple[datetime | None, int, str]]]
) -> list[Stretch]:
    """End exactly the stretches that a statement names as replaced.

    `enders` gives, for a fact's id, (date, level, id) of each statement that supersedes it.
    Nothing ends before it begins, and nothing is ended by a statement that is trusted less.
    """
    out = []
    for stretch in found:
        ends = [
            (at, by)
            for at, level, by in enders.get(stretch.id, ())
            if at is not None
            and level >= stretch.statement.level
            and (stretch.start is None or at > stretch.start)
        ]
        if ends:
            at, by = min(ends)
            if stretch.end is None or at < stretch.end:
                stretch = replace(stretch, end=at, ended_by=by)  # noqa: PLW2901 -- the same stretch, ended
        out.append(stretch)
    return out
