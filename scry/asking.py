"""The words in which people ask, and what kinds of facts answer them.

A question rarely uses the words of its answer ("whom do I ping about X?", "Y owns X"), so words of
asking point at relations, at what stands at the far end, and at the shape of a literal.  That is
a hint for ordering facts of things that were found by name or description; it never finds
anything by itself.
"""

import re
from dataclasses import dataclass
from functools import cache

STOP = frozenset(
    """a about after again all also am an and any anybody anyone anything are around as at be because
    been before being both but by can could did do does doing done during each either else ever
    every everything for from get gets getting give gives go goes going got had has have having he
    her here him his how i if in into is it its just know let like make many may me might mind more
    most much must my myself need no nor not now of off ok on once one only or other our ours out
    over own please quite rather remember remind right same shall she should so some somebody
    someone something still such take tell than thanks that the their them then there these they
    thing things this those though through to today too under until up upon us very via want was way
    we were what whatever when where whether which while who whoever whom whose why will with within
    without would yes yet you your""".split()
)


@dataclass(frozen=True, slots=True)
class Want:
    """One kind of answer: words that ask for it, relations, entity types and shapes that give it.

    `qualifiers` are the beginnings of qualifiers that mark such a fact.
    """

    words: frozenset[str]
    relations: frozenset[str]
    types: frozenset[str] = frozenset()
    shapes: frozenset[str] = frozenset()
    qualifiers: tuple[str, ...] = ()


def crude(word: str) -> str:
    """Return a word without hyphens and common endings, good enough to look it up in a short list."""
    bare = word.replace("-", "")
    for ending in ("ing", "ied", "ies", "ed", "es", "er", "s", "e"):
        if len(bare) - len(ending) > 3 and bare.endswith(ending):
            return bare.removesuffix(ending)
    return bare


_TABLE = """
    who whom whose owner owners owned owning owns responsible responsibility charge maintainer
    maintainers maintain maintains maintained ask contact person people team colleague steward
    accountable ping call bother assigned belongs looks manages leads
        -> owns assigned_to approves reviews : person
    where host hosts hosted hosting machine machines box boxes server servers node computer vm
    instance ssh login running runs run deployed live lives located hardware sits
        -> runs_on deployed_on located_at : machine
    port ports tcp udp listen listens listening socket bind binds bound curl number telnet
    connect
        -> located_at configures ! port
    url urls address uri link endpoint domain hostname site website webpage open browser reach
    reachable reached online
        -> located_at provides ! url
    file files folder directory path stored kept saved find located
        -> located_at contains ! path
    where physically place room stand stands building rack find
        -> located_at ! words
    status state states condition shape healthy health alive doing current currently mode
    stage phase situation
        -> status
    version versions release pinned pin runtime upgraded upgrade newest compiled build builds
    interpreter compiler recent
        -> uses depends_on requires status ! version
    commit sha hash revision rev pinned pin held frozen checkout
        -> uses references depends_on ! hash
    why reason reasons rationale because motive against choose chose chosen choice pick picked
    decide decided decision settle settled instead rejected prefer preferred argument speak
    spoke speaks favour favor go went
        -> decided causes conflicts_with prefers replaced_by : decision
    break breaks broke broken outage incident fail fails failed failing failure crash crashed
    crashes cause caused causes wrong problem bug issue happened trouble root culprit behind
    blame fell died stopped postmortem
        -> has_issue causes fixes blocked_by
    try tried trying attempt attempted attempts experiment experimented evaluated dead end
    blind abandoned dropped gave given came ditched discarded
        -> conflicts_with excludes has_issue decided
    run start launch boot serve locally local up begin bring command type execute invoke
    development dev machine
        -> uses calls implements provides tests produces documents configures : runbook ! command ~ run start serve dev launch local up
    test tests testing tested suite check checks verify specs command type
        -> tests : runbook ! command ~ test check spec verif
    build builds compile compiled package bundle artefact artifact command
        -> produces : runbook ! command ~ build compil packag bundl
    lint linter format formatted style checker command
        -> enforces ! command ~ lint format
    deploy deploys deployed deployment ship shipped ships release released rollout roll
    publish published push live command
        -> deployed_on produces : runbook ! command ~ deploy ship releas publish roll
    step steps recover recovery restore restored backup runbook procedure instructions rotate
    rollback repair resurrect disaster rebuild back lost wiped corrupted destroyed
        -> documents fixes : runbook ! words command ~ restor recover backup rollback rotat
    purpose point job role meant
        -> implements provides produces
    part belong belongs codebase repo repository project holds contains inside module
    component monorepo tree home source
        -> part_of contains : project
    use uses used using rely relies built product library framework database tool tooling
    technology stack handles handled software engine backend powered depend
        -> uses depends_on : tool
    language written programming code coded
        -> uses implements : tool
    need needs needed depend depends dependency dependencies upstream require requires
    required prerequisite before service services first without other calls lean leans hinge
    neighbours neighbors
        -> depends_on requires calls blocked_by : service
    rule rules may must should allowed allow can never always forbidden forbid banned ban
    policy convention conventions standard standards limit permitted supposed required maximum
    minimum max min follow demand demands target condition conditions guideline guidelines
    many much long ok okay acceptable practice how we do
        -> enforces excludes prefers requires
    blocked blocker blockers blocking waiting waits stuck holding stalled
        -> blocked_by has_issue
    missing lack lacks lacking gap gaps absent
        -> lacks
    replaced replaces successor superseded instead became renamed
        -> replaced_by merged_into same_as
    monitor monitors monitored monitoring alert alerts watch dashboard
        -> monitors notifies
    configured configure config configuration setting settings flag
        -> configures ! path
    document documented documentation docs readme described
        -> documents references ! url path
    involved relate related relation connected connection involve touch touches
        -> uses depends_on related_to conflicts_with
"""
"""Words of asking -> relations : types of the far end ! shapes of a literal ~ qualifiers."""
_ROW = re.compile(
    r"((?:    \S.*\n)+)        -> ([\w ]+?)(?: : ([\w ]+?))?(?: ! ([\w ]+?))?(?: ~ ([\w ]+?))?\n"
)


