r"""Private keys in armour, whole or cut, in whatever a transcript wraps around their lines.

    -----BEGIN RSA PRIVATE KEY-----        also OPENSSH, EC, ENCRYPTED, PGP … BLOCK, or nothing at all before PRIVATE
    Proc-Type: 4,ENCRYPTED                 headers
    MIIEpQIBAAKCAQEAn6/O8li+SX4m98L…       base64; each line may stand behind `+`, `> `, a line number, blanks
    -----END RSA PRIVATE KEY-----          line breaks may be written `\n` or `\\n`

Output is often cut: without END the key goes on as long as lines look like base64, without BEGIN it reaches back as
long as they do.  The markers are found in one pass and each stretch between two of them is read once, so many markers
without an end cost no more than text.
"""

import re
from collections.abc import Iterator

from scry.redact.page import Clue, Sheet
from scry.redact.spans import Span

_MARK = re.compile(
    r"-{2,5} ?(?P<which>BEGIN|END) (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{2,5}|"
    r"(?P<putty>Private-Lines: \d{1,3})"
)
_RUN = re.compile(r"[A-Za-z0-9+/=]{16,}")
_BODY = re.compile(
    r"(?:(?:\s|\\{1,8}[nrt]|[>|+#*\"',:-]|\d{1,5}(?=[\t:|→])){0,60}"
    r"(?:[A-Za-z0-9+/=]{20,}|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Private-MAC): ?[^\n\\]{0,100}))+"
    r"(?:(?:\s|\\{1,8}[nrt]|[>|+#*]){1,40}(?=[A-Za-z]{0,18}[0-9+/=])[A-Za-z0-9+/=]{2,19}(?![\w.-]))?"
)
_BREAK = re.compile(r"\r?\n|(?:\\{1,8}[nr])+")
_LINE = re.compile(r"(?:[\s>|#*\"',:→-]|\d{1,5}(?=[\t:|→ ])){0,40}\+?[A-Za-z0-9+/=]{16,}\s{0,4}\Z")
_FARTHEST = 20_000
_MARKED = ("PRIVATE KEY", "Static key", "Private-Lines: ")
_MARKING = re.compile(r"PRIVATE|Static|Private-Lines:")
"""The first word of each."""
_BEFORE, _AFTER = 60, 40
"""Characters that a marker can have before and after such words."""


def key_blocks(page: Sheet) -> Iterator[Span]:
    """Yield the private keys of a text, with their markers."""
    if Clue.ARMOUR not in page.clues:
        return
    text = page.text
    marks = list(_marks(text))
    for n, mark in enumerate(marks):
        before = marks[n - 1].end() if n else 0
        after = marks[n + 1] if n + 1 < len(marks) else None
        if mark["which"] == "END":
            opened = n > 0 and marks[n - 1]["which"] == "BEGIN" and _closes(marks[n - 1], mark)
            start = None if opened else _reaches_back(text, before, mark.start())
            if start is not None:
                yield Span(start, mark.end(), "private-key", 0)
        elif mark["which"] and _closes(mark, after):
            if after and _RUN.search(text, mark.end(), after.start()):
                yield Span(mark.start(), after.end(), "private-key", 0)
        elif body := _BODY.match(text, mark.end()):
            yield Span(mark.start() if mark["which"] else mark.end(), body.end(), "private-key", 0)


def clues(words: str, _low: str) -> Iterator[int]:
    """Yield where a word of a marker stands."""
    for found in _MARKING.finditer(words):
        yield found.start()


def _marks(text: str) -> Iterator[re.Match[str]]:
    """Yield the markers, in order.  Few texts hold their words, so those are looked for first."""
    hits = sorted(m for words in _MARKED for m in _places(text, words))
    done = 0
    for hit in hits:
        if found := _MARK.search(text, max(done, hit - _BEFORE), hit + _AFTER):
            done = found.end()
            yield found


def _places(text: str, words: str) -> Iterator[int]:
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + 1)


def _closes(mark: re.Match[str], after: re.Match[str] | None) -> bool:
    """Say whether a marker is the END of the one before it."""
    if after is None:
        return False
    return bool(after["which"] == "END" and after.start() - mark.end() <= _FARTHEST)


def _reaches_back(text: str, floor: int, end: int) -> int | None:
    """Return where the base64 lines before an END marker begin, or None when there are none."""
    floor = max(floor, end - _FARTHEST)
    breaks = [m.span() for m in _BREAK.finditer(text, floor, end)]
    start = None
    upper = end
    for first, last in reversed(breaks):
        line = text[last:upper]
        if line.strip(" \t>+|#*") and not _LINE.match(line):
            if start is None and upper == end:  # what stands before the marker on its own line
                upper = first
                continue
            return start
        if line.strip():
            start = last if _LINE.match(line) else start
        upper = first
    return floor if _LINE.match(text[floor:upper]) else start
