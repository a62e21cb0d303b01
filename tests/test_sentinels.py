"""No secret leaves: one of each kind is put wherever a text can come from, and looked for after."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import sentinel_places as places
import sentinels
from faces import Home, model
from sentinels import KINDS, SPEECH, World

ASKED = ("Hermes", "what runs on the Mac mini", "Redis", "nothing known", "what went on")


@dataclass
class Journey:
    """What was said, sent and stored while everything that is planted was taken in."""

    world: World
    printed: dict[str, str] = field(default_factory=dict)
    sent: list[str] = field(default_factory=list)

    def run(self, *arguments: str, **more: Any) -> str:
        """Run a command and keep what it prints, under its name."""
        code, out, err = self.world.home.run(*arguments, **more)
        assert "Traceback" not in err, f"{arguments}: exit {code}: {err}"
        key = " ".join(arguments[:1]) if arguments[0] in ("remember", "recall") else arguments[0]
        key += " --json" * ("--json" in arguments) + " --prompt" * ("--prompt" in arguments)
        self.printed[key] = self.printed.get(key, "") + f"\n{out}\n{err}"
        return out


@pytest.fixture(scope="module")
def journey(tmp_path_factory: pytest.TempPathFactory) -> Journey:
    home = Home(tmp_path_factory.mktemp("sentinels") / "home")
    world = World(home)
    for kind in KINDS:
        home.environ[sentinels.env_name(kind)] = world.secret("environment variable", kind)
    made = Journey(world)
    _stage(made, places.answers(world, "claude"), _claude)
    _stage(made, places.answers(world, "codex"), _codex)
    _stage(made, places.answers(world, "notes"), places.notes)
    _stage(made, places.errors(world), _runs)
    _remember(made)
    _read(made)
    return made


def _stage(made: Journey, script: list[dict[str, Any]], plant: Any) -> None:
    plant(made.world)
    with model(made.world.home, *script) as server:
        config = made.world.home.root / ".scry" / "config.yaml"
        config.write_text(f"{config.read_text()}  cooldown: {{failures: 1000, seconds: 1}}\n")
        made.run("sweep", "--idle", "0", "--yes", "--dry-run")
        made.run("sweep", "--idle", "0", "--yes", "--json")
        for command in (["retry"], ["retry", "--json"]):
            made.run("pending")
            made.run(*command)
        made.sent += [f"{line}\n{headers}\n{body!r}" for line, headers, body in server.requests]


def _claude(world: World) -> None:
    for number, kind in enumerate(KINDS):
        sentinels.claude(world, number, kind)
        places.damaged(world, kind)


def _codex(world: World) -> None:
    for number, kind in enumerate(KINDS):
        places.codex(world, number, kind)


def _runs(world: World) -> None:
    for kind in KINDS:
        places.run(world, kind)


def _remember(made: Journey) -> None:
    """Say every kind in every field, without a model, and once with a name that cannot be one."""
    say, token = made.world.text, made.world.secret
    (made.world.home.root / ".scry" / "config.yaml").unlink()
    for kind in KINDS:
        made.run("remember", say("remembered text", kind), "--entity", "Hermes")
        named = ("--entity", f"Gate {token('remembered entity', kind, in_name=True)}")
        made.run("remember", f"It uses {kind}.", *named, "--relation", "uses", "--dst", "Redis")
        more = ("--value", token("remembered value", kind), "--qualifier", token("qualifier", kind))
        made.run("remember", f"It has {kind}.", "--entity", "Hermes", "--relation", "status", *more)
        verb = ("--relation", token("remembered relation", kind, in_name=True), "--dst", "Redis")
        made.run("remember", f"It likes {kind}.", "--entity", "Hermes", *verb)
        bad = f"{token('name that cannot be one', kind)} {'x' * 130}"
        made.run("remember", "A.", "--entity", bad, "--relation", "uses", "--dst", "Redis")
        made.run("remember", "A.", "--type", token("wrong type", kind), "--entity", "Hermes",
                 "--relation", "uses", "--dst", "Redis")  # fmt: skip


def _read(made: Journey) -> None:
    """Ask everything there is to ask."""
    for query in ASKED:
        made.run("recall", query)
        made.run("recall", query, "--json", "--limit", "500", "--ended")
    for command in (["log", "-n", "500"], ["status"], ["check", "--deep"], ["entities"], ["facts", "Hermes"],
                    ["pending"], ["pending", "--prompt"], ["episodes", "Hermes"]):  # fmt: skip
        made.run(*command)
        made.run(*command, "--json")
    for path in sorted(made.world.home.store.rglob("*.md")):
        folder, *inner = path.relative_to(made.world.home.store).parts
        if folder == "episodes":
            made.run("show", path.stem, "--source")
        elif folder == "review" or (folder == "facts" and "hermes" in inner):
            made.run("why", str(path))
        elif folder == "entities":
            made.run("show", str(path), "--json")
    sessions = sorted(made.world.home.root.glob(".claude/projects/*/*.jsonl"))
    made.run("ingest", *map(str, sessions), "--offline", "--json")
    for kind in KINDS:
        made.run(
            "ingest", f"/nowhere/{made.world.secret('missing file', kind, in_name=True)}.jsonl"
        )
        made.run("recall", made.world.secret("asked for", kind, in_name=True))
    for cwd in sorted((made.world.home.root / "src").iterdir()):
        made.run("orient", "--cwd", str(cwd), "--budget", "5000")
    made.printed["mcp"] = _served(made.world.home)


def _served(home: Home) -> str:
    """Return what the server says to a client that asks one thing after the other."""
    command = [sys.executable, "-m", "scry", "mcp"]
    pipe = subprocess.PIPE
    said = []
    with subprocess.Popen(
        command, env=home.environ, stdin=pipe, stdout=pipe, stderr=pipe, cwd=home.root
    ) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        for message in _protocol():
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
            if "id" in message:
                said.append(server.stdout.readline().decode())
        server.stdin.close()
        said.append(server.stderr.read().decode())
    return "".join(said)


def _protocol() -> Iterator[dict[str, Any]]:
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    yield {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}
    yield {"jsonrpc": "2.0", "method": "notifications/initialized"}
    calls = [("scry_recall", {"query": query}) for query in ASKED]
    calls += [
        ("scry_episodes", {"entity": "Hermes"}),
        ("scry_memory_path", {"from": "Hermes", "to": "Redis"}),
    ]
    for number, (name, given) in enumerate(calls, start=1):
        params = {"name": name, "arguments": given}
        yield {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def _told(found: dict[str, set[str]]) -> str:
    """Return the leaks, a line for each file or command and each place planted, with the kinds."""
    lines = []
    for where, leaks in found.items():
        for place in sorted({leak.partition(" / ")[0] for leak in leaks}):
            kinds = sorted(kind for kind in KINDS if f"{place} / {kind}" in leaks)
            few = ", ".join(kinds) if len(kinds) < 8 else f"{len(kinds)} kinds"
            lines.append(f"{where}: {place}: {few}")
    return "\n".join(lines)


def _search(made: Journey, texts: dict[str, str]) -> dict[str, set[str]]:
    found = {where: made.world.leaks(text) for where, text in texts.items()}
    return {where: leaks for where, leaks in found.items() if leaks}


def _files(made: Journey) -> dict[str, str]:
    """Return all files below SCRY_HOME by a name without its particulars, paths and all."""
    out: dict[str, str] = {}
    top = made.world.home.root / ".scry"
    for path in sorted(top.rglob("*")):
        inside = path.relative_to(top)
        place = "/".join(inside.parts[:4]) if ".git" in inside.parts else inside.parts[0]
        if len(inside.parts) > 1 and ".git" not in inside.parts:
            place = "/".join(inside.parts[:2])
        if ".git" in inside.parts and inside.parts[2:3] == ("objects",):
            continue  # Compressed; git itself is asked for them.
        body = path.read_bytes().decode("latin-1") if path.is_file() else ""
        out[place] = out.get(place, "") + f"\n{inside}\n{body}"
    return out


def test_no_secret_is_in_a_file_of_the_store(journey: Journey) -> None:
    files = _files(journey)
    assert {"store/facts", "store/entities", "store/episodes", "store/.git/scry"} & files.keys()
    found = _search(journey, files)
    assert not found, f"\n{_told(found)}"


def test_no_secret_is_in_a_git_object(journey: Journey) -> None:
    command = [
        "git",
        "-C",
        str(journey.world.home.store),
        "cat-file",
        "--batch-all-objects",
        "--batch",
    ]
    whole = subprocess.run(command, check=True, capture_output=True).stdout
    assert b"Scry-Episode:" in whole
    found = _search(journey, {"git objects": whole.decode("latin-1")})
    assert not found, f"\n{_told(found)}"


def test_no_secret_has_reached_the_provider(journey: Journey) -> None:
    assert len(journey.sent) > 4 * len(KINDS)
    found = _search(journey, {"requests": "\n".join(journey.sent)})
    assert not found, f"\n{_told(found)}"


def test_no_secret_is_printed_by_any_command(journey: Journey) -> None:
    found = _search(journey, journey.printed)
    assert not found, f"\n{_told(found)}"


def test_the_words_beside_the_secrets_have_arrived(journey: Journey) -> None:
    """Without them, a place that is no longer read would count as clean."""
    evidence = "\n".join(_files(journey).values())
    other = """codex prompt|codex request|codex answer|codex agent message|CLAUDE text
        |MEMORY text|run goal|run plan|run reason|remembered text""".replace("\n", "").split("|")
    places = [*(place.strip() for place in SPEECH), *(place.strip() for place in other)]
    missing = [place for place in places if f"the {place} said" not in evidence]
    assert not missing
    for place in ("claude", "codex", "notes"):
        assert f"the reply to {place} summary said" in evidence, place
    assert "the message of an error said" in journey.printed["pending"]


def test_the_search_finds_a_secret_however_it_is_written(journey: Journey) -> None:
    planted = {f"{place} / {kind}": parts for (place, kind), parts in journey.world.needles.items()}
    whole = [part.upper() for parts in planted.values() for part in parts]
    spoilt = "\n".join("-".join(part[at : at + 5] for at in range(0, 200, 5)) for part in whole)
    assert journey.world.leaks(spoilt) == {name for name, parts in planted.items() if parts}
