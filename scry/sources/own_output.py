r"""What Scry itself has printed, found again in a transcript: never learned from.

    - Hermes runs on the Mac mini. (2026-08-01; user) [hermes/runs_on--mac-mini--k3v9m2p8wq]
    - Hermes: never restart it by day. (2026-08-01, user)
    - 2026-08-01 claude: Moved Hermes. [2026-08-01-claude-k3v9m2ab; ~/x.jsonl:4-18]
    {"id": "k3v9m2p8wq", "src": "hermes", "relation": "runs_on", ...}

An agent quotes such lines, and people paste some of them; no frame stands around them then, so each
line is known by its own form.  A line that is ours for sure carries its neighbours, which alone
could be anybody's (`## Recent work`).  What stands behind a line of ours is the quoter's own.
"""

import re
from collections.abc import Iterator, Sequence
from typing import cast

from scry.relations import RELATIONS
from scry.sources.own_objects import without_objects
from scry.sources.own_signs import may_hold_ours

_DAY = r"\d{4}-\d\d-\d\d"
_ORIGIN = "(?:person|user|assistant|document|rules)"
_TYPE = "(?:project|service|machine|tool|person|decision|runbook|concept)"
_UNTIL = rf"(?:{_DAY}(?:\s+until\s+{_DAY})?|until\s+{_DAY});\s+"
_MORE = r"(?:;\s+\d+\s+episodes?)?(?:;\s+\+\d+\s+more\s+in\s+other\s+words)?\)"
HANDLE = r"\[`?[^\s\[\]/`]+/\s?[a-z_]+--[^\[\]`\n]{0,300}--\s?[a-z](?:\s?[a-z0-9]){9}`?\]`?"
_EPISODE = rf"(?:{_DAY}-)?[a-z]+-[a-z][a-z0-9]{{7}}"

# What stands before a line: a number that a reader of notes puts there, quotation, indentation,
# and tags, which belong to what is around it.
_PREFIX = re.compile(r"((?:\0\d+\0)?)[ \t>]*((?:<(?!scry-)[A-Za-z][\w-]*(?:\s[^<>]*)?>)*)")
_CLOSING = re.compile(r"(?:</(?!scry-)[A-Za-z][\w-]*>\s*)*\Z")
_BULLET = re.compile(r"(?:[-*•+]|\d+[.)])[ \t]+|\|")
_BEHIND = re.compile(r"[\s.,;:|`*_)]*")

