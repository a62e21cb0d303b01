"""Claude Code, Codex and llm, played by small programs: how each is asked, what each may answer."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from fake_programs import CHUNK, PROMPT, SECRET, Programs, failure, result
from replycases import good_reply

from scry.errors import BadReplyError, TooLongError
from scry.extract.model import ModelExtractor


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return Programs(tmp_path)


# --- claude -------------------------------------------------------------------------------------


def test_claude_is_asked_without_hooks_tools_servers_or_a_transcript(programs: Programs) -> None:
    programs.claude(result(structured_output={"episode_summary": "Ü", "entities": []}))

    reply = programs.provider(preset="claude", model="haiku").complete(PROMPT)

    (asked,) = programs.asked("claude")
    argv = asked["argv"]
    flags = dict(itertools.pairwise(argv))
    assert argv[0] == "-p"
    assert flags["--output-format"] == "json"
    assert flags["--setting-sources"] == ""
    assert flags["--tools"] == ""
    assert json.loads(flags["--settings"]) == {"disableAllHooks": True}
    assert {"--strict-mcp-config", "--no-session-persistence", "--model=haiku"} <= set(argv)
    assert json.loads(flags["--json-schema"]) == PROMPT.schema
    assert flags["--system-prompt"] == PROMPT.stable
    for name in (
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
        "CLAUDE_CODE_MAX_RETRIES",
        "MAX_STRUCTURED_OUTPUT_RETRIES",
    ):
        assert asked["env"][name] == "1"
    assert json.loads(reply.text) == {"episode_summary": "Ü", "entities": []}
    assert (reply.tokens_in, reply.tokens_out) == (103, 20)
    assert programs.meter.tokens == [(103, 20)]


def test_flags_that_claude_does_not_know_are_left_out_but_never_those_that_keep_us_safe(
    programs: Programs,
) -> None:
    programs.claude(result(result='{"a": 1}'), help_="  --output-format <f>  --model <m>")
    provider = programs.provider(preset="claude")

    for _ in range(2):
        assert provider.complete(PROMPT).text == '{"a": 1}'

    asked = programs.asked("claude")[0]
    assert not {"--json-schema", "--no-session-persistence", "--system-prompt"} & set(asked["argv"])
    assert {"--tools", "--strict-mcp-config", "--settings", "--setting-sources"} <= set(
        asked["argv"]
    )
    assert asked["stdin"].startswith(PROMPT.stable)
    assert len(programs.noted("claude")) == 3, "the help is read once"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (result(is_error=True, api_error_status=401, result="Failed to authenticate."), "permanent"),
        (result(is_error=True, api_error_status=403, result="no"), "permanent"),
        (result(is_error=True, api_error_status=404, result="model: nope"), "permanent"),
        (result(is_error=True, api_error_status=429, result="Request rejected (429)"), "quota"),
        (result(is_error=True, api_error_status=529, result="API Error: 529 busy"), "transport"),
        (result(is_error=True, api_error_status=500, result="oops"), "transport"),
        (result(is_error=True, api_error_status=400, result="bad"), "content"),
        (result(is_error=True, api_error_status=None, result="Not logged in · Please run /login"), "permanent"),
        (result(is_error=True, result="Claude AI usage limit reached|1766"), "quota"),
        (result(is_error=True, subtype="error_max_structured_output_retries", errors=["no"]), "content"),
        (result(result="I would rather talk."), "content"),
        (result(result=""), "content"),
    ],
)  # fmt: skip
def test_what_claude_says_of_a_failure_decides_its_kind(
    programs: Programs, said: dict[str, Any], kind: str
) -> None:
    programs.claude(said, code=int(said["is_error"]))

    assert failure(programs.provider(preset="claude")).kind == kind
    assert programs.meter.tokens == [(103, 20)]


def test_a_claude_that_says_no_json_at_all_is_judged_by_its_errors(programs: Programs) -> None:
    programs.claude("", code=1, err="error: unknown option '--tools'\n")

    error = failure(programs.provider(preset="claude"))

    assert error.kind == "permanent"
    assert "unknown option" in str(error)


def test_json_in_the_text_is_an_answer_when_claude_handed_none_in(programs: Programs) -> None:
    programs.claude(result(result=f"Here it is:\n{good_reply()}"))

    extraction = ModelExtractor(programs.provider(preset="claude")).extract(CHUNK, [])

    assert extraction.entities
    assert (extraction.tokens_in, extraction.tokens_out) == (103, 20)


def test_the_tokens_of_turns_that_failed_are_counted_too(programs: Programs) -> None:
    used = {
        "m": {"inputTokens": 5, "cacheReadInputTokens": 6, "outputTokens": 7},
        "n": {"outputTokens": 1},
    }
    empty = {"input_tokens": 0, "output_tokens": 0}
    programs.claude(result(is_error=True, result="no", usage=empty, modelUsage=used), code=1)

    failure(programs.provider(preset="claude"))

    assert programs.meter.tokens == [(11, 8)]


def test_an_answer_in_a_list_of_messages_is_found(programs: Programs) -> None:
    programs.claude(json.dumps([{"type": "system"}, result(structured_output={"a": 1})]))

    assert programs.provider(preset="claude").complete(PROMPT).text == '{"a": 1}'


# --- codex --------------------------------------------------------------------------------------

DONE = {"type": "turn.completed", "usage": {"input_tokens": 100, "cached_input_tokens": 60, "output_tokens": 20}}  # fmt: skip
SAID = {"type": "item.completed", "item": {"type": "agent_message", "text": '{"b": 2}'}}
NOTICE = {"type": "item.completed", "item": {"type": "error", "message": "no metadata for m"}}


def test_codex_is_asked_without_hooks_tools_servers_or_a_transcript(programs: Programs) -> None:
    servers = [{"name": "files", "env": {"KEY": SECRET}}, {"name": 'odd."name'}]
    programs.codex(NOTICE, DONE, servers=servers, last='{"a": 1}')

    reply = programs.provider(preset="codex", model="m/1:2").complete(PROMPT)

    argv = programs.asked("codex")[0]["argv"]
    settings = [value for flag, value in itertools.pairwise(argv) if flag == "-c"]
    assert argv[0] == "exec"
    assert argv[-1] == "-"
    assert {"--json", "--ephemeral", "--skip-git-repo-check", "--model=m/1:2"} <= set(argv)
    assert argv[argv.index("--sandbox") + 1] == "read-only"
    assert {"features.hooks=false", "features.shell_tool=false", "features.plugins=false"} <= set(
        settings
    )
    assert {"notify=[]", "project_doc_max_bytes=0", 'web_search="disabled"'} <= set(settings)
    assert settings[-1] == (
        'mcp_servers={"files" = {enabled = false}, "odd.\\"name" = {enabled = false}}'
    )
    assert SECRET not in " ".join(argv)
    assert any(word.startswith("--output-schema=/") for word in argv)
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ('{"a": 1}', 100, 20)
    assert programs.meter.tokens == [(100, 20)]


def test_the_last_message_of_codex_counts_when_its_file_is_missing(programs: Programs) -> None:
    programs.codex(SAID, DONE)

    assert programs.provider(preset="codex").complete(PROMPT).text == '{"b": 2}'


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (
            "unexpected status 401 Unauthorized: not today, url: http://127.0.0.1:1/v1/responses",
            "permanent",
        ),
        ("exceeded retry limit, last status: 429 Too Many Requests", "quota"),
        ("You've hit your usage limit. Upgrade to Pro.", "quota"),
        ("stream disconnected before completion: error sending request", "transport"),
        ("unexpected status 500 Internal Server Error: oops", "transport"),
    ],
)
def test_a_turn_of_codex_that_failed_says_why(programs: Programs, message: str, kind: str) -> None:
    programs.codex(NOTICE, {"type": "turn.failed", "error": {"message": message}})

    error = failure(programs.provider(preset="codex"))

    assert error.kind == kind
    assert message in str(error)


def test_a_question_too_long_for_codex_is_one_to_ask_in_parts(programs: Programs) -> None:
    said = "Codex ran out of room in the model's context window. Start a new thread."
    programs.codex({"type": "turn.failed", "error": {"message": said}})

    assert isinstance(failure(programs.provider(preset="codex")), TooLongError)


def test_a_codex_that_ends_well_and_says_nothing_is_bad(programs: Programs) -> None:
    programs.codex(NOTICE, DONE, last="")

    assert isinstance(failure(programs.provider(preset="codex")), BadReplyError)


# --- llm ----------------------------------------------------------------------------------------


def test_llm_is_asked_with_the_schema_and_logs_nothing(programs: Programs) -> None:
    body = (
        "assert json.load(open(after('--schema')))['type'] == 'object'\n"
        "sys.stderr.write('Token usage: 1,204 input, 96 output, {\"x\": 1}\\n'); print('{}')"
    )
    programs.write("llm", body)

    reply = programs.provider(preset="llm", model="gpt 5", options={"seed": "7"}).complete(PROMPT)

    (asked,) = programs.asked("llm")
    argv = asked["argv"]
    assert argv[0] == "prompt"
    assert {"--no-log", "--model=gpt 5"} <= set(argv)
    assert argv[argv.index("--option") + 1 :] == ["seed", "7"]
    assert not set(" ,") & set(argv[argv.index("--schema") + 1])
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("{}\n", 1204, 96)


def test_a_model_that_takes_no_schema_is_asked_without_one_from_then_on(programs: Programs) -> None:
    body = (
        "if '--schema' in sys.argv: sys.exit('Error: Smol: m does not support schemas')\n"
        "print('{}')"
    )
    programs.write("llm", body)
    provider = programs.provider(preset="llm")

    assert provider.complete(PROMPT).text == "{}\n"
    assert provider.complete(PROMPT).text == "{}\n"
    assert programs.provider(preset="llm").complete(PROMPT).text == "{}\n"

    assert ["--schema" in one["argv"] for one in programs.asked("llm")] == [
        True,
        False,
        False,
        False,
    ]
    assert programs.meter.mode() == "prompt"
    assert programs.meter.requests == 4


def test_a_schema_that_was_asked_for_by_name_is_not_given_up(programs: Programs) -> None:
    programs.write("llm", "sys.exit('Error: m does not support schemas')")

    error = failure(programs.provider(preset="llm", structured="json_schema"))

    assert "does not support schemas" in str(error)
    assert len(programs.asked("llm")) == 1
