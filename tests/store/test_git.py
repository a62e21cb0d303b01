"""What a person, their git and other processes may do, and what stays as it is."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from store.store_worlds import (
    MOMENT,
    assert_sound,
    entity,
    fact,
    git,
    learn,
    new_store,
    write,
)

from scry.errors import LockedError, MovedError, NotAStoreError, StoreError
from scry.model import Citation
from scry.statement import words_id
from scry.store import gitrun
from scry.store.git import GitStore
from scry.store.init import init_store
from scry.store.tree import FileReader

PATH = "facts/he/hermes/runs_on--mac-mini--k3v9m2.md"


@pytest.fixture
def config(tmp_path, monkeypatch):
    """A configuration of the person's own, and none of this machine's."""
    path = tmp_path / "gitconfig"
    path.write_text("")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return path


@pytest.fixture
def store(tmp_path, config):
    store = new_store(tmp_path / "store")
    write(store, learn(entity(), fact()))
    return store


def _status(store):
    return git(store.path, "status", "--porcelain", "-uall")


# --- one commit ---------------------------------------------------------------------------------


def test_after_a_commit_nothing_is_left_to_commit(store):
    write(store, learn(entity(aliases=("no",)), fact("zzz"), removes=(fact(),)))

    assert _status(store) == ""
    assert store.dirty() == []
    assert not (store.path / PATH).exists()
    assert_sound(store)


def test_an_unborn_branch_gets_its_first_commit(tmp_path, config):
    path = tmp_path / "store"
    git(tmp_path, "init", "-q", str(path))
    (path / "facts").mkdir()
    store = GitStore(path, clock=lambda: MOMENT)

    assert store.head() == ""
    assert store.log() == ()
    assert store.load_at(MOMENT).records == ()
    write(store, learn(fact()))

    assert store.load().records == (fact(),)
    assert _status(store) == ""
    assert_sound(store)


def test_folders_that_are_empty_go_and_the_top_ones_stay(store):
    write(store, learn(removes=(fact(), entity())))

    assert not (store.path / "facts/he").exists()
    assert (store.path / "facts").is_dir()
    assert (store.path / "entities").is_dir()


def test_a_rewrite_keeps_what_a_person_has_committed(store):
    text = (store.path / PATH).read_text().replace("src:", "# mine\nmine: x\nsrc:")
    (store.path / PATH).write_text(text)
    git(store.path, "commit", "-qam", "my note")

    write(store, learn(fact(invalid_at=MOMENT)))

    assert (store.path / PATH).read_text() == text.replace(
        "dst: mac-mini\n", "dst: mac-mini\ninvalid_at: 2026-08-01T09:30:00Z\n"
    )
    assert git(store.path, "show", "--numstat", "--format=").split() == ["1", "0", PATH]


def test_a_record_that_leaves_review_takes_its_comments_along(store):
    waiting = fact("wwww", reason="held")
    write(store, learn(waiting))
    path = store.path / store.path_of(waiting)
    path.write_text(path.read_text().replace("src:", "# mine\nsrc:"))
    git(store.path, "commit", "-qam", "my note")

    write(store, learn(fact("wwww"), removes=(waiting,)))

    text = (store.path / store.path_of(fact("wwww"))).read_text()
    assert "# mine\n" in text
    assert "reason:" not in text
    assert not path.exists()


def test_crlf_in_the_work_tree_is_the_persons_and_is_not_committed(store):
    data = (store.path / PATH).read_bytes().replace(b"\n", b"\r\n")
    (store.path / PATH).write_bytes(data)
    git(store.path, "add", "-A")

    assert write(store, learn(fact(invalid_at=MOMENT)))[1] == ()

    assert b"invalid_at: 2026-08-01T09:30:00Z\r\n" in (store.path / PATH).read_bytes()
    assert b"\r" not in git(store.path, "show", f"HEAD:{PATH}").encode()
    assert _status(store) == ""


# --- the person's git -----------------------------------------------------------------------------


def test_commits_carry_the_persons_name_or_ours(store, config):
    assert git(store.path, "log", "-1", "--format=%an <%ae>").strip() == "Scry <scry@localhost>"
    config.write_text("[user]\nname = Jane <Q>\nemail = jane@example.org\nuseConfigOnly = true\n")

    write(GitStore(store.path, clock=lambda: MOMENT), learn(fact("other1")))

    assert git(store.path, "log", "-1", "--format=%an <%ae>").strip() == "Jane Q <jane@example.org>"


@pytest.mark.parametrize(
    "setting",
    [
        "[user]\nuseConfigOnly = true",
        "[commit]\ngpgSign = true\n[gpg]\nprogram = /nonexistent",
        "[core]\nautocrlf = true",
        "[core]\nautocrlf = input\n[core]\neol = crlf",
        "[core]\nhooksPath = {hooks}",
        "[init]\ntemplateDir = {hooks}",
        "[core]\nfsmonitor = {hooks}/pre-commit",
        '[filter "x"]\nclean = false\nsmudge = false\nrequired = true',
        "[core]\nsplitIndex = true",
        "[core]\nuntrackedCache = true",
        "[index]\nversion = 4",
        "[fetch]\nunpackLimit = 1\n[fastimport]\nunpackLimit = 1",
        "[log]\nshowSignature = true\n[i18n]\nlogOutputEncoding = latin1",
        "[status]\nshowUntrackedFiles = no\nrelativePaths = false\n[color]\nui = always",
        "[core]\nquotePath = true\nprecomposeUnicode = false\n[diff]\nnoprefix = true",
    ],
)
def test_no_configuration_of_the_persons_gets_in_the_way(tmp_path, config, setting):
    hooks = tmp_path / "hooks"
    for name in (
        "pre-commit",
        "commit-msg",
        "post-commit",
        "reference-transaction",
        "post-checkout",
    ):
        (hooks / "hooks").mkdir(parents=True, exist_ok=True)
        for folder in (hooks, hooks / "hooks"):
            (folder / name).write_text(f"#!/bin/sh\necho {name} >> {tmp_path}/ran\nexit 1\n")
            (folder / name).chmod(0o755)
    config.write_text(setting.replace("{hooks}", str(hooks)) + "\n")

    store = new_store(tmp_path / "store")
    for number in range(3):
        write(store, learn(entity(aliases=(f"n{number}", "Zoë")), fact(f"nnn{number}")))

    assert len(store.load().records) == 4
    assert [c.subject for c in store.log(limit=3)] == ["learn: x"] * 3
    assert not (tmp_path / "ran").exists()
    assert_sound(store)
    config.write_text("")
    assert _status(store) == ""


def test_variables_of_a_hook_do_not_lead_us_to_another_repository(store, tmp_path, monkeypatch):
    other = tmp_path / "other"
    git(tmp_path, "init", "-q", str(other))
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other / ".git/objects"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.bare")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")

    write(store, learn(fact("other1")))

    assert len(store.load().records) == 3
    assert list((other / ".git/objects").rglob("??/*")) == []
    assert not (other / ".git/index").exists()


def test_git_is_told_no_secret_of_the_environment(store, monkeypatch, tmp_path):
    seen = tmp_path / "seen"
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\nenv >> {seen}\nPATH=/usr/bin:/bin exec git "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("EXAMPLE_API_KEY", "not-for-git")

    write(store, learn(fact("other1")))

    assert "GIT_TERMINAL_PROMPT=0" in seen.read_text()
    assert "not-for-git" not in seen.read_text()


def test_no_argument_of_git_comes_from_a_record(store):
    odd = replace(fact("odd1"), path="facts/-x/--output=y.md", qualifier=":(top)x")

    write(store, learn(odd))
    write(store, learn(replace(odd, invalid_at=MOMENT)))

    assert replace(odd, id=words_id(odd), invalid_at=MOMENT) in store.load().records
    assert len(store.commits_of("facts/-x/--output=y.md")) == 2
    assert store.commits_of(":(exclude)facts") == ()
    assert_sound(store)


def test_a_missing_git_is_said(store, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")

    with pytest.raises(StoreError, match="git was not found"):
        store.log()


def test_a_hanging_git_is_stopped(store, monkeypatch, tmp_path):
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nexec sleep 60\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(gitrun, "TIMEOUT_S", 0.2)

    with pytest.raises(StoreError, match="was stopped"):
        store.log()


# --- what a person has not committed ----------------------------------------------------------------


def _edit(store):
    path = store.path / PATH
    path.write_text(path.read_text().replace("Mac mini", "laptop"))


def _stage(store):
    _edit(store)
    git(store.path, "add", PATH)


def _stage_then_restore(store):
    before = (store.path / PATH).read_bytes()
    _stage(store)
    (store.path / PATH).write_bytes(before)


def _delete(store):
    (store.path / PATH).unlink()


def _stage_deletion(store):
    git(store.path, "rm", "-q", PATH)


def _forget(store):
    git(store.path, "rm", "-q", "--cached", PATH)


def _link(store):
    (store.path / PATH).unlink()
    (store.path / PATH).symlink_to("/etc/hostname")


PERSON = [_edit, _stage, _stage_then_restore, _delete, _stage_deletion, _forget, _link]


@pytest.mark.parametrize("does", PERSON)
@pytest.mark.parametrize("change", ["write", "remove", "move"])
def test_a_file_that_a_person_has_changed_waits_and_the_rest_lands(store, does, change):
    does(store)
    state, staged = _status(store), git(store.path, "diff", "--cached")
    bytes_ = (store.path / PATH).read_bytes() if os.path.lexists(store.path / PATH) else None
    new = fact(invalid_at=MOMENT) if change == "write" else fact("nnn")
    moved = fact(reason="held")
    changes = {
        "write": learn(new, fact("nnn")),
        "remove": learn(fact("nnn"), removes=(fact(),)),
        "move": learn(moved, fact("nnn"), removes=(fact(),)),
    }[change]

    commit, waiting = write(store, changes)

    assert commit
    assert PATH in waiting
    assert len(waiting) == (2 if change == "move" else 1)
    assert _status(store) == state
    assert git(store.path, "diff", "--cached") == staged
    assert (
        (store.path / PATH).read_bytes() if os.path.lexists(store.path / PATH) else None
    ) == bytes_
    assert git(store.path, "show", "--name-only", "--format=").split() == [
        store.path_of(fact("nnn"))
    ]
    assert_sound(store)


def test_a_persons_new_file_at_our_place_waits(store):
    path = store.path / store.path_of(fact("nnn"))
    path.write_text("---\nmine\n")

    assert write(store, learn(fact("nnn")))[1] == (store.path_of(fact("nnn")),)
    git(store.path, "add", "-N", ".")
    assert write(store, learn(fact("nnn")))[1] == (store.path_of(fact("nnn")),)
    git(store.path, "add", ".")
    path.unlink()
    assert write(store, learn(fact("nnn")))[1] == (store.path_of(fact("nnn")),)
    assert not path.exists()


def test_what_waits_lands_once_the_file_is_clean(store):
    _edit(store)
    assert write(store, learn(fact(invalid_at=MOMENT))) == ("", (PATH,))
    git(store.path, "commit", "-qam", "my edit")

    commit, waiting = write(store, learn(replace(store.load().records[1], invalid_at=MOMENT)))

    assert (bool(commit), waiting) == (True, ())
    assert "laptop" in (store.path / PATH).read_text()


def test_a_committed_file_that_cannot_be_read_is_never_rewritten(store):
    (store.path / PATH).write_text("---\nbroken\n")
    git(store.path, "commit", "-qam", "oops")

    assert write(store, learn(fact(invalid_at=MOMENT))) == ("", (PATH,))
    assert (store.path / PATH).read_text() == "---\nbroken\n"


def test_other_changes_of_a_person_stay_as_they_are(store):
    (store.path / "mine.txt").write_text("untracked")
    (store.path / "README.md").write_text("edited")
    (store.path / "staged.txt").write_text("staged")
    git(store.path, "add", "staged.txt")
    (store.path / "half.txt").write_text("one\n")
    git(store.path, "add", "half.txt")
    (store.path / "half.txt").write_text("one\ntwo\n")
    git(store.path, "rm", "-q", "--cached", ".gitattributes")
    before = _status(store), git(store.path, "diff"), git(store.path, "diff", "--cached")

    write(store, learn(fact("nnn"), entity(aliases=("x",))))

    after = _status(store), git(store.path, "diff"), git(store.path, "diff", "--cached")
    assert after == before
    assert git(store.path, "show", "--name-only", "--format=").split() == [
        "entities/he/hermes.md",
        store.path_of(fact("nnn")),
    ]


def test_a_file_that_is_saved_while_we_write_keeps_the_persons_bytes(store):
    def save(step):
        if step == "lock":
            _edit(store)

    store._step = save

    assert write(store, learn(entity(aliases=("x",)), fact(invalid_at=MOMENT)))[1] == (PATH,)
    assert "laptop" in (store.path / PATH).read_text()
    assert store.dirty() == [PATH]
    assert "invalid_at" not in git(store.path, "show", f"HEAD:{PATH}")
    assert "- x" in git(store.path, "show", "HEAD:entities/he/hermes.md")
    assert_sound(store)


def test_dirty_names_what_a_person_has_not_committed(store):
    _edit(store)
    (store.path / "facts/mine.md").write_text("x")
    (store.path / "entities/he/hermes.md").unlink()
    (store.path / "notes.txt").write_text("x")

    assert store.dirty() == [
        "entities/he/hermes.md",
        "facts/he/hermes/" + PATH.rpartition("/")[2],
        "facts/mine.md",
    ]


# --- refusals -----------------------------------------------------------------------------------------


def _begin(store, name, *args):
    git(store.path, "switch", "-q", "-c", "side")
    _edit(store)
    git(store.path, "commit", "-qam", "side")
    git(store.path, "switch", "-q", "main")
    path = store.path / PATH
    path.write_text(path.read_text().replace("Mac mini", "server"))
    git(store.path, "commit", "-qam", "main")
    subprocess.run(
        ["git", "-c", "user.name=J", "-c", "user.email=j@x", name, *args],
        cwd=store.path,
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "args"),
    [("merge", ["side"]), ("rebase", ["side"]), ("cherry-pick", ["side"]), ("revert", ["HEAD~1"])],
)
def test_a_merge_or_the_like_under_way_is_named_and_nothing_is_written(store, name, args):
    _begin(store, name, *args)
    before = _status(store), store.head()

    with pytest.raises(StoreError, match=f"A {name} is under way.*git {name} --abort"):
        write(store, learn(fact("nnn")))
    assert (_status(store), store.head()) == before
    assert store.load().records


def test_a_bisect_under_way_is_named(store):
    git(store.path, "bisect", "start")

    with pytest.raises(StoreError, match="bisect is under way"):
        write(store, learn(fact("nnn")))


def test_a_detached_head_is_named(store):
    git(store.path, "checkout", "-q", "--detach")

    with pytest.raises(StoreError, match="detached"):
        write(store, learn(fact("nnn")))
    assert len(store.load().records) == 2


def test_a_bare_repository_is_no_store(tmp_path):
    git(tmp_path, "init", "-q", "--bare", "bare")

    with pytest.raises(NotAStoreError):
        GitStore(tmp_path / "bare", clock=lambda: MOMENT)


def test_a_folder_that_is_a_link_is_not_written_through(store, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (store.path / "facts/xx").symlink_to(outside)

    with pytest.raises(StoreError, match="does not write through links"):
        write(store, learn(fact(src="xxx")))
    assert list(outside.iterdir()) == []
    assert_sound(store)


def test_anothers_index_lock_is_waited_for_and_then_named(store, monkeypatch):
    from scry.store import commit

    monkeypatch.setattr(commit, "_INDEX_WAIT_S", 0.1)
    lock = store.git_folder / "index.lock"
    lock.write_text("")
    before = _status(store), store.head()

    with pytest.raises(LockedError, match=r"index.lock is in the way .*If no git is running"):
        write(store, learn(fact("nnn")))
    assert (_status(store), store.head()) == before
    assert lock.read_text() == ""
    lock.unlink()
    assert write(store, learn(fact("nnn")))[0]
    assert_sound(store)


def test_head_that_moves_while_we_write_is_noticed_and_all_is_put_back(store):
    def move(step):
        if step == "lock":
            tree = git(store.path, "rev-parse", "HEAD^{tree}").strip()
            made = git(store.path, "commit-tree", tree, "-p", "HEAD", "-m", "theirs").strip()
            git(store.path, "update-ref", "HEAD", made)

    store._step = move

    with pytest.raises(MovedError):
        write(store, learn(fact("nnn"), fact(invalid_at=MOMENT)))
    assert git(store.path, "log", "-1", "--format=%s").strip() == "theirs"
    assert _status(store) == ""
    assert_sound(store)


def test_a_full_disk_leaves_everything_as_it_was(store, monkeypatch):
    from scry.store import commit

    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(commit, "replace_file", full)
    before = _status(store), store.head()

    with pytest.raises(StoreError, match=r"No space left on device.*Nothing of this change"):
        write(store, learn(fact("nnn")))
    assert (_status(store), store.head()) == before
    assert_sound(store)


def test_references_in_a_reftable_are_named(store):
    (store.git_folder / "reftable").mkdir()

    with pytest.raises(StoreError, match="reftable"):
        write(store, learn(fact("nnn")))


def test_a_store_of_longer_ids_works_like_any_other(tmp_path, config):
    path = tmp_path / "store"
    git(tmp_path, "init", "-q", "--object-format=sha256", str(path))
    store = GitStore(path, clock=lambda: MOMENT)

    for number in range(3):
        write(store, learn(fact(f"n{number}"), entity(aliases=(str(number),))))

    assert len(store.head()) == 64
    assert len(store.load().records) == len(store.load_at("HEAD").records) == 4
    assert _status(store) == ""
    assert_sound(store)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_store_of_another_user_is_left_to_them(store):
    for folder, names, files in os.walk(store.path):
        for name in [".", *names, *files]:
            os.chown(Path(folder) / name, 12345, 12345, follow_symlinks=False)

    assert len(store.load().records) == 2
    with pytest.raises(StoreError, match=r"another user.*safe.directory"):
        write(GitStore(store.path, clock=lambda: MOMENT), learn(fact("nnn")))


# --- as it was known ------------------------------------------------------------------------------------


def test_the_store_can_be_read_as_of_a_commit_or_a_time(tmp_path, config):
    init_store(tmp_path / "store")
    now = [MOMENT]
    store = GitStore(tmp_path / "store", clock=lambda: now[0])
    first, _ = write(store, learn(fact()))
    now[0] += timedelta(days=1)
    second, _ = write(store, learn(fact(invalid_at=MOMENT), entity()))
    (store.path / PATH).unlink()

    assert store.load_at(first).records == (fact(),)
    assert store.load_at(first[:10]).head == first
    assert set(store.load_at("HEAD").records) == {entity(), fact(invalid_at=MOMENT)}
    assert store.load_at(MOMENT + timedelta(hours=3)).head == first
    assert store.load_at(now[0]).head == second
    assert store.load_at(MOMENT - timedelta(days=9000)).records == ()
    assert store.load_at(first).records[0].path == PATH


@pytest.mark.parametrize("name", ["nobody", "", "--all", "HEAD:facts", "-x", "a b", "HEAD\nHEAD"])
def test_a_revision_that_is_none_is_said(store, name):
    with pytest.raises(StoreError, match="neither a time nor a commit"):
        store.load_at(name)


def test_a_bad_file_of_the_past_is_a_problem(store):
    (store.path / PATH).write_text("broken")
    (store.path / "facts/link.md").symlink_to("/etc/hostname")
    git(store.path, "add", "-A")
    git(store.path, "commit", "-qm", "oops")

    snapshot = store.load_at("HEAD")

    assert snapshot.records == (entity(),)
    assert {problem.path for problem in snapshot.problems} == {PATH, "facts/link.md"}


# --- several at once --------------------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from store.store_worlds import MOMENT, entity, fact, learn
from scry.errors import MovedError
from scry.store.git import GitStore

store = GitStore(Path(sys.argv[1]), clock=lambda: MOMENT, wait_s=60)
for number in range(20):
    with store.writing():
        known = {r.slug: r for r in store.load().records if hasattr(r, "slug")}
        aliases = known["hermes"].aliases + (f"{sys.argv[2]}{number}",)
        made = store.apply(
            learn(fact(f"{sys.argv[2]}{number}"), entity(aliases=tuple(sorted(aliases)))),
            base=store.head(),
        )
        assert made.commit and not made.waiting
"""


