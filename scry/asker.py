"""Asks the extractor about one episode: an answer, or the reasons why there is none.

It keeps count of what each episode has been asked for.  An attempt is counted with the first request
that is really sent, so an outage that keeps everybody from being asked gives up nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from scry.attempts import Attempts, Patience
from scry.errors import ChainExhaustedError, ExtractionError
from scry.model import PENDING, Chunk, Episode, Extraction, Known
from scry.ports import Clock, Extractor

RULES = "rules"
OFFLINE = "not asked: offline"


class Requests(Protocol):
    """The requests that extractors send, as far as they are counted (see `meter.Usage`)."""

    on_request: Callable[[], None]
    """Is called before each."""

    def paused(self) -> bool:
        """Say whether no model can be asked for now."""


@dataclass(kw_only=True)
class Asker:
    """One run's way to its extractor.

    `requests` is None where asking is an attempt, whether or not it sends anything.
    """

    extractor: Extractor
    attempts: Attempts
    clock: Clock
    requests: Requests | None = None
    offline: bool = False
    asked: set[str] = field(default_factory=set)
    """Episodes for which an extractor was asked in this run."""

    def ask(self, part: Chunk, glossary: Sequence[Known]) -> Extraction | None:
        """Return an answer, or None with the reasons noted: the episode stays pending."""
        episode = part.episode.id
        self.asked.add(episode)
        if self.offline:
            self.attempts.note(episode, OFFLINE, asked=False)
            return None
        sent = self._counting(episode)
        try:
            extraction = self.extractor.extract(part, glossary)
        except ExtractionError as error:
            reasons = error.reasons if isinstance(error, ChainExhaustedError) else (str(error),)
            self.attempts.note(episode, *reasons, asked=bool(sent))
            return None
        if extraction.extractor == RULES and extraction.notes:
            self.attempts.note(episode, *extraction.notes, asked=bool(sent))
        else:
            self.attempts.answered(episode)
        return extraction

    def waits(self, episode: Episode) -> bool:
        """Say whether an episode waits: for anybody, or for a model where only rules have answered."""
        has_model = self._names[0] != RULES
        return episode.extractor == PENDING or (episode.extractor == RULES and has_model)

    def in_vain(self, episode: Episode) -> bool:
        """Say whether nobody can be asked for now who could give what an episode waits for."""
        rules_help = RULES in self._names and episode.extractor != RULES
        return self.requests is not None and self.requests.paused() and not rules_help

    def given_up(self, episode: str, limits: Patience | None) -> bool:
        """Say whether an episode is left to the person; without limits none is."""
        return limits is not None and bool(self.attempts.of(episode).given_up(limits, self.clock()))

    @property
    def _names(self) -> list[str]:
        """The extractors of the chain, in order."""
        return self.extractor.name.split(" > ")

    def _counting(self, episode: str) -> list[str]:
        """Count an attempt before the first request for an episode; the list then holds it."""
        sent: list[str] = []

        def count() -> None:
            if not sent:
                sent.append(episode)
                self.attempts.asked(episode)

        if self.requests is None:
            count()
        else:
            self.requests.on_request = count
        return sent
