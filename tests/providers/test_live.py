"""One small extraction from each real server for which this machine has a key: `pytest -m live`.

The models are asked for by `ANTHROPIC_MODEL`, `OPENAI_MODEL`, `GEMINI_MODEL` and `OLLAMA_MODEL`.
"""

import json
import os
import urllib.request

import pytest
from providerwires import CountingMeter
from replycases import chunk_of

from scry.extract.model import ModelExtractor
from scry.providers import ProviderSpec, make_provider

CHUNK = chunk_of(
    "We moved the Hermes relay from the laptop to the Mac mini, because its cold starts took 11 s.",
    "Done: Hermes runs on the Mac mini now, on port 8443.",
)
REMOTE = {
    "anthropic": ("ANTHROPIC_API_KEY", "claude-haiku-4-5", ""),
    "openai": ("OPENAI_API_KEY", "gpt-4.1-mini", "https://api.openai.com/v1"),
    "gemini": ("GEMINI_API_KEY", "gemini-2.5-flash", ""),
}


def _extract(spec: ProviderSpec) -> None:
    meter = CountingMeter()
    extraction = ModelExtractor(make_provider(spec, meter=meter)).extract(CHUNK, [])
    assert "hermes" in {entity.name.casefold() for entity in extraction.entities} | {
        word for entity in extraction.entities for word in entity.name.casefold().split()
    }
    assert extraction.claims
    assert meter.requests >= 1
    assert all(tokens > 0 for tokens in meter.tokens[0])


@pytest.mark.live
@pytest.mark.parametrize("kind", REMOTE)
def test_a_real_server_makes_entities_and_claims_of_a_few_words(kind):
    variable, model, url = REMOTE[kind]
    if not os.environ.get(variable):
        pytest.skip(f"{variable} is not set")
    _extract(
        ProviderSpec(
            id="live",
            type=kind,
            model=os.environ.get(f"{kind.upper()}_MODEL", model),
            base_url=os.environ.get(f"{kind.upper()}_BASE_URL", url),
            api_key=f"env:{variable}",
        )
    )


@pytest.mark.live
def test_a_model_on_this_machine_makes_entities_and_claims_of_a_few_words():
    host = os.environ.get("OLLAMA_HOST")
    if not host:
        pytest.skip("OLLAMA_HOST is not set")
    url = host if "://" in host else f"http://{host}"
    model = os.environ.get("OLLAMA_MODEL")
    if not model:
        with urllib.request.urlopen(f"{url}/api/tags", timeout=5) as answer:
            model = json.load(answer)["models"][0]["name"]
    _extract(ProviderSpec(id="live", type="ollama", model=model, base_url=url, timeout_s=600))
