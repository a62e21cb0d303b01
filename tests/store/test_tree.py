import os
import threading
from dataclasses import replace

import pytest
from store.store_worlds import entity, episode, fact, git, learn, new_store, write

from scry.errors import NotAStoreError
from scry.model import Fact, Problem
from scry.statement import words_id
from scry.store.codec import encode
from scry.store.document import LIMIT
from scry.store.tree import FileReader


@pytest.fixture
def store(tmp_path):
    store = new_store(tmp_path / "store")
    write(store, learn(entity(), fact(), episode()))
    return store


def _problems(store):
    return {problem.path: (problem.line, problem.message) for problem in store.load().problems}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("prose\n", 1),
        ("---\nname: x\nname: y\n---\n", 3),
        ("---\nname: [\n---\n", 2),
        ("---\nname: x\n---\n", 1),
        ("---\ntype: gadget\nname: x\n---\n", 2),
        ("---\ntype: fact\nname: x\n---\n", 2),
        (b"\xff\xfe", 1),
        ("---\n" + "x" * LIMIT, None),
    ],
)
def test_a_damaged_file_is_a_problem_and_all_others_are_used(store, text, line):
    path = store.path / "entities/xx/xx.md"
    path.parent.mkdir()
    path.write_bytes(text if isinstance(text, bytes) else text.encode())

    assert set(store.load().records) == {entity(), fact(), episode()}
    assert list(_problems(store)) == ["entities/xx/xx.md"]
    assert _problems(store)["entities/xx/xx.md"][0] == line


def test_links_pipes_and_folders_of_that_name_are_never_opened(store, tmp_path):
    facts = store.path / "facts"
    (facts / "link.md").symlink_to("/etc/hostname")
    (facts / "lost.md").symlink_to(tmp_path / "nobody")
    os.mkfifo(facts / "pipe.md")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x.md").write_text("x")
    (facts / "folder").symlink_to(tmp_path / "out")
    (facts / "dir.md").mkdir()

    assert set(_problems(store)) == {"facts/link.md", "facts/lost.md", "facts/pipe.md"}
    assert len(store.load().records) == 3


def test_a_file_with_control_characters_in_its_name_is_a_problem(store):
    (store.path / "facts" / "a\nb.md").write_text("x")
    (store.path / "facts" / os.fsdecode(b"a\xff.md")).write_text("x")

    assert len(_problems(store)) == 2


def test_notes_and_what_editors_leave_are_ignored(store):
    for name in ("README.md", ".#x.md", "x.md~", "4913", ".x.md.swp", "x.txt"):
        (store.path / "facts" / name).write_text("x")

    assert store.load().problems == ()


def test_a_copy_of_a_record_is_reported_and_the_first_is_used(store):
    data = (store.path / store.path_of(fact())).read_bytes()
    (store.path / "facts/zz").mkdir()
    (store.path / "facts/zz/other--k3v9m2.md").write_bytes(data)

    assert fact() in store.load().records
    assert len(store.load().records) == 3
    assert (
        "the same record as facts/he/hermes/runs_on--mac-mini--k3v9m2.md"
        in (_problems(store)["facts/zz/other--k3v9m2.md"][1])
    )


@pytest.mark.parametrize("folder", ["zz", "aa"])
def test_a_copy_with_words_of_its_own_is_a_fact_of_its_own_under_whatever_name(store, folder):
    own = replace(fact(), id=words_id(fact()), path="")
    path = store.path / store.path_of(own)
    path.write_bytes(encode(own))
    copy = store.path / f"facts/{folder}/other--{own.id}.md"
    copy.parent.mkdir()
    copy.write_bytes(path.read_bytes().replace(b"mac-mini", b"laptop"))

    found = store.load()

    assert found.problems == ()
    ids = {r.dst: r.id for r in found.records if isinstance(r, Fact) and r.id != "k3v9m2"}
    assert ids["mac-mini"] == own.id
    assert ids["laptop"] not in {own.id, "k3v9m2"}


def test_a_folder_without_a_store_is_said(tmp_path):
    with pytest.raises(NotAStoreError, match="scry init"):
        FileReader(tmp_path)
    (tmp_path / ".git").mkdir()
    with pytest.raises(NotAStoreError):
        FileReader(tmp_path)


def test_a_store_that_moves_while_it_is_read_is_read_again(store, monkeypatch):
    from scry.store import tree

    heads = iter(["a", "b", "b", "b"])
    reader = FileReader(store.path)
    monkeypatch.setattr(tree.refs, "head", lambda _folder: next(heads))
    monkeypatch.setattr(tree, "_PAUSE_S", 0)

    assert reader.load().head == "b"


class Watched(FileReader):
    """A reader that tells when it has read once."""

    def __init__(self, path):
        super().__init__(path)
        self.has_read = threading.Event()

    def _is_being_written(self):
        self.has_read.set()
        return super()._is_being_written()


def test_a_reader_that_comes_in_the_middle_of_a_commit_sees_all_of_it(store):
    reader = Watched(store.path)
    found = []
    thread = threading.Thread(target=lambda: found.append(reader.load()))

    def read(step):
        if step == "file" and not thread.ident:
            thread.start()
            assert reader.has_read.wait(10)

    store._step = read
    write(store, learn(fact("a1"), fact("a2"), fact("a3")))
    thread.join(10)

    assert found[0].head == store.head()
    assert len(found[0].records) == 6


def test_what_a_dead_writer_has_left_holds_no_reader_up(store):
    journal = store.local_folder / "journal"
    journal.write_text("{}")
    os.utime(journal, (1, 1))

    assert not FileReader(store.path)._is_being_written()
    assert len(FileReader(store.path).load().records) == 3


def test_evidence_and_local_texts_are_private_files(store):
    store.keep_evidence({"2026-08-01-claude-7k3m9q": "text"})
    store.keep_local("seen.json", "{}")

    files = [store.local_folder / "evidence/9q/2026-08-01-claude-7k3m9q.txt"]
    files.append(store.local_folder / "local/seen.json")
    assert [file.stat().st_mode & 0o777 for file in files] == [0o600, 0o600]
    assert git(store.path, "status", "--porcelain") == ""
    assert store.path.stat().st_mode & 0o777 == 0o700


def test_a_problem_is_a_value_with_path_and_line(store):
    (store.path / "facts/x.md").write_text("---\n---\n")

    assert store.load().problems == (
        Problem("facts/x.md", "The key `type` is missing; here it must be `fact`.", 1),
    )


def test_reading_loads_neither_git_nor_a_yaml_library(store):
    import subprocess
    import sys

    code = (
        "import sys; from pathlib import Path; from scry.store.tree import FileReader\n"
        "assert len(FileReader(Path(sys.argv[1])).load().records) == 3\n"
        "slow = {'git', 'ruamel', 'yaml', 'frontmatter', 'subprocess', 'json'} & set(sys.modules)\n"
        "assert not slow, slow"
    )
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, str(store.path)],
        env={"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