def _python(code, *args, **options):
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, args)],
        env=os.environ | {"PYTHONPATH": path},
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def test_two_processes_that_write_at_once_lose_nothing(store):
    writers = [_python(WRITER, store.path, name) for name in "ab"]
    errors = [writer.communicate(timeout=120)[1] for writer in writers]

    assert errors == ["", ""]
    names = {f"{name}{number}" for name in "ab" for number in range(20)}
    assert {r.id for r in store.load().records if hasattr(r, "src")} == names | {"k3v9m2"}
    assert set(store.load().records[0].aliases) == names
    assert len(store.log()) == 42
    assert _status(store) == ""
    assert_sound(store)


def test_who_waits_for_a_writer_is_told_and_gives_up_by_name(store):
    said = []
    waiting = GitStore(store.path, clock=lambda: MOMENT, wait_s=0.7, say=said.append)

    with (
        store.writing(),
        pytest.raises(LockedError, match=f"process {os.getpid()} has been writing"),
        waiting.writing(),
    ):
        pass
    assert said == [f"Waiting for process {os.getpid()}, which is writing to the store …"]
    with waiting.writing():
        pass


# --- killed half-way ----------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from pathlib import Path
from store.store_worlds import MOMENT, entity, fact, learn
from scry.store.git import GitStore

