"""`~/.scry/config.yaml`, the only configuration, from a parsed mapping to values.

Without a file the chain is `rules`: no key, no network.  No remote model is a default, and keys
are references (`env:NAME`, `file:PATH`, `cmd:COMMAND`), never values.  An unknown key is an error
that names the nearest known one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from scry.errors import ConfigError
from scry.match import nearest

TYPES = ("rules", "openai")
STRUCTURED = ("auto", "json_schema", "tool", "json_object", "prompt")
_LINK = ("id", "type", "base_url", "model", "api_key", "structured", "timeout", "options")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One extractor of the chain, as configured.  `timeout` is in seconds for a whole call."""

    id: str
    type: str
    base_url: str = ""
    model: str = ""
    api_key: str = ""
    structured: str = "auto"
    timeout: float = 120.0
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that can be configured.

    `cooldown` is (failures in a row, seconds of rest) for an extractor that does not answer.
    """

    chain: tuple[Link, ...] = (Link(id="rules", type="rules"),)
    attempts: int = 6
    cooldown: tuple[int, float] = (3, 900.0)


def read_config(data: object, where: str) -> Config:
    """Return the configuration that a parsed YAML document describes.

    Every scalar of `data` is text, as the store's reader gives it.

    Raises:
        ConfigError: it says which key of which file, and what would be right.
    """
    if data in (None, "", {}):
        return Config()
    top = _mapping(data, where, "the file")
    _known(top, ("version", "extraction"), where)
    version = top.get("version", "1")
    if version != "1":
        raise ConfigError(f"{where}: version is {version}; this Scry reads version 1.")
    extraction = _mapping(top.get("extraction") or {}, where, "extraction")
    _known(extraction, ("chain", "attempts", "cooldown", "budget"), f"{where}: extraction")
    attempts = _mapping(extraction.get("attempts") or {}, where, "extraction.attempts")
    rest = _mapping(extraction.get("cooldown") or {}, where, "extraction.cooldown")
    _known(attempts, ("per_episode", "give_up_after_days"), f"{where}: extraction.attempts")
    _known(rest, ("failures", "seconds"), f"{where}: extraction.cooldown")
    return Config(
        chain=_chain(extraction.get("chain"), where),
        attempts=int(_number(attempts.get("per_episode", "6"), where, "attempts.per_episode")),
        cooldown=(
            int(_number(rest.get("failures", "3"), where, "cooldown.failures")),
            _number(rest.get("seconds", "900"), where, "cooldown.seconds"),
        ),
    )


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
    _known(data, _LINK, where)
    kind = str(data.get("type", ""))
    if kind not in TYPES:
        raise ConfigError(f"{where}: type is '{kind}'. It is one of {', '.join(TYPES)}.")
    missing = [key for key in ("base_url", "model") if kind != "rules" and not data.get(key)]
    if missing:
        raise ConfigError(f"{where}: an extractor of type {kind} needs {' and '.join(missing)}.")
    key = str(data.get("api_key") or "")
    if key and not key.startswith(("env:", "file:", "cmd:")):
        # The value is not repeated: it may be the key itself.
        raise ConfigError(
            f"{where}: api_key must be a reference (env:NAME, file:PATH or cmd:COMMAND), "
            "never the key itself."
        )
    structured = str(data.get("structured") or "auto")
    if structured not in STRUCTURED:
        raise ConfigError(f"{where}: structured is one of {', '.join(STRUCTURED)}.")
    return Link(
        id=str(data.get("id") or kind),
        type=kind,
        base_url=str(data.get("base_url") or ""),
        model=str(data.get("model") or ""),
        api_key=key,
        structured=structured,
        timeout=_number(data.get("timeout") or "120", where, "timeout"),
        options=_mapping(data.get("options") or {}, where, "options"),
    )


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
