"""The hooks for Claude Code, run by a real `sh` with payloads that Claude Code really sends.

`scry` is a script of the test's own here: what matters is how the hooks treat it.
"""

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
HOOKS = HERE.parent / "hooks"
PAYLOADS = sorted((HERE / "hook-payloads").glob("*.json"))
START, END = HOOKS / "claude-session-start", HOOKS / "claude-session-end"
IN_TIME = 3.0
"""Seconds: two for the hook, one for a busy machine."""

SCRIPTS = {
    "works": 'echo "orient of $3"',
    "fails": "echo half an answer; echo 'it broke' >&2; exit 40",
    "hangs": "echo half an answer; sleep 60; echo the rest",
    "ignores being told to stop": "trap '' TERM INT HUP; echo half; sleep 60",
    "is no program": "",
}
SHELLS = sorted({os.path.realpath(found) for s in ("sh", "bash") if (found := shutil.which(s))})

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a user's home with a folder of programs, which a `scry` can be put into."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "work").mkdir()
    return tmp_path


@pytest.fixture
def run(home: Path) -> Run:
    """Return what runs a hook as Claude Code does, with a home and a PATH of its own."""

    def run(
        hook: Path, payload: str = "", shell: str = "sh", env: Mapping[str, str] | None = None
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [shell, str(hook)],
            input=payload,
            env={**environment(home), **(env or {})},
            cwd=home / "work",
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )

    return run


def environment(home: Path) -> dict[str, str]:
    """Return an environment in which only the system's own programs and ours are found."""
    return {
        "HOME": str(home),
        "PATH": os.pathsep.join((str(home / "bin"), "/usr/bin", "/bin")),
        "TMPDIR": str(home),
    }


def put_scry(home: Path, body: str) -> None:
    """Put a program called `scry` on the PATH."""
    program = home / "bin" / "scry"
    program.write_text(f"#!/bin/sh\n{body}\n" if body else "\x7fELF no program\n")
    program.chmod(0o755)


def listen(home: Path) -> int:
    """Put a `scry` on the PATH that reports its arguments; return the end where they arrive."""
    os.mkfifo(home / "heard")
    put_scry(home, f'printf "%s\\n" "$@" end >"{home}/heard"')
    # Open for both, or else it looks closed until somebody has written.
    return os.open(home / "heard", os.O_RDWR | os.O_NONBLOCK)


def heard(listening: int) -> list[str]:
    """Return the arguments that `scry` was called with, once it was called."""
    out = b""
    while not out.endswith(b"\nend\n"):
        assert select.select([listening], [], [], 15)[0], "scry was never called"
        out += os.read(listening, 65536)
    os.close(listening)
    return out.decode().split("\n")[:-2]


def payload(**fields: object) -> str:
    return json.dumps({"session_id": "a", "hook_event_name": "x", **fields})


# --- at the start --------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS)
def test_the_session_start_hook_prints_the_orientation_of_the_session_s_own_folder(
    home, run, shell
):
    put_scry(home, SCRIPTS["works"])
    folder = home / 'a "quoted" folder, "cwd": "x" with a \\ in it'
    folder.mkdir()

    done = run(START, payload(prompt='say "cwd": "/nowhere"', cwd=str(folder)), shell)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"orient of {folder}\n"


@pytest.mark.parametrize("cwd", ["/no/such/folder", "", None, "-x", "caf\u00e9 \\u0000"])
def test_without_a_folder_that_exists_the_hook_asks_about_its_own(home, run, cwd):
    put_scry(home, SCRIPTS["works"])

    done = run(START, payload(cwd=cwd))

    assert done.stdout == f"orient of {home / 'work'}\n"


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name != "works"])
@pytest.mark.parametrize("hook", [START, END], ids=["start", "end"])
def test_a_scry_that_does_not_work_costs_a_session_neither_time_nor_an_error(home, run, name, hook):
    put_scry(home, SCRIPTS[name])
    begun = time.monotonic()

    done = run(hook, payload(cwd=str(home)))

    assert time.monotonic() - begun < IN_TIME
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("hook", [START, END], ids=["start", "end"])
def test_without_any_scry_the_hooks_are_silent_and_the_log_says_why(home, run, hook):
    done = run(hook, payload(cwd=str(home)))

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    if hook == START:
        assert "no orientation (exit 127)" in (home / ".scry" / "hooks.log").read_text()


