"""Transcripts of real structure, with what a reader must find in each of them."""

import re

import pytest
from sources import golden_cases as golden

from scry.model import Did, Mark, Said
from scry.sources import SOURCES, detect

CASES = [
    pytest.param(SOURCES[agent], case, id=f"{agent} {case}")
    for agent in ("claude", "codex")
    for case in golden.cases(agent)
]


def test_there_are_golden_cases_of_both_agents():
    assert len(CASES) == 97


@pytest.mark.parametrize(("source", "case"), CASES)
def test_all_words_of_the_user_come_out_and_nothing_else(source, case):
    transcript = source.read(case.path)

    assert golden.missing(case.want, transcript, "user") == []
    assert golden.surplus(case.want, transcript, "user") == []


@pytest.mark.parametrize(("source", "case"), CASES)
def test_all_words_of_the_model_come_out_and_nothing_else(source, case):
    transcript = source.read(case.path)

    assert golden.missing(case.want, transcript, "assistant") == []
    assert golden.surplus(case.want, transcript, "assistant") == []


@pytest.mark.parametrize(("source", "case"), CASES)
def test_what_a_file_repeats_from_another_does_not_come_out(source, case):
    said = [golden.squeezed(e.text) for e in source.read(case.path).events if isinstance(e, Said)]

    for turn in case.want["repeats"]:
        assert golden.squeezed(turn["text"]) not in said


@pytest.mark.parametrize(("source", "case"), CASES)
def test_what_is_known_about_the_session_is_right(source, case):
    got, want = source.read(case.path), case.want

    assert (got.verdict, got.session, got.continues) == (
        want["verdict"],
        want["session"],
        want["continues"],
    )
    assert got.ids == tuple(want["ids"])
    assert got.title == want["title"]
    assert got.cwds == tuple(want["cwds"])
    assert got.branches == tuple(want["branches"])
    assert got.versions == tuple(want["versions"])
    assert got.started == golden.moment(want["started"])
    assert got.ended == golden.moment(want["ended"])


@pytest.mark.parametrize(("source", "case"), CASES)
def test_lines_calls_and_marks_are_counted_right(source, case):
    got, want = source.read(case.path), case.want
    commands = sum(isinstance(e, Said) and e.kind == "command" for e in got.events)
    marks = golden.marks(got)
    # A command with arguments is marked too; cases count only those without, and no bare blocks.
    marks.subtract({"ran": commands})
    wanted = {kind: number for kind, number in want["markers"].items() if kind != "bare"}

    assert got.lines == want["lines"]
    assert len(got.problems) == want["bad_lines"]
    assert dict(got.types) == want["types"]
    assert golden.calls(got) == want["tool_calls"]
    assert {kind: number for kind, number in marks.items() if number} == wanted


@pytest.mark.parametrize(("source", "case"), CASES)
def test_a_files_own_agent_is_recognised_and_no_other(source, case):
    assert detect(case.path) is source


@pytest.mark.parametrize(("source", "case"), CASES)
def test_lines_of_events_stand_in_the_file_in_order(source, case):
    got = source.read(case.path)
    own = [e.line for e in got.events if not (isinstance(e, Said) and e.file)]

    assert own == sorted(own)
    assert all(line >= 1 for line in own)


@pytest.mark.parametrize(("source", "case"), CASES)
def test_a_breadcrumb_holds_a_verb_and_one_short_name(source, case):
    for e in source.read(case.path).events:
        if isinstance(e, Did):
            assert re.fullmatch(r"[a-z]+(?: [a-z0-9-]+){0,2}", e.verb), e
            assert re.fullmatch(r"[\w.@()\[\] +/:-]{0,140}", e.target), e
        elif isinstance(e, Mark):
            assert re.fullmatch(r"[a-z ]+(?:/[\w.:-]+)?", e.kind), e


SIDE_FILES = sorted(p for p in golden.TRANSCRIPTS.rglob("agent-*.jsonl") if "projects" in p.parts)


@pytest.mark.parametrize("path", SIDE_FILES, ids=lambda p: p.name)
def test_a_helpers_file_is_no_session_and_gives_nobodys_words(path):
    got = SOURCES["claude"].read(path)

    assert got.verdict == ("compaction-agent" if "acompact" in path.name else "subagent")
    assert got.events == ()
    assert detect(path) is SOURCES["claude"]


@pytest.mark.parametrize("name", ["claude-2.1.332-interactive-0", "claude-2.1.332-interactive-1"])
def test_request_copies_and_hook_contexts_of_newer_versions_stay_out(name):
    got = SOURCES["claude"].read(golden.TRANSCRIPTS / "agents" / f"{name}.jsonl")
    words = "\n".join(e.text for e in got.events if isinstance(e, Said))

    assert "SCRY-ORIENT-MARKER" not in words
    assert "trimmed" not in words
    assert [e.text for e in got.events if isinstance(e, Said)]
    assert dict(got.types) == {}


def test_a_rollout_of_the_newest_codex_gives_the_prompt_and_the_answer_once():
    got = SOURCES["codex"].read(golden.TRANSCRIPTS / "agents" / "codex-0.171.0-exec.jsonl")

    assert [(e.role, e.text) for e in got.events if isinstance(e, Said)] == [
        ("user", "hi"),
        ("assistant", "Fake codex answer."),
    ]
    assert dict(got.types) == {}
