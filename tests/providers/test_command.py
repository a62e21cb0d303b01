"""Programs as models: real processes on a throwaway PATH, and what becomes of each."""

import os
import sys
import time
from pathlib import Path

import pytest
from fake_programs import CHUNK, PROMPT, SECRET, Programs, failure, result
from replycases import chunk_of

from scry.errors import BadReplyError, ProviderError
from scry.extract.prompt import build_prompt
from scry.model import Known
from scry.providers import command as command_module
from scry.providers.programs import process as process_module


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return Programs(tmp_path)


# --- every program ------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["claude", "codex", "llm", ""])
def test_the_record_goes_on_stdin_and_into_no_argument(programs: Programs, preset: str) -> None:
    programs.claude(result(structured_output={"a": 1}))
    programs.codex(last="{}")
    programs.write("llm", "print('{}')")
    programs.write("mine", "print('{}')")
    name = preset or "mine"
    prompt = build_prompt(CHUNK, [Known(name="Hermes", type="service")], "The answer was no JSON.")

    programs.provider(preset=preset, argv=() if preset else ("mine",)).complete(prompt)

    (asked,) = programs.asked(name)
    for part in (prompt.chunk, prompt.glossary, prompt.correction):
        assert part in asked["stdin"]
        assert not any(part in word for word in asked["argv"])
    assert not any("Hermes" in word for word in asked["argv"])
    assert prompt.stable in asked["stdin"] or prompt.stable in asked["argv"]
    assert programs.meter.requests == 1


@pytest.mark.parametrize("preset", ["claude", "codex", "llm", ""])
def test_a_program_gets_its_login_our_mark_and_nothing_of_a_session_around(
    programs: Programs, preset: str
) -> None:
    programs.claude(result(structured_output={}))
    programs.codex(last="{}")
    programs.write("llm", "print('{}')")
    programs.write("mine", "print('{}')")
    around = {
        "CLAUDECODE": "1",
        "CLAUDE_CODE_SESSION_ID": "s",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
        "CLAUDE_CODE_CHILD_SESSION": "1",
        "CODEX_THREAD_ID": "t",
        "CLAUDE_CODE_OAUTH_TOKEN": SECRET,
        "CLAUDE_CONFIG_DIR": "/c",
    }

    programs.provider(around, preset=preset, argv=() if preset else ("mine",)).complete(PROMPT)

    (asked,) = programs.asked(preset or "mine")
    env = asked["env"]
    assert env["SCRY_EXTRACTING"] == "1"
    assert env["LOGIN"] == "mine"
    assert env["CLAUDE_CODE_OAUTH_TOKEN"] == SECRET
    assert env["CLAUDE_CONFIG_DIR"] == "/c"
    assert not {"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"} & set(env)
    assert not {"CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_CHILD_SESSION"} & set(env)
    assert asked["files"] == []
    assert asked["leader"]
    assert not Path(asked["cwd"]).exists(), "the folder is removed afterwards"


def test_scry_that_was_started_by_an_extraction_asks_no_program(programs: Programs) -> None:
    programs.write("mine", "print('{}')")

    error = failure(programs.provider({"SCRY_EXTRACTING": "1"}, argv=("mine",)))

    assert error.kind == "permanent"
    assert "started by its own extraction" in str(error)
    assert programs.noted("mine") == []
    assert programs.meter.requests == 0


def test_a_program_that_is_not_there_is_permanent_and_costs_no_request(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_module, "_FOLDERS", ())

    error = failure(programs.provider(preset="claude"))
    assert error.kind == "permanent"
    assert "npm install -g" in str(error)

    error = failure(programs.provider(argv=("no-such-program",)))
    assert error.kind == "permanent"
    assert "whole path" in str(error)
    assert programs.meter.requests == 0


