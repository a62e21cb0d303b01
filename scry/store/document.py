"""A file is a front matter between two fences, and a body.

    ---
    type: service
    name: Hermes
    ---
    The chat gateway.

`split` cuts the text so that the four parts together are the file again, byte for byte.  Files of
other editors are read as well: CRLF, a byte order mark, blanks after a fence, no final newline.
"""

import re
from dataclasses import dataclass

LIMIT = 1_000_000
"""Bytes of the largest file that is read."""

_FAST = "---\n"
_OPEN = re.compile("\ufeff?---[ \t]*\r?\n")
_CLOSE = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_CONFLICT = re.compile(r"^<{7} .*\n(?s:.*)^>{7} ", re.MULTILINE)


class BadFileError(Exception):
    """A file is no record; the message says why, `line` where (None: the whole file)."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a file in four parts: opening fence, front matter, closing fence, body."""

    head: str
    front: str
    fence: str
    body: str

    @property
    def newline(self) -> str:
        """How the file ends its lines."""
        return "\r\n" if self.head.endswith("\r\n") else "\n"

    def __str__(self) -> str:
        return f"{self.head}{self.front}{self.fence}{self.body}"


def split(data: bytes) -> Document:
    """Cut a file into its parts.

    Raises:
        BadFileError: too big, not UTF-8, no fences, or a merge that nobody has settled.
    """
    if len(data) > LIMIT:
        raise BadFileError(f"The file is larger than {LIMIT // 1_000_000} MB.")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFileError("This is not UTF-8. Save the file as UTF-8.", line) from error
    start = 4
    if not text.startswith(_FAST):
        opened = _OPEN.match(text)
        if opened is None:
            raise BadFileError("A record begins with a line `---`.", 1)
        start = opened.end()
    closed = _CLOSE.search(text, start)
    if closed is None:
        raise BadFileError("The front matter that begins here is not closed by a line `---`.", 1)
    end = closed.start()
    body = text[closed.end() :]
    if "<<<<<<< " in text and (found := _CONFLICT.search(text)):
        raise BadFileError(
            "A merge was left unsettled here. Keep one side and remove the markers.",
            text.count("\n", 0, found.start()) + 1,
        )
    return Document(text[:start], text[start:end], closed[0], body)


def prose(body: str) -> str:
    """Return the body as a record holds it: LF, and no blanks or blank lines around it."""
    if "\r" in body:
        body = body.replace("\r\n", "\n").replace("\r", "\n")
    return body.strip()
