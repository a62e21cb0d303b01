"""Which files are opened while something runs, as Python itself reports it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_watching: list[list[str]] = []


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _watching and event == "open" and isinstance(arguments[0], str | bytes):
        for seen in _watching:
            seen.append(os.fsdecode(arguments[0]))


@contextmanager
def opened() -> Iterator[list[str]]:
    """Collect the paths of files that are opened within the block."""
    if not _hooked:
        sys.addaudithook(_hook)  # It cannot be taken off again, so there is one for all.
        _hooked.append(True)
    seen: list[str] = []
    _watching.append(seen)
    try:
        yield seen
    finally:
        _watching.remove(seen)


_hooked: list[bool] = []
