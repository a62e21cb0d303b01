"""API keys: the configuration holds where a key is, never the key.

    env:NAME     an environment variable (timers and hooks do not see a shell's environment)
    file:PATH    the first line of a file that only its owner may read
    cmd:ARGV     the first line that a command prints; it is run without a shell

A key is looked up when the first request needs it, and appears in no message, log or `repr`.  What
cannot be resolved is a failure of that provider only: the next one in the chain gets its turn.
"""

import shlex
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path

from scry.errors import ProviderError

_SECONDS = 30  # A password manager may ask its owner first.


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
        argv = shlex.split(command)
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=dict(environ),
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        # Only the kind of trouble: the command line may hold something private.
        raise _trouble(owner, f"its command does not run ({type(error).__name__})") from None
    if done.returncode:
        raise _trouble(owner, f"its command ended with exit code {done.returncode}")
    key = _first_line(done.stdout.decode("utf-8", "replace"))
    if not key:
        raise _trouble(owner, "its command prints nothing")
    return key


def _first_line(text: str) -> str:
    return next(iter(text.strip().splitlines()), "").strip()


def _trouble(owner: str, reason: str) -> ProviderError:
    return ProviderError(f"{owner}: api_key: {reason}.", kind="permanent")
