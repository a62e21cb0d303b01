"""Gemini CLI: documents that are rewritten in place, and sessions that lie twice."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sources.agent_files import accidents, places
from sources.gemini_chats import HEAD, SESSION, call, chat, document, model, user
from sources.transcript_files import told

from scry.errors import SourceError
from scry.sources import gemini, gemini_files


def test_a_document_gives_its_messages_with_their_lines(tmp_path):
    path = document(
        tmp_path,
        user("u", "go"),
        model("m", "Done.", call("t", "read_file", absolute_path="/w/a.py")),
        summary="Moving Hermes",
    )
    lines = path.read_text().split("\n")

    got = gemini.read(path)

    assert told(got) == ["U go", "A Done."]
    assert [lines[e.line - 1].strip() for e in got.events] == ["{"] * 3
    assert '"go"' in "".join(lines[got.events[0].line - 1 : got.events[1].line])
    assert (got.title, got.session, got.lines) == ("Moving Hermes", SESSION, len(lines))


def test_a_torn_document_gives_all_messages_that_stand_whole_in_it(tmp_path):
    path = document(tmp_path, user("u", "one"), user("v", "two"), user("w", "three"))
    body = path.read_text()

    path.write_text(body.replace('"two"', '"tw\n'))
    got = gemini.read(path)
    assert told(got) == ["U one", "U three"]
    assert [p.line for p in got.problems] == [body[: body.index('"v"')].count("\n")]

    path.write_text(body[: body.index("three")])
    assert told(gemini.read(path)) == ["U one", "U two"]

    path.write_text(body.replace('"startTime": "', '"startTime": '))
    assert told(gemini.read(path)) == ["U one", "U two", "U three"]


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_no_damage_makes_a_document_unreadable(data, tmp_path_factory):
    path = document(
        tmp_path_factory.mktemp("damaged"),
        user("u", "one"),
        model("m", "Two.", call("t", "ls")),
        user("w", "three"),
    )
    path.write_bytes(data.draw(accidents(path.read_bytes())))

    got = gemini.read(path)

    json.dumps(told(got), ensure_ascii=False).encode()
    assert got.problems or got.events or got.verdict == "metadata-only"
    assert list(gemini.discover(places(path.parents[4]))) == [path]


def test_a_document_that_is_too_large_is_refused_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(gemini_files, "LARGEST", 100)

    with pytest.raises(SourceError, match=r"a document of more than 0 MB is not read\."):
        gemini.read(document(tmp_path, user("u", "one")))


def test_a_session_that_lies_twice_is_found_once(tmp_path):
    full = chat(tmp_path, HEAD, user("u", "one"), user("v", "two"))
    chat(tmp_path, HEAD, {"$set": {"messages": []}}, name="session-2026-08-02T09-00-0131bd8a.jsonl")
    document(tmp_path, user("u", "one"))
    chat(tmp_path, HEAD, user("u", "one"), project="44d8e3ba")

    assert list(gemini.discover(places(tmp_path))) == [full]


def test_a_file_that_alone_holds_a_message_is_found_as_well(tmp_path):
    one = chat(tmp_path, HEAD, user("u", "one"), user("v", "two"))
    two = chat(
        tmp_path,
        HEAD,
        user("u", "one"),
        user("w", "other"),
        name="session-2026-08-02T09-00-0131bd8a.jsonl",
    )

    assert list(gemini.discover(places(tmp_path))) == [one, two]
