"""Autonomous runs: what is recognised, what is told of them, and what never is."""

import json
import os
import shutil
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sources.golden_cases import TRANSCRIPTS
from sources.run_folders import FIRST, STEP, lay, ledger_run, told
from sources.transcript_files import human, write

from scry.errors import SourceError
from scry.model import Said
from scry.ports import Places, Source
from scry.sources import runs
from scry.sources.run_status import status_of

LOOP = TRANSCRIPTS / "runs/loop"
WANTED = json.loads((TRANSCRIPTS / "runs/loop.expect.json").read_text("utf-8"))


def of_round(transcript, name, kind):
    return [
        e
        for e in transcript.events
        if isinstance(e, Said) and e.kind == kind and e.file.split("/")[0] == name
    ]


def verdicts(folder):
    return told(runs.read(folder), "verdict")


# --- the golden run -----------------------------------------------------------------------------


def test_runs_keep_the_contract_of_a_source():
    source: Source = runs

    assert source.NAME == "runs"
    assert runs.recognises(LOOP, b"")


@pytest.mark.parametrize("want", WANTED, ids=lambda want: want["iteration"])
def test_every_check_of_an_iteration_has_its_state(want):
    got = of_round(runs.read(LOOP), want["iteration"], "verdict")

    states = dict(e.text.split(" - ")[0].split(": ") for e in got)
    assert states == want["status"]
    assert len(got) == len(states)
    for check, verdict in want["verdict_lines"].items():
        (line,) = [e for e in got if e.file.endswith(f"/{check}.md")]
        assert line.text.startswith(f"{check}: {verdict.lower()} - ")
        assert line.role == "assistant"


@pytest.mark.parametrize("want", WANTED, ids=lambda want: want["iteration"])
def test_a_plan_begins_with_its_title_and_gives_only_what_is_new(want):
    (plan,) = of_round(runs.read(LOOP), want["iteration"], "plan")

    assert plan.text.startswith(want["plan"] + "\n")
    whole = (LOOP / plan.file).read_text("utf-8")
    new = [line for line in plan.text.splitlines() if line.strip()]
    assert all(line.strip() in whole for line in new)
    before = [one["iteration"] for one in WANTED if one["iteration"] < want["iteration"]][-1:]
    for name in before:
        known = (LOOP / name / "plan/improvement-plan.md").read_text("utf-8").splitlines()
        assert not [line for line in new if line in known and not line.startswith("#")]


def test_the_goal_is_said_by_the_user_once_and_then_only_what_of_it_changed():
    goals = [e for e in runs.read(LOOP).events if e.kind == "goal"]

    assert {e.role for e in goals} == {"user"}
    assert [e.file.split("/")[0] for e in goals] == ["iter000"] * 2 + ["iter004"] * 2


def test_lines_count_the_events_and_the_run_can_be_written_as_lines():
    got = runs.read(LOOP)

    assert [e.line for e in got.events] == list(range(1, len(got.events) + 1))
    assert all(e.file for e in got.events)  # Or a span would leave words out.
    lines = runs.written(got)
    assert len(lines) == len(got.events) == got.lines
    assert all(line.count(b"\n") == 1 and line.endswith(b"\n") for line in lines)
    assert json.loads(lines[2])[3] == got.events[2].text


def test_dates_inside_a_summary_count_more_than_those_of_the_files():
    got = runs.read(LOOP)

    assert got.started == datetime(2026, 3, 22, 2, 34, 54, tzinfo=UTC)
    assert got.ended == datetime(2026, 4, 12, 20, 0, 45, tzinfo=UTC)
    times = [e.at for e in got.events]
    assert times == sorted(times)


# --- a run as a ledger knows it ------------------------------------------------------------------


