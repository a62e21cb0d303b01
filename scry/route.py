"""The shortest chain of facts between two things, in both directions of every fact.

Only what holds at the moment, is asserted and joins two entities counts.  Of chains of equal
length the one through the least busy things is taken: "both use Postgres" tells little.

Where a thing has moved and nobody said that it left, both places are on record.  A chain goes by
the newest of them, and by an older one only where there is no other way.
"""

from collections.abc import Iterable
from datetime import datetime

from scry.index import Index
from scry.lookup import facts_by_entity, find_entity
from scry.model import Fact
from scry.relations import USUALLY_ONE


def path(
    index: Index, a: str, b: str, *, now: datetime, as_of: datetime | None = None
) -> list[Fact] | None:
    """Return the shortest chain of facts from one name to another; None when there is none.

    Two names of one thing are joined by an empty chain.

    Raises:
        UnknownNameError: a name leads nowhere, or to more than one thing.
    """
    start, goal = find_entity(index, a).slug, find_entity(index, b).slug
    atlas = _Atlas(index, as_of or now)
    found = _chain(atlas, start, goal)
    if found is None:
        atlas.outlived_too = True
        found = _chain(atlas, start, goal)
    return [index.facts[i] for i in found] if found is not None else None


def _chain(atlas: "_Atlas", start: str, goal: str) -> tuple[str, ...] | None:
    """Return the ids of the facts of the shortest chain, or None."""
    # Best way to each thing reached so far: busyness of the things passed, then the facts' ids.
    reached: dict[str, tuple[int, tuple[str, ...]]] = {start: (0, ())}
    edge = dict(reached)
    while edge and goal not in reached:
        onward: dict[str, tuple[int, tuple[str, ...]]] = {}
        for slug, (busy, chain) in edge.items():
            steps = atlas.steps(slug)
            cost = busy + (len(steps) if slug != start else 0)
            for other, fact in steps.items():
                way = (cost, (*chain, fact.id))
                if other not in reached and way < onward.get(other, (way[0] + 1, ())):
                    onward[other] = way
        reached |= onward
        edge = onward
    return reached[goal][1] if goal in reached else None


class _Atlas:
    """The ways from thing to thing at one moment."""

    def __init__(self, index: Index, at: datetime) -> None:
        self.outlived_too = False
        """Whether to go by facts of which there is a newer one with another end."""
        self._index = index
        self._at = at
        self._facts_of = facts_by_entity(index)
        self._there: dict[str, list[tuple[str, str, Fact]]] = {}

    def steps(self, slug: str) -> dict[str, Fact]:
        """Return each neighbour with the fact that joins it best: the newest, then by id."""
        out: dict[str, Fact] = {}
        for src, dst, fact in self._around(slug):
            if self.outlived_too or not self._is_outlived(src, dst, fact):
                out.setdefault(dst if src == slug else src, fact)
        return out

    def _around(self, slug: str) -> list[tuple[str, str, Fact]]:
        """Return what joins a thing with others, as (src, dst, fact), the newest first."""
        if slug not in self._there:
            final = self._index.names.final
            ends = [
                (final(fact.src), final(fact.dst), fact)
                for fact in _newest_first(self._facts_of(slug))
                if fact.dst is not None and fact.stance == "asserted" and fact.holds_at(self._at)
            ]
            self._there[slug] = [(s, d, f) for s, d, f in ends if s != d and slug in (s, d)]
        return self._there[slug]

    def _is_outlived(self, src: str, dst: str, fact: Fact) -> bool:
        """Say whether a newer fact of the same kind leads from the same end elsewhere."""
        end = USUALLY_ONE.get(fact.relation)
        if end is None:
            return False
        own = src if end == "src" else dst
        for s, d, other in self._around(own):  # The newest comes first.
            same = (other.relation, other.qualifier) == (fact.relation, fact.qualifier)
            if same and (s if end == "src" else d) == own:
                return (s, d) != (src, dst) and other.valid_from != fact.valid_from
        return False


def _newest_first(facts: Iterable[Fact]) -> list[Fact]:
    return sorted(
        facts,
        key=lambda f: (
            f.valid_from is None,
            -(f.valid_from.timestamp() if f.valid_from else 0),
            f.id,
        ),
    )
