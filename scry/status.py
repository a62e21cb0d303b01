"""How a store stands: counts, who really answered, what it cost.  Pure.

What is shown was done: answers are counted in episodes; tokens in the trailers of commits, which go
back to the first one and leave out answers that were no use, and in this machine's note, which
has those too and goes back 90 days.  The larger count is the one that is told.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from scry.config import Budget, Link
from scry.index import Index
from scry.meter import mark_of
from scry.model import PENDING, UNDONE, Commit
from scry.usage import FREE, Count, Remembered, read_tokens


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
    today: Count = field(default_factory=Count)
    week: Count = field(default_factory=Count)
    """What it was asked by this machine, in this UTC day and in the last seven."""
    facts: int = 0
    """Facts that hold now and that an answer of it supports."""
    paused: tuple[datetime, str] | None = None
    """Until when it is left out, and why."""
    mode: str = ""
    """How the shape of an answer is asked for, where the server does not take the usual way."""
    left: dict[str, int] = field(default_factory=dict)
    """What is left of the day's budget: `calls`, `tokens`, as far as they are limited."""


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
    by_rules: int = 0
    """Episodes that only the rules have answered, while there is a model to ask."""
    chain: tuple[Answerer, ...] = ()
    before: tuple[Answerer, ...] = ()
    """Who has answered and is not in the chain now; `remember` among them."""
    spend: dict[str, Spent] = field(default_factory=dict)


def status(
    index: Index,
    links: Sequence[Link],
    commits: Iterable[Commit],
    *,
    now: datetime,
    remembered: Remembered | None = None,
    budget: Budget | None = None,
) -> Status:
    """Return how a store stands, for the chain as it is configured now.

    Args:
        index: the store.
        links: the configured chain.
        commits: the whole history.
        now: the present moment.
        remembered: what this machine knows of the extractors.
        budget: what each may be asked in a day.
    """
    episodes = index.episodes.values()
    answered = Counter(e.extractor for e in episodes if e.extractor not in (PENDING, UNDONE))
    commits = list(commits)
    last = _last(commits)
    facts = _facts(index, now)
    known = remembered or Remembered()

    def deeds(name: str) -> Answerer:
        return Answerer(
            id=name, name=name, answered=answered[name], last=last.get(name), facts=facts[name]
        )

    chain = tuple(_configured(deeds(link.name), link, known, budget, now) for link in links)
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
        by_rules=answered["rules"] if asks_model(links) else 0,
        chain=chain,
        before=tuple(deeds(name) for name in sorted(answered) if name not in shown),
        spend=_spend(commits, known),
    )


def asks_model(links: Sequence[Link]) -> bool:
    """Say whether a model is asked before the rules are."""
    return bool(links) and links[0].type != "rules"


def _configured(
    deeds: Answerer, link: Link, known: Remembered, budget: Budget | None, now: datetime
) -> Answerer:
    """Return an extractor with its place in the chain, and what this machine knows of it."""
    name = link.name
    return replace(
        deeds,
        id=link.id,
        type=link.type,
        model=link.model,
        today=known.on(now).get(name, Count()),
        week=known.week(now).get(name, Count()),
        paused=known.paused(name, now, mark_of(link)),
        mode=known.mode(name, mark_of(link)),
        left=_left(budget, known.used(link.id, now)) if budget and link.type != "rules" else {},
    )


def _left(budget: Budget, used: Count) -> dict[str, int]:
    limits = {
        "calls": (budget.calls_per_day, used.calls),
        "tokens": (budget.tokens_per_day, used.tokens),
    }
    return {name: max(0, most - spent) for name, (most, spent) in limits.items() if most}


def _facts(index: Index, now: datetime) -> Counter[str]:
    """Count the facts that hold now by the extractors that gave them."""
    out: Counter[str] = Counter()
    for fact in index.facts.values():
        if fact.holds_at(now):
            cited = {index.episodes.get(citation.episode) for citation in fact.episodes}
            out.update({episode.extractor for episode in cited if episode})
    return out


def _last(commits: Sequence[Commit]) -> dict[str, datetime]:
    out: dict[str, datetime] = {}
    for commit in commits:
        for name in _extractors(commit):
            out[name] = max(commit.date, out.get(name, commit.date))
    return out


def _spend(commits: Sequence[Commit], known: Remembered) -> dict[str, Spent]:
    """Return tokens by extractor, the larger of both counts.

    A trailer of old that names none of several extractors counts for them together.
    """
    said: dict[str, Count] = defaultdict(Count)
    for commit in commits:
        for key, value in commit.trailers:
            tokens = read_tokens(value) if key == "Scry-Tokens" else None
            if tokens is not None:
                asked = [name for name in _extractors(commit) if name not in FREE]
                said[tokens[0] or " + ".join(asked) or "unknown"] += tokens[1]
    counted = known.whole()
    out = {}
    for name in sorted({*said, *(name for name, count in counted.items() if count.tokens)}):
        one, other = said.get(name, Count()), counted.get(name, Count())
        out[name] = Spent(
            tokens_in=max(one.tokens_in, other.tokens_in),
            tokens_out=max(one.tokens_out, other.tokens_out),
        )
    return out


def _extractors(commit: Commit) -> list[str]:
    return sorted({value for key, value in commit.trailers if key == "Scry-Extractor"})
