"""A program of one's own: an `argv` with placeholders, the prompt on stdin, the answer on stdout.

    {schema_file}   the schema of the answer, as JSON
    {system_file}   the part of the prompt that never changes; it is left out of stdin then
    {out_file}      where the answer may be written instead of to stdout
    {model}         the configured model

Other braces are left alone.  The first word is the program and takes no placeholder.
"""

import re
from collections.abc import Sequence

from scry.providers import ProviderSpec
from scry.providers.programs.process import Ended
from scry.providers.programs.task import Answer, Preset, Task

_PLACE = re.compile(r"\{(schema_file|system_file|out_file|model)\}")


def places(spec: ProviderSpec) -> set[str]:
    """Return the placeholders that an entry's `argv` uses."""
    return {name for word in spec.argv[1:] for name in _PLACE.findall(word)}


def _ask(task: Task) -> tuple[Sequence[str], str]:
    values = {
        "schema_file": str(task.schema_file),
        "system_file": str(task.system_file),
        "out_file": str(task.out_file),
        "model": task.spec.model,
    }
    words = [_PLACE.sub(lambda m: values[m[1]], word) for word in task.spec.argv[1:]]
    return words, task.question if "system_file" in places(task.spec) else task.whole


def _answer(task: Task, ended: Ended) -> Answer:
    if ended.code:
        # 126 and 127 are what shells say about a program that they cannot run.
        kind = "permanent" if ended.code in (126, 127) else "transport"
        how = f"signal {-ended.code}" if ended.code < 0 else f"exit code {ended.code}"
        return Answer(
            error=task.error(ended.err or f"it ended with {how}, and says nothing", kind=kind)
        )
    text = task.written() or ended.out
    return Answer(text) if text.strip() else Answer(error=task.bad("the program said nothing."))


PRESET = Preset(ask=_ask, answer=_answer)
