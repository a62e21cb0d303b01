"""`~/.scry/config.yaml`, the only configuration, from a parsed mapping to values.

Without a file the chain is `rules`: no key, no network.  No remote model is a default, and keys
are references (`env:NAME`, `file:PATH`, `cmd:COMMAND`), never values.  An unknown key is an error
that names the nearest known one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import cast

from scry.errors import ConfigError
from scry.match import nearest

TYPES = ("rules", "openai", "anthropic", "ollama", "gemini", "command")
STRUCTURED = ("auto", "json_schema", "tool", "json_object", "prompt")
PRESETS = ("claude", "codex", "llm")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_NEEDS: Mapping[str, tuple[str, ...]] = {
    "rules": (),
    "openai": ("base_url", "model"),
    "anthropic": ("model",),
    "ollama": ("model",),
    "gemini": ("model",),
    "command": (),
}
"""What an extractor of each type cannot do without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One extractor of the chain, as configured.

    `timeout` is in seconds for a whole call.  `context_tokens` is the longest prompt that is sent,
    by our estimate; a longer one goes in parts, and 0 sets no limit.
    """

    id: str
    type: str
    base_url: str = ""
    model: str = ""
    api_key: str = ""
    structured: str = "auto"
    timeout: float = 120.0
    options: Mapping[str, object] = field(default_factory=dict)
    preset: str = ""
    argv: tuple[str, ...] = ()
    context_tokens: int = 0
    max_output_tokens: int = 0

    @property
    def name(self) -> str:
        """The name that an episode keeps of who answered: `deepseek/deepseek-v4-flash`."""
        if self.type == "rules":
            return "rules"
        return f"{self.id}/{self.model}" if self.model else self.id


_LINK = tuple(field.name for field in fields(Link))


_UNTIL = {"one session": 1, "two sessions": 2}
"""Until when what a machine says waits, unless a person accepts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one provider may be asked in a UTC day; 0 sets no limit."""

    calls_per_day: int = 0
    tokens_per_day: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that can be configured.

    `cooldown` is (failures in a row, seconds of rest) for an extractor that does not answer.
    An episode that was asked for `attempts` times, or waits for more than `give_up_after_days`
    days, waits for `scry retry`.
    """

    chain: tuple[Link, ...] = (Link(id="rules", type="rules"),)
    attempts: int = 6
    give_up_after_days: int = 30
    cooldown: tuple[int, float] = (3, 900.0)
    budget: Budget = Budget()
    deny: tuple[str, ...] = ()
    """Texts that are always masked."""
    allow: tuple[str, ...] = ()
    """Texts that are never masked."""
    off: tuple[str, ...] = ()
    """Sources that a sweep leaves out, by name."""
    exclude: tuple[str, ...] = ()
    """Folders (`~/secret`, `~/clients/*/private`) in whose sessions nothing is read."""
    notes: tuple[str, ...] | None = None
    """Notes of a project, as patterns relative to its folder; None for the usual ones."""
    sessions_needed: int = 1
    """How many sessions must say the same before it is a fact; what one has said waits."""


def read_config(data: object, where: str) -> Config:
    """Return the configuration that a parsed YAML document describes.

    Every scalar of `data` is text, as the store's reader gives it.

    Raises:
        ConfigError: it says which key of which file, and what would be right.
    """
    if data in (None, "", {}):
        return Config()
    top = _mapping(data, where, "the file")
    _known(top, ("version", "extraction", "redaction", "sources", "review"), where)
    version = top.get("version", "1")
    if version != "1":
        raise ConfigError(f"{where}: version is {version}; this Scry reads version 1.")
    extraction = _part(top, "extraction", ("chain", "attempts", "cooldown", "budget"), where)
    inner = f"{where}: extraction"
    attempts = _part(extraction, "attempts", ("per_episode", "give_up_after_days"), inner)
    rest = _part(extraction, "cooldown", ("failures", "seconds"), inner)
    budget = _part(extraction, "budget", ("calls_per_day", "tokens_per_day"), inner)
    redaction = _part(top, "redaction", ("deny", "allow"), where)
    sources = _part(top, "sources", ("off", "exclude", "notes"), where)
    review = _part(top, "review", ("until",), where)
    return Config(
        chain=_chain(extraction.get("chain"), where),
        attempts=_whole(attempts, "per_episode", 6, where),
        give_up_after_days=_whole(attempts, "give_up_after_days", 30, where),
        cooldown=(
            _whole(rest, "failures", 3, where),
            _number(rest.get("seconds", "900"), where, "cooldown.seconds"),
        ),
        budget=Budget(
            calls_per_day=_whole(budget, "calls_per_day", 0, where),
            tokens_per_day=_whole(budget, "tokens_per_day", 0, where),
        ),
        deny=_texts(redaction, "deny", where),
        allow=_texts(redaction, "allow", where),
        off=_texts(sources, "off", where),
        exclude=_texts(sources, "exclude", where),
        notes=_texts(sources, "notes", where) if "notes" in sources else None,
        sessions_needed=_UNTIL[_one_of(review, "until", tuple(_UNTIL), "one session", where)],
    )


