"""A rewrite that touches only the keys that change.

Everything else in a file is the person's: unknown keys, comments, the order and the quoting of
keys, CRLF, blanks, a missing final newline stay byte for byte.  A list changes item by item, so
that a comment stays beside its item.  Each edit is a piece of the old text with what replaces it;
in the end the new text is read again to prove that exactly the intended keys have changed.
"""

from dataclasses import dataclass

from scry.errors import StoreError
from scry.model import Record
from scry.store import codec, fields, yaml_strict
from scry.store.document import BadFileError, Document, split
from scry.store.fields import Written
from scry.store.yaml_strict import Mapping, Node, Scalar, Sequence
from scry.store.yaml_write import flow_item, scalar


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """`text` takes the place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str


def rewrite(data: bytes, record: Record, path: str, source: str = "") -> bytes:
    """Return a file with a record's new values; the very same bytes if none has changed.

    `source` is the file that the bytes come from, where the record moves to another one.

    Raises:
        StoreError: the file cannot be read, or is laid out so that a value cannot be replaced
            without touching what is not ours.
    """
    try:
        old = codec.decode(source or path, data)
        document = split(data)
        tree = yaml_strict.parse(document.front)
    except BadFileError as error:
        raise StoreError(f"{path}: {error} It was left as it is.") from error
    if type(old) is not type(record):
        raise StoreError(f"{path}: another kind of record lives here. It was left as it is.")
    was, now = fields.written(old), fields.written(record)
    changed = [key for key in {**now, **was} if was.get(key) != now.get(key)]
    body = _new_body(document, codec.body_of(old), codec.body_of(record))
    if not changed and body == document.body:
        return data
    front = _Splice(document, tree, type(record)).front(changed, was, now)
    text = f"{document.head}{front}{document.fence}{body}"
    new = text.encode("utf-8", "replace")
    _prove(path, new, record, {k: v for k, v in tree.entries.items() if k not in changed})
    return new


def _new_body(document: Document, old: str, new: str) -> str:
    """Return the body with the prose replaced and the blanks around it kept."""
    if old == new:
        return document.body
    raw = document.body
    core = raw.strip()
    before, after = (
        (raw[: raw.index(core)], raw[raw.index(core) + len(core) :]) if core else ("", "")
    )
    if not core and new:
        after = document.newline
    return before + new.replace("\n", document.newline) + after


def _prove(path: str, data: bytes, record: Record, kept: dict[str, Node]) -> None:
    """Read a rewritten file again.

    Raises:
        StoreError: something else has changed, or something has not.
    """
    try:
        same = fields.written(codec.decode(path, data)) == fields.written(record)
        same = same and codec.body_of(codec.decode(path, data)) == codec.body_of(record)
        there = yaml_strict.parse(split(data).front).entries
    except BadFileError as error:
        raise StoreError(f"{path}: it could not be rewritten safely ({error}).") from error
    for key, node in kept.items():
        same = same and key in there and yaml_strict.plain(there[key]) == yaml_strict.plain(node)
    known = fields.written(record)
    if not same or any(key not in kept and key not in known for key in there):
        raise StoreError(
            f"{path}: it could not be rewritten without touching other keys. "
            "Write its front matter as plain `key: value` lines."
        )


class _Splice:
    """The edits for one front matter."""

    def __init__(self, document: Document, tree: Mapping, kind: type[Record]) -> None:
        self._text = document.front
        self._newline = document.newline
        self._tree = tree
        self._kind = kind
        self._edits: list[Edit] = []

    def front(self, changed: list[str], was: dict[str, Written], now: dict[str, Written]) -> str:
        """Return the front matter with the changed keys replaced, removed or added."""
        for key in changed:
            node = self._tree.entries.get(key)
            if key not in now:
                self._remove(key)
            elif node is None:
                self._add(key, now, list(now))
            elif isinstance(node, Sequence) and isinstance(now[key], list):
                self._change_list(key, node, was.get(key, []), now[key])
            else:
                self._replace(key, node, now[key])
        out, done = "", 0
        for edit in sorted(self._edits, key=lambda edit: edit.start):  # Keeps the order of equals.
            out += self._text[done : edit.start] + edit.text
            done = max(done, edit.end)
        return out + self._text[done:]

    # --- one key ----------------------------------------------------------------------------------

    def _remove(self, key: str) -> None:
        """Take a key out with its lines; comments that have lines of their own stay."""
        start, end = self._span(key)
        self._edits.append(Edit(start, end, self._comments(key)))

    def _add(self, key: str, now: dict[str, Written], order: list[str]) -> None:
        """Put a new key after the nearest key that stands before it in the order of the format."""
        place = len(self._text)
        for before in reversed(order[: order.index(key)]):
            if before in self._tree.entries:
                end = self._end(self._tree.keys[before], self._tree.entries[before])
                place = self._line_end(end)
                break
        self._edits.append(Edit(place, place, self._lines(key, now[key])))

    def _replace(self, key: str, node: Node, value: Written) -> None:
        """Put a new value where the old one stands; a comment behind it stays."""
        name = self._tree.keys[key]
        if isinstance(value, str) and isinstance(node, Scalar) and not node.block:
            show = value if fields.is_typed(self._kind, key) else scalar(value)
            if node.start == node.end:  # `key:` without a value
                colon = self._text.index(":", name.end) + 1
                self._edits.append(Edit(colon, colon, f" {show}"))
            else:
                self._edits.append(Edit(node.start, node.end, show))
            return
        start, end = self._span(key)
        self._edits.append(Edit(start, end, self._lines(key, value) + self._comments(key)))

    def _change_list(self, key: str, node: Sequence, was: Written, now: Written) -> None:
        """Change a list item by item; as a whole where the order has changed."""
        old, new = list(was), list(now)
        if not node.block:
            items = ", ".join(flow_item(item) for item in new)
            self._edits.append(Edit(node.start, node.end, f"[{items}]"))
            return
        kept = [item for item in old if item in new]
        tidy = len(old) == len(node.items) == len(set(old)) and len(new) == len(set(new))
        if not (kept and tidy and kept == [item for item in new if item in old]):
            self._replace(key, node, new)
            return
        places = dict(zip(old, node.items, strict=True))
        for item in old:
            if item not in new:
                at = places[item]
                self._edits.append(Edit(self._line_start(at.start), self._line_end(at.end), ""))
        indent = " " * (node.start - self._line_start(node.start))
        place = self._line_start(node.items[0].start)
        for item in new:
            if item in places:
                place = self._line_end(places[item].end)
            else:
                self._edits.append(Edit(place, place, f"{indent}- {scalar(item)}{self._newline}"))

    # --- places -----------------------------------------------------------------------------------

    def _lines(self, key: str, value: Written) -> str:
        typed = fields.is_typed(self._kind, key)
        lines = codec.lines_of(key, value, typed=typed)
        return "".join(line + self._newline for line in lines)

    def _span(self, key: str) -> tuple[int, int]:
        """Return where the lines of a key and its value begin and end."""
        name, node = self._tree.keys[key], self._tree.entries[key]
        return self._line_start(name.start), self._line_end(self._end(name, node))

    def _comments(self, key: str) -> str:
        """Return the comments between the items of a list, for they are not ours."""
        node = self._tree.entries[key]
        if not isinstance(node, Sequence) or not node.block:
            return ""
        ends = [self._line_end(self._tree.keys[key].end)]
        ends += [self._line_end(item.end) for item in node.items[:-1]]
        gaps = zip(ends, node.items, strict=True)
        between = "".join(self._text[end : self._line_start(item.start)] for end, item in gaps)
        lines = between.splitlines(keepends=True)
        # To the margin, where no block scalar above can take them for its own text.
        return "".join(line.lstrip() for line in lines if line.lstrip().startswith("#"))

    def _end(self, name: Scalar, node: Node) -> int:
        """Return where the last character of a key's value stands, plus one."""
        end = max(node.end, name.end)
        while end > name.end and self._text[end - 1] in "\r\n":
            end -= 1  # A block scalar takes in the line ends behind it.
        return end

    def _line_start(self, place: int) -> int:
        return self._text.rfind("\n", 0, place) + 1

    def _line_end(self, place: int) -> int:
        """Return where the next line begins."""
        found = self._text.find("\n", max(place, 0))
        return len(self._text) if found < 0 else found + 1
