"""OpenCode: sessions as rows of a database, as files, or as both."""

import json
import sqlite3

import pytest
from sources.agent_files import database, only, places
from sources.transcript_files import did, kinds, marked, told

from scry.errors import SourceError
from scry.sources import opencode

REAL = "ses_dce3436d7ffe72zGdP5Pr85ZU8"
STORE = ".local/share/opencode"


def row(session, uid, *parts, role="user", **more):
    """SQL for a message with its parts; ids in order."""
    data = json.dumps({"role": role, "time": {"created": 1_785_574_800_000}, **more})
    out = f"insert into message values ('{uid}', '{session}', 1785574800000, 1785574800000, '{data}');"
    for number, part in enumerate(parts):
        part_data = json.dumps({"type": "text", "text": part} if isinstance(part, str) else part)
        out += f"insert into part values ('{uid}p{number}', '{uid}', '{session}', 0, {number}, '{part_data}');"
    return out


def session(uid="ses_new", parent="NULL", revert="NULL", title="Move Hermes"):
    columns = "id, project_id, parent_id, slug, directory, title, version, revert, time_created, time_updated"
    return f"insert into session ({columns}) values ('{uid}', 'p', {parent}, 's', '/w', '{title}', '1.18.33', {revert}, 1785574800000, 1785574800000);"


def read(tmp_path, sql, uid="ses_new"):
    return opencode.read(database(tmp_path / STORE / "opencode.db", sql) / uid)


def tool(name, output="OUT", **given):
    return {
        "type": "tool",
        "tool": name,
        "callID": "c",
        "state": {"status": "completed", "input": given, "output": output},
    }


def test_only_text_that_somebody_said_is_said(tmp_path):
    got = read(
        tmp_path,
        session()
        + row(
            "ses_new",
            "msg_a",
            "look at it",
            {"type": "text", "text": "Called the Read tool", "synthetic": True},
            {"type": "text", "text": "no", "ignored": True},
            {"type": "file", "mime": "image/png", "url": "data:BODY"},
        )
        + row(
            "ses_new",
            "msg_b",
            {"type": "reasoning", "text": "hm"},
            "I see.",
            tool("edit", filePath="/w/src/a.py", oldString="BODY"),
            tool("task", subagent_type="explore", prompt="BODY"),
            role="assistant",
        )
        + row("ses_new", "msg_c", {"type": "compaction", "auto": True})
        + row("ses_new", "msg_d", "a summary by the model", role="assistant", summary=True)
        + row(
            "ses_new",
            "msg_e",
            "More.",
            {"type": "dream"},
            role="assistant",
            error={"name": "MessageAbortedError"},
        ),
    )

    assert told(got) == ["U look at it", "A I see.", "A More."]
    assert did(got) == ["edited: src/a.py", "delegated: explore"]
    assert marked(got) == ["image", "compacted", "interrupted"]
    assert dict(got.types) == {"dream": 1}
    assert (got.title, got.cwds, got.versions) == ("Move Hermes", ("/w",), ("1.18.33",))
    assert [e.uid for e in got.events if hasattr(e, "uid")] == ["msg_ap0", "msg_bp1", "msg_ep0"]


def test_what_was_reverted_is_taken_back(tmp_path):
    rows = (
        row("ses_new", "msg_a", "one")
        + row("ses_new", "msg_b", "two")
        + row("ses_new", "msg_c", "Two.", role="assistant")
    )

    got = read(tmp_path, session(revert='\'{"messageID": "msg_b"}\'') + rows)
    assert kinds(got) == ["prompt", "rolled back", "rolled back"]


def test_a_revert_may_begin_at_a_part(tmp_path):
    rows = row("ses_new", "msg_a", "one") + row(
        "ses_new", "msg_b", "Two.", "Three.", role="assistant"
    )

    got = read(tmp_path, session(revert='\'{"messageID": "msg_b", "partID": "msg_bp1"}\'') + rows)
    assert kinds(got) == ["prompt", "prose", "rolled back"]


def test_answers_to_a_question_are_the_persons(tmp_path):
    answered = 'User has answered your questions: "Where?"="On the mini". You can now continue with the user\\u0027s answers in mind.'
    part = tool("question", answered, questions=[{"question": "Where?", "options": []}])
    sql = row("ses_new", "msg_a", part, role="assistant").replace("\\\\u0027", "\\u0027")

    got = read(tmp_path, session() + sql)

    assert told(got) == ["U Where? → On the mini"]
    assert did(got) == ["asked"]


