"""Transcript to redacted chunks, against `json.loads` over the same lines in the same run.

    python benchmarks/distill.py [FOLDER ...] [--rounds 5]

Prints MB/s, the ratio to the baseline (medians of the rounds, taken in turn) and peak memory.
Without folders it reads the transcripts of the tests.
"""

import argparse
import json
import resource
import statistics
import time
from datetime import UTC, datetime
from pathlib import Path

from scry.distill import distill
from scry.episodes import episodes
from scry.redact import redact
from scry.sources import SOURCES, detect

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("folders", nargs="*", type=Path)
    ap.add_argument("--rounds", type=int, default=5)
    given = ap.parse_args()
    here = Path(__file__).parent.parent / "tests" / "transcripts"
    found = [(p, kind) for folder in given.folders or [here] for p, kind in transcripts(folder)]
    for name in SOURCES:
        paths = [path for path, kind in found if kind == name]
        if paths:
            compare(name, paths, given.rounds)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def transcripts(folder: Path) -> list[tuple[Path, str]]:
    out = []
    for path in sorted(folder.rglob("*.jsonl")):
        try:
            out.append((path, detect(path).NAME))
        except Exception as error:  # noqa: BLE001 -- whatever is no transcript is left out
            print(f"left out {path.name}: {type(error).__name__}")
    return out


def compare(name: str, paths: list[Path], rounds: int) -> None:
    size = sum(path.stat().st_size for path in paths) / 1e6
    base, ours, read = [], [], []
    for _ in range(rounds):
        base.append(timed(lambda: [parse(path) for path in paths]))
        read.append(timed(lambda: [fresh(name, path) for path in paths]))
        ours.append(timed(lambda: [through(name, path) for path in paths]))
    b, r, o = map(statistics.median, (base, read, ours))
    print(
        f"{name}: {len(paths)} files, {size:.1f} MB; json.loads {size / b:.0f} MB/s; "
        f"reading {size / r:.0f} MB/s (x{r / b:.2f}); "
        f"to redacted chunks {size / o:.0f} MB/s (x{o / b:.2f})"
    )


def timed(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def parse(path: Path) -> None:
    for line in path.read_bytes().split(b"\n"):
        try:
            json.loads(line)
        except ValueError:
            continue


def fresh(name: str, path: Path):
    return SOURCES[name].read(path)


def through(name: str, path: Path) -> int:
    transcript = fresh(name, path)
    turns = distill(transcript, redact)
    chunks = episodes(transcript, turns, known=(), now=NOW, shown_path=path.name, redact=redact)
    return sum(len(chunk.text) for chunk in chunks)


if __name__ == "__main__":
    main()
