"""One Codex rollout, record by record, into events: an allow-list of what can be speech.

    {"timestamp", "type": "response_item", "payload": {"type": "message", "role", "content"}}  speech
    ... payload {"type": "function_call" | "custom_tool_call" | "local_shell_call" | ...}       did
    {"timestamp", "type": "event_msg", "payload": {"type": "user_message", "message"}}         again
    {"timestamp", "type": "compacted", "payload": {"replacement_history": [...]}}       never read

Rollouts from before the envelope hold bare payloads, without times.  The events repeat what is
said; they are believed only where no item carries the same words.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime

from scry.model import Did, Event, Mark, Said
from scry.sources.breadcrumbs import deed_of_call
from scry.sources.codex_text import (
    answers_in,
    blocks_of,
    cwd_in,
    is_interruption,
    questions_in,
    spoken,
    typed_in,
)
from scry.sources.jsonl import Record, legible
from scry.sources.particulars import Particulars

KNOWN_TYPES = frozenset(
    """session_meta response_item event_msg turn_context compacted world_state
    inter_agent_communication inter_agent_communication_metadata security_risk_score realtime_item
    token_usage_record session_state thread_settings""".split()
)
BARE_TYPES = frozenset(
    """message reasoning function_call function_call_output custom_tool_call
    custom_tool_call_output local_shell_call local_shell_call_output web_search_call""".split()
)
_CALLS = frozenset("function_call custom_tool_call local_shell_call web_search_call".split())
_FORM = "request_user_input"
Spoken = tuple[str, str]
"""Who says something, and what."""


@dataclass(slots=True)
class Twin:
    """The UI's copy of a message: what it says, and where it would stand."""

    said: Said
    place: int


def words_of(said: Said) -> Spoken:
    """Return what is the same for two who say the same, whatever white space parts the words."""
    return said.role, "".join(said.text.split())


