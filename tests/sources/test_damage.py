"""Laws of reading: damage costs only what it hit, and a file that grows keeps what it said."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from faces import Home
from hypothesis import given, settings
from hypothesis import strategies as st
from sources.agent_files import SIX, home_of, places
from sources.golden_cases import TRANSCRIPTS
from sources.transcript_files import human, item, line_of, message, meta, model, result

from scry.errors import SourceError
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


# --- damage as a sweep meets it -------------------------------------------------------------------

WORDS = [
    f"{name} carries the mail over the hills before noon, whatever the weather is like"
    for name in ("Alba", "Bruno")
]
WORDS += [
    f"{name} waits for them at the gate of the old harbour, with a lamp in the left hand"
    for name in ("Carla", "Dario")
]


def _claude_lines(number):
    """Four records of one session as bytes, each with its own words."""
    session = f"{number:08x}-5b7d-4c55-9a3e-0d6f1c2b7a90"
    for turn, words in enumerate(WORDS):
        record = (model if turn % 2 else human)(words)
        more = {"uuid": f"{number}-{turn}", "sessionId": session, "timestamp": "2026-07-01T09:00Z"}
        yield line_of(record | more)


def _codex_lines(number):
    yield line_of(meta(f"{number:08x}-5b7d-4c55-9a3e-0d6f1c2b7a90"))
    for turn, words in enumerate(WORDS[1:]):
        yield line_of(message("assistant" if turn % 2 else "user", words))


AGENTS = {
    "claude": (_claude_lines, ".claude/projects/-w/{:08x}-5b7d-4c55-9a3e-0d6f1c2b7a90.jsonl"),
    "codex": (
        _codex_lines,
        ".codex/sessions/2026/07/01/rollout-2026-07-01T09-00-00-{:08x}-5b7d-4c55-9a3e-0d6f1c2b7a90.jsonl",
    ),
}
# What is done to four lines, and which of them is named for it; all other words are used.
DAMAGES = {
    "glued": (lambda a, b, c, d: [a + b, c + d], [], []),
    "cut at the end": (lambda a, b, c, d: [a, b, c, d[:-30]], [4], [3]),
    "half written": (lambda a, b, c, d: [a, b, c, d[: len(d) // 2]], [4], [3]),
    "spliced": (lambda a, b, c, d: [a, b[: len(b) // 2] + c, d], [2], [1]),
    "lost its beginning": (lambda a, b, c, d: [a, b[len(b) // 2 :], c, d], [2], [1]),
    "NUL before a record": (lambda a, b, c, d: [a, b"\0" * 4096 + b, c, d], [2], []),
    "NUL instead of a record": (lambda a, b, c, d: [a, b"\0" * len(b), c, d], [2], [1]),
    "NUL at the end": (lambda a, b, c, d: [a, b, c, d, b"\0" * 5000], [5], []),
    "no UTF-8": (
        lambda a, b, c, d: [a, b.replace(b"the hills", b"the h\xff\xfells"), c, d],
        [2],
        [],
    ),
    "nested": (
        lambda a, b, c, d: [a, b'{"type":"user","message":' + b"[" * 99_999, b, c, d],
        [2],
        [],
    ),
    "nested and closed": (
        lambda a, b, c, d: [a, b'{"x":' + b"[" * 99_999 + b"]" * 99_999 + b"}", b, c, d],
        [2],
        [],
    ),
    "no record": (lambda a, b, c, d: [a, b"42", b, c, d], [2], []),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_readable_of_a_damaged_file_is_used_and_the_rest_is_named(agent, damage, tmp_path):
    hurt, named, lost = DAMAGES[damage]
    lines, name = AGENTS[agent]
    home = Home(tmp_path)
    path = home.root / name.format(7)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\n".join(hurt(*lines(7))))
    os.utime(path, (1_785_000_000,) * 2)

    report = home.call("sweep")
    (episode,) = report["episodes"]
    said = home.call("show", episode, "--source")

    assert [(Path(p["path"]).name, p["line"]) for p in report["problems"]] == [
        (path.name, line) for line in named
    ]
    told = json.dumps(said)
    for number, words in enumerate(WORDS if agent == "claude" else ["", *WORDS[1:]]):
        first = words.partition(" ")[0]
        assert (first in told) == (number not in lost) or not words, words
    assert home.call("sweep")["episodes"] == []


@pytest.mark.parametrize("agent", AGENTS)
def test_a_sweep_ends_and_names_what_bears_a_transcripts_name_and_is_none(agent, tmp_path):
    lines, name = AGENTS[agent]
    home = Home(tmp_path / "home")
    paths = [home.root / name.format(number) for number in range(8)]
    paths[0].parent.mkdir(parents=True)
    paths[0].mkdir()
    os.mkfifo(paths[1])
    paths[2].symlink_to("nowhere")
    paths[3].symlink_to(paths[3].name)
    elsewhere = tmp_path / paths[4].name
    elsewhere.write_bytes(b"\n".join(lines(4)))
    paths[4].symlink_to(elsewhere)
    paths[5].write_bytes(b"")
    paths[6].write_bytes(b"\0" * 9000)
    paths[7].write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n")
    for path in (*paths, elsewhere):
        if path.exists():
            os.utime(path, (1_785_000_000,) * 2)

    report = home.call("sweep")

    named = {Path(one["path"]).name for part in ("skipped", "problems") for one in report[part]}
    assert len(report["episodes"]) == 1
    assert named == {path.name for path in paths} - {paths[4].name}


def test_a_transcript_that_vanishes_during_a_sweep_costs_itself_only(tmp_path, monkeypatch):
    lines, name = AGENTS["claude"]
    home = Home(tmp_path)
    paths = [home.root / name.format(number) for number in (1, 2, 3)]
    paths[0].parent.mkdir(parents=True)
    for number, path in enumerate(paths, start=1):
        path.write_bytes(b"\n".join(lines(number)))
        os.utime(path, (1_785_000_000,) * 2)
    read = claude.read

    def reading(path):
        paths[1].unlink(missing_ok=True)
        return read(path)

    monkeypatch.setattr(claude, "read", reading)
    report = home.call("sweep")

    assert len(report["episodes"]) == 2
    ((path, reason),) = [(one["path"], one["reason"]) for one in report["skipped"]]
    assert Path(path).name == paths[1].name
    assert "no such file" in reason.casefold()


def test_a_file_that_shrinks_or_is_rewritten_takes_nothing_back_and_tells_what_is_new_once(
    tmp_path,
):
    lines, name = AGENTS["claude"]
    home, (a, b, c, d) = Home(tmp_path), lines(1)
    path = home.root / name.format(1)
    path.parent.mkdir(parents=True)
    told = []
    for minute, body in enumerate(
        [
            [a, b, c],
            [a, b],  # Shorter.
            [],  # Empty.
            [a.replace(b" ", b"  "), b, c],  # The same again, in other bytes.
            [a.replace(b'"type"', b'  "type"'), c[:50], b, c, d],  # Rewritten, with more.
        ]
    ):
        path.write_bytes(b"\n".join(body))
        os.utime(path, (1_785_000_000 + 60 * minute,) * 2)
        home.run("sweep")
        (found,) = home.store.rglob("2026-07-01-claude-*.md")
        told.append(_turns(found))

    assert told == [3, 3, 3, 3, 4]


def _turns(episode):
    return int(re.search(r"^turns: (\d+)$", episode.read_text(), re.MULTILINE)[1])


@pytest.mark.parametrize("name", [*AGENTS, *SIX])
def test_a_transcript_that_may_not_be_read_is_told_in_a_sentence(name):
    """Read as somebody who is not root, for root may read everything."""
    with tempfile.TemporaryDirectory() as folder:
        if name in AGENTS:
            lines, place = AGENTS[name]
            path = Path(folder, Path(place.format(1)).name)
            path.write_bytes(b"\n".join(lines(1)))
        else:
            home = Path(folder, "home")
            if name == "opencode":
                home_of(name, home)
            else:
                shutil.copytree(home_of(name, home), home)
            path = next(iter(SOURCES[name].discover(places(home))))
        SOURCES[name].read(path)  # So that whatever it needs is imported.
        held = path if path.is_file() else path.parent
        held.chmod(0)
        Path(folder).chmod(0o755)
        os.seteuid(65_534 if os.geteuid() == 0 else os.geteuid())
        try:
            with pytest.raises(SourceError) as caught:
                SOURCES[name].read(path)
        finally:
            os.seteuid(os.getuid())

    assert "not allowed" in str(caught.value) or "cannot be" in str(caught.value)
    assert held.name in str(caught.value)


_CHILD = """
import json, resource, sys
from pathlib import Path
from scry.sources import SOURCES
from scry.model import Said
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
got = SOURCES[sys.argv[1]].read(Path(sys.argv[2]))
said = sum(isinstance(e, Said) for e in got.events)
print(json.dumps([said, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before]))
"""


@pytest.mark.parametrize("agent", AGENTS)
def test_a_line_of_thirty_megabytes_that_a_tool_printed_needs_little_memory(agent, tmp_path):
    lines, name = AGENTS[agent]
    path = tmp_path / Path(name.format(1)).name
    if agent == "claude":
        begin, end = line_of(result("@", mirror={"stdout": "@"})).split(b"@", 1)
    else:
        begin, end = line_of(item("custom_tool_call_output", output={"stdout": "@"})).split(b"@", 1)
    with path.open("wb") as file:
        file.write(b"\n".join(lines(1)) + b"\n" + begin)
        for _ in range(30):
            file.write(b"0123456789abcde\\n" * 60_000)
        file.write(end + b"\n" + line_of(human("Elsa comes later")) + b"\n")

    done = subprocess.run(
        [sys.executable, "-c", _CHILD, agent, str(path)], capture_output=True, check=True
    )

    said, kilobytes = json.loads(done.stdout)
    assert said >= 3
    assert kilobytes < 40_000