def _part(
    data: Mapping[str, object], name: str, keys: tuple[str, ...], where: str
) -> Mapping[str, object]:
    """Return a part of the file, "" and a missing one as an empty mapping."""
    part = _mapping(data.get(name) or {}, where, name)
    _known(part, keys, f"{where}: {name}")
    return part


def _whole(data: Mapping[str, object], key: str, default: int, where: str) -> int:
    """Return a whole number above 0; the default where nothing is said."""
    return int(_number(data[key], where, key)) if key in data else default


def _texts(data: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
    """Return a list of texts; nothing said is an empty one."""
    items = data.get(key) or []
    if not isinstance(items, list) or not all(isinstance(item, str) and item for item in items):
        raise ConfigError(f"{where}: {key} is a list of texts, one `- ` line each.")
    return tuple(items)


def _chain(data: object, where: str) -> tuple[Link, ...]:
    if data in (None, ""):
        return Config().chain
    if not isinstance(data, list) or not data:
        raise ConfigError(
            f"{where}: extraction.chain is a list of extractors, tried in order; "
            "leave it out for the rules that need no model."
        )
    links = tuple(_link(item, f"{where}: extraction.chain[{n}]") for n, item in enumerate(data))
    names = [link.id for link in links]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ConfigError(f"{where}: two extractors have the id '{twice}'. Each needs its own.")
    return links


def _link(item: object, where: str) -> Link:
    data = _mapping(item, where, "it")
    for name in ("id", "type", "base_url", "model", "api_key"):
        value = data.get(name, "")
        if not isinstance(value, str) or not value.isprintable():
            raise ConfigError(f"{where}: {name} is one line of text. Put it in quotes.")
    _known(data, _LINK, where)
    kind = str(data.get("type", ""))
    if kind not in TYPES:
        raise ConfigError(f"{where}: type is '{kind}'. It is one of {', '.join(TYPES)}.")
    missing = [key for key in _NEEDS[kind] if not data.get(key)]
    if missing:
        raise ConfigError(f"{where}: an extractor of type {kind} needs {' and '.join(missing)}.")
    key = str(data.get("api_key") or "")
    if key and not key.startswith(("env:", "file:", "cmd:")):
        # The value is not repeated: it may be the key itself.
        raise ConfigError(
            f"{where}: api_key must be a reference (env:NAME, file:PATH or cmd:COMMAND), "
            "never the key itself."
        )
    if key.startswith("env:") and not _VARIABLE.fullmatch(key[4:].strip()):
        raise ConfigError(
            f"{where}: what stands behind env: in api_key cannot be the name of a variable. "
            "Write the name of the variable that holds the key, never the key itself."
        )
    argv = _texts(data, "argv", where)
    preset = _one_of(data, "preset", PRESETS, "", where)
    if kind == "command" and argv and preset:
        raise ConfigError(f"{where}: preset and argv exclude each other. Leave one of them out.")
    if kind == "command" and not (argv or preset):
        raise ConfigError(
            f"{where}: an extractor of type command needs a preset ({', '.join(PRESETS)}), "
            "or an argv of its own."
        )
    return Link(
        id=str(data.get("id") or kind),
        type=kind,
        base_url=str(data.get("base_url") or ""),
        model=str(data.get("model") or ""),
        api_key=key,
        structured=_one_of(data, "structured", STRUCTURED, "auto", where),
        timeout=_number(data.get("timeout") or "120", where, "timeout"),
        options=_mapping(data.get("options") or {}, where, "options"),
        preset=preset,
        argv=argv,
        context_tokens=_whole(data, "context_tokens", 0, where),
        max_output_tokens=_whole(data, "max_output_tokens", 0, where),
    )


def _one_of(
    data: Mapping[str, object], key: str, known: tuple[str, ...], default: str, where: str
) -> str:
    value = str(data.get(key) or default)
    if value != default and value not in known:
        raise ConfigError(f"{where}: {key} is one of {', '.join(known)}.")
    return value


def _mapping(data: object, where: str, what: str) -> Mapping[str, object]:
    if not isinstance(data, dict):
        raise ConfigError(f"{where}: {what} must be a mapping (`key: value` lines).")
    return cast("Mapping[str, object]", data)


def _known(data: Mapping[str, object], keys: tuple[str, ...], where: str) -> None:
    for key in data:
        if key not in keys:
            near = nearest(key, keys, limit=1)
            hint = f" Did you mean '{near[0]}'?" if near else f" Known are {', '.join(keys)}."
            raise ConfigError(f"{where}: there is no key '{key}'.{hint}")


def _number(value: object, where: str, what: str) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = -1.0
    if not 0 < number < 1e9:
        raise ConfigError(f"{where}: {what} must be a number above 0, not '{value}'.")
    return number
