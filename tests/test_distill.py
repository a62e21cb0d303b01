"""From events to turns: speech in order, breadcrumbs in brackets, nothing else."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from scry.distill import cut_long, distill, too_small
from scry.model import Did, Mark, Redacted, Said, Transcript
from scry.text import estimate_tokens

AT = datetime(2026, 8, 1, 9, tzinfo=UTC)


def said(line, role, text, **more):
    return Said(at=AT + timedelta(minutes=line), line=line, role=role, text=text, **more)


def did(line, verb, target=""):
    return Did(at=AT, line=line, verb=verb, target=target)


def turns_of(*events):
    transcript = Transcript(
        source="claude", path=Path("t.jsonl"), session="s", events=events, lines=50
    )
    return distill(transcript, Redacted)


def test_what_the_agent_did_follows_what_it_said_in_brackets():
    turns = turns_of(
        said(1, "user", "make it green"),
        said(2, "assistant", "I look."),
        did(3, "read", "a.py"),
        did(4, "ran tests", "pytest"),
        did(5, "ran tests", "pytest"),
        said(6, "assistant", "Done."),
    )
    assert [(t.role, t.text, t.first) for t in turns] == [
        ("user", "make it green", True),
        ("assistant", "I look. [ran tests: pytest ×2, read: a.py]", True),
        ("assistant", "Done.", False),
    ]
    assert [(t.line, t.last) for t in turns] == [(1, 1), (2, 5), (6, 6)]


def test_a_tool_used_before_anybody_speaks_is_a_turn_of_the_model():
    turns = turns_of(said(1, "user", "go"), did(2, "ran git push"), said(3, "user", "thanks"))
    assert [(t.role, t.text, t.weight) for t in turns][1] == ("assistant", "[ran git push]", 0)


def test_an_interruption_and_a_compaction_leave_a_mark():
    turns = turns_of(
        said(1, "user", "go"),
        Mark(at=AT, line=2, kind="interrupted"),
        said(3, "assistant", "Oh."),
        Mark(at=AT, line=4, kind="compacted"),
    )
    assert [t.text for t in turns] == ["go [user interrupted]", "Oh. [context compacted]"]


def test_secrets_are_taken_out_of_a_part_as_a_whole_and_do_not_change_its_weight():
    long = "the key is KEY " + "word " * 9000
    transcript = Transcript(
        source="claude", path=Path("t"), session="s", events=(said(1, "user", long),)
    )
    turns = distill(transcript, lambda text: Redacted(text.replace("KEY", "[REDACTED:x]")))
    assert len(turns) > 1
    assert "KEY" not in " ".join(t.text for t in turns).replace("[REDACTED:x]", "")
    assert sum(t.weight for t in turns) >= 9000


def test_a_secret_that_a_cut_would_split_is_taken_out_whole():
    half = "word " * 3998
    speech = f"{half}\n\nBEGIN {half}\n\nEND rest"
    transcript = Transcript(
        source="claude", path=Path("t"), session="s", events=(said(1, "user", speech),)
    )

    def redact(text):
        start, end = text.find("BEGIN"), text.find("END")
        return Redacted(text if start < 0 or end < 0 else text[:start] + "[X]" + text[end + 3 :])

    turns = distill(transcript, redact)
    assert "BEGIN" not in "".join(t.text for t in turns)


def test_the_same_words_twice_are_two_parts_with_two_ids():
    turns = turns_of(said(1, "user", "again"), said(2, "assistant", "ok"), said(3, "user", "again"))
    assert len({t.uid for t in turns}) == 3


def test_a_part_without_a_time_gets_that_of_the_one_before():
    late = Said(at=None, line=2, role="assistant", text="ok")
    turns = turns_of(said(1, "user", "go"), late)
    assert turns[1].at == turns[0].at


def test_words_from_a_side_file_stand_where_they_were_said_and_stay_there():
    aside = said(2, "user", "which port?", file="aside.jsonl", kind="btw")
    events = (said(1, "user", "go"), said(3, "assistant", "Done."))
    turns = turns_of(*events, aside)
    assert [t.text for t in turns] == ["go", "which port?", "Done."]
    assert turns[1].line == 1_000_002
    grown = turns_of(*events, said(4, "user", "more"), aside)
    assert grown[:3] == turns


def test_words_that_were_taken_back_keep_their_place_and_are_gone():
    events = (said(1, "user", "paint it red", kind="rolled back"), said(2, "user", "paint it blue"))
    turns = turns_of(*events)
    assert [t.text for t in turns] == ["[rolled back]", "paint it blue"]
    assert turns[0].uid == turns_of(said(1, "user", "paint it red"))[0].uid


def test_a_session_without_words_of_a_user_is_skipped_with_a_reason():
    assert too_small(turns_of(said(1, "assistant", "hello " * 50))) == "no words of a user"


def test_a_tiny_session_is_skipped_but_never_what_a_user_asked_to_remember():
    assert too_small(turns_of(said(1, "user", "hi"))).startswith("too small")
    assert too_small(turns_of(said(1, "user", "tabs, not spaces", kind="memory"))) == ""


@given(st.text(max_size=4000), st.integers(20, 200))
def test_cutting_long_speech_loses_no_word(text, largest):
    pieces = list(cut_long(text, largest))
    assert "".join("".join(pieces).split()) == "".join(text.split())


@given(st.lists(st.text(alphabet="abc \n", max_size=200), max_size=30), st.integers(30, 80))
def test_pieces_of_prose_fit(paragraphs, largest):
    for piece in cut_long("\n\n".join(paragraphs), largest):
        assert estimate_tokens(piece) <= largest
