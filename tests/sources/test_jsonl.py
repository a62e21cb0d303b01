"""Lines: whole records are kept whatever stands around them, the rest are problems."""

import json
import os
import tracemalloc

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from sources.transcript_files import write

from scry.errors import SourceError
from scry.sources.jsonl import Lines, head_of, legible
from scry.sources.long_lines import LARGE


def read(path):
    lines = Lines(path)
    return list(lines), lines


def test_two_records_on_one_line_are_both_read(tmp_path):
    got, lines = read(write(tmp_path / "a", ['{"n":1}{"n":2}', '{"n":3}  {"n":4}']))

    assert got == [(1, {"n": 1}), (1, {"n": 2}), (2, {"n": 3}), (2, {"n": 4})]
    assert lines.problems == []


def test_a_record_after_a_torn_one_is_read_and_the_torn_one_is_a_problem(tmp_path):
    got, lines = read(write(tmp_path / "a", ['{"type":"user","text":"half a {"n":2}', '{"n":3}']))

    assert got == [(1, {"n": 2}), (2, {"n": 3})]
    assert [p.line for p in lines.problems] == [1]


def test_an_object_inside_a_torn_record_is_no_record(tmp_path):
    inner = '{"type":"progress","data":{"message":{"type":"user","message":{"content":"no"}}'
    got, lines = read(write(tmp_path / "a", [inner]))

    assert got == []
    assert len(lines.problems) == 1


def test_a_cut_last_line_is_a_problem_and_a_whole_one_without_newline_is_none(tmp_path):
    (tmp_path / "cut").write_bytes(b'{"n":1}\n{"n":')
    (tmp_path / "whole").write_bytes(b'{"n":1}\n{"n":2}')

    assert [p.line for p in read(tmp_path / "cut")[1].problems] == [2]
    assert read(tmp_path / "whole")[0] == [(1, {"n": 1}), (2, {"n": 2})]


def test_only_the_newline_byte_ends_a_line(tmp_path):
    words = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"
    got, lines = read(write(tmp_path / "a", [{"t": words}, f'{{"t": "raw {words}"}}']))

    assert [record["t"] for _, record in got] == [words, f"raw {words}"]
    assert lines.problems == []


def test_marks_of_other_systems_do_not_matter(tmp_path):
    (tmp_path / "a").write_bytes(
        b'\xef\xbb\xbf{"n":1}\r\n\r\n  {"n":2} \r\n\0\0{"n":3}\0\n\0\0\0\n'
    )

    got, lines = read(tmp_path / "a")

    assert [record["n"] for _, record in got] == [1, 2, 3]
    assert lines.count == 3
    assert lines.problems == []


def test_bytes_that_are_no_utf8_cost_their_letters_only(tmp_path):
    (tmp_path / "a").write_bytes(b'{"t":"caf\xe9"}\n{"t":"ok"}\n')

    assert [r["t"] for _, r in read(tmp_path / "a")[0]] == ["caf\ufffd", "ok"]


@pytest.mark.parametrize(
    "line", ["42", '"x"', "[1]", "null", "true", "1e999", "nope", "{", "[" * 9999, "9" * 9999]
)
def test_a_line_that_is_no_object_is_one_problem(tmp_path, line):
    got, lines = read(write(tmp_path / "a", ['{"n":1}', line, '{"n":2}']))

    assert [r["n"] for _, r in got] == [1, 2]
    assert [p.line for p in lines.problems] == [2]
    assert lines.problems[0].message


def test_half_a_character_can_be_written_afterwards():
    assert legible("bad \ud83d end\0").encode() == "bad \ufffd end".encode()


def test_a_very_long_line_is_read_without_what_tools_printed(tmp_path):
    long = "x" * LARGE
    record = {
        "message": {
            "content": [{"type": "image", "data": long}, {"type": "text", "text": long + "!"}]
        }
    }

    [(_, got)], _ = read(
        write(tmp_path / "a", [record | {"toolUseResult": {"stdout": long + '"\\'}}])
    )

    assert got["message"]["content"][1]["text"] == long + "!"
    assert got["message"]["content"][0]["data"] == "x" * 64
    assert len(got["toolUseResult"]["stdout"]) < LARGE // 10


