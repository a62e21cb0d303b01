"""A person's home with a store in it, driven through the command line as a person would."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback, completion, loopback
from make_records import REPO, cite, day, make_entity, make_episode, make_fact

from scry import cli
from scry.model import PENDING, Record
from scry.store.codec import encode
from scry.store.paths import path_of
from scry.text import iso

TALK = (
    "We moved Hermes off the laptop. Hermes runs on the Mac mini now, under launchd, in production.",
    "Understood: Hermes runs on the Mac mini. It keeps its queue in Redis, which I checked as well.",
)
REPLY = {
    "episode_summary": "Moved Hermes to the Mac mini.",
    "entities": [
        {"name": "Hermes", "type": "service", "description": "A gateway.", "aliases": []},
        {"name": "Mac mini", "type": "machine", "description": "", "aliases": []},
        {"name": "Redis", "type": "tool", "description": "", "aliases": []},
    ],
    "facts": [
        {
            "src": "Hermes",
            "relation": "runs_on",
            "dst": "Mac mini",
            "fact": "Hermes runs on the Mac mini under launchd.",
            "confidence": 0.9,
            "turn": 1,
        },
        {
            "src": "Hermes",
            "relation": "uses",
            "dst": "Redis",
            "fact": "Hermes keeps its queue in Redis.",
            "confidence": 0.8,
            "turn": 2,
        },
    ],
}


@dataclass
class Home:
    """One HOME with one SCRY_HOME."""

    root: Path
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        kept = ("PATH", "LANG", "LC_ALL", "TMPDIR")
        self.environ = {
            **{name: os.environ[name] for name in kept if name in os.environ},
            "HOME": str(self.root),
            "PYTHONPATH": str(Path(__file__).parent.parent),
            "PYTHONWARNINGS": "error",
        } | self.environ

    @property
    def store(self) -> Path:
        return self.root / ".scry" / "store"

    def start(self, *arguments: object, **more: Any) -> "subprocess.CompletedProcess[bytes]":
        """Run `scry` and return the finished process."""
        command = [sys.executable, "-m", "scry", *map(_argument, arguments)]
        environ = self.environ | more.pop("environ", {})
        more.setdefault("stdin", subprocess.DEVNULL if "input" not in more else None)
        if "input" in more:
            more.pop("stdin")
        return subprocess.run(
            command,
            check=False,
            env=environ,
            cwd=more.pop("cwd", self.root),
            capture_output=True,
            **more,
        )

    def run(self, *arguments: object, **more: Any) -> tuple[int, str, str]:
        """Run `scry` and return exit code, stdout and stderr; in this process where that will do."""
        if more:
            done = self.start(*arguments, **more)
            return done.returncode, done.stdout.decode(), done.stderr.decode()
        written = BytesIO(), BytesIO()
        out, err = (TextIOWrapper(stream, encoding="utf-8") for stream in written)
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            for name in os.environ.keys() - self.environ.keys():
                patch.delenv(name)
            for name, value in self.environ.items():
                patch.setenv(name, value)
            patch.chdir(self.root)
            code = cli.run(list(map(str, arguments)))
        return code, written[0].getvalue().decode(), written[1].getvalue().decode()

    def call(self, *arguments: object, code: int = 0, **more: Any) -> dict[str, Any]:
        """Run `scry ... --json` and return the one object that it prints."""
        got, out, err = self.run(*arguments, "--json", **more)
        assert got == code, f"exit {got}: {out}{err}"
        return dict(json.loads(out))

    def git(self, *arguments: str) -> str:
        """Run git in the store."""
        done = subprocess.run(
            ["git", "-C", str(self.store), *arguments],
            env=self.environ | {"GIT_CONFIG_NOSYSTEM": "1"},
            capture_output=True,
            check=True,
        )
        return done.stdout.decode()

    def write(self, *records: Record) -> None:
        """Write records as a person would, each into its file, without git's knowing."""
        (self.store / ".git").mkdir(parents=True, exist_ok=True)
        head = self.store / ".git" / "HEAD"
        if not head.exists():
            head.write_text("ref: refs/heads/main\n")
        self.store.chmod(0o700)
        for record in records:
            path = self.store / path_of(record)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(encode(record))

    def transcript(self, *said: str, session: str = "1f3c9e0a-5b7d-4c55-9a3e-0d6f1c2b7a90") -> Path:
        """Write a session of Claude Code in which user and model speak in turns."""
        folder = self.root / ".claude" / "projects" / "-home-jane-hermes"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{session}.jsonl"
        path.write_text("".join(_records(said, session, str(self.root / "hermes"))))
        os.utime(path, (1_785_000_000, 1_785_000_000))
        return path


@contextmanager
def model(home: Home, *scripts: dict[str, Any]) -> Iterator[Loopback]:
    """Configure a chain of one model, a server on loopback that answers as scripted."""
    with loopback(*scripts) as server:
        config = home.root / ".scry" / "config.yaml"
        config.parent.mkdir(exist_ok=True)
        config.write_text(
            "version: 1\nextraction:\n  chain:\n  - id: near\n    type: openai\n"
            f'    model: "test-1"\n    base_url: "{server.url}/v1"\n'
        )
        config.chmod(0o600)
        yield server


def saying(reply: object) -> dict[str, Any]:
    """Return what a server answers whose model says `reply`."""
    return completion(json.dumps(reply))


def _argument(value: object) -> str | bytes:
    return value if isinstance(value, bytes) else str(value)


def _records(said: Iterable[str], session: str, cwd: str) -> Iterable[str]:
    before = None
    for number, text in enumerate(said, start=1):
        role = "user" if number % 2 else "assistant"
        uid = f"{session[:8]}-0000-4000-8000-{number:012d}"
        content: object = text if role == "user" else [{"type": "text", "text": text}]
        record: Mapping[str, object] = {
            "type": role,
            "uuid": uid,
            "parentUuid": before,
            "sessionId": session,
            "timestamp": iso(day(0)).replace("12:00:00", f"12:{number:02d}:00"),
            "cwd": cwd,
            "gitBranch": "main",
            "version": "2.1.0",
            "message": {"role": role, "content": content},
        }
        before = uid
        yield json.dumps(record) + "\n"


EPISODE = make_episode(1, summary="Moved Hermes to the Mac mini.", declares=("service | Hermes",))
LATER = make_episode(2, at=day(3), extractor=PENDING, summary="Asked about the backups of Hermes.")
HERMES = make_entity("Hermes", aliases=("the bot",), description="The chat gateway.")
MINI = make_entity("Mac mini", "machine")
REDIS = make_entity("Redis", "tool")
LAPTOP = make_entity("laptop", "machine")
RUNS = make_fact(
    "Hermes",
    "runs_on",
    "Mac mini",
    qualifier="production",
    fact="Hermes runs on the Mac mini under launchd.",
    episodes=cite(EPISODE),
)
DOWN = make_fact("Hermes", "status", value="down", invalid_at=day(2), episodes=cite(EPISODE))
USES = make_fact("Hermes", "uses", "Redis", valid_from=day(1), episodes=cite(EPISODE))
WORLD = (EPISODE, LATER, HERMES, MINI, REDIS, LAPTOP, RUNS, DOWN, USES)
PROJECT = make_entity("hermes-app", "project", repos=(REPO,))

FAKE_SECRET = base64.b64decode("Z2hwXzAxMjM0NTY3ODlhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3g=").decode()
"""Looks like a token of a code host, and is none."""
