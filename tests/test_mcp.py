"""The MCP server, asked by the SDK's own client over stdio, and by hand in the older protocol."""

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest
from faces import LATER, REDIS, RUNS, WORLD, Home
from make_records import day, make_episode, make_fact
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from scry.mcp import DESCRIPTIONS
from scry.memory import MAX_BYTES, Memory, RequestError, packed, stamp_of

T = TypeVar("T")
COMMAND = [sys.executable, "-m", "scry", "mcp"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.write(*WORLD)
    return made


@pytest.fixture
def memory(home: Home) -> Memory:
    return Memory(home.environ)


def _with_client(home: Home, ask: Callable[[Client], Awaitable[T]]) -> T:
    """Start `scry mcp`, let a client ask it, and return what came of that."""

    async def session() -> T:
        server = StdioServerParameters(
            command=COMMAND[0], args=COMMAND[1:], env=home.environ, cwd=home.root
        )
        with anyio.fail_after(60):
            async with Client(stdio_client(server)) as client:
                return await ask(client)

    return anyio.run(session)


def _text(result: Any) -> str:
    assert not result.is_error, result
    return "\n".join(block.text for block in result.content)


def test_a_client_finds_the_four_tools_with_what_it_needs_to_know(home: Home) -> None:
    async def ask(client: Client) -> Any:
        return await client.list_tools()

    tools = {tool.name: tool for tool in _with_client(home, ask).tools}

    assert list(tools) == ["scry_recall", "scry_episodes", "scry_memory_path", "scry_remember"]
    for name, tool in tools.items():
        assert tool.annotations.read_only_hint is (name != "scry_remember")
        assert tool.annotations.destructive_hint is False
        assert tool.annotations.open_world_hint is False
        assert tool.output_schema is None
        assert tool.description == DESCRIPTIONS[name]
    always = [name for name, tool in tools.items() if (tool.meta or {}).get("anthropic/alwaysLoad")]
    assert always == ["scry_recall", "scry_remember"]
    assert set(tools["scry_memory_path"].input_schema["required"]) == {"from", "to"}
    assert tools["scry_recall"].input_schema["required"] == ["query"]


def test_the_tools_say_what_the_command_line_says(home: Home) -> None:
    async def ask(client: Client) -> list[str]:
        return [
            _text(await client.call_tool("scry_recall", {"query": "the bot"})),
            _text(await client.call_tool("scry_episodes", {"entity": "Hermes"})),
            _text(await client.call_tool("scry_memory_path", {"from": "Mac mini", "to": "Redis"})),
        ]

    recalled, episodes, chain = _with_client(home, ask)

    assert recalled == home.run("recall", "the bot")[1].rstrip("\n")
    assert home.run("episodes", "Hermes")[1].strip() in episodes
    assert chain == home.run("path", "Mac mini", "Redis")[1].rstrip("\n")


def test_what_is_remembered_is_recalled_in_the_same_session(home: Home, tmp_path: Path) -> None:
    fresh = Home(tmp_path / "fresh")
    note = {
        "fact": "Zephyr runs on the Mac mini.",
        "entities": ["Zephyr"],
        "relation": "runs_on",
        "dst": "Mac mini",
        "type": "service",
    }

    async def ask(client: Client) -> list[str]:
        first = _text(await client.call_tool("scry_remember", note))
        recalled = _text(await client.call_tool("scry_recall", {"query": "Zephyr"}))
        return [first, recalled]

    said, recalled = _with_client(fresh, ask)

    (fact,) = fresh.call("facts", "Zephyr")["facts"]
    assert said.startswith("Remembered: ")
    assert fact["id"] in said
    assert "Zephyr runs on the Mac mini." in recalled
    assert fact["origin"] == "assistant"


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("scry_episodes", {"entity": "Hermse"}, "Nothing is called 'Hermse'. Did you mean Hermes?"),
        ("scry_memory_path", {"from": "Hermes", "to": "x9"}, "Nothing is called 'x9'."),
        ("scry_memory_path", {"from": "Hermes"}, "to: field required"),
        ("scry_recall", {"query": "Hermes", "limit": "many"}, "limit: "),
        ("scry_recall", {"query": " "}, "query is empty"),
        ("scry_recall", {"query": "Hermes", "as_of": "soonish"}, "as_of is no time"),
        ("scry_remember", {"fact": ""}, "the text is empty"),
        ("scry_remember", {"fact": "x", "relation": "uses"}, "--entity"),
    ],
)
def test_an_error_says_what_would_be_right(
    home: Home, tool: str, arguments: dict[str, object], says: str
) -> None:
    async def ask(client: Client) -> Any:
        return await client.call_tool(tool, arguments)

    result = _with_client(home, ask)

    assert result.is_error
    text = result.content[0].text
    assert says in text
    assert "Traceback" not in text
    assert "pydantic" not in text


