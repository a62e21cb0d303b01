"""The real Codex as an extractor, against a model on loopback, in a throwaway home."""

import json
import subprocess
from pathlib import Path
from typing import IO, Any

import pytest
from live.model_servers import ModelServer, model_server
from live.real_programs import ANSWER, AROUND, Agent, check_ingested, codex, show
from replycases import chunk_of

from scry.errors import ExtractionError
from scry.extract.model import ModelExtractor
from scry.providers import ProviderSpec, make_provider

pytestmark = pytest.mark.live
CHUNK = chunk_of("ferrybot keeps the timetable in SQLite. Its tests are run with `pytest -q`.")
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")


def settle(root: Path, server: ModelServer) -> Agent:
    """Return a home in which each hook, `notify` and two servers leave a mark; the hooks are trusted."""
    agent = Agent(root, codex(), {"LOOPBACK_KEY": "loop" + "back"})
    folder = agent.home.root / ".codex"
    folder.mkdir()
    hooks = {
        event: [{"hooks": [{"type": "command", "command": agent.mark(event), "timeout": 3}]}]
        for event in EVENTS
    }
    (folder / "hooks.json").write_text(json.dumps({"hooks": hooks}))
    servers = "".join(
        f'[mcp_servers.{key}]\ncommand = "/bin/sh"\nargs = ["-c", "{agent.mark(mark)}; sleep 1"]\n'
        for key, mark in (("seen", "mcp"), ('"with.dot"', "mcp-dotted"))
    )
    config = folder / "config.toml"
    config.write_text(
        'model_provider = "near"\nmodel = "m-1"\n'
        f'notify = ["/bin/sh", "-c", "{agent.mark("notify")}"]\n'
        f'[model_providers.near]\nname = "near"\nbase_url = "{server.url}/v1"\n'
        f'wire_api = "responses"\nenv_key = "LOOPBACK_KEY"\n{servers}'
    )
    config.write_text(config.read_text() + _trust(agent))
    return agent


def _trust(agent: Agent) -> str:
    """Return what a person's "yes" to each hook writes into the configuration."""
    process = subprocess.Popen(
        [agent.bin / "codex", "app-server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=agent.home.environ,
        cwd=agent.home.root,
    )
    with process:
        assert process.stdin
        assert process.stdout
        me = {"clientInfo": {"name": "test", "version": "1"}}
        _say(process.stdin, {"id": 1, "method": "initialize", "params": me})
        _hear(process.stdout, 1)
        _say(process.stdin, {"method": "initialized"})
        here = {"cwds": [str(agent.home.root)]}
        _say(process.stdin, {"id": 2, "method": "hooks/list", "params": here})
        listed = _hear(process.stdout, 2)["result"]["data"]
        process.kill()
    hooks = [hook for place in listed for hook in place["hooks"]]
    assert len(hooks) == len(EVENTS)
    return "".join(
        f"[hooks.state.{json.dumps(hook['key'])}]\ntrusted_hash = {json.dumps(hook['currentHash'])}\n"
        for hook in hooks
    )


def _say(pipe: IO[bytes], message: dict[str, Any]) -> None:
    pipe.write(json.dumps(message).encode() + b"\n")
    pipe.flush()


def _hear(pipe: IO[bytes], number: int) -> dict[str, Any]:
    while line := pipe.readline():
        message = json.loads(line)
        if message.get("id") == number:
            return dict(message)
    raise AssertionError("the server ended")


def extractor(agent: Agent, **more: str) -> ModelExtractor:
    spec = ProviderSpec(id="agent", type="command", preset="codex", model="m/1:2", timeout_s=60)
    return ModelExtractor(make_provider(spec, environ=agent.home.environ | more))


def test_in_plain_use_the_hooks_fire_the_servers_start_and_a_rollout_is_left(tmp_path: Path):
    with model_server("Hello.") as server:
        agent = settle(tmp_path, server)
        work = tmp_path / "work"
        work.mkdir()
        subprocess.run(
            [agent.bin / "codex", "exec", "--json", "--skip-git-repo-check", "-"],
            input=b"hello",
            env=agent.home.environ,
            cwd=work,
            capture_output=True,
            check=True,
            timeout=60,
        )

    assert agent.marked() == {*EVENTS, "mcp", "mcp-dotted", "notify"}
    assert agent.files("rollout-*")


def test_an_extraction_is_answered_and_leaves_no_trace(tmp_path: Path):
    with model_server(ANSWER) as server:
        agent = settle(tmp_path, server)
        extraction = extractor(agent, **AROUND).extract(CHUNK, [])

    (asked,) = server.questions("/v1/responses")
    tools = {tool.get("name") or tool["type"] for tool in asked.get("tools", [])}
    show("request:", len(json.dumps(asked)), "bytes;", sorted(tools))
    assert {entity.name for entity in extraction.entities} >= {"ferrybot", "SQLite"}
    assert extraction.extractor == "agent/m/1:2"
    assert (extraction.tokens_in, extraction.tokens_out) == (100, 20)
    assert asked["model"] == "m/1:2"
    assert asked["text"]["format"]["type"] == "json_schema"
    assert tools <= {"request_user_input"}
    assert "ferrybot keeps the timetable in SQLite" in json.dumps(asked["input"])
    assert agent.marked() == set()
    assert agent.files("rollout-*", "*.jsonl", "sessions/**/*") == []
    show("left in the home:", sorted(str(p.relative_to(agent.home.root)) for p in agent.files("*")))


def test_a_session_goes_through_the_command_line_and_codex_into_a_commit(tmp_path: Path):
    with model_server(ANSWER) as server:
        agent = settle(tmp_path, server)
        agent.configure("codex", "m/1:2")
        check_ingested(agent, "agent/m/1:2")

    assert server.questions("/v1/responses")
    assert agent.marked() == set()
    assert agent.files("rollout-*", "*.jsonl") == []


@pytest.mark.parametrize(
    ("answer", "status", "kind"),
    [
        (ANSWER, 401, "permanent"),
        (ANSWER, 429, "quota"),
        (ANSWER, 400, "content"),
        ("I would rather talk.", 200, "content"),
    ],
)
def test_what_the_server_says_becomes_the_kind_of_the_failure(
    tmp_path: Path, answer: Any, status: int, kind: str
):
    with model_server(answer, status=status) as server:
        agent = settle(tmp_path, server)
        with pytest.raises(ExtractionError) as caught:
            extractor(agent).extract(CHUNK, [])

    show(f"{caught.value.kind}: {caught.value}")
    assert caught.value.kind == kind
    assert agent.marked() == set()
