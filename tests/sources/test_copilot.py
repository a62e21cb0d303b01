"""Copilot CLI: who speaks as `user.message`, answers to questions, and sessions taken back."""

import pytest
from sources.agent_files import places
from sources.transcript_files import did, kinds, marked, told, write

from scry.sources import copilot

SESSION = "21f6d67f-6e59-4f98-90a2-abb565699802"


def event(kind, uid="", **data):
    return {
        "type": kind,
        "data": data,
        "id": uid or kind,
        "timestamp": "2026-08-01T09:00:00.000Z",
        "parentId": None,
    }


def session(tmp_path, *records):
    return write(tmp_path / ".copilot/session-state" / SESSION / "events.jsonl", records)


@pytest.mark.parametrize(
    "data",
    [
        {"content": "a skill's body", "source": "skill-pdf"},
        {"content": "another agent's task", "source": "agent-7"},
        {"content": "go on", "isAutopilotContinuation": True},
        {"content": '<skill-context name="pdf">\nbody\n</skill-context>'},
        {"content": "<system_notification>\nagent done\n</system_notification>"},
        {"content": "a task", "parentToolCallId": "t"},
        {"content": None},
        {},
    ],
)
def test_what_no_person_typed_is_nobodys_though_it_comes_as_a_user_message(tmp_path, data):
    assert told(copilot.read(session(tmp_path, event("user.message", **data)))) == []


def test_what_was_typed_is_taken_and_not_what_was_made_of_it(tmp_path):
    path = session(
        tmp_path,
        event(
            "user.message",
            content="fix <b>",
            transformedContent="<current_datetime>x</current_datetime>\nfix",
        ),
    )

    assert told(copilot.read(path)) == ["U fix <b>"]


def test_events_of_subagents_are_left_out(tmp_path):
    own = event("assistant.message", "1", content="Mine.")
    child = {**event("assistant.message", "2", content="Theirs."), "agentId": "a1"}

    assert told(copilot.read(session(tmp_path, own, child))) == ["A Mine."]


def test_a_copy_of_an_event_counts_once(tmp_path):
    record = event("user.message", "1", content="once")

    assert told(copilot.read(session(tmp_path, record, record))) == ["U once"]


def test_what_was_rewound_is_taken_back(tmp_path):
    path = session(
        tmp_path,
        event("user.message", "1", content="one"),
        event("user.message", "2", content="two"),
        event("assistant.message", "3", content="Two."),
        event("session.snapshot_rewind", "4", upToEventId="2", eventsRemoved=2),
        event("user.message", "5", content="three"),
    )

    assert kinds(copilot.read(path)) == ["prompt", "rolled back", "rolled back", "prompt"]


def test_answers_and_feedback_are_the_persons_words_and_a_plan_is_the_models(tmp_path):
    path = session(
        tmp_path,
        event("user_input.requested", requestId="q", question="Where?"),
        event("user_input.completed", requestId="q", answer="On the mini"),
        event("exit_plan_mode.requested", planContent="# Plan\n1. move"),
        event("exit_plan_mode.completed", approved=False, feedback="not on Friday"),
    )

    got = copilot.read(path)

    assert told(got) == ["U Where? → On the mini", "A # Plan\n1. move", "U not on Friday"]
    assert kinds(got) == ["answer", "plan", "rejection"]


def test_happenings_are_marked_and_a_failed_compaction_is_none(tmp_path):
    path = session(
        tmp_path,
        event("session.compaction_complete", "1", success=False, summaryContent="s"),
        event("abort", reason="user"),
        event("session.compaction_complete", "2", success=True, summaryContent="the summary"),
    )

    got = copilot.read(path)

    assert marked(got) == ["interrupted", "compacted"]
    assert "summary" not in repr(got)


def test_the_sessions_place_and_remote_are_known(tmp_path):
    where = {
        "cwd": "/w",
        "branch": "main",
        "repository": "jane/hermes",
        "repositoryHost": "github.com",
    }
    got = copilot.read(
        session(
            tmp_path,
            event("session.start", sessionId="s", copilotVersion="1.0.1", context=where),
            event("session.title_changed", title="Move"),
        )
    )

    assert (got.session, got.cwds, got.branches, got.versions) == (
        "s",
        ("/w",),
        ("main",),
        ("1.0.1",),
    )
    assert (got.remote, got.title) == ("https://github.com/jane/hermes", "Move")


def test_tools_are_breadcrumbs_and_unknown_kinds_are_counted(tmp_path):
    calls = [
        {"name": "view", "arguments": {"path": "/w/a.py"}},
        {"name": "create", "arguments": '{"path": "b.py"}'},
        5,
        {"name": 5},
    ]
    got = copilot.read(
        session(
            tmp_path,
            event("session.start", context={"cwd": "/w"}),
            event("assistant.message", content="", toolRequests=calls),
            event("tool.user_requested", toolName="bash", arguments={"command": "make test"}),
            event("dream.begin"),
        )
    )

    assert did(got) == ["read: a.py", "edited: b.py", "ran tests: make"]
    assert dict(got.types) == {"dream.begin": 1}


def test_an_old_file_beside_its_folder_is_not_read_again(tmp_path):
    path = session(tmp_path, event("session.start", sessionId=SESSION))
    top = path.parents[1]
    write(top / f"{SESSION}.jsonl", [event("session.start")])
    old = write(
        top / "31f6d67f-6e59-4f98-90a2-abb565699802.jsonl", [event("user.message", content="x")]
    )

    assert list(copilot.discover(places(tmp_path))) == sorted([path, old])
