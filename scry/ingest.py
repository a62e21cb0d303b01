"""The order of the write stages, for one transcript.  Ports come as arguments, no adapter.

A transcript is one ingestion, and an ingestion is one commit.  Extraction happens outside the
lock, for it may take minutes; resolving is pure and is done again if the store has moved.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Protocol

from scry.asker import Asker, Requests
from scry.attempts import Attempts, Patience
from scry.distill import distill, too_small
from scry.episodes import episodes, evidence_of, first_words, from_evidence
from scry.index import Index
from scry.model import (
    DOCUMENT,
    PENDING,
    UNDONE,
    Applied,
    ChangeSet,
    Chunk,
    Episode,
    Extraction,
    Redacted,
    Tombstone,
    Transcript,
)
from scry.ports import Clock, Extractor, Source, Store
from scry.report import Report
from scry.resolve import Answer, lapse, resolve
from scry.usage import Local
from scry.writer import Writer

Digests = Callable[[Path, Sequence[tuple[int, int]]], Sequence[str]]
"""Gives the SHA-256 of each span of lines of a file, in one reading."""


class IngestStore(Store, Local, Protocol):
    """A store whose notes on this machine can be changed by several processes."""


@dataclass(kw_only=True)
class Ingest:
    """Takes transcripts into a store.  Keeps an index along, so that each is read only once."""

    store: IngestStore
    extractor: Extractor
    clock: Clock
    redact: Callable[[str], Redacted]
    repo_of: Callable[[Transcript], str]
    show: Callable[[Path], str]
    """Gives a path as the store shows it."""
    digests: Digests
    redact_for: Callable[[Transcript], Callable[[str], Redacted]] | None = None
    """Gives a redactor that also knows what is secret where a session worked."""
    left_out: Callable[[Transcript], str] | None = None
    """Gives why nothing of a session may be taken in, "" where it may."""
    requests: Requests | None = None
    """None where asking an extractor is an attempt, whether or not it sends anything."""
    patience: Patience | None = None
    """When to leave an episode alone that waits in vain; None for never."""
    offline: bool = False
    sessions_needed: int = 1
    """How many sessions must say the same before it is a fact."""
    report: Report = field(default_factory=Report)
    asked: set[str] = field(default_factory=set)
    """Episodes for which an extractor was asked in this run."""

    @cached_property
    def writer(self) -> Writer:
        """The store as this run knows it."""
        return Writer(self.store, self.clock, self.sessions_needed)

    @property
    def index(self) -> Index:
        """The store as it stands, with what this run has added."""
        return self.writer.index

    @cached_property
    def _asker(self) -> Asker:
        return Asker(
            extractor=self.extractor,
            attempts=Attempts(self.store, self.redact, self.clock),
            clock=self.clock,
            requests=self.requests,
            offline=self.offline,
            asked=self.asked,
        )

    def transcript(self, source: Source, path: Path, *, again: bool = False) -> bool:
        """Take in one transcript; return whether it may be left alone until it changes.

        Raises:
            SourceError: it cannot be read.
            StoreError: the store cannot be written; nothing has changed.
        """
        transcript = source.read(path)
        shown = self.show(path)
        if self.left_out and (reason := self.left_out(transcript)):
            self.report.skipped.append((shown, reason))
            return True
        self.report.problems += [replace(p, path=shown) for p in transcript.problems]
        if reason := _no_session(transcript):
            self.report.skipped.append((shown, reason))
            return True
        redact = self.redact_for(transcript) if self.redact_for else self.redact
        turns = distill(transcript, redact)
        if reason := too_small(turns):
            self.report.skipped.append((shown, reason))
            return True
        chunks = list(
            episodes(
                transcript,
                turns,
                known=self.index.episodes,
                now=self.clock(),
                shown_path=shown,
                redact=redact,
                repo=self.repo_of(transcript),
                shown_cwd=self._shown_cwd(transcript),
            )
        )
        due = [part for part in chunks if self._is_due(part, again=again)]
        lapsed = self._lapsed(transcript, chunks)
        if not due and not lapsed:
            self.report.unchanged += 1
            return True
        due = self._digested(path, due)
        settled, stored = self._learn(due, lapsed)
        self.report.ingested += stored
        self.report.unchanged += not stored
        return settled

    def waiting_episodes(self, *, only: Sequence[str] = ()) -> list[Chunk]:
        """Return the chunks of episodes that wait and whose text is kept, oldest first.

        One that only the rules have answered waits for the model, once there is one.  Those for
        which `patience` is at its end are left in peace.
        """
        found = [
            from_evidence(episode, text)
            for episode in sorted(self.index.episodes.values(), key=lambda e: e.occurred_at)
            if (episode.id in only if only else self._asker.waits(episode))
            if not self._asker.given_up(episode.id, self.patience)
            if (text := self.store.evidence(episode.id))
        ]
        return [part for part in found if part.turns]

    def flush(self) -> None:
        """Commit what waited for files that are clean by now, if there is anything."""
        _ = self.index
        whole, applied = self.writer.commit(list, [])
        self._account([], whole, applied)

    def retry(self, parts: Sequence[Chunk]) -> None:
        """Ask again for episodes that wait; each answer is an ingestion of its own."""
        for part in parts:
            if self._asker.in_vain(part.episode):
                self._without_answer(part.episode.id)
            else:
                self._learn([part])

    def accept(
        self,
        part: Chunk,
        extraction: Extraction | None,
        text: str = "",
        lifts: Sequence[Tombstone] = (),
        check: Callable[[], None] | None = None,
    ) -> Applied:
        """Store one episode with an answer that is already there (`remember`, `submit`).

        `lifts` are tombstones of what is said again on purpose.  `check` looks at the index as it
        is under the lock, and raises where the answer has come too late.
        """
        answer = _answer(part, extraction, text)

        def make() -> list[ChangeSet]:
            if check:
                check()
            for stone in lifts:
                self.index.drop(stone)
            change = resolve(self.index, answer, self.store.evidence)
            return [replace(change, removes=(*change.removes, *lifts))]

        whole, applied = self.writer.commit(make)
        if extraction is not None:
            self._asker.attempts.answered(part.episode.id)
        self._account([answer], whole, applied)
        return applied

    def _shown_cwd(self, transcript: Transcript) -> str:
        cwd = transcript.cwds[0] if transcript.cwds else ""
        return self.show(Path(cwd)) if cwd.startswith("/") else cwd

    # --- one transcript -------------------------------------------------------------------------

    def _is_due(self, part: Chunk, *, again: bool) -> bool:
        """Say whether an episode is new, has grown, or still waits for an answer.

        With `again`, all are due but those that were undone: only reverting that brings them back.
        """
        known = self.index.episodes.get(part.episode.id)
        if known is None:
            return True
        if known.extractor == UNDONE:
            return False
        if again:
            return True
        waits = known.extractor == PENDING and not self._asker.given_up(known.id, self.patience)
        return waits or _extent(part.episode) > _extent(known)

    def _digested(self, path: Path, due: list[Chunk]) -> list[Chunk]:
        spans = [(part.episode.span.first, part.episode.span.last) for part in due]
        return [
            replace(part, episode=replace(part.episode, sha256=digest))
            for part, digest in zip(due, self.digests(path, spans), strict=True)
        ]

    def _lapsed(self, transcript: Transcript, chunks: Sequence[Chunk]) -> list[Episode]:
        """Return the sections that a note no longer holds, or holds again, marked so."""
        if not any(turn.kind == DOCUMENT for part in chunks for turn in part.turns):
            return []
        there = {part.episode.id for part in chunks}
        when = max(part.episode.occurred_at for part in chunks)
        sections = [
            episode
            for episode in self.index.episodes.values()
            if episode.source == transcript.source and episode.session == transcript.session
        ]
        gone = [e for e in sections if e.id not in there and e.ended_at is None]
        back = [e for e in sections if e.id in there and e.ended_at is not None]
        return [replace(e, ended_at=when) for e in gone] + [replace(e, ended_at=None) for e in back]

    def _learn(self, due: list[Chunk], lapsed: Sequence[Episode] = ()) -> tuple[bool, bool]:
        """Extract, resolve and commit; what was done before Ctrl-C is committed as well.

        Returns whether every episode has an answer, and whether a commit was made.
        """
        answers: list[Answer] = []
        changes: list[ChangeSet] = []
        self.store.keep_evidence({part.episode.id: evidence_of(part) for part in due})
        interrupted: KeyboardInterrupt | None = None
        settled = True
        for part in due:
            extraction: Extraction | None = None
            if interrupted is None:
                try:
                    extraction = self._asker.ask(part, self.index.glossary(part.text))
                except KeyboardInterrupt as stop:
                    interrupted = stop
            settled = settled and extraction is not None
            if extraction is None and self._has_answer(part):
                self._without_answer(part.episode.id)
                continue
            answers.append(_answer(part, extraction))
            changes.append(resolve(self.index, answers[-1], self.store.evidence))
        if lapsed:
            changes.append(self._ended(lapsed))

        def again() -> list[ChangeSet]:
            made = [resolve(self.index, answer, self.store.evidence) for answer in answers]
            return [*made, *([self._ended(lapsed)] if lapsed else [])]

        whole, applied = self.writer.commit(again, changes)
        self._account(answers, whole, applied)
        if interrupted is not None:
            raise interrupted
        return settled, bool(applied.commit)

    def _has_answer(self, part: Chunk) -> bool:
        """Say whether an episode was answered before, which then stands."""
        known = self.index.episodes.get(part.episode.id)
        return (
            known is not None
            and known.extractor not in (PENDING, UNDONE)
            and _extent(known) >= _extent(part.episode)
        )

    def _ended(self, lapsed: Sequence[Episode]) -> ChangeSet:
        subject = f"learn: {lapsed[0].span.path} has changed"
        return lapse(self.index, self.store.evidence, episodes=lapsed, subject=subject)

    def _without_answer(self, episode: str) -> None:
        """Put into the report that an episode still waits, and why."""
        self.report.pending.append(episode)
        if why := self._asker.attempts.why(episode):
            self.report.reasons[episode] = why

    def _account(self, answers: list[Answer], whole: ChangeSet, applied: Applied) -> None:
        """Put into the report what a commit holds, and keep the note of why episodes wait."""
        report = self.report
        if applied.commit:
            report.commits.append((applied.commit, whole.subject))
            report.episodes += [answer.episode.id for answer in answers]
        report.waiting += applied.waiting
        for answer in answers:
            episode = answer.episode.id
            if answer.extraction is None:
                self._without_answer(episode)
            elif why := self._asker.attempts.why(episode):
                report.reasons[episode] = why
        self._asker.attempts.save()


def _no_session(transcript: Transcript) -> str:
    """Return why a transcript holds no conversation of its own, or ""."""
    if transcript.verdict not in ("session", "fork-of"):
        return transcript.verdict
    if not transcript.events:
        return f"nothing new: continues {transcript.continues}" if transcript.continues else "empty"
    return ""


def _extent(episode: Episode) -> tuple[int, int]:
    """Return how much was said and done: the turns, and the lines over which they stand.

    What is done after the last words, and words that go on where they stand, add no turn.
    """
    return episode.turns, episode.span.last - episode.span.first


def _answer(part: Chunk, extraction: Extraction | None, text: str = "") -> Answer:
    times: Mapping[int, datetime] = {turn.line: turn.at for turn in part.turns if turn.at}
    words = text or part.text
    summary = part.episode.summary or (first_words(part.turns) if part.turns else "")
    return Answer(replace(part.episode, summary=summary), extraction, words, times)
