"""Text that an agent's harness wraps around, or puts in place of, what a person typed.

Harness blocks stand at the edges of a text, whole: `<tag ...>...</tag>`.  A tag that is quoted
inside a sentence, or never closed, is the person's own.  Memory tools' blocks are different: they
go wherever they stand, or memory would learn from itself.
"""

import re
from collections.abc import Collection

MEMORY_TAGS = frozenset(
    """claude-mem-context relevant-memories relevant_memories supermemory-context memory-context
    memory_context recalled-memories mem0-context""".split()
)
"""What other memory tools put at the edge of a prompt."""

_ECHO = re.compile(r"<(scry-[a-z][a-z-]*)(?:\s[^<>]*)?>")
_THINKING = re.compile(
    r"(?:\A|(?<=\n))[ \t]*<(thinking|antml:thinking)>.*?(?:</\1>\s*|\Z)", re.DOTALL
)
_OPEN = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^<>]*)?>")


def without_echo(text: str) -> str:
    """Return text without the blocks that Scry itself has shown to the agent.

    >>> without_echo("before <scry-orientation>a rule</scry-orientation> after")
    'before  after'
    """
    if "<scry-" not in text:
        return text
    out, place = [], 0
    unclosed: set[str] = set()  # Looked for once each, or many open tags would cost a square.
    for opened in _ECHO.finditer(text):
        tag = opened[1]
        if opened.start() < place or tag in unclosed:
            continue
        closed = re.compile(rf"</{tag}\s*>").search(text, opened.end())
        if closed is None:
            unclosed.add(tag)
            continue
        out.append(text[place : opened.start()])
        place = closed.end()
    return "".join(out) + text[place:]


def leading_block(text: str) -> tuple[str, str, int] | None:
    """Return (tag, body, end) of the whole block that text begins with, or None.

    Blocks of the same tag may be nested.  When the text also ends with a stray closing tag, the
    block was quoted inside itself and reaches to the end.
    """
    opened = _OPEN.match(text)
    if not opened:
        return None
    tag = opened[1]
    depth = 0
    for match in re.finditer(rf"<(/?){re.escape(tag)}(?:\s[^<>]*)?>", text):
        depth += -1 if match[1] else 1
        if depth == 0:
            end, close = match.end(), match.start()
            rest = text[end:].rstrip()
            if rest.endswith(f"</{tag}>") and f"<{tag}" not in rest:
                end, close = len(text), len(text.rstrip()) - len(tag) - 3
            return tag, text[opened.end() : close], end
    return None


def without_edges(text: str, leading: Collection[str], trailing: Collection[str] = ()) -> str:
    """Return text without the blocks of these tags at its beginning and end.

    A block at the end counts only when it begins a line.

    >>> without_edges("<note>x</note> fix <note> tags", {"note"})
    'fix <note> tags'
    """
    text = text.lstrip("\ufeff \t\r\n\f\v")
    while (block := leading_block(text)) and block[0] in leading:
        text = text[block[2] :].lstrip()
    text = text.rstrip()
    while (start := _trailing(text, trailing)) >= 0:
        text = text[:start].rstrip()
    return text


def _trailing(text: str, tags: Collection[str]) -> int:
    """Return where the block begins that text ends with, or -1."""
    for tag in tags:
        if text.endswith(f"</{tag}>"):
            start = max(text.rfind(f"\n<{tag}>"), text.rfind(f"\n<{tag} "))
            if start >= 0:
                return start + 1
    return -1


def speech(text: str) -> str:
    """Return what a text block of a model says: without thoughts that some models write into it."""
    text = without_echo(text)
    if "thinking>" in text:
        text = _THINKING.sub("", text)
    text = text.strip()
    return "" if text == "(no content)" else text
