"""How fast text is redacted, beside a bare `re.sub` and `json.loads` in the same run.

    python benchmarks/redact.py [SIZE_IN_KB]

Prints MB/s of processor time, the best of three.  The machine's speed varies; the baselines show by how much.
"""

import json
import random
import re
import string
import sys
import time
from collections.abc import Callable

from scry.redact import redact

_WORDS = """the server keeps a queue of jobs and each worker takes one when it is free so that nothing waits longer than
needed we moved it to the small machine in the cupboard because the laptop sleeps at night and the nightly run failed
twice last week for that reason""".split()
_BARE = re.compile(r"\b(?:password|token|secret)\b\s*[:=]\s*\S+")


def prose(size: int, rng: random.Random) -> str:
    """Return plain sentences."""
    out: list[str] = []
    while sum(map(len, out[-1:])) + len(out) * 90 < size:
        out.append(" ".join(rng.choices(_WORDS, k=16)).capitalize() + ".")
    return "\n".join(out)[:size]


def session(size: int, rng: random.Random) -> str:
    """Return talk as agents and people have it: paths, commands, hashes, words like `token`, a secret a page."""

    def some(alphabet: str, n: int) -> str:
        return "".join(rng.choices(alphabet, k=n))

    def line() -> str:
        hexes = "0123456789abcdef"
        return rng.choice(
            (
                " ".join(rng.choices(_WORDS, k=18)),
                f"ran pytest -q tests/{rng.choice(_WORDS)}/test_{rng.choice(_WORDS)}.py: 31 passed in 2.{some(string.digits, 2)}s",
                f"commit {some(hexes, 40)} moves src/{rng.choice(_WORDS)}/{rng.choice(_WORDS)}_{rng.choice(_WORDS)}.py",
                f"the token for {rng.choice(_WORDS)} is read from the environment, see https://example.com/docs#{some(hexes, 6)}",
                f'{{"id": "{some(hexes, 8)}", "user": "{rng.choice(_WORDS)}", "count": {some(string.digits, 3)}}}',
            )
        )

    out: list[str] = []
    for n in range(size // 80):
        out.append(line())
        if n % 40 == 39:
            out.append(f"API_TOKEN={some(string.ascii_letters + string.digits, 40)}")
    return "\n".join(out)[:size]


def hostile(size: int, rng: random.Random) -> dict[str, str]:
    """Return runs that make careless patterns slow."""
    units = [
        "a",
        "=",
        "-",
        " ",
        '"',
        "\\",
        "a.-",
        "://",
        "-----BEGIN",
        "-----BEGIN PRIVATE" + " KEY-----\n",
        "eyJ",
        "key=",
        "x: ",
    ]
    runs = {repr(unit): (unit * size)[:size] for unit in units}
    return runs | {
        "base64": "".join(rng.choices(string.ascii_letters + string.digits + "+/", k=size))
    }


def speed(work: Callable[[], object], size: int) -> float:
    """Return MB/s of processor time, the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return size / 1e6 / max(best, 1e-9)


def main() -> None:
    """Print a line for each text."""
    size = int(sys.argv[1]) * 1000 if len(sys.argv) > 1 else 1_000_000
    rng = random.Random(1)
    plain = prose(size, rng)
    dump = json.dumps([line.split() for line in plain.splitlines()])
    print(
        f"{'bare re.sub on prose':34} {speed(lambda: _BARE.sub('', plain), len(plain)):8.1f} MB/s"
    )
    print(f"{'json.loads':34} {speed(lambda: json.loads(dump), len(dump)):8.1f} MB/s")
    texts = {"prose": plain, "a session": session(size, rng), **hostile(size // 5, rng)}
    for name, text in texts.items():
        print(f"redact {name:27} {speed(lambda text=text: redact(text), len(text)):8.1f} MB/s")


if __name__ == "__main__":
    main()