def test_a_run_of_goal_plans_and_verdicts_is_told_in_order(tmp_path):
    folder = ledger_run(tmp_path)

    got = runs.read(folder)

    assert told(got) == [
        "# Goal\n\nMake Hermes start twice as fast.",
        "# Plan 1\n\nHermes keeps 1 workers warm.",
        "startup: fail - Measured 1 times.",
        "# Plan 2\n\nHermes keeps 2 workers warm.",
        "startup: fail - Measured 2 times.",
        "# Plan 3\n\nHermes keeps 3 workers warm.",
        "startup: pass - Measured 3 times.",
        "After 3 iterations; 1 of 1 checks pass.",
    ]
    assert [e.at.timestamp() - FIRST for e in got.events[:3]] == [0, STEP, 2 * STEP]
    assert got.cwds == ()
    assert got.title == "Goal"
    assert not got.problems


def test_a_run_says_why_it_is_taken_for_one(tmp_path):
    assert runs.believes(ledger_run(tmp_path)) == [
        "it states a goal (GOAL.md)",
        "it has a numbered series (1 to 3)",
    ]


def test_a_run_in_a_repository_is_about_that_repository(tmp_path):
    folder = ledger_run(tmp_path)
    (tmp_path / ".git").mkdir()

    assert runs.read(folder).cwds == (str(tmp_path),)


def test_a_run_has_the_same_id_and_events_wherever_it_lies(tmp_path):
    here = ledger_run(tmp_path / "a")
    there = tmp_path / "elsewhere" / here.name
    shutil.copytree(here, there)

    one, other = runs.read(here), runs.read(there)

    assert one.session == other.session
    assert [e.uid for e in one.events] == [e.uid for e in other.events]
    assert runs.read(ledger_run(tmp_path / "b", rounds=4)).session == one.session


def test_what_a_growing_run_has_said_it_goes_on_to_say(tmp_path):
    early = runs.read(ledger_run(tmp_path / "a", rounds=3)).events
    later = runs.read(ledger_run(tmp_path / "b", rounds=9)).events

    # The last round's verdict and the final state are what changes.
    assert [(e.uid, e.at) for e in early[:-2]] == [(e.uid, e.at) for e in later[: len(early) - 2]]


def test_the_tenth_iteration_comes_after_the_ninth(tmp_path):
    plans = told(runs.read(ledger_run(tmp_path, rounds=12)), "plan")

    assert [p.split("\n")[0] for p in plans] == [f"# Plan {n}" for n in range(1, 13)]


def test_any_change_far_inside_a_run_is_seen(tmp_path):
    folder = ledger_run(tmp_path)
    before = runs.stamp(folder)

    lay(folder, {"iterations/4/plan.md": "# Plan 4"}, at=FIRST + 100 * STEP)

    size, changed = runs.stamp(folder)
    assert size == before[0] + 8
    assert changed == (FIRST + 100 * STEP) * 10**9 > before[1]


def test_a_copied_run_is_never_dated_later_than_what_follows(tmp_path):
    folder = ledger_run(tmp_path)
    os.utime(folder / "GOAL.md", (FIRST + 99 * STEP,) * 2)

    times = [e.at for e in runs.read(folder).events]

    assert times == sorted(times)
    assert times[0].timestamp() == FIRST + STEP


# --- traps ----------------------------------------------------------------------------------------


def test_earlier_rounds_come_from_the_history_when_verdicts_are_overwritten(tmp_path):
    folder = lay(
        tmp_path / "r",
        {
            "spec/app-spec.md": "Build it.",
            "test-results/history/2026-08-01/startup.md": "VERDICT: FAIL\nREASON: Too slow.",
            "test-results/history/2026-08-02/startup.md": "VERDICT: FAIL\nREASON: Still slow.",
            "test-results/startup.md": "VERDICT: PASS\nREASON: Fast.",
        },
    )

    assert verdicts(folder) == [
        "startup: fail - Too slow.",
        "startup: fail - Still slow.",
        "startup: pass - Fast.",
    ]


def test_it_is_said_when_only_the_last_verdicts_are_there(tmp_path):
    folder = lay(tmp_path / "r", {"plan.md": "# P", "results/a.json": {"status": "pass"}})

    assert "only the last round of verdicts lies here" in runs.read(folder).problems[0].message
    assert not runs.read(LOOP).problems


