"""What goes to an extractor and comes back: checked, and not yet anything in a store."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from scry.model.events import Did, Redacted, Turn
from scry.model.records import Episode


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Turns that are extracted together, with what an extractor may know about them.

    `context` repeats the turn before the first one, so that a question and its answer stand
    together at least once; it is not evidence of this episode.
    """

    episode: Episode
    turns: tuple[Turn, ...]
    context: Redacted = Redacted("")  # noqa: RUF009 -- a NewType, and an empty text
    did: tuple[Did, ...] = ()
    """What the agent did during these turns, redacted; the text shows it as breadcrumbs."""

    @property
    def text(self) -> Redacted:
        """The chunk as an extractor sees it, a line number before each turn."""
        return Redacted(
            "\n\n".join(f"[{turn.line}] {turn.role}: {turn.text}" for turn in self.turns)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An entity as the glossary shows it to an extractor.

    `facts` are (handle, circumstances) pairs of what holds now; the handle names the relation
    and both ends.
    """

    name: str
    type: str
    aliases: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """An entity as a reply declares it, checked; not yet anything in the store."""

    name: str
    type: str
    description: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement as a reply makes it, checked; not yet a fact.

    `src` and `dst` are names as they were said.  Exactly one of `dst` and `value` is set.
    `relation` is canonical, `said` the verb where it differs.  `held` gives the reason why the
    statement waits for a person; "" lets it pass.  `line` is that of the turn which says it.
    `at` is the date that the statement itself gives, else None (the turn's time counts).
    """

    src: str
    relation: str
    dst: str | None = None
    value: str | None = None
    qualifier: str = ""
    fact: str
    at: datetime | None = None
    confidence: float = 0.5
    stance: str = "asserted"
    origin: str = "assistant"
    line: int = 0
    said: str = ""
    supersedes: tuple[str, ...] = ()
    held: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What one extractor made of one chunk; a stage of its own, nothing is stored yet."""

    extractor: str
    summary: str
    entities: tuple[Declared, ...] = ()
    claims: tuple[Claim, ...] = ()
    refused: tuple[str, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    notes: tuple[str, ...] = ()
    """What the extractors before this one answered, for the log."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A provider's answer: the text, and what it cost in tokens (0 where it did not say)."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a provider is asked: `stable` never changes (cacheable), then `glossary`, `chunk`.

    `correction` says what was wrong with the answer before, on a second try.
    """

    stable: str
    glossary: str
    chunk: str
    schema: Mapping[str, object]
    correction: str = ""
