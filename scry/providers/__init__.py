"""The models' APIs, one module each; the only home of HTTP to a model.

A new provider is a module with a class, and a line in `PROVIDERS`.  Each is imported only when it is
asked for, because most commands never talk to a model.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol, cast

from scry.errors import ConfigError
from scry.match import nearest
from scry.ports import Meter, Provider

PROVIDERS = {
    "openai": "scry.providers.openai:OpenAI",
    "anthropic": "scry.providers.anthropic:Anthropic",
    "ollama": "scry.providers.ollama:Ollama",
    "gemini": "scry.providers.gemini:Gemini",
    "command": "scry.providers.command:Command",
    "canned": "scry.providers.canned:Canned",
}
"""`module:class` for each `type` of the configuration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSpec:
    """One entry of the configured chain, as far as a provider needs it."""

    id: str
    """Our name for it, shown in logs and provenance."""
    type: str
    base_url: str = ""
    model: str = ""
    """Opaque; sent byte for byte, never parsed."""
    api_key: str = field(default="", repr=False)
    """Where the key is, never the key: `env:NAME`, `file:PATH` or `cmd:ARGV`; "" for none."""
    structured: str = "auto"
    """How the shape of the answer is asked for: auto json_schema tool json_object prompt."""
    timeout_s: float = 120.0
    """Seconds for one answer, from the first byte sent to the last one read."""
    options: Mapping[str, object] = field(default_factory=dict)
    """Fields of the request that are passed on; see `settings`."""
    preset: str = ""
    """A command that is known: claude, codex or llm."""
    argv: tuple[str, ...] = ()
    """A command of one's own."""
    max_output_tokens: int = 0
    """Where a server must be told; 0 leaves it to the provider."""

    @property
    def name(self) -> str:
        """The name that an episode keeps of who answered: `deepseek/deepseek-v4-flash`."""
        return f"{self.id}/{self.model}" if self.model else self.id

    @property
    def settings(self) -> dict[str, object]:
        """The options as a server takes them: numbers and booleans that were read as text are such."""
        return {key: _typed(value) for key, value in self.options.items()}


def _typed(value: object) -> object:
    match value:
        case str() if re.fullmatch(r"true|false|null|-?\d{1,15}(\.\d+)?(e-?\d{1,2})?", value):
            return json.loads(value) if not re.match(r"-?0\d", value) else value
        case dict():
            return {key: _typed(inner) for key, inner in value.items()}
        case list():
            return [_typed(inner) for inner in value]
        case _:
            return value


class Unmetered:
    """A meter that neither counts nor remembers anything beyond its own life."""

    def __init__(self) -> None:
        self._mode = ""

    def request(self) -> None:
        """Let every request pass."""

    def used(self, tokens_in: int, tokens_out: int) -> None:
        """Forget what was used."""

    def mode(self) -> str:
        """Return the mode that was kept last."""
        return self._mode

    def keep_mode(self, mode: str) -> None:
        """Keep a mode as long as this lives."""
        self._mode = mode


class _ProviderClass(Protocol):
    def of(self, spec: ProviderSpec, environ: Mapping[str, str], meter: Meter) -> Provider:
        """Make a provider of one entry of the configuration."""


def make_provider(
    spec: ProviderSpec, *, environ: Mapping[str, str] | None = None, meter: Meter | None = None
) -> Provider:
    """Return the provider that an entry of the configuration describes.

    Args:
        spec: the entry.
        environ: where `env:` keys are looked up; by default this process's own.
        meter: counts requests and tokens, and keeps what is learnt of the server.

    Raises:
        ConfigError: there is no such type, or the entry lacks what the type needs.
    """
    if spec.type not in PROVIDERS:
        near = nearest(spec.type, PROVIDERS) or sorted(PROVIDERS)
        raise ConfigError(
            f"extraction.chain, '{spec.id}': there is no provider of type '{spec.type}'. "
            f"Did you mean {' or '.join(near)}?"
        )
    module, _, name = PROVIDERS[spec.type].partition(":")
    made = cast("_ProviderClass", getattr(import_module(module), name))
    return made.of(spec, os.environ if environ is None else environ, meter or Unmetered())
