"""A new store: a folder of one's own with the template's files and a first commit.

It is made beside its place and moved there whole, so that a crash leaves no half store, and two
that begin at once end with one.
"""

import os
import shutil
import time
from pathlib import Path

from scry.errors import StoreError
from scry.store.files import make_folders, write_file
from scry.store.gitrun import Git
from scry.store.objects import author_of, make_commit
from scry.store.tree import holds_records

_SUBJECT = "init: a new store"


def find_template() -> Path:
    """Return the folder that `scry init` copies: in the installed package, or in a checkout."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "_store_template", package.parent / "store-template"):
        if folder.is_dir():
            return folder
    raise StoreError(f"{package}: the store's template is missing. Install Scry again.")


def init_store(path: Path) -> bool:
    """Make a store at `path`; return False when there is one already.

    Raises:
        StoreError: something else is there, or it cannot be written.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100 -- does not follow links
    if is_store(path):
        return False
    if path.is_symlink() or path.exists():
        _check_empty(path)
    fresh = path.with_name(f".{path.name}.new-{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        _fill(fresh)
        return _move(fresh, path)
    except OSError as error:
        raise StoreError(f"{path}: no store can be made here ({error.strerror}).") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def is_store(path: Path) -> bool:
    """Say whether there is a store: a repository with at least one of the folders."""
    return (path / ".git").exists() and holds_records(path)


def _check_empty(path: Path) -> None:
    if (path / ".git").exists():
        raise StoreError(
            f"{path} is a git repository and no store of Scry's. Give the store a folder of its "
            "own (--store or SCRY_STORE)."
        )
    if not path.is_dir() or any(path.iterdir()):
        raise StoreError(
            f"{path} is not empty, and no store. Give the store an empty or a new folder."
        )


def _fill(folder: Path) -> None:
    """Make a repository of the template's files, with one commit."""
    git = Git(folder)
    # Whatever a person prefers for new repositories, a store is read without git.
    git.run(
        *("-c", "init.defaultRefFormat=files", "-c", "init.defaultObjectFormat=sha1"),
        *("init", "-q", "--template=", "."),
    )
    git.run("symbolic-ref", "HEAD", "refs/heads/main")
    (folder / ".git" / "scry").mkdir(mode=0o700)
    template = find_template()
    files = {
        found.relative_to(template).as_posix(): found.read_bytes()
        for found in sorted(template.rglob("*"))
        if found.is_file()
    }
    for name, data in files.items():
        write_file(make_folders(folder, name), data, temp=folder / ".git" / "scry" / "file")
    _commit(Git(folder), files)


def _commit(git: Git, files: dict[str, bytes]) -> None:
    made, blobs = make_commit(
        git,
        files,
        base="",
        message=f"{_SUBJECT}\n",
        author=author_of(git),
        epoch=int(time.time()),
    )
    rows = "".join(f"100644 {blob}\t{name}\0" for name, blob in blobs.items())
    git.run("update-index", "-z", "--index-info", stdin=rows.encode())
    git.run("update-ref", "-m", _SUBJECT, "HEAD", made, "0" * len(made))


def _move(fresh: Path, path: Path) -> bool:
    """Give the store its name; False when somebody else was faster."""
    try:
        fresh.rename(path)  # Takes the place of an empty folder, and of nothing else.
    except OSError:
        if is_store(path):
            return False
        raise
    return True