@pytest.mark.parametrize("payload", ["A", "ab\\n", "\\\\", '\\"', "é"])
def test_a_line_of_many_megabytes_of_payload_is_never_held_whole(tmp_path, payload):
    with (tmp_path / "a").open("wb") as file:
        file.write(b'{"content":[{"type":"tool_result","content":"')
        piece = payload.encode() * (3 * LARGE // len(payload.encode()))
        for _ in range(8):
            file.write(piece)
        file.write(b'"},{"type":"text","text":"see"}]}\n{"n":2}\n')
    size = (tmp_path / "a").stat().st_size

    tracemalloc.start()
    got, lines = read(tmp_path / "a")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert size > 20 * LARGE
    assert peak < 10 * LARGE
    assert got[0][1]["content"][1]["text"] == "see"
    assert got[1] == (2, {"n": 2})
    assert lines.problems == []


def test_a_long_refusal_is_read_whole_and_a_long_result_cannot_become_one(tmp_path):
    reason = "The user doesn't want this. " + "x" * 3 * LARGE
    faked = "y" * (3 * LARGE) + "The user doesn't want this. " + "z" * 100
    blocks = [{"type": "tool_result", "content": text} for text in (reason, faked)]

    [(_, got)], _ = read(write(tmp_path / "a", [{"content": blocks}]))

    assert got["content"][0]["content"] == reason
    assert got["content"][1]["content"].startswith("y" * 64)


def test_a_compressed_file_reads_like_the_plain_one(tmp_path):
    body = b"".join(json.dumps({"n": n}).encode() + b"\n" for n in range(500))
    (tmp_path / "a.jsonl.zst").write_bytes(
        zstandard.compress(body[:3000]) + zstandard.compress(body[3000:])
    )

    got, lines = read(tmp_path / "a.jsonl.zst")

    assert [r["n"] for _, r in got] == list(range(500))
    assert lines.problems == []
    assert head_of(tmp_path / "a.jsonl.zst").startswith(b'{"n": 0}')


@pytest.mark.parametrize("damage", ["cut", "broken"])
def test_a_damaged_compressed_file_keeps_what_could_be_decoded(tmp_path, damage):
    body = b"".join(
        json.dumps({"n": n, "x": os.urandom(90).hex()}).encode() + b"\n" for n in range(9000)
    )
    packed = bytearray(zstandard.compress(body))
    if damage == "cut":
        packed = packed[: len(packed) // 2]
    else:
        packed[len(packed) // 2 : len(packed) // 2 + 64] = b"\xff" * 64
    (tmp_path / "a.jsonl.zst").write_bytes(packed)

    got, lines = read(tmp_path / "a.jsonl.zst")

    assert [r["n"] for _, r in got] == list(range(len(got)))
    assert len(got) > 1000
    assert lines.problems


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")

    for name, said in [
        ("pipe", "a named pipe"),
        (".", "a folder"),
        ("gone", "no such file"),
        ("loop", "loop"),
    ]:
        with pytest.raises(SourceError) as caught:
            list(Lines(tmp_path / name))
        assert said in str(caught.value)


@given(
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=9), max_size=3), max_size=9),
    st.data(),
)
def test_glueing_lines_together_loses_no_record(tmp_path_factory, records, data):
    ends = [data.draw(st.sampled_from([b"\n", b"", b" ", b"\r\n", b"\0\n"])) for _ in records]
    path = tmp_path_factory.mktemp("glue") / "a"
    path.write_bytes(
        b"".join(json.dumps(r).encode() + end for r, end in zip(records, ends, strict=True))
    )

    assert [record for _, record in Lines(path)] == records