def test_the_older_protocol_works_as_well_and_the_end_of_stdin_ends_the_server(home: Home) -> None:
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "scry_recall", "arguments": {"query": "Hermes"}},
        },
    ]
    with subprocess.Popen(
        COMMAND, env=home.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=home.root
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        answers = []
        for message in messages:
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
            if "id" in message:
                answers.append(json.loads(server.stdout.readline()))
        server.stdin.close()
        rest = server.stdout.read()
        code = server.wait(timeout=20)

    assert (code, rest) == (0, b"")
    assert [answer["id"] for answer in answers] == [1, 2]
    assert RUNS.fact in answers[1]["result"]["content"][0]["text"]


# --- the store behind it -----------------------------------------------------------------------------


def test_the_store_is_read_once_and_again_when_a_file_has_changed(
    home: Home, memory: Memory
) -> None:
    before = memory.recall("Redis", "", 20, "")
    index = memory._index

    assert memory.recall("Redis", "", 20, "") == before
    assert memory._index is index

    path = home.store / "entities" / "re" / "redis.md"
    when = path.stat()
    home.write(replace(REDIS, description="The queue of everything."))
    os.utime(path, ns=(when.st_atime_ns, when.st_mtime_ns + 1))

    assert "The queue of everything." in memory.recall("Redis", "", 20, "")


@pytest.mark.parametrize("change", ["new", "gone", "longer", "as long", "moved"])
def test_the_stamp_of_a_store_changes_with_any_file(home: Home, change: str) -> None:
    before = stamp_of(home.store)
    path = home.store / "entities" / "re" / "redis.md"
    match change:
        case "new":
            home.write(make_fact("Redis", "uses", "Hermes"))
        case "gone":
            path.unlink()
        case "longer":
            path.write_text(path.read_text() + "More.\n")
        case "as long":
            path.write_text(path.read_text().replace("Redis", "Rodis"))
        case _:
            path.rename(path.with_name("valkey.md"))

    assert stamp_of(home.store) != before


def test_an_answer_fits_and_tells_what_it_left_out(home: Home, memory: Memory) -> None:
    about: dict[str, Any] = {"declares": ("service | Hermes",), "summary": "Hermes, " * 40}
    home.write(*(make_episode(n, at=day(n), **about) for n in range(3, 60)))

    answer = memory.episodes("Hermes", 100)

    shown = sum(line.startswith("- ") for line in answer.splitlines())
    assert len(answer.encode()) <= MAX_BYTES
    assert answer.endswith(f"{58 - shown} more; raise the limit or ask for less.")


def test_an_answer_that_is_limited_tells_how_many_there_are(home: Home, memory: Memory) -> None:
    home.write(replace(LATER, declares=("service | Hermes",)))

    assert memory.episodes("Hermes", 1).endswith("1 more; raise the limit or ask for less.")


def test_nothing_is_told_when_all_is_shown() -> None:
    assert packed("Head:", ["- a", "- b"], 2) == "Head:\n- a\n- b"


def test_a_miss_is_an_answer_and_no_error(memory: Memory) -> None:
    assert memory.recall("Quux7", "", 20, "").startswith("Nothing is known about 'Quux7'.")


def test_an_answer_can_be_as_of_a_time(memory: Memory) -> None:
    assert "down" in memory.recall("Hermes", "2026-08-02", 20, "")
    assert "down" not in memory.recall("Hermes", "", 20, "")
    with pytest.raises(RequestError, match="Give a date"):
        memory.recall("Hermes", "whenever", 20, "")
