"""Gemini CLI: records that replace others, what is taken back, and who says what."""

import json

import pytest
from sources.gemini_chats import CONTEXT, HEAD, call, chat, model, user
from sources.transcript_files import did, kinds, marked, told

from scry.sources import gemini


def test_a_later_record_with_the_same_id_replaces_the_earlier_in_its_place(tmp_path):
    path = chat(
        tmp_path,
        HEAD,
        user("u", "go"),
        model("m", "Run"),
        model("n", "Next."),
        model("m", "Running it.", call("t", "run_shell_command", command="npm test")),
        model(
            "m",
            "Running it.",
            call("t", "run_shell_command", command="npm test"),
            call("s", "replace", file_path="/w/a.py"),
        ),
    )

    got = gemini.read(path)

    assert told(got) == ["U go", "A Running it.", "A Next."]
    assert did(got) == ["ran tests: npm", "edited: a.py"]
    assert [e.line for e in got.events] == [2, 3, 4, 5, 5, 6]
    assert marked(got) == ["said on"]


def test_what_the_program_forgets_stays_said_and_its_summary_is_nobodys(tmp_path):
    forgets = {
        "$set": {
            "messages": [
                user("x", "<state_snapshot>\nsummary\n</state_snapshot>"),
                model("y", [{"text": "Got it. Thanks for the additional context!"}]),
            ]
        }
    }
    path = chat(
        tmp_path,
        HEAD,
        {"$set": {"messages": [user("c", CONTEXT)]}},
        user("u", "go"),
        model("m", "Done."),
        forgets,
        user("v", "more"),
    )

    got = gemini.read(path)

    assert told(got) == ["U go", "A Done.", "U more"]
    assert marked(got) == ["compacted"]
    assert got.cwds == ("/w",)


def test_a_message_in_a_set_is_taken_once(tmp_path):
    path = chat(
        tmp_path,
        HEAD,
        user("u", "go"),
        {"$set": {"messages": [user("u", "[masked]"), user("w", "only here")]}},
        {"$set": {"messages": [user("w", "only here")]}},
    )

    assert told(gemini.read(path)) == ["U go", "U only here"]


def test_what_was_rewound_is_taken_back_and_an_unknown_point_takes_nothing(tmp_path):
    path = chat(
        tmp_path,
        HEAD,
        user("u", "one"),
        user("v", "two"),
        model("m", "Two."),
        {"$rewindTo": "v"},
        user("w", "three"),
        {"$rewindTo": "gone"},
    )

    assert kinds(gemini.read(path)) == ["prompt", "rolled back", "rolled back", "prompt"]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            user("u", "look at @a.py", "\n--- Content from referenced files ---", "FILE BODY"),
            ["U look at @a.py"],
        ),
        (user("u", "expanded text", displayContent=[{"text": "typed"}]), ["U typed"]),
        (user("u", "<hook_context>x</hook_context>"), []),
        (user("u", "fix it", "\n<hook_context>x</hook_context>"), ["U fix it"]),
        (user("u", "Please continue."), []),
        (
            {
                "id": "u",
                "type": "user",
                "content": [{"functionResponse": {"response": {"output": "OUT"}}}],
            },
            [],
        ),
        ({"id": "u", "type": "info", "content": "Update available"}, []),
        ({"id": "u", "type": "error", "content": "quota"}, []),
        (user("u", "why does <session_context> appear?"), ["U why does <session_context> appear?"]),
        (
            model("m", [{"text": "hm", "thought": True}, {"text": "Yes."}, {"functionCall": {}}]),
            ["A Yes."],
        ),
        ({"id": "u", "type": "user", "content": "as text"}, ["U as text"]),
        (user("u", "<scry-recall>old</scry-recall>"), []),
    ],
)
def test_only_what_was_typed_and_answered_is_said(tmp_path, message, said):
    assert told(gemini.read(chat(tmp_path, HEAD, message))) == said


def test_an_answer_to_a_question_is_the_persons(tmp_path):
    asked = {
        "id": "q",
        "name": "ask_user",
        "args": {"questions": [{"question": "Where?"}]},
        "result": [
            {"functionResponse": {"response": {"output": '{"answers": {"0": "On the mini"}}'}}}
        ],
    }

    got = gemini.read(chat(tmp_path, HEAD, model("m", "", asked)))

    assert told(got) == ["U Where? → On the mini"]
    assert did(got) == ["asked"]


def test_a_subagents_chat_is_no_session(tmp_path):
    path = chat(tmp_path, {**HEAD, "kind": "subagent", "directories": ["/w"]}, user("u", "task"))

    assert (gemini.read(path).verdict, gemini.read(path).events) == ("subagent", ())


def test_the_directory_is_found_by_its_hash_when_nothing_else_says_it(tmp_path):
    path = chat(tmp_path, HEAD, user("u", "one"), project=HEAD["projectHash"])
    (tmp_path / ".gemini/projects.json").write_text(
        json.dumps({"projects": {"/v": "v", "/w": "w"}})
    )

    assert gemini.read(path).cwds == ("/w",)
