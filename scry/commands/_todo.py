"""The list that `scry review` gives to an editor, one line an item, and how it is read back.

skip d1f2s7k03c  hermes depends_on loki: Hermes depends on Loki. (nobody has said what ...)
accept(service) d1f2s7k03c  ...
"""

import re
from collections.abc import Iterable, Sequence

from scry.reviewing import VERBS, Decision, ReviewError
from scry.text import one_line

_LINE = re.compile(r"(?P<verb>[^\s(]+)(?:\((?P<argument>[^)]*)\))?\s+(?P<ref>\S+)")

_HELP = """
Change the word before an item, then save and close.  Nothing is done to what you leave at `skip`.

  accept   a fact: it holds, and is yours from now on; a name: it is this thing's
           where nobody has said what a thing is, say it: accept(service), or, for two
           of them, accept(hermes=service, loki=tool)
  reject   it does not come back by itself
  merge    a name: all that are called so are one thing
           a fact: merge(NAME) says that its unknown name is another name of NAME
  edit     opens the file after the rest is done; what you change there is yours to commit
  skip     goes on waiting; so does an item whose line you delete

A type is one of {types}.
If one line cannot be read or done, nothing is done, and this list is kept.
"""


def written(items: Iterable[tuple[str, str]], doubts: Sequence[str], types: Sequence[str]) -> str:
    """Return the list for items, each an id and a line about it."""
    lines = [f"skip {ref}  {one_line(text, 400)}" for ref, text in items]
    notes = _HELP.format(types=", ".join(types))
    if doubts:
        notes += "\nMay no longer hold, for something that they name has ended:\n"
        notes += "".join(f"  {line}\n" for line in doubts)
    comments = "".join(f"# {line}".rstrip() + "\n" for line in notes.splitlines())
    return "\n".join(lines) + "\n" + comments


def read(text: str) -> list[Decision]:
    """Return what a list says, without what is skipped.

    Raises:
        ReviewError: a line begins with no known verb, or names nothing.
    """
    out = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _LINE.match(line.strip())
        if found is None or found["verb"] not in VERBS:
            raise ReviewError(
                f"Line {number}: '{one_line(line, 60)}' does not begin with one of "
                f"{', '.join(VERBS)} and an id."
            )
        if found["verb"] != "skip":
            out.append(Decision(found["verb"], found["ref"], (found["argument"] or "").strip()))
    return out
