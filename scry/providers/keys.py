"""API keys: the configuration holds where a key is, never the key.

    env:NAME     an environment variable (timers and hooks do not see a shell's environment)
    file:PATH    the first line of a file that only its owner may read
    cmd:ARGV     the first line that a command prints; it is run without a shell

A key is looked up when the first request needs it, and appears in no message, log or `repr`.  What
cannot be resolved is a failure of that provider only: the next one in the chain gets its turn.
"""

import html
import re
import shlex
import signal
import stat
import subprocess
import threading
from base64 import b64encode
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from urllib.parse import unquote

from scry.errors import ProviderError

_SECONDS = 30  # A password manager may ask its owner first.
_LONGEST = 1 << 16  # Bytes that a command may print.
_SHORTEST = 4  # Characters of a key that is one; servers at home take "x" or "-".
_PIECE = 8
_LAYERS = 4
_ESCAPE = re.compile(r"\\+(?:u([0-9a-f]{4})|u\{0*([0-9a-f]{1,5})\}|x([0-9a-f]{2}))", re.IGNORECASE)


def resolve_key(reference: str, *, owner: str, environ: Mapping[str, str]) -> str:
    """Return the key that a reference points at; "" for an empty reference.

    Args:
        reference: `env:NAME`, `file:PATH` or `cmd:ARGV`.
        owner: the name of the provider whose key it is, for messages.
        environ: the environment; a command gets it too.

    Raises:
        ProviderError: of kind `permanent`; the message never shows the key.
    """
    if not reference:
        return ""
    kind, _, where = reference.partition(":")
    readers = {"env": _from_environment, "file": _from_file, "cmd": _from_command}
    if kind not in readers or not where.strip():
        raise _trouble(
            owner,
            "it is not a reference. Write env:NAME, file:PATH or cmd:COMMAND, and keep the key "
            "itself out of the configuration",
        )
    key = readers[kind](where.strip(), owner, environ)
    if not key.isascii() or not key.isprintable() or " " in key:
        raise _trouble(owner, f"what {kind}: gives is no key: it holds spaces or odd characters")
    return key


def _from_environment(name: str, owner: str, environ: Mapping[str, str]) -> str:
    key = environ.get(name, "").strip()
    if not key:
        raise _trouble(
            owner,
            f"the environment variable {name} is not set here. Timers and hooks do not see your "
            "shell's environment; file: or cmd: work everywhere",
        )
    return key


def _from_file(path: str, owner: str, environ: Mapping[str, str]) -> str:
    at_home = path.startswith("~/") and "HOME" in environ
    file = Path(environ["HOME"], path[2:]) if at_home else Path(path).expanduser()
    try:
        if file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise _trouble(owner, f"others may read {path}. Run `chmod 600 {path}`")
        key = _first_line(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise _trouble(owner, f"{path} cannot be read ({reason})") from None
    if not key:
        raise _trouble(owner, f"{path} is empty")
    return key


def _from_command(command: str, owner: str, environ: Mapping[str, str]) -> str:
    try:
        code, printed = _printed(shlex.split(command), environ)
    except (OSError, ValueError) as error:
        # Only the kind of trouble: the command line may hold something private.
        raise _trouble(owner, f"its command does not run ({type(error).__name__})") from None
    if len(printed) > _LONGEST:
        raise _trouble(owner, "its command prints far more than a key")
    if code == -signal.SIGKILL:
        raise _trouble(owner, f"its command did not end within {_SECONDS} seconds")
    if code:
        raise _trouble(owner, f"its command ended with exit code {code}")
    key = _first_line(printed.decode("utf-8", "replace"))
    if not key:
        raise _trouble(owner, "its command prints nothing")
    return key


def _printed(argv: list[str], environ: Mapping[str, str]) -> tuple[int, bytes]:
    """Run a command in our own session, for it may ask its owner; return how it ended.

    What prints without end is stopped, and what does not end is killed.
    """
    with subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(environ),
    ) as process:
        timer = threading.Timer(_SECONDS, process.kill)
        timer.start()
        try:
            printed = process.stdout.read(_LONGEST + 1) if process.stdout else b""
            if len(printed) > _LONGEST:
                process.kill()
            return process.wait(), printed
        finally:
            timer.cancel()


def _first_line(text: str) -> str:
    return next(iter(text.strip().splitlines()), "").strip()


def _trouble(owner: str, reason: str) -> ProviderError:
    return ProviderError(f"{owner}: api_key: {reason}.", kind="permanent")


def without_key(text: str, key: str) -> str:
    r"""Return a text in which a key does not stand.

    Small pieces of it are masked too.  Where half of it or more stands in disguise (escaped, encoded,
    spelt with gaps) nothing of the text is returned, for what else is in it nobody knows.

    >>> without_key("the key sesame-opens-42 is wrong", "sesame-opens-42")
    'the key [key] is wrong'
    >>> without_key(r"s\u0065same-opens-42 is wrong", "sesame-opens-42")
    ''
    """
    if len(key) < _SHORTEST:
        return text
    text = text.replace(key, "[key]")
    return "" if any(_holds(form, key) for form in _undisguised(text)) else _masked(text, key)


def _masked(text: str, key: str) -> str:
    size = min(len(key), _PIECE)
    pieces = {key[at : at + size] for at in range(len(key) - size + 1)}
    if not any(piece in text for piece in pieces):
        return text
    hidden = [False] * len(text)
    for piece in pieces:
        at = text.find(piece)
        while at >= 0:
            hidden[at : at + size] = [True] * size
            at = text.find(piece, at + 1)
    runs = groupby(zip(text, hidden, strict=True), key=lambda pair: pair[1])
    return "".join("[key]" if hide else "".join(c for c, _ in run) for hide, run in runs)


def _undisguised(text: str) -> Iterator[str]:
    """Yield the text with escapes of any kind undone, layer by layer."""
    for _ in range(_LAYERS):
        yield text
        text = _ESCAPE.sub(_letter, unquote(html.unescape(text)))


def _letter(escape: re.Match[str]) -> str:
    return chr(int(next(filter(None, escape.groups())), 16))


def _holds(text: str, key: str) -> bool:
    """Say whether half of a key or more stands in a text: spaced out, reversed, in hex or base64."""
    flat, flat_key = _flat(text), _flat(key)
    if len(flat_key) < _PIECE:
        return False
    size = max(_PIECE, len(flat_key) // 2)
    pieces = {
        way[at : at + size]
        for way in (flat_key, flat_key[::-1])
        for at in range(len(flat_key) - size + 1)
    }
    coded = {key.encode().hex(), *(_flat(core) for core in _in_base64(key.encode()))}
    return any(piece in flat for piece in pieces | coded)


def _in_base64(raw: bytes) -> Iterator[str]:
    """Yield what base64 makes of some bytes, whatever stands before and behind them."""
    for shift, shared in enumerate((0, 2, 3)):
        coded = b64encode(b" " * shift + raw).decode().rstrip("=")
        yield coded[shared : len(coded) - bool((shift + len(raw)) % 3)]


def _flat(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
