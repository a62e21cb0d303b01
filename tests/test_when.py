"""Times as people give them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scry.text import iso
from scry.when import read_time

NOW = datetime(2026, 3, 31, 12, 30, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        pytest.param("2026-08-01", "2026-08-01T00:00:00Z", id="a day"),
        pytest.param("2026-08-01T09:30:00Z", "2026-08-01T09:30:00Z", id="RFC 3339"),
        pytest.param("2026-08-01T09:30:00+02:00", "2026-08-01T07:30:00Z", id="another zone"),
        pytest.param("2026-08-01 09:30", "2026-08-01T09:30:00Z", id="a blank for the T"),
        pytest.param("2026-08", "2026-08-01T00:00:00Z", id="a month"),
        pytest.param("2025", "2025-01-01T00:00:00Z", id="a year"),
        pytest.param("today", "2026-03-31T00:00:00Z", id="today"),
        pytest.param(" Yesterday ", "2026-03-30T00:00:00Z", id="yesterday"),
        pytest.param("now", "2026-03-31T12:30:15Z", id="now"),
        pytest.param("2 weeks ago", "2026-03-17T12:30:15Z", id="weeks"),
        pytest.param("3 days ago", "2026-03-28T12:30:15Z", id="days"),
        pytest.param("a week ago", "2026-03-24T12:30:15Z", id="a week"),
        pytest.param("2h ago", "2026-03-31T10:30:15Z", id="hours, short"),
        pytest.param("1 month ago", "2026-02-28T12:30:15Z", id="a month that is shorter"),
        pytest.param("last year", "2025-03-31T12:30:15Z", id="last year"),
    ],
)
def test_a_time_is_read_as_people_mean_it(text: str, moment: str) -> None:
    found = read_time(text, NOW)

    assert found is not None
    assert iso(found) == moment


@pytest.mark.parametrize(
    "text", ["", "soon", "5 parsecs ago", "2026-13", "0000", "99-1", "999999 years ago", "HEAD~2"]
)
def test_what_is_no_time_gives_none(text: str) -> None:
    assert read_time(text, NOW) is None


def test_now_may_be_given_in_any_zone() -> None:
    there = NOW.astimezone(timezone(timedelta(hours=-11)))

    assert read_time("today", there) == read_time("today", NOW)


@given(st.text(max_size=40))
def test_any_text_is_a_moment_in_utc_or_none(text: str) -> None:
    found = read_time(text, NOW)

    assert found is None or found.utcoffset() == timedelta(0)


@given(st.integers(0, 999_999), st.sampled_from(["hour", "day", "week", "month", "year"]))
def test_an_age_lies_in_the_past_or_before_all_calendars(count: int, unit: str) -> None:
    found = read_time(f"{count} {unit}s ago", NOW)

    assert found is None or found <= NOW
