"""A speaker's own sentences, and what tells that one of them does not stand by itself.

    turn -> lines -> runs of lines -> sentences

Code, quotations, pasted text and breadcrumbs are nobody's statement.  Where somebody else's words
begin without a mark ("the issue says: ..."), the rest of the turn is left unread.
"""

import re
from collections.abc import Iterator

from scry.model import Chunk, Turn

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")

# --- gates -------------------------------------------------------------------------------------

_PLACES = (
    r"page|post|blog|article|issue|forum|docs?|documentation|readme|ticket|thread|comment|e-?mail"
    r"|website|web|reddit|guide|tutorial|manual|wiki|log|output|error|message|report"
)
_HEARSAY = re.compile(
    rf"\b(?:found|saw|read|got|copied|pasted?|pasting) (?:this|it|these|the following|that)\b"
    rf"|\b(?:{_PLACES})(?: [\w']+){{0,4}} ?:(?= |$)|^(?:quote|pasted?|copied)\b"
    rf"|\b(?:someone|somebody|he|she|they|{_PLACES})\b.{{0,30}}\b(?:says?|said|wrote|writes|states?"
    rf"|contains?|claims?|claimed)\b|\b(?:{_PLACES})\b.{{0,80}}:$",
    re.IGNORECASE,
)
"""Somebody else's words follow, or may: nothing more is read from this turn."""
_TELLING = frozenset(
    """found saw read got copied paste pasted pasting quote say says said wrote write writes state
    states contain contains claim claims claimed""".split()
)
QUESTION = re.compile(
    r".*\?[\"')\]*_]*$|(?:who|what|where|why|how|which|whose|is|are|was|were|do(?! not\b)|does|did|can"
    r"|could|should|would|will|shall|might|have|has|had|am|any idea|when (?:is|are|was|were|do|does|did"
    r"|can|could|should|would|will)|(?:is|are|do|does|did|was|were|ca|could|should|would|wo|have|has)n't"
    r" (?:you|we|i|it|they|this|that|he|she|the|there))\b",
    re.IGNORECASE,
)
HYPOTHETICAL = re.compile(
    r"\b(?:maybe|perhaps|assum(?:e|es|ed|ing)|suppos(?:e|ing)|probably|possibly|i (?:think|guess|believe"
    r"|doubt|hope|wish)|not sure|wonder(?:ing)?|what if|hypothetical(?:ly)?|in theory|imagine|let's say"
    r"|for (?:example|instance)|e\.g|pretend|apparently|sounds like|used to|thought (?:about|of|we))\b"
    r"|^(?:if|once|until|unless|as soon as|or)\b|\[redacted|</?\w",
    re.IGNORECASE,
)
TENTATIVE = re.compile(
    r"\b(?:might|could|would|if|unless|plan(?:s|ned|ning)? to|eventually|some ?day|ideas?|options?"
    r"|propos\w+|suggest\w*|seems?|looks like|consider\w*|not yet|nothing|almost|nearly|once we|will be)\b",
    re.IGNORECASE,
)
"""Makes a plan or a guess of anything but a rule ("never merge if CI is red" is a rule)."""
ONE_OFF = re.compile(
    r"\b(?:yet|today|tonight|tomorrow|for now|right now|this time|(?:this|just) once|at the moment|just now"
    r"|in the meantime|until (?:i|we|you)\b.*|(?:this|that|these|those) (?:file|function|test|line|pr|commit"
    r"|branch|one|change|part|bug|step|class|method|section)s?)\b|(?<!from )\bnow[.!]?$",
    re.IGNORECASE,
)
"""Said for the moment: nothing that should last is made of it."""
RETRACTS = re.compile(
    r"(?:sorry,? |oh,? |wait,? |hm+,? )?(?:no[,.!]|nope\b|wrong\b|not true|that(?:'s| is| was) (?:not"
    r" (?:right|true|correct)|wrong|incorrect|false)|(?:scratch|strike) that|forget (?:that|it)\b"
    r"|correct(?:ion|ed)\b|i take (?:that|it) back|(?:i|you) (?:was|were|am|are) (?:wrong|mistaken)"
    r"|ignore (?:that|what i)\b)[ ,.:!-]*",
    re.IGNORECASE,
)
"""Takes back what was said just before: earlier in this turn, and in the turn before it."""
LEAD_IN = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|but|also|well|btw|by the way|fyi|note|reminder|important|one more thing|oh"
    r"|yes|yeah|right|great|good|cool|thanks|done|sure|alright|again|still true|for the record|(?:just )?to"
    r" (?:repeat|be clear)(?: it| that)?|as (?:i |we )?(?:said|mentioned|discussed)(?: before| earlier"
    r"| already)?|in short|update|then|actually|finally|first|second)(?:[,:!] ?|\.\.\. ?| [-–—] )"
    r"|(?:so|and|but|also|then|ok|okay|btw|by the way|actually|please|just) )(?=\S)",
    re.IGNORECASE,
)
DEICTIC = re.compile(
    r"(?:that|this|it|its|those|these|they|them|he|she|you|your|yours|mine|option|plan [a-z]\b|approach"
    r"|variant|number|i\b|so\b|(?:one|both|neither|either)(?: of\b| is\b|$)|whatever|what|the (?:first|second|third|last|latter|former"
    r"|other|above|same|suggested|proposed|thing)|another|again|#?\d|[a-d]$|later|nothing)\b",
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
    r"(?:>|\||\$ |<|#!|\+\+\+ |--- |@@|diff --git)|\[?\d{2,4}[-:]\d\d[-:]\d\d|(?:ERROR|WARN|INFO|DEBUG)\b"
    r"|at \S+\(|Traceback|File \""
)
_ITEM = re.compile(r"(?:[-*•+]|\d{1,3}[.)]|#{1,6}) +(?:\[[ xX]\] +)?")
_BREADCRUMB = re.compile(r"\[(?!redacted)[^\[\]\n]{1,300}\](?!\()", re.IGNORECASE)
_OPEN_QUOTE = re.compile(r"[\"“](?<![^\s(:].)[^\"“”\n]*\n[^\"“”]*(?:[\"”]|\Z)")
_QUOTED = re.compile(r"\"[^\"]{0,300}\"|“[^”]{0,300}”|`[^`]{0,300}`")
_BOUNDARY = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)\s+"
    r"(?!(?:fixed|solved|resolved|cured) (?:it )?(?:by|with)\b)",
    re.IGNORECASE,
)


