r"""Transcripts of Cursor: `~/.cursor/projects/FOLDER/agent-transcripts/ID/ID.jsonl`, once `ID.txt`.

    {"role": "user", "message": {"content": [{"type": "text", "text": "<timestamp>Friday, Sep 4,
        2026, 2:21 AM (UTC+8)</timestamp>\n<user_query>\nfix it\n</user_query>"}]}}
    {"role": "assistant", "message": {"content": [{"type": "text", ...}, {"type": "tool_use", ...}]}}
    {"type": "turn_ended", "status": "success"}

No ids, and times only in what newer versions wrap around a prompt.  Without one a session is dated
by its folder, which is as old as the session: the file's own time moves while it grows, and an
episode must not.  FOLDER is the path with `-` for all but letters and digits; `.workspace-trusted`
says it in full, else the disk is asked.

Evidence: no real file was at hand (`VERIFIED` is False); the shapes are those on which several
independent readers of versions up to 3.20 agree, among them agentsview and jolli.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from scry.model import Transcript
from scry.ports import Places
from scry.sources.cursor_text import entries
from scry.sources.files import files_in, side_record
from scry.sources.gathering import HARNESS_TAGS, Gathering
from scry.sources.jsonl import Lines, Record, head_records, legible

NAME = "cursor"
VERIFIED = False
"""No file that the program itself has written has been read."""
_TAGS = HARNESS_TAGS | frozenset(
    """timestamp manually_attached_skills attached_files open_and_recently_viewed_files user_info
    rules agent_skills available_skills dynamic_tools project_layout git_status additional_data
    cursor_rules_context current_file linter_errors image_files agent_transcripts
    task_notification""".split()
)
_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_STAMP = re.compile(
    r"<timestamp>(?:[A-Z][a-z]+, )?([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4}), (\d{1,2}):(\d{2}) ?([AP])M"
    r"(?: \(UTC(?:([+-]\d{1,2})(?::(\d{2}))?)?\))?"
)
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_REDACTED = re.compile(r"\s*\[REDACTED\]\s*")
_OTHER = re.compile(r"[^A-Za-z0-9]+")
_ID = r"[0-9A-Za-z][\w-]{7,80}"


def discover(places: Places) -> Iterator[Path]:
    """Yield the transcripts, sorted; not those of subagents, and each session once."""
    top = places.home / ".cursor/projects"
    found = [
        path
        for path in files_in(top, "*/agent-transcripts/*", _ID + r"\.jsonl")
        if path.stem == path.parent.name
    ]
    held = {(path.parents[1], path.stem) for path in found}
    for path in files_in(top, "*/agent-transcripts", _ID + r"\.(?:jsonl|txt)"):
        if (path.parent, path.stem) not in held:
            held.add((path.parent, path.stem))
            found.append(path)
    yield from sorted(found)


def recognises(path: Path, head: bytes) -> bool:
    """Say whether a file is a transcript of Cursor, by its records; an old one by its place."""
    if path.suffix == ".txt":
        return "agent-transcripts" in path.parts and head.lstrip()[:5] == b"user:"
    return path.suffix == ".jsonl" and any(map(_is_ours, head_records(head)))


def _is_ours(record: Record) -> bool:
    match record:
        case {"role": "user" | "assistant", "message": {"content": str() | list()}}:
            return not {"type", "uuid", "sessionId", "id", "timestamp"} & record.keys()
        case _:
            return False


def read(path: Path) -> Transcript:
    """Read one transcript.

    Raises:
        SourceError: the file cannot be opened, or an old one is larger than 64 MB.
    """
    reading = _Reading()
    if path.suffix == ".txt":
        found = entries(path)
        for number, record in found.records:
            reading.feed(record, number)
        count = found.lines
    else:
        lines = Lines(path)
        for number, record in lines:
            reading.feed(record, number)
        reading.problems += lines.problems
        count = lines.count
    reading.place(_directory(path))
    whole = reading.transcript(NAME, path, path.stem, lines=count)
    started, ended = _times(path)
    whole = replace(whole, started=whole.started or started, ended=whole.ended or ended)
    if "subagents" in path.parts[-2:-1]:
        return replace(whole, verdict="subagent", events=(), continues=path.parent.parent.name)
    return whole


class _Reading(Gathering):
    """What has been read so far; a time holds until the next one."""

    def __init__(self) -> None:
        super().__init__(tags=_TAGS)

    def feed(self, record: Record, line: int) -> None:
        self.line = line
        match record:
            case {"role": "user", "message": {"content": content}}:
                self._user(content)
            case {"role": "assistant", "message": {"content": content}}:
                self._assistant(content)
            case {"type": "turn_ended", "status": "aborted"}:
                self.mark("interrupted")
            case {"type": "turn_ended"}:
                pass
            case _:
                kind = record.get("type", record.get("role"))
                self.known.types[legible(kind) if isinstance(kind, str) else "None"] += 1

    def _user(self, content: object) -> None:
        text = "\n".join(b for b in _blocks(content) if isinstance(b, str))
        if stamp := _STAMP.search(text):
            moment = _moment(stamp)
            self.at = self.known.time(moment.isoformat()) if moment else self.at
        queries = [self.words("user", query) for query in _QUERY.findall(text)]
        words = "\n\n".join(filter(None, queries)) if queries else text
        self.said("user", words)

    def _assistant(self, content: object) -> None:
        for block in _blocks(content):
            match block:
                case str(text):
                    self.said("assistant", _REDACTED.sub("\n\n", text))
                case {"name": name}:
                    self.did(name, block.get("input"))
                case _:
                    continue


def _blocks(content: object) -> Iterator[str | Record]:
    """Yield the texts of a message and its tool calls."""
    for block in content if isinstance(content, list) else [content]:
        match block:
            case str(text) | {"type": "text", "text": str(text)}:
                yield text
            case _ if isinstance(block, dict) and block.get("type") == "tool_use":
                yield block
            case _:
                continue


def _moment(stamp: re.Match[str]) -> datetime | None:
    """Return the moment of a stamp such as `Sep 4, 2026, 2:21 AM (UTC+8)`; UTC if it says no zone."""
    month, day, year, hour, minute, half, zone, part = stamp.groups()
    try:
        offset = timedelta(hours=int(zone or 0), minutes=int(part or 0))
        if (zone or "").startswith("-"):
            offset -= 2 * timedelta(minutes=int(part or 0))
        clock = int(hour) % 12 + (12 if half == "P" else 0)
        number = _MONTHS.index(month) + 1
        zoned = datetime(int(year), number, int(day), clock, int(minute), tzinfo=timezone(offset))
        return zoned.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _times(path: Path) -> tuple[datetime | None, datetime | None]:
    """Return when a session began, as its folder says, and when its file was last written."""
    try:
        ended = path.stat().st_mtime
        began = path.parent.stat().st_mtime if path.parent.name == path.stem else ended
        return _second(min(began, ended)), _second(ended)
    except (OSError, ValueError, OverflowError):
        return None, None


def _second(time: float) -> datetime:
    return datetime.fromtimestamp(int(time), UTC)


def _directory(path: Path) -> str:
    """Return the project's directory: as it was trusted, else the one that is written like FOLDER."""
    parts = path.parts
    if "agent-transcripts" not in parts:
        return ""
    project = Path(*parts[: parts.index("agent-transcripts")])
    trusted = side_record(project / ".workspace-trusted").get("workspacePath")
    if isinstance(trusted, str) and _written(trusted) == project.name:
        return trusted
    return _on_disk(project.name, Path("/"), "")


def _written(path: str) -> str:
    return _OTHER.sub("-", path).strip("-")


def _on_disk(name: str, top: Path, before: str) -> str:
    """Return the directory below `top` whose path is written as `name`, "" when there is none."""
    try:
        folders = sorted(entry for entry in top.iterdir() if entry.is_dir())
    except OSError:
        return ""
    for folder in folders:
        own = f"{before}-{_written(folder.name)}".strip("-")
        if own == name:
            return str(folder)
        if name.startswith(f"{own}-") and (found := _on_disk(name, folder, own)):
            return found
    return ""
