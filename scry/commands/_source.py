"""From an episode back to the words that were said: its transcript, else the text kept of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from scry.app import App, digests
from scry.errors import SourceError
from scry.index import Index
from scry.model import Episode, Turn

VERIFIED = "verified"
"""The lines of the transcript are those that were read, byte for byte."""
CHANGED = "changed"
GONE = "gone"
_BY_HAND = "manual"
"""The source of what was said to Scry itself: its words are the episode's own text."""


@dataclass(frozen=True, slots=True)
class Words:
    """What was said in an episode, and how its transcript stands today."""

    state: str
    turns: tuple[Turn, ...]

    def at(self, line: int) -> str:
        """Return the turn that a line of the transcript belongs to, or ""."""
        exact = [turn for turn in self.turns if turn.line == line]
        around = [turn for turn in self.turns if turn.line <= line <= turn.last]
        return next((turn.text for turn in exact or around), "")


def words_of(app: App, index: Index, episode: Episode) -> Words:
    """Return an episode's words: those of the transcript while it is as it was read."""
    if episode.source == _BY_HAND:
        return Words(VERIFIED, _kept(app, episode))
    state = state_of(app, episode)
    if state == VERIFIED:
        return Words(state, _read(app, index, episode))
    kept = _kept(app, episode)
    return Words(state, kept or (_read(app, index, episode) if state == CHANGED else ()))


def state_of(app: App, episode: Episode) -> str:
    """Hash an episode's lines again and say whether they are still the ones that were read."""
    path = app.unshow(episode.span.path)
    try:
        found = digests(path, [(episode.span.first, episode.span.last)])
    except (OSError, SourceError):
        return GONE
    return VERIFIED if found == [episode.sha256] else CHANGED


def _read(app: App, index: Index, episode: Episode) -> tuple[Turn, ...]:
    """Return the turns of an episode out of its transcript, cut as they were when it was stored."""
    from scry.distill import distill
    from scry.episodes import episodes
    from scry.sources import SOURCES

    source = SOURCES.get(episode.source)
    if source is None:
        return ()
    path = app.unshow(episode.span.path)
    try:
        transcript = source.read(path)
    except (OSError, SourceError):
        return ()
    turns = distill(transcript, app.redact)
    parts = episodes(
        transcript,
        turns,
        known=index.episodes,
        now=app.now,
        shown_path=episode.span.path,
        redact=app.redact,
    )
    own = next((part.turns for part in parts if part.episode.id == episode.id), ())
    return own or _between(turns, episode)


def _between(turns: Sequence[Turn], episode: Episode) -> tuple[Turn, ...]:
    span = episode.span
    return tuple(turn for turn in turns if span.first <= turn.line <= span.last)


def _kept(app: App, episode: Episode) -> tuple[Turn, ...]:
    from scry.episodes import from_evidence

    return from_evidence(episode, app.reader.evidence(episode.id)).turns
