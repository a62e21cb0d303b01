"""Claude Code sessions: `~/.claude/projects/FOLDER/SESSION.jsonl`, a record a line.

    {"type": "user", "uuid": ..., "parentUuid": ..., "sessionId": ..., "timestamp": ...,
     "cwd": ..., "gitBranch": ..., "version": ..., "message": {"role": "user", "content": ...}}

A `user` record is usually not the user: most hold what a tool printed, and a quarter of the rest
what the harness put in.  File order is the order; times go backwards, and the tree of parents
branches wherever two tools ran at once.  Files of subagents, of compaction and of side questions
repeat the session and are none themselves.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from scry.model import Event, Mark, Said, Transcript
from scry.ports import Places
from scry.sources.claude_asides import asides_of
from scry.sources.claude_family import Origin, origin_of, session_of
from scry.sources.claude_queue import Taken
from scry.sources.claude_records import KNOWN_TYPES, Entry, Reading
from scry.sources.claude_text import Words, pieces
from scry.sources.jsonl import Lines, Record, head_records, legible

NAME = "claude"
_ASKED_AT = ("uuid", "parentUuid", "sessionId", "leafUuid", "isSidechain")


def discover(places: Places) -> Iterator[Path]:
    """Yield the files of sessions, sorted; those beside and below them are read with them."""
    try:
        folders = sorted((places.claude / "projects").iterdir())
    except OSError:
        return
    for folder in folders:
        try:
            found = sorted(path for path in folder.iterdir() if path.suffix == ".jsonl")
        except OSError:
            continue
        for path in found:
            # What bears such a name and is no file is given too, so that whoever reads it says so.
            if not path.name.startswith("agent-"):
                yield path


def recognises(path: Path, head: bytes) -> bool:
    """Say whether a file is a Claude Code transcript, by the records at its beginning."""
    if path.is_dir():
        return False
    for record in head_records(head):
        if _is_ours(record):
            return True
    # The first line may be longer than the head: a picture in the first prompt.
    return b'"parentUuid":' in head[:4096] and b'"sessionId":' in head


def _is_ours(record: Record) -> bool:
    kind, message = record.get("type"), record.get("message")
    if kind in ("user", "assistant") and isinstance(message, dict):
        return message.get("role", kind) == kind and "content" in message
    if not isinstance(kind, str) or kind not in KNOWN_TYPES or "payload" in record:
        return False
    # Names of two words are Claude's own; `system` and the like other agents use as well.
    return "-" in kind or any(key in record for key in _ASKED_AT)


def read(path: Path) -> Transcript:
    """Read one session with its side questions.

    Raises:
        SourceError: the file cannot be opened.
    """
    lines, reading = Lines(path), Reading()
    for number, record in lines:
        reading.feed(record, number)
    known = reading.particulars
    whole = Transcript(
        source=NAME,
        path=path,
        session=session_of(path, known.ids),
        problems=tuple(lines.problems),
        cwds=tuple(known.cwds),
        branches=tuple(known.branches),
        versions=tuple(known.versions),
        ids=tuple(known.ids),
        title=reading.title,
        started=known.started,
        ended=known.ended,
        lines=lines.count,
        types=Counter(known.types),
    )
    helper = _helper(path, reading)
    if helper:
        parent = next(iter(known.ids), None)
        return replace(whole, session=path.stem, verdict=helper, continues=parent)
    return _conversation(whole, reading)


def _helper(path: Path, reading: Reading) -> str:
    """Return the verdict on a file of a subagent, or "" for a session's own file."""
    below = "subagents" in path.parts[-4:-1]
    named = path.name.startswith("agent-")
    if not below and (reading.own or not (reading.helpers or named)):
        return ""
    compacts = "acompact" in path.name
    return "compaction-agent" if compacts else "subagent"


def _conversation(whole: Transcript, reading: Reading) -> Transcript:
    uuids = reading.parents
    first = next(iter(uuids.values()), "")
    compacted = any(
        isinstance(e.event, Mark) and e.event.kind == "compacted" for e in reading.entries[:1]
    )
    origin = origin_of(whole.path, uuids, from_the_middle=bool(first) or compacted)
    taken = _with_taken(reading.entries, reading.queue.taken, origin)
    entries = _with_abandoned(taken, reading)
    events: list[Event] = [e.event for e in entries if not origin or e.uuid not in origin.known]
    asides, problems = asides_of(whole.path, frozenset(uuids))
    events += asides
    said = [event for event in events if isinstance(event, Said)]
    verdict = "fork-of" if origin else "session" if said else "metadata-only"
    if [one.text for one in said if one.role == "user"] == ["Warmup"]:
        events, verdict = [], "metadata-only"  # A probe that Claude Code sends to itself.
    return replace(
        whole,
        verdict=verdict,
        continues=origin.session if origin else None,
        events=tuple(events),
        problems=(*whole.problems, *problems),
    )


def _with_abandoned(entries: list[Entry], reading: Reading) -> list[Entry]:
    """Mark what stands on a branch that the user left by going back to an earlier prompt.

    Two prompts after one record: the later one goes on, all that follows the earlier one is
    abandoned.  It keeps its place, since it may have been read before the user went back.
    """
    heads: dict[str, str] = {}
    left: set[str] = set()
    for uuid in dict.fromkeys(reading.prompts):
        parent = reading.parents.get(uuid, "")
        if parent and parent in heads:
            left.add(heads[parent])
        heads[parent] = uuid
    if not left:
        return entries
    for uuid, parent in reading.parents.items():
        if parent in left:
            left.add(uuid)
    out: list[Entry] = []
    for entry in entries:
        event = entry.event
        if entry.uuid in left and isinstance(event, Said):
            out.append(Entry(Mark(at=event.at, line=event.line, kind="abandoned"), entry.uuid))
            out.append(Entry(replace(event, kind="abandoned"), entry.uuid))
        else:
            out.append(entry)
    return out


def _with_taken(entries: list[Entry], taken: Sequence[Taken], origin: Origin | None) -> list[Entry]:
    """Put in what the model took from the queue, unless the same words stand in a record after."""
    if not taken:
        return entries
    said = [
        (entry.event.line, " ".join(entry.event.text.split()))
        for entry in entries
        if isinstance(entry.event, Said) and entry.event.role == "user"
    ]
    out = list(entries)
    for one in reversed(_only_in_the_queue(taken, said)):
        if origin and one.session == origin.session:
            continue
        for piece in pieces(one.text):
            if isinstance(piece, Words):
                text = legible(piece.text)
                event = Said(at=one.at, line=one.line, role="user", text=text, kind="queue")
                out.insert(one.place, Entry(event))
    return out


def _only_in_the_queue(taken: Sequence[Taken], said: list[tuple[int, str]]) -> list[Taken]:
    left = list(said)
    kept: list[Taken] = []
    for one in taken:
        words = " ".join(one.text.split())
        again = next((s for s in left if s[0] >= one.since and s[1] == words), None)
        if again:
            left.remove(again)
        else:
            kept.append(one)
    return kept
