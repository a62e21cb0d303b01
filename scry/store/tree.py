"""A store's files, read: every record of the work tree, without git and without a YAML library.

Links and anything that is no regular file are never opened, so that neither a link out of the
store nor a pipe that nobody fills can do harm.  A file that cannot be used is a problem.
"""

import gc
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from scry.errors import NotAStoreError
from scry.model import Entity, Fact, Problem, Proposal, Record, Snapshot
from scry.statement import words_id
from scry.store import paths, refs
from scry.store.codec import decode, has_id
from scry.store.document import BadFileError
from scry.store.files import read_file

_PATIENCE_S = 0.5
_PAUSE_S = 0.02
_WRITING_S = 5.0


class FileReader:
    """A store that is only read.  Needs no git, no lock, and no right to write."""

    _MAKES_FOLDERS = False

    def __init__(self, path: Path) -> None:
        """Take a store's folder.

        Raises:
            NotAStoreError: there is no store.
        """
        self.path = path
        found = refs.git_folder(path)
        if found is None or not (self._MAKES_FOLDERS or holds_records(path)):
            raise NotAStoreError(path)
        self.git_folder = found

    @property
    def local_folder(self) -> Path:
        """Where everything lives that is not tracked: `.git/scry`."""
        return self.git_folder / "scry"

    def head(self) -> str:
        """Return the commit that the store stands at; "" when it has none."""
        return refs.head(self.git_folder)

    def load(self) -> Snapshot:
        """Read every record; a bad file is a problem in the snapshot.

        If the store moves meanwhile, it is read again, so that an answer is of one commit.
        """
        until = time.monotonic() + _PATIENCE_S
        while True:
            head = self.head()
            records, problems = read_all(walk(self.path))
            settled = head == self.head() and not self._is_being_written()
            if settled or time.monotonic() > until:
                return Snapshot(records=tuple(records), problems=tuple(problems), head=head)
            time.sleep(_PAUSE_S)

    def _is_being_written(self) -> bool:
        """Say whether a writer is at its files; an old journal is a dead one's."""
        try:
            return time.time() - (self.local_folder / "journal").stat().st_mtime < _WRITING_S
        except OSError:
            return False

    def evidence(self, episode: str) -> str:
        """Return the distilled text kept for an episode, or "" when there is none."""
        return self._text(self._evidence_path(episode))

    def local(self, name: str) -> str:
        """Return a small text kept on this machine only, or ""; it may vanish at any time."""
        return self._text(self._local_path(name))

    def _evidence_path(self, episode: str) -> Path | None:
        # Ids end in a hash: its last two characters spread the files.
        name = _plain_name(episode)
        return self.local_folder / "evidence" / name[-2:] / f"{name}.txt" if name else None

    def _local_path(self, name: str) -> Path | None:
        return self.local_folder / "local" / name if _plain_name(name) else None

    @staticmethod
    def _text(path: Path | None) -> str:
        try:
            return path.read_text(encoding="utf-8", errors="replace") if path else ""
        except (OSError, ValueError):
            return ""


def holds_records(path: Path) -> bool:
    """Say whether a folder has any of the record folders: any other repository is no store."""
    return any((path / name).is_dir() for name in paths.FOLDERS)


def walk(root: Path) -> Iterator[tuple[str, bytes | Problem]]:
    """Yield each file of the record folders with its bytes, or with what is wrong with it."""
    for folder in paths.FOLDERS:
        yield from _walk(os.fspath(root), folder)


def _walk(root: str, folder: str) -> Iterator[tuple[str, bytes | Problem]]:
    try:
        entries = sorted(os.scandir(f"{root}/{folder}"), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError as error:
        yield folder, Problem(folder, f"The folder cannot be read ({error.strerror}).")
        return
    for entry in entries:
        path = f"{folder}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if not entry.name.startswith("."):
                yield from _walk(root, path)
        elif not paths.kind_of(path):
            continue
        elif not paths.is_plain_path(path):
            yield path, Problem(path, "The file's name holds control characters; rename it.")
        elif not entry.is_file(follow_symlinks=False):
            yield path, Problem(path, "This is a link or no regular file; it is not opened.")
        else:
            yield path, _read(entry.path, path)


def _read(full: str, path: str) -> bytes | Problem:
    try:
        return read_file(full)
    except OSError as error:
        return Problem(path, f"The file cannot be read ({error.strerror or error}).")


def read_all(
    files: Iterator[tuple[str, bytes | Problem]],
) -> tuple[list[Record], list[Problem]]:
    """Return the records that files hold, and what is wrong with the others."""
    records: dict[tuple[object, ...], Record] = {}
    problems: list[Problem] = []
    # Nothing here is garbage, and looking for some takes a third of the time at 100,000 files.
    collecting = gc.isenabled()
    gc.disable()
    try:
        _read_all(files, records, problems)
    finally:
        if collecting:
            gc.enable()
    return list(records.values()), problems


def _read_all(
    files: Iterator[tuple[str, bytes | Problem]],
    records: dict[tuple[object, ...], Record],
    problems: list[Problem],
) -> None:
    for path, data in files:
        if isinstance(data, Problem):
            problems.append(data)
            continue
        try:
            record = decode(path, data)
        except BadFileError as error:
            problems.append(Problem(path, str(error), error.line))
            continue
        first = records.setdefault(_key(record), record)
        if first is not record and not _has_own_words(first, record, records):
            named = isinstance(record, Fact) and has_id(path) and not has_id(first.path)
            kept, extra = (record, first) if named else (first, record)
            records[_key(record)] = kept
            told = f"This is the same record as {kept.path}; keep one."
            problems.append(Problem(extra.path, told))


def _has_own_words(
    first: Record, second: Record, records: dict[tuple[object, ...], Record]
) -> bool:
    """Find room for a fact whose file's name gives it another one's id, as that of a copy does.

    Whose words the id is made of keeps it; the other goes by its own words.
    """
    if not (isinstance(first, Fact) and isinstance(second, Fact)):
        return False
    if words_id(first) == words_id(second):
        return False
    foreign = words_id(first) != first.id and words_id(second) == second.id
    stays, goes = (second, first) if foreign else (first, second)
    apart = replace(goes, id=words_id(goes))
    if apart.id == goes.id or _key(apart) in records:
        return False
    records[_key(stays)] = stays
    records[_key(apart)] = apart
    return True


def _key(record: Record) -> tuple[object, ...]:
    """Return what no two records of a store may share."""
    match record:
        case Entity():
            return "entity", record.slug
        case Fact():
            return "fact", record.id, bool(record.reason)
        case Proposal():
            return "alias", record.path
        case _:
            return type(record).__name__, record.id


def _plain_name(name: str) -> str:
    """Return a name that may become a file's name, or ""."""
    safe = name and len(name) <= 100 and name[0] not in ".-" and "/" not in name
    return name if safe and paths.is_plain_path(name) else ""
