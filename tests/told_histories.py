"""Scripted histories, and what held when, worked out from the script alone.

    4: Hermes status live          said on day 4, in the order in which the lines arrive
    2: Hermes uses Redis / 2       the second sentence with that meaning
    6: Hermes uses Valkey > 1      replaces what line 1 has said

`held` is the oracle: it knows the lines, the rules of the format page, and nothing of Scry.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

DAY_0 = datetime(2026, 3, 1, 12, tzinfo=UTC)
THINGS = ["Hermes", "Talos", "Vault", "Loki"]
TOOLS = ["Redis", "Valkey", "Postgres"]
STATES = ["live", "paused", "down"]
ONE_AT_A_TIME = "status"


@dataclass(frozen=True)
class Line:
    """One line of a script: what was said, and on which day."""

    day: int
    src: str
    relation: str
    end: str
    words: int = 1
    where: str = ""
    replaces: int | None = None

    @property
    def sentence(self) -> str:
        where = f" in {self.where}" if self.where else ""
        return f"{self.src} {self.relation} {self.end}{where}, as told {self.words}."

    @property
    def at(self) -> datetime:
        return DAY_0 + timedelta(days=self.day)


Script = Sequence[Line]


def tell(random: Random) -> list[Line]:
    """Return a script of a few lines; some come late, some say again what was said before."""
    lines: list[Line] = []
    for _ in range(random.randint(4, 9)):
        if lines and random.random() < 0.2:
            old = random.choice(lines)
            again = Line(random.randint(0, 9), old.src, old.relation, old.end, old.words, old.where)
            if _may_be_said_again(lines, again):
                lines.append(again)
                continue
        line = _line(random)
        targets = [
            place
            for place, old in enumerate(lines)
            if old.src == line.src and old.relation != ONE_AT_A_TIME and old.day < line.day
            if sum(old.sentence == other.sentence for other in lines) == 1
            if old.sentence != line.sentence
        ]
        fresh = all(old.sentence != line.sentence for old in lines)
        if targets and fresh and line.relation != ONE_AT_A_TIME:
            line = Line(
                line.day, line.src, line.relation, line.end, line.words, line.where, targets[0]
            )
        if fresh or _may_be_said_again(lines, line):
            lines.append(line)
    return lines


def _line(random: Random) -> Line:
    day, src = random.randint(0, 9), random.choice(THINGS)
    words, where = random.randint(1, 3), random.choice(["", "", "production"])
    if random.random() < 0.45:
        return Line(day, src, ONE_AT_A_TIME, random.choice(STATES), words, where)
    others = [thing for thing in (*THINGS, *TOOLS) if thing != src]
    return Line(day, src, random.choice(["uses", "calls"]), random.choice(others), words, where)


def _may_be_said_again(lines: Script, again: Line) -> bool:
    """A line that is replaced, or replaces another, is said once: so much is left to other tests."""
    replaced = {lines[line.replaces].sentence for line in lines if line.replaces is not None}
    replacing = {line.sentence for line in lines if line.replaces is not None}
    return again.sentence not in replaced | replacing


def held(script: Script, when: datetime) -> set[str]:
    """Return the sentences that were true at a moment, as far as a script has told."""
    out = set()
    for line in script:
        if line.relation == ONE_AT_A_TIME:
            if _is_latest(script, line, when):
                out.add(line.sentence)
        elif line.at <= when and not _is_replaced(script, line, when):
            out.add(line.sentence)
    return out


def _is_replaced(script: Script, line: Line, when: datetime) -> bool:
    enders = [s.at for s in script if s.replaces is not None and script[s.replaces] == line]
    return any(line.at < at <= when for at in enders)


def _is_latest(script: Script, line: Line, when: datetime) -> bool:
    """A state holds from when it is said until the first day that only tells of others."""
    slot = [
        other
        for other in script
        if (other.src, other.relation, other.where) == (line.src, line.relation, line.where)
        if other.at <= when
    ]
    days = {other.day for other in slot if other.day >= line.day}
    told = {day: {other.end for other in slot if other.day == day} for day in days}
    return line.at <= when and all(line.end in ends for ends in told.values())


def connected(script: Script, when: datetime, start: str, goal: str) -> bool:
    """Say whether statements that held at a moment lead from one thing to another."""
    true = held(script, when)
    edges = [(s.src, s.end) for s in script if s.sentence in true and s.relation != ONE_AT_A_TIME]
    reached = {start}
    for _ in edges:
        reached |= {b for a, b in edges if a in reached} | {a for a, b in edges if b in reached}
    return goal in reached
