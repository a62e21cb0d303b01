"""Every case in `replies/cases`, over real HTTP, through the command line, into a real store."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from faces import Home
from loopback import Loopback, loopback
from replycases import Case, cases

from scry.model import Entity
from scry.store.codec import decode
from scry.text import slug_of

STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
TALK = (
    "We moved Hermes to the mini yesterday, that is the Mac mini which stands in the office.",
    "Understood, I have written it down: Hermes runs on the mini now, and nowhere else any more.",
)
WIRES = {"anthropic": "", "openai": "/v1"}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def configure(home: Home, wire: str, url: str) -> None:
    config = home.root / ".scry" / "config.yaml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(
        f'version: 1\nextraction:\n  chain:\n  - id: near\n    type: {wire}\n    model: "m"\n'
        f'    base_url: "{url}{WIRES[wire]}"\n    timeout: 3\n'
    )
    config.chmod(0o600)


def session(home: Home, case: Case) -> Path:
    """Write a session that names whatever a reply names, and nothing that must not be kept."""
    text = case.raw.decode("utf-8", "replace")
    strings = [s.strip('"') for s in STRING.findall(text)[:400]]
    hidden = case.expect.get("must_not_contain", ())
    said = " ".join(s for s in strings if not any(h in s for h in hidden))
    said = said.encode("utf-8", "replace").decode()[:20_000]
    return home.transcript(f"{TALK[0]} {said}", TALK[1])


def given(home: Home, case: Case) -> None:
    """Put into the store what a case takes for granted, as a person would."""
    for name, aliases in case.expect.get("given", {}).get("entities", {}).items():
        home.write(Entity(slug=slug_of(name), name=name, type="service", aliases=tuple(aliases)))
    if "given" in case.expect:
        home.git("config", "user.name", "Jane")
        home.git("config", "user.email", "jane@example.com")
        home.git("add", "-A")
        home.git("commit", "-qm", "given")


def everything(home: Home) -> bytes:
    """Return every byte that is kept: files, git's objects opened, messages."""
    packed = home.store / ".git" / "objects", home.store / ".git" / "index"
    every = (p for p in (home.root / ".scry").rglob("*") if p.is_file())
    files = [p for p in every if not any(p.is_relative_to(place) for place in packed)]
    # What git packs or lists in its own way holds any byte; its objects are opened below.
    files = [p for p in files if b"\0" not in p.read_bytes()]
    listed = home.git("cat-file", "--batch-all-objects", "--batch-check").splitlines()
    # Trees hold hashes as bytes; the names in them are those of the files.
    wanted = "\n".join(line.split()[0] for line in listed if line.split()[1] != "tree")
    objects = subprocess.run(
        ["git", "-C", home.store, "cat-file", "--batch"],
        input=wanted.encode(),
        capture_output=True,
        check=True,
    ).stdout
    names = "\n".join(map(str, files)).encode()
    return b"\n".join([names, objects, *(p.read_bytes() for p in files)])


def printed(home: Home) -> str:
    """Return all that the faces say about the store."""
    asked = ["orient", "recall Hermes", "recall mini", "log", "pending", "status", "entities"]
    outputs = [home.run(*question.split()) for question in asked]
    return "".join(out + err for _, out, err in outputs)


def recalled(home: Home) -> str:
    """Return what an agent is told, asked and unasked."""
    where = str(home.root / "hermes")
    asked = (("orient", "--cwd", where), ("recall", "Hermes"), ("recall", "mini"))
    return "".join(out for _, out, _ in (home.run(*question) for question in asked))


def check(home: Home, case: Case, episode: str, said: str, server: Loopback) -> None:
    want = case.expect
    record = home.call("show", episode)
    facts = {p.stem for p in (home.store / "facts").rglob("*.md")}
    held = [
        decode(str(p.relative_to(home.store)), p.read_bytes())
        for p in (home.store / "review").rglob("*.md")
    ]
    refused = [line for line in record.get("refused", ()) if re.match(r"(entities|facts)\[", line)]
    waits = [r for r in held if getattr(r, "src", "")]
    if want["outcome"] == "fallback":
        assert (record["extractor"], facts, held) == ("pending", set(), [])
        assert home.call("pending")["pending"][0]["reasons"]
    else:
        assert record["extractor"] == "near/m"
        assert len(record.get("declares", ())) == want["entities"]
        assert len(facts) == want["facts"]
        assert len(waits) >= want.get("quarantined", 0)
        assert bool(refused or waits) == (want["outcome"] == "partial") or "given" in want
    if "max_requests_to_this_provider" in want:
        assert len(server.requests) <= want["max_requests_to_this_provider"]
    shown = said + printed(home)
    told = recalled(home)
    kept = everything(home).decode("utf-8", "replace") + shown
    assert not [text for text in want.get("must_not_contain", ()) if text in kept]
    assert not [text for text in want.get("orientation_must_not_contain", ()) if text in told]
    assert "Traceback" not in shown


@pytest.mark.parametrize("case", cases(".txt"), ids=lambda case: case.name)
def test_a_reply_over_http_comes_to_what_its_case_says(home: Home, case: Case) -> None:
    start, end = (
        b'{"choices": [{"index": 0, "finish_reason": "stop", "message": {"content": ',
        b"}}]}",
    )
    body = start + _json_string(case.raw) + end
    home.call("init")
    given(home, case)
    with loopback({"body": body}) as server:
        configure(home, "openai", server.url)
        code, out, err = home.run("ingest", session(home, case), "--json")
        (episode,) = json.loads(out)["episodes"]
        check(home, case, episode, out + err, server)
    assert code in (0, 30)


@pytest.mark.parametrize("case", cases(".http.json"), ids=lambda case: case.name)
def test_what_a_server_does_comes_to_what_its_case_says(
    home: Home, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scry.providers.http._pause", lambda _: 0.0)
    act: dict[str, Any] = json.loads(case.raw)
    wire = "openai" if "choices" in json.dumps(act) else "anthropic"
    with loopback(*act.get("sequence", [act])) as server:
        url = server.url if act.get("behaviour") != "port closed" else "http://127.0.0.1:9"
        configure(home, wire, url)
        code, out, err = home.run("ingest", home.transcript(*TALK), "--json")
        (episode,) = json.loads(out)["episodes"]
        check(home, case, episode, out + err, server)
    assert code in (0, 30)


def _json_string(raw: bytes) -> bytes:
    """Return bytes as a JSON string; those that are no UTF-8 stay as they are."""
    try:
        return json.dumps(raw.decode()).encode()
    except UnicodeDecodeError:
        escaped = raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
        return b'"' + escaped.replace(b"\0", b"\\u0000").replace(b"\r", b"\\r") + b'"'