store = GitStore(Path(sys.argv[1]), clock=lambda: MOMENT)
count = 0
def step(name):
    global count
    count += name == sys.argv[2].partition("#")[0]
    if count == int(sys.argv[2].partition("#")[2] or 1):
        os.kill(os.getpid(), signal.SIGKILL)
store._step = step
with store.writing():
    store.apply(
        learn(fact("nnn"), entity(aliases=("x",)), removes=(fact(),)), base=store.head()
    )
"""
STEPS = ["objects", "journal", "lock", "file#1", "file#2", "file#3", "head", "index"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("staged", [False, True])
def test_killed_at_any_step_the_next_run_ends_in_the_same_tree(store, tmp_path, step, staged):
    twin = new_store(tmp_path / "twin")
    write(twin, learn(entity(), fact()))
    changes = learn(fact("nnn"), entity(aliases=("x",)), removes=(fact(),))
    write(twin, changes)
    if staged:
        (store.path / "mine.txt").write_text("x")
        git(store.path, "add", "mine.txt")
    child = _python(KILLED, store.path, step)
    child.communicate(timeout=60)
    assert child.returncode == -9
    git(store.path, "fsck", "--strict", "--no-dangling")

    said = []
    again = GitStore(store.path, clock=lambda: MOMENT, say=said.append)
    with again.writing():
        head = again.head()
        assert _status(again) == ("A  mine.txt\n" if staged else "")
        made = again.apply(changes, base=head)

    assert bool(made.commit) == (step not in ("head", "index"))
    assert bool(said) == (step != "objects")
    assert git(store.path, "rev-parse", "HEAD^{tree}") == git(twin.path, "rev-parse", "HEAD^{tree}")
    assert set(again.load().records) == set(twin.load().records)
    assert _status(again) == ("A  mine.txt\n" if staged else "")
    assert_sound(again)


def test_a_link_that_a_person_put_there_after_a_crash_stops_nobody(store):
    child = _python(KILLED, store.path, "file#3")
    child.communicate(timeout=60)
    path = store.path / store.path_of(fact("nnn"))
    path.unlink()
    path.symlink_to("/etc/hostname")

    assert write(store, learn(fact("mmm")))[0]
    assert path.is_symlink()


def test_files_that_a_power_cut_has_taken_back_are_written_again(store):
    child = _python(KILLED, store.path, "head")
    child.communicate(timeout=60)
    new = store.path / store.path_of(fact("nnn"))
    new.unlink()
    git(store.path, "show", f"HEAD~1:{PATH}")
    (store.path / PATH).parent.mkdir(exist_ok=True)
    (store.path / PATH).write_text(git(store.path, "show", f"HEAD~1:{PATH}"))

    with store.writing():
        pass

    assert set(store.load().records) == {fact("nnn"), entity(aliases=("x",))}
    assert _status(store) == ""
    assert_sound(store)


def test_every_step_is_one_that_a_test_stops_at(store):
    seen = []
    store._step = seen.append
    write(store, learn(fact("nnn")))

    assert seen == list(dict.fromkeys(step.partition("#")[0] for step in STEPS))


def test_a_file_that_a_person_edits_after_a_crash_is_left_alone(store):
    child = _python(KILLED, store.path, "file#3")
    child.communicate(timeout=60)
    path = store.path / store.path_of(fact("nnn"))
    path.write_text(path.read_text() + "\nMine.\n")

    again = GitStore(store.path, clock=lambda: MOMENT)
    with again.writing():
        pass

    assert path.read_text().endswith("Mine.\n")
    assert again.dirty() == [store.path_of(fact("nnn"))]
    assert_sound(again)


def test_a_lock_of_our_dead_git_on_head_is_removed_and_a_living_one_is_not(store):
    child = _python(KILLED, store.path, "lock")
    child.communicate(timeout=60)
    ours = store.git_folder / "HEAD.lock"
    ours.write_text("")
    old = store.git_folder / "refs/heads/main.lock"
    old.write_text("")
    os.utime(old, (time.time() - 500, time.time() - 500))

    with store.writing():
        pass

    assert not ours.exists()
    assert old.exists()


def test_everything_local_may_be_deleted_at_any_time(store):
    import shutil

    shutil.rmtree(store.local_folder)

    assert store.load().records
    assert write(store, learn(fact("nnn")))[0]


# --- a reader -----------------------------------------------------------------------------------------------


def test_a_reader_sees_what_is_committed_and_what_a_person_has_just_written(store):
    reader = FileReader(store.path)
    assert (reader.load(), reader.head()) == (store.load(), store.head())

    git(store.path, "pack-refs", "--all")
    assert reader.head() == store.head() == git(store.path, "rev-parse", "HEAD").strip()
    _edit(store)
    assert "laptop" in next(r.fact for r in reader.load().records if hasattr(r, "fact"))


def test_a_linked_work_tree_is_read_and_written_like_any_other(store, tmp_path):
    git(store.path, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    linked = GitStore(tmp_path / "linked", clock=lambda: MOMENT)

    assert linked.head() == store.head()
    write(linked, learn(fact("nnn", episodes=(Citation("a"),))))

    assert linked.head() != store.head()
    assert git(linked.path, "status", "--porcelain") == ""
    assert len(linked.load().records) == 3


def test_many_small_packs_are_rolled_up(store, monkeypatch):
    from scry.store import git as store_git

    monkeypatch.setattr(store_git, "_MANY_PACKS", 6)
    packs = store.git_folder / "objects" / "pack"

    for number in range(20):
        write(store, learn(fact(f"n{number}")))
        assert len(list(packs.glob("*.pack"))) <= 7

    assert len(store.load_at("HEAD").records) == 22
    assert len(store.log()) == 22
    assert_sound(store)
