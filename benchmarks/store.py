"""How long the store takes, beside what git itself takes, in the same run on the same machine.

    python benchmarks/store.py [FILES]

A load is compared with `git status`, a commit of 30 files with `git add -A && git commit`.  Each
figure is the median of five rounds in which the two take turns.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scry.model import ChangeSet, Citation, Fact
from scry.store.codec import encode
from scry.store.git import GitStore
from scry.store.init import init_store
from scry.store.paths import path_of
from scry.text import short_hash

ROUNDS = 5
BATCH = 30
START = datetime(2026, 1, 1, tzinfo=UTC)


def fact(number: int, sentence: str = "") -> Fact:
    """Return a fact of usual size; every tenth one needs quotes somewhere."""
    return Fact(
        id=short_hash("benchmark", str(number)),
        src=f"{short_hash('entity', str(number % 997), length=3)}-service",
        relation="runs_on",
        dst=f"machine-{number % 50}",
        qualifier="production" if number % 3 else "",
        valid_from=START + timedelta(minutes=number),
        confidence=0.9,
        origin="user",
        said_src="the: service" if number % 10 == 0 else "",
        episodes=(Citation(f"2026-01-01-claude-{short_hash(str(number // 5), length=6)}", number),),
        fact=sentence or f"Service {number % 997} runs on machine {number % 50} under launchd.",
    )


def run(*command: str, cwd: Path) -> None:
    """Run a command to its end."""
    subprocess.run(command, cwd=cwd, check=True, capture_output=True)


def fill(path: Path, count: int) -> GitStore:
    """Return a store of many facts, committed by git itself."""
    init_store(path)
    for number in range(count):
        record = fact(number)
        target = path / path_of(record)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(encode(record))
    run("git", "config", "user.name", "Bench", cwd=path)
    run("git", "config", "user.email", "bench@localhost", cwd=path)
    run("git", "config", "gc.auto", "0", cwd=path)  # Not in the middle of a measurement.
    run("git", "add", "-A", cwd=path)
    run("git", "commit", "-qm", "fill", cwd=path)
    run("git", "gc", "-q", cwd=path)
    run("git", "status", cwd=path)
    return GitStore(path, clock=lambda: START)


def timed(action: Callable[[], object]) -> float:
    """Return how many milliseconds an action takes."""
    begun = time.perf_counter()
    action()
    return (time.perf_counter() - begun) * 1000


def apply(store: GitStore, first: int) -> None:
    """Commit a batch of new facts as Scry does."""
    records = tuple(fact(number) for number in range(first, first + BATCH))
    with store.writing():
        store.apply(ChangeSet(subject="learn: more", writes=records), base=store.head())


def by_hand(store: GitStore, first: int) -> None:
    """Commit a batch of new facts as a person does."""
    for number in range(first, first + BATCH):
        record = fact(number)
        target = store.path / path_of(record)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(encode(record))
    run("git", "add", "-A", cwd=store.path)
    run("git", "commit", "-qm", "more", cwd=store.path)


def main(count: int) -> None:
    """Print the figures for a store of `count` files."""
    with tempfile.TemporaryDirectory() as folder:
        store = fill(Path(folder) / "store", count)
        rows: dict[str, list[float]] = {}
        for turn in range(ROUNDS):
            first = count + turn * 2 * BATCH
            for name, action in (
                ("load every record", store.load),
                (
                    "git status --porcelain",
                    lambda: run("git", "status", "--porcelain", cwd=store.path),
                ),
                (f"apply {BATCH} records", lambda first=first: apply(store, first)),
                (
                    f"write {BATCH} files, git add -A && git commit",
                    lambda first=first: by_hand(store, first + BATCH),
                ),
                ("load as of the commit before", lambda: store.load_at("HEAD~1")),
            ):
                rows.setdefault(name, []).append(timed(action))
        print(f"{count} files, ms, median of {ROUNDS} (least to most)")
        for name, times in rows.items():
            print(
                f"{statistics.median(times):9.1f}  ({min(times):.1f} to {max(times):.1f})  {name}"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
