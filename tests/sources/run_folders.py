"""Folders as autonomous runs leave them, made by tests."""

import json
import os
from pathlib import Path

from scry.model import Said, Transcript

STEP = 3_600
FIRST = 1_785_600_000


def lay(folder: Path, files: dict[str, object], at: int = FIRST) -> Path:
    """Write files: a `str` or `bytes` as it is, anything else as JSON; each an hour after the last."""
    for number, (name, body) in enumerate(files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = body if isinstance(body, str | bytes) else json.dumps(body)
        path.write_bytes(whole if isinstance(whole, bytes) else whole.encode("utf-8"))
        os.utime(path, (at + number * STEP, at + number * STEP))
    return folder


def told(transcript: Transcript, *kinds: str) -> list[str]:
    return [
        e.text for e in transcript.events if isinstance(e, Said) and (not kinds or e.kind in kinds)
    ]


def ledger_run(home: Path, rounds: int = 3) -> Path:
    """Write a run with a goal, a plan and a verdict for each round, and a log that holds a key."""
    files: dict[str, object] = {"GOAL.md": "# Goal\n\nMake Hermes start twice as fast.\n"}
    for n in range(1, rounds + 1):
        status = "pass" if n == rounds else "fail"
        files[f"iterations/{n}/plan.md"] = f"# Plan {n}\n\nHermes keeps {n} workers warm.\n"
        files[f"iterations/{n}/verdict.json"] = {
            "status": status,
            "check": "startup",
            "reason": f"Measured {n} times. It is what it is.",
        }
    files["loop.log"] = "start\nkey NEVERREAD" + "\n" * 40
    return lay(home / "runs" / "hermes-loop", files)
