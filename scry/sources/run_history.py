"""Earlier versions of a run's papers, where every round overwrites them and commits: from git.

    git log --raw -- plan.md results/a.json     which commit made which blob of which paper
    git cat-file --batch                        what the blobs hold

What one commit changed is a round, named by the commit's own date, which a rebase leaves alone.
The repository is somebody else's: nothing that it configures is run, and nothing is fetched.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from scry.sources.checkout import root_of
from scry.sources.markdown import decoded
from scry.sources.run_files import LARGEST, Paper, Round
from scry.text import iso

MOST_COMMITS = 500
"""Rounds that are looked for, the latest ones."""
_TIMEOUT_S = 60
_GIT = """git --no-pager --literal-pathspecs --no-replace-objects -c core.fsmonitor=false
    -c core.hooksPath=/dev/null -c log.showSignature=false -c core.quotePath=false""".split()
_LOG = """log --raw -z --no-abbrev --no-renames --no-ext-diff --no-textconv --relative
    --format=%x01%at""".split()
_KEPT = ("PATH", "HOME", "TMPDIR", "SYSTEMROOT")


@dataclass(frozen=True, slots=True)
class _Change:
    """One commit made `blob` of the paper at `path`."""

    at: int
    blob: str
    path: str


def earlier_rounds(folder: Path, papers: Sequence[Paper]) -> list[Round]:
    """Return the rounds in which a run's papers were committed, oldest first; none without git."""
    if not papers or root_of(folder.absolute() / "x") is None:
        return []
    names = {paper.path.relative_to(folder).as_posix(): paper for paper in papers}
    limit = f"--max-count={MOST_COMMITS}"
    changes = list(_changes(_run(folder, [*_LOG, limit, "--", *names])))
    held = _contents(folder, sorted({change.blob for change in changes}))
    rounds: dict[str, Round] = {}
    for change in reversed(changes):  # The log begins with the newest.
        paper, data = names.get(change.path), held.get(change.blob)
        if paper is None or data is None:
            continue
        name = iso(datetime.fromtimestamp(change.at, UTC))
        one = rounds.setdefault(name, Round(name, adds=True))
        one.papers.append(
            replace(paper, size=len(data), changed_ns=change.at * 1_000_000_000, data=data)
        )
    return list(rounds.values())


def not_committed(papers: Sequence[Paper], rounds: Sequence[Round]) -> list[Paper]:
    """Return the papers that say something else now than in the last round that had them."""
    last = {paper.path: decoded(paper.data or b"") for one in rounds for paper in one.papers}
    return [paper for paper in papers if _now(paper.path) != last.get(paper.path)]


def _now(path: Path) -> str:
    """Return a paper's text as it is; git may have given its lines other ends."""
    try:
        with path.open("rb") as file:
            return decoded(file.read(LARGEST + 1))
    except OSError:
        return ""


def _changes(log: bytes) -> Iterator[_Change]:
    r"""Yield what a log tells: `\x01 TIME`, then `:MODE MODE OLD NEW LETTER`, `PATH` for each file."""
    at, blob = 0, ""
    for field in log.split(b"\0"):
        text = field.strip(b"\n").decode("utf-8", "surrogateescape")
        if text.startswith("\x01"):
            at, blob = _number(text[1:]), ""
        elif text.startswith(":") and not blob:
            words = text.split()
            blob = words[3] if len(words) == 5 and words[1].startswith("100") else "-"
        elif blob:
            if set(blob) - set("0-") and 0 < at < 1 << 32:
                yield _Change(at, blob, text)
            blob = ""


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _contents(folder: Path, blobs: Sequence[str]) -> dict[str, bytes]:
    """Return what blobs hold, those that are no larger than a paper may be."""
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    sizes = (
        line.split() for line in _run(folder, ["cat-file", "--batch-check"], asked).split(b"\n")
    )
    small = [s[0] for s in sizes if len(s) == 3 and s[1] == b"blob" and int(s[2]) <= LARGEST]
    raw = _run(folder, ["cat-file", "--batch"], b"".join(name + b"\n" for name in small))
    out: dict[str, bytes] = {}
    place = 0
    while (end := raw.find(b"\n", place)) >= 0:
        head = raw[place:end].split()
        if len(head) != 3 or head[1] != b"blob":
            break
        size = int(head[2])
        out[head[0].decode("ascii")] = raw[end + 1 : end + 1 + size]
        place = end + 1 + size + 1
    return out


def _run(folder: Path, arguments: Sequence[str], stdin: bytes = b"") -> bytes:
    """Return what a git command prints, nothing where it does not work."""
    import subprocess

    try:
        done = subprocess.run(
            [*_GIT, *arguments],
            cwd=folder,
            env=_environment(),
            input=stdin,
            capture_output=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return b"" if done.returncode else done.stdout


def _environment() -> Mapping[str, str]:
    """Return what git may know: no `GIT_DIR` of a hook that we run in, and no way to the network."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
    }
