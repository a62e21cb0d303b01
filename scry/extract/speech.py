"""A speaker's own sentences, and what tells that one of them does not stand by itself.

    turn -> lines -> runs of lines -> sentences

Code, quotations, pasted text and breadcrumbs are nobody's statement.  Where somebody else's words
begin without a mark ("the issue says: ..."), the rest of the turn is left unread.
"""

import re
from collections.abc import Iterator

from scry.extract.documents import sentences_of
from scry.model import DOCUMENT, Chunk, Turn

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")

# --- gates -------------------------------------------------------------------------------------

_PLACES = (
    r"page|post|blog|article|issue|forum|docs?|documentation|readme|ticket|thread|comment|e-?mail"
    r"|website|web|reddit|guide|tutorial|manual|wiki|log|output|error|message|report"
)
_HEARSAY = re.compile(
    rf"\b(?:found|saw|read|got(?! it,)|copied|pasted?|pasting) (?:this|it|these|the following|that)\b"
    rf"|\b(?:{_PLACES})(?: [\w']+){{0,4}} ?:(?= (?!`|\./|(?:make|just|npm|pnpm|yarn|uv|cargo|go|docker|kubectl|python|mkdocs|hugo|poetry) )|$)|^(?:quote|pasted?|copied)\b"
    r"|(?<!\bi )(?<!\bwe )(?<!\byou )\b(?:says?|said|wrote|reads|states) ?:"
    rf"|\b(?:someone|somebody|he|she|they|{_PLACES})\b.{{0,30}}\b(?:(?<!to )says?|said|wrote|writes|states?"
    rf"|contains?|claims?|claimed)\b|\b(?:{_PLACES})\b.{{0,80}}:$",
    re.IGNORECASE,
)
"""Somebody else's words follow, or may: nothing more is read from this turn."""
_TELLING = frozenset(
    """found saw read got copied paste pasted pasting quote say says said wrote write writes state
    states contain contains claim claims claimed""".split()
)
QUESTION = re.compile(
    r".*[?？][\"')\]*_]*$|(?:who|what|where|why|how(?! (?:we|i|to|you) [^?:]{3,40}:)|which|whose|is|are|was|were|do(?! not\b)|does|did|can(?!'?t\b| ?not\b)"
    r"|could|should|would|will|shall|might|have|has|had|am|any idea|when (?:is|are|was|were|do|does|did"
    r"|can|could|should|would|will)|(?:is|are|do|does|did|was|were|ca|could|should|would|wo|have|has)n't"
    r" (?:you|we|i|it|they|this|that|he|she|the|there))\b",
    re.IGNORECASE,
)
HYPOTHETICAL = re.compile(
    r"^never ?mind\b|\b(?:oh |wait,? )?(?:no,? wait|wait,? no|(?:scrap|scratch|strike) that)\b|(?:^|[,.] )actually,? no\b|\b(?:maybe|perhaps|assum(?:e|es|ed|ing)|suppos(?:e|ing)|probably|possibly|i (?:think|guess|believe"
    r"|doubt|hope|wish)|not sure|wonder(?:ing)?|what if|hypothetical(?:ly)?|in theory|imagine|let's say"
    r"|for (?:example|instance)|e\.g|pretend|apparently|sounds like|used to|lol|haha+|jk|just kidding|fight club|coffee|beers?|pizza|thought (?:about|of|we))\b"
    r"|^(?:if(?! you (?:change|add|touch|edit|rename|remove|bump|write|create|open)\b)|once|until(?!.{5,80}, (?:no\b|nothing|nobody|we can'?t))|unless|as soon as|or)\b|\[redacted|</?\w",
    re.IGNORECASE,
)
TENTATIVE = re.compile(
    r"\b(?:might|could(?! not\b|n'?t\b)|would|if|unless|plan(?:s|ned|ning)? to|eventually|some ?day|ideas?|an option|options"
    r"|propos\w+|suggest\w*|seems?|looks like|consider\w*|not yet|nothing (?:yet|decided|final|certain|fixed)|almost|nearly|once we)\b",
    re.IGNORECASE,
)
"""Makes a plan or a guess of anything but a rule ("never merge if CI is red" is a rule)."""
ONE_OFF = re.compile(
    r"\b(?:yet|today(?!'s)|tonight|tomorrow|for now|right now|this time|(?:this|just) once|at the moment|just now"
    r"|in the meantime|until (?:i|we|you)\b.*|(?:this|that|these|those) (?:file|function|test|line|pr|commit"
    r"|branch|one|change|part|bug|step|class|method|section|answer|reply|response|message|chat|session|conversation)s?)\b|^(?!.*\b(?:is|are|it'?s|we'?re|on) [\w+. -]{2,30} now[.!]?$).*(?<!from )\bnow[.!]?$",
    re.IGNORECASE,
)
"""Said for the moment: nothing that should last is made of it."""
TROUBLE = re.compile(
    r"\b(?:error|errors|fail(?:s|ed|ing|ures?)?|crash\w*|broken?|breaks|bugs?|red|flaky|wrong|weird|strange|slow|exception|traceback"
    r"|undefined|null|nan|missing|hangs?|stuck|empty|duplicate[ds]?|leaks?|typo|stale|takes?(?! no\b| over\b| care\b)|took)\b",
    re.IGNORECASE,
)
"""Speaks of what goes wrong, and so tells no convention."""
NARRATION = re.compile(
    r"(?:now |next,? |first,? )?(?:let me|let's|i|i'll|i'm|i'd|i've|we could|we can|we should|you may|you might|you could|you'd"
    r"|you'll|alternatively|one option|an alternative|another option|looking|checking|running|reading|writing|trying|next"
    r"|it|this|that|there|here)\b",
    re.IGNORECASE,
)
"""An agent that tells what it does, or what could be done."""
RETRACTS = re.compile(
    r"(?:sorry,? |oh,? |wait,? |hm+,? )?(?:no[,.!]|nope\b|wrong\b|not true|that(?:'s| is| was) (?:not"
    r" (?:right|true|correct)|wrong|incorrect|false)|(?:scratch|strike) that|forget (?:that|it)\b"
    r"|correct(?:ion|ed)\b|i take (?:that|it) back|(?:i|you) (?:was|were|am|are) (?:wrong|mistaken)"
    r"|ignore (?:that|what i)\b)[ ,.:!-]*",
    re.IGNORECASE,
)
"""Takes back what was said just before: earlier in this turn, and in the turn before it."""
LEAD_IN = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|but|also|well|btw|by the way|fyi|note(?: that)?|reminder|important|one more thing|oh"
    r"|yes|yeah|yep|nope|right|great|good|cool|nice|perfect|thanks|thx|ty|hm+|ah|done|sure|alright|again|still true|for the"
    r" record|(?:just )?to (?:repeat|be clear)(?: it| that)?|as (?:i |we )?(?:said|mentioned|discussed)(?: before"
    r"| earlier| already)?|in short|update|then|actually|finally|first|second|summary|heads[- ]up|verified|confirmed|for"
    r" next time|just so you know|what i learned|turns out|unfortunately|sadly|fixed)(?:[,:!] ?|\.\.\. ?| [-–—] )"
    r"|(?:so|and|but|also|then|ok|okay|btw|by the way|actually|please|pls|plz|just|hmm|note that|just so you know|fyi"
    r"|do me a favou?r and|sorry but|turns out(?: that)?|heads[- ]up) |\d\) )(?=\S)",
    re.IGNORECASE,
)
DEICTIC = re.compile(
    r"(?:that|this|it|its|those|these|they|them|he|she|you|your|yours|mine|option|plan [a-z]\b|approach"
    r"|variant|number|i\b|so\b|(?:one|both|neither|either)(?: of\b| is\b|$)|whatever|what|the (?:first|second|third|last|latter|former"
    r"|other|above|same|suggested|proposed|thing)|another|again|#?\d+\b(?!-| (?:spaces?|minutes?|days?|hours?|weeks?|months?|lines?|columns?|approvals?|seconds?|retries|users|workers|characters)\b)|[a-d]$|later|nothing)\b",
    re.IGNORECASE,
)
"""Opens words that nobody understands outside their conversation."""

