"""Traps of Codex rollouts of every generation, one rule each."""

import json

import pytest
import zstandard
from sources.transcript_files import (
    OTHER,
    SESSION,
    did,
    envelope,
    event,
    item,
    kinds,
    marked,
    message,
    meta,
    told,
    turn,
    write,
)

from scry.ports import Places
from scry.sources import codex, detect


@pytest.fixture
def read(tmp_path):
    def read(*records):
        return codex.read(write(tmp_path / "rollout.jsonl", records))

    return read


def completed(kind, *texts):
    return event(
        "item_completed",
        item={"type": kind, "content": [{"type": "text", "text": t} for t in texts]},
    )


def from_whom(*kinds_of_blocks):
    metadata = [{"provenance": {"type": kind}} for kind in kinds_of_blocks]
    return {"internal_chat_message_metadata_passthrough": {"content_item_metadata": metadata}}


def test_a_rollout_from_before_the_envelope_is_read_with_the_files_time(read):
    got = read(
        {
            "id": SESSION,
            "timestamp": "2025-08-20T13:20:47Z",
            "instructions": None,
            "git": {"branch": "main"},
        },
        {"record_type": "state"},
        {
            "type": "message",
            "role": "user",
            "content": [
                {
                    "type": "input_text",
                    "text": "<environment_context>\n<cwd>/w/x</cwd>\n</environment_context>",
                }
            ],
        },
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "index it"}],
        },
        {
            "type": "function_call",
            "name": "shell",
            "arguments": '{"command":["bash","-lc","cd x && cargo test"]}',
        },
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Done."}],
        },
    )

    assert told(got) == ["U index it", "A Done."]
    assert did(got) == ["ran tests: cargo"]
    assert (got.session, got.cwds, got.branches) == (SESSION, ("/w/x",), ("main",))
    assert {e.at.isoformat() for e in got.events} == {"2025-08-20T13:20:47+00:00"}
    assert dict(got.types) == {}


def test_words_that_stand_as_item_and_as_event_come_out_once(read):
    got = read(
        meta(),
        message("user", "fix it"),
        event("user_message", message="fix it"),
        completed("UserMessage", "fix it"),
        event("agent_message", message="Fixed."),
        message("assistant", "Fixed."),
        completed("AgentMessage", "Fixed."),
    )

    assert told(got) == ["U fix it", "A Fixed."]


def test_a_prompt_that_only_the_event_holds_comes_out_at_its_place(read):
    prefixed = (
        "# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\nfix it"
    )
    got = read(
        meta(),
        event("user_message", message=prefixed),
        completed("UserMessage", "fix it"),
        message("assistant", "Fixed."),
        event("agent_message", message="cut off"),
    )

    assert told(got) == ["U fix it", "A Fixed."]


def test_a_rollout_of_events_alone_is_read(read):
    got = read(
        meta(), event("user_message", message="fix it"), event("agent_message", message="Fixed.")
    )

    assert told(got) == ["U fix it", "A Fixed."]


@pytest.mark.parametrize(
    "block",
    [
        "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nbe nice\n</INSTRUCTIONS>",
        "# AGENTS.md instructions\n\n<INSTRUCTIONS>\na </INSTRUCTIONS> b\n</INSTRUCTIONS>",
        "# AGENTS.md instructions for /w\n<INSTRUCTIONS>x</INSTRUCTIONS>\n<environment_context><cwd>/w</cwd></environment_context>",
        "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>",
        "<user_instructions>\nx\n</user_instructions>",
        "<user_shell_command>\n<command>ls</command>\n<result>SECRET</result>\n</user_shell_command>",
        "<turn_aborted>\nThe user interrupted.\n</turn_aborted>",
        '<subagent_notification>{"agent_id":"x","text":"SECRET"}</subagent_notification>',
        "<additional_context>\n<scry-orientation>x</scry-orientation>\n</additional_context>",
        '<codex_internal_context source="goal">x</codex_internal_context>',
        "<skill><name>x</name></skill>",
        "<recommended_plugins>x</recommended_plugins>",
        "<scry-orientation>\nx\n</scry-orientation>",
        "<image name=[Image #1]>",
        "</image>",
    ],
)
def test_injected_blocks_of_a_users_message_are_nobodys_words(read, block):
    assert told(read(meta(), message("user", block))) == []
    assert told(read(meta(), message("user", block, "fix it"))) == ["U fix it"]
    assert told(read(meta(), event("user_message", message=block))) == []


