import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.store_worlds import git

from scry.store.repos import identity, normalise_remote

WORD = "hunter" + "2"


@pytest.mark.parametrize(
    ("url", "known"),
    [
        ("https://github.com/jane/hermes.git", "github.com/jane/hermes"),
        ("https://GitHub.com/jane/Hermes/", "github.com/jane/Hermes"),
        (f"https://jane:{WORD}@github.com/jane/hermes", "github.com/jane/hermes"),
        (f"https://{WORD}@github.com:443/jane/hermes", "github.com/jane/hermes"),
        ("http://git.example.org:8080/a/b.git", "git.example.org:8080/a/b"),
        ("git@github.com:jane/hermes.git", "github.com/jane/hermes"),
        ("github.com:jane/hermes", "github.com/jane/hermes"),
        ("work:jane/hermes", "work/jane/hermes"),
        (f"jane:{WORD}@github.com:jane/hermes.git", "github.com/jane/hermes"),
        (f"jane:{WORD}@x@github.com:jane/hermes.git", "github.com/jane/hermes"),
        ("ssh://git@github.com/jane/hermes.git", "github.com/jane/hermes"),
        ("ssh://git@github.com:22/jane/hermes.git", "github.com/jane/hermes"),
        ("ssh://git@example.org:2222/~jane/hermes.git", "example.org:2222/~jane/hermes"),
        ("git@[example.org:2222]:jane/hermes.git", "example.org:2222/jane/hermes"),
        ("git@[::1]:jane/hermes", "::1/jane/hermes"),
        ("git+ssh://git@example.org/a/b", "example.org/a/b"),
        ("ssh://git@ssh.github.com:443/jane/hermes.git", "github.com/jane/hermes"),
        ("git://example.org/a/b/c.git/", "example.org/a/b/c"),
        (f"https://example.org/a/b?token={WORD}", "example.org/a/b"),
        (f"https://example.org/a/b#{WORD}", "example.org/a/b"),
        ("git@example.org:/srv/git/b.git", "example.org/srv/git/b"),
        ("git@example.org:@scope/b", "example.org/@scope/b"),
        ("  https://example.org//a//b.git \n", "example.org/a/b"),
        ("foreign::https://example.org/a/b", "example.org/a/b"),
        ("/srv/git/hermes.git", ""),
        ("../hermes", ""),
        ("~/hermes.git", ""),
        ("file:///srv/git/hermes.git", ""),
        ("C:/src/hermes", ""),
        ("C:\\src\\hermes", ""),
        ("ext::sh -c 'evil' %S", ""),
        ("https://", ""),
        ("https://example.org", ""),
        ("https://ex\x1b[31mample.org/a/b", ""),
        ("https://example.org/a\nb", ""),
        ("", ""),
    ],
)
def test_a_remote_is_known_by_host_and_path(url, known):
    assert normalise_remote(url) == known


SECRET = "s3cr3t-w0rd"


@given(
    st.sampled_from(["https://", "ssh://", "http://", "git://", ""]),
    st.sampled_from(
        ["jane:{}@", "{}@", "{}:x@", "jane:12/{}@", "jane:{}/y@", "jane:a@{}@", "jane:{}#@"]
    ),
    st.sampled_from(["github.com", "example.org:22", "example.org:8443", "[::1]"]),
    st.sampled_from(["/jane/hermes.git", ":jane/hermes", "/a", "/@x/y", ":@x/y"]),
    st.sampled_from(["", "?token={}", "#{}"]),
)
def test_no_password_is_ever_part_of_an_identity(scheme, user, host, path, query):
    url = scheme + user.format(SECRET) + host + path + query.format(SECRET)

    assert SECRET not in normalise_remote(url)


@given(st.text(max_size=40))
def test_any_text_is_a_remote_or_none(text):
    known = normalise_remote(text)

    assert known == "" or ("/" in known and known.isprintable())
    assert normalise_remote(f"https://{known}") in (known, "") if "@" not in known else True


@pytest.fixture
def repo(tmp_path):
    path = tmp_path / "hermes"
    git(tmp_path, "init", "-q", "-b", "main", str(path))
    (path / "src/deep").mkdir(parents=True)
    (path / "src/x").write_text("x")
    git(path, "add", "-A")
    git(path, "commit", "-qm", "first")
    return path


def _root(repo):
    return "root:" + git(repo, "rev-list", "--max-parents=0", "HEAD").strip()


