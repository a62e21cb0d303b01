"""A program that is run to its end: text in, what it wrote out, bounded in time and in size.

It gets a session of its own, so that all it started can be ended with it: when its time is over,
when it writes without end, and when it leaves something behind that would run on.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

MAX_OUTPUT = 4 << 20
"""Bytes that a program may write to its output."""
_MAX_ERRORS = 64 << 10
_PIECE = 1 << 16
_GRACE_S = 1.0  # What a program that has ended left in its pipes is read for so long.


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code (negative: the signal), its output, the end of its errors."""

    code: int
    out: str
    err: str


class RunError(Exception):
    """The program did not run to its end; `kind` is as in `ExtractionError`."""

    def __init__(self, message: str, *, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


def run(
    argv: Sequence[str], text: str, *, environ: Mapping[str, str], cwd: Path, seconds: float
) -> Ended:
    """Run a program, without a shell, and return how it ended.

    Args:
        argv: the program's path and its arguments.
        text: what it reads; it need not.
        environ: its whole environment.
        cwd: its folder.
        seconds: until it must have ended; it and all that it started are killed then.

    Raises:
        RunError: it cannot be started, takes too long or writes too much.
    """
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=dict(environ),
            cwd=cwd,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "an argument holds a NUL"
        raise RunError(f"it cannot be started ({reason})", kind="permanent") from None
    with process:
        try:
            return _Talk(process, text.encode("utf-8", "replace"), seconds).ended()
        finally:
            with contextlib.suppress(OSError):  # Nothing of its group is left.
                os.killpg(process.pid, signal.SIGKILL)


class _Talk:
    """What is said to a program and what it says, both at once, so that neither waits for the other."""

    def __init__(self, process: "subprocess.Popen[bytes]", text: bytes, seconds: float) -> None:
        self._process = process
        self._text = memoryview(text)
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._out = bytearray()
        self._err = bytearray()

    def ended(self) -> Ended:
        """Talk until the program has ended."""
        with selectors.DefaultSelector() as pipes:
            self._open(pipes)
            while pipes.get_map():
                ready = pipes.select(min(0.1, self._left()))
                for pipe in (cast("IO[bytes]", key.fileobj) for key, _ in ready):
                    if not self._moved(pipe):
                        pipes.unregister(pipe)
                        pipe.close()
                if self._process.poll() is not None:
                    # What it has left running may hold the pipes open for ever.
                    self._deadline = min(self._deadline, time.monotonic() + _GRACE_S)
                    if not ready or not self._left():
                        break
        try:
            code = self._process.wait(self._left())
        except subprocess.TimeoutExpired:
            raise self._late() from None
        return Ended(code, _decoded(self._out), _decoded(self._err))

    def _open(self, pipes: selectors.BaseSelector) -> None:
        talk = self._process
        for pipe, event in (
            (talk.stdin, selectors.EVENT_WRITE),
            (talk.stdout, selectors.EVENT_READ),
            (talk.stderr, selectors.EVENT_READ),
        ):
            if pipe:
                os.set_blocking(pipe.fileno(), False)
                pipes.register(pipe, event)

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            if self._process.poll() is None:
                raise self._late()
            return 0.0
        return left

    def _late(self) -> RunError:
        return RunError(f"it did not end within {self._seconds:g} seconds", kind="transport")

    def _moved(self, pipe: IO[bytes]) -> bool:
        """Move a piece through a pipe; say whether there is more to come."""
        if pipe is self._process.stdin:
            return self._written(pipe)
        piece = os.read(pipe.fileno(), _PIECE)
        if pipe is self._process.stderr:
            self._err += piece
            del self._err[:-_MAX_ERRORS]
        else:
            self._out += piece
        if len(self._out) > MAX_OUTPUT:
            raise RunError(f"its answer is longer than {MAX_OUTPUT >> 20} MiB", kind="content")
        return bool(piece)

    def _written(self, pipe: IO[bytes]) -> bool:
        try:
            self._text = self._text[os.write(pipe.fileno(), self._text[:_PIECE]) :]
        except BrokenPipeError:  # It has read enough.
            self._text = self._text[:0]
        return bool(self._text)


def _decoded(data: bytearray) -> str:
    return data.decode("utf-8", "replace")
