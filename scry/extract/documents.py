"""What a document says, turned into sentences that the table knows how to read.

    ## Commands          ->   e2e: `just e2e chrome`
    | e2e | `just e2e chrome` |

In a document the heading says what kind of thing stands below it: an item under "Conventions" is a
rule although it does not say "always", and a plan under "Roadmap" is nothing at all.  So headings
become the lead of what they head.  Steps that are numbered stay one piece.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_HEADING = re.compile(r"(#{1,6}) +(.+?)[ #]*$")
_ITEM = re.compile(r"(?P<mark>[-*•+]|\d{1,3}[.)]) +(?:\[[ xX]\] +)?")
_SHELL = re.compile(r"(?:```|~~~) ?(?:sh|bash|shell|console|zsh|fish|cmd|powershell)?$")
_LITERAL = re.compile(r"`([^`]{2,200})`")
_UNREAD = re.compile(
    r"\b(?:road ?map|to-?do|ideas?|future|faq|questions?|history|change ?log|releases? notes|examples?|licen[cs]e|credits|thanks|alternatives"
    r"|considered|options|context|background|drawbacks|pros|cons|open|proposals?|features?|why|about|overview|highlights|benefits|install(?:ation|ing)?|requirements|prerequisites|troubleshooting|known issues|limitations|glossary|parameters|arguments|returns|flags|added|changed|fixed|removed|unreleased|contributors|acknowledge?ments|support|v?\d+\.\d+(?:\.\d+)?|\d{4}-\d\d-\d\d|motivation|rationale|consequences|api|reference)\b",
    re.IGNORECASE,
)
_DECISION = re.compile(r"\b(?:decisions?|decided|decision outcome|resolution)\b", re.IGNORECASE)
_RULES = re.compile(
    r"\b(?:rules?|conventions?|styles?|guidelines?|standards?|do not|don'?ts?|dos|never|always|polic(?:y|ies)|principles?|preferences?"
    r"|constraints?|must|etiquette|commits?|pull requests?|reviews?|naming|formatting|security|safety|boundaries|important|instructions?)\b",
    re.IGNORECASE,
)
_OWNERS = re.compile(
    r"\b(?:code ?)?(?:owners?|maintainers?|contacts?|ownership|responsibilities)\b", re.IGNORECASE
)
_UNDECIDED = re.compile(
    r"^(?:#{1,6} *)?status\W{0,6}(?:proposed|draft|rejected|superseded|deprecated|pending|open)\b"
    r"|^#+ *status\s+(?:proposed|draft|rejected|superseded|deprecated|pending)\b",
    re.IGNORECASE | re.MULTILINE,
)
_ORDER = re.compile(
    r"(?:please )?(?:use|prefer|avoid|keep|write|put|run|ask|follow|add|name|include|update|document|format|commit|squash|rebase|test|mock|check"
    r"|make sure|ensure|do not|don't|never|always|no|only|all|every|each|one|wrap|return|log|handle|validate|treat|store|import|export|sign|pin|limit) \S",
    re.IGNORECASE,
)
"""How an item begins that orders something."""
_TEMPLATE = re.compile(r"<[a-z][\w -]*>|\{\{|\bTBD\b|\.\.\.$|\?$")


@dataclass(slots=True)
class _Section:
    """Where the reading stands: the headings above, and what was begun and is not yet yielded."""

    heads: list[tuple[int, str]] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    opened: bool = False

    @property
    def title(self) -> str:
        return self.heads[-1][1] if self.heads else ""

    @property
    def unread(self) -> bool:
        return any(_UNREAD.search(name) for _, name in self.heads[1:] or self.heads)

    def enter(self, level: int, name: str) -> None:
        self.heads = [head for head in self.heads if head[0] < level]
        self.heads.append((level, name.strip(" *`:")))
        self.opened = False


def sentences_of(text: str) -> Iterator[str]:
    """Yield what a document says, line by line, each line with the lead that its heading gives."""
    undecided = bool(_UNDECIDED.search(text))
    section = _Section()
    paragraph: list[str] = []
    for kind, line in _lines(text):
        if kind != "step" and section.steps:
            yield from _steps(section)
        if kind != "text" and paragraph:
            yield from _paragraph(" ".join(paragraph), section, undecided=undecided)
            paragraph = []
        if kind == "heading" and (found := _HEADING.match(line)):
            section.enter(len(found[1]), found[2])
        elif section.unread or _TEMPLATE.search(line):
            continue
        elif kind == "text":
            paragraph.append(line)
        elif kind == "step":
            section.steps.append(line)
        else:
            yield from _one(kind, line, section, undecided=undecided)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield each line with what it is: heading, item, step, row, code, text or nothing."""
    fence = code = ""
    for line in [*text.split("\n"), ""]:
        bare = line.strip()
        if bare.startswith(("```", "~~~")):
            if fence and code:
                yield "code", code
            fence, code = ("" if fence else ("shell" if _SHELL.match(bare) else "other")), ""
            yield "", ""
        elif fence:
            code += f"{bare}\n" if fence == "shell" else ""
        elif _HEADING.match(bare):
            yield "heading", bare
        elif found := _ITEM.match(bare):
            step = found["mark"][0].isdigit()
            yield "step" if step else "item", bare[found.end() :].replace("**", "")
        elif bare.startswith("|"):
            yield "row", bare
        elif not bare or bare.startswith((">", "<", "[![", "---", "===")):
            yield "", ""
        else:
            yield "text", bare.replace("**", "")
    yield "", ""


