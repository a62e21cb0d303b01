"""Chats of Gemini CLI: `~/.gemini/tmp/PROJECT/chats/session-TIME-ID.jsonl`, once one `.json`.

    {"sessionId", "projectHash", "startTime", "lastUpdated", "kind": "main"}
    {"id", "timestamp", "type": "user", "content": [{"text"}], "displayContent"?}
    {"id", "timestamp", "type": "gemini", "content": "...", "thoughts", "toolCalls": [{"name", "args"}]}
    {"$set": {"messages": [...], "summary": ...}}        {"$rewindTo": ID}

A later record with the same id replaces the earlier one: that is how tool calls are added.  The
program forgets what `$set.messages` leaves out (a compaction); what was said stays said here.
Resuming leaves a second file with the same session id and nothing in it.

Evidence: `chatRecordingService` of Gemini CLI 0.61.0, and chats that this version has written.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from scry.model import Role, Said, Transcript
from scry.ports import Places
from scry.sources.codex_text import answers_in
from scry.sources.files import side_record, side_text
from scry.sources.gathering import Gathering
from scry.sources.gemini_files import chats, document
from scry.sources.jsonl import Lines, Record, head_records, legible

NAME = "gemini"
VERIFIED = True
"""Real files written by the program have been read."""
_ATTACHED = "--- Content from referenced files ---"
_HARNESS = frozenset(("Please continue.", "Got it. Thanks for the additional context!"))
_SNAPSHOT = re.compile(r"\s*(?:<[a-z_]+>\s*)?<state_snapshot>")
_WORKSPACE = re.compile(r"Workspace Directories:\*\*\s*\n\s*- (/[^\n]+|[A-Za-z]:[^\n]+)")
_WORKS_IN = re.compile(r"working in the directory: ([^\n]+)")
_CONTEXT = ("<session_context>", "This is the Gemini CLI")
_COMMAND = re.compile(r"/[a-z][a-z:-]*(?=\s|\Z)")


def discover(places: Places) -> Iterator[Path]:
    """Yield the chats, sorted; of a session that lies here twice the file that has it all."""
    yield from chats(places.home / ".gemini/tmp")


def recognises(path: Path, head: bytes) -> bool:
    """Say whether a file is a chat of Gemini CLI, by its beginning."""
    if path.suffix not in (".json", ".jsonl"):
        return False
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:4096]
    if start.startswith(b"{") and b'"sessionId"' in start and b'"projectHash"' in start:
        return True
    return any("projectHash" in r and "sessionId" in r for r in head_records(head))


def read(path: Path) -> Transcript:
    """Read one chat.

    Raises:
        SourceError: the file cannot be opened, or is one document of more than 64 MB.
    """
    reading = _Reading()
    if path.suffix == ".json":
        found = document(path)
        reading.problems += found.problems
        for number, record in found.records:
            reading.feed(record, number)
        count = found.lines
    else:
        lines = Lines(path)
        for number, record in lines:
            reading.feed(record, number)
        reading.problems += lines.problems
        count = lines.count
    for cwd in (_root_of(path, reading), *reading.directories):
        reading.place(cwd)
    session = next(iter(reading.known.ids), path.stem)
    whole = reading.transcript(NAME, path, session, lines=count)
    if reading.kind == "subagent":
        return replace(whole, verdict="subagent", events=())
    return whole


class _Reading(Gathering):
    """What has been read so far of one chat."""

    def __init__(self) -> None:
        super().__init__()
        self.kind = ""
        self.project = ""
        self.directories: list[str] = []
        self._begun: dict[str, int] = {}
        self._spoken: dict[str, int] = {}
        """Where the words of a message stand, by its id."""
        self._calls: set[str] = set()
        self._answered: set[str] = set()

    def feed(self, record: Record, line: int) -> None:
        self.line = line
        match record:
            case {"$rewindTo": str(back)}:
                if back in self._begun:
                    self.take_back(self._begun[back])
            case {"$set": dict(changes)}:
                self._particulars(changes)
            case {"sessionId": str(), "projectHash": _}:
                self._particulars(record)
            case {"id": str(), "type": _}:
                self._message(record)
            case _:
                self.known.types["None"] += 1

    def _particulars(self, changes: Record) -> None:
        known = self.known
        known.add(known.ids, changes.get("sessionId"))
        for key in ("startTime", "lastUpdated"):
            known.time(changes.get(key))
        match changes.get("summary"):
            case str(title):
                known.title = legible(title)
        self.kind = str(changes.get("kind") or self.kind)
        self.project = str(changes.get("projectHash") or self.project)
        for folder in _list(changes.get("directories")):
            if isinstance(folder, str):
                self.directories.append(folder)
        for message in _list(changes.get("messages")):
            # What is known is known better: here tool output and more may be cut out.
            uid = message.get("id") if isinstance(message, dict) else None
            if isinstance(message, dict) and isinstance(uid, str) and uid not in self._begun:
                self._message(message)

    def _message(self, record: Record) -> None:
        uid, kind = str(record["id"]), record.get("type")
        self.at = self.known.time(record.get("timestamp"))
        self._begun.setdefault(uid, len(self.events))
        content = record.get("content")
        match kind:
            case "user":
                self._user(_texts(record.get("displayContent") or content), uid)
            case "gemini":
                self._say("assistant", "".join(_texts(content)), uid)
                for call in _list(record.get("toolCalls")):
                    if isinstance(call, dict):
                        self._call(call)
            case "info":
                if "".join(_texts(content)).startswith("Request cancelled"):
                    self.mark("interrupted")
            case "warning" | "error":
                pass
            case _:
                self.known.types[legible(kind) if isinstance(kind, str) else "None"] += 1

    def _user(self, texts: list[str], uid: str) -> None:
        """Take in a prompt: without the files it names, and not what the program itself says."""
        stripped = [text.strip() for text in texts]
        if _ATTACHED in stripped:
            texts = texts[: stripped.index(_ATTACHED)]
        text = "".join(texts).partition(f"\n{_ATTACHED}")[0]
        if text.lstrip().startswith(_CONTEXT):
            found = _WORKSPACE.search(text) or _WORKS_IN.search(text)
            self.directories += [found[1].strip()] if found else []
        elif _SNAPSHOT.match(text):
            self.mark("compacted")
        else:
            self._say("user", text, uid, "command" if _COMMAND.match(text.lstrip()) else "")

    def _say(self, role: Role, text: str, uid: str, kind: str = "") -> None:
        """Add what a message says, or put it in the place of what the same message said before."""
        place = self._spoken.get(uid)
        if text.strip() in _HARNESS:
            return
        if place is None:
            if self.said(role, text, kind=kind, uid=uid):
                self._spoken[uid] = len(self.events) - 1
            return
        before, words = self.events[place], self.words(role, text)
        if isinstance(before, Said) and words and words != before.text:
            self.events[place] = replace(before, text=words)
            self.mark("said on")

    def _call(self, call: Record) -> None:
        key, name = str(call.get("id")), call.get("name")
        if key not in self._calls:
            self._calls.add(key)
            self.did(name, call.get("args"))
        if name == "ask_user" and key not in self._answered:
            words = "\n".join(_answers(call))
            if self.said("user", words, kind="answer", uid=f"{key}-answer"):
                self._answered.add(key)


def _answers(call: Record) -> Iterator[str]:
    match call:
        case {"args": {"questions": list(asked)}}:
            questions = {
                str(n): str(q.get("question", ""))
                for n, q in enumerate(asked)
                if isinstance(q, dict)
            }
        case _:
            questions = {}
    for part in _list(call.get("result")):
        match part:
            case {"functionResponse": {"response": {"output": output}}}:
                yield from answers_in(output, questions)
            case _:
                continue


def _texts(content: object) -> list[str]:
    """Return the texts of a message: no thoughts, no calls, nothing that a tool gave back."""
    out: list[str] = []
    for part in content if isinstance(content, list) else [content]:
        match part:
            case str(text):
                out.append(text)
            case {"thought": True}:
                continue
            case {"text": str(text)}:
                out.append(text)
            case _:
                continue
    return out


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _root_of(path: Path, reading: _Reading) -> str:
    """Return the project's directory: as noted beside the chats, else by its hash."""
    if root := side_text(path.parent.parent / ".project_root").strip():
        return root
    if reading.directories:
        return ""
    known = side_record(path.parents[3] / "projects.json") if len(path.parents) > 3 else {}
    folders = known.get("projects")
    for folder in folders if isinstance(folders, dict) else ():
        if hashlib.sha256(folder.encode("utf-8", "replace")).hexdigest() == reading.project:
            return str(folder)
    return ""
