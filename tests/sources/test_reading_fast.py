"""What makes reading fast changes nothing that is read."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sources.golden_cases import TRANSCRIPTS
from sources.test_damage import BOTH, damaged
from sources.transcript_files import human, item, line_of, model, result, use

from scry.sources import claude, claude_records, codex, jsonl

FILES = sorted(p for p in TRANSCRIPTS.rglob("*.jsonl") if p.stat().st_size < 400_000)
LINES = [
    line_of(record)
    for record in (
        human("keep the old API", uuid="u1", timestamp="2026-08-01T09:00:00.123Z"),
        model("Done.", use("Bash", "t1", command="pytest -q"), uuid="a1", parentUuid="u1"),
        model(use("AskUserQuestion", "t2", questions=[{"question": "Where?"}]), uuid="a2"),
        result("3 passed", "t1", uuid="u2"),
        result("The user doesn't want to proceed with this tool use. the user said:\nno", "t1"),
        result("x", "t1", is_error=True, uuid="u3"),
        result('Your questions have been answered: "Where?"="In the hook". You can', "t2"),
        result("unknown", "t9", mirror={"answers": {"Where?": "here"}}),
        human([], uuid="u4"),
        human(["bare", {"type": "text", "text": "words"}], uuid="u5"),
        {"type": "assistant", "message": {"content": 3}, "uuid": "a3"},
        item("function_call", name="shell", arguments='{"command": ["ls"]}', call_id="c"),
    )
]


def _slowly(patch):
    """Take the short ways out."""
    patch.setattr(jsonl, "sound_record", lambda _raw: None)
    patch.setattr(claude_records, "only_results", lambda _record, _calls: False)


def _both_ways(source, path):
    fast = source.read(path)
    with pytest.MonkeyPatch.context() as patch:
        _slowly(patch)
        return fast, source.read(path)


@pytest.mark.parametrize("source", [claude, codex])
def test_every_transcript_is_read_the_same_with_and_without_the_short_ways(source):
    for path in FILES:
        fast, slow = _both_ways(source, path)
        assert fast == slow, path


@pytest.mark.parametrize(("source", "path"), BOTH, ids=lambda x: getattr(x, "stem", None))
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_damage_is_read_the_same_with_and_without_the_short_ways(
    source, path, data, tmp_path_factory
):
    copy = tmp_path_factory.mktemp("damaged") / path.name
    copy.write_bytes(data.draw(damaged(path.read_bytes())))

    fast, slow = _both_ways(source, copy)

    assert fast == slow


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_lines_in_any_order_and_state_are_read_the_same(data, tmp_path_factory):
    lines = data.draw(st.lists(st.sampled_from(LINES), max_size=12))
    body = b"\n".join(lines)
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(body)))
        piece = data.draw(st.sampled_from([b"", b"\n", b"{", b'{"a":', b"}", b" ", b'"', b"\\"]))
        body = body[:at] + piece + body[at + data.draw(st.integers(0, 2)) :]
    path = tmp_path_factory.mktemp("lines") / "s.jsonl"
    path.write_bytes(body)

    for source in (claude, codex):
        fast, slow = _both_ways(source, path)
        assert fast == slow


def test_a_missing_value_is_a_problem_of_its_line(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'{"type": }\n{"a": [1, }\n' + LINES[0])

    got = claude.read(path)

    assert [p.line for p in got.problems] == [1, 2]
    assert len(got.events) == 1
