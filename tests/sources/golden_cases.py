"""Golden cases: a transcript, and beside it `NAME.expect.json`, what a reader must find in it."""

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from scry.model import Did, Mark, Said, Transcript

TRANSCRIPTS = Path(__file__).resolve().parent.parent / "transcripts"


@dataclass(frozen=True)
class Case:
    path: Path
    want: dict[str, Any]

    def __str__(self) -> str:
        parts = self.path.relative_to(TRANSCRIPTS).parts
        return "/".join((*parts[:-1][-2:], self.path.stem[-40:]))


def cases(agent: str) -> list[Case]:
    """Every golden case of an agent, sorted by path."""
    found = []
    for expect in sorted(TRANSCRIPTS.rglob("*.expect.json")):
        want = json.loads(expect.read_text("utf-8"))
        if isinstance(want, dict) and want["agent"] == agent:
            found.append(Case(expect.parent / want["file"], want))
    return found


def said(transcript: Transcript, role: str) -> list[Said]:
    return [e for e in transcript.events if isinstance(e, Said) and e.role == role]


def squeezed(text: str) -> str:
    """Text as cases compare it: white space does not matter."""
    return "".join(text.split())


def parts_of(turn: dict[str, Any]) -> list[str]:
    return [squeezed(part) for part in turn.get("need", [turn["text"]])]


def missing(want: dict[str, Any], transcript: Transcript, role: str) -> list[str]:
    """Wanted words that did not come out, in order, each once."""
    whole = squeezed("\n".join(one.text for one in said(transcript, role)))
    out, position = [], 0
    for turn in want["turns"]:
        for part in parts_of(turn) if turn["role"] == role else ():
            at = whole.find(part, position)
            if at < 0:
                out.append(part)
            else:
                position = at + len(part)
    return out


def surplus(want: dict[str, Any], transcript: Transcript, role: str) -> list[str]:
    """Texts that came out and stand in no wanted or permitted turn."""
    allowed = [t for key in ("turns", "lenient") for t in want[key]]
    mine = [squeezed(t["text"]) for t in allowed if t["role"] == role or t["kind"] == "plan"]
    joined = "".join(mine)
    return [
        one.text
        for one in said(transcript, role)
        if one.kind != "answer" and squeezed(one.text) not in joined
    ]


def moment(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value).replace(microsecond=0) if value else None


def marks(transcript: Transcript) -> Counter[str]:
    return Counter(e.kind.split(" /")[0] for e in transcript.events if isinstance(e, Mark))


def calls(transcript: Transcript) -> int:
    return sum(isinstance(e, Did) for e in transcript.events)
