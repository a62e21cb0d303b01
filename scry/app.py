"""Configuration to concrete parts: the one place that knows which adapter stands behind a port.

Faces hold one `App` for a request.  Everything is made late, so that reading loads neither git
nor HTTP, and `scry --help` loads nothing.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from scry.config import Config, Link, read_config
from scry.errors import ConfigError, NotAStoreError
from scry.index import Index
from scry.model import Redacted, Snapshot, Transcript
from scry.ports import Extractor, Places, Reader, Store

if TYPE_CHECKING:
    from scry.attempts import Patience
    from scry.due import Due
    from scry.exclude import Excluded
    from scry.finder import Finder
    from scry.ingest import Ingest
    from scry.meter import Usage
    from scry.report import Report
    from scry.store.git import GitStore
    from scry.sweep import Progress
    from scry.usage import Local
    from scry.yields import Yield


_SWEEP_WAIT_S = 60.0
"""Seconds for which a sweep waits for another one."""


def utc_now() -> datetime:
    """Return the present moment, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


def to_stderr(text: str) -> None:
    """Tell the person at the terminal something that is no part of the answer."""
    sys.stderr.write(text + "\n")


@dataclass
class App:
    """The parts of Scry for one request, as the environment and the configuration say."""

    home: Path
    """SCRY_HOME: configuration, and the store unless SCRY_STORE moves it."""
    store_path: Path
    places: Places
    environ: Mapping[str, str] = field(default_factory=dict)
    clock: Callable[[], datetime] = utc_now
    say: Callable[[str], None] = to_stderr

    @classmethod
    def of_environment(cls, environ: Mapping[str, str], store: Path | None = None) -> "App":
        """Return the app that the environment describes; `store` moves the store."""
        user = Path(environ.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111 -- before Path.home
        home = Path(environ.get("SCRY_HOME") or user / ".scry")
        return cls(
            home=home,
            store_path=store or Path(environ.get("SCRY_STORE") or home / "store"),
            places=Places(
                home=user,
                claude=Path(environ.get("CLAUDE_CONFIG_DIR") or user / ".claude"),
                codex=Path(environ.get("CODEX_HOME") or user / ".codex"),
            ),
            environ=environ,
        )

    @cached_property
    def now(self) -> datetime:
        """The moment of this request."""
        return self.clock()

    # --- reading --------------------------------------------------------------------------------

    @cached_property
    def reader(self) -> Reader:
        """The store, to be read.

        Raises:
            NotAStoreError: there is none.
        """
        from scry.store.tree import FileReader

        if not (self.store_path / ".git").exists():
            raise NotAStoreError(self.store_path)
        return FileReader(self.store_path)

    def index(self, as_known: str = "") -> Index:
        """Return the store's index: as it is, or as it was known at a time or a revision."""
        if as_known:
            return Index.build(self._known_at(as_known))
        return Index.build(self.reader.load())

    def _known_at(self, when: str) -> Snapshot:
        from scry.when import read_time

        _ = self.reader  # A missing store is said first.
        moment = read_time(when, self.now)
        return self.store().load_at(moment or when)

    def repo_of(self, cwd: Path) -> str:
        """Return the identity of the repository that a folder belongs to, "" for none."""
        from scry.store.repos import identity

        return identity(cwd)

    # --- writing --------------------------------------------------------------------------------

    def store(self) -> "GitStore":
        """Return the store, to be written; it is made when there is none."""
        from scry.store.git import GitStore
        from scry.store.init import init_store

        init_store(self.store_path)
        return GitStore(self.store_path, clock=self.clock, say=self.say)

    @cached_property
    def config(self) -> Config:
        """The configuration; the defaults when there is no file.

        Raises:
            ConfigError: the file is there and not right.
        """
        from scry.store.codec import read_yaml

        path = self.home / "config.yaml"
        if (path.exists() or path.is_symlink()) and not path.is_file():
            raise ConfigError(
                f"{path}: this leads to no regular file. Put the configuration there."
            )
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return Config()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: cannot be read ({error}).") from error
        try:
            data = read_yaml(text)
        except ValueError as error:
            raise ConfigError(f"{path}: {error}") from error
        return read_config(data, str(path))

    def usage(self, store: "Local") -> "Usage":
        """Return what is remembered of the extractors, kept in a store's notes."""
        from scry.meter import Usage

        return Usage(store, self.clock, budget=self.config.budget)

    def extractor(self, usage: "Usage") -> Extractor:
        """Return the chain of extractors as configured, with what is remembered of each."""
        from scry.extract.chain import Chain

        failures, seconds = self.config.cooldown
        return Chain(
            [self._link(link, usage) for link in self.config.chain],
            clock=self.clock,
            state=usage,
            failures=failures,
            cooldown_s=seconds,
        )

    def _link(self, link: Link, usage: "Usage") -> Extractor:
        if link.type == "rules":
            from scry.extract.rules import RulesExtractor

            return RulesExtractor()
        from scry.extract.model import ModelExtractor
        from scry.meter import mark_of
        from scry.providers import ProviderSpec, make_provider

        spec = ProviderSpec(
            id=link.id,
            type=link.type,
            base_url=link.base_url,
            model=link.model,
            api_key=link.api_key,
            structured=link.structured,
            timeout_s=link.timeout,
            options=link.options,
            preset=link.preset,
            argv=link.argv,
            max_output_tokens=link.max_output_tokens,
        )
        meter = usage.meter(link.name, provider=link.id, mark=mark_of(link))
        provider = make_provider(spec, environ=self.environ, meter=meter)
        return ModelExtractor(provider, link.context_tokens)

    def ingest(self, *, offline: bool = False, lift: bool = False) -> "Ingest":
        """Return the write stages over this store and this chain.

        With `lift`, extractors that are left out for now are asked all the same.
        """
        from scry.ingest import Ingest

        store = self.store()
        usage = self.usage(store)
        if lift:
            usage.lift()
        return Ingest(
            store=store,
            extractor=self.extractor(usage),
            requests=usage,
            clock=self.clock,
            redact=self.redact,
            repo_of=self._repo_of_transcript,
            show=lambda path: self.redact(self.show(path)),
            digests=digests,
            redact_for=self.redact_for,
            left_out=self.left_out,
            offline=offline,
            sessions_needed=self.config.sessions_needed,
        )

    @contextmanager
    def sweeping(self) -> Iterator[None]:
        """Sweep alone: two at once would ask a model twice about everything.

        Raises:
            LockedError: another sweep has been at it for too long.
        """
        from scry.store.lock import writer_lock

        path = self.store().local_folder / "sweep.lock"
        with writer_lock(path, wait_s=_SWEEP_WAIT_S, say=self.say):
            self.__dict__.pop("_finder", None)  # It knew the store as it was before.
            yield

    def sweep_due(self, *, idle_minutes: float = 5, since: datetime | None = None) -> "Due":
        """Return which transcripts of which agents are due.

        Raises:
            ConfigError: `sources` of the configuration names what there cannot be.
        """
        return self._finder.due(now=self.clock(), idle_minutes=idle_minutes, since=since)

    def swept(self, found: "Due", *, offline: bool = False) -> "Report | None":
        """Note and report a sweep that has nothing to do; None when there is something."""
        quiet = self._finder.quiet(found, now=self.clock(), offline=offline)
        if quiet is None:
            return None
        report, notes = quiet
        report.problems = [
            replace(problem, path=self.redact(self.show(Path(problem.path))))
            for problem in report.problems
        ]
        self._note_sweep(self.store(), notes)
        return report

    @cached_property
    def _finder(self) -> "Finder":
        from scry.finder import Finder
        from scry.store import refs

        folder = refs.git_folder(self.store_path)
        return Finder(
            config=self.config,
            where=self.home / "config.yaml",
            places=self.places,
            excluded=self.excluded,
            local=self._local,
            head=refs.head(folder) if folder else "",
            cwds=lambda: [e.cwd for e in self.index().episodes.values()] if folder else [],
            unshow=self.unshow,
        )

    def _local(self, name: str) -> str:
        """Return a note that is kept beside the store, "" as long as there is none."""
        try:
            return self.reader.local(name)
        except NotAStoreError:
            return ""

    @cached_property
    def excluded(self) -> "Excluded":
        """The folders that nothing is read from.

        Raises:
            ConfigError: what the configuration excludes is no folder.
        """
        from scry.exclude import Excluded

        return Excluded(self.config.exclude, self.places.home, str(self.home / "config.yaml"))

    def left_out(self, transcript: Transcript) -> str:
        """Return why nothing of a session may be taken in: where it lies, or where it worked."""
        return self.excluded.reason([str(transcript.path), *transcript.cwds])

    @property
    def patience(self) -> "Patience":
        """How long a sweep goes on asking for an episode, as configured."""
        from scry.attempts import Patience

        return Patience(attempts=self.config.attempts, days=self.config.give_up_after_days)

    def sweep(
        self,
        found: "Due",
        progress: "Progress",
        ingest: "Ingest | None" = None,
        *,
        most: int | None = None,
    ) -> "Ingest":
        """Take in what is due; return the stages (those given, if any) with their report.

        Of the episodes that wait, at most `most` are asked for again.
        """
        from scry.due import SEEN, read_seen
        from scry.sweep import sweep

        ingest = ingest or self.ingest()
        seen = read_seen(ingest.store.local(SEEN))
        sweep(ingest, found, seen, progress, patience=self.patience, most=most)
        cwds = {episode.cwd for episode in ingest.index.episodes.values()}
        if late := self._finder.later(found, cwds):
            sweep(ingest, late, seen, progress, patience=self.patience, most=0)
        self._note_sweep(ingest.store, {})
        return ingest

    def yields(self) -> "list[Yield]":
        """Return what each source gave, as far as the last sweep knows."""
        from scry.sources import SOURCES
        from scry.yields import SKIPPED_NOTE, SOURCES_NOTE, yields

        verified = {name: getattr(one, "VERIFIED", True) for name, one in SOURCES.items()}
        local = self.reader.local
        return yields(local(SOURCES_NOTE), local(SKIPPED_NOTE), verified)

    def _note_sweep(self, store: Store, notes: Mapping[str, str]) -> None:
        from scry.due import LAST_SWEEP
        from scry.text import iso

        for name, text in {**notes, LAST_SWEEP: iso(self.clock())}.items():
            store.keep_local(name, text)

    @cached_property
    def redact(self) -> Callable[[str], Redacted]:
        """The redactor, which also knows secret-looking environment variables and people's own lists."""
        return self._redactor({})

    def _redactor(self, variables: Mapping[str, str]) -> Callable[[str], Redacted]:
        """Return a redactor that also knows the values of some variables."""
        from scry.redact import environment_literals, redact

        literals = (*environment_literals(self.environ), *environment_literals(variables))
        deny, spare = self.config.deny, self.config.allow
        return lambda text: redact(text, literals=literals, deny=deny, spare=spare)

    def echo(self, text: str) -> str:
        """Return what was asked, to be said again; a token pasted into a question is masked.

        Words too short to be one spare the answer the loading of the redactor.
        """
        return self.redact(text) if any(len(word) >= 16 for word in text.split()) else text

    def redact_for(self, transcript: Transcript) -> Callable[[str], Redacted]:
        """Return a redactor that also knows the values in the `.env` of a session's folder."""
        variables: dict[str, str] = {}
        for cwd in transcript.cwds[:3]:
            variables |= read_env(Path(cwd) / ".env")
        return self._redactor(variables) if variables else self.redact

    def show(self, path: Path) -> str:
        """Return a path as the store shows it: `~` for the home folder."""
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 -- does not follow links
        try:
            return f"~/{absolute.relative_to(self.places.home).as_posix()}"
        except ValueError:
            return absolute.as_posix()

    def unshow(self, shown: str) -> Path:
        """Return the path that `show` has shown."""
        return self.places.home / shown[2:] if shown.startswith("~/") else Path(shown)

    def _repo_of_transcript(self, transcript: Transcript) -> str:
        """Return the repository of a session: that of its folder, else what it says itself."""
        from scry.store.repos import normalise_remote

        for cwd in transcript.cwds[:1]:
            if found := self.repo_of(Path(cwd)):
                return found
        return normalise_remote(transcript.remote) if transcript.remote else ""


def read_env(path: Path) -> dict[str, str]:
    """Return the variables of a `.env` file; nothing where there is none that can be read."""
    try:
        if not path.is_file() or path.stat().st_size > 1 << 16:
            return {}
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.removeprefix("export ").partition("=") for line in map(str.strip, lines))
    return {key.strip(): value.strip().strip("'\"") for key, sign, value in pairs if sign}


def digests(path: Path, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return the SHA-256 of each span of lines of a transcript, in one reading."""
    from scry.sources.jsonl import open_bytes

    if path.is_dir() or path.parent.is_file():
        return ["" for _ in spans]  # A folder, or a part of a database, has no lines of bytes.
    hashes = [hashlib.sha256() for _ in spans]
    last = max((span[1] for span in spans), default=0)
    with open_bytes(path) as file:
        for number, line in enumerate(iter(file.readline, b""), start=1):
            if number > last:
                break
            for span, digest in zip(spans, hashes, strict=True):
                if span[0] <= number <= span[1]:
                    digest.update(line)
    return [digest.hexdigest() for digest in hashes]
