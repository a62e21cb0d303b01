"""The real `llm` as an extractor, against a model on loopback, in a throwaway home.

SCRY_LIVE_LLM    where the program is; else PATH, else an environment of its own in SCRY_LIVE_CACHE
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from live.real_programs import ANSWER, show
from loopback import Loopback, completion, loopback
from replycases import chunk_of

from scry.errors import ExtractionError
from scry.extract.model import ModelExtractor
from scry.providers import ProviderSpec, make_provider

pytestmark = pytest.mark.live
CHUNK = chunk_of("ferrybot keeps the timetable in SQLite. Its tests are run with `pytest -q`.")
GOOD = completion(json.dumps(ANSWER))


def program() -> Path:
    """Return where `llm` is, or skip the test with the reason why it is nowhere."""
    if found := os.environ.get("SCRY_LIVE_LLM") or shutil.which("llm"):
        return Path(found).absolute()
    cache = Path(os.environ.get("SCRY_LIVE_CACHE") or Path.home() / ".cache" / "scry-live") / "llm"
    if not (cache / "bin" / "llm").exists():
        pip = [str(cache / "bin" / "python"), "-m", "pip", "install", "--quiet", "llm"]
        for command in ([sys.executable, "-m", "venv", str(cache)], pip):
            done = subprocess.run(command, capture_output=True, check=False, timeout=600)
            if done.returncode:
                pytest.skip(f"llm cannot be installed: {done.stderr.decode()[-300:]}")
    return cache / "bin" / "llm"


def extractor(root: Path, server: Loopback, *, shaped: bool) -> ModelExtractor:
    own = root / "llm"
    own.mkdir()
    (own / "extra-openai-models.yaml").write_text(
        f"- model_id: near\n  model_name: m/1:2\n  api_base: {server.url}/v1\n"
        f"  supports_schema: {str(shaped).lower()}\n"
    )
    folder = root / "bin"
    folder.mkdir()
    (folder / "llm").symlink_to(program())
    environ = {"HOME": str(root), "LLM_USER_PATH": str(own), "PATH": f"{folder}:/usr/bin:/bin"}
    spec = ProviderSpec(id="agent", type="command", preset="llm", model="near", timeout_s=60)
    return ModelExtractor(make_provider(spec, environ=environ))


def test_an_extraction_is_answered_and_nothing_is_logged(tmp_path: Path):
    with loopback(GOOD) as server:
        extraction = extractor(tmp_path, server, shaped=True).extract(CHUNK, [])

    (asked,) = server.bodies()
    assert asked["model"] == "m/1:2"
    assert asked["response_format"]["type"] == "json_schema"
    assert {entity.name for entity in extraction.entities} >= {"ferrybot", "SQLite"}
    assert (extraction.tokens_in, extraction.tokens_out) == (100, 20)
    logged = (tmp_path / "llm" / "logs.db").read_bytes()
    assert b"ferrybot" not in logged


def test_a_model_without_schemas_is_asked_without_one(tmp_path: Path):
    with loopback(GOOD) as server:
        extraction = extractor(tmp_path, server, shaped=False).extract(CHUNK, [])

    (asked,) = server.bodies()
    assert "response_format" not in asked
    assert extraction.claims


@pytest.mark.parametrize(("status", "kind"), [(401, "permanent"), (429, "quota"), (400, "content")])
def test_what_the_server_says_becomes_the_kind_of_the_failure(
    tmp_path: Path, status: int, kind: str
):
    refusal = {"status": status, "body": json.dumps({"error": {"message": "not today"}})}
    with loopback(refusal) as server, pytest.raises(ExtractionError) as caught:
        extractor(tmp_path, server, shaped=True).extract(CHUNK, [])

    show(f"{caught.value.kind}: {caught.value}")
    assert caught.value.kind == kind
