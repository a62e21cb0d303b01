"""What became of a note that somebody asked to remember, the same for every face."""

from dataclasses import dataclass
from datetime import datetime

from scry.extract.guard import steering
from scry.ingest import Ingest
from scry.model import PENDING, Episode
from scry.remember import Note, remember


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A stored note: its episode, its facts, the commit that holds it.

    `status` is `active`, `review` (all its facts wait for a person) or `pending` (it can be found
    by its words, and no extractor has answered yet).  `held` says why nothing of the text is shown
    to agents, "" where it is.
    """

    episode: str
    facts: tuple[str, ...]
    commit: str
    status: str
    held: str = ""


def keep(ingest: Ingest, note: Note, now: datetime, *, at_once: bool) -> Kept:
    """Store a note; with `at_once`, ask the extractor for one without typed fields right away.

    Raises:
        RememberError: a field is missing, or a name cannot be one.
        UnknownNameError: no fact bears what the note replaces.
        StoreError: the store cannot be written.
    """
    episode, applied = remember(ingest, note, now)
    if at_once and not note.relation and episode.extractor == PENDING:
        ingest.retry(ingest.waiting_episodes(only=[episode.id]))
        episode = ingest.index.episodes[episode.id]
    facts = [f for birth in episode.facts for f in ingest.index.files_of(birth)]
    return Kept(
        episode=episode.id,
        facts=tuple(fact.id for fact in facts),
        commit=_commit(ingest, episode, applied.commit),
        status=_status(episode, waits=[bool(fact.reason) for fact in facts]),
        held="" if facts or episode.extractor == PENDING else steering(note.text),
    )


def said(kept: Kept) -> str:
    """Return what was stored, as one line."""
    if kept.held:
        return (
            f"Kept as {kept.episode}, but not shown to agents, for its text {kept.held}. "
            f"`scry show {kept.episode} --source` prints it."
        )
    what = {
        "active": "Remembered",
        "review": "Kept for a person to review",
        "pending": "Kept; it can be found by its words until an extractor has answered",
    }[kept.status]
    return f"{what}: {', '.join((kept.episode, *kept.facts))}."


def _commit(ingest: Ingest, episode: Episode, fresh: str) -> str:
    """Return the commit that holds the note; an earlier one when it was known already."""
    if ingest.report.commits:
        return ingest.report.commits[-1][0]
    if fresh or not episode.path:
        return fresh
    return next((c.id for c in ingest.store.log(limit=1, paths=[episode.path])), "")


def _status(episode: Episode, *, waits: list[bool]) -> str:
    if episode.extractor == PENDING:
        return "pending"
    return "review" if waits and all(waits) else "active"