def test_a_child_session_is_no_session(tmp_path):
    sql = session("ses_child", parent=f"'{REAL}'") + row("ses_child", "msg_x", "task")
    got = read(tmp_path, sql, "ses_child")

    assert (got.verdict, got.continues, got.events) == ("subagent", REAL, ())
    assert only(opencode, tmp_path).name == REAL


def test_each_session_of_a_database_has_a_path_of_its_own_and_a_state(tmp_path):
    path = database(tmp_path / STORE / "opencode.db", session() + row("ses_new", "msg_a", "one"))
    found = list(opencode.discover(places(tmp_path)))

    assert found == [path / REAL, path / "ses_new"]
    assert [opencode.stat_path(p) for p in found] == [path, path]
    assert opencode.stamp(path / "ses_new") == (1, 1_785_574_800_000 * 1_000_000)
    before = opencode.stamp(path / REAL)
    connection = sqlite3.connect(path)
    connection.execute(
        "update part set time_updated = 1796131999000 where message_id like 'msg_231cbdf15%'"
    )
    connection.commit()
    connection.close()
    assert opencode.stamp(path / REAL) != before
    assert opencode.stamp(path / "ses_new") == (1, 1_785_574_800_000 * 1_000_000)
    with pytest.raises(OSError, match="no session"):
        opencode.stamp(path / "ses_gone")


def test_rows_that_wait_beside_the_database_are_read_and_stay_there(tmp_path):
    path = database(tmp_path / STORE / "opencode.db")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("pragma journal_mode = wal")
    writer.executescript(session() + row("ses_new", "msg_a", "only in the log"))
    log = path.with_name("opencode.db-wal")
    before = (path.read_bytes(), log.read_bytes())

    assert told(opencode.read(path / "ses_new")) == ["U only in the log"]
    assert (path.read_bytes(), log.read_bytes()) == before
    writer.close()


def test_a_database_at_rest_is_read_without_a_trace(tmp_path):
    path = database(tmp_path / STORE / "opencode.db")
    connection = sqlite3.connect(path)
    connection.execute("pragma journal_mode = wal")
    connection.close()
    before = path.parent.stat().st_mtime_ns

    opencode.read(path / REAL)

    assert path.parent.stat().st_mtime_ns == before
    assert [p.name for p in path.parent.iterdir()] == ["opencode.db"]


def test_rows_that_are_no_objects_are_problems_and_cost_only_themselves(tmp_path):
    sql = session() + row("ses_new", "msg_a", "one", "two") + row("ses_new", "msg_b", "three")
    got = read(
        tmp_path,
        sql
        + "update part set data = 'torn' where id = 'msg_ap0'; update message set data = '[1]' where id = 'msg_b'; insert into part values ('p', 'msg_gone', 'ses_new', 0, 0, '{}');",
    )

    assert told(got) == ["U two"]
    assert [p.message for p in got.problems] == [
        "the part msg_ap0 is no JSON object",
        "the message msg_b is no JSON object",
        "1 parts belong to no message of the session",
    ]


@pytest.mark.parametrize("body", [b"", b"no database", b"SQLite format 3\0" + b"\0" * 200])
def test_what_is_no_database_is_told_in_a_sentence(tmp_path, body):
    path = tmp_path / STORE / "opencode.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(body)

    assert list(opencode.discover(places(tmp_path))) == [path]
    for each in (path, path / REAL):
        with pytest.raises(SourceError) as caught:
            opencode.read(each)
        assert str(caught.value).startswith(f"{path}: ")
        assert str(caught.value).endswith(".")


def test_a_database_as_such_is_recognised_and_says_how_to_name_a_session(tmp_path):
    path = database(tmp_path / STORE / "opencode.db")

    assert opencode.recognises(path, path.read_bytes()[:100])
    assert opencode.recognises(path / REAL, b"")
    assert not opencode.recognises(tmp_path / "other.db" / REAL, b"")
    with pytest.raises(SourceError, match=r"a database of 1 sessions\. Name one"):
        opencode.read(path)
    with pytest.raises(SourceError, match="no session ses_gone"):
        opencode.read(path / "ses_gone")
