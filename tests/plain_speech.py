"""A small language that sessions are held in, and an extractor that reads nothing else.

    «Hermes» runs_on «Mac mini» in production on 2026-08-03, as noted 17.
    «Hermes» status =live, as noted 18.
    «Hermes» aka «the bot».

What stands between the signs is name, relation and object.  Every statement is a fact with just
this sentence, every name a service; so a test knows what was said without asking Scry.
"""

import json
import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scry.model import Chunk, Claim, Declared, Extraction, Known

STATEMENT = re.compile(
    r"«(?P<src>[^»]+)» (?P<relation>[a-z_]+) (?:«(?P<dst>[^»]+)»|=(?P<value>[\w.-]+))"
    r"(?: in (?P<qualifier>\w+))?(?: on (?P<at>\d{4}-\d\d-\d\d))?, as noted \d+\."
)
ALIAS = re.compile(r"«([^»]+)» aka «([^»]+)»\.")
FILLER = "We looked at it for a good while, and this is what we both found in the end of the day."


class Speech:
    """An extractor that reads the language above, word for word."""

    name = "speech"

    def extract(self, chunk: Chunk, glossary: Sequence[Known]) -> Extraction:
        """Return what is stated, and all names."""
        del glossary
        claims = [
            _claim(found, turn.role, turn.line)
            for turn in chunk.turns
            for found in STATEMENT.finditer(turn.text)
        ]
        aliases: dict[str, set[str]] = {}
        for claim in claims:
            for name in filter(None, (claim.src, claim.dst)):
                aliases.setdefault(name, set())
        for turn in chunk.turns:
            for name, alias in ALIAS.findall(turn.text):
                aliases.setdefault(name, set()).add(alias)
        return Extraction(
            extractor=self.name,
            summary=f"About {', '.join(sorted(aliases)) or 'nothing'}.",
            entities=tuple(
                Declared(name=n, type="service", aliases=tuple(sorted(a)))
                for n, a in sorted(aliases.items())
            ),
            claims=tuple(claims),
        )


def _claim(found: re.Match[str], role: str, line: int) -> Claim:
    at = found["at"]
    return Claim(
        src=found["src"],
        relation=found["relation"],
        dst=found["dst"],
        value=found["value"],
        qualifier=found["qualifier"] or "",
        fact=found[0],
        at=datetime.fromisoformat(at).replace(tzinfo=UTC) if at else None,
        confidence=0.9,
        origin=role,
        line=line,
    )


def statements(text: str) -> set[str]:
    """Return the sentences of a text that are statements, folded."""
    return {found[0].casefold() for found in STATEMENT.finditer(text)}


def write_session(path: Path, session: str, speech: Sequence[str], start: datetime) -> None:
    """Write a session of Claude Code, user and assistant in turn; it has long been idle."""
    lines = []
    for number, text in enumerate(speech):
        role = "assistant" if number % 2 else "user"
        record = {
            "type": role,
            "uuid": f"{session}-{number}",
            "parentUuid": f"{session}-{number - 1}" if number else None,
            "sessionId": session,
            "cwd": "/w/hermes",
            "timestamp": (start + timedelta(minutes=number)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "message": {"role": role, "content": [{"type": "text", "text": f"{FILLER} {text}"}]},
        }
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines))
    at = start.timestamp()
    os.utime(path, (at, at + len(lines)))
