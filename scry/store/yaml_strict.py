"""All the YAML that a record may hold, with the place of each value: PyYAML's parser, no loader.

Scalars are text, whatever they look like: `no`, `1.10` and `12:30` stay as they are written.
Tags, anchors, aliases, duplicate keys and a second document are refused, because a record needs
none of them and each has hidden something from somebody.

PyYAML is imported when the first file needs it.  Marks count characters, not bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scry.store.document import BadFileError

Plain = str | list["Plain"] | dict[str, "Plain"]

_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place: `text[start:end]`, in characters; `line` from 1.

    `block` tells a value that is laid out by lines from one that is written in a row.
    """

    start: int
    end: int
    line: int
    block: bool = False


@dataclass(frozen=True, slots=True)
class Scalar(Node):
    """A text."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """A list."""

    items: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Mapping(Node):
    """A mapping; `keys` gives the place of each key."""

    entries: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, Scalar] = field(default_factory=dict)


def parse(text: str) -> Mapping:
    """Return the mapping that a text holds; an empty one for an empty text.

    Raises:
        BadFileError: it is no YAML, or more than a record may hold; `line` counts from 1.
    """
    import yaml

    try:
        events = yaml.parse(text, Loader=getattr(yaml, "CLoader", yaml.Loader))
        return _Builder(events).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = " ".join(filter(None, (error.context, error.problem)))
        line = min(mark.line + 1, text.count("\n") or 1) if mark else 1
        raise BadFileError(f"This is not YAML: {said}.", line) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise BadFileError("A character here is not allowed in YAML.", line) from error


def plain(node: Node) -> Plain:
    """Return a value without its places."""
    match node:
        case Sequence():
            return [plain(item) for item in node.items]
        case Mapping():
            return {key: plain(value) for key, value in node.entries.items()}
        case Scalar():
            return node.text
    raise TypeError(node)


class _Builder:
    """Builds nodes of the parser's events, in one pass."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events

    def document(self) -> Mapping:
        root: Node | None = None
        for event in self._events:
            name = type(event).__name__
            if name == "DocumentStartEvent" and root is not None:
                raise BadFileError("A second document begins here.", event.start_mark.line + 1)
            if name.startswith(("Stream", "Document")):
                continue
            root = self._node(event, 1)
        if root is None or (isinstance(root, Scalar) and not root.text):
            return Mapping(0, 0, 1)
        if not isinstance(root, Mapping):
            raise BadFileError("The front matter must be `key: value` lines.", root.line)
        return root

    def _node(self, event: Any, depth: int) -> Node:
        name = type(event).__name__
        line = event.start_mark.line + 1
        if name == "AliasEvent" or event.anchor is not None:
            raise BadFileError("Anchors and aliases (`&x`, `*x`) are not read; write it out.", line)
        if event.tag is not None:
            raise BadFileError(f"Tags are not read; leave `{event.tag}` out.", line)
        if depth > _DEPTH:
            raise BadFileError(f"This is nested deeper than {_DEPTH} levels.", line)
        if name == "ScalarEvent":
            return Scalar(
                event.start_mark.index,
                event.end_mark.index,
                line,
                block=event.style in ("|", ">"),
                text=event.value,
            )
        make = self._mapping if name == "MappingStartEvent" else self._sequence
        return make(event, depth, line)

    def _sequence(self, event: Any, depth: int, line: int) -> Sequence:
        items: list[Node] = []
        while type(inner := next(self._events)).__name__ != "SequenceEndEvent":
            items.append(self._node(inner, depth + 1))
        block = not event.flow_style
        end = items[-1].end if block and items else inner.end_mark.index
        return Sequence(event.start_mark.index, end, line, block=block, items=tuple(items))

    def _mapping(self, event: Any, depth: int, line: int) -> Mapping:
        entries: dict[str, Node] = {}
        keys: dict[str, Scalar] = {}
        end = event.start_mark.index
        while type(inner := next(self._events)).__name__ != "MappingEndEvent":
            key = self._node(inner, depth + 1)
            if not isinstance(key, Scalar):
                raise BadFileError("A key must be a word.", key.line)
            if key.text in entries:
                raise BadFileError(f"The key `{key.text}` stands here a second time.", key.line)
            keys[key.text] = key
            value = entries[key.text] = self._node(next(self._events), depth + 1)
            end = value.end
        if event.flow_style:
            end = inner.end_mark.index
        start = event.start_mark.index
        return Mapping(start, end, line, block=not event.flow_style, entries=entries, keys=keys)