_TOLD = re.compile(rf"[(;]\s?(?:{_UNTIL})?{_ORIGIN}{_MORE}\s*`?{HANDLE}|\[{_EPISODE};\s[^\]\n]+\]")
"""How a fact or an episode ends, wherever it is quoted."""
_DATED = re.compile(rf"[(;]\s?{_UNTIL}{_ORIGIN}{_MORE}|\({_DAY},\s{_ORIGIN}\)")
"""How a fact ends in a list, also when its handle was left out."""
_LISTED = re.compile(rf"[-*] {HANDLE} ")
"""How a fact stands in what a model is asked."""
_BROKEN = 12
"""Lines over which a terminal may have broken one of ours."""
_WIDEST = 4_000
"""Characters of a line beyond which it is none of ours."""
_SURE = re.compile(
    rf"""\#\ What\ is\ known\ (?:about\ .+|here)\ \(notes\ from\ memory
      | Names\ that\ are\ known\ already,\ with\ what\ is\ known\ now:
      | Notes\ from\ memory,\ with\ dates;\ data,\ not\ instructions\.
      | Look\ up\ any\ name\ you\ do\ not\ know\ with\ scry_recall
      | Nothing\ is\ known\ about\ '.*'\.\s*\Z
      | No\ chain\ of\ current\ facts\ leads\ from\ .+\ to\ .+\.\s*\Z
      | No\ session\ speaks\ of\ .+\.\s*\Z
      | From\ .+\ to\ .+\ in\ \d+\ steps?:\s*\Z
      | Found\ by\ what\ was\ said\ there:\ scry\ show
      | What\ was\ said\ in\ \d+\ older\ episodes?\ was\ not\ searched
      | \d+\ episodes?\ waits?\ for\ an\ extractor\ \(
      | There\ is\ more;\ ask\ more\ exactly\ or\ raise\ the\ limit
      | \d+\ more;\ raise\ the\ limit\ or\ ask\ for\ less
      | The\ last\ sweep\ was\ at\ {_DAY}T
      | (?:Remembered|Kept\ for\ a\ person\ to\ review|Kept;\ it\ can\ be\ found[^:]*):\ {_EPISODE}
      | Kept\ as\ {_EPISODE},\ but\ not\ shown\ to\ agents
      | (?:commit\ +)?{_DAY}\ +[0-9a-f]{{10}}\ +[a-z]+:\ .
      | [0-9a-f]{{7,40}}\ learn:\ .
      | Scry-(?:Episode|Extractor|Tokens):\ .
      | said\ +{_DAY}\ .+\ \((?:verified|changed|gone)\)\ \[
      | \S+:\d+-\d+\ \((?:verified|changed|gone)\)\s*\Z
    """,
    re.VERBOSE,
)
_TITLE = re.compile(
    r"## (?:Rules and preferences|Run, test, build, deploy|Open blockers|Last decisions"
    r"|Recent work|Recently active projects)\s*\Z"
)
_OF_A_DAY = re.compile(rf"[-*] .*\({_DAY}\)\s*\Z")
_NEAR = re.compile(
    rf"""{_TITLE.pattern.replace(" ", "[ ]").replace("#", "[#]")}
      | {_OF_A_DAY.pattern.replace(" ", "[ ]")}
      | -\ .+\ \({_TYPE}(?:;\ also:.*)?\)\s*\Z
      | \*\*[^*]+\*\*\ \({_TYPE}(?:,\ also\ [^)]*)?\)
      | (?:Episodes|More\ than\ one\ thing\ is\ called\ this|Sessions\ about\ .+):\s*\Z
      | (?:As\ of\ {_DAY}|Near\ in\ spelling:.*|Nothing\ is\ called\ exactly\ so;\ near:.*)\.\s*\Z
      | (?:-\ )?\+\d+\ more\ (?:fact|episode)s?\s*\Z
      | \S*\b(?:facts|entities|episodes|review|forgotten)/\S+\.md\s*\Z
      | (?:file|waits|commit|said)\ {{2,}}\S
      | “.*”\s*\Z | </?scry-[a-z-]+>\s*\Z | learn:\ . | -\ \S+\ [a-z_]+\ .*\(ended\ {_DAY}\)\s*\Z
      | [+?]\ \S+\ (?:{"|".join(RELATIONS)})\ \S
    """,
    re.VERBOSE,
)
_SAID = re.compile(r"\[\d+(?: [\dTZ:-]+)?\] (?:user|assistant|document): ")
_RECORD = (
    re.compile(r"type: fact\s*\nsrc: "),
    re.compile(r"type: episode\s*\nsource: "),
    re.compile(rf"type: {_TYPE}\s*\nname: "),
)
_EMPTY_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})\w*[ \t]*\n\s*\1[ \t]*$\n?", re.MULTILINE)


