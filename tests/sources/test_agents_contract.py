"""What holds for all six further agents: the contract, damage, growth, secrecy."""

import json
import os
import re
import shutil
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sources.agent_files import SIX, accidents, database, home_of, only, places
from sources.golden_cases import TRANSCRIPTS
from sources.transcript_files import did, told

from scry.distill import distill
from scry.errors import SourceError
from scry.model import Did, Mark, Redacted, Said, Transcript
from scry.ports import Source
from scry.sources import claude, codex, opencode

NAMES = sorted(SIX)
FILES = {
    name: sorted(p for p in (TRANSCRIPTS / name).rglob("*.jsonl") if "subagents" not in p.parts)
    for name in NAMES
    if name != "opencode"
}
ONE_EACH = [
    pytest.param(name, max(f, key=lambda p: p.stat().st_size), id=name) for name, f in FILES.items()
]


@pytest.mark.parametrize("name", NAMES)
def test_every_source_keeps_the_contract(name):
    source: Source = SIX[name]

    assert name == source.NAME
    assert isinstance(SIX[name].VERIFIED, bool)
    assert source.__doc__
    assert "Evidence:" in source.__doc__


@pytest.mark.parametrize("name", NAMES)
def test_the_session_that_the_program_wrote_comes_out_whole_and_with_nothing_else(name, tmp_path):
    source, home = SIX[name], home_of(name, tmp_path)
    path = next(p for p in source.discover(places(home)) if p.suffix != ".txt")

    got = source.read(path)

    words = [t.replace('"', "").replace(" @tests/test_a.py", "") for t in told(got)]
    first = [
        "U Run the tests of Hermes please",
        "A Running the suite first.",
        "A The suite is green: Hermes runs on the Mac mini.",
    ]
    assert words[:3] == first
    assert words[3].startswith("U And deploy to the Mac mini")
    assert words[4:] == ([] if name == "cursor" else first[1:])
    assert did(got)[0] == "ran tests: pytest"
    assert (got.verdict, got.problems, dict(got.types)) == ("session", (), {})
    assert got.cwds[0] == "/home/jane/src/hermes"
    assert got.started is not None
    assert got.started <= got.ended


@pytest.mark.parametrize("name", NAMES)
def test_what_a_tool_was_given_and_gave_back_is_nowhere(name, tmp_path):
    source = SIX[name]
    for path in source.discover(places(home_of(name, tmp_path))):
        shown = repr(source.read(path))
        for secret in (
            "1 passed",
            "100%",
            "maxfail",
            "PRIVATE BODY",
            "def test_a",
            "system-reminder",
        ):
            assert secret not in shown


@pytest.mark.parametrize("name", NAMES)
def test_every_session_is_found_recognised_and_read_in_the_same_order_each_time(name, tmp_path):
    source, home = SIX[name], home_of(name, tmp_path)
    found = list(source.discover(places(home)))

    assert sorted(found) == found == list(source.discover(places(home)))
    for path in found:
        head = path.read_bytes()[:65_536] if path.is_file() else b""
        assert source.recognises(path, head)
        assert source.read(path) == source.read(path)
        assert source.read(path).source == name


@pytest.mark.parametrize("name", NAMES)
def test_an_agent_that_was_never_used_has_no_transcripts(name, tmp_path):
    assert list(SIX[name].discover(places(tmp_path / "gone"))) == []


def test_no_file_is_claimed_by_two_sources(tmp_path):
    everybody = [claude, codex, *SIX.values()]
    files = [p for p in TRANSCRIPTS.rglob("*") if p.suffix in (".jsonl", ".json", ".txt", ".yaml")]
    for path in [*files, database(tmp_path / "opencode.db")]:
        head = path.read_bytes()[:65_536]
        claims = [source.NAME for source in everybody if source.recognises(path, head)]
        assert len(claims) <= 1, (path, claims)


