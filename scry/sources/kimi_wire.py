"""One wire of Kimi, record by record, into events: an allow-list of what can be speech.

    TurnBegin SteerInput ContentPart ToolCall BtwBegin ...           payloads of Kimi CLI
    turn.prompt turn.steer context.append_loop_event context.undo    records of Kimi Code

Pieces of speech wait until something else comes.  Between them may stand what the face only shows.
"""

from datetime import datetime

from scry.model import Said
from scry.sources.codex_text import answers_in
from scry.sources.gathering import Gathering, iso_of
from scry.sources.jsonl import Record, legible

OLD = frozenset("TurnBegin SteerInput TurnEnd StepBegin ContentPart ToolCall StatusUpdate".split())
"""Types by which a wire of Kimi CLI is known."""
_ASK = "AskUserQuestion"
_SPEECH = frozenset(
    "TurnBegin SteerInput ApprovalResponse ApprovalRequestResolved PlanDisplay BtwBegin BtwEnd".split()
)
_DEEDS = frozenset("ToolCall ToolResult CompactionBegin StepInterrupted".split())
_BETWEEN = frozenset("StatusUpdate ToolCallPart Notification SubagentEvent".split())
"""What comes in between the pieces of one speech."""
_QUIET = frozenset(
    """TurnEnd StepBegin StepRetry HookTriggered HookResolved HookRequest CompactionEnd
    MCPLoadingBegin MCPLoadingEnd ApprovalRequest ToolCallRequest QuestionRequest""".split()
)


