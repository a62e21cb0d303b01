"""Runs that overwrite their papers in every round: the earlier ones come from git."""

import os
import stat
import subprocess
from pathlib import Path

import pytest
from sources.run_folders import lay, told

from scry.sources import runs
from scry.sources.run_files import layout_of
from scry.sources.run_history import earlier_rounds
from scry.text import iso

ROUNDS = (
    {"GOAL.md": "# Goal\n\nStart fast.\n", "plan.md": "# Plan\n\n- measure\n"},
    {"results/startup.md": "VERDICT: FAIL\nREASON: Nine seconds.", "results/build.md": "# PASS"},
    {
        "results/startup.md": "VERDICT: FAIL\nREASON: Six.",
        "plan.md": "# Plan\n\n- measure\n- cut\n",
    },
    {"results/startup.md": "VERDICT: PASS\nREASON: Two seconds."},
)
VERDICTS = [
    "build: pass",
    "startup: fail - Nine seconds.",
    "startup: fail - Six.",
    "startup: pass - Two seconds.",
]


def git(folder: Path, *arguments: str, **more: str) -> None:
    name = {"GIT_AUTHOR_NAME": "j", "GIT_AUTHOR_EMAIL": "j@example.com"}
    committer = {"GIT_COMMITTER_NAME": "j", "GIT_COMMITTER_EMAIL": "j@example.com"}
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), **name, **committer, **more}
    subprocess.run(["git", *arguments], cwd=folder, env=environ, check=True, capture_output=True)


def loop(home: Path, rounds=ROUNDS, *, first: int = 1) -> Path:
    """Return a run in which each round was one commit, at ten o'clock of one day after the other."""
    home.mkdir(parents=True, exist_ok=True)
    if not (home / ".git").exists():
        git(home, "init", "-q")
    for day, files in enumerate(rounds, start=first):
        lay(home / "loop", files)
        at = f"2026-08-{day:02d}T10:00:00Z"
        git(home, "add", ".")
        git(home, "commit", "-qm", "x", GIT_AUTHOR_DATE=at, GIT_COMMITTER_DATE=at)
    return home / "loop"


def test_every_round_that_was_committed_is_told_at_its_own_time(tmp_path):
    transcript = runs.read(loop(tmp_path))
    found = [e for e in transcript.events if e.kind == "verdict"]

    assert sorted(told(transcript, "verdict")[:2]) + told(transcript, "verdict")[2:] == VERDICTS
    assert [iso(e.at)[:10] for e in found] == [f"2026-08-0{n}" for n in (2, 2, 3, 4)]
    assert told(transcript, "plan") == ["# Plan\n\n- measure", "# Plan\n\n- cut"]
    assert told(transcript, "goal") == ["# Goal\n\nStart fast."]
    assert not transcript.problems


def test_a_check_that_a_round_did_not_judge_again_stands_as_before(tmp_path):
    assert told(runs.read(loop(tmp_path)), "state") == ["After 4 iterations; 2 of 2 checks pass."]


def test_what_is_not_committed_comes_last_and_what_is_comes_once(tmp_path):
    folder = loop(tmp_path)
    lay(folder, {"results/startup.md": "VERDICT: FAIL\nREASON: It broke."})

    assert told(runs.read(folder), "verdict")[-2:] == [VERDICTS[-1], "startup: fail - It broke."]


def test_line_ends_that_git_has_changed_say_nothing_twice(tmp_path):
    folder = loop(tmp_path)
    before = told(runs.read(folder))
    lay(folder, {"results/startup.md": b"VERDICT: PASS\r\nREASON: Two seconds."})

    assert told(runs.read(folder)) == before


def test_a_run_that_goes_on_goes_on_saying_what_it_has_said(tmp_path):
    early = runs.read(loop(tmp_path, ROUNDS[:3])).events
    later = runs.read(loop(tmp_path, ROUNDS[3:], first=4))

    # The state in which it stands is what changes.
    assert [(e.uid, e.at) for e in early[:-1]] == [(e.uid, e.at) for e in later.events][
        : len(early) - 1
    ]
    assert later.session == runs.read(tmp_path / "loop").session


def test_a_commit_that_was_rewritten_says_the_same(tmp_path):
    folder = loop(tmp_path)
    before = [e.uid for e in runs.read(folder).events]
    git(tmp_path, "commit", "--amend", "-qm", "another message")

    assert [e.uid for e in runs.read(folder).events] == before


def test_folders_of_iterations_need_no_git(tmp_path):
    files = {f"iterations/{n}/verdict.json": {"status": "pass"} for n in (1, 2)}
    folder = loop(
        tmp_path, [{"GOAL.md": "x", **files}, {"iterations/3/verdict.json": {"status": "fail"}}]
    )

    assert told(runs.read(folder), "verdict") == ["verdict: pass", "verdict: pass", "verdict: fail"]


@pytest.mark.parametrize("trouble", ["no git program", "no repository", "a damaged repository"])
def test_without_a_history_the_last_round_is_told_and_it_is_said(tmp_path, monkeypatch, trouble):
    folder = loop(tmp_path)
    if trouble == "no git program":
        monkeypatch.setenv("PATH", str(tmp_path))
    elif trouble == "no repository":
        (tmp_path / ".git").rename(tmp_path / "elsewhere")
    else:
        (tmp_path / ".git/HEAD").write_text("nonsense")

    transcript = runs.read(folder)

    assert sorted(told(transcript, "verdict")) == ["build: pass", VERDICTS[-1]]
    assert "only the last round of verdicts lies here" in transcript.problems[0].message


def test_nothing_that_the_repository_configures_is_run(tmp_path):
    folder = loop(tmp_path)
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(trap.stat().st_mode | stat.S_IXUSR)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "pager.log",
        "gpg.program",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "filter.x.smudge",
        "core.sshCommand",
    ):
        git(tmp_path, "config", key, str(trap))
    git(tmp_path, "config", "log.showSignature", "true")
    (tmp_path / ".git/info").mkdir(exist_ok=True)
    (tmp_path / ".git/info/attributes").write_text("* diff=x filter=x\n")

    assert len(told(runs.read(folder), "verdict")) == 4
    assert not (tmp_path / "sprung").exists()


def test_the_repository_of_a_hook_that_we_run_in_is_not_asked(tmp_path, monkeypatch):
    folder = loop(tmp_path / "a")
    loop(tmp_path / "b", [{"GOAL.md": "another"}])
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "b/.git"))

    assert len(told(runs.read(folder), "verdict")) == 4


def test_a_paper_that_was_too_large_once_costs_only_that_version(tmp_path):
    large = {"results/startup.md": "VERDICT: FAIL\n" + "x" * 300_000}
    folder = loop(tmp_path, [*ROUNDS[:2], large, *ROUNDS[2:]])

    assert told(runs.read(folder), "verdict")[2:] == VERDICTS[2:]


def test_names_that_git_would_read_as_more_than_names_are_names(tmp_path):
    folder = loop(
        tmp_path, [*ROUNDS, {"results/:(glob)*.md": "# FAIL", "results/Prüf\n1.md": "# PASS"}]
    )

    rounds = earlier_rounds(folder, layout_of(folder).top.papers)

    assert {p.path.name for p in rounds[-1].papers} == {":(glob)*.md", "Prüf\n1.md"}
