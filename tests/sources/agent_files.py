"""Homes of six agents for tests: what the programs themselves have written, and small ones made here."""

import sqlite3
from pathlib import Path
from types import ModuleType
from typing import Any

from hypothesis import strategies as st
from sources.golden_cases import TRANSCRIPTS

from scry.ports import Places
from scry.sources import copilot, cursor, gemini, kimi, opencode, pi

SIX = {source.NAME: source for source in (copilot, cursor, gemini, kimi, opencode, pi)}


def places(home: Path) -> Places:
    return Places(home=home, claude=home / ".claude", codex=home / ".codex")


def database(path: Path, sql: str = "") -> Path:
    """The database that OpenCode wrote, from its dump, and more statements on top."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("pragma synchronous = off")
    connection.executescript((TRANSCRIPTS / "opencode/opencode.sql").read_text("utf-8") + sql)
    connection.commit()
    connection.close()
    return path


def home_of(name: str, folder: Path) -> Path:
    """The home folder with an agent's real (of Cursor: made up) transcripts."""
    if name == "opencode":
        database(folder / ".local/share/opencode/opencode.db")
        return folder
    return TRANSCRIPTS / name


def only(source: ModuleType, home: Path) -> Path:
    found = list(source.discover(places(home)))
    assert len(found) == 1, found
    return found[0]


@st.composite
def accidents(draw: Any, body: bytes) -> bytes:
    """Cut, doubled, overwritten, glued, lost: a few accidents to the bytes of a file."""
    out = bytearray(body)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(len(out) - 1, 0)))
        match draw(st.sampled_from(["cut", "zero", "noise", "glue", "double", "drop", "swap"])):
            case "cut":
                del out[at:]
            case "zero":
                out[at : at + 8] = b"\0" * 8
            case "noise":
                out[at : at + 4] = draw(st.binary(max_size=9))
            case "glue":
                end = out.find(b"\n", at)
                out[end : end + 1] = b"" if end >= 0 else out[end : end + 1]
            case "double":
                out[at:at] = out[at : at + 3000]
            case "drop":
                del out[at : at + 500]
            case "swap":  # A value of another kind where a text, a list or an object stood.
                end = out.find(b":", at) + 1
                out[end:end] = draw(
                    st.sampled_from([b"null,", b"[[1]],", b"{},", b"1e999,", b'"x",'])
                )
    return bytes(out)
