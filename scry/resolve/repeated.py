"""Said by several sessions: where one is not enough, what a machine says waits for the next.

Off by default (`sessions_needed` of the index is 1).  Other words for the same count, so statements
are looked at together with all others of their triple.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from scry.index import Index
from scry.statement import LEVELS, UNREPEATED, Statement

Sessions = Mapping[str, Collection[tuple[str, str]]]
"""Triple -> the sessions in which it was said, each as (source, session)."""


def in_other_words(index: Index, statement: Statement) -> set[str]:
    """Return the births of what says the same; nothing where one session is enough."""
    if index.sessions_needed < 2:
        return set()
    known = ((birth, index.statement(birth)) for birth in index.mentions_of(statement.src))
    return {birth for birth, other in known if other and other.triple == statement.triple}


def sessions_of(index: Index, statements: Iterable[Statement]) -> Sessions:
    """Return in which sessions each triple was said; nothing where one session is enough."""
    out: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for statement in statements if index.sessions_needed > 1 else ():
        found = (index.episodes.get(citation.episode) for citation in statement.citations)
        out[statement.triple] |= {(e.source, e.session) for e in found if e is not None}
    return out


def unrepeated(index: Index, statement: Statement, heard: Sessions) -> str:
    """Return why what a machine says waits until other sessions say it; "" if it need not."""
    needed = index.sessions_needed
    if needed < 2 or statement.level >= LEVELS["person"]:
        return ""
    few = len(heard.get(statement.triple, ())) < needed
    return UNREPEATED + statement.relation if few else ""