@dataclass(slots=True)
class Reading:
    """What has been read so far of one rollout."""

    events: list[Event] = field(default_factory=list)
    particulars: Particulars = field(default_factory=Particulars)
    metas: list[Record] = field(default_factory=list)
    """Every `session_meta`; the first one names the file."""
    turns: list[tuple[int, str]] = field(default_factory=list)
    """(line, turn id) of each turn context."""
    _twins: list[Twin] = field(default_factory=list)
    _forms: dict[str, dict[str, str]] = field(default_factory=dict)
    _start: datetime | None = None
    _cwd: str = ""

    def feed(self, record: Record, line: int) -> None:
        """Take one record in, of whichever generation."""
        get = record.get
        kind, payload = get("type"), get("payload")
        at = self.particulars.time(get("timestamp")) or self._start
        if isinstance(payload, dict) and isinstance(kind, str) and kind in KNOWN_TYPES:
            self._enveloped(kind, payload, at, line)
        elif kind is None and "record_type" not in record and "id" in record:
            self._start = at
            self._meta(record)
        elif isinstance(kind, str) and kind in BARE_TYPES and payload is None:
            self._item(record, at, line)
        elif "record_type" not in record and not (isinstance(kind, str) and kind in KNOWN_TYPES):
            self.particulars.types[legible(kind) if isinstance(kind, str) else "None"] += 1

    def finished(self) -> list[Event]:
        """Return all events: a prompt that only the UI's copy holds is put in at its place.

        An answer that only the UI showed was interrupted and never entered the conversation; its
        copies count only where a file holds no items of the model at all.
        """
        out, said = list(self.events), [e for e in self.events if isinstance(e, Said)]
        answered = any(one.role == "assistant" for one in said)
        same = {(one.role, one.text) for one in said}  # As nearly all copies are, to the letter.
        left = [t for t in self._twins if (t.said.role, t.said.text) not in same]
        have = {words_of(one) for one in said} if left else set()
        alone: list[Twin] = []
        for twin in left:
            counts = twin.said.role == "user" or not answered
            if counts and (key := words_of(twin.said)) not in have:
                have.add(key)  # An event may itself stand twice, in an old form and a new one.
                alone.append(twin)
        for twin in reversed(alone):
            out.insert(twin.place, twin.said)
        return out

    def _enveloped(self, kind: str, payload: Record, at: datetime | None, line: int) -> None:
        match kind:
            case "response_item":
                self._item(payload, at, line)
            case "event_msg":
                self._event(payload, at, line)
            case "session_meta":
                self._meta(payload)
            case "turn_context":
                self._directory(payload.get("cwd"))
                if isinstance(turn := payload.get("turn_id"), str):
                    self.turns.append((line, turn))
            case "compacted":
                self._mark("compacted", at, line)
            case _:
                pass

    def _meta(self, meta: Record) -> None:
        known = self.particulars
        self.metas.append(meta)
        known.add(known.ids, meta.get("id") or meta.get("session_id"))
        known.add(known.versions, meta.get("cli_version"))
        self._directory(meta.get("cwd"))
        git = meta.get("git")
        if isinstance(git, dict):
            known.add(known.branches, git.get("branch"))
            if isinstance(url := git.get("repository_url"), str) and not known.remote:
                known.remote = legible(url)

    def _directory(self, cwd: object) -> None:
        self.particulars.add(self.particulars.cwds, cwd)
        if isinstance(cwd, str) and cwd:
            self._cwd = cwd

    def _mark(self, kind: str, at: datetime | None, line: int) -> None:
        """Note what happened; an item and an event that tell of it together count once."""
        last = self.events[-1] if self.events else None
        if not (kind != "image" and isinstance(last, Mark) and last.kind == kind):
            self.events.append(Mark(at=at, line=line, kind=kind))

    def _item(self, item: Record, at: datetime | None, line: int) -> None:
        kind = item.get("type", "message" if "role" in item else None)
        if kind == "message":
            if item.get("role") == "user":
                self._user(item, at, line)
            elif item.get("role") == "assistant":
                self._assistant(item, at, line)
        elif isinstance(kind, str) and kind in _CALLS:
            self._call(item, kind, at, line)
        elif (
            kind == "function_call_output"
            and (form := self._forms.get(str(item.get("call_id")))) is not None
        ):
            words = "\n".join(answers_in(item.get("output"), form))
            if words:
                self.events.append(
                    Said(at=at, line=line, role="user", text=legible(words), kind="answer")
                )

    def _user(self, item: Record, at: datetime | None, line: int) -> None:
        typed: list[str] = []
        for block in blocks_of(item):
            text = block.get("text")
            if block.get("type") == "input_image":
                self._mark("image", at, line)
            elif isinstance(text, str):
                self._directory(cwd_in(text))
                if is_interruption(text):
                    self._mark("interrupted", at, line)
                elif words := typed_in(text):
                    typed.append(words)
        text = legible("\n\n".join(typed))
        if text and not self._again(text):
            self.events.append(Said(at=at, line=line, role="user", text=text, kind="prompt"))

    def _again(self, text: str) -> bool:
        """Say whether a prompt only stands here once more because its turn was stopped at once."""
        match self.events[-2:]:
            case [Said(role="user", text=before), Mark(kind="interrupted")]:
                return before == text
        return False

    def _assistant(self, item: Record, at: datetime | None, line: int) -> None:
        texts = [b["text"] for b in blocks_of(item) if isinstance(b.get("text"), str)]
        if said := spoken("\n\n".join(texts), item.get("phase"), at, line):
            self.events.append(said)

    def _call(self, item: Record, kind: str, at: datetime | None, line: int) -> None:
        name = item.get("name") if isinstance(item.get("name"), str) else kind.removesuffix("_call")
        given = item.get("arguments", item.get("input", item.get("action")))
        if name == _FORM and isinstance(call := item.get("call_id"), str):
            self._forms[call] = dict(questions_in(given))
        verb, target = deed_of_call(str(name), given, self._cwd)
        self.events.append(Did(at=at, line=line, verb=verb, target=legible(target)))

    def _event(self, event: Record, at: datetime | None, line: int) -> None:
        kind, text = event.get("type"), event.get("message")
        if kind == "turn_aborted":
            self._mark("interrupted", at, line)
        elif kind == "context_compacted":
            self._mark("compacted", at, line)
        elif kind == "thread_rolled_back":
            self._roll_back(event.get("num_turns"), at, line)
        elif kind == "user_message" and isinstance(text, str):
            self._twin("user", text, None, at, line)
        elif kind == "agent_message" and isinstance(text, str):
            self._twin("assistant", text, event.get("phase"), at, line)
        elif kind == "item_completed":
            self._completed(event.get("item"), at, line)

    def _completed(self, item: object, at: datetime | None, line: int) -> None:
        match item:
            case {"type": "UserMessage" | "AgentMessage" as kind, "content": list(blocks), **more}:
                texts = [
                    b["text"]
                    for b in blocks
                    if isinstance(b, dict) and isinstance(b.get("text"), str)
                ]
                role = "user" if kind == "UserMessage" else "assistant"
                self._twin(role, "\n\n".join(texts), more.get("phase"), at, line)

    def _twin(self, role: str, text: str, phase: object, at: datetime | None, line: int) -> None:
        said: Said | None
        if role == "user":
            words = legible(typed_in(text))
            said = Said(at=at, line=line, role="user", text=words, kind="prompt") if words else None
        else:
            said = spoken(text, phase, at, line)
        if said:
            self._twins.append(Twin(said, len(self.events)))

    def _roll_back(self, turns: object, at: datetime | None, line: int) -> None:
        """Mark the last turns of the user and what follows them as undone; they keep their place."""
        left = turns if isinstance(turns, int) else 1
        for number in range(len(self.events) - 1, -1, -1):
            if left <= 0:
                break
            event = self.events[number]
            if isinstance(event, Said) and event.kind != "rolled back":
                self.events[number] = replace(event, kind="rolled back")
                left -= event.role == "user" and event.kind == "prompt"
        self.events.append(Mark(at=at, line=line, kind="rolled back"))
