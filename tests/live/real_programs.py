"""The real programs for tests that are asked for: found, or installed into a cache of their own.

    SCRY_LIVE_CLAUDE, SCRY_LIVE_CODEX    where the program is
    SCRY_LIVE_CACHE                      where it is installed otherwise; ~/.cache/scry-live

They run in a throwaway home against a model on loopback; no login of anybody's is used.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from faces import Home

from scry.commands.demo import BUNDLED

ANSWER: dict[str, Any] = {
    "episode_summary": "ferrybot keeps its timetable in SQLite now, and answers at once.",
    "entities": [
        {"name": "ferrybot", "type": "service", "description": "Tells ferries.", "aliases": []},
        {"name": "SQLite", "type": "tool", "description": "", "aliases": []},
        {"name": "Kubernetes", "type": "tool", "description": "", "aliases": []},
    ],
    "facts": [
        {"src": "ferrybot", "relation": "uses", "dst": "SQLite", "value": "", "qualifier": "timetable",
         "fact": "ferrybot keeps the timetable in SQLite, because one file is enough for one island.",
         "valid_from": "", "confidence": 0.9, "stance": "asserted", "turn": 0, "supersedes": ""},
        {"src": "ferrybot", "relation": "tests", "dst": "", "value": "pytest -q", "qualifier": "",
         "fact": "The tests of ferrybot are run with `pytest -q`.",
         "valid_from": "", "confidence": 0.9, "stance": "asserted", "turn": 0, "supersedes": ""},
        {"src": "ferrybot", "relation": "deployed_on", "dst": "Kubernetes", "value": "", "qualifier": "",
         "fact": "ferrybot is deployed on Kubernetes.",
         "valid_from": "", "confidence": 0.9, "stance": "asserted", "turn": 0, "supersedes": ""},
    ],
}  # fmt: skip
"""What the model says about the bundled session; the last fact is nowhere in it."""
AROUND = {
    "CLAUDECODE": "1",
    "CLAUDE_CODE_ENTRYPOINT": "cli",
    "CLAUDE_CODE_SESSION_ID": "8a2a9f7e-0000-4000-8000-000000000000",
    "CLAUDE_CODE_CHILD_SESSION": "1",
    "CODEX_THREAD_ID": "01a00000-0000-7000-8000-000000000000",
}
"""What a person's shell holds who works inside an agent."""


def claude_code() -> Path:
    system = {"Linux": "linux", "Darwin": "darwin"}.get(platform.system(), "win32")
    machine = "arm64" if platform.machine() in ("arm64", "aarch64") else "x64"
    package = f"@anthropic-ai/claude-code-{system}-{machine}"
    return _program("claude", f"{package}@2.1.332", f"node_modules/{package}/claude")


def codex() -> Path:
    return _program("codex", "@openai/codex@0.171.0", "node_modules/.bin/codex")


def _program(name: str, package: str, inside: str) -> Path:
    """Return where a program is, or skip the test with the reason why it is nowhere."""
    if given := os.environ.get(f"SCRY_LIVE_{name.upper()}"):
        return Path(given).absolute()
    if found := shutil.which(name):
        return Path(found).absolute()
    cache = Path(os.environ.get("SCRY_LIVE_CACHE") or Path.home() / ".cache" / "scry-live")
    if not (cache / inside).exists():
        cache.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm")
        if not npm:
            pytest.skip(f"{name} is not on PATH, and there is no npm to install it with")
        command = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(cache), package]
        done = subprocess.run(command, capture_output=True, check=False, timeout=600)
        if done.returncode:
            pytest.skip(f"npm cannot install {package}: {done.stderr.decode()[-300:]}")
    return cache / inside


class Agent:
    """A throwaway home in which an agent is installed, with hooks and servers that leave marks."""

    def __init__(self, root: Path, program: Path, environ: dict[str, str]) -> None:
        self.bin = root / "bin"
        self.bin.mkdir()
        (self.bin / ("claude" if "claude" in program.name else "codex")).symlink_to(program)
        node = shutil.which("node")
        path = [str(self.bin), "/usr/bin", "/bin", *([str(Path(node).parent)] if node else [])]
        self.home = Home(root / "home", environ | {"PATH": os.pathsep.join(path)})
        self.marks = root / "marks"
        self.marks.mkdir()

    def mark(self, name: str) -> str:
        """Return a command that leaves a mark."""
        return f"touch {self.marks / name}"

    def marked(self) -> set[str]:
        return {path.name for path in self.marks.iterdir()}

    def files(self, *patterns: str) -> list[Path]:
        """Return the files in the home that match, the store's and the given session's left out."""
        found = [p for pattern in patterns for p in self.home.root.rglob(pattern) if p.is_file()]
        ours = (self.home.root / ".scry", self.home.root / "bundled")
        return [path for path in found if not any(path.is_relative_to(one) for one in ours)]

    def configure(self, preset: str, model: str) -> None:
        """Write a configuration whose chain is the program alone."""
        config = self.home.root / ".scry" / "config.yaml"
        config.parent.mkdir(exist_ok=True)
        config.write_text(
            "version: 1\nextraction:\n  chain:\n  - id: agent\n    type: command\n"
            f'    preset: {preset}\n    model: "{model}"\n    timeout: 60\n'
        )
        config.chmod(0o600)

    def bundled(self) -> Path:
        """Return one of the bundled sessions, as if it had happened in this home."""
        text = (BUNDLED / "claude" / "3504c31a-dcb5-4003-939c-e1e685f89a7d.jsonl").read_text()
        path = self.home.root / "bundled" / "session.jsonl"
        path.parent.mkdir()
        path.write_text(text.replace("@HOME@", str(self.home.root)))
        return path


def check_ingested(agent: Agent, name: str) -> None:
    """Check that the bundled session went through the program into a commit, and what did not."""
    report = agent.home.call("ingest", agent.bundled(), environ=AROUND)
    assert (report["ingested"], report["pending"]) == (1, []), report
    facts = agent.home.call("facts", "ferrybot")["facts"]
    told = " ".join(fact["fact"] for fact in facts)
    assert "SQLite" in told
    assert "pytest -q" in told
    assert "Kubernetes" not in told, "the record does not say so"
    (waits,) = (agent.home.store / "review").rglob("*.md")
    assert "not named in the episode: kubernetes" in waits.read_text()
    message = agent.home.git("log", "-1", "--format=%B")
    assert f"Scry-Extractor: {name}" in message
    (episode,) = (agent.home.store / "episodes").rglob("*.md")
    assert f"extractor: {name}" in episode.read_text().replace('"', "").replace("'", "")
    show(message, episode.read_text())


def show(*parts: object) -> None:
    """Write what a run came to, for a person who reads its output."""
    sys.stdout.write(" ".join(map(str, parts)) + "\n")
