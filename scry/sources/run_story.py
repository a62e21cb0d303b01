"""A run told in order: the goal, then of each iteration what is new in its plan, and its verdicts.

A paper is compared with the one of the same name in the iteration before: the same prompt in a
hundred iterations is said once.  Times of files are bounds from above, for a copy is younger than
what it copies; so nothing is dated later than what follows it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from scry.model import Problem, Said
from scry.sources.markdown import Line, decoded, visible
from scry.sources.run_changes import changed
from scry.sources.run_files import GOAL, LARGEST, LEARNED, PLAN, VERDICT, Layout, Paper, Round
from scry.sources.run_status import OPEN, Verdict
from scry.sources.run_verdicts import in_json, in_markdown
from scry.text import parse_time, short_hash

_ENDS = "finished_at_utc finished_at ended_at completed_at timestamp date updated_at".split()
_BEGINS = "started_at_utc started_at created_at start_time".split()
STATE = "state"
"""The kind of the last words, which sum up how the run stands."""
_NAMED = 20
"""Checks that the final state names."""


@dataclass(slots=True)
class Story:
    """Events of a run, as papers are told one iteration after the other."""

    folder: Path
    events: list[Said] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _before: dict[str, list[Line]] = field(default_factory=dict)
    _verdicts: dict[str, Verdict] = field(default_factory=dict)
    """Of the last iteration that has any, by check."""
    _open: list[str] = field(default_factory=list)
    _goals: set[str] = field(default_factory=set)

    def tell(self, one: Round, *, goal: bool | None = None) -> None:
        """Add what the papers of an iteration say; of the run's own, the goal or all else."""
        papers = [p for p in one.papers if goal is None or (p.role == GOAL) == goal]
        known = len(self.problems)
        documents = {p: self._parsed(p) for p in papers if _is_json(p)}
        broken = len(self.problems) > known
        begun, ended = _dates(documents.values())
        for role in (GOAL, PLAN, LEARNED):
            for paper in (p for p in papers if p.role == role):
                self._document(one, paper, begun)
        told = self._judge(one, [p for p in papers if p.role == VERDICT], documents, ended)
        if one.name and (broken or all(verdict.status == OPEN for verdict in told)):
            self._open.append(one.name)
        if told:
            stands = one.adds or not one.name
            self._verdicts = dict(self._verdicts.items() if stands else ())
            self._verdicts |= {verdict.check: verdict for verdict in told}

    def close(self, layout: Layout) -> None:
        """Add the state in which the run stands."""
        last = [name for name in self._open if name == (layout.rounds or [Round("")])[-1].name]
        count = len(layout.rounds)
        parts = [f"After {count} iteration{'s' * (count != 1)}" if count else "At the end"]
        good = [v for v in self._verdicts.values() if v.status == "pass"]
        bad = [f"{v.check} ({v.status})" for v in self._verdicts.values() if v.status != "pass"]
        parts.append(f"{len(good)} of {len(self._verdicts)} checks pass")
        parts += (
            [f"not: {', '.join(bad[:_NAMED])}{' …' if len(bad) > _NAMED else ''}"] if bad else []
        )
        parts += [f"{name} is open" for name in last]
        if self._verdicts or last:
            text = "; ".join(parts) + "."
            uid = short_hash("run", STATE, text, length=16)
            at, file = (self.events[-1].at, self.events[-1].file) if self.events else (None, "")
            self.events.append(
                Said(at=at, line=0, role="assistant", text=text, kind=STATE, uid=uid, file=file)
            )
        if self._verdicts and not layout.rounds:
            self.problems.append(
                Problem(
                    str(self.folder),
                    "only the last round of verdicts lies here, and git has no earlier ones",
                )
            )

    def dated(self) -> list[Said]:
        """Return the events with their numbers; none is dated later than one that follows it."""
        out: list[Said] = []
        bound: datetime | None = None
        for number, event in reversed(list(enumerate(self.events, start=1))):
            bound = min(filter(None, (bound, event.at)), default=None)
            out.append(replace(event, line=number, at=bound))
        return out[::-1]

    # --- one paper ------------------------------------------------------------------------------

    def _document(self, one: Round, paper: Paper, begun: datetime | None) -> None:
        lines = self._lines(paper)
        whole = "\n".join(line.text for line in lines).strip()
        before = self._before.get(paper.key, [])
        self._before[paper.key] = lines
        if paper.role == GOAL and whole in self._goals:
            return
        self._goals |= {whole} if paper.role == GOAL else set()
        self._say(one, paper, paper.role, changed(lines, before), begun)

    def _judge(
        self,
        one: Round,
        papers: Iterable[Paper],
        documents: Mapping[Paper, object],
        ended: datetime | None,
    ) -> list[Verdict]:
        """Add the verdicts of an iteration; a report gives the reason for what a table lists."""
        told: dict[tuple[str, str], tuple[Verdict, Paper]] = {}
        for paper in sorted(papers, key=lambda p: not _is_json(p)):
            name = paper.path.stem
            if paper in documents:
                found = in_json(documents[paper], name)
            else:
                report = in_markdown(self._lines(paper), name)
                found = [report] if report else []
            for verdict in found:
                held = told.get((verdict.check, verdict.status))
                if held is None or (verdict.reason and not held[0].reason):
                    told[verdict.check, verdict.status] = verdict, paper
        for verdict, paper in told.values():
            self._say(one, paper, VERDICT, str(verdict), ended)
        return [verdict for verdict, _ in told.values()]

    def _say(self, one: Round, paper: Paper, kind: str, text: str, at: datetime | None) -> None:
        if not text.strip():
            return
        file = paper.path.relative_to(self.folder).as_posix()
        self.events.append(
            Said(
                at=at or datetime.fromtimestamp(paper.changed_ns // 1_000_000_000, UTC),
                line=0,
                role="user" if kind == GOAL else "assistant",
                text=text,
                kind=kind,
                uid=short_hash("run", one.name, kind, file, text, length=16),
                file=file,
            )
        )

    # --- reading --------------------------------------------------------------------------------

    def _lines(self, paper: Paper) -> list[Line]:
        return visible(self._text(paper))

    def _parsed(self, paper: Paper) -> object:
        """Return what a document holds, None where it is not whole."""
        text = self._text(paper)
        try:
            return json.loads(text) if text.strip("\0 \r\n\t") else None
        except (ValueError, RecursionError) as error:
            line = getattr(error, "lineno", None)
            self._problem(paper, "it is no whole JSON; perhaps it is still being written", line)
            return None

    def _text(self, paper: Paper) -> str:
        if paper.data is not None:
            return decoded(paper.data)
        try:
            with paper.path.open("rb") as file:
                raw = file.read(LARGEST + 1)
        except OSError as error:
            self._problem(paper, f"cannot be read: {error.strerror}")
            return ""
        if len(raw) > LARGEST:
            self._problem(paper, f"larger than {LARGEST // 1000} KB, and so not read")
            return ""
        return decoded(raw)

    def _problem(self, paper: Paper, message: str, line: int | None = None) -> None:
        self.problems.append(Problem(str(paper.path), message, line))


def _is_json(paper: Paper) -> bool:
    return paper.path.suffix.lower() == ".json"


def _dates(documents: Iterable[object]) -> tuple[datetime | None, datetime | None]:
    """Return when an iteration began and ended, where its documents say so."""
    begun: list[datetime] = []
    ended: list[datetime] = []
    for document in documents:
        if not isinstance(document, Mapping):
            continue
        inner = document.get("timestamps")
        for held in (document, inner if isinstance(inner, Mapping) else {}):
            begun += filter(None, (_moment(held.get(key)) for key in _BEGINS))
            ended += filter(None, (_moment(held.get(key)) for key in _ENDS))
    return min(begun or ended, default=None), max(ended or begun, default=None)


def _moment(value: object) -> datetime | None:
    """Read a time as text, or as seconds or milliseconds since 1970; none before 2000 is meant."""
    if isinstance(value, str):
        moment = parse_time(value)
        return moment if moment and moment.year >= 2000 else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value / 1000 if value > 1e11 else value
        return datetime.fromtimestamp(int(seconds), UTC) if 9.4e8 < seconds < 4.2e9 else None
    return None
