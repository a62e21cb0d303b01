"""Where OpenCode keeps its sessions, read and never written: a SQLite database, or JSON files.

    storage/session/PROJECT/SESSION.json   {"id", "directory", "parentID", "title", "time"}
    storage/message/SESSION/MESSAGE.json   {"id", "role", "time"}
    storage/part/MESSAGE/PART.json         {"id", "type", "text"}

While OpenCode runs, the newest rows stand in `opencode.db-wal`; then the database is opened read
only, which leaves both files as they are.  Without such a file it is opened as immutable, for
SQLite would make one.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from scry.errors import SourceError
from scry.sources.files import files_in, side_record
from scry.sources.jsonl import Record, legible, open_bytes
from scry.text import one_line

if TYPE_CHECKING:
    import sqlite3

_NAME = re.compile(r"[A-Za-z][\w-]{3,80}\Z")
_MESSAGES = "select id, data from message where session_id = ? order by time_created, id"
_PARTS = "select message_id, id, data from part where session_id = ? order by message_id, id"


@dataclass(slots=True)
class Message:
    """A message with its parts: number in the session, id, and what it says."""

    id: str
    data: Record
    parts: list[tuple[int, str, Record]] = field(default_factory=list)


@dataclass(slots=True)
class Stored:
    """A session as it is stored.

    `info` has id, directory, version, title, parent and revert; `problems` are (line, message).
    """

    info: Record
    messages: list[Message] = field(default_factory=list)
    problems: list[tuple[int | None, str]] = field(default_factory=list)
    parts: int = 0

    def add(self, uid: str, data: object, parts: Iterator[tuple[str, object]]) -> None:
        """Add a message; of parts and messages that are no objects only the place is kept."""
        message = Message(uid, data if isinstance(data, dict) else {})
        for part_id, part in parts:
            self.parts += 1
            if not isinstance(data, dict):
                continue
            if isinstance(part, dict):
                message.parts.append((self.parts, part_id, part))
            else:
                self.problems.append((self.parts, f"the part {part_id} is no JSON object"))
        if not isinstance(data, dict):
            self.problems.append((self.parts or None, f"the message {uid} is no JSON object"))
            return
        self.messages.append(message)


@contextmanager
def _opened(path: Path) -> "Iterator[sqlite3.Connection]":
    """Open a database for reading.

    Raises:
        SourceError: it cannot be opened or read, here or inside the block.
    """
    # Imported late: most people have no such database.
    import sqlite3

    with open_bytes(path):
        pass  # It says in a sentence what is wrong with the file; SQLite would wait at a pipe.
    how = "mode=ro" if _waits(path) else "immutable=1"
    try:
        connection = sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True, timeout=2)
        try:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            connection.row_factory = sqlite3.Row
            connection.execute("pragma trusted_schema = off")
            connection.execute("pragma query_only = on")
            yield connection
        finally:
            connection.close()
    except (sqlite3.Error, ValueError, OverflowError, MemoryError) as error:
        # A damaged schema may be no UTF-8, and a damaged length may be any.
        raise SourceError(
            f"{path}: the database cannot be read: {one_line(str(error), 120)}. "
            "Try again when OpenCode does not run."
        ) from error


def _waits(path: Path) -> bool:
    """Say whether rows wait beside the database for being moved into it."""
    try:
        state = path.with_name(f"{path.name}-wal").lstat()
    except OSError:
        return False
    return S_ISREG(state.st_mode) and state.st_size > 0


def session_ids(path: Path) -> dict[str, str]:
    """Return the ids of a database's sessions with those of their parents.

    Raises:
        SourceError: it cannot be read.
    """
    with _opened(path) as database:
        rows = database.execute("select id, parent_id from session").fetchall()
    return {str(row["id"]): _text(row["parent_id"]) for row in rows if _NAME.match(str(row["id"]))}


def state_in(path: Path, session: str) -> tuple[int, int]:
    """Return how many parts a session has and when it was last changed (ns).

    Raises:
        SourceError: it cannot be read, or there is no such session.
    """
    count = "select count(*), max(time_updated) from part where session_id = ?"
    with _opened(path) as database:
        row = database.execute(
            "select time_updated from session where id = ?", (session,)
        ).fetchone()
        parts, changed = database.execute(count, (session,)).fetchone()
    if row is None:
        raise SourceError(f"{path}: there is no session {session}.")
    newest = max(n for n in (row[0], changed, 0) if isinstance(n, int))
    return int(parts), newest * 1_000_000


def session_in(path: Path, session: str) -> Stored:
    """Read a session of a database.

    Raises:
        SourceError: it cannot be read, or there is no such session.
    """
    with _opened(path) as database:
        row = database.execute("select * from session where id = ?", (session,)).fetchone()
        if row is None:
            raise SourceError(f"{path}: there is no session {session}.")
        messages = database.execute(_MESSAGES, (session,)).fetchall()
        parts: dict[str, list[tuple[str, object]]] = {}
        for part in database.execute(_PARTS, (session,)):
            parts.setdefault(_text(part["message_id"]), []).append(
                (_text(part["id"]), _json(part["data"]))
            )
    stored = Stored(_particulars(row))
    for message in messages:
        uid = _text(message["id"])
        stored.add(uid, _json(message["data"]), iter(parts.pop(uid, [])))
    if parts:
        left = sum(map(len, parts.values()))
        stored.problems.append((None, f"{left} parts belong to no message of the session"))
    return stored


def _particulars(row: "sqlite3.Row") -> Record:
    """Return what the row of a session says of it; older databases lack some columns."""
    columns = dict(zip(row.keys(), row, strict=True))
    info = {key: columns.get(key) for key in ("id", "directory", "version", "title")}
    return {**info, "parent": columns.get("parent_id"), "revert": _json(columns.get("revert"))}


def in_files(path: Path) -> Stored:
    """Read a session that lies in files.

    Raises:
        SourceError: the session's own file cannot be read, or is no JSON object.
    """
    with open_bytes(path) as file:
        info = _json(file.read(4_000_000).decode("utf-8", "replace"))
    if not isinstance(info, dict):
        raise SourceError(f"{path}: this is no session of OpenCode, or it is torn.")
    stored = Stored({**info, "id": path.stem, "parent": info.get("parentID")})
    storage = path.parents[2]
    for file_of in files_in(storage / "message" / path.stem, "", r"[A-Za-z][\w-]+\.json"):
        parts = files_in(storage / "part" / file_of.stem, "", r"[A-Za-z][\w-]+\.json")
        data = side_record(file_of) or None
        stored.add(file_of.stem, data, ((p.stem, side_record(p) or None) for p in parts))
    return stored


def state_of_files(path: Path) -> tuple[int, int]:
    """Return how many messages a session in files has and when one was last changed (ns).

    Raises:
        OSError: there is no such file.
    """
    messages = list(files_in(path.parents[2] / "message" / path.stem, "", r".+\.json"))
    newest = max(each.stat().st_mtime_ns for each in (path, *messages))
    return len(messages), newest


def _json(text: object) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


def _text(value: object) -> str:
    return legible(value) if isinstance(value, str) else ""
