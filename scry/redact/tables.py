r"""Secrets in the columns of tables whose head promises them.

    | user | password |        name,password        INSERT INTO users (name, password)
    |------|----------|        jane,…               VALUES ('jane', '…'), …
    | jane | …        |

The head is a Markdown row with a rule of dashes below it, a line of names that commas or semicolons part, or the
columns of an INSERT.  A table ends with the first line that is no row of it.
"""

import re
from collections.abc import Generator, Iterator, Mapping

from scry.redact.names import Promise, Trust, promise_of
from scry.redact.page import Clue, Sheet, whole_words
from scry.redact.spans import Span
from scry.redact.values import is_coined, is_random, is_secret, is_told

_RULE = re.compile(
    r"^[ \t>]{0,20}\|?[ \t]{0,20}:?-{1,200}:?[ \t]{0,20}[|+][ \t:|+-]{0,400}\r?$", re.MULTILINE
)
_CELL = re.compile(r"[^|\n]{1,1000}")
_HEAD = re.compile(r"[\"']?\w[\w.-]{0,40}[\"']?(?:[,;][\"']?\w[\w.-]{0,40}[\"']?){1,30}\Z")
_FIELD = {
    sign: re.compile(rf'(?:"[^"\n]{{0,400}}"|[^{sign}\n"]{{0,400}})(?:{sign}|\r?$)', re.MULTILINE)
    for sign in ",;"
}
_INSERT = re.compile(
    r"insert\s{1,8}into\s{1,8}[\w.\"`\[\]]{1,80}\s{0,8}\((?P<names>[^()]{1,600})\)\s{0,40}values\s{0,40}(?=\()"
)
_ROW = re.compile(r"\((?P<fields>(?:'[^'\n]{0,600}'|[^()'\n]){1,3000})\)[\s,]{0,40}")
_SQL_FIELD = re.compile(
    r"\s{0,20}(?:[nN]?'(?P<s>[^'\n]{0,600}(?:''[^'\n]{0,600}){0,8})'|[^,'\n]{0,600})\s{0,20}(?:,|\Z)"
)
_LONGEST, _COLUMNS = 1_000, 60
_WRAPPING = " \t\"'`*"


def tabled(page: Sheet) -> Iterator[Span]:
    """Yield the secrets that the head of their column gives away."""
    if Clue.NAME not in page.clues:
        return
    done = 0
    for rule in _RULE.finditer(page.text) if _has_rule(page.text) else ():
        if rule.start() >= done:
            done = yield from _markdown(page.text, rule)
    done = 0
    for first, last in sorted(
        span for word in _heads(page) for span in whole_words(page.text, word)
    ):
        if first >= done and page.text[first - 1 : first] in {"", "\n"}:
            done = yield from _listed(page.text, first, last)
    if "insert" in page.low:
        for insert in _INSERT.finditer(page.low):
            yield from _inserted(page.text, insert)


def may_hold_tables(page: Sheet) -> bool:
    """Say whether a page, or what is left of it behind masks, may hold a table with secrets."""
    if Clue.NAME not in page.clues:
        return False
    return _has_rule(page.text) or bool(_heads(page)) or "insert" in page.low


def _has_rule(text: str) -> bool:
    if "|" not in text:
        return False
    return (
        "-+-" in text
        or "|-" in text
        or "-|" in text
        or "- |" in text
        or "| -" in text
        or ":|" in text
    )


def _heads(page: Sheet) -> list[str]:
    """Return the words that may be the head of a list."""
    return [w for w in set(page.clues[Clue.NAME]) if ("," in w or ";" in w) and _HEAD.match(w)]


def _promises(names: list[str]) -> dict[int, Promise]:
    """Return what the columns promise, by their number."""
    found = {n: promise_of(name.strip(_WRAPPING)) for n, name in enumerate(names)}
    return {n: p for n, p in found.items() if p is not None and p.trust > Trust.WEAK}


def _markdown(text: str, rule: re.Match[str]) -> Generator[Span, None, int]:
    """Yield the secrets of a table, and return where it ends."""
    head_end = max(rule.start() - 1, 0)
    head = text[text.rfind("\n", max(0, head_end - _LONGEST), head_end) + 1 : head_end]
    at = rule.end() + 1
    if len(head) > _LONGEST or not (promised := _promises(_CELL.findall(head))):
        return at
    while at < len(text):
        newline = text.find("\n", at)
        end = newline if newline >= 0 else len(text)
        if "|" not in text[at : min(end, at + _LONGEST)]:
            break
        yield from _judged(text, [m.span() for m in _CELL.finditer(text, at, end)], promised)
        at = end + 1
    return at


def _listed(text: str, first: int, last: int) -> Generator[Span, None, int]:
    """Yield the secrets below a line of names, and return where the list ends."""
    head = text[first:last]
    sign = "," if head.count(",") >= head.count(";") else ";"
    names = head.split(sign)
    promised, at = _promises(names), last
    while promised and text[at : at + 2].removeprefix("\r")[:1] == "\n":
        fields, end = _fields(text, text.index("\n", at) + 1, sign, len(names))
        if len(fields) != len(names):
            break
        yield from _judged(text, fields, promised)
        at = end
    return at


def _fields(text: str, at: int, sign: str, most: int) -> tuple[list[tuple[int, int]], int]:
    """Return where the fields of a line stand, one more than `most` at most, and where they end."""
    fields: list[tuple[int, int]] = []
    while len(fields) <= most and (field := _FIELD[sign].match(text, at)):
        parted = field[0].endswith(sign)
        fields.append((at, field.end() - parted))
        at = field.end()
        if not parted:
            break
    return fields, at


def _inserted(text: str, insert: re.Match[str]) -> Iterator[Span]:
    promised = _promises(text[slice(*insert.span("names"))].split(","))
    at = insert.end()
    while promised and (row := _ROW.match(text, at)):
        first, last = row.span("fields")
        for n in range(_COLUMNS):
            if first >= last or not (field := _SQL_FIELD.match(text, first, last)):
                break
            first = field.end()
            if n in promised and is_secret(field["s"] or "", promised[n].trust, quoted=True):
                yield Span(*field.span("s"), promised[n].kind, 4)
        at = row.end()


def _judged(
    text: str, fields: list[tuple[int, int]], promised: Mapping[int, Promise]
) -> Iterator[Span]:
    """Yield the fields of a row that hold what their column promises."""
    for n, promise in promised.items():
        first, last = fields[n] if n < len(fields) else (0, 0)
        value = text[first:last].strip(_WRAPPING + "\r")
        seems = is_told if promise.trust is Trust.SURE else is_random
        if (seems(value) or is_coined(value)) and is_secret(value, promise.trust):
            start = text.index(value, first)
            yield Span(start, start + len(value), promise.kind, 4)
