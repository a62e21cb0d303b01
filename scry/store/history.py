"""What git remembers: the store as it was, who changed it when, what is not committed yet.

Every name that comes from a person or from a record stands behind `--` or `--end-of-options`.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from scry.errors import StoreError
from scry.model import Commit, Problem, Snapshot
from scry.store import message
from scry.store import paths as places
from scry.store.gitrun import Git, GitError
from scry.store.objects import read_blobs
from scry.store.tree import read_all


def commit_at(git: Git, when: str | datetime) -> str:
    """Return the id of a revision, or of the last commit not after a time ("" before the first).

    Raises:
        StoreError: there is no such revision.
    """
    if isinstance(when, datetime):
        until = f"--min-age={int(when.timestamp())}"
        return git.run("rev-list", "-1", "--first-parent", until, "HEAD").decode().strip()
    try:
        name = f"{when}^{{commit}}"
        found = git.run("rev-parse", "--verify", "--quiet", "--end-of-options", name)
    except (GitError, ValueError) as error:
        raise StoreError(
            f"'{when}' is neither a time nor a commit of the store. `scry log` lists commits."
        ) from error
    return found.decode().strip()


def snapshot(git: Git, commit: str) -> Snapshot:
    """Return the records of a commit."""
    rows = git.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *places.FOLDERS)
    entries = []
    for row in rows.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        facts, _, path = row.partition("\t")
        mode, _, blob = facts.split(" ")
        if places.kind_of(path):
            entries.append((path, mode, blob))
    records, problems = read_all(_contents(git, entries))
    return Snapshot(records=tuple(records), problems=tuple(problems), head=commit)


def _contents(
    git: Git, entries: Sequence[tuple[str, str, str]]
) -> Iterator[tuple[str, bytes | Problem]]:
    found = read_blobs(git, [blob for _, _, blob in entries])
    for (path, mode, _), blob in zip(entries, found, strict=True):
        if not places.is_plain_path(path):
            yield path, Problem(path, "The file's name holds control characters; rename it.")
        elif not mode.startswith("100") or blob is None:
            yield path, Problem(path, "This is a link or no regular file; it is not read.")
        else:
            yield path, blob.data


def log(git: Git, *, limit: int = 0, paths: Sequence[str] = ()) -> tuple[Commit, ...]:
    """Return commits, newest first; those that touched `paths`, if given."""
    most = [f"--max-count={limit}"] if limit > 0 else []
    shape = "--format=%H%x1f%ct%x1f%B"
    out = git.run("log", "-z", "--encoding=UTF-8", shape, *most, "HEAD", "--", *paths)
    rows = (row.split("\x1f", 2) for row in out.decode("utf-8", "replace").split("\0") if row)
    return tuple(
        message.read(made, datetime.fromtimestamp(int(date), UTC), text)
        for made, date, text in rows
    )


def dirty(git: Git) -> list[str]:
    """Return the paths of records that a person has changed and not committed, sorted."""
    shape = ("--porcelain=v1", "-z", "--no-renames", "--untracked-files=all")
    out = git.run("status", *shape, "--", *places.FOLDERS)
    rows = out.decode("utf-8", "surrogateescape").split("\0")
    return sorted(row[3:] for row in rows if row and places.kind_of(row[3:]))


def untracked(git: Git) -> list[str]:
    """Return the paths of records that git does not know yet, also those it is to ignore, sorted."""
    out = git.run("ls-files", "-z", "--others", "--", *places.FOLDERS)
    rows = out.decode("utf-8", "surrogateescape").split("\0")
    return sorted(row for row in rows if row and places.kind_of(row))
