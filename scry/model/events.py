"""What a source reads out of a transcript, and the turns that are made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal, NewType

Role = Literal["user", "assistant"]

Redacted = NewType("Redacted", str)
"""Text that has been through `scry.redact.redact`, the only function that makes one."""

ENTITY_TYPES = (
    "project",
    "service",
    "machine",
    "tool",
    "person",
    "decision",
    "runbook",
    "concept",
)
STANCES = ("asserted", "planned", "denied")
ORIGINS = ("rules", "document", "assistant", "user", "person")
"""Who a statement comes from, the least trusted first."""
DOCUMENT = "document"
"""Kind of a section of a note: each is a turn, and an episode, of its own."""
PENDING = "pending"
"""The `extractor` of an episode that nobody has answered for yet."""
REMEMBERED = "remember"
"""The `extractor` of an episode whose fact was stated in so many fields."""
UNDONE = "undone"
"""The `extractor` of an episode that a person has taken back."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One bad line or file; everything else is used.

    `line` is None when the whole file is meant.
    """

    path: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Words of the user or of the model.

    `uid` is the record's own id in the transcript, or "" where the format has none.  `kind`
    tells where the words stood: prompt, command, queue, queued, rejection, answer, btw, memory,
    prose, commentary, final_answer, plan, ...  `file` names the side file they come from, if not
    the transcript itself.
    """

    at: datetime | None
    line: int
    role: Role
    text: str
    kind: str = "prompt"
    uid: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Did:
    """The agent used a tool: a verb and an object, such as `ran tests` `pytest`.

    There is no field for the tool's input or output, on purpose: what a tool was given or
    printed stays in the transcript, because there is nowhere here to put it.
    """

    at: datetime | None
    line: int
    verb: str
    target: str = ""

    def __str__(self) -> str:
        return f"{self.verb}: {self.target}" if self.target else self.verb


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Something that happened to the conversation: compacted, interrupted, rejected, image, ..."""

    at: datetime | None
    line: int
    kind: str


Event = Said | Did | Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One transcript file, read: the conversation in file order, and what is known about it.

    Holds the conversation only (a few per cent of the file), never a tool's payload.

    `verdict` is `session`, `fork-of` (the events are only what this file adds to the session
    `continues`), `subagent`, `compaction-agent` or `metadata-only`.
    """

    source: str
    path: Path
    session: str
    verdict: str = "session"
    continues: str | None = None
    events: tuple[Event, ...] = ()
    problems: tuple[Problem, ...] = ()
    cwds: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    title: str = ""
    remote: str = ""
    """The repository's remote URL where the transcript itself records one."""
    started: datetime | None = None
    ended: datetime | None = None
    lines: int = 0
    types: Mapping[str, int] = field(default_factory=dict)
    """Record types that nobody knows, with how often they occurred: drift made visible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One speaker's words until the other speaks, or a part of such a turn.

    `first` says whether this part opens the turn.  `uid` identifies the part for good: it does
    not change when the session grows.  `weight` is in tokens, of the speech before redaction.
    """

    role: Role
    at: datetime | None
    line: int
    last: int
    text: Redacted
    uid: str
    weight: int
    first: bool = True
    file: str = ""
    kind: str = "prompt"
