"""docs/exit-codes.md, made from `scry.errors.Exit`: the comment of each code is its line.

python -m scry.commands._exit_codes > docs/exit-codes.md
"""

import inspect
import re

from scry.errors import Exit

_LINE = re.compile(r"^ +([A-Z_]+) = (\d+)  # (.+)$", re.MULTILINE)
_HEAD = """\
# Exit codes

What `scry` says when it ends. Codes are never renumbered, so scripts may rely on them. With
`--json` an error prints nothing on stdout; its sentence is on stderr. Only `sweep`, `ingest` and
`retry` that end half-way print the report of what they had done before.

| code | name | means |
|---:|---|---|
"""
_TAIL = """
A command whose reader goes away, as in `scry log | head -1`, ends with 141 and says nothing, like
any program stopped by SIGPIPE. `scry orient` is made for the start of a session and always ends
with 0; what went wrong is on stderr.

This page is made from `scry/errors.py`: `python -m scry.commands._exit_codes`.
"""


def page() -> str:
    """Return the page as Markdown."""
    rows = [
        f"| {code} | {name} | {text} |"
        for name, code, text in _LINE.findall(inspect.getsource(Exit))
    ]
    return _HEAD + "\n".join(rows) + "\n" + _TAIL


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201 -- a page for a file
