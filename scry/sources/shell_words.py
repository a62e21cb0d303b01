"""A shell command line as simple commands and their words, whatever is wrong with it.

Not a shell: no expansion, no here-documents, no nesting.  Enough to see which programs run, and
unlike `shlex` it reads on where a quote is never closed.
"""

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r]+)|(?P<comment>(?:(?<=\s)|(?<=\A))\#[^\n]*)|(?P<stop>\|\||&&|\|&?|;|\n|&(?![>\d]))
      |(?P<double>"(?:[^"\\]|\\.)*"?)|(?P<single>'[^']*'?)|(?P<escape>\\.)|(?P<plain>[^\s|;&"'\\]+|.)""",
    re.VERBOSE | re.DOTALL,
)
# The text that a command reads is no command: `<<EOF` to `EOF`, or to the end if it is cut.
_HERE = re.compile(
    r"(?<=<<)(-?\s*)(['\"]?)(\w+)\2([^\n]*)\n(?:.*?^\s*\3[ \t]*$|.*\Z)", re.DOTALL | re.MULTILINE
)
_REDIRECT = re.compile(r"(?:[12&]?>>?|<{1,3}-?)\Z")
_WRITES = re.compile(r"[1&]?>>?([^&>].*)", re.DOTALL)
_READS = re.compile(r"\d?(?:>|<)")


def statements(command: str) -> Iterator[tuple[list[str], str]]:
    """Yield the words of each simple command and the file its output is written to."""
    if "<<" in command:
        command = _HERE.sub(r"\1\3\4", command)
    words: list[str] = []
    word, quoted = "", False
    for match in _TOKEN.finditer(command + "\n"):
        kind, text = match.lastgroup, match[0]
        if kind in ("plain", "escape", "single", "double"):
            word += text.strip(text[0]) if kind in ("single", "double") else text
            quoted = quoted or kind in ("single", "double")
            continue
        if word or quoted:
            words.append(word)
        word, quoted = "", False
        if kind == "stop" and words:
            yield _without_redirects(words)
            words = []


def _without_redirects(words: list[str]) -> tuple[list[str], str]:
    """Return the words without what is read from and written to, and the file written to."""
    kept: list[str] = []
    target, before = "", ""
    for word in words:
        if before:
            target = word if before == ">" else target
            before = ""
        elif _REDIRECT.match(word):
            before = "<" if "<" in word else ">"
        elif found := _WRITES.match(word):
            target = found[1]
        elif not _READS.match(word):
            kept.append(word)
    return kept, target
