"""The status of a check in one of three words, where what was said is clear enough.

    PASSED  ->  pass          not a pass  ->  fail          in progress  ->  open

Only the first word that is no filler counts, for "all tests pass except two" is not a pass.  What
is not clear stays as it was said.
"""

import re
from dataclasses import dataclass

from scry.text import one_line

OPEN = "open"
"""The status of what nobody has judged yet."""

_PASS = frozenset(
    "pass passed passes passing success successful succeeded accepted approved ok".split()
)
_FAIL = frozenset("fail failed fails failing failure rejected".split())
_OPEN = frozenset("open pending running started queued todo wip unknown none null".split())
_NOT = frozenset(
    """not no never cannot can't isn't wasn't didn't doesn't don't won't hasn't haven't couldn't nor
    neither without hardly""".split()
)
_FILLERS = frozenset(
    "a an the it this that is was does did do has have been be final overall verdict status".split()
)
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?|[✅❌]")
_EITHER = re.compile(r"[A-Za-z]+\s*(?:/|\||\bor\b)\s*[A-Za-z]+", re.IGNORECASE)
_LONGEST = 240


@dataclass(frozen=True, slots=True)
class Verdict:
    """The status of one check; `str()` is the line that is kept."""

    check: str
    status: str
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.check}: {self.status}" + (f" - {self.reason}" if self.reason else "")


def status_of(said: str) -> str:
    """Return `pass`, `fail` or `open`, or the words themselves where they are none of these.

    >>> status_of("**PASS**"), status_of("not a pass"), status_of("all tests pass")
    ('pass', 'fail', 'all tests pass')
    """
    words = [w.lower().replace("’", "'") for w in _WORD.findall(said.replace("_", " "))]
    whole = one_line(said.strip(" \t*_`|#>.!\"'"), 60)
    negated = False
    if _is_form(said):
        return ""
    if words[:2] in (["in", "progress"], ["not", "started"], ["not", "run"]):
        return OPEN
    for word in words:
        if word in _PASS or word == "✅":
            return "fail" if negated else "pass"
        if word in _FAIL or word == "❌":
            return whole if negated else "fail"
        if word in _OPEN:
            return whole if negated else OPEN
        negated = negated or word in _NOT
        if word not in _NOT and word not in _FILLERS:
            break
    return whole


def _is_form(said: str) -> bool:
    """Say whether words only offer a choice, such as `PASS | FAIL`, which nobody has made."""
    return any(
        bool(_PASS & set(words)) and bool(_FAIL & set(words))
        for found in _EITHER.findall(said)
        if (words := [word.lower() for word in _WORD.findall(found)])
    )


def is_clear(status: str) -> bool:
    """Say whether a status is one of the three that need no reading."""
    return status in ("pass", "fail", OPEN)


def first_sentence(text: str) -> str:
    """Return the first sentence of a reason, on one line."""
    flat = " ".join(text.split()).strip("*_ ")
    found = re.match(r".{3,}?(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bNo)[.!?](?=\s)|.+?[。！？]", flat)
    return one_line(found[0] if found else flat, _LONGEST)