def _one(kind: str, line: str, section: _Section, *, undecided: bool) -> Iterator[str]:
    """Yield what an item, a row of a table or a block of commands says."""
    if kind == "row":
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        literal = next((cell for cell in cells[1:] if _LITERAL.fullmatch(cell)), "")
        if literal and cells[0]:
            yield f"{cells[0].strip('`')}: {literal}"
        elif _LITERAL.fullmatch(cells[0]) and len(cells) > 1 and cells[1]:
            yield _labelled(cells[1], cells[0].strip("`"))
    elif kind == "code":
        yield from _commands(line, section.title)
    elif kind == "item":
        yield _lead(line, section, undecided=undecided)


def _lead(line: str, section: _Section, *, undecided: bool) -> str:
    """Return an item with what its heading makes of it."""
    if found := re.match(r"`([^`]{2,200})` ?(?:[-–—:]|=>|→) ?(.{3,})", line):
        return _labelled(found[2], found[1])
    if _DECISION.search(section.title):
        return "" if undecided else f"decided: {line}"
    if _OWNERS.search(section.title) and (
        found := re.match(r"([^:`]{2,40}): ([^:`]{2,40})$", line)
    ):
        return f"the owner of {found[1]} is {found[2]}"
    if re.match(r"run\b.*`", line, re.IGNORECASE):
        return line
    if (_RULES.search(section.title) and not _LITERAL.fullmatch(line)) or _ORDER.match(line):
        return f"rule: {line}"
    return line


def _paragraph(text: str, section: _Section, *, undecided: bool) -> Iterator[str]:
    """Yield a paragraph; the first below a decision's heading is what was decided."""
    if _DECISION.search(section.title) and not section.opened:
        section.opened = True
        if not re.match(
            r"we (?:have |'ve )?(?:decided|agreed|will|use|keep)\b", text, re.IGNORECASE
        ):
            text = f"decided: {text}"
    elif (found := _LITERAL.match(text)) and section.title:
        text = f"{section.title}: `{found[1]}`{text[found.end() :]}"
    elif _RULES.search(section.title) and _ORDER.match(text):
        text = f"rule: {text}"
    if not (undecided and _DECISION.search(f"{section.title} {text}")):
        yield text


def _steps(section: _Section) -> Iterator[str]:
    """Yield numbered steps: as one, when they are commands; else each by itself."""
    steps, section.steps = section.steps, []
    told = [found[1] for step in steps if (found := _LITERAL.match(step))]
    if len(told) == len(steps) and section.title:
        joined = ", then ".join(f"`{step}`" for step in told)
        yield (
            f"steps for {section.title}: {joined}"
            if len(told) > 1
            else f"{section.title}: {joined}"
        )
    else:
        yield from (f"rule: {step}" if _RULES.search(section.title) else step for step in steps)


def _commands(code: str, title: str) -> Iterator[str]:
    """Yield the commands of a block, each with the comment above it or behind it as its label."""
    label = title
    for line in code.strip().split("\n"):
        if re.match(r"# *(?:example )?output\b", line, re.IGNORECASE):
            return
        if line.startswith("#"):
            label = line.strip("# ")
        elif line:
            told, _, behind = line.removeprefix("$ ").partition("  #")
            name = behind.strip() or label
            if name and len(told) <= 160 and "`" not in told:
                yield _labelled(name, told.strip())


def _labelled(label: str, command: str) -> str:
    plain = re.sub(r"^(?:runs?|to run) (?:the )?", "", label.strip(" .:"), flags=re.IGNORECASE)
    return f"{plain.replace(':', ' -')}: `{command}`"