def test_other_roles_and_items_are_nobodys_words(read):
    got = read(
        meta(base_instructions={"text": "SECRET"}),
        message("developer", "SECRET"),
        message("system", "SECRET"),
        item(
            "reasoning",
            summary=[{"type": "summary_text", "text": "SECRET"}],
            content=[{"text": "SECRET"}],
        ),
        item("agent_message", content=[{"text": "SECRET"}], author="x"),
        item("function_call", name="shell", arguments="{}", call_id="1"),
        item(
            "function_call_output", call_id="1", output='{"answers":{"q":{"answers":["SECRET"]}}}'
        ),
        item("custom_tool_call_output", call_id="1", output="SECRET"),
        event("agent_reasoning", text="SECRET"),
        event("exec_command_end", stdout="SECRET", aggregated_output="SECRET"),
        event("task_complete", last_agent_message="SECRET"),
        envelope(
            "compacted",
            {"message": "SECRET", "replacement_history": [message("user", "SECRET")["payload"]]},
        ),
        envelope("world_state", {"state": "SECRET"}),
        envelope("inter_agent_communication", {"text": "SECRET"}),
    )

    assert told(got) == []
    assert "SECRET" not in repr(got.events)
    assert got.verdict == "metadata-only"


def test_a_block_that_says_it_comes_from_somebody_else_is_not_the_users(read):
    got = read(
        meta(),
        message("user", "a hook's words", "mine", **from_whom("harness", "user")),
        message("user", "a skill", **from_whom("skills")),
        message("assistant", "Done.", **from_whom("harness")),
    )

    assert told(got) == ["U mine", "A Done."]


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        (
            "# Context from my IDE setup:\n\n## Open tabs:\n- a.md\n\n## My request for Codex:\nfix it",
            ["U fix it"],
        ),
        ("\n## Prior conversation with Codex:\n{...}\n## My request for Codex:\n.\n", ["U ."]),
        (
            "# Code review guidelines\nx\n\n# Review findings:\ny\n## My request for Codex:\nfix",
            ["U fix"],
        ),
        ("# A\n## My request for Codex:\nnot this\n## My request for Codex:\nthis", ["U this"]),
        ("# Files mentioned by the user:\n\n## a.jpg: /a.jpg\n\n## My request for Codex:\n\n", []),
        (
            "Write ## My request for Codex: into the file",
            ["U Write ## My request for Codex: into the file"],
        ),
        ("# My own heading\nand words", ["U # My own heading\nand words"]),
    ],
)
def test_what_a_client_puts_before_the_request_is_cut(read, words, typed):
    assert told(read(meta(), message("user", words))) == typed


