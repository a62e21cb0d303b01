"""Cuts: complete, in order, about the budget, and where they were when a session grows."""

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from scry.chunk import chunk
from scry.model import Redacted, Turn

AT = datetime(2026, 8, 1, tzinfo=UTC)


def turn(number: int, weight: int, *, first: bool) -> Turn:
    return Turn(
        role="user" if number % 2 else "assistant",
        at=AT,
        line=number + 1,
        last=number + 1,
        text=Redacted(f"words {number}"),
        uid=f"u{number}",
        weight=weight,
        first=first,
    )


sessions = st.lists(st.tuples(st.integers(0, 4000), st.booleans()), min_size=1, max_size=30).map(
    lambda parts: [turn(n, w, first=f or n == 0) for n, (w, f) in enumerate(parts)]
)


@given(sessions)
def test_together_the_chunks_hold_every_part_once_and_in_order(turns):
    assert [t for run in chunk(turns) for t in run] == turns


@given(sessions)
def test_a_chunk_is_at_most_a_quarter_over_budget_unless_it_is_one_part(turns):
    for run in chunk(turns):
        assert len(run) == 1 or sum(t.weight for t in run) <= 5000


@settings(max_examples=300)
@given(sessions, st.data())
def test_chunks_do_not_move_when_a_session_grows(turns, data):
    cut = data.draw(st.integers(1, len(turns)))
    before = [run[0].uid for run in chunk(turns[:cut])]
    after = [run[0].uid for run in chunk(turns)]
    assert after[: len(before)] == before


@given(sessions, st.integers(500, 3000))
def test_stored_cuts_are_kept_under_another_budget(turns, budget):
    stored = {run[0].uid for run in chunk(turns)}
    again = [run[0].uid for run in chunk(turns, budget=budget, starts=stored)]
    last = max(int(uid[1:]) for uid in stored)
    assert {uid for uid in again if int(uid[1:]) <= last} == stored


def test_a_session_is_cut_before_the_turn_that_would_overfill_the_chunk():
    turns = [turn(0, 2500, first=True), turn(1, 1400, first=True), turn(2, 200, first=True)]
    assert [[t.uid for t in run] for run in chunk(turns)] == [["u0", "u1"], ["u2"]]