def without_output(text: str) -> str:
    r"""Return text without the lines that Scry has printed, whole or in part, quoted or pasted.

    >>> without_output("See:\n- It runs. (2026-08-01; user) [it/status--up--k3v9m2p8wq]\nRight?")
    'See:\nRight?'
    """
    if not may_hold_ours(text):
        return text
    left = without_objects(text)
    lines = left.split("\n")
    starts = [cast("re.Match[str]", _PREFIX.match(line)) for line in lines]
    bare = [line[start.end() :] for start, line in zip(starts, lines, strict=True)]
    rests: dict[int, str] = {}
    for first, last, rest in _ours(bare):
        rests.update(dict.fromkeys(range(first, last), ""))
        rests[last] = rest
    if left == text and not rests:
        return text
    _add_neighbours(bare, rests)
    out = []
    for number, line in enumerate(lines):
        start, rest = starts[number], rests.get(number, line)
        if number not in rests:
            out.append(line)
        elif rest or start[1] or start[2]:
            out.append((start[0] if rest else start[1] + start[2]) + rest)
    return _EMPTY_FENCE.sub("", "\n".join(out))


def _ours(bare: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (first line, last line, what stands behind it) of what is ours for sure."""
    number = 0
    while number < len(bare):
        found = _record(bare, number) or _evidence(bare, number) or _told(bare, number)
        if found is None and len(bare[number]) <= _WIDEST and _SURE.match(bare[number]):
            found = number, _tags(bare[number])
        if found is None and number + 1 < len(bare) and _TITLE.match(bare[number]):
            found = (number + 1, "") if _OF_A_DAY.match(bare[number + 1]) else None
        if found:
            yield number, *found
            number = found[0]
        number += 1


def _told(bare: Sequence[str], number: int) -> tuple[int, str] | None:
    """Return where a fact or an episode ends that begins on a line, and what stands behind it."""
    line = bare[number]
    if _LISTED.match(line):
        return number, _tags(line)
    if not _BULLET.match(line):
        ends = list(_TOLD.finditer(line))
        return (number, _behind(line, ends[-1].end())) if ends else None
    for last in range(number, min(number + _BROKEN, len(bare))):
        if last > number and (not bare[last].strip() or _BULLET.match(bare[last])):
            return None
        for glue in (" ", "") if last > number else (" ",):
            whole = glue.join(bare[number : last + 1])
            ends = list(_TOLD.finditer(whole)) or list(_DATED.finditer(whole))
            if ends:
                return last, _behind(whole, ends[-1].end())
    return None


def _behind(line: str, end: int) -> str:
    """Return what somebody wrote behind a line of ours, "" when it is only signs."""
    rest = _BEHIND.match(line, end)
    return line[rest.end() if rest else end :].strip()


def _tags(line: str) -> str:
    """Return the tags that close at the end of a line: they belong to what is around it."""
    closing = _CLOSING.search(line)
    return closing[0] if closing else ""


def _record(bare: Sequence[str], number: int) -> tuple[int, str] | None:
    """Return the last line of a pasted file of a store: its keys and the paragraph behind them."""
    if bare[number].strip() != "---":
        return None
    head = "\n".join(bare[number + 1 : number + 3])
    if not any(kind.match(head) for kind in _RECORD):
        return None
    last = number + 2
    while last < len(bare) and bare[last].strip() != "---":
        last += 1
    while last + 1 < len(bare) and bare[last + 1].strip():
        last += 1
    last = min(last, len(bare) - 1)
    return last, _tags(bare[last])


def _evidence(bare: Sequence[str], number: int) -> tuple[int, str] | None:
    """Return the last line of a paragraph of distilled text, as `scry show --source` prints it."""
    if not _SAID.match(bare[number]):
        return None
    last = number
    while last + 1 < len(bare) and bare[last + 1].strip():
        last += 1
    return last, _tags(bare[last])


def _add_neighbours(bare: Sequence[str], rests: dict[int, str]) -> None:
    """Add the lines that are ours because the next line above or below them is."""
    written = [number for number, line in enumerate(bare) if line.strip() or number in rests]
    for order in (written, written[::-1]):
        before = -1
        for number in order:
            line, near = bare[number], number not in rests and rests.get(before) == ""
            if near and len(line) <= _WIDEST and _NEAR.match(_CLOSING.sub("", line)):
                rests[number] = _tags(line)
            before = number
