"""Names, slugs, ids and token estimates: what is the same, and what stays apart."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scry.text import (
    clean_prose,
    estimate_tokens,
    is_safe_name,
    normalise_name,
    one_line,
    parse_time,
    short_hash,
    slug_of,
)

APART = """C C++ C# v1 v2 v1.2 v12 db1 db2 db11 hermes hermes-ops hermes2 §6.4 #64 64 zoe zoë
北京 東京 Жук owner/repo owner-repo con prn ../a a .hidden hidden -x x 🫖 Qwen3.8-27B Qwen38-27B""".split()


def test_names_that_differ_never_share_a_slug():
    slugs = {name: slug_of(name) for name in APART}
    assert len(set(slugs.values())) == len({normalise_name(name) for name in APART}) == len(APART)


@pytest.mark.parametrize(
    "name", ["Mac mini", "mac-mini", "MAC_MINI", "the Mac  mini", " Mac mini "]
)
def test_spellings_of_one_name_share_a_slug(name):
    assert slug_of(name) == "mac-mini"


@given(st.text(max_size=150))
def test_a_slug_is_a_safe_file_name_on_every_system(name):
    slug = slug_of(name)
    assert re.fullmatch(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", slug)
    assert len(slug) <= 100
    assert ".." not in slug
    assert "--" not in slug
    assert slug.split(".")[0] not in {"con", "prn", "aux", "nul", "com1", "lpt1"}


@given(st.text(max_size=60))
def test_a_slug_does_not_depend_on_case_or_spacing(name):
    assert slug_of(f"  {name}  ") == slug_of(name)
    assert slug_of(name.casefold()) == slug_of(name)


def test_an_id_begins_with_a_letter_and_has_the_length_that_was_asked_for():
    ids = [short_hash("x", str(n)) for n in range(2000)]
    assert all(re.fullmatch(r"[a-z][a-z0-9]{9}", i) for i in ids)
    assert len(set(ids)) == 2000


@given(st.lists(st.text(), min_size=2, max_size=2))
def test_the_parts_of_an_id_do_not_run_together(parts):
    if "\x1f" not in "".join(parts) and parts[0] and parts[1]:
        assert short_hash(*parts) != short_hash("".join(parts))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        pytest.param("The quick brown fox jumps over the lazy dog. " * 20, 180, 240, id="English"),
        pytest.param("昨晚把服务迁移到了新的机器上" * 20, 200, 320, id="Chinese"),
        pytest.param("2026-08-01T09:30:00Z k3v9m2ab7q " * 20, 300, 560, id="ids and times"),
        pytest.param("", 0, 0, id="nothing"),
    ],
)
def test_tokens_are_estimated_within_reason(text, low, high):
    assert low <= estimate_tokens(text) <= high


@pytest.mark.parametrize(
    "name", ["man in the middle", "the man in the middle", "The the Man_in-the Middle"]
)
def test_only_an_article_in_front_does_not_count(name):
    assert slug_of(name) == "man-in-the-middle"


@given(st.lists(st.sampled_from(["the", "The", "a", "db", "C++", "é", "望", "1.2"]), min_size=1))
def test_a_slug_is_the_slug_of_itself(words):
    once = slug_of(" ".join(words))
    assert slug_of(once) == once


@given(st.text(max_size=300), st.text(max_size=300))
def test_more_text_is_never_fewer_tokens(a, b):
    assert estimate_tokens(a + "\n" + b) >= max(estimate_tokens(a), estimate_tokens(b)) - 1


@given(st.text(max_size=300))
def test_cleaned_prose_cannot_steer_a_terminal_and_cleaning_again_changes_nothing(text):
    clean = clean_prose(text)
    assert is_safe_name(clean.replace("\n", " ").replace("\t", " "))
    assert clean_prose(clean) == clean


def test_one_line_is_cut_with_a_mark():
    assert one_line("a\nb" + "c" * 50, 10) == "a bcccccc…"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-08-01", "2026-08-01T00:00:00+00:00"),
        ("2026-08-01T09:30:00+02:00", "2026-08-01T07:30:00+00:00"),
        ("2026-08-01T09:30:00.999Z", "2026-08-01T09:30:00+00:00"),
        ("0001-01-01T00:00:00+14:00", None),
        ("soon", None),
    ],
)
def test_times_are_read_in_utc_or_not_at_all(text, moment):
    found = parse_time(text)
    assert (found.isoformat() if found else None) == moment
