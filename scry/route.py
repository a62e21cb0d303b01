"""The shortest chain of facts between two things, in both directions of every fact.

Only what holds at the moment, is asserted and joins two entities counts.  Of chains of equal
length the one through the least busy things is taken: "both use Postgres" tells little.
"""

from collections.abc import Iterable
from datetime import datetime

from scry.index import Index
from scry.lookup import facts_by_entity, find_entity
from scry.model import Fact


def path(
    index: Index, a: str, b: str, *, now: datetime, as_of: datetime | None = None
) -> list[Fact] | None:
    """Return the shortest chain of facts from one name to another; None when there is none.

    Two names of one thing are joined by an empty chain.

    Raises:
        UnknownNameError: a name leads nowhere, or to more than one thing.
    """
    start, goal = find_entity(index, a).slug, find_entity(index, b).slug
    at = as_of or now
    facts_of = facts_by_entity(index)
    # Best way to each thing reached so far: busyness of the things passed, then the facts' ids.
    reached: dict[str, tuple[int, tuple[str, ...]]] = {start: (0, ())}
    edge = dict(reached)
    while edge and goal not in reached:
        onward: dict[str, tuple[int, tuple[str, ...]]] = {}
        for slug, (busy, chain) in edge.items():
            steps = _steps(index, facts_of(slug), slug, at)
            cost = busy + (len(steps) if slug != start else 0)
            for other, fact in steps.items():
                way = (cost, (*chain, fact.id))
                if other not in reached and way < onward.get(other, (way[0] + 1, ())):
                    onward[other] = way
        reached |= onward
        edge = onward
    return [index.facts[i] for i in reached[goal][1]] if goal in reached else None


def _steps(index: Index, facts: Iterable[Fact], slug: str, at: datetime) -> dict[str, Fact]:
    """Return each neighbour with the fact that joins it best: the newest, then by id."""
    out: dict[str, Fact] = {}
    for fact in _newest_first(facts):
        if fact.dst is None or fact.stance != "asserted" or not fact.holds_at(at):
            continue
        for near, far in ((fact.src, fact.dst), (fact.dst, fact.src)):
            other = index.names.final(far)
            if index.names.final(near) == slug and other != slug:
                out.setdefault(other, fact)
    return out


def _newest_first(facts: Iterable[Fact]) -> list[Fact]:
    return sorted(
        facts,
        key=lambda f: (
            f.valid_from is None,
            -(f.valid_from.timestamp() if f.valid_from else 0),
            f.id,
        ),
    )
