"""`scry check --fix`: the mechanical remedies, and what a fact lacks that a person wrote by hand.

    facts/note.md      src: Hermes           facts/he/hermes/uses--redis--bq5msj7nv9.md
                       relation: uses   ->   with `type`, `valid_from`, `origin`, the slugs,
                       dst: Redis            times to the second; your lines else as they are

The command is the person's own, so it completes a file that git does not know yet, and moves and
commits it.  Any other file with changes that are not committed is left alone, and so is one that
cannot be read.  What needs a decision is left too, and said.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import PurePosixPath

from scry.fixing.copies import remove_copies
from scry.fixing.handwritten import complete, find_handwritten, find_needed, take_out
from scry.fixing.round import Fixed, Round
from scry.fixing.told import changes, key_of, summary, why
from scry.index import Index
from scry.ingest import Ingest
from scry.model import ChangeSet, Fact, Proposal, Record, Tombstone
from scry.resolve.decided import Decisions, decide
from scry.statement import birth_of
from scry.store import paths
from scry.store.git import GitStore
from scry.text import one_line

__all__ = ["Fixed", "fix"]


def fix(ingest: Ingest, store: GitStore, now: datetime) -> Fixed:
    """Do what can be done without a decision, as one commit.

    Args:
        ingest: the write stages over the store.
        store: the same store, for its files.
        now: what a new fact without a date holds since.

    Raises:
        StoreError: the store cannot be written.
    """
    done = Fixed()

    def make(index: Index) -> list[ChangeSet]:
        done.lines, done.left = [], []
        return [_change(Round(index, store, now, ingest.redact, done), ingest.store.evidence)]

    whole, done.applied = ingest.writer.commit(lambda: make(ingest.index))
    waiting = sorted(set(done.applied.waiting))
    done.left += [f"{path}: it has changes that are not committed." for path in waiting]
    if not done.lines and done.applied.commit:
        done.lines = list(whole.lines)
    return done


def _change(at: Round, evidence: Callable[[str], str]) -> ChangeSet:
    """Return the changes; files that git does not know are completed and removed by the way."""
    at.new = set(at.store.untracked())
    at.dirty = set(at.store.dirty()) - at.new
    before = {r.path: r for r in at.records() if r.path}
    remove_copies(at)
    find_handwritten(at)
    find_needed(at)
    theirs = [*take_out(at), *at.moved.values()]
    waiting = [f for f in at.index.waiting.values() if f.path not in at.dirty | at.new]
    said = Decisions(
        reviewed={birth_of(fact)[0] for fact in waiting},
        written=theirs,
        entities=tuple(at.entities[slug] for slug in sorted(at.entities)),
        needed=at.needed,
    )
    made = decide(at.index, evidence, said, "check: what could be put right")
    kept = {fact.id: fact for fact in theirs}
    writes = {at.store.path_of(r): r for r in (_kept(record, kept) for record in made.writes)}
    complete(at, writes)
    moves = _moves(at, writes)
    _tell(at, before, writes, made.removes)
    return replace(
        made,
        subject=_subject(at),
        writes=tuple(writes.values()),
        removes=(*made.removes, *at.removes.values(), *moves),
        lines=(*at.done.lines, *made.lines),
    )


def _subject(at: Round) -> str:
    lines = at.done.lines
    if len(lines) == 1:
        return f"check: {one_line(lines[0], 90)}"
    return f"check: {len(lines)} files put right" if lines else "check: what was changed by hand"


def _moves(at: Round, writes: dict[str, Record]) -> list[Record]:
    """Move files that lie in another thing's folder; their names stay."""
    out: list[Record] = []
    done = {*at.moved, *(r.path for r in at.moved.values()), *at.removes, *writes}
    for record in list(at.records()):
        place = place_of(record)
        if record.path in done | at.dirty | at.new or place == record.path:
            continue
        if (at.store.path / place).exists():
            at.done.left.append(f"{record.path}: {place} is there already.")
            continue
        out.append(record)
        writes[place] = replace(record, path=place)
    return out


def _tell(
    at: Round, before: dict[str, Record], writes: dict[str, Record], removes: Sequence[Record]
) -> None:
    """Tell all other changes: files that are new, that move, and that change."""
    finals = {fact.path for fact in at.moved.values()}
    ids = {key_of(record): path for path, record in before.items()}
    moved = {key_of(record) for record in writes.values()}
    for path, record in sorted(writes.items()):
        old = ids.get(key_of(record), "")
        if path in finals or isinstance(record, Tombstone):
            continue
        if not old:
            at.say(path, f"new: {summary(record)}")
        elif old != path:
            at.say(old, f"-> {path}{why(before[old], record)}")
        elif before[old] != record:
            at.say(path, changes(before[old], record))
    gone = [r for r in removes if key_of(r) not in moved]
    for record in gone:
        at.say(record.path, f"removed: {summary(record)}")


def _kept(record: Record, written: Mapping[str, Fact]) -> Record:
    """Return a fact that a person wrote with its file, and with the end that they gave it."""
    theirs = written.get(record.id) if isinstance(record, Fact) else None
    if theirs is None or not isinstance(record, Fact):
        return record
    record = replace(record, path=theirs.path)
    if theirs.invalid_at is None:
        return record
    return replace(record, invalid_at=theirs.invalid_at, superseded_by=theirs.superseded_by)


def place_of(record: Record) -> str:
    """Return where a record's file belongs: in the folder of what it is about, under its name."""
    if isinstance(record, Tombstone | Proposal) or not record.path:
        return record.path
    if isinstance(record, Fact) and paths.id_of(record.path) != record.id:
        return record.path  # It has no name of its own yet.
    ought = PurePosixPath(paths.path_of(replace(record, path="")))
    return str(ought.with_name(PurePosixPath(record.path).name))