def own_lines(text: str, *, fenced: bool) -> tuple[list[str], bool]:
    """Return the runs of lines that are somebody's own words, and whether a fence is still open."""
    units = [""]
    text = _OPEN_QUOTE.sub("\n\n", _BREADCRUMB.sub(" ", text)) if not fenced else text
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(("```", "~~~")):
            fenced ^= bare.count("```") < 2
            units.append("")
        elif fenced or not bare or _NOT_SPEECH.match(bare):
            units.append("")
        elif item := _ITEM.match(bare):
            units.append(bare[item.end() :])
        elif line.startswith(("    ", "\t")):
            units.append("")
        elif units[-1] and bare[0].islower() and units[-1][-1] not in ".!?:;":
            units[-1] += " " + bare
        else:
            units.append(bare)
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


def _is_hearsay(sentence: str) -> bool:
    """Say whether somebody else's words begin; the search is dear, and a set of words is not."""
    told = ":" in sentence or not _TELLING.isdisjoint(_WORD.findall(sentence.lower()))
    return told and bool(_HEARSAY.search(sentence))


def spoken(chunk: Chunk) -> Iterator[tuple[Turn, list[str]]]:
    """Yield each turn with the sentences that are its speaker's own."""
    fenced = stopped = False
    for turn in chunk.turns:
        if turn.first:
            fenced = stopped = False
        units, fenced = own_lines(turn.text, fenced=fenced)
        own: list[str] = []
        for sentence in (s for unit in units for s in _sentences(unit)):
            stopped = stopped or _is_hearsay(sentence)
            if not stopped:
                own.append(sentence)
        yield turn, own