def test_pictures_between_blocks_are_marks(read):
    content = [
        {
            "type": "input_text",
            "text": "# Files mentioned by the user:\n\n## My request for Codex:\nread it",
        },
        {"type": "input_text", "text": "<image name=[Image #1]>"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
        {"type": "input_text", "text": "</image>"},
    ]
    got = read(meta(), item("message", role="user", content=content))

    assert (told(got), marked(got)) == (["U read it"], ["image"])


def test_phases_of_the_model_are_kept_as_kinds(read):
    got = read(
        meta(), message("assistant", "Looking.", phase="commentary"), message("assistant", "Done.")
    )

    assert kinds(got) == ["commentary", "prose"]


def test_a_compaction_and_an_interruption_are_marked_once_each(read):
    got = read(
        meta(),
        message("user", "go"),
        envelope("compacted", {"message": ""}),
        event("context_compacted"),
        message("user", "<turn_aborted>\nx\n</turn_aborted>"),
        event("turn_aborted", reason="interrupted"),
        message("user", "again"),
        event("turn_aborted", reason="interrupted"),
    )

    assert marked(got) == ["compacted", "interrupted", "interrupted"]
    assert told(got) == ["U go", "U again"]


def test_a_prompt_that_is_written_again_after_its_turn_was_stopped_at_once_is_said_once(read):
    aborted = event("turn_aborted", reason="interrupted")
    got = read(
        meta(),
        message("user", "go"),
        aborted,
        message("user", "go"),
        message("assistant", "ok"),
        aborted,
        message("user", "go"),
    )

    assert told(got) == ["U go", "A ok", "U go"]


def test_turns_that_were_rolled_back_are_marked_as_undone(read):
    got = read(
        meta(),
        message("user", "one"),
        message("assistant", "ONE"),
        message("user", "two"),
        message("assistant", "TWO"),
        message("user", "three"),
        event("thread_rolled_back", num_turns=2),
        message("user", "four"),
    )

    assert kinds(got) == ["prompt", "prose", "rolled back", "rolled back", "rolled back", "prompt"]
    assert marked(got) == ["rolled back"]


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ('{"answers":{"q":{"answers":["Commit now"]}}}', ["U Which? → Commit now"]),
        (
            '{"answers":{"q":{"answers":["None of the above","user_note: the old blue"]}}}',
            ["U Which? → the old blue"],
        ),
        (
            '{"answers":{"q":{"answers":["Navy","user_note: dark"]},"other":{"answers":["x"]}}}',
            ["U Which? → Navy, dark\nother → x"],
        ),
        ({"content": '{"answers":{"q":{"answers":["A"]}}}'}, ["U Which? → A"]),
        ("cancelled", []),
        ('{"answers":[1]}', []),
        ('{"answers":{"q":{"answers":[3,null]}}}', []),
        (None, []),
    ],
)
def test_answers_to_a_form_are_the_users_words(read, output, words):
    asked = json.dumps({"questions": [{"id": "q", "question": "Which?"}]})
    got = read(
        meta(),
        item("function_call", name="request_user_input", arguments=asked, call_id="c"),
        item("function_call_output", call_id="c", output=output),
    )

    assert told(got) == words
    assert did(got) == ["asked"]


def test_the_first_meta_names_the_file_and_a_repeated_one_is_a_resume(read):
    got = read(meta(), message("user", "one"), meta(), message("user", "two"), meta())

    assert (got.session, got.ids, got.verdict, got.continues) == (
        SESSION,
        (SESSION,),
        "session",
        None,
    )
    assert told(got) == ["U one", "U two"]


@pytest.mark.parametrize(
    "more",
    [
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": OTHER}}}},
        {"thread_source": "subagent"},
    ],
)
def test_the_thread_of_a_subagent_is_no_session_and_nobodys_words(read, more):
    got = read(meta(**more), message("user", "task of the parent"), message("assistant", "report"))

    assert got.verdict == "subagent"
    assert told(got) == []


def test_words_that_the_parent_sends_to_subagents_are_not_the_users(read):
    spawn = item(
        "function_call", name="spawn_agent", arguments='{"message":"gAAAAAB"}', call_id="c"
    )

    assert told(read(meta(), spawn)) == []


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://example.com/jane/x.git", "https://example.com/jane/x.git"),
        ("https://jane:{}@example.com/jane/x.git?private={}", "https://example.com/jane/x.git"),
        ("ssh://git@example.com:22/x.git", "ssh://example.com:22/x.git"),
        ("git@example.com:jane/x.git", "git@example.com:jane/x.git"),
        ("https://[broken/{}", ""),
    ],
)
def test_the_remote_is_kept_without_credentials(read, url, shown):
    got = read(meta(git={"repository_url": url.format("hunter2", "hunter2")}))

    assert got.remote == shown


def test_dates_come_from_records_and_not_from_names(tmp_path):
    name = f"2025/09/16/rollout-2025-09-16T12-47-48-{SESSION}.jsonl"
    path = write(
        tmp_path / name,
        [
            meta() | {"timestamp": "2025-09-15T22:47:48Z"},
            message("user", "x") | {"timestamp": "2025-09-15T23:00:00Z"},
        ],
    )

    got = codex.read(path)

    assert got.started.isoformat() == "2025-09-15T22:47:48+00:00"
    assert got.ended.isoformat() == "2025-09-15T23:00:00+00:00"


