r"""The table of what rules look for: plain English, one row a way of saying it.

    kind  qualifier  trigger words  regular expression  example

The rows stand in the modules `rows_*`, by theme; here is what they share.  A row is tried where a sentence or one of
its clauses begins (behind "so", "btw," and the like), and only when the sentence holds one of its trigger words.
Groups mean: `what` the value (else the kept sentence), `say` the part of the sentence that is kept (else all of it),
`s` the subject, `o` the other end, `q` the word that gives the qualifier, `bare` a command without backticks.  `<S>`,
`<O>`, `<CMD>` and so on stand for the shapes in `_SHAPES`.  Apostrophes may be missing ("dont"), and `[A-Z]` is a
capital although the rest of a row knows no case.

To extend: add a row.  The tests run every example and want exactly one claim of that kind from it, so a row without a
good example does not pass.  Keep quantifiers bounded, for time must stay linear.
"""

import re
from dataclasses import dataclass
from functools import cache

from scry.extract import (
    rows_decisions,
    rows_other,
    rows_places,
    rows_rules,
    rows_trouble,
    rows_work,
)
from scry.extract.patterns_words import TOOLS


@dataclass(frozen=True, slots=True)
class Kind:
    """What the rows of one kind have in common.

    `fact` is the stored sentence, behind the subject's name where it does not name it.  `subject` says what `s` must
    be: `named` a clear name; `own` that, or a word for the project ("the app"); `placed` anything that can have a
    place ("prod", "the nightly job"); `loose` anything, and what is no clear name is said of the project.  `lasting`
    rows leave out what is said of the moment, `calm` rows what speaks of a failure, `firm` rows bear an
    "if" or a "could", and `told` rows need not be
    gated against an agent that tells what it is doing.
    """

    relation: str
    confidence: float
    subject: str = "loose"
    fact: str = "{said}"
    users_only: bool = False
    lasting: bool = False
    agents_only: bool = False
    firm: bool = False
    calm: bool = False
    told: bool = True


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way of saying something; see the module."""

    kind: str
    qualifier: str
    words: frozenset[str]
    shape: str
    example: str

    @property
    def regex(self) -> re.Pattern[str]:
        """The expression with its shapes filled in, compiled when it is first needed."""
        return _regex(self.shape)


KINDS = {
    "rule": Kind("enforces", 0.6, users_only=True, lasting=True, firm=True),
    "convention": Kind("enforces", 0.5, users_only=True, lasting=True, calm=True, firm=True),
    "preference": Kind(
        "prefers", 0.6, "loose", "the user says: {said}", users_only=True, lasting=True
    ),
    "command": Kind("uses", 0.6, "own", "the {q} command is `{what}`", lasting=True, told=False),
    "procedure": Kind("uses", 0.5, lasting=True, told=False),
    "advice": Kind("uses", 0.5, lasting=True, agents_only=True),
    "runbook": Kind("documents", 0.5, lasting=True, told=False),
    "stack": Kind("uses", 0.5, lasting=True, calm=True, told=False),
    "choice": Kind("decided", 0.6, users_only=True, lasting=True),
    "decision": Kind("decided", 0.6, lasting=True, told=False),
    "echo": Kind("decided", 0.5, agents_only=True),
    "host": Kind("runs_on", 0.55, "named"),
    "move": Kind("runs_on", 0.55, "named"),
    "site": Kind("runs_on", 0.5, "placed"),
    "seat": Kind("runs_on", 0.5, "placed"),
    "spot": Kind("located_at", 0.5, "placed"),
    "deployment": Kind("deployed_on", 0.55, "named"),
    "address": Kind("located_at", 0.55, "named"),
    "status": Kind("status", 0.55, "named"),
    "owner": Kind("assigned_to", 0.5),
    "duty": Kind("assigned_to", 0.5, users_only=True, lasting=True),
    "blocker": Kind("blocked_by", 0.5, firm=True),
    "issue": Kind("has_issue", 0.5, users_only=True),
    "dead end": Kind("conflicts_with", 0.5, firm=True),
    "given up": Kind("conflicts_with", 0.5, users_only=True, firm=True),
    "fix": Kind("has_issue", 0.5, users_only=True),
    "outage": Kind("has_issue", 0.5),
    "tool": Kind("uses", 0.4),
}

# --- shapes --------------------------------------------------------------------------------------

# fmt: off
_SHAPES = {
    "S": r"(?P<s>(?:(?:the|our|my|this) )?(?:`[^`]{1,60}`|[\w.+#()/-]{1,60})(?: [\w.+#()-]{1,40}){0,3}?)",
    "O": r"(?P<o>(?:(?:the|our|my|an?) )?(?:`[^`]{1,60}`|[\w.+#:/-]{1,80})(?: [\w.+#-]{1,40}){0,3}?)",
    "CMD": r"(?:`(?P<what>[^`]{2,160})`|(?P<bare>[\w./-]{2,40}(?: [\w./:=@-]{1,60}){0,5})[.!]?$)",
    "OF": r"(?: (?:of|for|in) <S>)?",
    "TESTS": r"(?:the |all |our )?(?:unit |integration |full |whole |e2e )?(?:tests?|test suite|suite|specs)",
    "USE": r"[,:]? (?:(?:just|simply) )?(?:(?:use|run|type|do|execute|call|it's|we use|we run|you run) )?",
    "WITH": r"(?:with|w/|using|via|through|by running|under|by)",
    "WE": r"(?:(?:we|i|you)(?:'ve| have)?(?: (?:can|should|always|now|just|usually|finally|also|then))? )?",
    "VERB": r"(?!(?:mind|again|before|the|an?|had|have|been|is|was|were|seen|ever|did|knew|know|known|got|get|ran|saw|came|went"
    r"|made|took|found|heard|thought|built|sent|told|kept|left|lost|began|gave|done|forget|want|like|love|hate|mean|in|on|at"
    r"|this|that|really|quite|good|nice|happy|wrong|right|more|less|too|so|good|bad|see|seem|true|false|free|possible|null"
    r"|there|available|been|able|possible|necessary)\b)(?!\w+(?:ed|ing)\b)(?!\w+[^su]s\b)[a-z]+(?:-[a-z]+)?",
    "STATE": r"(?P<what>paused|live|deprecated|retired|frozen|archived|on hold|abandoned|discontinued|in (?:alpha|beta"
    r"|maintenance(?: mode)?)|feature[- ]complete|unmaintained|read-only|decommissioned|end[- ]of[- ]life|shelved|degraded"
    r"|offline|down|sunset|cancelled|canceled|(?:done|finished|complete) now)",
    "END": r"(?:,? (?:now|again|already|today|yesterday|last (?:night|week|month)|this (?:morning|week|month)|instead|for good"
    r"|(?:since|as of|from|on) [\w ,-]{3,25}|too|as well|\([^)]{1,40}\)|in (?:production|prod|staging|qa))){0,2}"
    r"(?:[.!,;:]*$|[,;(]| (?:and|but|because|with|under|via|so|which|where|behind|until|after)\b)",
    "NOBODY": r"(?:it|this|that|these|those|there|they|he|she|i|we|you|what|which|who|where|here|so|if|when|why|how|nothing|nobody|everything|something|all of|let|let's|lets|not|no|now|and|but|or|yes|ok)",
    "NOUN": r"(?!<NOBODY>\b|the (?:problem|issue|error|bug)\b)[\w`'./*-]+(?: [\w`'./&+*-]+){0,6}?",
    "PLURAL": r"(?!<NOBODY>\b|(?:the|an?|my|your|his|her|their)\b)(?:[\w`./'-]+ ){0,5}?(?!(?:this|is|was|has|does|its|as|us|always|yes)\b)[\w./-]*[a-rt-z]s(?: (?:in|of|on|for|from|shown|to|with|under|between) [\w./ -]{2,40}?)?",
    "THING": r"(?P<s>(?!<NOBODY>\b)(?:(?:the|our) )?[\w`./#+-]+(?: [\w`./()#+-]+){0,4}?)",
    "PLACED": r"(?P<s>(?!<NOBODY>\b)(?:(?:the|our|all|both) )?[\w`.+#()/-]{1,60}(?: [\w`'.+#()-]{1,40}){0,4}?)",
    "PORT": r"(?P<what>`?(?!(?:https?://)?(?:localhost|127\.|0\.0))(?:https?://)?(?:[\w-]+(?:\.[\w-]+)+[\w/:.-]*|:?\d{2,5})`?)",
    "TOOL": r"(?!(?:not|an?|the|such|no|this|that)\b)[\w`+.#-]{1,30}(?: [A-Z][\w.]*)?",
    "STOP": r"(?:[.!,;:]*$|[,;:(]| (?:and|but|because|with|since|so|which|where|until|till|after|as|now|again|today|yesterday|last|this|these|instead|for|from|in|too|at|behind|on|by|via)\b)",
    "WHO": (r"(?:(?!(?:It|This|That|There|He|She|They|The|Your?|What|Which|Who|Everything|Git|Python|Rust|React)\b)[A-Z][\w'-]+(?: [A-Z][\w'-]+)?|(?:(?:the|our) )?[\w-]+ (?:team|guild|squad)|i|i've|we"
     r"|(?!<NOBODY>\b|(?:the|an?|my|your|code|class|rust|git|react|caller|ownership|everyone|someone|somebody|one|us)\b)[a-z]{3,12}(?= (?:owns|maintains|looks after|took over|takes over|is (?:on call|responsible|in charge|the owner|the maintainer))\b))"),
    "IN": r"(?:(?:in|for|on|across|inside|within) (?!(?:case|that|order|general|my opinion|fact)\b)[\w./`-]+(?: [\w./`-]+){0,3}?[,:]? )?",
    "LABEL": (r"(?!<NOBODY>\b|(?:try|trying|run|running|ran|do|see|use|using|execute|type|fix|output|error|errors|result|log|next|then|done|fixed|[\w ]* (?:pass|passes|passed|green|done|works|clean|failed|fails)|example|problem|issue|culprit|reason|please"
     r"|the (?:problem|issue|culprit|error|output|reason|cause|result|failing|bug))\b)[\w`'/+.-]+(?: [\w'/+.-]+){0,7}?"),
    "HOW": r"(?:(?:then|first|just|simply|please|you|we|i|can|need to|should|always|have to) )*(?:(?:use|run|type|do|execute|call|it's|there is|there's|comment) )?",
    "NAMED": "(?:" + "|".join(map(re.escape, sorted(TOOLS))) + ")\\b",
    "AFTER": "(?:" + "|".join(f"(?<={word} )" for word in "run use type do execute with w/ via using through by is are just call comment be its : = - ,".split()) + ")",
    "CMDS": r"(?:`(?P<what>[^`]{2,200})`|<AFTER>(?P<bare>(?![^`]*`)(?:[A-Z_]+=\S+ ){0,3}(?:[\w.][\w./-]{1,40} \S.{0,160}|(?:\./|bin/|scripts/)[\w./-]+)))",
}
# fmt: on


_ROWS = (
    *rows_work.ROWS,
    *rows_rules.ROWS,
    *rows_decisions.ROWS,
    *rows_places.ROWS,
    *rows_trouble.ROWS,
    *rows_other.ROWS,
)


@cache
def _regex(shape: str) -> re.Pattern[str]:
    while found := re.search(r"<([A-Z]+)>", shape):
        shape = shape.replace(found[0], _SHAPES[found[1]])
    shape = re.sub(r"(?<=[a-z:|(])'(?=(?:t|s|re|ve|m|ll|d)\b)", "'?", shape)
    return re.compile(shape.replace("[A-Z]", "(?-i:[A-Z])"), re.IGNORECASE)


def _triggers(words: str) -> frozenset[str]:
    """Return trigger words, also as somebody in a hurry writes them."""
    return frozenset(word for plain in words.split() for word in (plain, plain.replace("'", "")))


TABLE = tuple(
    Pattern(kind, qualifier, _triggers(words), shape, example)
    for kind, qualifier, words, shape, example in _ROWS
)
