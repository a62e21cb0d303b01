"""How git is run: by subprocess, with a small environment, never asking or running anything.

Nothing of the user's configuration that could run a program, ask for a passphrase or rewrite a
file has a say here; their name and address do.

GitPython was measured and left out: it hands the whole environment (with every API key in it) to
each git process and cannot drop `GIT_DIR` and its like, which a git hook sets; its import takes
65 ms and a call as long as subprocess itself.  Its index loses files when two write at once.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from scry.errors import StoreError
from scry.text import one_line

TIMEOUT_S = 120
_KEPT = (
    "PATH HOME USER LOGNAME TMPDIR XDG_CONFIG_HOME SSH_AUTH_SOCK SYSTEMROOT"
    " GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM"
).split()
_CONFIG = (
    "core.hooksPath=/dev/null",  # No hook of the person runs on our commits.
    "core.fsmonitor=false",  # It names a program; a cloned store could bring one along.
    "core.fsync=committed,pack-metadata,reference",  # "Committed" must survive a power cut.
    "core.fsyncMethod=batch",
    "fastimport.unpackLimit=1",  # One pack a commit, synced once, instead of 100 small files.
    "core.quotePath=false",
    "commit.gpgSign=false",  # Nobody is there to type a passphrase.
    "gc.auto=0",
    "log.showSignature=false",
)


class GitError(StoreError):
    """A git command said no; `said` holds its own words."""

    def __init__(self, command: str, said: str) -> None:
        super().__init__(f"`git {command}` did not work: {said or 'it gave no reason'}")
        self.said = said


class Git:
    """Runs git commands for one store."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self._base = ["git"]
        for setting in (*_CONFIG, *_safe(tree)):
            self._base += ["-c", setting]
        self._base += ["--literal-pathspecs", "--no-pager", "--no-replace-objects"]

    def run(
        self, *args: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None
    ) -> bytes:
        """Return what a git command prints.

        Raises:
            GitError: it exits with anything but 0.
            StoreError: git is missing, or hangs.
        """
        try:
            done = self._start(args, stdin, _environment(self.tree) | dict(env or {}))
        except FileNotFoundError as error:
            if not self.tree.is_dir():
                raise StoreError(f"{self.tree}: the store's folder is gone.") from error
            raise StoreError("git was not found. Install it, or add it to PATH.") from error
        except subprocess.TimeoutExpired as error:
            raise StoreError(
                f"`git {args[0]}` has not answered for {TIMEOUT_S} s and was stopped."
            ) from error
        except OSError as error:
            raise StoreError(f"git could not be started ({error.strerror}).") from error
        if done.returncode:
            raise self._error(args, done.stderr.decode("utf-8", "replace"))
        return done.stdout

    def _start(
        self, args: tuple[str, ...], stdin: bytes | None, env: Mapping[str, str]
    ) -> subprocess.CompletedProcess[bytes]:
        # Without input there is no terminal to ask, and nothing to wait for.
        given = b"" if stdin is None else stdin
        return subprocess.run(
            [*self._base, *args],
            cwd=self.tree,
            env=env,
            input=given,
            capture_output=True,
            check=False,
            timeout=TIMEOUT_S,
        )

    def _error(self, args: tuple[str, ...], said: str) -> StoreError:
        if "dubious ownership" in said or "unsafe repository" in said:
            return StoreError(
                f"{self.tree} belongs to another user, so git refuses to touch it. Run Scry as "
                f"its owner, or allow it: git config --global --add safe.directory {self.tree}"
            )
        return GitError(args[0], one_line(said.removeprefix("fatal: ").removeprefix("error: ")))


def _environment(tree: Path) -> dict[str, str]:
    """Return what a git process may know: no keys, and no `GIT_DIR` of a hook that we run in."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | {
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_CEILING_DIRECTORIES": os.fspath(tree.absolute().parent),
        "GIT_ALLOW_PROTOCOL": "https:ssh:file",
    }


def _safe(tree: Path) -> list[str]:
    """Vouch for our own folder, whatever its parents belong to; not for somebody else's."""
    try:
        ours = tree.stat().st_uid == (tree / ".git").stat().st_uid == os.geteuid()
    except OSError:
        return []
    return [f"safe.directory={tree.resolve()}"] if ours else []
