"""Large and hostile transcripts, each read in a process of its own: time, peak memory, what came out.

    python benchmarks/damage.py [--mb 100] [--file 300] [--limit 400]

A line of `--mb` MB: what a tool printed, a picture, words of a person, brackets, noise, NUL bytes.
A file of `--file` MB: sound records, torn ones, two sessions spliced.  Ends with 1 when a process
needed more than `--limit` MB, or did not end by itself.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

SESSION = "1f3c9e0a-5b7d-4c55-9a3e-0d6f1c2b7a90"
MB = 1_000_000
TIMEOUT = 600
WORDS = "The gateway carries the mail over the hills before noon, whatever the weather is like."
_CHILD = """
import json, resource, sys, time
from pathlib import Path
from scry.distill import distill
from scry.model import Said
from scry.redact import redact
from scry.sources import SOURCES
start = time.monotonic()
got = SOURCES[sys.argv[1]].read(Path(sys.argv[2]))
said = sum(isinstance(e, Said) for e in got.events)
read = time.monotonic() - start
turns = len(distill(got, redact)) if sys.argv[3] == "distil" else 0
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
print(json.dumps([said, len(got.problems), turns, read, peak]))
"""
Body = Callable[[int], Iterator[bytes]]


def main() -> int:
    """Print a line for each file; return the code to end with."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--mb", type=int, default=100, help="MB of the long line")
    ap.add_argument("--file", type=int, default=300, help="MB of the long file")
    ap.add_argument("--limit", type=int, default=400, help="MB of memory that a process may need")
    given = ap.parse_args()
    print(f"{'file':34}{'MB':>6}{'said':>9}{'problems':>10}{'turns':>8}{'s':>8}{'peak MB':>9}")
    worst = 0.0
    for agent, name, size, body in _files(given.mb, given.file):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"rollout-2026-08-01T09-00-00-{SESSION}.jsonl")
            with path.open("wb") as file:
                for piece in body(size * MB):
                    file.write(piece)
            worst = max(worst, _measured(agent, f"{agent} {name}", path))
    return int(worst > given.limit)


def _measured(agent: str, name: str, path: Path) -> float:
    """Read a file in a process of its own; return its peak memory in MB."""
    start = time.monotonic()
    command = [sys.executable, "-c", _CHILD, agent, str(path), "distil"]
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=TIMEOUT)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        print(f"{name:34} did not end by itself after {time.monotonic() - start:.0f} s: {error}")
        return float("inf")
    said, problems, turns, _, peak = json.loads(done.stdout)
    took, size = time.monotonic() - start, path.stat().st_size / MB
    print(f"{name:34}{size:>6.0f}{said:>9}{problems:>10}{turns:>8}{took:>8.1f}{peak:>9.0f}")
    return float(peak)


def _files(line: int, file: int) -> Iterator[tuple[str, str, int, Body]]:
    for name, opening, piece, closing in LINES:
        for agent in ("claude", "codex"):
            yield agent, name, line, _long_line(agent, opening, piece, closing)
    for agent in ("claude", "codex"):
        yield agent, "many sound records", file, _many(agent, torn=0)
        yield agent, "every tenth record torn", file, _many(agent, torn=10)


# --- what the files hold --------------------------------------------------------------------------

LINES = (
    ("what a tool printed", '{"toolUseResult":{"stdout":"', "0123456789abcde\\n", '"}}'),
    ("a picture", '{"content":[{"type":"image","data":"', "iVBORw0KGgoAAAAN", '"}]}'),
    ("a picture in a prompt", "", "iVBORw0KGgoAAAAN", ""),
    ("brackets", '{"x":', "[", ""),
    ("objects", "", '{"a":', ""),
    ("noise", "", "\u20ac\u00e9 x,", ""),
    ("NUL bytes", "", "\0", ""),
    ("no UTF-8", '{"x":"', "?", '"}'),
)


def _said(agent: str, number: int, words: str = WORDS) -> bytes:
    """Return the record of something said, user and model in turn."""
    role = "assistant" if number % 2 else "user"
    at = f"2026-08-01T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}Z"
    text = f"{number}. {words}"
    if agent == "claude":
        message = {"role": role, "id": f"m{number}", "content": [{"type": "text", "text": text}]}
        own = {"uuid": f"u{number}", "sessionId": SESSION, "timestamp": at}
        return json.dumps({"type": role, "message": message, **own}).encode() + b"\n"
    kind = "output_text" if number % 2 else "input_text"
    payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
    return (
        json.dumps({"timestamp": at, "type": "response_item", "payload": payload}).encode() + b"\n"
    )


def _long_line(agent: str, opening: str, piece: str, closing: str) -> Body:
    """Two records, a line that is as long as asked, and two more."""
    begin, end = opening.encode(), closing.encode() + b"\n"
    if piece == "iVBORw0KGgoAAAAN" and not opening:
        before, after = _said(agent, 2, "@").split(b"@", 1)
        image = b'"},{"type":"image","source":{"type":"base64","data":"'
        begin, end = before + image, b'"}},{"type":"text","text":"' + after
    block = piece.encode() * (MB // len(piece.encode()) + 1)
    if closing == '"}' and piece == "?":
        block = b"\xff\xfe\xe9" * (MB // 3)

    def body(size: int) -> Iterator[bytes]:
        yield _said(agent, 0) + _said(agent, 1) + begin
        for _ in range(size // len(block)):
            yield block
        yield end + _said(agent, 4) + _said(agent, 5)

    return body


def _many(agent: str, *, torn: int) -> Body:
    """Records until there are as many bytes as asked: a twentieth is speech, the rest printed."""
    printed = {"type": "user", "toolUseResult": {"stdout": "x" * 1500}, "message": {"content": []}}
    output = {"type": "function_call_output", "call_id": "c", "output": "x" * 1500}
    other = printed if agent == "claude" else {"type": "response_item", "payload": output}
    line = json.dumps(other).encode() + b"\n"

    def body(size: int) -> Iterator[bytes]:
        written = number = 0
        while written < size:
            piece = _said(agent, number) + line
            if torn and number % torn == 0:
                piece = piece[: len(piece) - len(line) - 40] + line
            number += 1
            written += len(piece)
            yield piece

    return body


if __name__ == "__main__":
    sys.exit(main())
