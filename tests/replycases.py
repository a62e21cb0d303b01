"""The cases in `replies/cases`, and the chunk that they answer."""

import base64
import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scry.model import Chunk, Episode, Redacted, Span, Turn

CASES = Path(__file__).parent / "replies" / "cases"
WHEN = datetime(2026, 6, 15, tzinfo=UTC)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True)
class Case:
    name: str
    raw: bytes
    expect: dict[str, Any] = field(repr=False)

    @property
    def known(self) -> set[str]:
        """Names that the store knows before this reply."""
        given = self.expect.get("given", {}).get("entities", {})
        return {n.casefold() for name, aliases in given.items() for n in (name, *aliases)}


def cases(suffix: str) -> list[Case]:
    """Return the cases whose files end in a suffix, encoded or not."""
    found = []
    for path in sorted(CASES.glob(f"*{suffix}*")):
        name = path.name.removesuffix(".b64").removesuffix(suffix)
        expect = next(CASES.glob(f"{name}.expect.json*"))
        found.append(Case(name, _bytes(path), json.loads(_bytes(expect))))
    return found


def _bytes(path: Path) -> bytes:
    data = path.read_bytes()
    return base64.b64decode(data) if path.suffix == ".b64" else data


def good_reply() -> str:
    return next(c for c in cases(".txt") if c.name == "control-good").raw.decode()


def chunk_of(
    *texts: str, roles: tuple[str, ...] = (), first_line: int = 1, **episode: Any
) -> Chunk:
    """Return a chunk of one turn for each text, ten lines apart, the user first."""
    roles = roles or tuple("user" if n % 2 == 0 else "assistant" for n in range(len(texts)))
    turns = tuple(
        Turn(
            role=role,  # type: ignore[arg-type]
            at=WHEN,
            line=first_line + 10 * n,
            last=first_line + 10 * n + 9,
            text=Redacted(text),
            uid=f"t{n}",
            weight=10,
        )
        for n, (text, role) in enumerate(zip(texts, roles, strict=True))
    )
    values: dict[str, Any] = {
        "id": "2026-06-15-claude-k3v9m2",
        "source": "claude",
        "session": "s1",
        "span": Span("~/t.jsonl", 1, 99),
        "sha256": "",
        "turns": len(turns),
        "occurred_at": WHEN,
        "ingested_at": WHEN,
    }
    return Chunk(episode=Episode(**values | episode), turns=turns)


def chunk_for(raw: bytes) -> Chunk:
    """Return a chunk that names whatever a reply names: its own strings are its evidence."""
    text = raw.decode("utf-8", "replace")
    said = " ".join(s.strip('"') for s in _STRING.findall(text)[:400])
    return chunk_of(said.encode("utf-8", "replace").decode()[:20_000], roles=("user",))