class Wire(Gathering):
    """What has been read so far; pieces of speech wait until something else comes."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[str] = []
        self._first: tuple[datetime | None, int, str] = (None, 0, "")
        """Time, line and id of the first piece."""
        self._last = 0
        """Line of the last one: the words keep their first, so only this tells that they go on."""
        self._asked: set[str] = set()
        self._prompts: set[str] = set()

    def feed(self, record: Record, line: int) -> None:
        """Take one record in, of whichever generation."""
        self.line = line
        match record:
            case {"message": {"type": str(kind), "payload": dict(payload)}}:
                self.at = self.known.time(iso_of(record.get("timestamp"), per_second=1))
                self._old(kind, payload)
            case {"type": "metadata"}:
                self.known.time(iso_of(record.get("created_at")))
            case {"type": str(kind)}:
                self.at = self.known.time(iso_of(record.get("time")))
                self._new(kind, record)
            case _:
                self.known.types["None"] += 1

    def flush(self) -> None:
        """Say what has streamed in so far, at the place where it began."""
        if self._pieces:
            here = self.at, self.line
            self.at, self.line, uid = self._first
            self.said("assistant", "".join(self._pieces), uid=uid)
            if self._last > self.line:
                self.line = self._last
                self.mark("said on")
            self.at, self.line = here
            self._pieces = []

    def _piece(self, part: object, uid: str = "") -> None:
        match part:
            case {"type": "text", "text": str(text)}:
                if not self._pieces:
                    self._first = (self.at, self.line, uid)
                self._pieces.append(text)
                self._last = self.line
            case _:
                self.flush()

    # --- Kimi CLI -------------------------------------------------------------------------------

    def _old(self, kind: str, payload: Record) -> None:
        if kind == "ContentPart":
            self._piece(payload)
        elif kind not in _BETWEEN:
            self.flush()
            if kind in _SPEECH:
                self._old_speech(kind, payload)
            elif kind in _DEEDS:
                self._old_deed(kind, payload)
            elif kind not in _QUIET:
                self.known.types[legible(kind)] += 1

    def _old_speech(self, kind: str, payload: Record) -> None:
        match kind, payload:
            case "TurnBegin", {"user_input": given}:
                self.typed(given)
            case "SteerInput", {"user_input": given}:
                self.typed(given, kind="queue")
            case "ApprovalResponse" | "ApprovalRequestResolved", {"feedback": str(words)}:
                self.said("user", words, kind="rejection")
            case "PlanDisplay", {"content": str(plan)}:
                self.said("assistant", plan, kind="plan")
            case "BtwBegin", {"question": str(words)}:
                self.said("user", words, kind="btw")
            case "BtwEnd", {"response": str(words)}:
                self.said("assistant", words, kind="btw")
            case _:
                pass

    def _old_deed(self, kind: str, payload: Record) -> None:
        match kind, payload:
            case "ToolCall", {"function": {"name": str(name), **function}}:
                self._call(name, function.get("arguments"), payload.get("id"))
            case "ToolResult", {"return_value": {"output": output}}:
                self._answer(payload.get("tool_call_id"), output)
            case "CompactionBegin", _:
                self.mark("compacted")
            case "StepInterrupted", _:
                self.mark("interrupted")
            case _:
                pass

    # --- Kimi Code ------------------------------------------------------------------------------

    def _new(self, kind: str, record: Record) -> None:
        match kind, record:
            case "context.append_loop_event", {"event": dict(event)}:
                self._event(event)
            case "turn.prompt" | "turn.steer", {"origin": {"kind": "user"}, "input": given}:
                self.flush()
                where = "queue" if kind == "turn.steer" else ""
                self._prompt(given, record.get("promptId") or record.get("messageId"), where)
            case "context.append_message", {"message": dict(message)}:
                self._appended(message)
            case "context.undo", {"count": int(count)}:
                self.flush()
                self.take_back_prompts(count)
            case "context.apply_compaction", _:
                self.flush()
                self.mark("compacted")
            case "turn.cancel", _ if record.get("target") != "queued":
                self.flush()
                self.mark("interrupted")
            case _, {"environmentDisclosure": {"cwd": str(cwd)}}:
                self.place(cwd)
            case _:
                pass

    def _prompt(self, given: object, uid: object, kind: str) -> None:
        uid = uid if isinstance(uid, str) else ""
        self._prompts.add(uid)
        self.typed(given, kind=kind, uid=uid)

    def _appended(self, message: Record) -> None:
        """Take in a message that no turn has told of, as in sessions that were moved here."""
        match message:
            case {"role": "user", "origin": {"kind": str(kind)}} if kind != "user":
                return  # A reminder, a skill, a timer, a summary.
            case {"role": "user", "content": content}:
                self.flush()
                before, place = self._prompts.copy(), len(self.events)
                self._prompt(content, message.get("id"), "")
                if self.events[place:] and self._is_again(message.get("id"), before, place):
                    del self.events[place:]
            case {"role": "assistant", "content": list(parts)}:
                for part in parts:
                    self._piece(part)
                self.flush()
            case _:
                return

    def _is_again(self, uid: object, before: set[str], place: int) -> bool:
        """Say whether the events from a place on repeat the prompt before them."""
        if isinstance(uid, str) and uid:
            return uid in before
        texts = [event.text for event in self.events if isinstance(event, Said)]
        own = [event.text for event in self.events[place:] if isinstance(event, Said)]
        return len(texts) > 1 and texts[-1:] == own == texts[-2:-1]

    def _event(self, event: Record) -> None:
        match event:
            case {"type": "content.part", "part": part}:
                uid = event.get("uuid")
                self._piece(part, uid if isinstance(uid, str) else "")
                return
            case {"type": "tool.call", "name": str(name)}:
                self.flush()
                self._call(name, event.get("args"), event.get("toolCallId"))
            case {"type": "tool.result", "result": {"output": output}}:
                self.flush()
                self._answer(event.get("toolCallId"), output)
            case _:
                self.flush()

    def _call(self, name: str, given: object, call: object) -> None:
        if name == _ASK and isinstance(call, str):
            self._asked.add(call)
        self.did(name, given)

    def _answer(self, call: object, output: object) -> None:
        if isinstance(call, str) and call in self._asked:
            self.said("user", "\n".join(answers_in(output, {})), kind="answer")
