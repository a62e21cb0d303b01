"""Resolve an extraction against what is known: names to entities, claims to facts.  Pure.

Everything that is written follows from the set of episodes and what they said, so the order in
which they arrive does not matter.  For what an episode touches, the state before and the state
after are both derived; the difference is written, on top of whatever people have changed by
hand.  `resolve` takes the index along: afterwards it stands where the store will stand.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from scry.index import Index
from scry.model import (
    PENDING,
    UNDONE,
    ChangeSet,
    Citation,
    Claim,
    Episode,
    Extraction,
    Fact,
    Record,
    Tombstone,
)
from scry.names import declarations, touched_by
from scry.resolve.byhand import adopt
from scry.resolve.entities import derived_entities, derived_proposals, entity_changes
from scry.resolve.facts import Ledger
from scry.resolve.grounding import ungrounded
from scry.resolve.reshape import reshape
from scry.resolve.retract import catch_up, lapse, retract
from scry.statement import (
    Statement,
    describe,
    from_claim,
    join_reasons,
    unite_declarations,
)
from scry.text import iso, one_line, slug_of

__all__ = [
    "Answer",
    "adopt",
    "catch_up",
    "deleted_by_hand",
    "lapse",
    "reshape",
    "resolve",
    "retract",
]


@dataclass(frozen=True, slots=True)
class Answer:
    """An episode, what an extractor made of it (None: nobody has answered), and its text.

    `times` gives the moment of each turn by its line.
    """

    episode: Episode
    extraction: Extraction | None
    text: str
    times: Mapping[int, datetime] = field(default_factory=dict)


def resolve(index: Index, answer: Answer, evidence: Callable[[str], str]) -> ChangeSet:
    """Return what an answer changes, and bring the index to where the store will be.

    Args:
        index: the store as it stands; it is taken along.
        answer: for one episode, new or known.  What a known one said before stays said.
        evidence: gives the distilled text of an earlier episode, "" where it is gone.
    """
    old = index.episodes.get(answer.episode.id)
    claims = answer.extraction.claims if answer.extraction else ()
    episode = _united(old, answer)
    touched = touched_by(old) | touched_by(episode)
    before = {key: index.names.meaning(key) for key in touched}
    with _declared(index, old, episode):
        renamed = {key for key in touched if index.names.meaning(key) != before[key]}
        statements = [_statement(claim, episode, answer, index) for claim in claims]
    episode = replace(episode, facts=tuple(sorted({*episode.facts, *(s.id for s in statements)})))
    episode = replace(episode, mentions=_mentions(index, episode, statements))
    ledger = Ledger(index, evidence)
    ledger.open(statements, renamed)
    return _changes(index, old, episode, statements, touched=touched, ledger=ledger, answer=answer)


def _changes(
    index: Index,
    old: Episode | None,
    episode: Episode,
    statements: list[Statement],
    *,
    touched: set[str],
    ledger: Ledger,
    answer: Answer,
) -> ChangeSet:
    slugs = {s for key in touched for s in (key, *index.names.claimants(key))}
    before = derived_entities(index, slugs)
    proposed = derived_proposals(index, touched)
    if episode != old:
        index.put(episode)
    slugs |= {s for key in touched for s in index.names.claimants(key)}
    writes, removes = ledger.close(statements)
    slugs |= {s for f in (*writes, *removes) for s in (f.src, f.dst) if s}
    more, gone = entity_changes(index, slugs, before, touched, proposed)
    records: list[Record] = [*writes, *more, *([episode] if episode != old else [])]
    return ChangeSet(
        subject=_subject(answer, old),
        writes=tuple(records),
        removes=(*removes, *gone),
        lines=_lines(writes, ledger),
        trailers=_trailers(answer),
    )


@contextmanager
def _declared(index: Index, old: Episode | None, episode: Episode) -> Iterator[None]:
    """Let an episode's declarations count for a while."""
    index.put(episode)
    try:
        yield
    finally:
        if old is not None:
            index.put(old)
        else:
            index.drop(episode)


