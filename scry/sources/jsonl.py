r"""Files of one JSON record a line, as agents append them while they run and sometimes die.

Split at the byte `\n` and nowhere else: `str.splitlines` also cuts at U+2028, U+0085 and other
characters that stand unescaped inside strings.  A line may hold two records (a writer that left
no final newline, then another one), a torn record and a whole one, or half a record (the file is
still growing): every whole record is given, everything else is a problem with its line.
"""

import io
import json
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from scry.errors import SourceError
from scry.model import Problem
from scry.sources.json_values import DECODER, Record, sound_record
from scry.sources.long_lines import LARGE, rest_of_line

__all__ = ["HEAD", "ZSTD", "Lines", "Record", "head_of", "head_records", "legible", "open_bytes"]

HEAD = 65_536
"""Bytes that are enough to tell whose file it is."""
ZSTD = b"\x28\xb5\x2f\xfd"

_BOM = b"\xef\xbb\xbf"
_BLANK = bytes(16)
"""What a file system leaves where a crash has cost it bytes; single ones do no harm."""
_SPACE = re.compile(r"\s*")
# Inside a sound record `{"` follows a colon, comma, bracket or brace; in a string it is `{\"`.
_START = re.compile(r'(?<![:,\[{\s\\])\s*(\{")')
_SURROGATE = re.compile("[\ud800-\udfff]")


class Lines:
    """The records of a file with their line numbers; `problems` and `count` fill while it runs.

    `count` is the number of lines that hold anything.  Holds one line at a time.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.count = 0

    def __iter__(self) -> Iterator[tuple[int, Record]]:
        """Yield `(line number, record)`; a line with two records gives its number twice.

        Raises:
            SourceError: the file cannot be opened or read.
        """
        with open_bytes(self.path) as file:
            for number, raw in self._raw(file):
                if (record := sound_record(raw)) is not None:
                    self.count += 1
                    yield number, record
                    continue
                text = self._text(raw, number)
                del raw  # A line of 100 MB must not stay while its text is parsed.
                if text and not text.isspace():
                    self.count += 1
                    yield from self._records(text, number)

    def _raw(self, file: BinaryIO) -> Iterator[tuple[int, bytes]]:
        number, readline = 0, file.readline
        try:
            while raw := readline(LARGE):
                number += 1
                yield number, raw if len(raw) < LARGE else rest_of_line(raw, file)
        except (OSError, EOFError) as error:
            raise SourceError(
                f"{self.path}: reading stopped at line {number + 1}: {error}."
            ) from error
        except Exception as error:  # zstandard's own error class, known only once imported
            if type(error).__name__ != "ZstdError":
                raise
            self._problem(number + 1, "the compressed data end or break here")

    def _records(self, text: str, number: int) -> Iterator[tuple[int, Record]]:
        position = 0 if text[0] == "{" else _end_of_space(text, 0)
        while position < len(text):
            try:
                value, position = DECODER.raw_decode(text, position)
            except (ValueError, RecursionError) as error:
                self._problem(number, f"not JSON: {_short(error)}")
                again = _whole_record(text, position + 1)
                if again < 0:
                    return
                position = again
                continue
            if isinstance(value, dict):
                yield number, value
            else:
                self._problem(number, f"a record is an object, this is {_kind(value)}")
            if text[position:] != "\n":
                position = _end_of_space(text, position)
                continue
            return

    def _text(self, raw: bytes, number: int) -> str:
        """Return a line's text; what of its bytes cannot be read is a problem."""
        if _BLANK in raw:
            self._problem(number, f"{raw.count(0)} NUL bytes stand where something was")
        try:
            return _text_of(raw, "strict")
        except UnicodeDecodeError as error:
            self._problem(number, f"not UTF-8 from byte {error.start + 1} on; the rest is read")
        # U+FFFD makes a text several times as large as its bytes.
        return _text_of(raw, "replace" if len(raw) < 10 * LARGE else "ignore")

    def _problem(self, number: int, message: str) -> None:
        self.problems.append(Problem(str(self.path), message, number))


def _whole_record(text: str, position: int) -> int:
    """Return where a record begins that reaches to the end of a torn line, or -1."""
    for match in _START.finditer(text, position):
        try:
            value, end = DECODER.raw_decode(text, match.start(1))
        except (ValueError, RecursionError):
            continue
        rest = _end_of_space(text, end)
        if isinstance(value, dict) and (rest == len(text) or text.startswith('{"', rest)):
            return match.start(1)
    return -1


def _text_of(raw: bytes, errors: str = "replace") -> str:
    """Return a line's text without NUL and BOM; bytes that are no UTF-8 as U+FFFD."""
    if b"\0" in raw:
        raw = raw.replace(b"\0", b"")
    return raw.removeprefix(_BOM).decode("utf-8", errors)


def _end_of_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _short(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.colno}"
    deep = isinstance(error, RecursionError)
    return "it is nested too deeply" if deep else "a number is too long"


def _kind(value: object) -> str:
    if value is None:
        return "null"
    return {str: "a string", list: "a list", bool: "a truth value"}.get(type(value), "a number")


def open_bytes(path: Path) -> BinaryIO:
    """Open a regular file for reading; `.zst` is decompressed on the way.

    Raises:
        SourceError: there is no such file, it is none, or it may not be read.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 -- for each file there is
    except OSError as error:
        raise SourceError(f"{path}: {_reason(error)}. Check the path.") from error
    if not stat.S_ISREG(mode):
        raise SourceError(f"{path}: this is {_what(mode)}, a transcript is a file.")
    try:
        file = path.open("rb", buffering=1 << 18)
    except OSError as error:
        raise SourceError(f"{path}: {_reason(error)}. Check who may read it.") from error
    packed = file.read(4) == ZSTD
    file.seek(0)
    return _decompressed(file) if packed else file


def _decompressed(file: BinaryIO) -> BinaryIO:
    # Imported late: only rollouts that have lain for a week are compressed.
    import zstandard

    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True, closefd=True)
    return io.BufferedReader(cast("io.RawIOBase", reader), 1 << 18)


def head_of(path: Path, size: int = HEAD) -> bytes:
    """Return the first bytes of a file, decompressed.

    Raises:
        SourceError: the file cannot be opened.
    """
    with open_bytes(path) as file:
        try:
            return file.read(size)
        except Exception as error:
            raise SourceError(f"{path}: the file cannot be read: {error}.") from error


def head_records(head: bytes) -> Iterator[Record]:
    """Yield the records that stand whole in the first bytes of a file."""
    if head[:4] == ZSTD:
        head = _first_bytes(head)
    for raw in head.split(b"\n"):
        try:
            value, _ = DECODER.raw_decode(_text_of(raw))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _first_bytes(head: bytes) -> bytes:
    import zstandard

    try:
        with zstandard.ZstdDecompressor().stream_reader(head) as reader:
            return bytes(reader.read(HEAD))
    except zstandard.ZstdError:
        return b""


def legible(text: str) -> str:
    """Return text that can be written as UTF-8: no NUL, and U+FFFD for half a character."""
    if "\0" in text:
        text = text.replace("\0", "")
    try:
        text.encode()  # Much faster than to look for such halves.
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def _reason(error: OSError) -> str:
    return {
        FileNotFoundError: "there is no such file",
        NotADirectoryError: "there is no such file",
        PermissionError: "reading it is not allowed",
    }.get(type(error), (error.strerror or "it cannot be opened").lower())


def _what(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a named pipe" if stat.S_ISFIFO(mode) else "a device or socket"
