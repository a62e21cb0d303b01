"""Record <-> Markdown.

    ---
    type: fact
    src: hermes
    relation: runs_on
    dst: mac-mini
    ---
    Hermes runs on the Mac mini under launchd.

Reading types each scalar by the record (see `fields`) and uses the quick reader where it can.  The
folder decides what a file is: a fact under `review/` waits, also when nobody wrote a reason.
"""

import re
from dataclasses import replace
from typing import Any

from scry.model import Entity, Episode, Fact, Proposal, Record, Tombstone
from scry.statement import BY_HAND, words_id
from scry.store import fields, yaml_subset
from scry.store.document import BadFileError, Document, prose, split
from scry.store.paths import id_of, kind_of, stem_of
from scry.store.values import WrongValueError, read_citation, write_citation
from scry.store.yaml_write import scalar
from scry.text import slug_of

__all__ = ["BadFileError", "decode", "encode", "read_citation", "read_yaml", "write_citation"]

WAITS = BY_HAND
_SLUG = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*\Z")
_HAS_ID = re.compile(r"--[0-9A-Za-z]+\.md\Z")


def decode(path: str, data: bytes) -> Record:
    """Return the record that a file holds; `path` is relative to the store.

    Raises:
        BadFileError: it holds none; message and line say why.
    """
    document = split(data)
    values = read_front(document)
    try:
        return _record(path, values, prose(document.body))
    except WrongValueError as error:
        line = _line_of(document.front, error.key)
        raise BadFileError(f"{error}.", line) from error


def encode(record: Record) -> bytes:
    """Return a new file for a record."""
    kind = type(record)
    lines = [
        line
        for name, value in fields.written(record).items()
        for line in lines_of(name, value, typed=fields.is_typed(kind, name))
    ]
    body = body_of(record)
    text = "---\n" + "\n".join(lines) + "\n---\n" + (body + "\n" if body else "")
    return text.encode("utf-8", "replace")


def body_of(record: Record) -> str:
    """Return the text that stands below the fences."""
    name = fields.BODIES.get(type(record))
    return prose(getattr(record, name)) if name else ""


def lines_of(name: str, value: fields.Written, *, typed: bool) -> list[str]:
    """Return a key with its value as lines of YAML."""
    show = str if typed else scalar
    if isinstance(value, str):
        return [f"{name}: {show(value)}"]
    return [f"{name}:", *(f"- {show(item)}" for item in value)]


def read_front(document: Document) -> dict[str, Any]:
    """Return the keys of a front matter, every scalar as text.

    Raises:
        BadFileError: it is not YAML, or more than a record may hold.
    """
    quick = yaml_subset.parse(document.front)
    if quick is not None:
        return quick
    from scry.store import yaml_strict

    try:
        values = yaml_strict.plain(yaml_strict.parse(document.front))
    except BadFileError as error:
        line = None if error.line is None else error.line + 1  # The fence is line 1.
        raise BadFileError(str(error), line) from error
    return values if isinstance(values, dict) else {}


def read_yaml(text: str) -> object:
    """Return a YAML document with every scalar as text; `{}` for an empty one.

    Raises:
        ValueError: it is not YAML, or holds tags, anchors, aliases or a key twice.
    """
    from scry.store import yaml_strict

    try:
        return yaml_strict.plain(yaml_strict.parse(text.removeprefix("\ufeff")))
    except BadFileError as error:
        where = f" (line {error.line})" if error.line else ""
        raise ValueError(f"{error}{where}") from error


def _record(path: str, values: dict[str, Any], body: str) -> Record:
    said = values.get("type", "")
    match kind_of(path):
        case "entity":
            known = fields.read_values(Entity, values)
            return Entity(slug=stem_of(path), description=body, path=path, **known)
        case "fact" | "review" if said == "fact" or (not said and "src" in values):
            return _fact(path, values, body)
        case "review" if said == "alias":
            return Proposal(path=path, **fields.read_values(Proposal, values))
        case "episode" if said == "episode":
            known = fields.read_values(Episode, values)
            return Episode(id=stem_of(path), summary=body, path=path, **known)
        case "tombstone" if said == "tombstone":
            return Tombstone(path=path, **fields.read_values(Tombstone, values))
        case kind:
            expected = {"review": "`fact` or `alias`"}.get(kind, f"`{kind}`")
            there = f"is `{said}`" if said else "is missing"
            raise WrongValueError(f"The key `type` {there}; here it must be {expected}", "type")


def _fact(path: str, values: dict[str, Any], body: str) -> Fact:
    known = fields.read_values(Fact, values)
    if known.get("dst") and known.get("value") == "":
        del known["value"]
    if ("dst" in known) == ("value" in known):
        raise WrongValueError("A fact has a `dst` or a `value`, one of the two", "dst")
    for end in ("src", "dst"):
        if (name := known.get(end)) and not _SLUG.match(name):
            known[end] = slug_of(name)  # A person may write the name of the thing.
    # The folder decides: who moves a file out of review/ has accepted it.
    known["reason"] = (known.get("reason") or WAITS) if path.startswith("review/") else ""
    fact = Fact(id=id_of(path), fact=body, path=path, **known)
    return fact if has_id(path) else replace(fact, id=words_id(fact))


def has_id(path: str) -> bool:
    """Say whether a fact's file bears an id: letters and digits that follow `--`.

    >>> has_id("facts/he/hermes/uses--redis--k3v9m2.md"), has_id("facts/hermes on the mini.md")
    (True, False)
    """
    return _HAS_ID.search(path) is not None


def _line_of(front: str, key: str) -> int:
    """Return the line of a key in the file; the first one where it is missing."""
    found = re.search(rf"^[\"']?{re.escape(key)}[\"']?[ \t]*:", front, re.MULTILINE)
    return front.count("\n", 0, found.start()) + 2 if found and key else 1
