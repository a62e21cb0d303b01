"""From statements to the files that show them: routing, stretches, and people's own edits."""

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from dataclasses import fields, replace
from datetime import datetime

from scry.index import Index
from scry.model import Citation, Fact
from scry.relations import EXCLUSIVE
from scry.resolve.cascade import doubt_lines
from scry.resolve.ended import Cut, cut, cuts_of, ended_in_other_words
from scry.resolve.grounding import ungrounded
from scry.resolve.repeated import in_other_words, sessions_of, unrepeated
from scry.slots import Stretch, end_superseded, sorted_citations, stretches
from scry.statement import (
    CONTESTED,
    ENDED,
    FORGOTTEN,
    LEVELS,
    SAME,
    UNKNOWN,
    UNNAMED,
    Statement,
    birth_of,
    join_reasons,
    merge,
    stretch_id,
)
from scry.text import slug_of

Slot = tuple[str, str, str]


class Ledger:
    """The statements that one episode may change, before and after.

    `open` derives what stands now for everything that may be touched; `close` adds the new
    statements and returns the difference, with people's edits kept.
    """

    def __init__(self, index: Index, evidence: Callable[[str], str]) -> None:
        self._index = index
        self._evidence = evidence
        self._births: set[str] = set()
        self._renamed: set[str] = set()
        self._before: dict[str, Fact] = {}
        self._known: dict[str, Fact] = {}
        self._cuts: dict[str, list[Cut]] = {}

    def open(self, new: Iterable[Statement], renamed: set[str], births: Iterable[str] = ()) -> None:
        """Note what may change, and derive how it stands now.

        Args:
            new: the statements that will be added.
            renamed: keys that will mean something else, or be spelt otherwise, after that.
            births: further statements that will lose citations, or be forgotten.
        """
        index = self._index
        for key in renamed:
            self._renamed |= set(index.mentions_of(key))
        self._births = self._renamed | {s.id for s in new} | set(births)
        for statement in new:
            if statement.relation in EXCLUSIVE:
                self._births |= set(index.slot_of(statement))
            self._births |= in_other_words(index, statement)
        self._births |= {index.birth_by_id(i) for s in new for i in s.supersedes}
        self._grow()
        self._cuts = cuts_of(index, self._births)
        self._before = self._derive(self._statements())

    def close(
        self,
        new: Iterable[Statement],
        without: Container[str] = (),
        late: Collection[str] = (),
        accepted: Collection[str] = (),
    ) -> tuple[list[Fact], list[Fact]]:
        """Add the new statements, and take away what the episodes `without` say.

        Of the facts `late`, ends and citations had to wait: they are written now.  The statements
        `accepted` are a person's own from now on.  Returns facts to write and facts to remove.
        """
        statements = _without(self._statements(), without)
        for statement in self._unheard(new):
            old = statements.get(statement.id)
            statements[statement.id] = merge(old, statement) if old else statement
        for birth in self._renamed & statements.keys():
            statement = statements[birth]
            if statement.level < LEVELS["person"]:
                statements[birth] = replace(statement, held=self._still_held(statement))
        for birth in statements.keys() & set(accepted):
            statements[birth] = replace(statements[birth], origin="person", held="")
        after = self._derive(statements)
        return self._difference(after, late)

    def _unheard(self, new: Iterable[Statement]) -> Iterator[Statement]:
        """Yield statements without what later stretches cite that a person has made their own."""
        for statement in new:
            heard = set()
            for citation in statement.citations:
                own = self._index.facts.get(stretch_id(statement.id, self._dated(citation)))
                if own is not None and birth_of(own)[1] and citation in own.episodes:
                    heard.add(citation)
            if statement.citations - heard or not heard:
                yield replace(statement, citations=statement.citations - heard)

    def is_new(self, fact: Fact) -> bool:
        """Say whether there was no such fact before."""
        return fact.id not in self._known

    def was_ended(self, fact: Fact) -> bool:
        """Say whether the fact had ended before."""
        old = self._known.get(fact.id)
        return old is not None and old.invalid_at is not None

    def doubts(self, ended: Iterable[Fact]) -> list[str]:
        """Return lines that name what may no longer hold because some facts have ended."""
        return doubt_lines(self._index, ended)

    # --- what belongs together ----------------------------------------------------------------

    def _grow(self) -> None:
        """Add the rivals of each statement in its slot, and what they supersede."""
        index = self._index
        todo = set(self._births)
        while todo:
            more: set[str] = set()
            for birth in todo:
                statement = index.statement(birth)
                if statement is None:
                    continue
                more |= set(index.rivals(birth))
                more |= {index.birth_by_id(i) for i in statement.supersedes}
                more |= in_other_words(index, statement)
            todo = more - self._births
            self._births |= more

    def _statements(self) -> dict[str, Statement]:
        found = ((birth, self._index.statement(birth)) for birth in self._births)
        return {birth: statement for birth, statement in found if statement is not None}

    # --- deriving -----------------------------------------------------------------------------

    def _derive(self, statements: dict[str, Statement]) -> dict[str, Fact]:
        """Return the facts that show some statements, by id."""
        index = self._index
        active: dict[Slot, list[Statement]] = defaultdict(list)
        out: dict[str, Fact] = {}
        ends: dict[str, tuple[str, str | None]] = {}
        heard = sessions_of(index, statements.values())
        for birth, statement in sorted(statements.items()):
            if birth in index.tombstones or birth in index.unreadable:
                continue
            src, dst, reason = self._route(statement)
            reason = join_reasons(reason, unrepeated(index, statement, heard))
            ends[birth] = src, dst
            if reason:
                out |= self._waiting(statement, src, dst, reason)
            else:
                slot = (index.names.final(src), statement.relation, statement.qualifier.casefold())
                active[slot].append(statement)
        found = [s for slot in sorted(active) for s in stretches(active[slot], self._dated)]
        found = cut(found, self._cuts, self._dated)
        for stretch in end_superseded(found, self._enders(found)):
            if stretch.id in index.tombstones:
                continue  # Somebody has rejected this one stretch of it.
            src, dst = ends[stretch.statement.id]
            out[stretch.id] = _fact(self._lapsed(stretch), src, dst, stretch.reason)
        return out

    def _waiting(
        self, statement: Statement, src: str, dst: str | None, reason: str
    ) -> dict[str, Fact]:
        whole = stretches([replace(statement, stance="planned")], self._dated)[0]
        return {statement.id: _fact(replace(whole, statement=statement), src, dst, reason)}

    def _route(self, statement: Statement) -> tuple[str, str | None, str]:
        """Return both ends as slugs, and why the statement must wait ("" if it need not)."""
        names = self._index.names
        if statement.edited or statement.origin == "person":
            src = names.route(statement.src)[0] or statement.src
            dst = (names.route(statement.dst)[0] or statement.dst) if statement.dst else None
            return src, dst, statement.held
        reasons = [statement.held]
        ends: list[str | None] = []
        for key in (statement.src, statement.dst):
            slug, why = names.route(key) if key is not None else (None, "")
            reasons += [why + key] if why and key else []
            ends.append(slug or key)
        src, dst = ends[0] or statement.src, ends[1]
        if dst is not None and names.final(src) == names.final(dst):
            reasons.append(SAME + src)
        if statement.triple in self._index.forgotten_triples:
            reasons.append(FORGOTTEN + statement.relation)
        if self._has_ended(statement, src, dst):
            reasons.append(ENDED + statement.relation)
        return src, dst, join_reasons(*reasons)

    def _has_ended(self, statement: Statement, src: str, dst: str | None) -> bool:
        dates = [self._dated(citation) for citation in statement.citations]
        whole = Stretch(id=statement.id, statement=statement, start=None)
        return ended_in_other_words(self._index, _fact(whole, src, dst, ""), statement.id, dates)

    def _lapsed(self, stretch: Stretch) -> Stretch:
        """End a stretch that only documents supported which no longer say so."""
        episodes = [self._index.episodes.get(c.episode) for c in stretch.citations]
        ends = [episode.ended_at for episode in episodes if episode and episode.ended_at]
        if stretch.end is not None or not episodes or len(ends) < len(episodes):
            return stretch
        begun = stretch.start
        return replace(stretch, end=max(ends)) if begun is None or max(ends) > begun else stretch

    def _dated(self, citation: Citation) -> datetime | None:
        if citation.at is not None:
            return citation.at
        episode = self._index.episodes.get(citation.episode)
        return episode.occurred_at if episode else None

    def _enders(self, found: list[Stretch]) -> dict[str, list[tuple[datetime | None, int, str]]]:
        """Return, by id of what they replace, the statements that name it and have its subject.

        Those outside what may change are taken as they stand in the index.
        """
        out: dict[str, list[tuple[datetime | None, int, str]]] = defaultdict(list)
        subjects = {s.id: self._subject(s.statement.src) for s in found}
        for stretch in found:
            for target in stretch.statement.supersedes:
                if subjects.get(target) == subjects[stretch.id]:
                    out[target].append((stretch.start, stretch.statement.level, stretch.id))
        for target, subject in subjects.items():
            for fact in self._index.superseders_of(target):
                outside = self._index.birth_by_id(fact.id) not in self._births
                if outside and self._subject(fact.src) == subject:
                    out[target].append((fact.valid_from, LEVELS[fact.origin], fact.id))
        return out

    def _subject(self, key: str) -> str:
        return self._index.names.final(self._index.names.route(key)[0] or key)

    def _still_held(self, statement: Statement) -> str:
        """Return why a statement waits, with the names that have been learned since.

        Where an episode's text is gone, what was found then stays.
        """
        index = self._index
        missing = []
        for citation in statement.citations:
            text, episode = self._evidence(citation.episode), index.episodes.get(citation.episode)
            if not text or episode is None:
                return statement.held
            missing.append(ungrounded(statement, index.names, episode, text))
        other = [part for part in statement.held.split("; ") if not part.startswith(UNNAMED)]
        return join_reasons(*other, *(missing if all(missing) else ()))

    # --- the difference -----------------------------------------------------------------------

    def _difference(
        self, after: dict[str, Fact], late: Collection[str]
    ) -> tuple[list[Fact], list[Fact]]:
        """Return what to write and remove, and bring the index's facts along."""
        index = self._index
        writes, removes = [], []
        for fact_id in sorted({*self._before, *after, *late}):
            there = index.facts.get(fact_id) or index.waiting.get(fact_id)
            self._known |= {fact_id: there} if there else {}
            new = after.get(fact_id)
            if new is not None and there is not None:
                before = self._before.get(fact_id) or there
                new = (_caught_up if fact_id in late else _with_edits)(there, before, new)
            if new == there:
                continue
            if there is not None and (new is None or _moves(there, new)):
                removes.append(there)
                index.drop(there)
            if new is not None:
                writes.append(new)
                index.put(new)
        return writes, removes


