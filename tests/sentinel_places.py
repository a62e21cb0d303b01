"""Codex, runs, notes, broken files and replies with a secret in every place; see `sentinels`."""

import json
import os
from pathlib import Path
from typing import Any

from faces import saying
from make_records import day
from sentinels import KINDS, World, checkout, section, typed, write

from scry.text import iso

# --- Codex, runs --------------------------------------------------------------------------------


def codex(world: World, number: int, kind: str) -> Path:
    """Write a rollout with a secret of one kind in every place; return its folder."""
    cwd = checkout(world, "codex", kind)
    session = f"00000000-0000-4000-8000-{number:012d}"
    url = f"https://{world.secret('codex git.repository_url', kind, in_name=True)}@x.example.com/a"
    git = {
        "branch": world.secret("codex branch", kind, in_name=True),
        "repository_url": url if number % 2 else f"{url}?token={url[8:60]}",
    }
    meta = {"id": session, "cwd": str(cwd), "cli_version": "0.171.0", "git": git}
    say = lambda place: world.text(f"codex {place}", kind)  # noqa: E731
    ide = f"# Context from my IDE setup:\n{say('ide prefix')}\n## My request for Codex:\n"
    form = {"questions": [{"id": "q", "question": say("question")}]}
    patch = world.secret("codex patch path", kind, in_name=True)
    items = [
        _message("user", f"Move Hermes to Docker, please. {say('prompt')}"),
        _message("user", f"{ide}{say('request')}"),
        _message("assistant", f"Hermes is on Docker. {say('agent message')}"),
        _function("exec_command", {"cmd": say("exec command")}, "c1"),
        _function(
            "exec_command", {"cmd": f"{world.secret('codex program', kind, in_name=True)} up"}, "c2"
        ),
        _function(
            "apply_patch", {"input": f"*** Begin Patch\n*** Update File: src/{patch}.py\n"}, "c3"
        ),
        _function("request_user_input", form, "c4"),
        {
            "type": "function_call_output",
            "call_id": "c4",
            "output": json.dumps({"answers": {"q": {"answers": [say("answer")]}}}),
        },
        {"type": "function_call_output", "call_id": "c1", "output": say("tool output")},
    ]
    lines = [("session_meta", meta), *(("response_item", item) for item in items)]
    lines.append(("event_msg", {"type": "user_message", "message": say("event message")}))
    path = world.home.root / ".codex" / "sessions" / "2026" / "08" / "01"
    records = [
        {"timestamp": iso(day(2)), "type": what, "payload": payload} for what, payload in lines
    ]
    write(path / f"rollout-2026-08-01T12-00-00-{session}.jsonl", records)
    return cwd


def _message(role: str, text: str) -> dict[str, Any]:
    what = "input_text" if role == "user" else "output_text"
    return {"type": "message", "role": role, "content": [{"type": what, "text": text}]}


def _function(name: str, given: object, call: str) -> dict[str, Any]:
    return {"type": "function_call", "name": name, "arguments": json.dumps(given), "call_id": call}


def run(world: World, kind: str) -> None:
    """Write a run with a secret of one kind in each paper."""
    name = f"run-{world.secret('run folder', kind, in_name=True)}"
    folder = world.home.root / ".loom" / "runs" / name
    plan = folder / "iterations" / "1"
    plan.mkdir(parents=True)
    (folder / "GOAL.md").write_text(f"# Goal\n\nMake Hermes fast. {world.text('run goal', kind)}\n")
    (plan / "plan.md").write_text(
        f"# Plan\n\nHermes keeps workers. {world.text('run plan', kind)}\n"
    )
    verdict = {
        "status": "fail",
        "check": world.secret("run check", kind),
        "reason": world.text("run reason", kind),
    }
    (plan / "verdict.json").write_text(json.dumps(verdict))
    (folder / "loop.log").write_text(world.text("run loop.log", kind))
    broken = plan / f"results-{world.secret('run broken paper', kind, in_name=True)}.json"
    broken.write_text('{"status": ')
    for paper in folder.rglob("*"):
        os.utime(paper, (1_785_000_000, 1_785_000_000))


