"""Kimi: pieces of speech, two generations of wires, and who prompts."""

import hashlib
import json

import pytest
from sources.agent_files import places
from sources.transcript_files import did, kinds, marked, told, write

from scry.sources import kimi

SESSION = "session_062c1da1-6d3b-4b66-9acc-b969798756fb"


def old(kind, at=1_785_574_800.5, **payload):
    return {"timestamp": at, "message": {"type": kind, "payload": payload}}


def old_session(tmp_path, *records, cwd="/w"):
    folder = hashlib.md5(cwd.encode()).hexdigest()
    path = tmp_path / ".kimi/sessions" / folder / "062c1da1-6d3b-4b66-9acc-b969798756fb/wire.jsonl"
    (tmp_path / ".kimi").mkdir(exist_ok=True)
    (tmp_path / ".kimi/kimi.json").write_text(
        json.dumps({"work_dirs": [{"path": cwd, "kaos": "local"}]})
    )
    return write(path, [{"type": "metadata", "protocol_version": "1.3"}, *records])


def new(kind, **more):
    return {"type": kind, "agentId": "main", "time": 1_785_574_800_500, **more}


def prompt(text, uid, origin="user", kind="turn.prompt"):
    return new(kind, input=[{"type": "text", "text": text}], origin={"kind": origin}, promptId=uid)


def part(text, kind="text", step="s"):
    return new(
        "context.append_loop_event",
        event={
            "type": "content.part",
            "uuid": text,
            "stepUuid": step,
            "part": {"type": kind, "text": text},
        },
    )


def loop(kind, **more):
    return new("context.append_loop_event", event={"type": kind, **more})


def new_session(tmp_path, *records, agent="main"):
    path = (
        tmp_path
        / ".kimi-code/sessions/wd_w_0123456789ab"
        / SESSION
        / "agents"
        / agent
        / "wire.jsonl"
    )
    return write(path, records)


def test_pieces_that_stream_in_are_one_speech_where_it_began(tmp_path):
    path = old_session(
        tmp_path,
        old("TurnBegin", user_input=[{"type": "text", "text": "run it"}]),
        old("StepBegin", n=1),
        old("ContentPart", type="think", think="hm"),
        old("ContentPart", type="text", text="Run"),
        old("StatusUpdate", context_tokens=5),
        old("ContentPart", type="text", text="ning it."),
        old(
            "ToolCall",
            id="t",
            type="function",
            function={"name": "Shell", "arguments": '{"command": "cargo test"}'},
        ),
        old("ToolResult", tool_call_id="t", return_value={"output": "OUT", "is_error": False}),
        old("ContentPart", type="text", text="Green."),
        old("TurnEnd"),
    )

    got = kimi.read(path)

    assert told(got) == ["U run it", "A Running it.", "A Green."]
    assert [e.line for e in got.events] == [2, 5, 7, 8, 10]
    assert marked(got) == ["said on"]
    assert did(got) == ["ran tests: cargo"]
    assert (got.cwds, got.session) == (("/w",), "062c1da1-6d3b-4b66-9acc-b969798756fb")
    assert got.started.isoformat() == "2026-08-01T09:00:00+00:00"


def test_what_a_person_says_outside_of_prompts_is_kept(tmp_path):
    asked = {"name": "AskUserQuestion", "arguments": "{}"}
    path = old_session(
        tmp_path,
        old("TurnBegin", user_input="go"),
        old("SteerInput", user_input="not on Friday"),
        old("ApprovalResponse", request_id="r", response="reject", feedback="keep the old API"),
        old("ToolCall", id="q", function=asked),
        old(
            "ToolResult",
            tool_call_id="q",
            return_value={"output": '{"answers": {"Where?": "On the mini"}}'},
        ),
        old("BtwBegin", id="b", question="which port?"),
        old("BtwEnd", id="b", response="8080."),
        old("PlanDisplay", content="# Plan", file_path="p.md"),
        old("CompactionBegin"),
        old("StepInterrupted"),
        old(
            "SubagentEvent",
            event={"type": "ContentPart", "payload": {"type": "text", "text": "theirs"}},
        ),
        old("Dream", x=1),
    )

    got = kimi.read(path)

    assert told(got) == [
        "U go",
        "U not on Friday",
        "U keep the old API",
        "U Where? → On the mini",
        "U which port?",
        "A 8080.",
        "A # Plan",
    ]
    assert kinds(got) == ["prompt", "queue", "rejection", "answer", "btw", "btw", "plan"]
    assert marked(got) == ["compacted", "interrupted"]
    assert dict(got.types) == {"Dream": 1}