@pytest.mark.parametrize(
    "record",
    [
        envelope("response_item", None),
        envelope("response_item", {"type": "message", "role": "user", "content": None}),
        envelope(
            "response_item",
            {"type": "message", "role": "user", "content": [None, 3, {"type": "input_text"}]},
        ),
        envelope("response_item", {"type": "function_call", "name": 3, "arguments": [1]}),
        envelope("response_item", {"type": ["message"]}),
        envelope(
            "event_msg", {"type": "item_completed", "item": {"type": "UserMessage", "content": [1]}}
        ),
        envelope("event_msg", {"type": "thread_rolled_back", "num_turns": "many"})
        | {"type": "event_msg2"},
        envelope("session_meta", {"git": [], "id": {}}),
        envelope("turn_context", {"cwd": 3, "turn_id": []}),
        {"type": "message", "role": "user"},
    ],
)
def test_odd_shapes_cost_nobody_their_words(read, record):
    got = read(meta(), message("user", "one"), record, message("user", "two"))

    assert told(got) == ["U one", "U two"]


def test_types_that_nobody_knows_are_counted(read):
    assert dict(read(meta(), envelope("novelty", {}), {"a": 1}).types) == {"novelty": 1, "None": 1}


# --- files -------------------------------------------------------------------------------------


def test_a_compressed_rollout_is_read_like_a_plain_one(tmp_path):
    plain = write(
        tmp_path / f"rollout-2026-08-01T09-00-00-{SESSION}.jsonl",
        [meta(), turn("t1"), message("user", "hi")],
    )
    packed = plain.with_name(plain.name + ".zst")
    packed.write_bytes(zstandard.compress(plain.read_bytes()))

    got = codex.read(packed)

    assert (told(got), got.session) == (["U hi"], SESSION)
    assert detect(packed) is codex
    assert codex.recognises(packed, packed.read_bytes()[:65_536])


def test_each_session_is_found_once_the_dated_before_the_archived_and_plain_before_packed(tmp_path):
    home = tmp_path / "codex"
    ids = [f"{n:08x}-0000-4000-8000-000000000000" for n in range(4)]
    names = [f"rollout-2026-08-01T09-00-00-{one}.jsonl" for one in ids]
    day = home / "sessions/2026/08/01"
    for folder, name in [
        (day, names[0]), (day, names[0] + ".zst"), (home / "archived_sessions", names[0]),
        (day, names[1] + ".zst"), (home / "archived_sessions", names[1]),
        (home / "archived_sessions", names[2]), (home / "archived_sessions", names[2] + ".zst"),
        (day, names[3] + ".zst"),
    ]:  # fmt: skip
        write(folder / name, [meta()])
    write(day / "notes.jsonl", [meta()])
    (home / "sessions/loop").symlink_to(home / "sessions")
    (day / f"rollout-x-{OTHER}.jsonl").symlink_to(day / f"rollout-x-{OTHER}.jsonl")
    places = Places(home=tmp_path, claude=tmp_path, codex=home)

    found = [str(path.relative_to(home)) for path in codex.discover(places)]

    assert found == sorted(found)
    assert found == [
        f"archived_sessions/{names[2]}",
        f"sessions/2026/08/01/{names[0]}",
        f"sessions/2026/08/01/{names[1]}.zst",
        f"sessions/2026/08/01/{names[3]}.zst",
        f"sessions/2026/08/01/rollout-x-{OTHER}.jsonl",
    ]  # The last is none; whoever reads it says so.


def test_a_rollout_is_recognised_under_any_name_and_in_every_generation(tmp_path):
    bare = {"id": SESSION, "timestamp": "2025-08-20T13:20:47Z", "instructions": None}
    long = meta(base_instructions={"text": "x" * 99_999})

    for name, records in [
        ("a.txt", [meta()]),
        ("b", [bare]),
        ("c", ["{half", {"record_type": "state"}]),
        ("d", [json.dumps(long, separators=(",", ":"))]),
    ]:
        assert detect(write(tmp_path / name, records)) is codex
