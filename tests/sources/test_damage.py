"""Laws of reading: damage costs only what it hit, and a file that grows keeps what it said."""

import json
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sources.golden_cases import TRANSCRIPTS

from scry.model import Said, Transcript
from scry.sources import SOURCES, claude, codex

BOTH = [
    (claude, TRANSCRIPTS / "fixtures/claude-all-blocks.jsonl"),
    (claude, next(TRANSCRIPTS.rglob("projects/*/1f8c6f90*.jsonl"))),
    (claude, next(TRANSCRIPTS.rglob("projects/*shrimp*/b6828786*.jsonl"))),
    (claude, next(TRANSCRIPTS.rglob("projects/*/771749f1*.jsonl"))),
    (codex, TRANSCRIPTS / "fixtures/codex-rolled-back-and-asked.jsonl"),
    (codex, next(TRANSCRIPTS.rglob("*df5c949e*.jsonl"))),
    (codex, next(TRANSCRIPTS.rglob("*e7b940af*.jsonl"))),
]


@st.composite
def damaged(draw, body):
    """Cut, doubled, overwritten, glued: a few accidents to the bytes of a file."""
    out = bytearray(body)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(len(out) - 1, 0)))
        match draw(st.sampled_from(["cut", "zero", "noise", "glue", "double", "drop"])):
            case "cut":
                del out[at:]
            case "zero":
                out[at : at + 8] = b"\0" * 8
            case "noise":
                out[at : at + 4] = draw(st.binary(max_size=9))
            case "glue":
                end = out.find(b"\n", at)
                out[end : end + 1] = b"" if end >= 0 else out[end : end + 1]
            case "double":
                out[at:at] = out[at : at + 3000]
            case "drop":
                del out[at : at + 500]
    return bytes(out)


@pytest.mark.parametrize(("source", "path"), BOTH, ids=lambda x: getattr(x, "stem", None))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_damage_makes_a_file_unreadable(source, path, data, tmp_path_factory):
    copy = tmp_path_factory.mktemp("damaged") / path.name
    copy.write_bytes(data.draw(damaged(path.read_bytes())))

    got = source.read(copy)

    assert isinstance(got, Transcript)
    json.dumps([str(e) for e in got.events], ensure_ascii=False).encode()
    for other in SOURCES.values():
        other.recognises(copy, copy.read_bytes()[:65_536])


@pytest.mark.parametrize(("source", "path"), BOTH, ids=lambda x: getattr(x, "stem", None))
def test_a_broken_line_costs_itself_only(source, path, tmp_path):
    lines = path.read_bytes().split(b"\n")
    whole = source.read(_copy(path, lines, tmp_path))
    by_line = {e.line for e in whole.events if isinstance(e, Said)}

    for hit in sorted(by_line)[:12]:
        broken = [line[: len(line) // 2] if n == hit else line for n, line in enumerate(lines, 1)]
        got = source.read(_copy(path, broken, tmp_path))
        left = {e.line for e in got.events if isinstance(e, Said)}
        assert by_line - left <= {hit}
        assert hit in {p.line for p in got.problems}


def _copy(path, lines, folder):
    copy = folder / path.name
    copy.write_bytes(b"\n".join(lines))
    return copy


GROWING = [
    pytest.param(source, path, id=path.stem[-36:])
    for source, pattern in ((claude, "projects/*/*.jsonl"), (codex, "rollout-*.jsonl"))
    for path in sorted(TRANSCRIPTS.rglob(pattern))
    if path.stat().st_size < 160_000 and not path.name.startswith("agent-")
]


@pytest.mark.parametrize(("source", "path"), GROWING)
def test_what_a_growing_file_has_said_it_goes_on_to_say(source, path, tmp_path):
    """Words from the queue may go once they are seen to stand in a record; nothing else does."""
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    whole = source.read(copy)
    body = path.read_bytes()
    words = _lasting(whole)
    cuts = sorted({*range(0, len(body), max(len(body) // 9, 1)), *_line_ends(body)[::11]})

    for cut in cuts:
        copy.write_bytes(body[:cut])
        early = source.read(copy)
        said = _lasting(early)
        assert len(said) <= len(words)
        assert said[:-1] == words[: len(said) - 1] if said else True
        assert not said or words[len(said) - 1].startswith(said[-1])


def _lasting(transcript):
    """All that was said but words from the queue and asides, which are looked for elsewhere."""
    return [
        f"{e.role[0].upper()} {e.text}"
        for e in transcript.events
        if isinstance(e, Said) and e.kind not in ("queue", "btw")
    ]


def _line_ends(body):
    return [n + 1 for n, byte in enumerate(body) if byte == 10]
