"""Claude Code as a model: `claude -p`, with the login that the person has.

    {"type": "result", "is_error": false, "api_error_status": null, "subtype": "success",
     "structured_output": {...}, "result": "...", "usage": {...}, "modelUsage": {MODEL: {...}}}

An answer can end well and hold no `structured_output`: the model talked instead of handing in.  An
API's refusal comes as such an object too, with exit code 1.  No single switch keeps the person's
hooks away and leaves no transcript; it takes the ones here together, and two variables.
"""

import json
import re
from collections.abc import Mapping, Sequence

from scry.errors import ExtractionError
from scry.providers.programs.process import Ended
from scry.providers.programs.task import Answer, Preset, Task, objects, total

_NEEDED = ("--output-format", "--settings", "--setting-sources", "--strict-mcp-config", "--tools")
"""Without these a run would not be safe, so they are given whether or not the help names them."""


def _ask(task: Task) -> tuple[Sequence[str], str]:
    known = set(re.findall(r"--[a-z][a-z-]+", task.told))
    wanted: list[tuple[str, ...]] = [
        ("--output-format", "json"),
        ("--no-session-persistence",),
        ("--setting-sources", ""),
        ("--settings", '{"disableAllHooks": true}'),
        ("--strict-mcp-config",),
        ("--tools", ""),
        ("--system-prompt", task.prompt.stable),
    ]
    if task.shaped:
        wanted.append(("--json-schema", json.dumps(task.prompt.schema)))
    given = [w for w in wanted if not known or w[0] in known or w[0] in _NEEDED]
    model = [f"--model={task.spec.model}"] if task.spec.model else []
    told = any(w[0] == "--system-prompt" for w in given)
    return [
        "-p",
        *(part for w in given for part in w),
        *model,
    ], task.question if told else task.whole


def _answer(task: Task, ended: Ended) -> Answer:
    result = next((one for one in objects(ended.out) if one.get("type") == "result"), None)
    if result is None:
        return Answer(error=task.error(ended.err or ended.out))
    tokens = _tokens(result)
    said = result.get("result")
    text = said if isinstance(said, str) else ""
    if result.get("is_error") or ended.code:
        return Answer("", *tokens, _error(task, result, text))
    made = result.get("structured_output")
    if isinstance(made, dict):
        return Answer(json.dumps(made, ensure_ascii=False), *tokens)
    if "{" in text:
        return Answer(text, *tokens)
    return Answer("", *tokens, task.bad("the model answered in prose, or not at all."))


def _error(task: Task, result: Mapping[str, object], text: str) -> ExtractionError:
    status = result.get("api_error_status")
    if str(result.get("subtype", "")).startswith("error_max_"):
        return task.bad("the model did not hand in an answer of the shape that was asked for.")
    errors = result.get("errors")
    said = text or " ".join(map(str, errors if isinstance(errors, list) else ()))
    return task.error(said, status=status if isinstance(status, int) else 0)


def _tokens(result: Mapping[str, object]) -> tuple[int, int]:
    """Return the tokens of all models that took part; `usage` alone forgets those of failed turns."""
    models = result.get("modelUsage")
    parts = [p for p in models.values() if isinstance(p, dict)] if isinstance(models, dict) else []
    if parts:
        names_in = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
        return sum(total(p, *names_in) for p in parts), sum(total(p, "outputTokens") for p in parts)
    names_in = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    return total(result.get("usage"), *names_in), total(result.get("usage"), "output_tokens")


PRESET = Preset(
    program="claude",
    install="npm install -g @anthropic-ai/claude-code",
    probe=("--help",),
    environ={
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "1",
        "CLAUDE_CODE_SKIP_PROMPT_HISTORY": "1",
        "MAX_STRUCTURED_OUTPUT_RETRIES": "1",
    },
    ask=_ask,
    answer=_answer,
)
