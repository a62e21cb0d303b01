"""Turns to runs of turns that are extracted together: about 4,000 tokens, cut between turns.

    budget 4000    | t1 t2 t3 | t4 t5 t6 | t7 ...
    shown                t3 as context ^ of the second run

A cut before a turn depends only on the turns before it and on the first words of that turn, all
of which are complete in the file: chunks do not move when a session grows.
"""

from collections.abc import Collection, Iterator, Sequence

from scry.model import DOCUMENT, Turn

BUDGET = 4_000
"""Tokens of speech in a chunk, as `estimate_tokens` counts them."""


def chunk(
    turns: Sequence[Turn], *, budget: int = BUDGET, starts: Collection[str] = ()
) -> Iterator[list[Turn]]:
    """Yield runs of parts of turns; together they hold every part once, in order.

    Args:
        turns: a whole session.
        budget: a run is cut before the turn with which it would hold more, and inside a turn
            that makes it a quarter larger than that.
        starts: uids of parts with which stored episodes begin.  These cuts are kept, and up
            to the last of them no others are made, also under newer rules.
    """
    known = [number for number, turn in enumerate(turns) if turn.uid in starts]
    settled = known[-1] if known else -1
    run: list[Turn] = []
    weight = 0
    for number, turn in enumerate(turns):
        limit = budget if turn.first else budget * 5 // 4
        full = number > settled and weight + turn.weight > limit
        if run and (turn.uid in starts or full or _is_section(turn)):
            yield run
            run, weight = [], 0
        run.append(turn)
        weight += turn.weight
    if run:
        yield run


def _is_section(turn: Turn) -> bool:
    """Say whether a turn opens a section of a note, which is an episode of its own."""
    return turn.kind == DOCUMENT and turn.first
