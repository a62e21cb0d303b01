"""What a person typed while the model worked: the prompt queue of Claude Code.

    {"type": "queue-operation", "operation": "enqueue", "content": "also the docs"}
    {"type": "queue-operation", "operation": "remove"}

`dequeue`: it was sent, and a user record with the same text follows.  `remove`: the model took it
in mid-turn, and often nothing else in the file holds the words.  `popAll`: pulled back into the
editor, so never said.  What is still queued at the end was never said either.  Whether the text
stands elsewhere is known only at the end of the file, so what is taken waits until then.
"""

from dataclasses import dataclass, field
from datetime import datetime

from scry.sources.jsonl import Record


@dataclass(slots=True)
class Taken:
    """A text that the model took from the queue, and where in the conversation that was."""

    text: str
    at: datetime | None
    line: int
    place: int
    """How many events stood before it."""
    since: int
    """The line on which it was queued: the same words before that are other words."""
    session: str


@dataclass(slots=True)
class Queue:
    """Follows the queue through a file; `taken` is what was taken, in order."""

    taken: list[Taken] = field(default_factory=list)
    _waiting: list[tuple[str, int]] = field(default_factory=list)

    def follow(self, record: Record, at: datetime | None, line: int, place: int) -> None:
        """Apply one queue operation."""
        content = record.get("content")
        text = content if isinstance(content, str) else None
        match record.get("operation"):
            case "enqueue":
                self._waiting.append((text or "", line))
            case "popAll" if text is None:
                self._waiting.clear()
            case "popAll":
                self._pop(text)
            case "dequeue" | "remove" as operation:
                words, since = self._pop(text)
                absorbed = operation == "remove" or record.get("reason") == "absorbed_mid_turn"
                if absorbed and words.strip() and not words.lstrip().startswith(("<", "/")):
                    session = record.get("sessionId")
                    owner = session if isinstance(session, str) else ""
                    self.taken.append(Taken(words, at, line, place, since, owner))

    def _pop(self, text: str | None) -> tuple[str, int]:
        """Take the entry with this text, or the oldest one, out of the queue."""
        for number, (waiting, _) in enumerate(self._waiting):
            if text is None or waiting == text:
                return self._waiting.pop(number)
        return (text or "", 0)
