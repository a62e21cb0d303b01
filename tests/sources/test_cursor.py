"""Cursor: prompts unwrapped, times and places out of little, and the old plain text."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sources.agent_files import accidents, places
from sources.golden_cases import TRANSCRIPTS
from sources.transcript_files import did, marked, told, write

from scry.sources import cursor, cursor_text

ID = "5e12d300-1f90-4409-b098-1f5da9ca345d"
OLD = (
    TRANSCRIPTS
    / "cursor/.cursor/projects/home-jane-src-hermes/agent-transcripts/b41ca925-a315-4d4f-beb8-4869fb9fe926.txt"
)


def user(text):
    return {"role": "user", "message": {"content": [{"type": "text", "text": text}]}}


def transcript(tmp_path, *records, project="w", name=ID):
    return write(
        tmp_path / ".cursor/projects" / project / "agent-transcripts" / name / f"{name}.jsonl",
        records,
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<user_query>\nfix it\n</user_query>", ["U fix it"]),
        ("<timestamp>now</timestamp>\n<user_query>\nfix a < b\n</user_query>", ["U fix a < b"]),
        (
            "<attached_files>\nBODY\n</attached_files>\n<user_query>fix it</user_query>\n[Image]",
            ["U fix it"],
        ),
        ("<user_query>one</user_query>\n<user_query>two</user_query>", ["U one\n\ntwo"]),
        ("<user_info>\nOS\n</user_info>\n\n<rules>\nbe brief\n</rules>", []),
        ("<system_reminder>\nx\n</system_reminder>", []),
        ("without any tag", ["U without any tag"]),
        ("<user_query>\nnever closed", ["U <user_query>\nnever closed"]),
        ("<user_query><scry-recall>x</scry-recall>\nfix it</user_query>", ["U fix it"]),
        ("", []),
    ],
)
def test_a_prompt_is_unwrapped(tmp_path, text, said):
    assert told(cursor.read(transcript(tmp_path, user(text)))) == said


@pytest.mark.parametrize(
    ("stamp", "at"),
    [
        ("Friday, Sep 4, 2026, 2:21 AM (UTC+8)", "2026-09-03T18:21:00+00:00"),
        ("Wednesday, Jun 3, 2026, 7:30 PM (UTC-7)", "2026-06-04T02:30:00+00:00"),
        ("Tuesday, Jul 21, 2026, 12:05 PM (UTC+5:30)", "2026-07-21T06:35:00+00:00"),
        ("Tuesday, Jul 21, 2026, 12:05 AM (UTC-3:30)", "2026-07-21T03:35:00+00:00"),
        ("Sunday, Sep 27, 2026, 9:00 AM", "2026-09-27T09:00:00+00:00"),
        ("Sunday, Sep 27, 2026, 9:00 AM (UTC)", "2026-09-27T09:00:00+00:00"),
        ("Sunday, Sep 99, 2026, 9:00 AM", None),
        ("Sunday, Sep 9, 2026, 9:00 AM (UTC+99)", None),
        ("now", None),
    ],
)
def test_the_time_around_a_prompt_is_its_time(tmp_path, stamp, at):
    got = cursor.read(
        transcript(tmp_path, user(f"<timestamp>{stamp}</timestamp>\n<user_query>go</user_query>"))
    )

    found = got.events[0].at
    assert (found.isoformat() if found else None) == at
    assert got.started is not None


def test_a_session_without_times_keeps_its_date_while_it_grows(tmp_path):
    path = transcript(tmp_path, user("one"))
    os.utime(path.parent, (1_785_574_800, 1_785_574_800))
    os.utime(path, (1_785_900_000, 1_785_900_000))

    got = cursor.read(path)

    assert got.started.isoformat() == "2026-08-01T09:00:00+00:00"
    assert got.ended.isoformat() == "2026-08-05T03:20:00+00:00"


def test_calls_are_breadcrumbs_and_an_aborted_turn_is_marked(tmp_path):
    path = transcript(
        tmp_path,
        user("go"),
        {
            "role": "assistant",
            "message": {
                "content": [
                    {"type": "text", "text": "[REDACTED]"},
                    {"type": "thinking", "thinking": "hm"},
                    {
                        "type": "tool_use",
                        "name": "Shell",
                        "input": {"command": "npm run build -- --key=BODY"},
                    },
                    {
                        "type": "tool_use",
                        "name": "Write",
                        "input": {"path": "/etc/hosts", "contents": "BODY"},
                    },
                    {
                        "type": "tool_use",
                        "name": "Subagent",
                        "input": {"subagent_type": "explore", "prompt": "BODY"},
                    },
                    {
                        "type": "tool_use",
                        "name": "ApplyPatch",
                        "input": "*** Begin Patch\n*** Update File: a.py\n+BODY",
                    },
                    {"type": "tool_result", "content": "BODY"},
                ]
            },
        },
        {"type": "turn_ended", "status": "aborted"},
        {"type": "dream"},
    )

    got = cursor.read(path)

    assert told(got) == ["U go"]
    assert did(got) == ["built: npm", "edited: hosts", "delegated: explore", "edited: a.py"]
    assert marked(got) == ["interrupted"]
    assert dict(got.types) == {"dream": 1}
    assert "BODY" not in repr(got)


def test_the_old_text_gives_speech_and_calls_and_no_thoughts_or_results():
    got = cursor.read(OLD)

    assert told(got) == [
        "U Run the tests of Hermes please",
        "A I will look first.",
        "A The suite is green.",
        "U And deploy to the Mac mini",
    ]
    assert did(got) == ["ran tests: pytest"]
    assert "PRIVATE" not in repr(got)
    assert "token" not in repr(got)
    assert cursor.recognises(OLD, OLD.read_bytes())
    assert not cursor.recognises(OLD.parents[2] / "notes.txt", OLD.read_bytes())


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_damage_makes_an_old_text_unreadable(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("damaged") / OLD.name
    path.write_bytes(data.draw(accidents(OLD.read_bytes())))

    got = cursor.read(path)

    assert all("\0" not in words for words in told(got))
    "".join(told(got)).encode()


def test_an_old_text_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(cursor_text, "LARGEST", 10)

    with pytest.raises(cursor_text.SourceError, match="is not read"):
        cursor.read(OLD)


def test_a_subagents_transcript_is_no_session():
    path = next((TRANSCRIPTS / "cursor").rglob("subagents/*.jsonl"))
    got = cursor.read(path)

    assert (got.verdict, got.continues, got.events) == ("subagent", ID, ())
    assert path not in list(cursor.discover(places(TRANSCRIPTS / "cursor")))


def test_a_session_that_lies_in_both_forms_is_found_once(tmp_path):
    path = transcript(tmp_path, user("one"))
    (path.parents[1] / f"{ID}.txt").write_text("user:\none\n")

    assert list(cursor.discover(places(tmp_path))) == [path]


def test_the_directory_is_found_on_disk_when_nothing_says_it(tmp_path, monkeypatch):
    (tmp_path / "my.src" / "hermes-gate").mkdir(parents=True)
    project = cursor._written(f"{tmp_path}/my.src/hermes-gate")

    assert cursor.read(transcript(tmp_path, user("one"), project=project)).cwds == (
        f"{tmp_path}/my.src/hermes-gate",
    )
    assert cursor.read(transcript(tmp_path, user("one"), project="no-such-place-here")).cwds == ()


def test_a_folder_that_was_trusted_for_another_path_says_nothing(tmp_path):
    path = transcript(tmp_path, user("one"), project="no-such-place-here")
    (path.parents[2] / ".workspace-trusted").write_text('{"workspacePath": "/etc"}')

    assert cursor.read(path).cwds == ()
