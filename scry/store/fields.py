"""The keys of each kind of record, in the order in which they are written.

A row says how a key's text becomes a value of the record and how that is written again.  Types
come from these rows, never from the look of a scalar: `value: no` is the word "no".
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from typing import Any

from scry.model import (
    ENTITY_TYPES,
    ORIGINS,
    PENDING,
    STANCES,
    Entity,
    Episode,
    Fact,
    Proposal,
    Record,
    Tombstone,
)
from scry.store.values import (
    WrongValueError,
    one_of,
    read_citation,
    read_count,
    read_share,
    read_span,
    read_time,
    write_citation,
    write_time,
)

Written = str | list[str]
"""A value as text: one scalar, or one a line."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its name, its field, how it is read and written, and what a missing one means.

    `typed` values (times, numbers) are written plain; text is quoted where it is ambiguous.
    """

    name: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    default: Any = ""
    required: bool = False
    many: bool = False
    typed: bool = False
    loose: bool = False
    """A list that is written as a scalar when it has one item."""
    always: bool = False
    """Written even where it says what a missing key would mean."""


def _text(name: str, *, required: bool = False, default: str | None = "") -> Key:
    return Key(name, str, required=required, default=default)


def _list(name: str) -> Key:
    return Key(name, str, default=(), many=True)


def _time(name: str, *, required: bool = False) -> Key:
    return Key(name, read_time, write_time, default=None, required=required, typed=True)


_CITATIONS = Key("episodes", read_citation, write_citation, default=(), many=True)
FIXED: dict[type[Record], str] = {
    Fact: "fact",
    Episode: "episode",
    Proposal: "alias",
    Tombstone: "tombstone",
}

KEYS: dict[type[Record], tuple[Key, ...]] = {
    Entity: (
        Key("type", one_of(*ENTITY_TYPES), required=True),
        _text("name", required=True),
        _list("aliases"),
        _list("rejected"),
        _list("repos"),
        _text("merged_into"),
    ),
    Fact: (
        _text("src", required=True),
        _text("relation", required=True),
        _text("dst", default=None),
        _text("value", default=None),
        _text("qualifier"),
        _time("valid_from"),
        _time("invalid_at"),
        _text("superseded_by"),
        Key("confidence", read_share, repr, default=0.5, typed=True, always=True),
        Key("stance", one_of(*STANCES), default="asserted"),
        Key("origin", one_of(*ORIGINS), default="person", always=True),
        _text("said_src"),
        _text("said_dst"),
        _text("said"),
        Key("supersedes", str, default=(), many=True, loose=True),
        _CITATIONS,
        _text("reason"),
    ),
    Episode: (
        _text("source", required=True),
        _text("session", required=True),
        Key("span", read_span, required=True),
        _text("sha256"),
        Key("turns", read_count, default=0, typed=True),
        _time("occurred_at", required=True),
        _time("ingested_at", required=True),
        _text("cwd"),
        _text("repo"),
        _text("branch"),
        Key("extractor", str, default=PENDING, always=True),
        _list("facts"),
        _list("mentions"),
        _list("declares"),
        _list("described"),
        _list("refused"),
        _time("ended_at"),
    ),
    Proposal: (
        _text("entity", required=True),
        _text("alias", required=True),
        _text("reason", required=True),
        _CITATIONS,
    ),
    Tombstone: (
        _text("id", required=True),
        _text("triple"),
        _time("when", required=True),
    ),
}
BODIES: dict[type[Record], str] = {Entity: "description", Fact: "fact", Episode: "summary"}
"""The field that is the file's body."""

_TABLES = {kind: {key.name: key for key in keys} for kind, keys in KEYS.items()}
_FILLED = {
    kind: {
        key.name: key.default
        for key in keys
        if not key.required and kind.__dataclass_fields__[key.name].default is MISSING
    }
    for kind, keys in KEYS.items()
}
_REQUIRED = {kind: [key.name for key in keys if key.required] for kind, keys in KEYS.items()}


def written(record: Record) -> dict[str, Written]:
    """Return the keys of a record as text, in the order of the file; empty ones are left out."""
    kind = type(record)
    out: dict[str, Written] = {"type": FIXED[kind]} if kind in FIXED else {}
    for key in KEYS[kind]:
        value = getattr(record, key.name)
        if value == key.default and not (key.required or key.always):
            continue
        if not key.many:
            out[key.name] = key.write(value)
        elif key.loose and len(value) == 1:
            out[key.name] = key.write(value[0])
        else:
            out[key.name] = [key.write(item) for item in value]
    return out


def is_typed(kind: type[Record], name: str) -> bool:
    """Say whether a key holds a time or a number, which are written plain."""
    key = _TABLES[kind].get(name)
    return key is not None and key.typed


def read_values(kind: type[Record], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that the keys of a file hold; unknown keys are the person's.

    Raises:
        WrongValueError: a key is missing or holds what it cannot; `key` names it.
    """
    table = _TABLES[kind]
    out: dict[str, Any] = dict(_FILLED[kind])
    for name, value in values.items():
        key = table.get(name)
        if key is None or (value == "" and not (key.required or name == "value")):
            continue
        if value.__class__ is str and key.read is str and value and not key.many:
            out[name] = value  # Most keys are; this is the loop that a load spends its time in.
            continue
        try:
            out[name] = _read_many(key, value) if key.many else _read_one(key, value)
        except WrongValueError as error:
            error.key = name
            raise
    for name in _REQUIRED[kind]:
        if name not in out:
            raise WrongValueError(f"The key `{name}` is missing", name)
    return out


def _read_one(key: Key, value: Any) -> Any:
    if not isinstance(value, str):
        raise WrongValueError(f"`{key.name}` must be one value")
    if key.required and not value:
        raise WrongValueError(f"`{key.name}` is empty")
    return key.read(value)


def _read_many(key: Key, value: Any) -> tuple[Any, ...]:
    if key.loose and isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise WrongValueError(f"`{key.name}` must be a list, one `- item` a line")
    return tuple([key.read(item) for item in value])
