"""OpenCode up to 1.1: a session as files, which stay behind when a database takes over."""

import json

import pytest
from sources.agent_files import database, only, places
from sources.transcript_files import did, told

from scry.errors import SourceError
from scry.sources import opencode

REAL = "ses_dce3436d7ffe72zGdP5Pr85ZU8"
STORE = ".local/share/opencode"
BASH = {
    "type": "tool",
    "tool": "bash",
    "state": {"input": {"command": "uv run pytest --token=x"}, "output": "OUT"},
}


def filed(tmp_path, uid="ses_filed", **info):
    storage = tmp_path / STORE / "storage"
    documents = {
        f"session/project/{uid}.json": {
            "id": uid,
            "directory": "/w",
            "title": "Old",
            "version": "1.1.0",
            "time": {},
            **info,
        },
        f"message/{uid}/msg_a.json": {
            "id": "msg_a",
            "role": "user",
            "time": {"created": 1_785_574_800_000},
        },
        f"message/{uid}/msg_b.json": {"id": "msg_b", "role": "assistant", "time": {}},
        "part/msg_a/prt_a.json": {"id": "prt_a", "type": "text", "text": "move it"},
        "part/msg_b/prt_b.json": {"id": "prt_b", "type": "text", "text": "Moved."},
        "part/msg_b/prt_c.json": BASH,
    }
    for name, content in documents.items():
        path = storage / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    return storage / f"session/project/{uid}.json"


def test_a_session_in_files_is_read_like_one_in_rows(tmp_path):
    path = filed(tmp_path)

    got = opencode.read(path)

    assert opencode.recognises(path, path.read_bytes())
    assert only(opencode, tmp_path) == path
    assert told(got) == ["U move it", "A Moved."]
    assert did(got) == ["ran tests: pytest"]
    assert (got.session, got.cwds, got.title, got.lines) == ("ses_filed", ("/w",), "Old", 3)
    assert opencode.stat_path(path) == path
    assert opencode.stamp(path)[0] == 2


def test_files_that_stayed_behind_are_read_only_where_the_database_lacks_them(tmp_path):
    path = database(tmp_path / STORE / "opencode.db")
    stale, alone = filed(tmp_path, REAL), filed(tmp_path)

    assert list(opencode.discover(places(tmp_path))) == [path / REAL, alone]
    assert stale.exists()


def test_a_torn_part_in_a_file_is_a_problem(tmp_path):
    path = filed(tmp_path)
    (path.parents[2] / "part/msg_a/prt_a.json").write_text('{"id": "prt')

    got = opencode.read(path)

    assert told(got) == ["A Moved."]
    assert [p.message for p in got.problems] == ["the part prt_a is no JSON object"]
    path.write_text("{")
    with pytest.raises(SourceError, match="torn"):
        opencode.read(path)
