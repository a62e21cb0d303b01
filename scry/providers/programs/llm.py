"""The program `llm` as a model: any model that its plugins bring, with the keys that it keeps.

The answer is what it prints; `Token usage: 1,204 input, 96 output` stands among its errors.  Not
every model takes a schema; one that does not is asked again without.
"""

import re
from collections.abc import Sequence

from scry.providers.programs.process import Ended
from scry.providers.programs.task import Answer, Preset, Task

_USED = re.compile(r"Token usage: [^\n]*")


def _ask(task: Task) -> tuple[Sequence[str], str]:
    # A path with a space or a comma would be read as a schema; the relative one has neither.
    shape = ("--schema", f"../{task.schema_file.name}") if task.shaped else ()
    options = [(key, str(value)) for key, value in task.spec.options.items()]
    return [
        *("prompt", "--no-log", "--no-stream", "--usage"),
        *((f"--model={task.spec.model}",) if task.spec.model else ()),
        *shape,
        *(part for option in options for part in ("--option", *option)),
    ], task.whole


def _answer(task: Task, ended: Ended) -> Answer:
    tokens_in, tokens_out = _used(ended.err, "input"), _used(ended.err, "output")
    error = None
    if ended.code:
        error = task.error(_USED.sub("", ended.err) or ended.out)
    elif not ended.out.strip():
        error = task.bad("the model said nothing.")
    return Answer("" if error else ended.out, tokens_in, tokens_out, error)


def _used(errors: str, what: str) -> int:
    """Return how many tokens of a kind the lines about them tell together."""
    found = re.findall(rf"([\d,]+) {what}", " ".join(_USED.findall(errors)))
    return sum(int(number.replace(",", "") or 0) for number in found)


PRESET = Preset(
    program="llm",
    install="pipx install llm",
    ask=_ask,
    answer=_answer,
)
