"""What is said of each source: what it found, what gave words, and what did not, and why."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scry.yields import Left, Tally, read_skipped, read_tallies, skipped_text, tallies_text, yields

VERIFIED = {"claude": True, "cursor": False, "notes": True}


def lines(tallies, skipped=()):
    left = {str(n): one for n, one in enumerate(skipped)}
    return [str(y) for y in yields(tallies_text(tallies), skipped_text(left), VERIFIED)]


def test_a_source_that_gave_words_says_how_many():
    tallies = {"claude": Tally(1200, 1200, 0)}
    assert lines(tallies) == ["claude: 1,200 found, 1,200 gave words"]


def test_a_source_without_words_is_shown_with_the_reason_and_a_suspicion():
    skipped = [Left("cursor", f"~/{n}", "metadata-only") for n in range(12)]

    (line,) = lines({"cursor": Tally(12, 0, 12)}, skipped)
    assert line == (
        "cursor (unverified): 12 found, 0 gave words, 12 skipped (metadata-only); "
        "its format may have changed"
    )


def test_a_few_without_words_are_no_suspicion():
    skipped = [Left("claude", "~/1", "too small"), Left("claude", "~/2", "empty")]
    assert lines({"claude": Tally(2, 0, 2)}, skipped) == [
        "claude: 2 found, 0 gave words, 2 skipped"
    ]


def test_transcripts_that_nobody_may_look_into_say_nothing_about_a_format():
    skipped = [Left("claude", f"~/{n}", "excluded by sources.exclude: ~/x") for n in range(9)]
    assert "format" not in lines({"claude": Tally(9, 0, 9)}, skipped)[0]


def test_what_is_still_being_written_is_counted_apart():
    assert lines({"claude": Tally(3, 1, 0)}) == ["claude: 3 found, 1 gave words, 2 not read yet"]


def test_sources_stand_in_their_order_and_those_without_transcripts_are_left_out():
    tallies = {"notes": Tally(1, 1), "other": Tally(1, 1), "claude": Tally(1, 1), "cursor": Tally()}
    assert [line.partition(":")[0] for line in lines(tallies)] == ["claude", "notes", "other"]


def test_json_names_every_transcript_that_was_skipped():
    left = skipped_text(
        {"k": Left("cursor", "~/b", "empty"), "l": Left("cursor", "~/a", "too small")}
    )
    (source,) = yields(
        tallies_text({"cursor": Tally(3, 1, 2, "2026-08-01T09:00:00Z")}), left, VERIFIED
    )

    assert source.json() == {
        "name": "cursor",
        "verified": False,
        "found": 3,
        "held": 1,
        "last": "2026-08-01T09:00:00Z",
        "skipped": [{"path": "~/a", "reason": "too small"}, {"path": "~/b", "reason": "empty"}],
    }


@given(st.dictionaries(st.text(), st.builds(Tally, *[st.integers(0, 9)] * 3, st.text())))
def test_counts_survive_their_note(tallies):
    assert read_tallies(tallies_text(tallies)) == tallies


@given(st.dictionaries(st.text(), st.builds(Left, st.text(), st.text(), st.text())))
def test_reasons_survive_their_note(skipped):
    assert read_skipped(skipped_text(skipped)) == skipped


@pytest.mark.parametrize("read", [read_tallies, read_skipped])
@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", "3", '{"a": 1}', '{"a": ["b"]}', '{"a": {"found": "x"}}', "[" * 100_000],
)
def test_a_spoilt_note_is_an_empty_one(read, text):
    assert read(text) == {}


def test_what_is_right_in_a_note_is_used_beside_what_is_spoilt():
    text = json.dumps({"a": 1, "claude": {"found": 1, "held": 1, "skipped": 0}})
    assert read_tallies(text) == {"claude": Tally(1, 1, 0)}
