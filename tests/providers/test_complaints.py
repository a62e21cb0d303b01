"""What a program complains of, and what that makes the chain do."""

import signal
from pathlib import Path

import pytest
from fake_programs import SECRET, Programs, failure

from scry.errors import ProviderError, TooLongError


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return Programs(tmp_path)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Error: No key found - add one using 'llm keys set openai'", "permanent"),
        ("Error: Unknown model: m", "permanent"),
        ("Error code: 401 - {'error': {'message': 'nope'}}", "permanent"),
        ("Not logged in. Please run /login", "permanent"),
        ("Error code: 429 - slow down", "quota"),
        ("You've hit your usage limit. Try again at 5 pm.", "quota"),
        ("Your credit balance is too low", "quota"),
        ("unexpected status 503 Service Unavailable", "transport"),
        ("API Error: 529 Overloaded", "transport"),
        ("stream disconnected before completion", "transport"),
        ("Error code: 400 - something about this text", "content"),
        ("", "transport"),
    ],
)
def test_what_a_program_complains_of_decides_what_the_chain_does(
    programs: Programs, said: str, kind: str
) -> None:
    programs.write("mine", f"sys.stderr.write({said!r}); sys.exit(1)")

    error = failure(programs.provider(argv=("mine",)))

    assert isinstance(error, ProviderError)
    assert error.kind == kind
    assert said in str(error)


@pytest.mark.parametrize(
    "said",
    [
        "Prompt is too long",
        "This model's maximum context length is 8192 tokens",
        "API Error: the answer exceeded the 32000 output token maximum",
    ],
)
def test_a_question_that_does_not_fit_is_one_to_ask_in_parts(programs: Programs, said: str) -> None:
    programs.write("mine", f"sys.stderr.write({said!r}); sys.exit(1)")

    assert isinstance(failure(programs.provider(argv=("mine",))), TooLongError)


def test_what_a_program_complains_of_is_shown_short_redacted_and_on_one_line(
    programs: Programs,
) -> None:
    lines = [
        "Traceback",
        *("  a line" for _ in range(50)),
        f"Error: I cannot do {SECRET} \x1b[31mis wrong {'z' * 900}",
    ]
    programs.write("mine", f"sys.stderr.write({chr(10).join(lines)!r}); sys.exit(3)")

    message = str(failure(programs.provider({"MY_API_TOKEN": SECRET}, argv=("mine",))))

    assert message.startswith("x: Error: I cannot do ")
    assert SECRET not in message
    assert "\x1b" not in message
    assert len(message) <= 203 + 1


@pytest.mark.parametrize(
    ("code", "kind"), [(126, "permanent"), (127, "permanent"), (7, "transport")]
)
def test_an_exit_code_without_words_is_told(programs: Programs, code: int, kind: str) -> None:
    programs.write("mine", f"sys.exit({code})")

    error = failure(programs.provider(argv=("mine",)))

    assert error.kind == kind
    assert f"exit code {code}" in str(error)


def test_a_program_that_is_killed_is_a_matter_of_transport(programs: Programs) -> None:
    programs.write("mine", f"os.kill(os.getpid(), {int(signal.SIGTERM)})")

    error = failure(programs.provider(argv=("mine",)))

    assert error.kind == "transport"
    assert "signal 15" in str(error)


def test_only_the_end_of_what_a_program_complains_of_without_end_is_kept(
    programs: Programs,
) -> None:
    programs.write(
        "mine", "sys.stderr.write('prompt is too long\\n' + 'x y\\n' * 50_000); sys.exit(1)"
    )

    error = failure(programs.provider(argv=("mine",)))

    assert isinstance(error, ProviderError)
    assert str(error) == "x: x y"