def _united(old: Episode | None, answer: Answer) -> Episode:
    """Return the episode with what it said before and what it says now."""
    new, extraction = answer.episode, answer.extraction
    kept = old or new
    if extraction is None:
        return replace(
            new,
            ingested_at=kept.ingested_at,
            facts=kept.facts,
            mentions=kept.mentions,
            declares=kept.declares,
            described=kept.described,
            refused=kept.refused,
            summary=kept.summary or new.summary,
            extractor=PENDING,
            path=kept.path,
        )
    described = {describe(e) for e in extraction.entities if e.description}
    return replace(
        new,
        ingested_at=kept.ingested_at,
        facts=kept.facts,
        mentions=tuple(sorted({*kept.mentions, *new.mentions})),
        declares=unite_declarations(kept.declares, extraction.entities),
        described=tuple(sorted({*kept.described, *described})),
        refused=tuple(sorted({*kept.refused, *extraction.refused})),
        summary=extraction.summary or kept.summary or new.summary,
        extractor=extraction.extractor,
        path=kept.path,
    )


def _statement(claim: Claim, episode: Episode, answer: Answer, index: Index) -> Statement:
    """Return a claim as a statement, cited with the line and the date that it has."""
    at = claim.at or answer.times.get(claim.line) or episode.occurred_at
    cited = Citation(episode.id, claim.line, None if at == episode.occurred_at else at)
    statement = from_claim(claim, cited)
    missing = ungrounded(statement, index.names, episode, answer.text)
    return replace(statement, held=join_reasons(statement.held, missing))


def _mentions(index: Index, episode: Episode, new: list[Statement]) -> tuple[str, ...]:
    """Return the names that an episode declares and that none of its facts needs."""
    needed = {end for s in new for end in (s.src, s.dst)}
    for birth in episode.facts:
        if known := index.statement(birth):
            needed |= {known.src, known.dst}
    named = {
        a.entity.name: {slug, *map(slug_of, a.entity.aliases)}
        for slug, a in declarations(episode).items()
    }
    named |= {name: {slug_of(name)} for name in episode.mentions if name not in named}
    return tuple(sorted(name for name, keys in named.items() if not needed & keys))


def deleted_by_hand(index: Index, now: datetime) -> list[Tombstone]:
    """Return tombstones for facts that an episode supports and whose file a person has deleted.

    A file that cannot be read is not deleted.
    """
    return [
        Tombstone(id=birth, triple="", when=now)
        for episode in index.episodes.values()
        if episode.extractor != UNDONE
        for birth in episode.facts
        if birth not in index.births
        and birth not in index.tombstones
        and birth not in index.unreadable
    ]


# --- the message -------------------------------------------------------------------------------


def _subject(answer: Answer, old: Episode | None) -> str:
    source = answer.episode.source
    if answer.extraction is None:
        return f"note: {source} session, not extracted yet"
    verb = "relearn" if old and old.extractor != PENDING else "learn"
    return f"{verb}: {one_line(answer.extraction.summary, 64) or source + ' session'}"


def _lines(writes: list[Fact], ledger: Ledger) -> tuple[str, ...]:
    out, ended = [], []
    for fact in writes:
        new = ledger.is_new(fact)
        what = one_line(f"{fact.src} {fact.relation} {fact.dst or fact.value}", 120)
        if fact.reason:
            out += [f"? {what} (waits: {one_line(fact.reason, 80)})"] if new else []
        elif fact.invalid_at and not ledger.was_ended(fact):
            out.append(f"- {what} (ended {iso(fact.invalid_at)[:10]})")
            ended.append(fact)
        elif new:
            out.append(f"+ {what}")
    return tuple(dict.fromkeys((*out, *ledger.doubts(ended))))


def _trailers(answer: Answer) -> tuple[tuple[str, str], ...]:
    out = [("Scry-Episode", answer.episode.id)]
    if extraction := answer.extraction:
        out.append(("Scry-Extractor", extraction.extractor))
        if extraction.tokens_in or extraction.tokens_out:
            out.append(("Scry-Tokens", f"{extraction.tokens_in} in, {extraction.tokens_out} out"))
    return tuple(out)
