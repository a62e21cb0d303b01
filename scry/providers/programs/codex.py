"""Codex as a model: `codex exec`, with the login that the person has.

    {"type": "item.completed", "item": {"type": "agent_message", "text": "..."}}
    {"type": "turn.completed", "usage": {"input_tokens": 100, "cached_input_tokens": 60, ...}}
    {"type": "turn.failed", "error": {"message": "..."}}

An item of type `error` is a notice and no failure.  `--ephemeral` leaves no transcript, but it keeps
the person's hooks, `notify` and MCP servers; each of those has a switch of its own here.  Features
are switched by `-c`, for a version that does not know one of them minds only `--disable`.
"""

import json
from collections.abc import Sequence

from scry.errors import ExtractionError
from scry.providers.programs.process import Ended
from scry.providers.programs.task import Answer, Preset, Task, objects, total

_OFF = (
    "hooks", "plugins", "apps", "memories", "shell_tool", "unified_exec", "skill_search", "multi_agent",
    "goals", "image_generation", "browser_use", "computer_use", "code_mode_host", "view_image",
)  # fmt: skip


def _ask(task: Task) -> tuple[Sequence[str], str]:
    off = [f"features.{name}=false" for name in _OFF]
    off += ["notify=[]", "project_doc_max_bytes=0", 'web_search="disabled"']
    # A table of no servers would change nothing, so each is named.
    servers = [str(one["name"]) for one in objects(task.told) if "name" in one]
    named = ", ".join(f"{json.dumps(name)} = {{enabled = false}}" for name in servers)
    off += [f"mcp_servers={{{named}}}"] if named else []
    return [
        *("exec", "--json", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only"),
        *(part for line in off for part in ("-c", line)),
        *((f"--output-schema={task.schema_file}",) if task.shaped else ()),
        *((f"--model={task.spec.model}",) if task.spec.model else ()),
        f"--output-last-message={task.out_file}",
        "-",
    ], task.whole


def _answer(task: Task, ended: Ended) -> Answer:
    tokens, said, complaint = (0, 0), "", ""
    for event in objects(ended.out):
        match event:
            case {"type": "turn.completed", "usage": dict(usage)}:
                tokens = total(usage, "input_tokens"), total(usage, "output_tokens")
            case {"type": "turn.failed", "error": {"message": str(message)}}:
                complaint = message
            case {
                "type": "item.completed",
                "item": {"type": "agent_message", "text": str(message)},
            }:
                said = message
            case _:
                pass
    if ended.code or complaint:
        return Answer("", *tokens, _error(task, complaint or ended.err))
    text = task.written() or said
    return (
        Answer(text, *tokens)
        if text.strip()
        else Answer("", *tokens, task.bad("the model said nothing."))
    )


def _error(task: Task, complaint: str) -> ExtractionError:
    """Return the error of a complaint; of a bad request it is the server's own body, as it came."""
    match next(objects(complaint), None):
        case {"error": {"message": str(message), "param": str(field)}}:
            return task.error(f"{message} ({field})", status=400)
        case {"error": {"message": str(message)}}:
            return task.error(message, status=400)
        case _:
            return task.error(complaint)


PRESET = Preset(
    program="codex",
    install="npm install -g @openai/codex",
    probe=("mcp", "list", "--json"),
    ask=_ask,
    answer=_answer,
)
