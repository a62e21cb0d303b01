r"""How secrets look that are known by their shape: what a vendor's token begins with, and how it goes on.

    kind          what it begins with     what follows (a regular expression)

The tables stand in `vendors_to_k` and `vendors_from_l`.  A row is tried wherever one of its beginnings occurs, behind anything but a letter or a digit, so that `task-runner`
is no `sk-` key.  `*` before a beginning lets it stand behind a letter too.  `~` marks text from inside the token;
the last column then holds what stands before it, `<lit>`, and what follows.  `<W>` is a letter or digit, `<U>` that or `_` or `-`, `<H>`
a hexadecimal digit, `<B>` base64, `<end>` that no letter or digit follows.

To extend: add a row; the tests make tokens from each row and want them gone.  What follows must be decided within a
bounded number of steps, or by one greedy run: a pattern that can fail after a long run makes time quadratic.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from scry.redact import vendors_from_l, vendors_to_k

_CLASSES = {
    "<UUID>": "<H>{8}(?:-<H>{4}){3}-<H>{12}",
    "<W>": "[A-Za-z0-9]",
    "<U>": "[A-Za-z0-9_-]",
    "<H>": "[0-9A-Fa-f]",
    "<B>": "[A-Za-z0-9+/]",
    "<end>": "(?![A-Za-z0-9])",
}
# A letter before the token that is none: `%20`, and the `\n` of a JSON string.
_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}\Z|\\[nrt]\Z")


_LONGEST_HEAD = 80


@dataclass(frozen=True, slots=True)
class Shape:
    """One row of the table, for one of its beginnings.

    `literal` is text that every such token holds: it is what is searched for first.
    """

    kind: str
    literal: str
    tail: str
    where: str
    """`*` the token may begin anywhere, `~` it begins with a head, "" it begins a word."""
    head: str = ""

    @property
    def regex(self) -> re.Pattern[str]:
        """What follows the literal; compiled on first use."""
        return _compile(self.tail)

    def beginning(self, text: str, at: int) -> int | None:
        """Return where a token begins whose literal stands at a place, or None when it cannot be one."""
        if self.where == "~":
            found = _compile(self.head + r"\Z").search(text, max(0, at - _LONGEST_HEAD), at)
            return found.start() if found else None
        return at if self._may_begin(text, at) else None

    def _may_begin(self, text: str, at: int) -> bool:
        if self.where == "*" or at == 0:
            return True
        before = text[at - 1]
        bare = not (before.isascii() and before.isalnum()) and before != "+"
        return bare or bool(_ESCAPED.search(text[max(0, at - 3) : at]))


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _read(table: str) -> Iterator[Shape]:
    for line in table.strip().splitlines():
        kind, *literals, tail = line.split()
        for name, expression in _CLASSES.items():
            tail = tail.replace(name, expression)
        for literal in literals:
            where = literal[0] if literal[0] in "*~" else ""
            head, _, rest = tail.partition("<lit>") if where == "~" else ("", "", tail)
            yield Shape(kind, literal.removeprefix(where), rest, where, head)


SHAPES = (*_read(vendors_to_k.TABLE), *_read(vendors_from_l.TABLE))
