"""Sessions of OpenCode: rows of `~/.local/share/opencode/opencode.db`, up to 1.1 JSON files.

    session(id, parent_id, directory, title, version, revert, time_created, time_updated)
    message(id, session_id, time_created, data = {"role", "time", "summary"?, "error"?})
    part(id, message_id, session_id, data = {"type": "text", "text", "synthetic"?} | {"type": "tool", ...})

A session of the database has the path `.../opencode.db/ID`, which is no file: `stat_path` says
which file it lies in, `stamp` in which state it is, and its lines count the parts.  Files stay
behind when they have been moved into the database, so they are read only where it lacks them.

Evidence: a database that OpenCode 1.18.33 has written; for the files, its documents on storage and
independent readers (`VERIFIED` speaks of the database).
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from scry.errors import SourceError
from scry.model import Problem, Role, Transcript
from scry.ports import Places
from scry.sources.claude_text import answers_in
from scry.sources.files import files_in
from scry.sources.gathering import Gathering, iso_of
from scry.sources.jsonl import Record, legible
from scry.sources.opencode_store import (
    Stored,
    in_files,
    session_ids,
    session_in,
    state_in,
    state_of_files,
)

NAME = "opencode"
VERIFIED = True
"""A real database written by the program has been read."""
_DATABASE = r"opencode(?:-[\w.-]+)?\.db"
_SESSION = re.compile(r"[A-Za-z][\w-]{3,80}\Z")
_NEW_TITLE = re.compile(r"New session - \d{4}-|Child session - ")
_SILENT = frozenset("step-start step-finish reasoning snapshot patch retry agent".split())


def discover(places: Places) -> Iterator[Path]:
    """Yield a path for each session, sorted; files only for those that no database holds."""
    top = places.home / ".local/share/opencode"
    found: list[Path] = []
    held: set[str] = set()
    for database in files_in(top, "", _DATABASE):
        try:
            ids = session_ids(database)
        except SourceError:
            found.append(database)  # Reading it will say what is wrong with it.
            continue
        held.update(ids)
        found += [database / each for each, parent in ids.items() if not parent]
    for path in files_in(top / "storage/session", "*", r".+\.json"):
        if path.stem not in held and _SESSION.match(path.stem):
            found.append(path)
    yield from sorted(path for path in found if path.suffix or _SESSION.match(path.name))


def stat_path(path: Path) -> Path:
    """Return the file whose state is the session's: the database for a session in one."""
    return path.parent if _in_database(path) else path


def stamp(path: Path) -> tuple[int, int]:
    """Return how many parts a session has, and when the last one was changed (ns).

    Raises:
        OSError: there is no such session.
    """
    try:
        return state_in(path.parent, path.name) if _in_database(path) else state_of_files(path)
    except SourceError as error:
        raise OSError(0, str(error)) from error


def _in_database(path: Path) -> bool:
    return re.fullmatch(_DATABASE, path.parent.name) is not None


def recognises(path: Path, head: bytes) -> bool:
    """Say whether a path is a session in a database of OpenCode, such a database, or its file."""
    if _in_database(path):
        return bool(_SESSION.match(path.name))
    if re.fullmatch(_DATABASE, path.name):
        return head.startswith(b"SQLite format 3\0")
    stored = path.suffix == ".json" and path.parts[-4:-2] == ("storage", "session")
    return stored and b'"id"' in head


def read(path: Path) -> Transcript:
    """Read one session.

    Raises:
        SourceError: the database or the file cannot be read, or holds no such session.
    """
    if re.fullmatch(_DATABASE, path.name):
        count = len(session_ids(path))
        raise SourceError(
            f"{path}: this is a database of {count} sessions. Name one as {path}/ID, or run a sweep."
        )
    stored = session_in(path.parent, path.name) if _in_database(path) else in_files(path)
    reading = _Reading(stored)
    reading.problems = [Problem(str(path), message, line) for line, message in stored.problems]
    reading.session()
    reading.messages()
    session = next(iter(reading.known.ids), path.stem)
    whole = reading.transcript(NAME, path, session, lines=stored.parts)
    if isinstance(parent := stored.info.get("parent"), str) and parent:
        return replace(whole, verdict="subagent", events=(), continues=parent)
    return whole


class _Reading(Gathering):
    """What has been read so far; the line of a part is its number in the session."""

    def __init__(self, stored: Stored) -> None:
        super().__init__()
        self.line = 1
        self._stored = stored
        revert = stored.info.get("revert")
        back = revert if isinstance(revert, dict) else {}
        self._back = (back.get("messageID"), back.get("partID"))
        self._from: int | None = None
        """Where the words begin that the user has taken back."""

    def session(self) -> None:
        """Read what is stored of the session as a whole."""
        info, known = self._stored.info, self.known
        known.add(known.ids, info.get("id"))
        known.add(known.versions, info.get("version"))
        title = info.get("title")
        if isinstance(title, str) and not _NEW_TITLE.match(title):
            known.title = legible(title)
        self.place(info.get("directory"))

    def messages(self) -> None:
        """Read all messages, in order."""
        for message in self._stored.messages:
            self._message(message.data, message.id, message.parts)
        if self._from is not None:
            self.take_back(self._from)

    def _message(self, data: Record, uid: str, parts: list[tuple[int, str, Record]]) -> None:
        times = data.get("time")
        created = times.get("created") if isinstance(times, dict) else None
        self.at = self.known.time(iso_of(created))
        where = data.get("path")
        if isinstance(where, dict):
            self.place(where.get("cwd"))
        if uid == self._back[0] and not self._back[1]:
            self._from = len(self.events)
        for self.line, part_id, part in parts:
            if part_id == self._back[1]:
                self._from = len(self.events)
            self._part(data, part, part_id)
        match data.get("error"):
            case {"name": "MessageAbortedError"}:
                self.mark("interrupted")

    def _part(self, message: Record, part: Record, uid: str) -> None:
        kind = part.get("type")
        summed_up = message.get("summary") is True  # The model's summary of what came before.
        if kind == "compaction" or (summed_up and kind == "text"):
            self.mark("compacted")
        elif kind == "text":
            if not part.get("synthetic") and not part.get("ignored"):
                role: Role = "user" if message.get("role") == "user" else "assistant"
                self.said(role, part.get("text"), uid=uid)
        elif kind == "tool":
            self._tool(part, uid)
        elif kind == "file":
            if str(part.get("mime")).startswith("image/"):
                self.mark("image")
        elif kind == "subtask":
            self.did("task", {"subagent_type": part.get("agent")})
        elif kind not in _SILENT:
            self.known.types[legible(kind) if isinstance(kind, str) else "None"] += 1

    def _tool(self, part: Record, uid: str) -> None:
        state = part.get("state")
        state = state if isinstance(state, dict) else {}
        given = state.get("input")
        self.did(part.get("tool"), given)
        if part.get("tool") == "question" and isinstance(output := state.get("output"), str):
            pairs = answers_in(output, tuple(_questions(given)))
            words = "\n".join(f"{question} → {answer}" for question, answer in pairs)
            self.said("user", words, kind="answer", uid=uid)


def _questions(given: object) -> Iterator[str]:
    match given:
        case {"questions": list(asked)}:
            for question in asked:
                match question:
                    case {"question": str(text)}:
                        yield text
                    case _:
                        continue
        case _:
            return
