"""Findings about what people did with their files: new ones, copies, moves, deletions, contradictions.

Pure, like `check`.  A person may do all of this; what is said here is what Scry makes of it, and
how it can be made tidy.  `scry check --fix` does what needs no decision.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import PurePosixPath

from scry.finding import Finding
from scry.index import Index, handle
from scry.model import Entity, Episode, Fact
from scry.resolve import deleted_by_hand
from scry.resolve.byhand import moved_by_hand
from scry.resolve.cascade import doubts
from scry.statement import CONTESTED, CONTRADICTS, UNKNOWN
from scry.text import one_line, slug_of

COPY = re.compile(
    r"(?P<stem>.+?)(?: \([^()]*\)| - [Cc]opy.*| [Cc]opy(?: \d+)?| \d+|\.sync-conflict-.*|~\d*)\Z"
)
"""How programs that sync folders, and file managers, name a copy of a file."""
_FIX = "`scry check --fix`"
_EVER = datetime(1, 1, 1, tzinfo=UTC)


def by_hand(index: Index) -> Iterator[Finding]:
    """Yield what people have done by hand, and what became of it."""
    yield from _copies(index)
    for fact in index.facts.values():
        yield from _unnamed(fact)
        yield from _misplaced(fact)
    for fact in index.waiting.values():
        yield from _waiting(index, fact)
    for redirect in moved_by_hand(index):
        heir = index.entities[redirect.merged_into]
        yield Finding(
            id="moved-entity",
            level="note",
            path=heir.path,
            message=f"It has taken the place of '{redirect.slug}', whose file was moved or renamed; "
            "facts about that lead here.",
            remedy=f"{_FIX} writes the redirect down; so does the next sweep.",
        )
    yield from _deleted(index)


def doubtful(index: Index) -> Iterator[Finding]:
    """Yield the current facts that may no longer hold because something else has ended."""
    ended = [fact for fact in index.facts.values() if fact.invalid_at is not None]
    for doubt in doubts(index, ended):
        yield Finding(
            id="may-no-longer-hold",
            level="note",
            path=doubt.fact.path,
            message=f"It names {one_line(doubt.named, 60)}, and {handle(doubt.ended)} has ended.",
            remedy=f"If it has ended too: `scry end {doubt.fact.id}`.",
        )


def _copies(index: Index) -> Iterator[Finding]:
    """Yield files that are named like the copy of another one that is there."""
    records: list[Entity | Episode] = [*index.entities.values(), *index.episodes.values()]
    for record in records:
        found = COPY.match(PurePosixPath(record.path).stem)
        stem = found["stem"] if found else ""
        first: Entity | Episode | None = index.entities.get(stem)
        if isinstance(record, Episode):
            first = index.episodes.get(stem)
        if first is not None and first is not record:
            yield Finding(
                id="copy",
                level="warning",
                path=record.path,
                message=f"It looks like a copy of {first.path}, and counts as a record of its own.",
                remedy=f"{_FIX} removes it if it says nothing of its own; else keep one of the two.",
            )


def _unnamed(fact: Fact) -> Iterator[Finding]:
    """A fact that a person wrote and whose file's name does not give it its id."""
    if PurePosixPath(fact.path).stem.rpartition("--")[2] == fact.id or not fact.path:
        return
    yield Finding(
        id="handwritten-fact",
        level="note",
        path=fact.path,
        message=f"It is used as {fact.id}, by its words, for its file's name has no id of its own; "
        "when the words change, so does the id.",
        remedy=f"{_FIX} completes the file and gives it its name.",
    )


def _misplaced(fact: Fact) -> Iterator[Finding]:
    parts = PurePosixPath(fact.path).parts
    ought = ("facts", fact.src[:2].rstrip("."), fact.src)
    if fact.path.endswith(f"--{fact.id}.md") and parts[:-1] != ought and _is_slug(fact.src):
        yield Finding(
            id="misplaced",
            level="note",
            path=fact.path,
            message=f"It is about {fact.src}, and lies in another folder; it is used all the same.",
            remedy=f"{_FIX} moves it to {'/'.join(ought)}/.",
        )


def _is_slug(name: str) -> bool:
    return slug_of(name) == name


def _waiting(index: Index, fact: Fact) -> Iterator[Finding]:
    if CONTRADICTS in fact.reason:
        yield Finding(
            id="contradicts-a-person",
            level="note",
            path=fact.path,
            message=f"{one_line(fact.fact, 120)} This contradicts a statement that is trusted more, "
            "which goes on holding.",
            remedy=f"`scry review --accept {fact.id}`, or `--reject {fact.id}`.",
        )
    if settled := [part for part in fact.reason.split("; ") if _is_settled(index, part)]:
        yield Finding(
            id="waits-for-nothing",
            level="note",
            path=fact.path,
            message=f"It no longer waits for this: {one_line('; '.join(settled), 160)}.",
            remedy=f"{_FIX} looks at it again; so does the next sweep that touches it.",
        )


def _is_settled(index: Index, reason: str) -> bool:
    """Say whether a name that a fact waits for leads to one thing by now."""
    for start in (UNKNOWN, CONTESTED):
        if reason.startswith(start):
            return index.names.route(reason.removeprefix(start))[0] is not None
    return False


def _deleted(index: Index) -> Iterator[Finding]:
    gone = {stone.id for stone in deleted_by_hand(index, _EVER)}
    for episode in index.episodes.values() if gone else ():
        for birth in sorted(gone & set(episode.facts)):
            gone.discard(birth)
            yield Finding(
                id="deleted-fact",
                level="note",
                path=episode.path,
                message=f"The file of {birth}, a fact that this supports, was deleted by hand. It "
                "stays deleted.",
                remedy="Nothing needs to be done: the next write notes it. To have it back, bring "
                "the file back with git.",
            )
