"""Whose file it is, and what is said about files that are nobody's."""

import os

import pytest
from sources.golden_cases import TRANSCRIPTS
from sources.transcript_files import write

from scry.errors import SourceError, UnknownTranscriptError
from scry.ports import Source
from scry.sources import SOURCES, detect


def test_every_source_keeps_the_contract():
    sources: dict[str, Source] = SOURCES

    assert list(sources) == [
        "claude",
        "codex",
        "opencode",
        "gemini",
        "copilot",
        "kimi",
        "cursor",
        "pi",
        "runs",
        "notes",
    ]
    for name, source in sources.items():
        assert name == source.NAME
        assert source.__doc__


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b" \n\0\n", "the file is empty"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:3f\nsize 4\n",
            "Run `git lfs pull`",
        ),
        (b'{\n  "type": "user",\n  "message": {}\n}\n', "one JSON document over several lines"),
        (b'[\n  {"type": "user"}\n]\n', "one JSON document over several lines"),
    ],
)
def test_a_file_that_is_no_transcript_is_told_in_a_sentence(tmp_path, content, said):
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)

    with pytest.raises(SourceError) as caught:
        detect(path)

    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert str(caught.value).endswith(".")


def test_what_is_no_file_is_told_in_a_sentence(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "x.jsonl").mkdir()
    (tmp_path / "loop.jsonl").symlink_to(tmp_path / "loop.jsonl")

    for name, said in [
        ("gone.jsonl", "there is no such file"),
        ("x.jsonl", "this is a folder"),
        ("pipe.jsonl", "this is a named pipe"),
        ("loop.jsonl", "symbolic links"),
    ]:
        with pytest.raises(SourceError) as caught:
            detect(tmp_path / name)
        assert said in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param({"type": "thread.started", "thread_id": "x"}, id="codex exec"),
        pytest.param(
            {"type": "item.completed", "item": {"type": "agent_message"}}, id="codex exec item"
        ),
        pytest.param({"display": "x", "project": "/w", "sessionId": "y"}, id="history of Claude"),
        pytest.param({"session_id": "x", "ts": 1, "text": "y"}, id="history of Codex"),
        pytest.param({"type": "started", "runId": "x"}, id="workflow journal"),
        pytest.param({"a": 1}, id="anything"),
        pytest.param("plain text", id="text"),
    ],
)
def test_what_is_no_agent_s_transcript_is_claimed_by_nobody(tmp_path, line):
    path = write(tmp_path / "a.jsonl", [line, line])

    with pytest.raises(UnknownTranscriptError) as caught:
        detect(path)

    assert "claude, codex, opencode" in str(caught.value)


def test_no_golden_transcript_is_claimed_by_two_sources():
    for path in TRANSCRIPTS.rglob("*.jsonl"):
        head = path.read_bytes()[:65_536]
        assert sum(source.recognises(path, head) for source in SOURCES.values()) <= 1, path
