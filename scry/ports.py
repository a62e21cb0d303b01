"""The contracts between the stages and the outside.  Adapters live one a file.

`ingest` takes these as arguments, so it runs with a store in memory and canned replies.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from scry.model import (
    Applied,
    ChangeSet,
    Chunk,
    Commit,
    Extraction,
    Known,
    Prompt,
    Record,
    Reply,
    Snapshot,
    Transcript,
)

Clock = Callable[[], datetime]
"""Gives the present moment, aware and in UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where agents keep their files on this machine."""

    home: Path
    claude: Path
    codex: Path
    folders: tuple[Path, ...] = ()
    """Folders in which sessions have worked: where projects keep their notes."""
    notes: tuple[str, ...] | None = None
    """Notes of a project, as patterns relative to its folder; None for the usual ones."""


class Source(Protocol):
    """An agent whose transcripts can be read.  Implemented by a module each."""

    NAME: str

    def discover(self, places: Places) -> Iterator[Path]:
        """Yield the agent's transcripts, sorted; nothing when the agent was never used."""

    def recognises(self, path: Path, head: bytes) -> bool:
        """Say whether the file is this agent's, by its name and first bytes (up to 64 KB)."""

    def read(self, path: Path) -> Transcript:
        """Read one transcript.

        Raises:
            SourceError: the file cannot be opened.  Bad lines are problems, not errors.
        """


class Meter(Protocol):
    """Counts what one provider is asked and what it uses, and keeps what it learnt of its server.

    A day is a UTC day.  What is counted survives the process.
    """

    def request(self) -> None:
        """Count a request that is about to be sent.

        Raises:
            ProviderError: of kind `quota`: the day's budget is spent, and nothing may be sent.
        """

    def used(self, tokens_in: int, tokens_out: int) -> None:
        """Count the tokens of an answer, whether or not it can be used."""

    def mode(self) -> str:
        """Return how the shape of an answer was last asked for with success, or ""."""

    def keep_mode(self, mode: str) -> None:
        """Keep how the shape of an answer is asked for from now on."""


class Provider(Protocol):
    """A model's API: a prompt in, a reply's text out."""

    name: str

    def complete(self, prompt: Prompt) -> Reply:
        """Ask once, with the retries that the wire calls for.

        Raises:
            ExtractionError: with the `kind` that decides what the chain does next.
        """


class Extractor(Protocol):
    """Makes entities and claims of a chunk.  A chain of extractors is an extractor."""

    name: str

    def extract(self, chunk: Chunk, glossary: Sequence[Known]) -> Extraction:
        """Answer for one chunk.

        Raises:
            ExtractionError: it has no usable answer.
        """


class Reader(Protocol):
    """A store that can be read.  Split off so that recall cannot write, by type."""

    def load(self) -> Snapshot:
        """Read every record; a bad file is a problem in the snapshot."""

    def evidence(self, episode: str) -> str:
        """Return the distilled text kept for an episode, or "" when there is none."""

    def local(self, name: str) -> str:
        """Return a small text kept on this machine only, or ""; it may vanish at any time."""


class Store(Reader, Protocol):
    """A store that can be written, one whole commit at a time."""

    def writing(self) -> AbstractContextManager[None]:
        """Hold the one writer's lock.

        Raises:
            LockedError: another process held it for too long.
        """

    def path_of(self, record: Record) -> str:
        """Return the file that a record lives in, relative to the store."""

    def head(self) -> str:
        """Return the commit that the store stands at; "" when it has none."""

    def apply(self, changes: ChangeSet, *, base: str) -> Applied:
        """Write a change set as one commit on top of `base`; must hold `writing()`.

        Raises:
            MovedError: the store no longer stands at `base`.
            StoreError: it cannot be written; nothing has changed.
        """

    def keep_evidence(self, texts: Mapping[str, str]) -> None:
        """Keep distilled, redacted texts by episode id, on this machine only."""

    def keep_local(self, name: str, text: str) -> None:
        """Keep a small text on this machine only, beside the evidence."""

    def log(self, *, limit: int = 0, paths: Sequence[str] = ()) -> Sequence[Commit]:
        """Return commits, newest first; those that touched `paths`, if given."""
