"""Transcript to redacted chunks, against `json.loads` over the same lines in the same run.

    python benchmarks/distill.py [FOLDER ...] [--rounds 5] [--big 100]

Prints for each source MB/s and the ratio to the baseline: medians of the rounds, taken in turn.
Then how fast the redactor alone goes through what was said there, as it does with texts that it
has never seen and with words that it has.  Then the peak memory of a process of its own that does
the same with one small file, and with one of `--big` MB.  Without folders it reads the transcripts
of the tests.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from scry.distill import distill
from scry.episodes import episodes
from scry.model import Said, Transcript
from scry.redact import redact
from scry.sources import SOURCES, detect

NOW = datetime(2026, 12, 1, tzinfo=UTC)
HERE = Path(__file__).parent.parent / "tests" / "transcripts"


def main() -> None:
    """Print all figures."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("folders", nargs="*", type=Path)
    ap.add_argument("--rounds", type=int, default=5)
    ap.add_argument("--big", type=int, default=100, help="MB of the big file; 0 leaves memory out")
    ap.add_argument("--peak", type=Path, help=argparse.SUPPRESS)
    given = ap.parse_args()
    if given.peak:
        print(through(detect(given.peak).NAME, given.peak), peak())
        return
    found = [(p, kind) for folder in given.folders or [HERE] for p, kind in transcripts(folder)]
    for name in SOURCES:
        paths = [path for path, kind in found if kind == name]
        if paths:
            compare(name, paths, given.rounds)
    redactor([fresh(kind, path) for path, kind in found], given.rounds)
    if given.big:
        memory(given.big)


def transcripts(folder: Path) -> list[tuple[Path, str]]:
    """Return the transcripts below a folder, each with its source."""
    out = []
    for path in sorted(folder.rglob("*.jsonl")):
        try:
            out.append((path, detect(path).NAME))
        except Exception as error:  # noqa: BLE001 -- whatever is no transcript is left out
            print(f"left out {path.name}: {type(error).__name__}")
    return out


def compare(name: str, paths: list[Path], rounds: int) -> None:
    """Print one source against the baseline."""
    size = sum(path.stat().st_size for path in paths) / 1e6
    base, ours, read, ratios = [], [], [], []
    for _ in range(rounds):
        base.append(timed(lambda: [parse(path) for path in paths]))
        read.append(timed(lambda: [fresh(name, path) for path in paths]))
        ours.append(timed(lambda: [through(name, path) for path in paths]))
        ratios.append(ours[-1] / base[-1])
    b, r, o = map(statistics.median, (base, read, ours))
    print(
        f"{name}: {len(paths)} files, {size:.1f} MB; json.loads {size / b:.0f} MB/s; "
        f"reading {size / r:.0f} MB/s (x{r / b:.2f}); to redacted chunks {size / o:.0f} MB/s "
        f"(x{statistics.median(ratios):.2f}, from x{min(ratios):.2f} to x{max(ratios):.2f})"
    )


def redactor(read: list[Transcript], rounds: int) -> None:
    """Print MB/s of speech: each text once, then all as one, which no memory of texts can help."""
    said = {e.text: None for t in read for e in t.events if isinstance(e, Said)}
    size, whole = sum(map(len, said)) / 1e6, "\n\n".join(said)
    parts, one = [], []
    for _ in range(rounds):
        parts.append(timed(lambda: [redact(text) for text in said]))
        one.append(timed(lambda: redact(whole)))
    p, o = map(statistics.median, (parts, one))
    print(
        f"redactor: {size:.2f} MB of speech in {len(said)} texts; "
        f"{size / p:.1f} MB/s text by text, {size / o:.1f} MB/s as one text"
    )


def memory(big: int) -> None:
    """Print the peak memory of a process that reads a file, small and big."""
    peaks = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in (1, big):
            path = Path(folder) / f"{size:06}a9c-5b7d-4c55-9a3e-0d6f1c2b7a90.jsonl"
            real = grown(path, size)
            run = subprocess.run(
                [sys.executable, __file__, "--peak", str(path)],
                capture_output=True,
                text=True,
                check=True,
            )
            chars, peaks[size] = map(int, run.stdout.split())
            print(f"{real:.0f} MB transcript: {chars / 1e6:.2f} MB kept, peak {peaks[size]} MB")
    print(f"memory grows by {(peaks[big] - peaks[1]) / (big - 1):.2f} MB for each MB of transcript")


def grown(path: Path, size: int) -> float:
    """Write a session of about so many MB, of which a few per cent are speech; return its size."""
    where = {"sessionId": path.stem, "cwd": "/home/jane/src/hermes", "version": "2.1.240"}
    printed = "\n".join(f"src/hermes/part{n}.py:{n}: def step_{n}(): ..." for n in range(160))
    before, n = None, 0
    with path.open("w") as file:
        while file.tell() < size * 1_000_000:
            for kind, content, more in _exchange(n, printed):
                uid = f"{n:08x}-{kind[0]}"
                n += 1
                message = {"role": kind, "content": content, "id": f"m{n}"}
                record = {"parentUuid": before, "type": kind, "message": message, "uuid": uid}
                at = {
                    "timestamp": f"2026-08-01T{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}.120Z"
                }
                file.write(json.dumps(record | at | more | where) + "\n")
                before = uid
    return path.stat().st_size / 1e6


def _exchange(n: int, printed: str) -> list[tuple[str, object, dict[str, object]]]:
    said = f"Step {n}: the queue on host{n % 97} is drained by worker {n % 13} before it restarts."
    use = {"type": "tool_use", "id": f"t{n}", "name": "Bash", "input": {"command": "pytest -q"}}
    result = {"type": "tool_result", "tool_use_id": f"t{n}", "content": printed}
    mirror: dict[str, object] = {"toolUseResult": {"stdout": printed, "stderr": ""}}
    return [
        ("user", f"Look at part {n} again, and at what it prints.", {}),
        ("assistant", [{"type": "text", "text": said * 3}], {}),
        ("assistant", [use], {}),
        ("user", [result], mirror),
    ]


def peak() -> int:
    """Return the most memory that this process has held so far, in MB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of processor time that some work takes: others may use the machine too."""
    start = time.process_time()
    work()
    return time.process_time() - start


def parse(path: Path) -> None:
    """Do what nobody can do without: parse each line."""
    for line in path.read_bytes().split(b"\n"):
        try:
            json.loads(line)
        except ValueError:
            continue


def fresh(name: str, path: Path) -> Transcript:
    """Read a transcript."""
    return SOURCES[name].read(path)


def through(name: str, path: Path) -> int:
    """Take a transcript all the way to chunks; return how many characters they hold."""
    transcript = fresh(name, path)
    turns = distill(transcript, redact)
    chunks = episodes(transcript, turns, known=(), now=NOW, shown_path=path.name, redact=redact)
    return sum(len(chunk.text) for chunk in chunks)


if __name__ == "__main__":
    main()