@pytest.mark.parametrize("hook", [START, END], ids=["start", "end"])
@pytest.mark.parametrize("path", PAYLOADS, ids=[path.stem for path in PAYLOADS])
def test_every_payload_of_claude_code_is_taken(home, run, hook, path):
    put_scry(home, "exit 0")

    done = run(hook, path.read_text())

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("hook", [START, END], ids=["start", "end"])
@pytest.mark.parametrize("text", ["", "{", "not json", '{"cwd": 5}', "\x00\xff", "[" * 70000])
def test_a_payload_that_makes_no_sense_is_survived(home, run, hook, text):
    put_scry(home, "exit 0")

    done = run(hook, text)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("hook", [START, END], ids=["start", "end"])
def test_a_session_that_scry_itself_has_started_is_left_alone(home, run, hook):
    put_scry(home, f"echo called; touch {home}/called")

    done = run(hook, payload(cwd=str(home)), env={"SCRY_EXTRACTING": "1"})

    assert (done.returncode, done.stdout) == (0, "")
    assert not (home / "called").exists()
    assert not (home / ".scry").exists()


@pytest.mark.parametrize("hook", [START, END], ids=["start", "end"])
def test_an_input_that_is_never_closed_does_not_hold_the_hook_up(home, hook):
    put_scry(home, SCRIPTS["works"])
    begun = time.monotonic()
    with subprocess.Popen(
        ["sh", str(hook)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(home),
        cwd=home / "work",
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(payload(cwd=str(home)).encode())
        process.stdin.flush()

        said = process.stdout.read()

        assert process.wait(10) == 0
    assert time.monotonic() - begun < IN_TIME
    assert said == (f"orient of {home}\n".encode() if hook == START else b"")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("hook", [START, END], ids=["start", "end"])
def test_a_hook_without_any_input_ends_well(home, shell, hook):
    put_scry(home, "exit 0")

    done = subprocess.run(
        [shell, "-c", f'"{shell}" "{hook}" <&-'],
        env=environment(home),
        capture_output=True,
        timeout=20,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("hook", [START, END], ids=["start", "end"])
@pytest.mark.parametrize("place", ["", "/dev/null/nowhere", "work"])
def test_a_log_that_cannot_be_written_does_not_matter(home, run, hook, place):
    put_scry(home, SCRIPTS["works"])
    (home / "work" / "hooks.log").mkdir()

    done = run(hook, payload(cwd=str(home)), env={"SCRY_HOME": place and str(home / place)})

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (f"orient of {home}\n" if hook == START else "")


def test_the_hook_leaves_nothing_behind_in_the_folder_for_temporary_files(home, run):
    put_scry(home, SCRIPTS["hangs"])

    run(START, payload(cwd=str(home)))

    assert [path.name for path in home.iterdir() if path.name.startswith("scry")] == []


def test_the_hook_s_log_is_its_owner_s_alone(home, run):
    run(START, payload(cwd=str(home)))

    assert (home / ".scry").stat().st_mode & 0o077 == 0
    assert (home / ".scry" / "hooks.log").stat().st_mode & 0o077 == 0


# --- at the end ----------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS)
def test_the_session_end_hook_has_the_session_s_own_transcript_ingested(home, run, shell):
    listening = listen(home)
    transcript = home / 'a "quoted" \\ folder' / "session.jsonl"
    transcript.parent.mkdir()
    transcript.touch()

    done = run(END, payload(transcript_path=str(transcript), reason="clear"), shell)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert heard(listening) == ["ingest", "--", str(transcript)]


@pytest.mark.parametrize("transcript", [None, "/tmp"])
def test_without_a_transcript_the_session_end_hook_has_everything_swept(home, run, transcript):
    listening = listen(home)

    done = run(END, payload(transcript_path=transcript))

    assert done.returncode == 0
    assert heard(listening) == ["sweep"]


def test_the_session_end_hook_does_not_wait_for_what_it_has_started(home, run):
    listening = listen(home)
    begun = time.monotonic()

    run(END, payload(transcript_path=None))

    assert time.monotonic() - begun < 1  # The ingestion begins a second later.
    assert heard(listening) == ["sweep"]


def test_the_hooks_can_be_run_as_they_are():
    for hook in (START, END):
        assert os.access(hook, os.X_OK)
        assert hook.read_text().startswith("#!/bin/sh\n")
