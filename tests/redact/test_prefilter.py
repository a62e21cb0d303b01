"""What lets most finders pass a text by never lets a secret pass.

The slow way knows no shortcut: every finder sees the whole text and is told that each word of it
may be part of anything, and every round looks at all of it again.
"""

import base64
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redact_second_set import negatives, positives

import scry.redact
from scry.distill import _clean
from scry.redact import assignments, clues, placing, redact, shapes
from scry.redact.page import Clue
from scry.redact.places import PLACES, Place
from scry.redact.spans import mask
from scry.text import clean_prose

ROWS = (Path(__file__).parent / "dev.b64").read_text().split()[1:]
TEXTS = [
    *(base64.b64decode(row).decode().split("\t")[2].replace("\\n", "\n") for row in ROWS),
    *(case.text for case in positives(11, 1)),
    *(case.text for case in negatives(11, 1)),
]
PROSE = """We moved it to the small machine because the laptop sleeps at night.
ran pytest -q tests/store/test_git.py: 31 passed in 2.41s
The token is read from the environment, see https://docs.example/setup#keys for it.
| name | role |
|------|------|
what the "api" said -- `401`, it's the login -u that failed; 100%
密码 und mật khẩu, пароль, naïve – “quoted”\u200b
export PATH=/usr/local/bin:$PATH
{"id": 7, "user": "jane", "count": 3}""".split("\n")


class EveryClue(clues.Page):
    """A page of which every word gives every clue."""

    __slots__ = ()

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.clues = dict.fromkeys((clue.value for clue in Clue), text.split())


def near(page: EveryClue) -> dict[Place, list[str]]:
    """Return all places of which a trigger stands in a text; its longest word counts when whole."""
    words = set(re.findall(r"[a-z]{3,}", page.low))
    out: dict[Place, list[str]] = {}
    for place in PLACES:
        for trigger in place.triggers:
            own = [] if trigger in placing._BY_SIGN else re.findall(r"[a-z]{3,}", trigger)
            if trigger in page.low and (not own or max(own, key=len) in words):
                out.setdefault(place, []).append(trigger)
    return out


def labels(place: Place, low: str) -> list[int]:
    """Return where any trigger stands, whatever stands before it."""
    return sorted(m.start() for t in place.triggers for m in re.finditer(re.escape(t), low))


def slowly(text: str) -> str:
    """Redact with nothing that spares a finder its work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scry.redact, "Page", EveryClue)
        patch.setattr(placing, "_near", near)
        patch.setattr(placing, "_labels", labels)
        patch.setattr(assignments, "_nouns", lambda low, _w, _t: assignments._NOUN.finditer(low))
        for _ in range(9):
            masked = mask(text, scry.redact._found(text, EveryClue(text), ()), scry.redact.KINDS)
            if masked == text:
                return text
            text = masked
    pytest.fail("there was no end to it")


@pytest.mark.parametrize("part", range(8))
def test_each_labelled_text_is_redacted_as_if_no_finder_were_spared(part):
    for text in TEXTS[part::8]:
        assert redact(text) == slowly(text)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_secrets_between_prose_are_found_as_if_no_finder_were_spared(data):
    some = st.lists(st.sampled_from(TEXTS) | st.sampled_from(PROSE), min_size=1, max_size=9)
    text = data.draw(st.sampled_from((" ", "\n", "\n\n", ", "))).join(data.draw(some))

    assert redact(text) == slowly(text)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_halves_of_secrets_are_found_as_if_no_finder_were_spared(data):
    pieces = []
    for text in data.draw(st.lists(st.sampled_from(TEXTS), min_size=2, max_size=6)):
        first = data.draw(st.integers(0, len(text) - 1))
        pieces += (
            text[first : first + data.draw(st.integers(1, 120))],
            data.draw(st.text(max_size=3)),
        )
    text = "".join(pieces)

    assert redact(text) == slowly(text)


def test_a_trigger_of_several_words_is_found_in_every_script():
    secret = "Xk29" + "fj3kd!"
    for place in PLACES:
        for trigger in place.triggers:
            parts = trigger.split()
            assert any(placing._keys_in.__wrapped__(part) for part in parts), trigger
    assert secret not in redact(f"mật khẩu: {secret}")
    assert secret not in redact(f"le mot de passe est {secret}")


@given(st.text())
def test_text_without_hiding_characters_is_left_as_it_is_and_other_text_is_cleaned(text):
    assert _clean(text) == clean_prose(text)


def test_every_character_that_hides_is_seen():
    every = "".join(map(chr, range(0x110000)))
    kept = set(clean_prose(every))

    hidden = [char for char in every if char not in kept]
    assert len(hidden) > 200
    assert not any(char.isprintable() for char in hidden)
    for char in hidden:
        assert _clean(f"a{char}b") == clean_prose(f"a{char}b") != f"a{char}b"


def test_what_stands_behind_a_token_that_a_line_has_cut_does_not_matter():
    token = "gh" + "p_cOfiV9UMIJ8AfNT5wWkQE"
    for word in ("(so", "so", "> head", "é"):
        clues._dull.clear()
        clues._telling.clear()
        words = f"{token}\n{word}"

        assert 0 in tuple(scry.redact.shapes.clues(words, words.lower())), word


@pytest.mark.parametrize("first", ["pscale_tkn_abcd", "pscale_pw_a1b2", "x-pscale_otk_abcd"])
def test_a_word_that_looks_cut_does_not_hide_the_next_one(first):
    token = "pscale_tkn_" + "QuMYzCf-n2KuPH_ywohE4s7wiFJYv_Q-zVDGk4nfOZ3"
    # Words are looked at together, a line each, in whatever order a set has.
    words = f"{first}\n{token}\nharmless"

    assert len(first) + 1 in list(shapes.clues(words, words.lower()))
