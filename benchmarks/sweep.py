"""A sweep that finds nothing new, against `os.stat` of the same files in the same run.

    python benchmarks/sweep.py [--files 5000] [--folders 200] [--rounds 7]

Makes a home with Claude and Codex sessions, sweeps it once, and then measures the second sweep: in
this process against finding and `os.stat`, and as a command against `python -c pass`.  All are
medians of the rounds, taken in turn.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scry.app import App
from scry.due import SEEN, read_seen
from scry.sources import SOURCES

START = datetime(2026, 8, 1, 9, tzinfo=UTC)
TALK = (
    "Service {n} answers slowly since this morning. Have a look at its queue, please.",
    "I did. Service {n} uses Redis, and the queue holds forty thousand entries.",
    "Then let us drain it tonight. Never restart service {n} by day.",
    "Understood. I have written a script that drains the queue.",
)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--files", type=int, default=5_000)
    ap.add_argument("--folders", type=int, default=200)
    ap.add_argument("--rounds", type=int, default=7)
    ap.add_argument("--home", type=Path, help="made once, and used again when it is there")
    given = ap.parse_args()
    home = given.home or Path(tempfile.mkdtemp(prefix="scry-sweep-"))
    try:
        if not (home / ".claude").exists():
            make_home(home, given.files, given.folders)
        measure(home, given.rounds)
    finally:
        if not given.home:
            shutil.rmtree(home, ignore_errors=True)


# --- a home ---------------------------------------------------------------------------------------


def make_home(home: Path, files: int, folders: int) -> None:
    """Write half as many sessions of Claude as of both, and the notes of every tenth project."""
    for number in range(files):
        cwd = home / "src" / f"project-{number % folders:03d}"
        at = START + timedelta(minutes=number)
        uid = f"{number:08x}-5b7d-4c55-9a3e-0d6f1c2b7a90"
        claude = (number // folders) % 2 == 0
        path, records = (claude_session if claude else codex_session)(home, uid, cwd, at, number)
        path.parent.mkdir(parents=True, exist_ok=True)
        cwd.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        os.utime(path, (at.timestamp(), at.timestamp()))
    for number in range(0, folders, 10):
        note = home / "src" / f"project-{number:03d}" / "CLAUDE.md"
        note.write_text(f"# Project {number}\n\n- Never push to main.\n")
        os.utime(note, (START.timestamp(), START.timestamp()))


def claude_session(home: Path, uid: str, cwd: Path, at: datetime, number: int):
    folder = "".join(c if c.isalnum() else "-" for c in str(cwd))
    before, records = None, []
    for turn, text in enumerate(TALK):
        role = "user" if turn % 2 == 0 else "assistant"
        said = text.format(n=number)
        record = {
            "type": role,
            "uuid": f"{uid[:8]}-0000-4000-8000-{turn:012d}",
            "parentUuid": before,
            "sessionId": uid,
            "timestamp": stamp(at + timedelta(seconds=turn)),
            "cwd": str(cwd),
            "gitBranch": "main",
            "version": "2.1.0",
            "message": {
                "role": role,
                "content": said if role == "user" else [{"type": "text", "text": said}],
            },
        }
        before = record["uuid"]
        records.append(record)
    return home / ".claude" / "projects" / folder / f"{uid}.jsonl", records


def codex_session(home: Path, uid: str, cwd: Path, at: datetime, number: int):
    meta = {
        "id": uid,
        "timestamp": stamp(at),
        "cwd": str(cwd),
        "originator": "codex_cli_rs",
        "cli_version": "0.145.0",
    }
    records = [{"timestamp": stamp(at), "type": "session_meta", "payload": meta}]
    for turn, text in enumerate(TALK):
        role, kind = ("user", "input_text") if turn % 2 == 0 else ("assistant", "output_text")
        said = text.format(n=number)
        payload = {"type": "message", "role": role, "content": [{"type": kind, "text": said}]}
        when = stamp(at + timedelta(seconds=turn))
        records.append({"timestamp": when, "type": "response_item", "payload": payload})
        if role == "user":
            event = {"type": "user_message", "message": said}
            records.append({"timestamp": when, "type": "event_msg", "payload": event})
    name = f"rollout-{at:%Y-%m-%dT%H-%M-%S}-{uid}.jsonl"
    return home / ".codex" / "sessions" / f"{at:%Y/%m/%d}" / name, records


def stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


# --- the measuring --------------------------------------------------------------------------------


def measure(home: Path, rounds: int) -> None:
    environ = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path(__file__).parent.parent),
    }
    scry = [sys.executable, "-m", "scry", "sweep", "--json"]
    start = time.perf_counter()
    subprocess.run(scry, env=environ, check=True, capture_output=True)
    subprocess.run(scry, env=environ, check=True, capture_output=True)
    print(f"first sweeps {time.perf_counter() - start:.0f} s")

    app = App.of_environment(environ)
    note = app.reader.local(SEEN)
    paths = [p for s in SOURCES.values() for p in s.discover(app.places)]
    print(f"{len(paths)} transcripts, note of {len(note) // 1024} KB")

    tops = [home / ".claude" / "projects", home / ".codex"]
    taken: dict[str, list[float]] = {}
    for _ in range(rounds):
        timed(taken, "os.stat of each", lambda: states(paths))
        timed(taken, "find and stat", lambda: states(find(tops)))
        timed(taken, "reading the note", lambda: read_seen(note))
        timed(taken, "sweep_due", lambda: due(environ))
        timed(taken, "python -c pass", lambda: run([sys.executable, "-c", "pass"], environ))
        timed(taken, "scry --version", lambda: run([*scry[:3], "--version"], environ))
        timed(taken, "scry sweep", lambda: run(scry, environ))
    found = {name: statistics.median(times) for name, times in taken.items()}
    for name, seconds in found.items():
        print(f"{name:20} {seconds * 1000:8.1f} ms")
    print(f"sweep_due is {found['sweep_due'] / found['find and stat']:.2f} x find and stat")
    above = found["scry sweep"] - found["python -c pass"]
    print(f"scry sweep is {above * 1000:.0f} ms above `python -c pass`")


def states(paths) -> list[os.stat_result]:
    return [os.stat(path) for path in paths]  # noqa: PTH116 -- the fastest way is the baseline


def find(tops: list[Path]) -> list[str]:
    return [
        os.path.join(folder, name)  # noqa: PTH118 -- the fastest way is the baseline
        for top in tops
        for folder, _, names in os.walk(top)
        for name in names
        if name.endswith(".jsonl")
    ]


def due(environ: dict[str, str]) -> None:
    found = App.of_environment(environ).sweep_due()
    if found.found or not found.unchanged:
        raise SystemExit(f"The second sweep would read {len(found.found)} transcripts again.")


def run(command: list[str], environ: dict[str, str]) -> None:
    subprocess.run(command, env=environ, check=True, capture_output=True)


def timed(taken: dict[str, list[float]], name: str, work: Callable[[], object]) -> None:
    start = time.perf_counter()
    work()
    taken.setdefault(name, []).append(time.perf_counter() - start)


if __name__ == "__main__":
    main()
