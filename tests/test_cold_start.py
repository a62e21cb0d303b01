"""What a question costs before it is answered: nothing heavy may be imported for it."""

import subprocess
import sys
from pathlib import Path

import pytest
from faces import WORLD, Home

HEAVY = set(
    "git requests ruamel mcp rapidfuzz frontmatter yaml logging zstandard pydantic anyio"
    " subprocess".split()
)
PROGRAM = """
import sys
from scry.cli import run
code = run(sys.argv[1:])
print("\\n" + " ".join({name.partition(".")[0] for name in sys.modules} | {f"code={code}"}))
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.write(*WORLD)
    return made


def _modules(home: Home, *arguments: str) -> set[str]:
    """Return the top names of all modules that a command has imported, and its exit code."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        env=home.environ,
        capture_output=True,
        check=True,
    )
    return set(done.stdout.decode().rsplit("\n", 2)[-2].split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall", "Hermes"],
        ["recall", "where does Hermes run?"],
        ["recall", "Hermes", "--json"],
        ["path", "Hermes", "Redis"],
        ["episodes", "Hermes"],
        ["facts", "Hermes"],
        ["entities"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_a_question_imports_nothing_heavy(home: Home, arguments: list[str]) -> None:
    found = _modules(home, *arguments)

    assert "code=0" in found
    assert not HEAVY & found


def test_a_name_miss_may_look_for_near_names(home: Home) -> None:
    assert "rapidfuzz" in _modules(home, "recall", "Hermse3")
