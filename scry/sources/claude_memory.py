"""Which project a memory of Claude Code belongs to: `~/.claude/projects/FOLDER/memory/MEMORY.md`.

FOLDER is the project's path with everything but letters and digits written as `-`, so it cannot be
read backwards.  The sessions beside the memory say the path; without any, the disk is asked which
folder is written like this.
"""

import re
from pathlib import Path

from scry.errors import SourceError
from scry.sources.jsonl import HEAD, head_of, head_records

_OTHER = re.compile(r"[^A-Za-z0-9]")
_CUT = 200
"""Letters after which Claude Code cuts a long name, and puts a hash behind."""
_SESSIONS = 8
"""Sessions in which a path is looked for."""


def is_memory(path: Path) -> bool:
    """Say whether a file is a memory that Claude Code keeps for a project."""
    parts = path.parts
    return len(parts) > 4 and parts[-2] == "memory" and parts[-4] == "projects"


def project_of(folder: Path) -> Path | None:
    """Return the project that a folder below `projects/` is about, or None when nobody knows."""
    return _told(folder) or _on_disk(folder.name)


def written(path: str) -> str:
    """Return a path as Claude Code writes it into the name of a folder."""
    return _OTHER.sub("-", path)


def _told(folder: Path) -> Path | None:
    try:
        sessions = sorted(folder.glob("*.jsonl"))[:_SESSIONS]
    except OSError:
        return None
    for session in sessions:
        try:
            head = head_of(session, HEAD)
        except SourceError:
            continue
        for record in head_records(head):
            cwd = record.get("cwd")
            if isinstance(cwd, str) and written(cwd)[:_CUT] == folder.name[:_CUT]:
                return Path(cwd)
    return None


def _on_disk(name: str, top: Path = Path("/")) -> Path | None:
    """Return the folder whose path is written as `name`; of several the first by name."""
    if not name.startswith("-"):
        return None
    try:
        folders = sorted(entry for entry in top.iterdir() if entry.is_dir())
    except OSError:
        return None
    for folder in folders:
        own = f"-{written(folder.name)}"
        if name == own:
            return folder
        if name.startswith(f"{own}-") and (found := _on_disk(name[len(own) :], folder)):
            return found
    return None
