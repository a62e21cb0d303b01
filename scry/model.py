"""The values that the stages pass on.  All frozen; times aware and in UTC; lines from 1.

Types carry trust: a `Did` has no field for what a tool printed, only `redact` makes `Redacted`,
and a `Claim` becomes a `Fact` only through `resolve`.
"""

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


# --- what a source reads out of a transcript ---------------------------------------------------


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


# --- between the stages ------------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True)
class Span:
    """Lines `first` to `last` of a file, both included; `~` stands for the home folder."""

    path: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.path}:{self.first}-{self.last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """The stored record of a chunk: the unit of evidence.  The summary is the file's body."""

    id: str
    source: str
    session: str
    span: Span
    sha256: str
    turns: int
    """How many parts of turns it covers: of two copies of a session the longer one wins."""
    occurred_at: datetime
    ingested_at: datetime
    cwd: str = ""
    repo: str = ""
    branch: str = ""
    extractor: str = PENDING
    facts: tuple[str, ...] = ()
    """Ids of the statements that it supports."""
    mentions: tuple[str, ...] = ()
    """Names that it declares and that none of its facts needs."""
    declares: tuple[str, ...] = ()
    """`type | name | alias | alias ...`, one entity an item (see `declare`)."""
    described: tuple[str, ...] = ()
    """`name | description`, one entity an item."""
    refused: tuple[str, ...] = ()
    """What of the reply was not taken, each with its reason."""
    ended_at: datetime | None = None
    """When a document no longer said this; what nothing else supports ends then."""
    summary: str = ""
    path: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Turns that are extracted together, with what an extractor may know about them.

    `context` repeats the turn before the first one, so that a question and its answer stand
    together at least once; it is not evidence of this episode.
    """

    episode: Episode
    turns: tuple[Turn, ...]
    context: Redacted = Redacted("")
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


# --- records of the store ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A thing: its file's name is its slug, its only key.  The description is the body."""

    slug: str
    name: str
    type: str
    aliases: tuple[str, ...] = ()
    repos: tuple[str, ...] = ()
    description: str = ""
    merged_into: str = ""
    path: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """Who says so: an episode, the line of the turn, and the statement's date.

    Written `EPISODE:LINE@DATE`.  Line 0 means the episode as a whole; without a date the
    statement is as old as its episode.
    """

    episode: str
    line: int = 0
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A statement about an entity, true for `[valid_from, invalid_at)`.

    Facts are ended, never deleted.  Exactly one of `dst` (a slug) and `value` (a literal) is set.
    A fact with a `reason` waits for a person in `review/` and is no part of any answer.
    """

    id: str
    src: str
    relation: str
    dst: str | None = None
    value: str | None = None
    qualifier: str = ""
    fact: str
    valid_from: datetime | None = None
    invalid_at: datetime | None = None
    superseded_by: str = ""
    confidence: float = 0.5
    """The extractor's own estimate, from 0 to 1.  Not a probability."""
    stance: str = "asserted"
    origin: str = "person"
    said_src: str = ""
    said_dst: str = ""
    said: str = ""
    supersedes: tuple[str, ...] = ()
    episodes: tuple[Citation, ...] = ()
    reason: str = ""
    path: str = field(default="", compare=False)

    def holds_at(self, when: datetime) -> bool:
        """Whether the fact was true at a moment.  An undated start lies before everything."""
        begun = self.valid_from is None or self.valid_from <= when
        return begun and (self.invalid_at is None or when < self.invalid_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A merge or an alias that waits for a person: `alias` is claimed for `entity`.

    Lives in `review/`, beside the facts that wait.
    """

    entity: str
    """Slug of the entity for which the alias is claimed."""
    alias: str
    reason: str
    episodes: tuple[Citation, ...] = ()
    path: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """Something that a person removed: it does not come back by itself.  Holds no text."""

    id: str
    triple: str
    """Hash of (src, relation, dst or value); "" for an episode."""
    when: datetime
    path: str = field(default="", compare=False)


Record = Entity | Fact | Episode | Proposal | Tombstone


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """Records to write and records to remove as one commit.

    `subject`, `lines` and `trailers` make the commit message: a sentence and details for
    people, then `Key: value` for machines.
    """

    subject: str
    writes: tuple[Record, ...] = ()
    removes: tuple[Record, ...] = ()
    lines: tuple[str, ...] = ()
    trailers: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.writes or self.removes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A store as it was read: its records, what could not be read, and at which commit."""

    records: tuple[Record, ...]
    problems: tuple[Problem, ...] = ()
    head: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What became of a change set: the commit ("" if nothing changed), and paths that wait.

    A path waits when a person has changed its file and not committed it.
    """

    commit: str = ""
    waiting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit of the store, as `log` and `why` show it."""

    id: str
    date: datetime
    subject: str
    lines: tuple[str, ...] = ()
    trailers: tuple[tuple[str, str], ...] = ()