@pytest.mark.parametrize("name", NAMES)
def test_events_stand_in_order_and_a_breadcrumb_holds_a_verb_and_one_short_name(name, tmp_path):
    for path in SIX[name].discover(places(home_of(name, tmp_path))):
        got = SIX[name].read(path)
        lines = [e.line for e in got.events]
        assert lines == sorted(lines)
        assert all(1 <= line <= max(got.lines, 30) for line in lines)
        for e in got.events:
            if isinstance(e, Did):
                assert re.fullmatch(r"[a-z]+(?: [a-z0-9-]+){0,2}", e.verb), e
                assert re.fullmatch(r"[\w.@()\[\] +/:-]{0,140}", e.target), e
            elif isinstance(e, Mark):
                assert re.fullmatch(r"[a-z ]+", e.kind), e


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_link_and_a_pipe_are_no_transcripts(name, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(TRANSCRIPTS / name, home)
    for path in [p for p in home.rglob("*") if p.suffix in (".jsonl", ".txt")]:
        moved = tmp_path / f"{path.parent.name}-{path.name}"
        path.rename(moved)
        path.symlink_to(moved)
    assert list(SIX[name].discover(places(home))) == []

    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    with pytest.raises(SourceError, match="named pipe"):
        SIX[name].read(pipe)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_not_there_is_told_in_a_sentence(name, tmp_path):
    with pytest.raises(SourceError) as caught:
        SIX[name].read(tmp_path / "gone.jsonl")

    assert str(caught.value).startswith(str(tmp_path))
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(("name", "path"), ONE_EACH)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_no_damage_makes_a_file_unreadable(name, path, data, tmp_path_factory):
    copy = tmp_path_factory.mktemp("damaged") / path.name
    copy.write_bytes(data.draw(accidents(path.read_bytes())))

    _survives(name, copy)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_no_damage_to_a_database_is_more_than_a_source_error(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("damaged") / ".local/share/opencode"
    path = database(folder / "opencode.db")
    path.write_bytes(data.draw(accidents(path.read_bytes())))

    for each in opencode.discover(places(folder.parents[2])):
        with suppress(SourceError):
            _survives("opencode", each)


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_no_value_in_a_row_is_more_than_a_problem(data, tmp_path_factory):
    odd = data.draw(
        st.sampled_from(
            [
                "null",
                "[]",
                '{"role":5}',
                "x",
                '{"role":"user","time":7}',
                '{"type":"text","text":[]}',
                '{"type":"tool","tool":"bash","state":{"input":[1]}}',
                '{"type":3}',
            ]
        )
    )
    table = data.draw(st.sampled_from(["message", "part"]))
    number = data.draw(st.integers(0, 8))
    sql = f"update {table} set data = '{odd}' where rowid = {number};"
    home = tmp_path_factory.mktemp("odd")
    database(home / ".local/share/opencode/opencode.db", sql)

    _survives("opencode", only(opencode, home))


def _survives(name, path):
    got = SIX[name].read(path)

    assert isinstance(got, Transcript)
    json.dumps([str(e) for e in got.events], ensure_ascii=False).encode()
    distill(got, Redacted)
    for source in SIX.values():
        source.recognises(path, path.read_bytes()[:65_536] if path.is_file() else b"")


@pytest.mark.parametrize(("name", "path"), ONE_EACH)
def test_a_broken_line_costs_itself_only(name, path, tmp_path):
    lines = path.read_bytes().split(b"\n")
    by_line = {e.line for e in SIX[name].read(path).events if isinstance(e, Said)}

    for hit in sorted(by_line):
        broken = [line[: len(line) // 2] if n == hit else line for n, line in enumerate(lines, 1)]
        copy = tmp_path / path.name
        copy.write_bytes(b"\n".join(broken))
        got = SIX[name].read(copy)
        left = {e.line for e in got.events if isinstance(e, Said) and e.kind != "abandoned"}
        assert by_line - left <= {hit}
        assert hit in {p.line for p in got.problems}


@pytest.mark.parametrize(("name", "path"), ONE_EACH)
def test_what_a_growing_file_has_said_it_goes_on_to_say_under_the_same_ids(name, path, tmp_path):
    copy = tmp_path / path.name
    body = path.read_bytes()
    copy.write_bytes(body)
    whole = [(e.role, e.text, e.uid) for e in SIX[name].read(copy).events if isinstance(e, Said)]

    for end in [n + 1 for n, byte in enumerate(body) if byte == 10]:
        copy.write_bytes(body[:end])
        early = [
            (e.role, e.text, e.uid) for e in SIX[name].read(copy).events if isinstance(e, Said)
        ]
        assert early == whole[: len(early)]


@pytest.mark.parametrize("name", NAMES)
def test_reading_changes_nothing_on_disk(name, tmp_path):
    home = tmp_path / "home"
    source_home = home_of(name, home)
    if source_home != home:
        shutil.copytree(source_home, home)
    before = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in home.rglob("*") if p.is_file()}

    for path in SIX[name].discover(places(home)):
        SIX[name].read(path)

    assert {
        p: (p.stat().st_mtime_ns, p.read_bytes()) for p in home.rglob("*") if p.is_file()
    } == before