def test_the_same_prompt_in_every_iteration_is_said_once(tmp_path):
    files = {f"iter_{n}/prompt.md": "Find the slowest test." for n in range(20)}

    assert told(runs.read(lay(tmp_path / "r", files)), "goal") == ["Find the slowest test."]


def test_a_prompt_that_bears_another_name_each_time_is_said_once(tmp_path):
    files = {f"iter_{n}/{name}.md": "Find it." for n in (1, 3) for name in ("prompt", "task")}

    assert told(runs.read(lay(tmp_path / "r", files)), "goal") == ["Find it."]


def test_the_same_plan_in_every_iteration_is_said_once(tmp_path):
    files = {f"iter_{n}/plan.md": "# Plan\n\n- measure" for n in range(4)}
    files["iter_4/plan.md"] = "# Plan\n\n- measure\n- cut it"

    got = told(runs.read(lay(tmp_path / "r", files)), "plan")

    assert got == ["# Plan\n\n- measure", "# Plan\n\n- cut it"]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("PASS", "pass"),
        ("**Passed**", "pass"),
        ("pass with reservations", "pass"),
        ("it was accepted", "pass"),
        ("✅", "pass"),
        ("not a pass", "fail"),
        ("did not pass", "fail"),
        ("Never passed", "fail"),
        ("not_passed", "fail"),
        ("FAILED (exit 1)", "fail"),
        ("failure", "fail"),
        ("in_progress", "open"),
        ("pending", "open"),
        ("bypass", "bypass"),
        ("no failures", "no failures"),
        ("all tests pass except two", "all tests pass except two"),
        ("passenger", "passenger"),
        ("PASS | FAIL", ""),
        ("pass/fail", ""),
        ("", ""),
    ],
)
def test_a_status_is_clear_or_stays_as_it_was_said(said, status):
    assert status_of(said) == status


@pytest.mark.parametrize(
    ("report", "line"),
    [
        ("# s\nVERDICT: PASS\nREASON: It is fast. Very.", "check: pass - It is fast."),
        (
            "# s\n\n**Verdict:** not a pass\n\nThe tests pass, but slowly.",
            "check: fail - The tests pass, but slowly.",
        ),
        (
            "# FAIL\n\nIt would pass on a faster disk.",
            "check: fail - It would pass on a faster disk.",
        ),
        ("# startup - FAIL\n\nSlow.", "check: fail - Slow."),
        ("# Review\n\n## Verdict\n\nFAIL\n\n## Reason\n\nSlow. So.", "check: fail - Slow."),
        ("Status: fail — flaky on one machine. See log.", "check: fail - flaky on one machine."),
        ("| Check | x |\n|---|---|\n| Status | pass |", "check: pass"),
        ("Status: draft\n\nVERDICT: FAIL", "check: fail"),
        ("# How to pass\n\nAll of this did pass.", None),
        ("Everything passed, nothing failed.", None),
        ("```\nVERDICT: PASS\n```\nnothing", None),
        ("<!-- VERDICT: PASS -->\nnothing", None),
        ("VERDICT: PASS | FAIL", None),
    ],
)
def test_a_verdict_is_read_from_its_field_or_first_heading_never_from_prose(tmp_path, report, line):
    folder = lay(tmp_path / "r", {"GOAL.md": "Go.", "iterations/1/check.md": report})

    assert verdicts(folder) == ([line] if line else [])


