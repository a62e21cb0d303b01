import multiprocessing
import shutil
from pathlib import Path

import pytest
from store.store_worlds import git

from scry.errors import StoreError
from scry.store import init
from scry.store.init import find_template, init_store
from scry.store.paths import FOLDERS
from scry.store.tree import FileReader


def test_a_new_store_is_private_committed_and_empty(tmp_path):
    path = tmp_path / "deep" / "store"

    assert init_store(path)

    assert path.stat().st_mode & 0o777 == 0o700
    assert git(path, "status", "--porcelain") == ""
    assert git(path, "log", "--format=%s").split("\n")[:-1] == ["init: a new store"]
    assert git(path, "symbolic-ref", "HEAD").strip() == "refs/heads/main"
    assert git(path, "ls-files").split() == sorted(
        [".gitattributes", "README.md", *(f"{folder}/.gitkeep" for folder in FOLDERS)]
    )
    assert not (path / ".git/hooks").exists()
    assert FileReader(path).load().records == ()
    assert [p.name for p in path.parent.iterdir()] == ["store"]


def test_a_store_that_is_there_is_left_alone(tmp_path):
    init_store(tmp_path / "store")
    (tmp_path / "store/README.md").write_text("mine")

    assert not init_store(tmp_path / "store")

    assert (tmp_path / "store/README.md").read_text() == "mine"


def test_an_empty_folder_becomes_a_store(tmp_path):
    (tmp_path / "store").mkdir()

    assert init_store(tmp_path / "store")


@pytest.mark.parametrize("what", ["file", "folder", "repository", "link"])
def test_something_else_in_that_place_is_refused_and_kept(tmp_path, what):
    path = tmp_path / "store"
    if what == "file":
        path.write_text("x")
    elif what == "folder":
        path.mkdir()
        (path / "x").write_text("x")
    elif what == "repository":
        git(tmp_path, "init", "-q", str(path))
    else:
        (tmp_path / "else").mkdir()
        (tmp_path / "else/x").write_text("x")
        path.symlink_to(tmp_path / "else")
    before = sorted(p.name for p in tmp_path.rglob("*") if ".git/" not in str(p))

    with pytest.raises(StoreError, match="no store"):
        init_store(path)
    assert sorted(p.name for p in tmp_path.rglob("*") if ".git/" not in str(p)) == before


def _make(path, queue):
    queue.put(init_store(Path(path)))


def test_of_two_that_begin_at_once_one_makes_the_store(tmp_path):
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    both = [context.Process(target=_make, args=(str(tmp_path / "s"), queue)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join(60)

    assert sorted(queue.get(timeout=5) for _ in both) == [False, True]
    assert git(tmp_path / "s", "fsck", "--strict") == ""
    assert [p.name for p in tmp_path.iterdir()] == ["s"]


def test_a_crash_leaves_no_half_store(tmp_path, monkeypatch):
    monkeypatch.setattr(init, "_commit", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        init_store(tmp_path / "store")
    assert list(tmp_path.iterdir()) == []


def test_the_template_of_an_installed_package_is_found(tmp_path, monkeypatch):
    package = tmp_path / "site" / "scry"
    shutil.copytree(find_template(), package / "_store_template")
    (package / "store").mkdir()
    monkeypatch.setattr(init, "__file__", str(package / "store" / "init.py"))

    assert find_template() == package / "_store_template"
    shutil.rmtree(package / "_store_template")
    with pytest.raises(StoreError, match="template is missing"):
        find_template()


def test_the_template_says_how_to_read_change_and_undo():
    text = (find_template() / "README.md").read_text()

    assert (find_template() / ".gitattributes").read_text() == "*.md text eol=lf\n"
    for words in ("git log", "git revert", "scry why", "invalid_at:", "review/"):
        assert words in text