def _wants() -> tuple[Want, ...]:
    """Read the table."""
    return tuple(
        Want(
            frozenset(map(crude, words.split())),
            frozenset(relations.split()),
            frozenset(types.split()),
            frozenset(shapes.split()),
            tuple(marks.split()),
        )
        for words, relations, types, shapes, marks in _ROW.findall(_TABLE)
    )


WANTS = _wants()
PURPOSES, STATES, RULES = (
    next(want for want in WANTS if crude(word) in want.words)
    for word in ("purpose", "status", "rule")
)
PLANNING = frozenset(
    "plan plans planned planning future intend intended roadmap someday eventually idea ideas wish".split()
)
"""Words that ask for what is only planned."""

FOR_PURPOSE = re.compile(
    r"\bwhat(?:['’]s)?\b[^?]*\bfor\W*$|\bwhat does \S+(?: \S+){0,3} do\b|\bwhat \S+(?: \S+){0,3} does\b"
    r"|\bwhat(?:['’]s| is| are) (?:the |an? )?\S+(?: \S+)?\W*$|\bpurpose of\b|^\W*(?:explain|describe|tell me about|introduce)\b",
    re.IGNORECASE,
)
FOR_STATE = re.compile(
    r"^\W*how(?:['’]s| is| are| was| were)\b"
    r"|^\W*(?:is|are|was|were)\b[^?]*\b(?:up|down|running|alive|healthy|working|broken|on|off|online|offline|live|ready|done)\b",
    re.IGNORECASE,
)
FOR_LEAVE = re.compile(
    r"^\W*(?:can|may|must|should|shall|are (?:we|you|i) allowed|do (?:we|i|you) have to"
    r"|is (?:it|there) (?:ok|okay|fine|allowed|a rule|any rule))\b",
    re.IGNORECASE,
)


@cache
def asking() -> frozenset[str]:
    """Return the stems of all words of asking."""
    words = {word for want in WANTS for word in want.words}
    return frozenset(words | {crude(word) for word in PLANNING})


@cache
def kinds(stem: str) -> int:
    """Return how many kinds of answer a word asks for; words of grammar tell less still."""
    return sum(stem in want.words for want in WANTS) + (stem in STOP) * 2


def is_plain(word: str) -> bool:
    """Say whether a word is one of grammar or of asking, so never a name by itself."""
    return word in STOP or crude(word) in asking()
