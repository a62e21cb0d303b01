"""The short way to say that a text holds nothing of ours never misses a sign or a hint."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from sources.golden_cases import TRANSCRIPTS

from scry.sources.jsonl import Lines
from scry.sources.own_signs import may_hold_ours

ORIGINS = ("person", "user", "assistant", "document", "rules")
HINTS = (
    *(f"{origin})" for origin in ORIGINS),
    *("episode)", "episodes)", "other words)", "] user: ", "] assistant: ", "] document: "),
    *("with dates; data", "with scry_recall", "known about '", "[20", "[notes-", "learn: "),
    *("type: fact", "type: episode", "\nname: ", '"src":', '"slug":', '"markdown":', "Scry-"),
    *("## Recent", "- [", "known already, with", '"episode_summary":', "(verified)"),
    *("Remembered: ", "Kept ", "Kept; ", "scry show ", "scry pending"),
)
SIGNS = (
    *("--", "scry", "] user: ", "] assistant: ", "] document: ", "with dates; data"),
    *("known about '", '"slug":', '"markdown":', '"episode_summary":'),
)
PIECES = st.sampled_from(
    [*HINTS, *SIGNS, "2026-08-01", "2026-8-1", *"()[]:;'\"-é漢\n ", "user", "Kept", "type: ", "a"]
)


def _slowly(text):
    signed = any(sign in text for sign in SIGNS) or re.search(r"20\d\d-\d\d-\d\d", text)
    return bool(signed) and any(hint in text for hint in HINTS)


def _cut(pieces, first, last):
    return "".join(pieces)[first : last or None]


@settings(max_examples=500)
@given(st.builds(_cut, st.lists(PIECES, max_size=8), st.integers(0, 3), st.integers(-3, 0)))
def test_any_mixture_of_signs_and_hints_is_judged_as_by_looking_for_each(text):
    assert may_hold_ours(text) == _slowly(text)


def test_each_hint_counts_beside_each_sign():
    for hint in HINTS:
        for sign in (*SIGNS, "2026-08-01"):
            assert may_hold_ours(f"x {sign} y {hint} z"), (hint, sign)


def test_every_text_of_the_transcripts_is_judged_so():
    for path in sorted(TRANSCRIPTS.rglob("*.jsonl"))[:60]:
        for _, record in Lines(path):
            for text in _texts(record):
                assert may_hold_ours(text) == _slowly(text), path


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
