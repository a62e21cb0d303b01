"""A home in which secrets stand in every place that a text can come from, each secret known by name.

    place               of one kind                                of a kind and a place
    claude prompt       `the claude prompt said <token>`           tokens["claude prompt", "npm"]

Every text says its place in clear beside the secret, so that a test sees that it arrived at all.
"""

import json
import os
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import blind_secrets as blind
from faces import Home
from make_records import day

from scry.text import iso

KINDS = {
    "github": "ghp_{A36}",
    "github fine": "github_pat_{A22}_{A59}",
    "gitlab": "glpat-{A20}",
    "slack": "xoxb-{d12}-{d13}-{A24}",
    "stripe": "sk_live_{A24}",
    "anthropic": "sk-ant-api03-{A93}AA",
    "openai": "sk-proj-{A74}T3BlbkFJ{A74}",
    "google": "AIza{A35}",
    "npm": "npm_{A36}",
    "pypi": "pypi-AgEIcHlwaS5vcmc{A120}",
    "docker": "dckr_pat_{A27}",
    "digitalocean": "dop_v1_{h64}",
    "sendgrid": "SG.{A22}.{A43}",
    "hugging face": "hf_{A34}",
    "groq": "gsk_{A52}",
    "aws": "AKIA{U16}",
    "shopify": "shpat_{h32}",
    "linear": "lin_api_{A40}",
    "json web token": "eyJhbGciOiJIUzI1NiJ9.eyJ{A60}.{A43}",
    "private key": "",
}
SPEECH = """prompt|prompt blocks|slash arguments|memory|rejection|answer|question|queue steering
    |queued command|btw aside|btw answer|assistant text|plan""".replace("\n", "").split("|")
_OTHER = re.compile(r"[^a-z0-9]")


@dataclass
class World:
    """The home, and every secret in it by (place, kind)."""

    home: Home
    rng: random.Random = field(default_factory=lambda: random.Random("sentinels"))
    needles: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def secret(self, place: str, kind: str, *, in_name: bool = False) -> str:
        """Return a new secret; `in_name` where no line may end and no slash may stand."""
        if kind == "private key":
            whole, body = blind.pem("RSA PRIVATE KEY", self.rng, lines=2)
            value = "nokey" if in_name else whole
            cores = [] if in_name else list(body)
        else:
            value, core = blind.fill(KINDS[kind], self.rng)
            cores = [core]
        self.needles[place, kind] = [squeezed(part) for core in cores for part in halves(core)]
        return value

    def text(self, place: str, kind: str) -> str:
        """Return a sentence with a new secret."""
        return f"the {place.strip()} said {self.secret(place, kind)} and went on"

    def leaks(self, blob: str) -> set[str]:
        """Return which secrets stand in a text, however it is quoted, wrapped or cased."""
        flat = squeezed(blob)
        return {
            f"{place} / {kind}"
            for (place, kind), parts in self.needles.items()
            if any(part in flat for part in parts)
        }


def squeezed(text: str) -> str:
    """Return a text without anything but letters and digits, which slugs and wrapping keep."""
    return _OTHER.sub("", text.lower())