def test_a_repository_with_a_remote_is_known_by_it_from_any_folder_below(repo):
    git(repo, "remote", "add", "backup", "git@example.org:a/b.git")
    assert identity(repo) == "example.org/a/b"
    git(repo, "remote", "add", "origin", "git@github.com:jane/hermes.git")

    assert identity(repo) == identity(repo / "src/deep") == "github.com/jane/hermes"


def test_a_remote_on_this_machine_does_not_count(repo, tmp_path):
    git(tmp_path, "clone", "-q", str(repo), "clone")

    assert identity(tmp_path / "clone") == _root(repo) == identity(repo)
    git(tmp_path / "clone", "remote", "add", "up", "https://github.com/jane/hermes")
    assert identity(tmp_path / "clone") == "github.com/jane/hermes"


def test_without_a_commit_or_a_repository_there_is_no_identity(tmp_path):
    git(tmp_path, "init", "-q", "new")

    assert identity(tmp_path / "new") == ""
    assert identity(tmp_path) == ""
    assert identity(tmp_path / "gone") == ""


def test_a_linked_work_tree_belongs_to_its_repository_also_when_it_is_half_gone(repo, tmp_path):
    linked = tmp_path / "linked"
    git(repo, "worktree", "add", "-q", "-b", "side", str(linked))
    git(repo, "remote", "add", "origin", "git@github.com:jane/hermes.git")

    assert identity(linked) == "github.com/jane/hermes"
    shutil.rmtree(repo / ".git/worktrees")
    assert identity(linked) == "github.com/jane/hermes"
    git(repo, "remote", "remove", "origin")
    assert identity(linked) == _root(repo)


def test_a_work_tree_by_convention_is_known_after_it_is_gone(repo):
    git(repo, "remote", "add", "origin", "git@github.com:jane/hermes.git")

    assert identity(repo / ".claude/worktrees/brave-owl/src") == "github.com/jane/hermes"
    assert identity(repo / "gone") == ""
    assert identity(repo / ".claude/other/x") == ""


def test_a_submodule_is_a_repository_of_its_own(repo, tmp_path):
    git(tmp_path, "init", "-q", "-b", "main", "part")
    git(tmp_path / "part", "commit", "-qm", "part", "--allow-empty")
    git(
        repo,
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        str(tmp_path / "part"),
        "part",
    )
    git(repo / "part", "remote", "set-url", "origin", "https://github.com/jane/part")

    assert identity(repo / "part") == "github.com/jane/part"
    assert identity(repo) == _root(repo)


def test_a_shallow_clone_without_a_remote_does_not_guess(repo, tmp_path):
    git(repo, "commit", "-qm", "second", "--allow-empty")
    git(tmp_path, "clone", "-q", "--depth=1", repo.as_uri(), "shallow")

    assert identity(tmp_path / "shallow") == ""


def test_a_bare_repository_is_known_too(repo, tmp_path):
    git(tmp_path, "clone", "-q", "--bare", str(repo), "bare.git")

    assert identity(tmp_path / "bare.git") == _root(repo)


@pytest.mark.parametrize(
    "text",
    [
        '[remote "origin"]\n\turl = https://example.org/a/b # mine\n',
        '[Remote "origin"] url=https://example.org/a/b\n',
        '[remote "origin"]\n  fetch = x\n  URL = "https://example.org/a/b"\n',
        "[remote.origin]\nurl = https://example.org/\\\na/b\n",
        '[core]\nurl = x\n[remote "origin"]\nurl = https://example.org/a/b\nurl = https://e.org/c\n',
        '\ufeff; note\n[remote "x"]\nurl = /srv/x\n[remote "origin"]\r\nurl = https://example.org/a/b\r\n',
        '[remote "x"]\nurl = https://e.org/c\n[remote "origin"]\nurl = https://example.org/a/b\n',
        '[url "https://example.org/"]\ninsteadOf = ex:\n[remote "origin"]\nurl = https://example.org/a/b\n',
    ],
)
def test_the_configuration_of_git_is_read_as_git_reads_it(repo, text):
    (repo / ".git/config").write_text(text, newline="")

    assert identity(repo) == "example.org/a/b"


@pytest.mark.parametrize("text", ["gitdir: ", "gitdir: /nonexistent\n", "rubbish", "gitdir: \x00"])
def test_a_broken_pointer_is_no_repository(tmp_path, text):
    (tmp_path / ".git").write_text(text)

    assert identity(tmp_path) == ""


def test_no_process_is_started_for_a_remote(repo, monkeypatch):
    git(repo, "remote", "add", "origin", "git@github.com:jane/hermes.git")
    monkeypatch.setenv("PATH", "/nonexistent")

    assert identity(repo) == "github.com/jane/hermes"
