"""Text that an agent's harness wraps around, or puts in place of, what a person typed.

Harness blocks stand at the edges of a text, whole: `<tag ...>...</tag>`.  A tag that is quoted
inside a sentence, or never closed, is the person's own.  What a memory has shown is different, be
it Scry's or another tool's: it goes wherever it stands, or memory would learn from itself.
"""

import re
from collections.abc import Collection

from scry.sources.own_output import HANDLE, without_output

MEMORY_TAGS = frozenset(
    """claude-mem-context relevant-memories relevant_memories supermemory-context memory-context
    memory_context recalled-memories mem0-context""".split()
)
"""What other memory tools put at the edge of a prompt."""

_NAMES = (
    r"memor(?:y|ies)|recall|mem0|mem-|letta|hindsight|openviking|engram|cognee|honcho|byterover"
)
_CLOSED = re.compile(rf"</(?:scry-|[\w-]*(?:{_NAMES}))", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([A-Za-z][\w-]*)(?:\s[^<>]*)?>")
_MEMORY = re.compile(rf"scry-[a-z]|[\w-]*(?:{_NAMES})", re.IGNORECASE)
"""Many memory tools name memory in the tag around what they show."""
_COMPONENT = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)*\Z")
"""`<MemoryRouter>` is a piece of a program."""
_BARE = frozenset(("memory", "memories", "recall", "recalled"))
"""Names that mean other things elsewhere: there a block stands on lines of its own, in words."""
_WORDS = re.compile(r"<[^<>]*>|[\W\d_]+")
_FEW, _NEAR, _FAR = 12, 40, 600
_MARKS = "\0 \t>0123456789"
"""What may stand before a block on its line: quotation, and a number as readers of notes put it."""
_RECORD = re.compile(
    r"(?:Recorded at \d{4}-[^\n]*\n)?===== record (\w{10}) =====\n.*?\n===== end of record \1 ====="
    r"(?:\nAnswer with the JSON object for this record\.)?",
    re.DOTALL,
)
"""A part of a session as a model is asked about it, by Scry or by `scry pending --prompt`."""
_PAGE = re.compile(
    r"""\s*(?:You\ extract\ durable\ knowledge\ from\ a\ record\ of\ a\ conversation\ between
      | \#\ Beads\ Workflow\ Context\b
      | \#\ Memory\ Context\s+\#\ \[[^\]\n]+\]\ recent\ context,
      | \#\ \[[^\]\n]+\]\ recent\ context,\ \d{4}-
      | \#\ [^\n]{1,300}\n+This\ is\ a\ memory\ (?:retrieval|search)\ session\b
      | As\ you\ answer\ the\ user's\ questions,\ you\ can\ use\ the\ following\ context:
      | (?:\#\ claudeMd\s+)?Codebase\ and\ user\ instructions\ are\ shown\ below\.
      | Contents\ of\ [^\n]{1,400}auto-memory,\ persists\ across\ conversations\):)
    """,
    re.VERBOSE,
)
"""How a whole text begins that a memory has put there without any tag."""
_CITED = re.compile(rf"{HANDLE}[.!?]*(?=\s*(?:\Z|\n|[^\sa-z]))")
_SENTENCE = re.compile(r"[.!?]\s|\n")
_THINKING = re.compile(
    r"(?:\A|(?<=\n))[ \t]*<(thinking|antml:thinking)>.*?(?:</\1>\s*|\Z)", re.DOTALL
)
_OPEN = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^<>]*)?>")


def without_echo(text: str) -> str:
    """Return text without what Scry, or another memory, has shown to the agent.

    >>> without_echo("before <scry-orientation>a rule</scry-orientation> after")
    'before  after'
    """
    if _PAGE.match(text):
        return ""
    if "===== record " in text:
        text = _RECORD.sub("", text)
    if "</" in text and _CLOSED.search(text):
        text = _without_blocks(text)
    return without_output(text)


def _without_blocks(text: str) -> str:
    """Take out whole blocks of memories; one inside another goes with it."""
    opened: dict[str, list[int]] = {}
    blocks: list[tuple[int, int]] = []
    for found in _TAG.finditer(text):
        name = found[2].casefold()
        if not _is_memory(found[2]):
            continue
        starts = opened.setdefault(name, [])
        if not found[1]:
            starts.append(found.start())
        elif starts and (start := starts.pop()) >= 0 and _shows(text, start, found, name):
            while blocks and blocks[-1][0] > start:
                blocks.pop()
            blocks.append((start, found.end()))
    out, place = [], 0
    for start, end in blocks:
        if start >= place:
            out.append(text[place:start])
            place = end
    return "".join(out) + text[place:]


def _is_memory(name: str) -> bool:
    """Say whether a tag is one that a memory puts around what it shows."""
    return bool(_MEMORY.match(name)) and name != "user-memory-input" and not _COMPONENT.match(name)


def _shows(text: str, start: int, closed: re.Match[str], name: str) -> bool:
    """Say whether a block holds what a memory has shown, and is not only spoken of."""
    if name.startswith("scry-"):
        return True
    if name in _BARE:
        before = text[max(start - _NEAR, 0) : start].rpartition("\n")
        begins = (before[1] or start <= _NEAR) and not _OPEN.sub("", before[2]).strip(_MARKS)
        letters = _WORDS.sub("", text[start : min(closed.start(), start + _FAR)])
        return bool(begins) and len(letters) >= _FEW
    return text[max(start - 1, 0) : start] not in ("`", "'", '"')


def without_citations(text: str) -> str:
    """Return what a model says without the sentences for which it cites a fact of memory.

    >>> without_citations("I look. It runs on db1 [it/runs_on--db1--k3v9m2p8wq]. Done.")
    'I look. Done.'
    """
    if "--" not in text or "[" not in text:
        return text
    out, place = [], 0
    for cited in _CITED.finditer(text):
        ends = [end.end() for end in _SENTENCE.finditer(text, place, cited.start())]
        out.append(text[place : ends[-1] if ends else place])
        place = cited.end()
    return ("".join(out) + text[place:].lstrip(" ")) if out else text


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
    for tag in tags if text.endswith(">") else ():
        if text.endswith(f"</{tag}>"):
            start = max(text.rfind(f"\n<{tag}>"), text.rfind(f"\n<{tag} "))
            if start >= 0:
                return start + 1
    return -1


def speech(text: str) -> str:
    """Return what a text block of a model says: without thoughts that some models write into it."""
    text = without_citations(without_echo(text))
    if "thinking>" in text:
        text = _THINKING.sub("", text)
    text = text.strip()
    return "" if text == "(no content)" else text