def halves(core: str) -> tuple[str, ...]:
    """Return both halves of a secret: either is a leak."""
    return core[: len(core) // 2], core[len(core) // 2 :]


# --- Claude Code ------------------------------------------------------------------------------


def claude(world: World, number: int, kind: str) -> Path:
    """Write a session with a secret of one kind in every place; return the folder it worked in."""
    cwd = checkout(world, "claude", kind)
    name = f"s{number:03d}-{world.secret('session file name', kind, in_name=True)}"
    folder = world.home.root / ".claude" / "projects" / "-home-jane-work"
    path = folder / f"{name}.jsonl"
    branch = f"feature/{world.secret('gitBranch', kind, in_name=True)}"
    records = list(_claude(world, kind))
    for at, record in enumerate(records):
        record.setdefault("uuid", f"{number:08d}-0000-4000-8000-{at:012d}")
        record |= {
            "sessionId": name,
            "timestamp": iso(day(0)).replace("12:00:00", f"12:{at:02d}:00"),
            "cwd": str(cwd),
            "gitBranch": branch,
            "version": "2.1.0",
        }
    write(path, records)
    aside = path.with_suffix("") / "subagents" / "agent-aside_question-1.jsonl"
    question = {"role": "user", "content": world.text("btw aside", kind)}
    answer = {"role": "assistant", "content": [_said(world.text("btw answer", kind))]}
    stamp = {"timestamp": iso(day(1)), "sessionId": name, "isSidechain": True, "cwd": str(cwd)}
    asked = {"type": "user", "uuid": f"{number}-q", "message": question, **stamp}
    write(aside, [asked, {"type": "assistant", "uuid": f"{number}-a", "message": answer, **stamp}])
    return cwd


def _claude(world: World, kind: str) -> Iterator[dict[str, Any]]:
    say = lambda place: world.text(place, kind)  # noqa: E731 -- said thirty times below
    yield {"type": "custom-title", "customTitle": say("title")}
    yield typed(f"Hermes runs on the Mac mini. {say('prompt')}")
    yield typed([_said(say("prompt blocks")), _said(f"and Redis. {say('prompt blocks 2')}")])
    tags = "<command-name>/deploy</command-name><command-args>{}</command-args>"
    yield typed(tags.format(say("slash arguments")))
    yield typed(f"<user-memory-input>{say('memory')}</user-memory-input>")
    yield _assistant(_said(f"Understood, Hermes uses Redis. {say('assistant text')}"))
    paths = f"/home/jane/{world.secret('file path', kind, in_name=True)}"
    calls = {
        "Bash": {"command": say("tool command"), "description": say("tool description")},
        "Read": {"file_path": f"{paths}.py"},
        "Edit": {"file_path": f"{paths}/b.py", "new_string": say("edit")},
        "WebFetch": {"url": f"https://x.example.com/?k={world.secret('fetched', kind)}"},
        "Task": {"subagent_type": world.secret("agent type", kind, in_name=True), "prompt": "x"},
        world.secret("tool name", kind, in_name=True): {"x": say("tool input")},
        "ExitPlanMode": {"plan": say("plan")},
        "Grep": {"pattern": say("pattern")},
    }
    for at, (tool, given) in enumerate(calls.items()):
        yield _assistant({"type": "tool_use", "id": f"t{at}", "name": tool, "input": given})
    programs = f"{world.secret('program', kind, in_name=True)} --x && ./{paths} run"
    yield _assistant(_call("t20", "Bash", {"command": programs}))
    yield typed([{"type": "tool_result", "tool_use_id": "t20", "content": say("tool output")}])
    yield _assistant(_call("t21", "Bash", {"command": "ls"}))
    refused = (
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, "
        f"the user said:\n{say('rejection')}"
    )
    result = {"type": "tool_result", "tool_use_id": "t21", "is_error": True, "content": refused}
    yield typed([result])
    asked = say("question")
    yield _assistant(_call("t22", "AskUserQuestion", {"questions": [{"question": asked}]}))
    result = {"type": "tool_result", "tool_use_id": "t22", "content": "answered"}
    yield typed([result]) | {"toolUseResult": {"answers": {asked: say("answer")}}}
    steering = say("queue steering")
    yield {"type": "queue-operation", "operation": "enqueue", "content": steering}
    yield {"type": "queue-operation", "operation": "remove"}
    queued = {"type": "queued_command", "prompt": say("queued command"), "commandMode": "prompt"}
    yield {"type": "attachment", "attachment": queued}
    yield {"type": world.secret("unknown record type", kind, in_name=True)}
    yield typed(f"The pass phrase is set in the shell: {world.home.environ[env_name(kind)]}, yes.")


def env_name(kind: str) -> str:
    """Return the variable that holds a secret of a kind."""
    return f"{kind.upper().replace(' ', '_')}_API_TOKEN"


def _said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _call(key: str, name: str, given: object) -> dict[str, Any]:
    return {"type": "tool_use", "id": key, "name": name, "input": given}


def typed(content: object) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": content}}


def _assistant(block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "assistant", "message": {"role": "assistant", "content": [block]}}


def write(path: Path, records: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    os.utime(path, (1_785_000_000, 1_785_000_000))


def checkout(world: World, agent: str, kind: str) -> Path:
    """Make a checkout whose folder, notes and remote hold secrets."""
    place = f"{agent} cwd"
    folder = world.home.root / "src" / f"{agent}-{world.secret(place, kind, in_name=True)}"
    for part in ("objects", "refs/heads"):
        (folder / ".git" / part).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    user = world.secret(f"{agent} remote", kind, in_name=True)
    remote = f"https://x:{user}@git.example.com/jane/{agent}-{kind.replace(' ', '-')}.git"
    (folder / ".git" / "config").write_text(
        f'[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = {remote}\n'
    )
    (folder / "CLAUDE.md").write_text(f"# {agent}\n{section(world, f'{agent} note', kind)}")
    os.utime(folder / "CLAUDE.md", (1_785_000_000, 1_785_000_000))
    return folder


def section(world: World, note: str, kind: str) -> str:
    heading = world.secret(f"{note} heading", kind, in_name=True)
    return (
        f"\n## Deploy {heading}\n\nHermes is deployed by hand. {world.text(f'{note} text', kind)}\n"
    )