def _without(statements: dict[str, Statement], episodes: Container[str]) -> dict[str, Statement]:
    """Return statements without the citations of some episodes; gone if they have no others."""
    out = {}
    for birth, statement in statements.items():
        left = frozenset(c for c in statement.citations if c.episode not in episodes)
        if left or not statement.citations:
            out[birth] = replace(statement, citations=left)
    return out


def _caught_up(there: Fact, _: Fact, new: Fact) -> Fact:
    """Return a file as a person left it, with the end and the citations that had to wait."""
    ended = there.invalid_at is not None
    return replace(
        there,
        invalid_at=there.invalid_at if ended else new.invalid_at,
        superseded_by=there.superseded_by if ended else new.superseded_by,
        episodes=tuple(sorted_citations({*there.episodes, *new.episodes})),
    )


def _place(fact: Fact) -> tuple[str, str, str | None, bool]:
    """Return what a file's name says of a fact: when it changes, the file moves."""
    return fact.src, fact.relation, fact.dst, bool(fact.reason)


def _moves(there: Fact, new: Fact) -> bool:
    """Say whether a fact changes its file: it is routed elsewhere, or no longer waits."""
    return not new.path or bool(there.reason) != bool(new.reason)


def _fact(stretch: Stretch, src: str, dst: str | None, reason: str) -> Fact:
    statement = stretch.statement
    return Fact(
        id=stretch.id,
        src=src,
        relation=statement.relation,
        dst=dst,
        value=statement.value,
        qualifier=statement.qualifier,
        fact=statement.fact,
        valid_from=stretch.start,
        invalid_at=stretch.end,
        superseded_by=stretch.ended_by,
        confidence=statement.confidence,
        stance=statement.stance,
        origin=statement.origin,
        said_src=_if_other(statement.said_src or statement.src, src, reason),
        said_dst=_if_other(statement.said_dst or statement.dst or "", dst, reason),
        said=statement.said,
        supersedes=statement.supersedes,
        episodes=stretch.citations,
        reason=reason,
    )


def _if_other(said: str, slug: str | None, reason: str) -> str:
    """Keep the words that were said where the slug alone does not lead back to them."""
    if slug is None or not said:
        return ""
    open_end = not {UNKNOWN + slug, CONTESTED + slug}.isdisjoint(reason.split("; "))
    return said if slug_of(said) != slug or open_end else ""


def _with_edits(there: Fact, before: Fact, new: Fact) -> Fact:
    """Return the new state on top of what a person has changed in the file."""
    kept = {
        f.name: getattr(there, f.name)
        for f in fields(Fact)
        if f.name not in ("path", "episodes") and getattr(there, f.name) != getattr(before, f.name)
    }
    if there.reason:  # Why a fact waits is derived; that it need not is a person's word.
        kept.pop("reason", None)
    added = set(new.episodes) - set(before.episodes)
    gone = set(before.episodes) - set(new.episodes)
    episodes = tuple(sorted_citations((set(there.episodes) | added) - gone))
    merged = replace(new, **kept, episodes=episodes, path="")
    return replace(merged, path=there.path) if _place(merged) == _place(there) else merged
