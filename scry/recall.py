"""Recall: what the store knows about a question.  Pure over the index; boring on purpose.

    exact name or alias -> names inside the question -> ranked text -> what was said
    -> nearest names as a hint

What is named comes before what only shares words; a name that nobody bears is not answered with
the facts of a similar one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scry.index import Index
from scry.lookup import citing, current_project, facts_by_entity, near
from scry.model import PENDING, UNDONE, Entity, Episode, Fact
from scry.naming import Named, Naming, naming
from scry.question import Question, read
from scry.ranking import Moment, Ranking, spread
from scry.search import Evidence, Texts, texts_of

_EPISODES = 5
_DESCRIBED = 14
"""Entities that a description may mean, at most, whose facts are weighed against each other."""
_HITS = 200
"""Facts that only share words with the question, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """An answer: things, facts and episodes, best first.

    `entities` come with the words of the question that named them, "" for those that were found
    by description.  `near` are names spelt like one that nobody bears.  `pending` is how many
    episodes no extractor has answered for; `truncated` says that there was more to show.
    `said` are ids of episodes that were found by what was said in them; `unread` is how
    many older episodes were not searched for them.
    """

    query: str
    entities: tuple[tuple[Entity, str], ...] = ()
    facts: tuple[Fact, ...] = ()
    episodes: tuple[Episode, ...] = ()
    near: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    unread: int = 0
    pending: int = 0
    truncated: bool = False
    as_of: datetime | None = None

    def __bool__(self) -> bool:
        return bool(self.entities or self.facts or self.episodes)


def recall(
    index: Index,
    query: str,
    *,
    now: datetime,
    as_of: datetime | None = None,
    limit: int = 20,
    repo: str = "",
    ended: bool = False,
    evidence: Evidence | None = None,
) -> Recollection:
    """Return what the store knows about a question.

    Args:
        index: the store.
        query: a name, or a question in words.
        now: the present moment; what has ended by then is left out.
        as_of: shows what held at that moment instead.
        limit: facts to show at most.
        repo: the repository that the asker stands in; "this project" means it.
        ended: shows ended facts too, after those that hold.
        evidence: gives the distilled text of an episode, "" where there is none.
    """
    moment = Moment(now=now, as_of=as_of, ended=ended)
    found = _exact(index, query, moment, repo) or _asked(index, query, moment, repo, evidence)
    shown = found.episodes[:_EPISODES]
    return replace(
        found,
        query=query,
        facts=found.facts[: max(limit, 0)],
        episodes=shown,
        said=tuple(e.id for e in shown if e.id in found.said),
        truncated=len(found.facts) > limit or len(found.episodes) > _EPISODES,
        pending=sum(e.extractor == PENDING for e in index.episodes.values()),
        as_of=as_of,
    )


def _exact(index: Index, query: str, moment: Moment, repo: str) -> Recollection | None:
    """Return what is known of a thing, where the query is nothing but its name."""
    if not (named := naming(index, None, query).named):
        return None
    ranking = Ranking(index=index, question=read(""), moment=moment, named=named, repo=repo)
    facts = ranking.ordered(_facts_of(index, named))
    own = {slug for name in named for slug in name.slugs}
    facts.sort(
        key=lambda f: (moment.order(f), f.stance != "asserted", index.names.final(f.src) not in own)
    )
    held = [f for f in facts if moment.order(f) == 0]
    return Recollection(
        query=query,
        entities=_shown(index, named),
        facts=tuple(spread(index, held) + [f for f in facts if moment.order(f)]),
        episodes=tuple(e for e in citing(index, own) if _began(e, moment)),
    )


def _asked(
    index: Index, query: str, moment: Moment, repo: str, evidence: Evidence | None
) -> Recollection:
    """Return what answers a question in words."""
    texts = texts_of(index)
    names = naming(index, texts, query)
    question = read(query, [n.words for n in names.named])
    names = _with_project(index, texts, names, question, repo)
    asking = _Asking(index, texts, question, moment, names, repo, evidence)
    if not names.named and asking.about_nobody():
        found = Recollection(query=query, near=tuple(near(index, names.unknown)))
    else:
        found = asking.answer(query)
    return asking.with_what_was_said(found)


def _with_project(
    index: Index, texts: Texts, names: Naming, question: Question, repo: str
) -> Naming:
    """Count the project that the asker stands in among the named things, if it is meant.

    It is meant when the question says so, and when it speaks of nothing else.
    """
    lost = not names.named and not names.unknown and not any(map(texts.knows, question.content))
    if not (repo and (names.here or lost)):
        return names
    project = current_project(index, repo)
    if project is None or any(project.slug in n.slugs for n in names.named):
        return names
    here = Named(project.name, (project.slug,))
    return replace(names, named=(here, *(replace(n, weak=True) for n in names.named)))