@pytest.mark.parametrize(
    ("document", "lines"),
    [
        (
            {"tests": [{"name": "a", "status": "fail"}, {"name": "b", "status": "pass"}]},
            ["a: fail", "b: pass"],
        ),
        ({"checks": {"a": "pass", "b": False}}, ["a: pass", "b: fail"]),
        (
            {"a": {"passed": True}, "b": {"passed": False, "reason": "Slow. Yes."}},
            ["a: pass", "b: fail - Slow."],
        ),
        ({"verdict": {"status": "fail", "reason": "No."}, "check": "a"}, ["a: fail - No."]),
        ([{"id": "US-1", "passes": True}], ["US-1: pass"]),
        ({"score": 0.5, "feedback": ["Good."]}, ["verdict: score 0.5 - Good."]),
        ({"status": "pass", "reasons": []}, ["verdict: pass"]),
        ({"total": 2, "passed": 1, "failed": 1}, []),
        ({"note": "the status is a pass"}, []),
        ({"status": {"status": {"status": {}}}}, []),
        (["pass"], []),
        (7, []),
    ],
)
def test_verdicts_come_in_many_shapes_of_json(tmp_path, document, lines):
    folder = lay(tmp_path / "r", {"GOAL.md": "Go.", "iterations/1/verdict.json": document})

    assert verdicts(folder) == lines


@pytest.mark.parametrize(
    "body", ['{"status": "pa', "", "\0\0", '{"status": "running"}', "[" * 9000]
)
def test_an_iteration_that_is_being_written_is_open_and_costs_nothing_else(tmp_path, body):
    folder = ledger_run(tmp_path)
    before = verdicts(folder)
    lay(folder, {"iterations/4/plan.md": "# Plan 4\n\nGo on.", "iterations/4/verdict.json": body})

    got = runs.read(folder)

    assert verdicts(folder)[:3] == before
    assert told(got)[-1].startswith("After 4 iterations; ")
    assert told(got)[-1].endswith("; 4 is open.")
    broken = body.startswith(("[", '{"status": "pa'))
    assert [p.path for p in got.problems] == [str(folder / "iterations/4/verdict.json")] * broken


def test_half_a_document_keeps_an_iteration_open_though_others_are_whole(tmp_path):
    folder = lay(
        tmp_path / "r",
        {
            "GOAL.md": "Go.",
            "iter_1/a-verdict.json": {"status": "pass"},
            "iter_1/b-verdict.json": "{",
        },
    )

    got = runs.read(folder)

    assert told(got, "verdict") == ["a-verdict: pass"]
    assert told(got, "state") == ["After 1 iteration; 1 of 1 checks pass; iter_1 is open."]


def test_a_graders_word_is_never_the_users(tmp_path):
    got = runs.read(ledger_run(tmp_path))

    assert {e.kind for e in got.events if e.role == "user"} == {"goal"}


def test_logs_checkouts_dependencies_links_and_binaries_are_never_read(tmp_path):
    secret = "NEVER" + "READ"
    folder = ledger_run(tmp_path)
    outside = lay(tmp_path / "outside", {"plan.md": f"# {secret}"})
    lay(
        folder,
        {
            "loop.md.log": secret,
            "logs/plan.md": secret,
            "node_modules/x/plan.md": secret,
            "iterations/1/node_modules/plan.md": secret,
            "iterations/1/checkout/.git/HEAD": "ref: x",
            "iterations/1/checkout/plan.md": secret,
            "iterations/1/.git/plan.md": secret,
            "iterations/1/build/review.json": {"status": secret},
            "iterations/1/output.md": secret,
            "iterations/1/plan.png": b"\x89PNG" + secret.encode(),
            "iterations/1/a/b/c/d/plan.md": secret,
            "iterations/2/big-plan.md": secret * 100_000,
            "README.md": secret,
        },
    )
    (folder / "iterations/3/notes.md").symlink_to(outside / "plan.md")
    (folder / "plans").symlink_to(outside)
    (folder / "iterations/9").symlink_to(outside)
    (folder / "iterations/loop").symlink_to(folder / "iterations")
    os.mkfifo(folder / "iterations/1/review.md")

    got = runs.read(folder)

    assert secret not in "".join(told(got))
    assert len(got.events) == 8
    assert [p.message for p in got.problems] == ["larger than 256 KB, and so not read"]


