"""Learning anew from what was said: each episode's answer gives way to that of another extractor.

    chosen    which episodes: those that a machine has answered for
    ask       one after the other, outside of any lock, with what is known by then
    write     batch by batch: what follows from the new answers (see `resolve.anew`)

Where the new extractor has no usable answer, an episode keeps the one that it has.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from scry.errors import ExtractionError
from scry.index import Index
from scry.model import PENDING, REMEMBERED, UNDONE, ChangeSet, Chunk, Episode, Fact, Known
from scry.ports import Extractor
from scry.resolve import Answer
from scry.resolve.anew import rebuild

RULES = "rules"
_BY_HAND = "submit"
_MANUAL = "manual"
_BATCH = 20
"""Episodes in a commit: what a killed run has at least left on its branch."""


def chosen(
    index: Index, *, since: datetime | None = None, by_hand: Collection[str] = ()
) -> list[Episode]:
    """Return the episodes that may be learned anew, oldest first.

    Not those that wait or were undone, nor what people and agents said to Scry itself or answered
    for, nor an episode whose file a person has changed.
    """
    found = [
        episode
        for episode in index.episodes.values()
        if episode.extractor not in (PENDING, UNDONE, REMEMBERED)
        and episode.extractor.partition("/")[0] != _BY_HAND
        and episode.source != _MANUAL
        and episode.path not in by_hand
        and (since is None or episode.occurred_at >= since)
    ]
    return sorted(found, key=lambda e: (e.occurred_at, e.id))


@dataclass(kw_only=True)
class Reextraction:
    """Learns episodes anew, on top of one state of a store.

    Args:
        index: the store as it stood; it goes along.
        extractor: who is asked.
        words: gives an episode's chunk, None where its words are nowhere.
        evidence: gives the distilled text that is kept of an episode, or "".
        by_hand: files that people have changed.
        rules_asked_for: whether the rules may take the place of a model.
        write: keeps a change.
    """

    index: Index
    extractor: Extractor
    words: Callable[[Episode], Chunk | None]
    evidence: Callable[[str], str]
    by_hand: Collection[str]
    rules_asked_for: bool = False
    write: Callable[[ChangeSet], object] = field(default=lambda _: None)
    answers: list[Answer] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)
    """Why an episode keeps the answer that it has."""

    def __post_init__(self) -> None:
        self._texts: dict[str, str] = {}
        self.before = everything(self.index)

    def run(self, episodes: Iterable[Episode]) -> None:
        """Ask about episodes in order.  What was answered before an interruption is kept."""
        due: list[Answer] = []
        try:
            for episode in episodes:
                if answer := self._ask(episode):
                    due.append(answer)
                if len(due) == _BATCH:
                    ready, due = due, []
                    self.take(ready)
        finally:
            self.take(due)

    def take(self, answers: Sequence[Answer]) -> None:
        """Write what follows from answers."""
        if answers:
            self.answers += answers
            self._texts |= {answer.episode.id: answer.text for answer in answers}
            self.write(rebuild(self.index, answers, self._evidence, self.by_hand))

    def _evidence(self, episode: str) -> str:
        return self.evidence(episode) or self._texts.get(episode, "")

    def _ask(self, episode: Episode) -> Answer | None:
        part = self.words(episode)
        if part is None or not part.turns:
            self.kept[episode.id] = "its text is not on this machine, nor is its transcript"
            return None
        glossary = [_without_own(k, self.index, episode.id) for k in self.index.glossary(part.text)]
        try:
            extraction = self.extractor.extract(part, glossary)
        except ExtractionError as error:
            self.kept[episode.id] = str(error)
            return None
        if extraction.extractor == RULES != episode.extractor and not self.rules_asked_for:
            self.kept[episode.id] = "; ".join(extraction.notes) or "only the rules have an answer"
            return None
        times = {turn.line: turn.at for turn in part.turns if turn.at}
        return Answer(episode, extraction, part.text, times)


def everything(index: Index) -> dict[str, Fact]:
    """Return all facts of a store by id, those that wait among them."""
    return {**index.waiting, **index.facts}


def _without_own(known: Known, index: Index, episode: str) -> Known:
    """Return a known thing without what only the episode itself has said about it."""
    facts = []
    for handle, circumstances in known.facts:
        fact = index.facts.get(handle.rpartition("--")[2])
        if fact is None or {c.episode for c in fact.episodes} != {episode}:
            facts.append((handle, circumstances))
    return replace(known, facts=tuple(facts))