@dataclass(frozen=True, slots=True)
class _Asking:
    """One question with all that is needed to answer it."""

    index: Index
    texts: Texts
    question: Question
    moment: Moment
    names: Naming
    repo: str
    evidence: Evidence | None

    def about_nobody(self) -> bool:
        """Say whether the question is about a name that is nowhere on record."""
        known = [word for word in self._sought if self.texts.knows(word)]
        return bool(self.names.unknown) and len(known) <= 1

    def answer(self, query: str) -> Recollection:
        """Answer about what is named, described, or only shares words, in this order."""
        named = self.names.named
        ranking = Ranking(
            index=self.index,
            question=self.question,
            moment=self.moment,
            named=named,
            texts=self.texts,
            repo=self.repo,
        )
        facts = ranking.ordered(self._candidates(named))
        episodes = self._episodes(named)
        entities = _shown(self.index, named) or self._fitting()
        unsure = [*(n.words for n in named if not n.exact), *self.names.unknown]
        if not (facts or episodes or entities or unsure):
            unsure = list(self._sought[:4])
        return Recollection(
            query=query,
            entities=entities,
            facts=tuple(facts),
            episodes=tuple(episodes),
            near=tuple(near(self.index, unsure)),
        )

    def with_what_was_said(self, found: Recollection) -> Recollection:
        """Add the episodes in which words were said that are nowhere on record.

        Where no episode was found at all, all words are searched for so.
        """
        words = (*self.names.unknown, *self.question.content)
        lost = [word for word in dict.fromkeys(words) if not self.texts.knows(word)]
        lost = lost or ([] if found.episodes or self.names.named else list(self._sought))
        if self.evidence is None or not lost:
            return found
        held, unread = self.texts.find_said(lost, self.evidence)
        held = [episode for episode in held if _began(episode, self.moment)]
        ids = {episode.id for episode in held}
        # Those that are also about what is named come first.
        about = [episode for episode in found.episodes if episode.id in ids]
        order = dict.fromkeys((*about, *held, *found.episodes))
        return replace(found, episodes=tuple(order), said=tuple(ids), unread=unread)

    @property
    def _sought(self) -> tuple[str, ...]:
        """The words to search for: the telling ones, else, where nothing is named, all others.

        A name that nobody bears is not searched for by its parts.
        """
        unknown = {part.casefold() for part in self.names.unknown}
        telling = self.question.content or (() if self.names.named else self.question.asking)
        return tuple(word for word in telling if word not in unknown)

    def _candidates(self, named: tuple[Named, ...]) -> list[Fact]:
        """Return every fact that may be part of the answer."""
        found = _facts_of(self.index, named)
        for name in named:
            if not name.weak:
                found += self.texts.find_facts([name.words])
        if self._sought:
            hits = filter(self.moment.shows, self.texts.find_facts(self._sought))
            found += list(hits)[:_HITS]
            facts_of = facts_by_entity(self.index)
            for entity in self._things():
                found += facts_of(entity.slug)
        return found

    def _things(self) -> list[Entity]:
        """Return the things that the question may describe, the likeliest first.

        Words of asking count half: "host" may ask for a machine or be a word of its description.
        """
        scores: dict[str, float] = {}
        found = self.texts.find_entities(self._sought)
        also = self.texts.find_entities(self.question.words) if found else []
        for entity, score in (*found, *((e, s / 2) for e, s in also)):
            scores[entity.slug] = scores.get(entity.slug, 0.0) + score
        best = sorted(scores, key=lambda slug: (-scores[slug], slug))[:_DESCRIBED]
        return [self.index.entity(slug) for slug in best]

    def _fitting(self) -> tuple[tuple[Entity, str], ...]:
        """Return the things whose name and description hold nearly all that is searched for."""
        things = self._things()[:3]
        words = len(self._sought)
        stems = self.texts.stems([*self._sought, *(f"{e.name} {e.description}" for e in things)])
        return tuple(
            (entity, "")
            for entity, held in zip(things, stems[words:], strict=True)
            if sum(bool(word) and word <= held for word in stems[:words]) >= 0.75 * words
        )

    def _episodes(self, named: Sequence[Named]) -> list[Episode]:
        """Return episodes about what is named, those that share words first; else by words."""
        by_text = self.texts.find_episodes(self._sought, self.evidence)
        own = {slug for name in named for slug in name.slugs}
        about = citing(self.index, own) if own else []
        ids = {e.id for e in about}
        found = {e.id: e for e in (*by_text, *about) if not about or e.id in ids}
        return [e for e in found.values() if _began(e, self.moment)]


def _facts_of(index: Index, named: Sequence[Named]) -> list[Fact]:
    facts_of = facts_by_entity(index)
    return [fact for name in named for slug in name.slugs for fact in facts_of(slug)]


def _shown(index: Index, named: Sequence[Named]) -> tuple[tuple[Entity, str], ...]:
    out: dict[str, tuple[Entity, str]] = {}
    for name in named:
        for slug in name.slugs:
            out.setdefault(slug, (index.entity(slug), name.words))
    return tuple(out.values())


def _began(episode: Episode, moment: Moment) -> bool:
    return episode.extractor != UNDONE and episode.occurred_at <= moment.at
