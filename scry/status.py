"""How a store stands: counts, who really answered, what it cost.  Pure.

What is shown was done: answers are counted in episodes, tokens in the trailers of commits.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from scry.config import Link
from scry.index import Index
from scry.model import PENDING, UNDONE, Commit

_FREE = ("rules", "remember")
"""Extractors that need no model, and so no tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answerer:
    """One extractor: `answered` counts the episodes whose answer is its own; `last` is when.

    `type` is "" for one that has answered before and is not in the chain now.
    """

    id: str
    type: str = ""
    model: str = ""
    name: str = ""
    answered: int = 0
    last: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What was sent to and received from an extractor, in tokens, by its own count."""

    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Counts of a store.  `current` facts hold now; `review` counts all that waits for a person."""

    entities: int
    facts: int
    current: int
    episodes: int
    pending: int
    undone: int
    review: int
    problems: int
    chain: tuple[Answerer, ...] = ()
    before: tuple[Answerer, ...] = ()
    """Who has answered and is not in the chain now; `remember` among them."""
    spend: dict[str, Spent] = field(default_factory=dict)


def status(
    index: Index, links: Sequence[Link], commits: Iterable[Commit], *, now: datetime
) -> Status:
    """Return how a store stands, for the chain as it is configured now."""
    episodes = index.episodes.values()
    answered = Counter(e.extractor for e in episodes if e.extractor not in (PENDING, UNDONE))
    commits = list(commits)
    last = _last(commits)
    chain = tuple(_answerer(link, answered, last) for link in links)
    shown = {answerer.name for answerer in chain}
    return Status(
        entities=sum(not e.merged_into for e in index.entities.values()),
        facts=len(index.facts),
        current=sum(f.holds_at(now) for f in index.facts.values()),
        episodes=len(index.episodes),
        pending=sum(e.extractor == PENDING for e in episodes),
        undone=sum(e.extractor == UNDONE for e in episodes),
        review=len(index.waiting) + len(index.proposals),
        problems=len(index.problems),
        chain=chain,
        before=tuple(
            Answerer(id=name, name=name, answered=count, last=last.get(name))
            for name, count in sorted(answered.items())
            if name not in shown
        ),
        spend=_spend(commits),
    )


def _answerer(link: Link, answered: Counter[str], last: dict[str, datetime]) -> Answerer:
    """Return an extractor with its deeds, under the name that episodes keep of it."""
    name = link.name
    return Answerer(
        id=link.id,
        type=link.type,
        model=link.model,
        name=name,
        answered=answered[name],
        last=last.get(name),
    )


def _last(commits: Sequence[Commit]) -> dict[str, datetime]:
    out: dict[str, datetime] = {}
    for commit in commits:
        for name in _extractors(commit):
            out[name] = max(commit.date, out.get(name, commit.date))
    return out


def _spend(commits: Sequence[Commit]) -> dict[str, Spent]:
    """Sum up tokens by extractor; those of a commit by several count for them together."""
    out: dict[str, Spent] = {}
    for commit in commits:
        for key, value in commit.trailers:
            if key == "Scry-Tokens":
                numbers = [int(w) for w in value.replace(",", "").split() if w.isdecimal()]
                if len(numbers) == 2:
                    asked = [n for n in _extractors(commit) if n not in _FREE]
                    name = " + ".join(asked) or "unknown"
                    spent = out.get(name, Spent())
                    out[name] = Spent(
                        tokens_in=spent.tokens_in + numbers[0],
                        tokens_out=spent.tokens_out + numbers[1],
                    )
    return dict(sorted(out.items()))


def _extractors(commit: Commit) -> list[str]:
    return sorted({value for key, value in commit.trailers if key == "Scry-Extractor"})
