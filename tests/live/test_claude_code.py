"""The real Claude Code as an extractor, against a model on loopback, in a throwaway home."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from live.model_servers import ModelServer, model_server
from live.real_programs import ANSWER, AROUND, Agent, check_ingested, claude_code, show
from replycases import chunk_of

from scry.errors import ExtractionError
from scry.extract.model import ModelExtractor
from scry.providers import ProviderSpec, make_provider

pytestmark = pytest.mark.live
CHUNK = chunk_of("ferrybot keeps the timetable in SQLite. Its tests are run with `pytest -q`.")
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
KEY = "loop" + "back"


def settle(root: Path, server: ModelServer, *, key: str = KEY) -> Agent:
    """Return a home in which each hook, and a server of MCP, leaves a mark when it runs."""
    environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": key}
    agent = Agent(root, claude_code(), {k: v for k, v in environ.items() if v})
    folder = agent.home.root / ".claude"
    folder.mkdir()
    hooks = {
        event: [{"hooks": [{"type": "command", "command": agent.mark(event), "timeout": 5}]}]
        for event in EVENTS
    }
    (folder / "settings.json").write_text(json.dumps({"hooks": hooks}))
    starts = {
        "type": "stdio",
        "command": "/bin/sh",
        "args": ["-c", f"{agent.mark('mcp')}; sleep 1"],
    }
    (agent.home.root / ".claude.json").write_text(json.dumps({"mcpServers": {"seen": starts}}))
    return agent


def extractor(agent: Agent, **more: str) -> ModelExtractor:
    spec = ProviderSpec(id="agent", type="command", preset="claude", model="haiku", timeout_s=60)
    return ModelExtractor(make_provider(spec, environ=agent.home.environ | more))


def test_in_plain_use_the_hooks_fire_the_server_starts_and_a_transcript_is_left(tmp_path: Path):
    with model_server("Hello.") as server:
        agent = settle(tmp_path, server)
        work = tmp_path / "work"
        work.mkdir()
        subprocess.run(
            [agent.bin / "claude", "-p", "--output-format", "json"],
            input=b"hello",
            env=agent.home.environ,
            cwd=work,
            capture_output=True,
            check=True,
            timeout=60,
        )

    assert agent.marked() == {*EVENTS, "mcp"}
    assert agent.files("*.jsonl")


def test_an_extraction_is_answered_and_leaves_no_trace(tmp_path: Path):
    with model_server(ANSWER) as server:
        agent = settle(tmp_path, server)
        extraction = extractor(agent, **AROUND).extract(CHUNK, [])

    (asked,) = server.questions("/v1/messages")
    show("request:", len(json.dumps(asked)), "bytes;", [t["name"] for t in asked["tools"]])
    assert {entity.name for entity in extraction.entities} >= {"ferrybot", "SQLite"}
    assert extraction.extractor == "agent/haiku"
    assert (extraction.tokens_in, extraction.tokens_out) == (100, 20)
    assert {tool["name"] for tool in asked["tools"]} <= {
        "StructuredOutput",
        "DeferredToolPlaceholder",
    }
    assert "ferrybot keeps the timetable in SQLite" in json.dumps(asked["messages"])
    assert "You extract durable knowledge" in json.dumps(asked["system"])
    assert agent.marked() == set()
    left = agent.files("*.jsonl", "projects/**/*", "telemetry/*")
    assert left == []
    show("left in the home:", sorted(str(p.relative_to(agent.home.root)) for p in agent.files("*")))


def test_a_session_goes_through_the_command_line_and_claude_into_a_commit(tmp_path: Path):
    with model_server(ANSWER) as server:
        agent = settle(tmp_path, server)
        agent.configure("claude", "haiku")
        check_ingested(agent, "agent/haiku")

    assert server.questions("/v1/messages")
    assert agent.marked() == set()
    assert agent.files("*.jsonl") == []


@pytest.mark.parametrize(
    ("answer", "status", "key", "kind"),
    [
        (ANSWER, 401, KEY, "permanent"),
        (ANSWER, 429, KEY, "quota"),
        (ANSWER, 529, KEY, "transport"),
        (ANSWER, 400, KEY, "content"),
        (ANSWER, 200, "", "permanent"),
        ("I would rather talk.", 200, KEY, "content"),
        ({"unasked": 1}, 200, KEY, "content"),
    ],
)
def test_what_the_server_says_becomes_the_kind_of_the_failure(
    tmp_path: Path, answer: Any, status: int, key: str, kind: str
):
    with model_server(answer, status=status) as server:
        agent = settle(tmp_path, server, key=key)
        with pytest.raises(ExtractionError) as caught:
            extractor(agent).extract(CHUNK, [])

    show(f"{caught.value.kind}: {caught.value}")
    assert caught.value.kind == kind
    assert agent.marked() == set()


def test_an_answer_in_prose_that_holds_the_object_is_used(tmp_path: Path):
    with model_server(f"Here it is:\n```json\n{json.dumps(ANSWER)}\n```") as server:
        extraction = extractor(settle(tmp_path, server)).extract(CHUNK, [])

    assert extraction.claims
