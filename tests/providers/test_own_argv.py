"""A program of one's own as a model: its placeholders, and what an entry may not say."""

import json
from pathlib import Path
from typing import Any

import pytest
from fake_programs import CHUNK, PROMPT, Programs
from replycases import good_reply

from scry.errors import ConfigError
from scry.extract.model import ModelExtractor


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return Programs(tmp_path)


def test_placeholders_are_filled_in_and_other_braces_are_left_alone(programs: Programs) -> None:
    body = (
        "schema = json.load(open(after('-s')))\n"
        "assert open(after('-y')).read().startswith('You extract')\n"
        "open(after('-o'), 'w').write(json.dumps(sorted(schema['properties'])))\n"
        "print('a greeting')"
    )
    programs.write("mine", body)
    argv = (
        "mine",
        "-s",
        "{schema_file}",
        "-y",
        "{system_file}",
        "-o",
        "{out_file}",
        "--m={model}",
        "{x}",
    )

    reply = programs.provider(argv=argv, model="a/b:{c}").complete(PROMPT)

    (asked,) = programs.asked("mine")
    assert json.loads(reply.text) == ["entities", "episode_summary", "facts"]
    assert asked["argv"][-2:] == ["--m=a/b:{c}", "{x}"]
    assert PROMPT.stable not in asked["stdin"], "it stands in the file"


def test_a_program_of_ones_own_goes_the_whole_way_to_an_extraction(programs: Programs) -> None:
    programs.write("mine", f"print({good_reply()!r})")

    extraction = ModelExtractor(programs.provider(argv=("mine",))).extract(CHUNK, [])

    assert extraction.extractor == "x"
    assert extraction.entities


def test_no_shell_reads_an_argument(programs: Programs) -> None:
    programs.write("mine", "print('{}')")
    made = programs.folder / "made"

    programs.provider(argv=("mine", f"; touch {made}", "$HOME", "*")).complete(PROMPT)

    assert programs.asked("mine")[0]["argv"] == [f"; touch {made}", "$HOME", "*"]
    assert not made.exists()


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"preset": "claude", "argv": ("a",)},
        {"preset": "gpt"},
        {"argv": ("./a",)},
        {"argv": ("a", "{model}")},
        {"argv": ("a",), "api_key": "env:X"},
        {"preset": "codex", "base_url": "https://example.com"},
        {"preset": "claude", "options": {"a": "1"}},
        {"preset": "claude", "structured": "tool"},
    ],
)
def test_an_entry_that_says_what_the_program_would_not_hear_is_refused(
    programs: Programs, spec: dict[str, Any]
) -> None:
    with pytest.raises(ConfigError, match=r"^'x': "):
        programs.provider(**spec)
