"""Which checkout a file lies in, read without git: enough to tell two notes of one name apart.

    .git/config      [remote "origin"] url = git@github.com:jane/hermes.git
    .git             gitdir: /elsewhere/.git/worktrees/x     in a linked work tree

What comes out only goes into a hash; the identity of a repository that people see is the store's.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

_URL = re.compile(r'\[remote "origin"\][^\[]*?^\s*url\s*=\s*(\S+)', re.MULTILINE)
_ADDRESS = re.compile(
    r"(?:[a-z+]+://)?(?:[^/]*@)?(?P<host>[\w.-]{2,})(?::\d+(?=/))?[:/]+(?P<path>.+)"
)

_OF_A_STORE = ("facts", "entities", "episodes", "review")


def root_of(path: Path) -> Path | None:
    """Return the nearest folder above a path that has a `.git`, or None."""
    return next((folder for folder in path.parents if _exists(folder / ".git")), None)


def is_linked(root: Path) -> bool:
    """Say whether a checkout is a linked work tree, a second view of another one."""
    return "/worktrees/" in _text(root / ".git")


def is_store(root: Path) -> bool:
    """Say whether a checkout is a store of Scry's."""
    return (root / ".git" / "scry").exists() or all((root / n).is_dir() for n in _OF_A_STORE)


def name_of(root: Path) -> str:
    """Return what the clones of a repository share: its remote, else the folder's own path."""
    found = _URL.search(_text(_git_folder(root) / "config"))
    url = found[1] if found else ""
    address = None if url.startswith(("/", ".", "~", "file:")) else _ADDRESS.match(url)
    if not address:
        return str(root)
    return f"{address['host'].lower()}/{address['path'].rstrip('/').removesuffix('.git')}"


def _git_folder(root: Path) -> Path:
    """Return the folder that all work trees of a repository share."""
    said = _text(root / ".git").removeprefix("gitdir:").strip()
    folder = root / said if said else root / ".git"
    there = _text(folder / "commondir").strip()
    return folder / there if there else folder


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    except OSError:
        return ""


class Checkouts:
    """What is known of the checkouts that a search comes through, each asked about once.

    It is made for one search: a checkout may be gone before the next.
    """

    def __init__(self) -> None:
        self.is_linked: Callable[[Path], bool] = cache(is_linked)
        self.name_of: Callable[[Path], str] = cache(name_of)
        self.is_store: Callable[[Path], bool] = cache(is_store)
        self._root: dict[Path, Path | None] = {}

    def root_of(self, path: Path) -> Path | None:
        """Return the nearest folder above a path that has a `.git`, or None."""
        folder = path.parent
        if folder not in self._root:
            above = folder.parent != folder
            own = folder if _exists(folder / ".git") else None
            self._root[folder] = own or (self.root_of(folder) if above else None)
        return self._root[folder]
