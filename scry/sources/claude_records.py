"""One Claude Code transcript, record by record, into events: an allow-list of what can be speech.

    {"type": "user", "uuid": ..., "message": {"content": "text" | [block, ...]}}      look inside
    {"type": "assistant", "message": {"id": "m1", "content": [{"type": "text"}, ...]}} text blocks
    {"type": "attachment", "attachment": {"type": "queued_command", "prompt": ...}}    typed mid-turn
    {"type": "queue-operation", ...}                                                   see claude_queue
    {"type": "system", "subtype": "compact_boundary" | "informational" | ...}          marks

Everything else, and every other block, is not conversation.  One message of the model stands on
several records, one a block, with others between; some writers repeat the text so far each time.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime

from scry.model import Did, Event, Mark, Role, Said
from scry.sources.breadcrumbs import deed_of_call
from scry.sources.claude_answers import FORMS
from scry.sources.claude_queue import Queue
from scry.sources.claude_text import Noted
from scry.sources.claude_user import (
    Call,
    in_attachment,
    in_system,
    in_user,
    joined,
    only_results,
    questions_in,
)
from scry.sources.jsonl import Record, legible
from scry.sources.own_words import speech
from scry.sources.particulars import Particulars

KNOWN_TYPES = frozenset(
    """user assistant summary system attachment queue-operation progress file-history-snapshot
    last-prompt ai-title custom-title agent-name agent-color agent-setting mode permission-mode
    pr-link teleported-from started result atis-latch api-request api-request-blob
    api-request-shape cost-state tools-used worktree-state content-replacement tag
    speculation-accept fork-context-ref""".split()
)

_CONTENT = (str, list)
_NOWHERE = (None, None, None, None)


@dataclass(slots=True)
class Entry:
    """An event and the record that it comes from."""

    event: Event
    uuid: str = ""


@dataclass(slots=True)
class Reading:
    """What has been read so far of one file.

    `sidechain` says which half is wanted: the session's own records or those of its helpers.
    `skip` holds ids of records that are known from another file.
    """

    sidechain: bool = False
    skip: frozenset[str] = frozenset()
    entries: list[Entry] = field(default_factory=list)
    parents: dict[str, str] = field(default_factory=dict)
    """Record id -> id of the record before it, of every record with an id."""
    prompts: list[str] = field(default_factory=list)
    """Ids of the records in which a person typed a prompt."""
    particulars: Particulars = field(default_factory=Particulars)
    queue: Queue = field(default_factory=Queue)
    own: int = 0
    helpers: int = 0
    _calls: dict[str, Call] = field(default_factory=dict)
    _spoken: dict[str, list[int]] = field(default_factory=dict)
    _titles: dict[str, str] = field(default_factory=dict)
    _summaries: list[tuple[str, str]] = field(default_factory=list)
    _cwd: str = ""
    _stamp: tuple[object, ...] = ()

    def feed(self, record: Record, line: int) -> None:
        """Take one record in."""
        get, known = record.get, self.particulars
        kind, at = get("type"), known.time(get("timestamp"))
        stamp = get("sessionId"), get("cwd"), get("gitBranch"), get("version")
        if stamp not in (self._stamp, _NOWHERE):
            self._place(stamp)
        if kind in ("user", "assistant", "attachment", "system"):
            if self._is_new(record, str(kind), line):
                self._chain_record(record, str(kind), at, line)
        elif kind == "queue-operation":
            self.queue.follow(record, at, line, len(self.entries))
        elif not isinstance(kind, str) or kind not in KNOWN_TYPES:
            known.types[legible(kind) if isinstance(kind, str) else "None"] += 1
        else:
            self._metadata(record, kind)

    def _place(self, stamp: tuple[object, ...]) -> None:
        """Note where a record was written, when that is not where the one before was."""
        self._stamp, known = stamp, self.particulars
        for into, value in zip(
            (known.ids, known.cwds, known.branches, known.versions), stamp, strict=True
        ):
            known.add(into, value)
        if isinstance(stamp[1], str):
            self._cwd = stamp[1]

    @property
    def title(self) -> str:
        """The title a person gave, else the agent's, else a summary that belongs to this file."""
        own = [text for text, leaf in self._summaries if leaf in self.parents]
        titles = (self._titles.get("customTitle"), self._titles.get("aiTitle"), *own[-1:])
        return next((legible(title) for title in titles if title), "")

    def _metadata(self, record: Record, kind: str) -> None:
        if kind == "summary":
            text, leaf = record.get("summary"), record.get("leafUuid")
            if isinstance(text, str) and isinstance(leaf, str):
                self._summaries.append((text, leaf))
        for key in ("customTitle", "aiTitle"):
            if isinstance(title := record.get(key), str):
                self._titles[key] = title
        if kind == "progress":
            self._claim(record)

    def _is_new(self, record: Record, kind: str, line: int) -> bool:
        """Say whether a record is sound, of the wanted half, and not a copy of an earlier one."""
        get, parents = record.get, self.parents
        side, uuid = bool(get("isSidechain")), get("uuid")
        speech = kind in ("user", "assistant")
        if speech:
            self.own += not side
            self.helpers += side
        named = isinstance(uuid, str)
        if named and (uuid in parents or uuid in self.skip):
            return False
        if speech:
            message = get("message")
            content = message.get("content") if isinstance(message, dict) else None
            if not isinstance(content, _CONTENT):
                if not isinstance(message, dict) and side == self.sidechain:
                    self._add(Mark(at=None, line=line, kind="malformed"), "")
                return False  # A malformed record must not claim its id: a sound one may follow.
        if named and uuid:
            parent = get("parentUuid")
            parents[uuid] = parent if isinstance(parent, str) else ""
        return side == self.sidechain

    def _claim(self, record: Record) -> None:
        uuid, parent = record.get("uuid"), record.get("parentUuid")
        if isinstance(uuid, str) and uuid and uuid not in self.parents:
            self.parents[uuid] = parent if isinstance(parent, str) else ""

    def _add(self, event: Event, uuid: str) -> None:
        self.entries.append(Entry(event, uuid))

    def _chain_record(self, record: Record, kind: str, at: datetime | None, line: int) -> None:
        uuid = record["uuid"] if isinstance(record.get("uuid"), str) else ""
        if kind == "assistant":
            self._assistant(record, uuid, at, line)
            return
        if kind == "user":
            if only_results(record, self._calls):
                return
            found = in_user(record, self._calls)
        else:
            found = in_attachment(record) if kind == "attachment" else in_system(record)
        for item in joined(found):
            if isinstance(item, Noted):
                self._add(Mark(at=at, line=line, kind=item.kind), uuid)
                continue
            if item.kind == "prompt" and uuid:
                self.prompts.append(uuid)
            speaker: Role = "assistant" if item.kind == "plan" else "user"
            text = legible(item.text)
            self._add(
                Said(at=at, line=line, role=speaker, text=text, kind=item.kind, uid=uuid), uuid
            )

    def _assistant(self, record: Record, uuid: str, at: datetime | None, line: int) -> None:
        message = record["message"]
        if message.get("model") == "<synthetic>" or record.get("isApiErrorMessage"):
            self._add(Mark(at=at, line=line, kind="synthetic"), uuid)
            return
        content, mid = message["content"], message.get("id")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            if not isinstance(block, dict):
                continue
            what, text, name = block.get("type"), block.get("text"), block.get("name")
            if what == "text" and isinstance(text, str) and (words := speech(text)):
                words = legible(words)
                said = Said(at=at, line=line, role="assistant", text=words, kind="prose", uid=uuid)
                self._say(said, mid if isinstance(mid, str) else "", uuid)
            elif what == "tool_use" and isinstance(name, str):
                self._call(block, name, uuid, at, line)

    def _say(self, said: Said, mid: str, uuid: str) -> None:
        """Add speech; where a message repeats what it said so far, keep the longest."""
        places = self._spoken.setdefault(mid, []) if mid else []
        for place in places:
            before = self.entries[place].event
            if isinstance(before, Said) and before.text.startswith(said.text):
                return
            if isinstance(before, Said) and said.text.startswith(before.text):
                self.entries[place].event = replace(before, text=said.text)
                # Its line stays where it began; that there is more is seen by the line of this.
                self._add(Mark(at=said.at, line=said.line, kind="said on"), uuid)
                return
        places.append(len(self.entries))
        self._add(said, uuid)

    def _call(self, block: Record, name: str, uuid: str, at: datetime | None, line: int) -> None:
        call, given = block.get("id"), block.get("input")
        if isinstance(call, str):
            if call in self._calls:
                return
            self._calls[call] = Call(name, questions_in(given) if name in FORMS else ())
        if (
            name == "ExitPlanMode"
            and isinstance(given, dict)
            and isinstance(given.get("plan"), str)
        ):
            self._plan(given["plan"], uuid, at, line)
        verb, target = deed_of_call(name, given, self._cwd)
        self._add(Did(at=at, line=line, verb=verb, target=legible(target)), uuid)

    def _plan(self, text: str, uuid: str, at: datetime | None, line: int) -> None:
        words = legible(speech(text))
        said = Said(at=at, line=line, role="assistant", text=words, kind="plan", uid=uuid)
        if words:
            self._say(said, "plan", uuid)
