"""In which order facts answer a question.

Three things count: how many of the named things a fact concerns, how much of the question's
other words it holds, and whether it is the kind of fact that is asked for (see `question`).
The date never outweighs them; among facts that fit alike, the one said last comes first.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

from scry.index import Index
from scry.model import Fact
from scry.naming import Named
from scry.question import Question, fit
from scry.relations import EXCLUSIVE
from scry.search import Texts, fact_text, is_wide
from scry.text import fold

NORMATIVE = frozenset({"enforces", "excludes", "prefers", "requires", "decided"})
"""Relations of facts that say how things are to be done."""
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)
_SCRATCH = 1500
"""Facts whose words are compared at most; a hub's older ones keep their place by kind and date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What counts as true: at `as_of`, else now; ended facts only when they are asked for."""

    now: datetime
    as_of: datetime | None = None
    ended: bool = False

    @property
    def at(self) -> datetime:
        """The moment that is asked about."""
        return self.as_of or self.now

    def shows(self, fact: Fact) -> bool:
        """Say whether a fact may be part of the answer."""
        if self.as_of is not None:
            return fact.holds_at(self.as_of)
        return self.ended or fact.invalid_at is None or fact.invalid_at > self.now

    def order(self, fact: Fact) -> int:
        """Return 0 for what holds, 1 for what has yet to begin, 2 for what has ended."""
        if fact.invalid_at is not None and fact.invalid_at <= self.at:
            return 2
        return int(fact.valid_from is not None and fact.valid_from > self.at)


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Orders facts for one question.

    `named` are the things it names, `texts` the words of the store (None: there are no other
    words in the question than names), `repo` the repository that the asker stands in.
    """

    index: Index
    question: Question
    moment: Moment
    named: tuple[Named, ...] = ()
    texts: Texts | None = None
    repo: str = ""
    _said: dict[str, datetime] = field(default_factory=dict, repr=False)

    # --- one fact -------------------------------------------------------------------------------

    def said_last(self, fact: Fact) -> datetime:
        """Return when a fact was last said to be so, by the statements' own dates."""
        if fact.id not in self._said:
            dates = [fact.valid_from] if fact.valid_from else []
            for citation in fact.episodes:
                episode = self.index.episodes.get(citation.episode)
                if date := citation.at or (episode.occurred_at if episode else None):
                    dates.append(date)
            known = [d for d in dates if d <= self.moment.at] or dates
            self._said[fact.id] = max(known, default=_LONG_AGO)
        return self._said[fact.id]

    def tie(self, fact: Fact) -> tuple[object, ...]:
        """Return the key that decides between facts that fit alike."""
        episodes = {c.episode for c in fact.episodes}
        here = self.repo and any(
            (e := self.index.episodes.get(i)) is not None and e.repo == self.repo for i in episodes
        )
        return (
            self.moment.order(fact),
            fact.stance != "asserted",
            -self.said_last(fact).timestamp(),
            not here,
            -len(episodes),
            fact.id,
        )

    def concern(self, fact: Fact) -> float:
        """Return how many of the named things a fact is about, hubs counting less; 0 to 1."""
        if not self.named:
            return 0.0
        ends = {self.index.names.final(slug) for slug in (fact.src, fact.dst) if slug}
        got = 0.0
        for name, share in self._shares:
            if ends.intersection(name.slugs):
                got += share
            elif self._patterns[name.words].search(fact.fact):
                got += 0.7 * share
        return got

    @cached_property
    def _shares(self) -> list[tuple[Named, float]]:
        weights = [
            (0.4 if name.weak else 1.0) / (3 + _degree(self.index, name.slugs)) ** 0.25
            for name in self.named
        ]
        return [(n, w / sum(weights)) for n, w in zip(self.named, weights, strict=True)]

    @cached_property
    def _patterns(self) -> dict[str, re.Pattern[str]]:
        """For each named thing a pattern of its names: `iris`, and not the `iris` of `iris-ops`."""
        out: dict[str, re.Pattern[str]] = {}
        for name in self.named:
            spellings = {s for slug in name.slugs for s in self.index.names.spellings(slug)}
            names = [re.escape(s) for s in sorted(spellings, key=len, reverse=True) if len(s) > 2]
            any_of = "|".join(n if is_wide(n) else rf"(?<![\w-]){n}(?!\w|-\w)" for n in names)
            out[name.words] = re.compile(any_of or r"(?!)", re.IGNORECASE)
        return out

    def kind(self, fact: Fact) -> float:
        """Return how well the kind of a fact fits what is asked for."""
        score = max(
            fit(self.question, fact, end) - 0.2 * back for back, end in self._far_ends(fact)
        )
        if not self.question.wants and fact.relation in NORMATIVE:
            score += 0.2  # Nobody knows what is asked; a rule is what it would hurt most to miss.
        if fact.stance == "planned":
            score += 1.0 if self.question.plans else -2.0
        elif fact.stance == "denied":
            score -= 0.8
        return score

    def _far_ends(self, fact: Fact) -> list[tuple[bool, str]]:
        """Return what stands at the end that is not asked about: (whether it is the src, type)."""
        asked = {slug for name in self.named for slug in name.slugs}
        ends = [(False, fact.dst), (True, fact.src)] if fact.dst else [(False, None)]
        near = {False: fact.src, True: fact.dst or ""}
        open_ends = [e for e in ends if not asked or self.index.names.final(near[e[0]]) in asked]
        return [
            (back, self.index.entity(slug).type if slug else "") for back, slug in open_ends or ends
        ]

    # --- many facts -----------------------------------------------------------------------------

    def coverage(self, facts: Sequence[Fact]) -> list[float]:
        """Return for each fact how much of the question's words it holds, from 0 to 1.

        What the things at its ends are described as counts as held.
        """
        words = self.question.words
        if self.texts is None or not words:
            return [0.0] * len(facts)
        compared = facts[:_SCRATCH]
        content = self.question.content
        heavy = {w: self.texts.weight(w) * (1.0 if w in content else 0.3) for w in words}
        told = self.texts.stems(
            [*words, *map(self._sentence, compared), *map(self._ends, compared)]
        )
        stems = dict(zip(words, told, strict=False))
        sentences = told[len(words) : len(words) + len(compared)]
        total = max(sum(heavy.values()), 1.0)
        scores = []
        for sentence, ends in zip(sentences, told[len(words) + len(compared) :], strict=True):
            held = {w for w in words if stems[w] and stems[w] <= sentence}
            # A description tells which thing is meant, not what is asked about it.
            held |= {w for w in content if stems[w] and stems[w] <= ends}
            scores.append(sum(heavy[w] for w in held) / total)
        return scores + [0.0] * (len(facts) - len(compared))

    def _sentence(self, fact: Fact) -> str:
        return fact_text(fact, lambda slug: self.index.entity(slug).name)

    def _ends(self, fact: Fact) -> str:
        entities = [self.index.entity(slug) for slug in (fact.src, fact.dst) if slug]
        return " ".join(f"{e.name} {e.description}" for e in entities)

    def qualified(self, fact: Fact) -> float:
        """Return whether the question names the fact's environment, branch or machine."""
        if not fact.qualifier:
            return 0.0
        asked = {w[:4] for w in self.question.words}
        marks = {w[:4] for w in fold(fact.qualifier).split()}
        return 0.9 if marks <= asked else 0.0

    def ordered(self, facts: Iterable[Fact]) -> list[Fact]:
        """Return facts, best first; what does not hold is left out.

        Facts that concern a thing which is named beyond doubt come before all others.
        """
        shown = [f for f in dict.fromkeys(facts) if self.moment.shows(f)]
        shown.sort(key=self.tie)
        sure = any(not name.weak for name in self.named)
        scored: list[tuple[int, bool, float, Fact]] = []
        for fact, covered in zip(shown, self.coverage(shown), strict=True):
            concern = self.concern(fact)
            if sure and not concern and covered < 0.5:
                continue  # Shares a word or two, and is about something else.
            score = 3 * concern + 4 * covered + self.kind(fact) + self.qualified(fact)
            scored.append((self.moment.order(fact), sure and not concern, -round(score, 2), fact))
        return [fact for *_, fact in sorted(scored, key=lambda entry: entry[:3])]


def spread(index: Index, facts: Sequence[Fact]) -> list[Fact]:
    """Return facts so that each slot shows its newest before any slot shows a second one.

    For a name without a question: a hundred facts of one kind must not hide all others.
    """
    turn: Counter[tuple[str, str, str]] = Counter()
    placed: list[tuple[int, int, Fact]] = []
    for place, fact in enumerate(facts):
        slot = (index.names.final(fact.src), fact.relation, fold(fact.qualifier))
        placed.append((turn[slot] // (1 if fact.relation in EXCLUSIVE else 3), place, fact))
        turn[slot] += 1
    return [fact for _, _, fact in sorted(placed, key=lambda p: p[:2])]


def _degree(index: Index, slugs: Iterable[str]) -> int:
    return sum(len(index.links.get(slug, ())) for slug in slugs)
