"""What a store holds: one value a file.  And what goes in and out of a store as a whole."""

from dataclasses import dataclass, field
from datetime import datetime

from scry.model.events import PENDING, Problem


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
class Entity:
    """A thing: its file's name is its slug, its only key.  The description is the body."""

    slug: str
    name: str
    type: str
    aliases: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    """Spellings that a person has taken from it: they lead here no more, whoever claims them."""
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
