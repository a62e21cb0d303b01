"""Sessions of GitHub Copilot CLI: `~/.copilot/session-state/ID/events.jsonl`, once `ID.jsonl`.

    {"type": "session.start", "data": {"sessionId", "copilotVersion", "context": {"cwd", "branch"}},
     "id": ..., "timestamp": ..., "parentId": ...}
    {"type": "user.message", "data": {"content", "transformedContent", "source"?}, ...}
    {"type": "assistant.message", "data": {"content", "toolRequests": [{"name", "arguments"}]}, ...}

`content` is what was typed; `transformedContent` is the same with the date and files around it.
Skills and other agents speak as `user.message` too, and say so in `source`.

Evidence: sessions that Copilot CLI 1.0.102 has written, and the types of its events in
`session-events.d.ts` of the package copilot-sdk.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from scry.model import Transcript
from scry.ports import Places
from scry.sources.files import files_in, side_text
from scry.sources.gathering import Gathering
from scry.sources.jsonl import Lines, Record, head_records, legible

NAME = "copilot"
VERIFIED = True
"""Real files written by the program have been read."""
_FAMILIES = frozenset(
    """abort assistant auto_mode_switch capabilities command commands elicitation exit_plan_mode
    external_tool factory hook mcp mcp_app model pending_messages permission sampling session
    session_limits_exhausted skill subagent system tool tool_search ui user user_input""".split()
)
_OURS = frozenset("session.start user.message assistant.message".split())
_TITLE = re.compile(r"^(?:name|summary): *(\S.*?) *$", re.MULTILINE)
_LISTED = r"[0-9A-Za-z][\w-]{7,63}"
_OTHERS = ("skill", "agent", "subagent", "system", "autopilot", "hook", "notification")
"""How `source` begins for a message that no person typed."""


def discover(places: Places) -> Iterator[Path]:
    """Yield the sessions, sorted; a session that has a folder is not read from its old file."""
    top = places.home / ".copilot/session-state"
    found = list(files_in(top, "*", r"events\.jsonl"))
    folders = {path.parent.name for path in found}
    old = [p for p in files_in(top, "", _LISTED + r"\.jsonl") if p.stem not in folders]
    yield from sorted(found + old)


def recognises(path: Path, head: bytes) -> bool:
    """Say whether a file is a session of Copilot, by the records at its beginning."""
    return path.suffix == ".jsonl" and any(
        record.get("type") in _OURS and isinstance(record.get("data"), dict)
        for record in head_records(head)
        if isinstance(record.get("type"), str)
    )


def read(path: Path) -> Transcript:
    """Read one session.

    Raises:
        SourceError: the file cannot be opened.
    """
    lines, reading = Lines(path), _Reading()
    reading.problems = lines.problems
    for number, record in lines:
        reading.feed(record, number)
    foldered = path.name == "events.jsonl"
    named = path.parent.name if foldered else path.stem
    if foldered and not reading.known.title:
        title = _TITLE.search(side_text(path.parent / "workspace.yaml"))
        reading.known.title = legible(title[1].strip("'\"")) if title else ""
    return reading.transcript(NAME, path, next(iter(reading.known.ids), named), lines=lines.count)


class _Reading(Gathering):
    """What has been read so far; events of subagents, which say so, are left out."""

    def __init__(self) -> None:
        super().__init__()
        self._begun: dict[str, int] = {}
        """Where the events of each record begin."""
        self._questions: dict[str, str] = {}

    def feed(self, record: Record, line: int) -> None:
        kind, data, uid = record.get("type"), record.get("data"), record.get("id")
        if not isinstance(kind, str) or kind.split(".", 1)[0] not in _FAMILIES:
            self.known.types[legible(kind) if isinstance(kind, str) else "None"] += 1
            return
        self.at, self.line = self.known.time(record.get("timestamp")), line
        uid = uid if isinstance(uid, str) else ""
        if not isinstance(data, dict) or record.get("agentId") or data.get("parentToolCallId"):
            return
        if uid and uid in self._begun:
            return
        self._begun[uid] = len(self.events)
        if kind == "user.message":
            if _is_typed(data):
                self.said("user", data.get("content"), uid=uid)
        elif kind == "assistant.message":
            self.said("assistant", data.get("content"), uid=uid)
            self._calls(data.get("toolRequests"))
        else:
            self._happened(kind, data)
            self._asked(kind, data, uid)

    def _calls(self, calls: object) -> None:
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                self.did(call.get("name"), call.get("arguments"))

    def _happened(self, kind: str, data: Record) -> None:
        match kind, data:
            case "session.start" | "session.resume" | "session.context_changed", _:
                self._session(data)
            case "session.title_changed", {"title": str(title)}:
                self.known.title = legible(title)
            case "tool.user_requested", {"toolName": name}:
                self.did(name, data.get("arguments"))
            case "abort", _:
                self.mark("interrupted")
            case "session.compaction_complete", _ if data.get("success", True):
                self.mark("compacted")
            case "session.snapshot_rewind", {"upToEventId": str(back)} if back in self._begun:
                self.take_back(self._begun[back])
            case _:
                pass

    def _asked(self, kind: str, data: Record, uid: str) -> None:
        """Take in what a person answers to a question or to a plan."""
        match kind, data:
            case "user_input.requested", {"requestId": str(key), "question": str(question)}:
                self._questions[key] = question
            case "user_input.completed", {"requestId": str(key), "answer": str(answer)}:
                words = " → ".join(filter(None, (self._questions.get(key), answer)))
                self.said("user", words if answer else "", kind="answer", uid=uid)
            case "exit_plan_mode.requested", {"planContent": str(plan)}:
                self.said("assistant", plan, kind="plan", uid=uid)
            case "exit_plan_mode.completed", {"feedback": str(words)}:
                self.said("user", words, kind="rejection", uid=uid)
            case _:
                pass

    def _session(self, data: Record) -> None:
        known, where = self.known, data.get("context", data)
        known.add(known.ids, data.get("sessionId"))
        known.add(known.versions, data.get("copilotVersion"))
        known.time(data.get("startTime"))
        if isinstance(where, dict):
            self.place(where.get("cwd"))
            known.add(known.branches, where.get("branch"))
            host, name = where.get("repositoryHost"), where.get("repository")
            if isinstance(host, str) and isinstance(name, str) and not known.remote:
                known.remote = f"https://{legible(host)}/{legible(name)}"


def _is_typed(data: Record) -> bool:
    """Say whether a person typed a message: no skill, no other agent, no continuation."""
    source, content = data.get("source") or "", data.get("content")
    return (
        not (isinstance(source, str) and source.startswith(_OTHERS))
        and not data.get("isAutopilotContinuation")
        and isinstance(content, str)
        and not content.lstrip().startswith(("<skill-context", "<system_notification"))
    )
