"""Review: a person's word on what waits.  One call is one commit, and one revert takes it back.

    accept   a fact: it is theirs from now on, and no machine holds it back again
             an alias: the name is this entity's; a name that is an entity's own: the two are one
    reject   a fact: a tombstone, so that neither a sweep, a better model nor other words bring it
             back by themselves; an alias: it is no name of this entity, for good
    merge    an alias: all that claim it are one thing; a fact: its unknown name is another name
             of a thing that is given

Everything is judged before anything is done: one item that cannot be done, and nothing is.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from scry.index import Index
from scry.ingest import Ingest
from scry.model import Applied, ChangeSet
from scry.resolve.decided import decide
from scry.reviewing.items import (
    VERBS,
    Decision,
    ReviewError,
    find_item,
    proposal_id,
    proposals,
    waiting_facts,
)
from scry.reviewing.judged import Judged

__all__ = [
    "VERBS",
    "Decision",
    "ReviewError",
    "find_item",
    "proposal_id",
    "proposals",
    "review",
    "waiting_facts",
]


def review(
    ingest: Ingest, decisions: Sequence[Decision], now: datetime, dirty: Collection[str] = ()
) -> Applied:
    """Carry out decisions as one commit; nothing is done when one of them cannot be.

    `dirty` are files with changes that are not committed: a decision does not wait for them.

    Raises:
        ReviewError: a decision contradicts another, or lacks what it needs.
        UnknownNameError: nothing that waits is called so.
        StoreError: the store cannot be written.
    """

    def change(index: Index) -> list[ChangeSet]:
        judged = Judged(index, now)
        judged.take(decisions)
        made = decide(index, ingest.store.evidence, judged.said, _subject(decisions))
        paths = {record.path for record in (*made.writes, *made.removes)}
        if theirs := sorted(paths & set(dirty)):
            ingest.writer.forget()
            raise ReviewError(
                f"{', '.join(theirs)}: there are changes that are not committed. Commit or drop "
                "them, and decide then."
            )
        return [replace(made, lines=(*judged.lines, *made.lines))] if made else []

    Judged(ingest.index, now).take(decisions)  # Before the lock: most mistakes are plain.
    return ingest.writer.commit(lambda: change(ingest.index))[1]


def _subject(decisions: Sequence[Decision]) -> str:
    done = {"accept": "accepted", "reject": "rejected", "merge": "merged"}
    counts = {word: sum(d.verb == verb for d in decisions) for verb, word in done.items()}
    return "review: " + ", ".join(f"{n} {word}" for word, n in counts.items() if n)