SMALL_TALK = re.compile(
    r"(?:hi|hello|hey|ok(?:ay)?|yes|no|y|n|k|sure|thanks?|thank you|continue|go on|go ahead|please"
    r"|proceed|good morning|next|done|there|claude|codex|[\s.,!])*",
    re.IGNORECASE,
)

# --- from a turn to sentences ------------------------------------------------------------------

_NOT_SPEECH = re.compile(
    r"(?:>|\||\$ |<|#!|(?i:fatal|warning|error|hint|npm (?:err|warn))[!\w]* ?[:\[]|\+\+\+ |--- |@@|diff --git)|\[?\d{2,4}[-:]\d\d[-:]\d\d|(?:ERROR|WARN|INFO|DEBUG)\b"
    r"|at \S+\(|Traceback|File \"|//|/\*|\*/|-- |\"\"\"|\'\'\'|\S+\(\d+,\d+\):|\S+:\d+(?::\d+)?:? |remote: |E   |[✖×✗]|[A-Z]\w*(?:Error|Exception|Warning)\b"
)
_COMMENT = re.compile(r"# ?[a-z]")
"""Among several lines, a comment of code; a line that stands alone may be a note to keep."""
_ONE_COMMAND = re.compile(
    r"^(.{3,120}:) *\n+ *```(?:sh|bash|shell|console|zsh)? *\n *(?:\$ )?([^\n`]{3,160})\n *```",
    re.MULTILINE,
)
"""A block that holds one line, behind what announces it, is as good as a line in backticks."""
_LOGGED = re.compile(
    r"^\s*\[(?:warn|warning|error|info|debug|fatal|notice|trace)\b[^\]\n]*\].*$",
    re.IGNORECASE | re.MULTILINE,
)
_BOILERPLATE = re.compile(
    r"\s*(?:Base directory for this skill|Caveat: The messages below|This session is being continued|You are (?:an?|the) [\w -]+(?:assistant|agent|engineer"
    r"|expert|developer|reviewer|model|analyst|writer)\b|Tool: |Your task is\b|As an? (?:AI|expert)\b)"
)
"""What a program or a template says through the user."""
_ITEM = re.compile(r"(?:[-*•+]|\d{1,3}[.)]|#{1,6}) +(?:\[[ xX]\] +)?")
_LISTS = (
    (
        re.compile(
            r"\b(?:decided|agreed|settled|decisions)\b(?! (?:yet|later))[^:]{0,40}:$", re.IGNORECASE
        ),
        "decided: ",
    ),
    (
        re.compile(
            r"\b(?:rules|conventions|standards|ground rules|guidelines)\b[^:]{0,40}:$",
            re.IGNORECASE,
        ),
        "rule: ",
    ),
)
_BREADCRUMB = re.compile(r"\[(?!redacted)[^\[\]\n]{1,300}\](?!\()", re.IGNORECASE)
_OPEN_QUOTE = re.compile(r"[\"“](?<![^\s(:].)[^\"“”\n]*\n[^\"“”]*(?:[\"”]|\Z)")
_QUOTED = re.compile(r"\"[^\"]{0,300}\"|“[^”]{0,300}”|`[^`]{0,300}`")
_CLAUSE = re.compile(
    r"(?:[,;:] | \((?=\w)|\.\.\. ?| [-–—]+ | (?=(?:and|but|so|because|since|plus|btw)\b))(?:(?:and|but|so|then|please|pls|plz|because|since|btw|also"
    r"|plus|therefore|yes|however|though|otherwise|which means|ok|now) )*(?=\S)"
)
_CLAUSES = 4
_BOUNDARY = re.compile(
    r"(?<=[.!?。！？])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)\s+"
    r"(?!(?:fixed|solved|resolved|cured) (?:it )?(?:by|with)\b)",
    re.IGNORECASE,
)