@pytest.mark.parametrize(
    "origin", ["skill_activation", "injection", "cron_job", "task", "system_trigger", "retry"]
)
def test_a_prompt_that_no_person_typed_is_nobodys(tmp_path, origin):
    path = new_session(
        tmp_path,
        prompt("body", "p", origin),
        new(
            "context.append_message",
            message={
                "role": "user",
                "content": [{"type": "text", "text": "body"}],
                "origin": {"kind": origin},
            },
        ),
    )

    assert told(kimi.read(path)) == []


def test_a_prompt_and_its_copy_in_the_context_count_once_and_a_moved_session_is_read_from_there(
    tmp_path,
):
    copy = {
        "role": "user",
        "content": [{"type": "text", "text": "one"}],
        "id": "p",
        "origin": {"kind": "user"},
    }
    moved = {"role": "user", "content": [{"type": "text", "text": "two"}]}
    answer = {"role": "assistant", "content": [{"type": "text", "text": "Two."}]}
    path = new_session(
        tmp_path,
        prompt("one", "p"),
        new("context.append_message", message=copy),
        new("context.append_message", message=moved),
        new("context.append_message", message=answer),
        prompt("steer", "q", kind="turn.steer"),
        new(
            "context.append_message",
            message={**copy, "id": "q", "content": [{"type": "text", "text": "steer"}]},
        ),
    )

    got = kimi.read(path)

    assert told(got) == ["U one", "U two", "A Two.", "U steer"]
    assert kinds(got) == ["prompt", "prompt", "prose", "queue"]


def test_an_undone_prompt_is_taken_back_with_what_followed_it(tmp_path):
    path = new_session(
        tmp_path,
        prompt("one", "1"),
        part("One."),
        loop("step.end"),
        prompt("two", "2"),
        part("Two."),
        new("context.undo", count=1),
        prompt("three", "3"),
        new("context.apply_compaction", summary="s"),
        new("turn.cancel", target="active"),
    )

    got = kimi.read(path)

    assert kinds(got) == ["prompt", "prose", "rolled back", "rolled back", "prompt"]
    assert marked(got) == ["compacted", "interrupted"]


def test_answers_to_a_form_are_the_persons(tmp_path):
    path = new_session(
        tmp_path,
        loop("tool.call", toolCallId="q", name="AskUserQuestion", args={"questions": []}),
        loop("tool.result", toolCallId="q", result={"output": '{"answers":{"Where?":"Mini"}}'}),
        loop("tool.call", toolCallId="r", name="Read", args={"path": "src/a.py"}),
        loop("tool.result", toolCallId="r", result={"output": '{"answers":{"x":"FILE BODY"}}'}),
    )

    got = kimi.read(path)

    assert told(got) == ["U Where? → Mini"]
    assert did(got) == ["asked", "read: src/a.py"]


def test_a_subagents_wire_is_no_session(tmp_path):
    main, child = (
        new_session(tmp_path, prompt("one", "1")),
        new_session(tmp_path, prompt("task", "1"), agent="agent-7"),
    )

    assert list(kimi.discover(places(tmp_path))) == [main]
    assert (kimi.read(child).verdict, kimi.read(child).events) == ("subagent", ())
