"""What can be said of episodes that wait: who is left out for now, and when one is asked for next."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from scry.app import App
from scry.attempts import ATTEMPTS, Tried, read_attempts
from scry.index import Index
from scry.meter import mark_of, next_day, spent
from scry.model import PENDING, Episode
from scry.status import asks_model
from scry.text import iso
from scry.usage import CHAIN, Remembered

Pause = tuple[str, datetime, str]
"""An extractor that is left out for now: its name, until when, and why."""


def left_out(app: App) -> list[Pause]:
    """Return the models of the chain that cannot be asked now, in the order of the chain."""
    known, now, budget = Remembered.of(app.reader.local(CHAIN)), app.now, app.config.budget
    found: list[Pause] = []
    for link in app.config.chain:
        if paused := known.paused(link.name, now, mark_of(link)):
            found.append((link.name, *paused))
        elif link.type != "rules" and (what := spent(known.used(link.id, now), budget)):
            found.append((link.name, next_day(now), f"the day's budget of {what} is used up"))
    return found


def by_rules(app: App, index: Index) -> int:
    """Count the episodes that only the rules have answered, while there is a model to ask."""
    if not asks_model(app.config.chain):
        return 0
    return sum(episode.extractor == "rules" for episode in index.episodes.values())


def waiting(app: App, index: Index) -> Iterator[Episode]:
    """Yield the episodes that a sweep would ask about again, as far as their text is kept."""
    tried = read_attempts(app.reader.local(ATTEMPTS))
    kinds = (PENDING, "rules") if asks_model(app.config.chain) else (PENDING,)
    for episode in index.episodes.values():
        if episode.extractor in kinds and app.reader.evidence(episode.id):
            one = tried.get(episode.id, Tried())
            if not one.given_up(app.patience, app.now):
                yield episode


def outlook(
    app: App, episode: Episode, tried: Tried, pauses: Sequence[Pause]
) -> tuple[dict[str, object], str]:
    """Return what came of asking for an episode, and when it is asked for next, as JSON and text."""
    kept = bool(app.reader.evidence(episode.id))
    given_up = tried.given_up(app.patience, app.now)
    at = None if given_up else _next(app, pauses)
    reasons = list(tried.reasons) or ["not asked yet"]
    since = f" since {iso(tried.since)}" if tried.since else ""
    then = f"at the first sweep after {iso(at)}" if at else "with the next sweep"
    if not kept:
        then = f"its text is not kept on this machine; scry ingest {episode.span.path} asks"
    elif given_up:
        then = f"not by sweeps any more ({given_up}); scry retry asks all the same"
    data = {
        "attempts": tried.attempts,
        "reasons": reasons,
        "since": iso(tried.since) if tried.since else None,
        "last": iso(tried.last) if tried.last else None,
        "given_up": given_up,
        "kept": kept,
        "next": iso(at) if at else None,
    }
    return data, f"tried {tried.attempts}{since}: {'; '.join(reasons)}\n    asked again: {then}"


def _next(app: App, pauses: Sequence[Pause]) -> datetime | None:
    """Return when anybody can be asked again; None for now."""
    return min(until for _, until, _ in pauses) if len(pauses) == len(app.config.chain) else None
