"""Every error that ends a request, drawn as a tree, and the exit code of each branch.

    ScryError                     shown as one message, without a traceback
    ├── ConfigError          10   the configuration is missing or wrong
    ├── SourceError          20   a transcript cannot be read
    │   └── UnknownTranscriptError
    ├── ExtractionError      30   a provider gave nothing that we can use
    │   ├── ProviderError         the server or the way to it failed
    │   ├── BadReplyError         it answered, and the answer does not pass the check
    │   │   └── TooLongError      question or answer does not fit: ask again in parts
    │   └── ChainExhaustedError   says why, extractor by extractor; the episode stays pending
    ├── StoreError           40   the store cannot be read or written
    │   ├── NotAStoreError
    │   ├── MovedError            somebody else committed since we read; resolve again
    │   └── LockedError      75   another process writes; try later
    └── UnknownNameError     50   a verb was given a name that nobody bears

A `Problem` (see `model`) is the other kind of trouble: one bad line or file, while the rest is
used.  Codes are never renumbered; docs/exit-codes.md is generated from here.
"""

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path


class Exit(IntEnum):
    """What a process says when it ends; the comment is the line in docs/exit-codes.md."""

    DONE = 0  # done and durable
    NO = 1  # asked and answered "no": nothing found, no path, problems found by `check`
    USAGE = 2  # the command line was not understood
    CONFIG = 10  # the configuration is missing or wrong
    SOURCE = 20  # a transcript cannot be read
    EXTRACTION = 30  # no extractor gave a usable answer
    STORE = 40  # the store cannot be read or written
    UNKNOWN_NAME = 50  # a name given to a verb that nobody bears
    LOCKED = 75  # another process is writing; try later
    INTERRUPTED = 130  # Ctrl-C


class ScryError(Exception):
    """Ends the request with one message that says what, where and what next."""

    exit_code = Exit.STORE


class ConfigError(ScryError):
    """The configuration is missing or wrong."""

    exit_code = Exit.CONFIG


class SourceError(ScryError):
    """A transcript cannot be read."""

    exit_code = Exit.SOURCE


class UnknownTranscriptError(SourceError):
    """No source recognises the file."""

    def __init__(self, path: Path, known: Sequence[str]) -> None:
        super().__init__(
            f"{path}: no source recognises this file (tried {', '.join(known)}). "
            "If you know which agent wrote it, pass --source NAME."
        )
        self.path = path
        self.known = tuple(known)


class ExtractionError(ScryError):
    """A provider gave nothing that we can use.

    `kind` decides what the chain does next: `content` (the answer is bad: next extractor),
    `transport` (no answer: next, and try this one again later), `quota` (it refuses for now:
    cool down), `permanent` (it will never work as configured: next, and say so).
    """

    exit_code = Exit.EXTRACTION
    kind = "content"

    def __init__(self, message: str, *, kind: str = "content") -> None:
        super().__init__(message)
        self.kind = kind


class ProviderError(ExtractionError):
    """The server, or the way to it, failed."""

    def __init__(self, message: str, *, kind: str = "transport") -> None:
        super().__init__(message, kind=kind)


class BadReplyError(ExtractionError):
    """The model answered, and the answer does not pass the check."""


class TooLongError(BadReplyError):
    """The question does not fit the model, or its answer was cut off: ask again in parts."""


class ChainExhaustedError(ExtractionError):
    """No extractor of the chain gave a usable answer; the episode stays pending."""

    def __init__(self, failures: Sequence[tuple[str, str]]) -> None:
        self.failures = tuple(failures)
        # A reason may begin with the extractor's name already.
        self.reasons = tuple(
            why if why.startswith(f"{name}:") else f"{name}: {why}" for name, why in failures
        )
        super().__init__("; ".join(self.reasons) or "no extractor is configured")


class StoreError(ScryError):
    """The store cannot be read or written."""

    exit_code = Exit.STORE


class NotAStoreError(StoreError):
    """There is no store at that path."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: there is no store here. `scry init` makes one.")
        self.path = path


class MovedError(StoreError):
    """Somebody else committed since the store was read; the caller resolves again."""


class LockedError(StoreError):
    """Another process is writing to the store."""

    exit_code = Exit.LOCKED


class UnknownNameError(ScryError):
    """A verb was given a name that nobody bears."""

    exit_code = Exit.UNKNOWN_NAME

    def __init__(self, name: str, near: Sequence[str] = ()) -> None:
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        super().__init__(f"Nothing is called '{name}'.{hint}")
        self.name = name
        self.near = tuple(near)
