"""Is everything sound?  Findings over a store as it was read.

Pure; what only the machine knows (permissions, git's own check) is added by the command.

A finding of level `error` or `warning` asks for something to be done, a `note` only tells.  A
store that a person has never touched has none.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterator

from scry.finding import Finding, ordered, sound
from scry.handmade import by_hand, doubtful
from scry.index import Index
from scry.model import PENDING, Entity, Episode, Fact, Record, Snapshot
from scry.resolve.byhand import moved_by_hand

__all__ = ["Finding", "check", "ordered", "sound"]

_SAME = "This is the same record as "
_FIX = "scry check --fix"


def check(
    snapshot: Snapshot,
    *,
    has_evidence: Callable[[Episode], bool],
    has_transcript: Callable[[Episode], bool],
) -> list[Finding]:
    """Return what is not sound in a store, the worst first.

    Args:
        snapshot: the store as it was read.
        has_evidence: whether the distilled text of an episode is kept on this machine.
        has_transcript: whether the transcript of an episode is still there.
    """
    index = Index.build(snapshot)
    found = [
        *_unreadable(snapshot),
        *_twins(snapshot),
        *_facts(index),
        *_merges(index),
        *by_hand(index),
        *doubtful(index),
        *_lost(index, has_evidence, has_transcript),
    ]
    return ordered(found)


def _unreadable(snapshot: Snapshot) -> Iterator[Finding]:
    for problem in snapshot.problems:
        if problem.message.startswith(_SAME):
            yield Finding(
                id="twins",
                level="error",
                path=problem.path,
                message=problem.message,
                remedy=f"`{_FIX}` removes a copy that says nothing of its own; else keep one.",
            )
            continue
        yield Finding(
            id="unreadable",
            level="error",
            path=problem.path,
            line=problem.line,
            message=problem.message,
            remedy="Put the file right in an editor; all others are used, and nothing rewrites it.",
        )


def _twins(snapshot: Snapshot) -> Iterator[Finding]:
    """Two files that claim to be the same record: only one of them is used."""
    paths: dict[tuple[type[Record], str], set[str]] = defaultdict(set)
    for record in snapshot.records:
        if isinstance(record, (Entity, Fact, Episode)):
            key = record.slug if isinstance(record, Entity) else record.id
            paths[type(record), key].add(record.path)
    for (_, key), files in paths.items():
        first, *others = sorted(files)
        for path in others:
            yield Finding(
                id="twins",
                level="error",
                path=path,
                message=f"{first} has the same id, {key}; only one of the two is used.",
                remedy="Keep one of the two files and delete the other.",
            )


def _facts(index: Index) -> Iterator[Finding]:
    moved = {redirect.slug for redirect in moved_by_hand(index)}
    for fact in (*index.facts.values(), *index.waiting.values()):
        yield from _ends(index, fact, moved)
        yield from _support(index, fact)
        if fact.valid_from and fact.invalid_at and fact.invalid_at < fact.valid_from:
            yield Finding(
                id="ends-before-it-begins",
                level="warning",
                path=fact.path,
                message="invalid_at lies before valid_from, so the fact never held.",
                remedy="Correct one of the two dates.",
            )


def _ends(index: Index, fact: Fact, moved: Container[str]) -> Iterator[Finding]:
    """The ends of a fact that waits may well be unknown; that is why it waits."""
    ends = [] if fact.reason else [end for end in (fact.src, fact.dst) if end]
    for slug in ends:
        if index.names.final(slug) not in index.entities and slug not in moved:
            yield Finding(
                id="dangling-end",
                level="warning",
                path=fact.path,
                message=f"There is no entity '{slug}' for this fact.",
                remedy=f"Write entities/{slug[:2]}/{slug}.md, or correct `src` or `dst`; "
                f"`{_FIX}` writes it where somebody has said what it is.",
            )


def _support(index: Index, fact: Fact) -> Iterator[Finding]:
    for episode in sorted({citation.episode for citation in fact.episodes}):
        if episode not in index.episodes and episode not in index.tombstones:
            yield Finding(
                id="missing-episode",
                level="warning",
                path=fact.path,
                message=f"It cites the episode {episode}, which is not in the store.",
                remedy="Bring the file back from git's history, or sweep its transcript again.",
            )
    if fact.superseded_by and not _known(index, fact.superseded_by):
        yield Finding(
            id="missing-successor",
            level="note",
            path=fact.path,
            message=f"superseded_by names {fact.superseded_by}, which is no fact of this store.",
            remedy="Nothing needs to be done; delete the line if the fact holds again.",
        )


def _known(index: Index, fact_id: str) -> bool:
    return fact_id in index.facts or fact_id in index.waiting or fact_id in index.tombstones


def _merges(index: Index) -> Iterator[Finding]:
    for entity in index.entities.values():
        if not entity.merged_into:
            continue
        if entity.merged_into not in index.entities:
            why = f"merged_into names '{entity.merged_into}', which is no entity."
        elif index.entities.get(index.names.final(entity.slug), entity).merged_into:
            why = "merged_into leads back to this entity."
        else:
            continue
        yield Finding(
            id="merged-into-nothing",
            level="warning",
            path=entity.path,
            message=why,
            remedy="Correct `merged_into`, or delete the line to undo the merge.",
        )


def _lost(
    index: Index,
    has_evidence: Callable[[Episode], bool],
    has_transcript: Callable[[Episode], bool],
) -> Iterator[Finding]:
    """Episodes that wait, and whose words are nowhere any more, or only in their transcript."""
    for episode in index.episodes.values():
        if episode.extractor != PENDING or has_evidence(episode):
            continue
        if has_transcript(episode):
            yield Finding(
                id="words-not-kept",
                level="note",
                path=episode.path,
                message="No extractor has answered for it, and its text is not kept here, so sweeps "
                "cannot ask.",
                remedy=f"scry ingest {episode.span.path}",
            )
        else:
            yield Finding(
                id="words-lost",
                level="warning",
                path=episode.path,
                message="No extractor has answered for it, and its transcript and text are gone.",
                remedy=f"Bring back {episode.span.path}, or accept it: `scry undo {episode.id}`.",
            )
