"""Transcripts written by a test, and the write stages over a store in memory."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scry.app import digests
from scry.errors import BadReplyError, ChainExhaustedError
from scry.ingest import Ingest
from scry.model import Chunk, Claim, Declared, Extraction, Known, Transcript
from scry.ports import Store
from scry.redact import redact
from scry.sources import SOURCES
from scry.store.memory import MemoryStore

NOW = datetime(2026, 12, 1, tzinfo=UTC)
START = datetime(2026, 8, 1, 9, tzinfo=UTC)


def claude_lines(session: str, speech: Sequence[str], *, start: datetime = START) -> list[str]:
    """Return a session's lines: user and assistant in turn, a minute apart."""
    out = []
    for number, text in enumerate(speech):
        role = "assistant" if number % 2 else "user"
        record = {
            "type": role,
            "uuid": f"{session}-{number}",
            "sessionId": session,
            "cwd": "/w/hermes",
            "timestamp": (start + timedelta(minutes=number)).isoformat().replace("+00:00", "Z"),
            "message": {"role": role, "content": [{"type": "text", "text": text}]},
        }
        if role == "assistant":
            record["message"]["id"] = f"m-{session}-{number}"
        out.append(json.dumps(record))
    return out


class Echo:
    """An extractor that finds `NAME is STATE.` in the text; it fails where it is told to."""

    name = "echo"

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.asked: list[str] = []

    def extract(self, chunk: Chunk, glossary: Sequence[Known]) -> Extraction:
        """Answer from the words of the chunk only."""
        self.asked.append(chunk.episode.id)
        if self.fails:
            raise ChainExhaustedError([(self.name, str(BadReplyError("it said nothing")))])
        claims, names = [], set()
        for turn in chunk.turns:
            for sentence in turn.text.split("."):
                words = sentence.split()
                if len(words) == 3 and words[1] == "is":
                    names.add(words[0])
                    claims.append(
                        Claim(
                            src=words[0],
                            relation="status",
                            value=words[2],
                            fact=" ".join(words) + ".",
                            origin=turn.role,
                            line=turn.line,
                        )
                    )
        return Extraction(
            extractor=self.name,
            summary=f"About {', '.join(sorted(names)) or 'nothing'}.",
            entities=tuple(Declared(name=n, type="service") for n in sorted(names)),
            claims=tuple(claims),
        )


def stages(store: Store | None = None, extractor: Echo | None = None) -> Ingest:
    """Return the write stages over a store."""
    return Ingest(
        store=store or MemoryStore(),
        extractor=extractor or Echo(),
        clock=lambda: NOW,
        redact=redact,
        repo_of=lambda _: "github.com/jane/hermes",
        show=lambda path: f"~/{path.name}",
        digests=digests,
    )


def take(ingest: Ingest, path: Path) -> None:
    """Take in one Claude transcript."""
    ingest.transcript(SOURCES["claude"], path)


def files(store: Store) -> dict[str, object]:
    """Return every record of a store by its path."""
    return {record.path: record for record in store.load().records}


__all__ = ["NOW", "START", "Echo", "Transcript", "claude_lines", "files", "stages", "take"]
