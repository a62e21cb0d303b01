"""A sweep: all transcripts that are due, one after the other, and then the episodes that wait.

What was done is written down beside the store (see `due`, `standing` and `yields`), so that a sweep
over thousands of unchanged transcripts costs little more than their `stat`.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from scry.attempts import Patience
from scry.due import SEEN, Due, key_of, stamp
from scry.errors import SourceError
from scry.exclude import is_exclusion
from scry.ingest import Ingest
from scry.model import Problem
from scry.ports import Source
from scry.standing import STANDING, Standing, asks, standing_text
from scry.text import iso
from scry.yields import (
    ENOUGH,
    SKIPPED_NOTE,
    SOURCES_NOTE,
    Left,
    Tally,
    carried,
    read_skipped,
    read_tallies,
    skipped_text,
    tallies_text,
)

Progress = Callable[[Iterable[tuple[Source, Path]]], Iterable[tuple[Source, Path]]]


def sweep(
    ingest: Ingest,
    found: Due,
    seen: dict[str, list[int]],
    progress: Progress,
    *,
    patience: Patience | None = None,
    most: int | None = None,
) -> None:
    """Take in what is due, then ask again for episodes that wait.  A bad file costs itself only.

    An episode for which `patience` is at its end waits for `scry retry`.  At most `most` of those
    that wait are asked for again, the newest of them.

    Raises:
        StoreError: the store cannot be written; what was committed before stays.
    """
    report = ingest.report
    ingest.patience = patience or Patience()
    report.scanned += found.scanned
    report.unchanged += found.unchanged
    report.active += found.active
    report.problems += [replace(p, path=ingest.show(Path(p.path))) for p in found.vanished]
    book = Book.of(ingest, found, seen)
    mute: Counter[str] = Counter()  # Transcripts of a source, as long as none held any words.
    try:
        for source, path, reason in found.left:
            book.leave(source, path, reason)
        for source, path in progress(found.found):
            held = _one(ingest, source, path, book)
            if held is not None:
                mute[source.NAME] = -len(found.found) if held else mute[source.NAME] + 1
        report.problems += [_silent(name, count) for name, count in mute.items() if count >= ENOUGH]
        if not ingest.offline:
            waiting = [p for p in ingest.waiting_episodes() if p.episode.id not in ingest.asked]
            ingest.retry(waiting if most is None else waiting[max(0, len(waiting) - most) :])
        ingest.flush()
        ingest.store.keep_local(STANDING, standing_text(_standing(ingest)))
    finally:
        for name, text in book.texts().items():
            ingest.store.keep_local(name, text)


def _standing(ingest: Ingest) -> Standing:
    index = ingest.index
    return Standing(
        head=index.head,
        folders=tuple(sorted({e.cwd for e in index.episodes.values() if e.cwd})),
        waits=tuple(part.episode.id for part in ingest.waiting_episodes()),
        asks=asks(ingest.extractor.name, ingest.patience or Patience()),
    )


def _silent(name: str, count: int) -> Problem:
    return Problem(
        name, f"{count} transcripts of this agent hold no words; their format may have changed"
    )


def _one(ingest: Ingest, source: Source, path: Path, book: "Book") -> bool | None:
    """Take in one transcript; return whether it held a conversation, None if nobody may look."""
    skipped = len(ingest.report.skipped)
    state: tuple[int, int] | None = None
    try:
        state = stamp(source, path)
        ingest.transcript(source, path)
    except (SourceError, OSError) as error:
        if isinstance(error, OSError) and error.filename not in (None, str(path)):
            raise  # It is not about the transcript: the store, perhaps.
        if isinstance(error.__cause__ or error, OSError):
            state = None  # What could not be opened is tried again.
        ingest.report.skipped.append((ingest.show(path), ingest.redact(str(error))))
    # An episode without an answer is asked for from its own text, which is kept.
    left = ingest.report.skipped[-1] if len(ingest.report.skipped) > skipped else None
    book.note(source, path, left, state)
    return None if left and is_exclusion(left[1]) else not left


@dataclass(slots=True)
class Book:
    """The notes of a sweep, kept as it goes on."""

    ingest: Ingest
    seen: dict[str, list[int]]
    skipped: dict[str, Left]
    tallies: dict[str, Tally]

    @classmethod
    def of(cls, ingest: Ingest, found: Due, seen: dict[str, list[int]]) -> "Book":
        """Open the notes; what is about transcripts that are gone is left out."""
        for key in seen.keys() - found.keys:
            del seen[key]
        held = read_skipped(ingest.store.local(SKIPPED_NOTE))
        skipped = {key: left for key, left in held.items() if key in found.keys}
        tallies = carried(found.tallies, read_tallies(ingest.store.local(SOURCES_NOTE)))
        return cls(ingest, seen, skipped, tallies)

    def note(
        self,
        source: Source,
        path: Path,
        left: tuple[str, str] | None,
        state: tuple[int, int] | None = None,
    ) -> None:
        """Note what became of a transcript: `left` says where it lies and why it gave nothing.

        With its `state` it need not be read again until that has changed.
        """
        key, tally = key_of(path), self.tallies.setdefault(source.NAME, Tally())
        if state is not None:
            self.seen[key] = list(state)
        if left is None:
            self.skipped.pop(key, None)
            tally.held += 1
            tally.last = iso(self.ingest.clock())
        else:
            self.skipped[key] = Left(source.NAME, *left)
            tally.skipped += 1

    def leave(self, source: Source, path: Path, reason: str) -> None:
        """Note a transcript that nothing is read of."""
        shown = self.ingest.show(path)
        self.ingest.report.skipped.append((shown, reason))
        try:
            self.note(source, path, (shown, reason), stamp(source, path))
        except OSError:
            self.note(source, path, (shown, reason))  # Gone since.

    def texts(self) -> dict[str, str]:
        """Return the notes as they are kept, by name."""
        return {
            SEEN: json.dumps(self.seen, sort_keys=True),
            SKIPPED_NOTE: skipped_text(self.skipped),
            SOURCES_NOTE: tallies_text(self.tallies),
        }