def notes(world: World) -> None:
    """Write the notes of a person and of a project, a section for each kind."""
    for name in (".claude/CLAUDE.md", ".claude/projects/-home-jane-work/memory/MEMORY.md"):
        path = world.home.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# Rules\n" + "".join(section(world, path.stem, kind) for kind in KINDS))
        os.utime(path, (1_785_000_000, 1_785_000_000))


# --- what cannot be read ------------------------------------------------------------------------


def damaged(world: World, kind: str) -> None:
    """Write sessions that are skipped or broken, so that their names are told to the person."""
    folder = world.home.root / ".claude" / "projects" / "-home-jane-work"
    name = world.secret("name of a skipped session", kind, in_name=True)
    write(folder / f"{name}.jsonl", [typed("Hi.") | {"uuid": f"u{name}", "sessionId": name}])
    name = world.secret("name of a broken session", kind, in_name=True)
    path = folder / f"{name}.jsonl"
    write(path, [typed("Hermes runs on the Mac mini now, since we have moved it there yesterday.")])
    with path.open("a") as file:
        file.write(f'{{"type": "user", {world.text("broken line", kind)}\n')
    os.utime(path, (1_785_000_000, 1_785_000_000))


# --- replies --------------------------------------------------------------------------------------


def reply(world: World, place: str, kind: str) -> dict[str, Any]:
    """Return a reply of a model with a secret of one kind in every field."""
    say = lambda field: world.text(f"{place} {field}", kind)  # noqa: E731
    name = lambda field: world.secret(f"{place} {field}", kind, in_name=True)  # noqa: E731
    return {
        "episode_summary": say("summary"),
        "entities": [
            {
                "name": "Hermes",
                "type": "service",
                "description": say("description"),
                "aliases": [name("alias")],
            },
            {"name": "Redis", "type": "tool", "description": "", "aliases": []},
            {"name": "Mac mini", "type": "machine", "description": "", "aliases": []},
            {"name": f"Relay {name('name')}", "type": "tool", "description": "", "aliases": []},
            {
                "name": name("bare name"),
                "type": "decision",
                "description": say("decision"),
                "aliases": [],
            },
            {"name": "Loki", "type": name("type"), "description": "", "aliases": []},
        ],
        "facts": [
            _fact(
                "Hermes",
                "runs_on",
                dst="Mac mini",
                fact=f"Hermes runs on the Mac mini; {say('fact')}.",
            ),
            _fact(
                "Hermes",
                "uses",
                dst="Redis",
                fact="Hermes uses Redis.",
                qualifier=name("qualifier"),
            ),
            _fact(
                "Hermes", "status", value=name("value"), fact=f"Hermes is {name('value in fact')}."
            ),
            _fact("Hermes", name("relation"), dst="Redis", fact="Hermes likes Redis."),
            _fact("Hermes", "uses", dst=name("unknown dst"), fact="Hermes uses what it has."),
            _fact(name("unknown src"), "uses", dst="Redis", fact="It uses Redis."),
            _fact(
                "Hermes",
                "uses",
                dst="Redis",
                fact="Hermes uses it.",
                valid_from=name("date"),
                stance=name("stance"),
                supersedes=name("supersedes"),
            ),
        ],
        name("unknown field"): say("unknown field's value"),
    }


def _fact(src: str, relation: str, **more: Any) -> dict[str, Any]:
    return {"src": src, "relation": relation, "confidence": 0.9, "turn": 2, **more}


def answers(world: World, place: str) -> list[dict[str, Any]]:
    """Return what a server answers, one a kind, all with their secrets."""
    return [saying(reply(world, f"reply to {place}", kind)) for kind in KINDS]


def errors(world: World) -> list[dict[str, Any]]:
    """Return errors and useless replies that hold secrets, two a kind."""
    out = []
    for kind in KINDS:
        told = json.dumps({"error": {"message": world.text("message of an error", kind)}})
        out.append({"status": 400, "body": told})
        out.append(saying(world.text("reply that is no JSON", kind)))
        out.append({"status": 400, "body": world.text("error that is no JSON", kind)})
    return out