# --- what is a run --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(
            ["hypothesis.md", "iter_1/implementation_plan.md", "iter_1/review_result.json"],
            id="lab",
        ),
        pytest.param(["GOAL.md", "state/tree.json", "iterations/1/output.md"], id="task tree"),
        pytest.param(
            ["goal.md", "state.json", "insights.md", "iterations/001.json"], id="auto-loop"
        ),
        pytest.param(
            ["spec/a.md", "ralph-garage/improvement-plan.md", "test-results/a.json"], id="Ralph"
        ),
        pytest.param(
            ["prompt.md", "iteration-1-verdict.json", "iteration-2-verdict.json"], id="flat"
        ),
    ],
)
def test_runs_of_many_makers_are_recognised(tmp_path, files):
    bodies = {name: {"status": "pass"} if name.endswith("json") else "# Go" for name in files}

    assert runs.recognises(lay(tmp_path / "r", bodies), b"")


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({}, id="empty"),
        pytest.param({"README.md": "Status: pass", "src/a.py": "x"}, id="project"),
        pytest.param({"package.json": {"status": "pass"}, "docs/plan.md": "# P"}, id="package"),
        pytest.param({"2026/08/01/a.md": "VERDICT: PASS"}, id="dated folders"),
        pytest.param({"PLAN.md": "# Plan", "results.json": {"total": 3}}, id="plan without status"),
        pytest.param(
            {"facts/x/plan.md": "", "entities/a.md": "", "plan.md": "", "iter1/plan.md": ""},
            id="store",
        ),
    ],
)
def test_other_folders_are_no_runs(tmp_path, files):
    assert not runs.recognises(lay(tmp_path / "r", {"x.txt": "", **files}), b"")


def test_a_folder_with_sessions_of_an_agent_is_no_run(tmp_path):
    folder = ledger_run(tmp_path)
    write(folder / "metrics.jsonl", [{"loss": 1}])
    assert runs.recognises(folder, b"")

    write(folder / "s.jsonl", [human("hello", uuid="1", sessionId="2")])
    assert runs.believes(folder) == []


def test_files_are_no_runs_and_reading_one_is_told_in_a_sentence(tmp_path):
    path = lay(tmp_path, {"GOAL.md": "x"}) / "GOAL.md"

    assert not runs.recognises(path, b"# x")
    for bad in (path, tmp_path / "gone"):
        with pytest.raises(SourceError, match=r"A run is a folder\.$"):
            runs.read(bad)


def test_a_sweep_finds_runs_only_where_agents_keep_them(tmp_path):
    for place in (".loom/runs/a", ".autonomous/b", "src/hermes/.autonomous/c"):
        shutil.copytree(ledger_run(tmp_path), tmp_path / place)
    lay(tmp_path / ".loom/runs/none", {"x.txt": ""})
    (tmp_path / ".loom/runs/link").symlink_to(tmp_path / ".loom/runs/a")
    places = Places(home=tmp_path, claude=tmp_path / "x", codex=tmp_path / "y")

    assert list(runs.discover(places)) == [tmp_path / ".autonomous/b", tmp_path / ".loom/runs/a"]
    more = Places(
        home=tmp_path, claude=tmp_path, codex=tmp_path, folders=(tmp_path / "src/hermes",)
    )
    assert tmp_path / "src/hermes/.autonomous/c" in list(runs.discover(more))


# --- damage ---------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_damage_makes_a_run_unreadable(data, tmp_path_factory):
    folder = ledger_run(tmp_path_factory.mktemp("run"))
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        body = path.read_bytes()
        cut = data.draw(st.integers(0, len(body)))
        path.write_bytes(body[:cut] + data.draw(st.binary(max_size=12)) + body[cut + 3 :])

    got = runs.read(folder)

    runs.believes(folder)
    assert len(runs.written(got)) == len(got.events)
    "".join(told(got)).encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from("status verdict tests check reason timestamps date x score".split()),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(value=JSON)
def test_whatever_a_verdict_holds_is_read(value, tmp_path_factory):
    folder = lay(tmp_path_factory.mktemp("run"), {"GOAL.md": "Go.", "iter_1/verdict.json": value})

    got = runs.read(folder)

    assert all(isinstance(e, Said) and e.text.strip() and e.at for e in got.events)
