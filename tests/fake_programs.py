"""Small programs in a throwaway folder on PATH that note how they were asked and answer as told."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from replycases import chunk_of

from scry.errors import ExtractionError, ProviderError
from scry.extract.prompt import build_prompt
from scry.model import Known, Prompt
from scry.providers import ProviderSpec, Unmetered, make_provider
from scry.providers.command import Command

CHUNK = chunk_of("We moved Hermes to the mini.")
PROMPT = build_prompt(CHUNK, [Known(name="Hermes", type="service")])
SECRET = "open" + "-sesame-" + "4711xyz"
HELP = """
  --output-format <format>  --json-schema <schema>  --no-session-persistence
  --setting-sources <s>  --settings <s>  --strict-mcp-config  --tools <tools...>
  --system-prompt <prompt>  --model <model>
"""
RECORD = """
import json, os, sys
HERE = os.path.dirname(os.path.abspath(__file__))
def note(name):
    asked = {"argv": sys.argv[1:], "stdin": sys.stdin.read(), "env": dict(os.environ),
             "cwd": os.getcwd(), "files": os.listdir("."), "leader": os.getsid(0) == os.getpid()}
    with open(os.path.join(HERE, name + ".jsonl"), "a") as file:
        file.write(json.dumps(asked) + chr(10))
    return asked
def after(flag, argv=sys.argv):
    return argv[argv.index(flag) + 1]
"""


class Counting(Unmetered):
    """A meter that shows what it was told; it is spent after `most` requests."""

    def __init__(self, most: int = 99) -> None:
        super().__init__()
        self.most = most
        self.requests = 0
        self.tokens: list[tuple[int, int]] = []

    def request(self) -> None:
        self.requests += 1
        if self.requests > self.most:
            raise ProviderError("spent", kind="quota")

    def used(self, tokens_in: int, tokens_out: int) -> None:
        self.tokens.append((tokens_in, tokens_out))


class Programs:
    """A folder on PATH with programs in it, and what they noted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.meter = Counting()
        self.environ = {"PATH": str(folder), "HOME": str(folder / "home"), "LOGIN": "mine"}

    def write(self, name: str, body: str) -> Path:
        path = self.folder / name
        path.write_text(f"#!{sys.executable}\n{RECORD}\nasked = note({name!r})\n{body}\n")
        path.chmod(0o755)
        return path

    def claude(self, result: object, *, code: int = 0, help_: str = HELP, err: str = "") -> None:
        said = result if isinstance(result, str) else json.dumps(result)
        self.write(
            "claude",
            f"if asked['argv'] == ['--help']: print({help_!r}); sys.exit(0)\n"
            f"sys.stdout.write({said!r}); sys.stderr.write({err!r}); sys.exit({code})",
        )

    def codex(self, *events: object, servers: object = (), last: str | None = None) -> None:
        code = int(any(isinstance(e, dict) and e.get("type") == "turn.failed" for e in events))
        self.write(
            "codex",
            f"if asked['argv'][0] == 'mcp': print({json.dumps(servers)!r}); sys.exit(0)\n"
            "out = next(a for a in asked['argv'] if a.startswith('--output-last-message='))\n"
            f"if {last!r} is not None: open(out.partition('=')[2], 'w').write({last!r})\n"
            f"print({chr(10).join(map(json.dumps, events))!r}); sys.exit({code})",
        )

    def asked(self, name: str) -> list[dict[str, Any]]:
        """Return what a program was asked, its probes left out."""
        noted = self.noted(name)
        return [one for one in noted if one["argv"][:1] not in (["--help"], ["mcp"])]

    def noted(self, name: str) -> list[dict[str, Any]]:
        path = self.folder / f"{name}.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def provider(self, environ: Mapping[str, str] | None = None, **spec: Any) -> Command:
        values: dict[str, Any] = {"id": "x", "type": "command", "timeout_s": 20.0}
        made = ProviderSpec(**values | spec)
        provider = make_provider(made, environ=self.environ | dict(environ or {}), meter=self.meter)
        assert isinstance(provider, Command)
        return provider


def result(**more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 40, "cache_read_input_tokens": 60, "cache_creation_input_tokens": 3}
    base = {"type": "result", "subtype": "success", "is_error": False, "result": ""}
    return base | {"usage": usage | {"output_tokens": 20}} | more


def failure(provider: Command, prompt: Prompt = PROMPT) -> ExtractionError:
    with pytest.raises(ExtractionError) as caught:
        provider.complete(prompt)
    assert str(caught.value).startswith("x: ")
    assert "\n" not in str(caught.value)
    return caught.value
