"""The chunk of a stored episode: what an extractor is asked about again, or a reply is held to."""

from collections.abc import Iterable
from dataclasses import replace

from scry.app import App
from scry.commands._source import VERIFIED, state_of
from scry.errors import SourceError
from scry.index import Index
from scry.model import Chunk, Episode
from scry.text import short_hash


class Words:
    """Finds the words of stored episodes; each transcript is read only once in a row."""

    def __init__(self, app: App, index: Index) -> None:
        self._app = app
        self._index = index
        self._path = ""
        self._parts: dict[str, Chunk] = {}

    def kept(self, episode: Episode) -> Chunk | None:
        """Return the chunk made from the text that is kept, else from the transcript."""
        from scry.episodes import from_evidence

        part = from_evidence(episode, self._app.reader.evidence(episode.id))
        return part if part.turns else self.read(episode)

    def whole(self, episode: Episode) -> Chunk | None:
        """Return the same with what stands before it and what the agent did, where that is known.

        Kept text holds neither; they are looked up in the transcript.
        """
        part, found = self.kept(episode), self.read(episode)
        if part is None or found is None:
            return part
        return replace(part, context=found.context, did=found.did)

    def read(self, episode: Episode) -> Chunk | None:
        """Return the chunk as the transcript has it; None where that is gone or has changed."""
        if state_of(self._app, episode) != VERIFIED:
            return None
        if episode.span.path != self._path:
            self._path = episode.span.path
            self._parts = {part.episode.id: part for part in self._chunks(episode)}
        part = self._parts.get(episode.id)
        return replace(part, episode=episode) if part else None

    def _chunks(self, episode: Episode) -> Iterable[Chunk]:
        """Read a transcript, redacted as it is when it is taken in."""
        from scry.distill import distill
        from scry.episodes import episodes
        from scry.sources import SOURCES

        source = SOURCES.get(episode.source)
        if source is None:
            return ()
        try:
            transcript = source.read(self._app.unshow(episode.span.path))
        except (OSError, SourceError):
            return ()
        redact = self._app.redact_for(transcript)
        return episodes(
            transcript,
            distill(transcript, redact),
            known=self._index.episodes,
            now=self._app.now,
            shown_path=episode.span.path,
            redact=redact,
        )


def mark(part: Chunk) -> str:
    """Return what a reply by hand may say it answers: the episode, and a hash of its words.

    An episode may grow between the question and the answer; then the hash is another.
    """
    return f"{part.episode.id}#{short_hash('asked', part.text, length=6)}"