def _lead(line: str) -> str:
    """Return what a line that announces a list makes of the list's items."""
    if not line.endswith(":") or QUESTION.match(line) or HYPOTHETICAL.search(line):
        return ""
    return next((lead for found, lead in _LISTS if found.search(line)), "")


def own_lines(text: str, *, fenced: bool) -> tuple[list[str], bool]:
    """Return the runs of lines that are somebody's own words, and whether a fence is still open."""
    units = [""]
    lead = ""
    if not fenced:
        text = _BREADCRUMB.sub(" ", _LOGGED.sub("", _ONE_COMMAND.sub(r"\1 `\2`", text)))
        text = _OPEN_QUOTE.sub("\n\n", text)
    many = "\n" in text.strip()
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(("```", "~~~")):
            fenced ^= bare.count("```") < 2
            units[-1] = re.sub(r":$", ".", units[-1])  # What was announced ends with its fence.
            units.append("")
        elif fenced or not bare or _NOT_SPEECH.match(bare) or (many and _COMMENT.match(bare)):
            units.append("")
        elif item := _ITEM.match(bare):
            units.append(lead + bare[item.end() :])
            continue
        elif line.startswith(("    ", "\t")):
            units.append("")
        elif units[-1] and bare[0].islower() and units[-1][-1] not in ".!?:;":
            units[-1] += " " + bare
        else:
            units.append(bare)
        if bare:
            lead = _lead(bare)
    return [
        " ".join(unit.replace("**", "").replace("’", "'").split()) for unit in units if unit
    ], fenced


def _sentences(unit: str) -> Iterator[str]:
    """Yield the sentences of a run; what stands in quotes or backticks is not cut."""
    masked = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), unit)
    start = 0
    for cut in _BOUNDARY.finditer(masked):
        yield unit[start : cut.start()]
        start = cut.end()
    yield unit[start:]


def starts(sentence: str) -> Iterator[int]:
    """Yield where a sentence and its first clauses begin; quoted words are no clauses."""
    yield 0
    masked = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), sentence)
    for number, cut in enumerate(_CLAUSE.finditer(masked)):
        if number == _CLAUSES:
            return
        yield cut.end()


def _is_hearsay(sentence: str) -> bool:
    """Say whether somebody else's words begin; the search is dear, and a set of words is not."""
    told = (
        ": " in sentence
        or sentence.endswith(":")
        or not _TELLING.isdisjoint(_WORD.findall(sentence.lower()))
    )
    return told and bool(_HEARSAY.search(sentence))


def spoken(chunk: Chunk) -> Iterator[tuple[Turn, list[str]]]:
    """Yield each turn with the sentences that are its speaker's own."""
    fenced = stopped = False
    for turn in chunk.turns:
        if turn.first:
            fenced = stopped = False
        if _BOILERPLATE.match(turn.text):
            stopped = True
        if turn.kind == DOCUMENT:
            units = list(sentences_of(turn.text))
        else:
            units, fenced = own_lines(turn.text, fenced=fenced)
        own: list[str] = []
        for sentence in (s for unit in units for s in _sentences(unit)):
            stopped = stopped or _is_hearsay(sentence)
            if not stopped:
                own.append(sentence)
        yield turn, own
