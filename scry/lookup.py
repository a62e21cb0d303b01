"""Looking things up by name or reference: entities, their facts, their episodes, their origins.

A verb that is given a name needs exactly one thing: what nobody bears, what several bear and what
stands in a broken file are errors that say so.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from scry.errors import StoreError, UnknownNameError
from scry.index import Index, handle
from scry.model import UNDONE, Citation, Entity, Episode, Fact, Problem
from scry.naming import near_names
from scry.question import read
from scry.ranking import Moment, Ranking
from scry.text import fold, one_line, slug_of


class ContestedNameError(UnknownNameError):
    """A verb was given a name that more than one thing bears."""

    def __init__(self, name: str, owners: Iterable[Entity]) -> None:
        name, owners = one_line(name), list(owners)
        super().__init__(name, [e.name for e in owners])
        listed = ", ".join(f"{e.name} ({e.type}, `{e.slug}`)" for e in owners)
        self.args = (f"More than one thing is called '{name}': {listed}. Use one of these names.",)


class UnreadableError(StoreError):
    """What a verb was given is in a file of the store that cannot be used."""

    def __init__(self, problem: Problem) -> None:
        line = f" (line {problem.line})" if problem.line is not None else ""
        super().__init__(
            f"{problem.path}: this file cannot be read{line}: {problem.message} "
            "Put it right in an editor; `scry check` lists all such files."
        )
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Support:
    """One piece of evidence for a fact; the episode is None when its file is gone."""

    citation: Citation
    episode: Episode | None


def facts_by_entity(index: Index) -> Callable[[str], list[Fact]]:
    """Return a look-up of the facts at whose end an entity stands, merged ones included.

    What has been merged into what is read once, so that many look-ups stay cheap.
    """
    losers: dict[str, list[str]] = defaultdict(list)
    for entity in index.entities.values():
        if entity.merged_into:
            losers[index.names.final(entity.slug)].append(entity.slug)

    def facts_of(slug: str) -> list[Fact]:
        ids = {i: None for name in (slug, *losers.get(slug, ())) for i in index.links.get(name, ())}
        return [index.facts[i] for i in ids]

    return facts_of


def find_entity(index: Index, name: str) -> Entity:
    """Return the one entity that a name or slug means.

    Raises:
        UnknownNameError: nothing is called so, or more than one thing is.
        UnreadableError: its file cannot be used.
    """
    owners = [s for s in index.names.find(name) if s in index.entities]
    if not owners and name in index.entities:
        owners = [index.names.final(name)]
    if not owners:
        _check_readable(index, slug_of(name), name)
        raise UnknownNameError(one_line(name), near(index, [name], limit=3))
    if len(owners) > 1:
        raise ContestedNameError(name, [index.entity(slug) for slug in owners])
    return index.entity(owners[0])


def near(index: Index, words: Sequence[str], *, limit: int = 5) -> list[str]:
    """Return known names that are spelt much like any of some words, as a hint and no more.

    >>> _one_off("alfa", "alpha"), _one_off("beda", "beta"), _one_off("alfa", "beta")
    (True, True, False)
    """
    spellings = sorted({n for slug in index.entities for n in index.names.spellings(slug)})
    found = near_names(index, [one_line(word) for word in words], limit=limit)
    # Of a short name one letter is much, so that a share of letters would not tell.
    short = [n for word in words for n in spellings if _one_off(fold(word), fold(n))]
    return list(dict.fromkeys((*short, *found)))[:limit]


def _one_off(a: str, b: str) -> bool:
    """Say whether two short words differ in one letter, or sound alike."""
    if min(len(a), len(b)) < 3 or max(len(a), len(b)) > 7:
        return False
    a, b = (w.replace("ph", "f").replace("ck", "k").replace("y", "i") for w in (a, b))
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    return max(len(a), len(b)) <= 1 or (len(a) == 2 and a == b[::-1])


def entities(index: Index, type_: str = "") -> list[Entity]:
    """Return all entities that stand for themselves, of one type if it is given, by slug."""
    found = (e for e in index.entities.values() if not e.merged_into)
    return sorted((e for e in found if type_ in ("", e.type)), key=lambda e: e.slug)


def facts(
    index: Index,
    name: str,
    *,
    now: datetime,
    as_of: datetime | None = None,
    ended: bool = False,
) -> list[Fact]:
    """Return the facts at whose end an entity stands: what holds first, then newest first.

    Raises:
        UnknownNameError: nothing is called so, or more than one thing is.
    """
    entity = find_entity(index, name)
    moment = Moment(now=now, as_of=as_of, ended=ended)
    ranking = Ranking(index=index, question=read(""), moment=moment)
    return sorted(filter(moment.shows, index.facts_of(entity.slug)), key=ranking.tie)


def episodes(index: Index, name: str, limit: int = 20) -> list[Episode]:
    """Return the episodes that support facts of an entity, declare it or mention it, newest first.

    Raises:
        UnknownNameError: nothing is called so, or more than one thing is.
    """
    return citing(index, {find_entity(index, name).slug})[: max(limit, 0)]


def citing(index: Index, slugs: Iterable[str]) -> list[Episode]:
    """Return the episodes about any of some entities, newest first; undone ones are left out."""
    wanted = set(slugs)
    facts_of = facts_by_entity(index)
    ids = {c.episode for slug in wanted for f in facts_of(slug) for c in f.episodes}
    keys = set(wanted)
    for slug, entity in index.entities.items():
        if slug in wanted or index.names.final(slug) in wanted:
            keys |= {slug, *map(slug_of, (entity.name, *entity.aliases))}
            ids |= set(index.names.attested.get(slug, ()))
    found = (
        e
        for e in index.episodes.values()
        if e.extractor != UNDONE
        and (e.id in ids or (e.mentions and not keys.isdisjoint(map(slug_of, e.mentions))))
    )
    return sorted(found, key=lambda e: (e.occurred_at, e.id), reverse=True)


def find_fact(index: Index, ref: str) -> Fact:
    """Return the fact that is meant by an id, the beginning of one, a handle, or a file.

    Facts that wait for a person are found too.

    Raises:
        UnknownNameError: no fact is meant, or more than one.
        UnreadableError: its file cannot be used.
    """
    stem = PurePosixPath(ref.strip().removesuffix(".md")).name
    wanted = stem.rsplit("--", 1)[-1]
    known = {**index.waiting, **index.facts}
    if wanted in known:
        return known[wanted]
    found = sorted(i for i in known if len(wanted) >= 4 and i.startswith(wanted))
    if len(found) == 1:
        return known[found[0]]
    if not found:
        _check_readable(index, wanted, ref)
    raise UnknownNameError(one_line(ref), [handle(known[i]) for i in found[:5]])


def _check_readable(index: Index, wanted: str, ref: str) -> None:
    """Refuse what is not known because its file is broken: it is there, whatever is in it.

    Args:
        index: the store.
        wanted: an id, the beginning of one, or a slug.
        ref: what was given, which may be the file itself.
    """
    for problem in index.problems:
        stem = PurePosixPath(problem.path).stem
        key = stem.rsplit("--", 1)[-1]
        begins = "--" in stem and len(wanted) >= 4 and key.startswith(wanted)
        if wanted in (stem, key) or begins or ref.strip().endswith(problem.path):
            raise UnreadableError(problem)


def why(index: Index, fact: Fact) -> list[Support]:
    """Return what a fact rests on, the oldest first, each with the line of the turn."""
    pieces = [Support(c, index.episodes.get(c.episode)) for c in fact.episodes]
    return sorted(
        pieces,
        key=lambda s: (
            s.episode is None,
            s.episode.occurred_at.timestamp() if s.episode else 0.0,
            s.citation.episode,
            s.citation.line,
        ),
    )


def current_project(index: Index, repo: str) -> Entity | None:
    """Return the project of a repository: the one that lists it, else the one most spoken of in it."""
    if not repo:
        return None
    for entity in entities(index, "project"):
        if repo in entity.repos:
            return entity
    counts: Counter[str] = Counter()
    here = {e.id for e in index.episodes.values() if e.repo == repo and e.extractor != UNDONE}
    for fact in index.facts.values():
        if any(c.episode in here for c in fact.episodes):
            for slug in filter(None, (fact.src, fact.dst)):
                if index.entity(slug).type == "project":
                    counts[index.names.final(slug)] += 1
    best = max(counts.items(), key=lambda pair: (pair[1], pair[0]), default=None)
    return index.entity(best[0]) if best else None