def test_a_known_program_is_found_in_the_home_folder_when_path_is_short(programs: Programs) -> None:
    folder = programs.folder / "home" / ".local" / "bin"
    folder.mkdir(parents=True)
    programs.claude(result(structured_output={"a": 1}))
    (programs.folder / "claude").rename(folder / "claude")

    assert programs.provider({"PATH": "/nowhere"}, preset="claude").complete(PROMPT).text


def test_a_program_that_cannot_be_started_is_permanent(programs: Programs) -> None:
    path = programs.folder / "broken"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)

    error = failure(programs.provider(argv=("broken",)))

    assert error.kind == "permanent"
    assert "cannot be started" in str(error)


def test_a_spent_budget_starts_no_program(programs: Programs) -> None:
    programs.write("mine", "print('{}')")
    programs.meter.most = 0

    with pytest.raises(ProviderError, match="spent"):
        programs.provider(argv=("mine",)).complete(PROMPT)

    assert programs.noted("mine") == []


def test_a_program_that_takes_too_long_is_ended_with_all_that_it_started(
    programs: Programs,
) -> None:
    child = programs.folder / "child.pid"
    body = (
        "import subprocess, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(child)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(60)"
    )
    programs.write("slow", body)
    began = time.monotonic()

    error = failure(programs.provider(argv=("slow",), timeout_s=0.6))

    assert error.kind == "transport"
    assert "within 0.6 seconds" in str(error)
    assert time.monotonic() - began < 5
    assert _gone(int(child.read_text()))


def test_what_a_program_leaves_running_neither_holds_us_up_nor_stays(programs: Programs) -> None:
    child = programs.folder / "child.pid"
    body = (
        "import subprocess\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(child)!r}, 'w').write(str(child.pid))\n"
        "print('{}')"
    )
    programs.write("lingers", body)

    assert programs.provider(argv=("lingers",)).complete(PROMPT).text == "{}\n"
    assert _gone(int(child.read_text()))


def test_what_a_program_leaves_writing_is_not_waited_for(programs: Programs) -> None:
    say = "import time\nwhile True: print('more', flush=True); time.sleep(0.01)"
    body = (
        "import subprocess\n"
        f"subprocess.Popen([sys.executable, '-c', {say!r}])\n"
        "print('{}', flush=True)"
    )
    programs.write("chatters", body)
    began = time.monotonic()

    assert programs.provider(argv=("chatters",), timeout_s=30.0).complete(PROMPT).text
    assert time.monotonic() - began < 10


def _gone(pid: int) -> bool:
    """Wait a little for a process to end: the kernel takes its time to deliver the signal."""
    for _ in range(200):
        try:
            with Path(f"/proc/{pid}/stat").open() as file:
                if file.read().rpartition(")")[2].split()[0] in "ZX":
                    return True
        except FileNotFoundError:
            pass
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


def test_an_answer_without_end_is_cut_off_and_bad(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_module, "MAX_OUTPUT", 1 << 20)
    programs.write("runaway", "while True: sys.stdout.write('x' * 65536)")

    error = failure(programs.provider(argv=("runaway",)))

    assert isinstance(error, BadReplyError)
    assert "1 MiB" in str(error)


def test_a_program_that_reads_nothing_and_one_that_writes_first_are_heard(
    programs: Programs,
) -> None:
    long = build_prompt(chunk_of("We moved Hermes to the mini. " * 20_000), [])
    deaf = programs.folder / "deaf"
    deaf.write_text("#!/bin/sh\necho '{}'\n")
    deaf.chmod(0o755)
    early = programs.folder / "early"
    early.write_text(
        f"#!{sys.executable}\nimport sys\nsys.stdout.write('x' * 300000); sys.stdout.flush()\n"
        "print(len(sys.stdin.read()))\n"
    )
    early.chmod(0o755)

    assert programs.provider(argv=("deaf",)).complete(long).text == "{}\n"
    assert int(programs.provider(argv=("early",)).complete(long).text[300_000:]) > 500_000
