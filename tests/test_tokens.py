"""The estimate of tokens is counted by operations on whole texts; here is what they count."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from scry.text import estimate_tokens

_PIECES = re.compile(r"[A-Za-z]{1,7}|[0-9]{1,3}|\s*\n|[^\sA-Za-z0-9]")
_BEYOND = re.compile(r"[^\x00-\x7f\s]")
_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_LETTERS = st.sampled_from(
    [*"abcXY019 _-.,\n\r\t\x1c\x1f\x00\x85\xa0", *"\u3000\u2003\u2e80漢가！é—\U0001f600"]
)


def _counted(text):
    narrow = len(_BEYOND.findall(text)) - len(_WIDE.findall(text))
    return len(_PIECES.findall(text)) - narrow // 2


@given(st.text() | st.text(_LETTERS) | st.text("ab12 \n-"))
@example("a" * 15 + "1234567" + "b" * 7 + "\n \n\t\n x")
@example("\ud800 half a character")
def test_the_estimate_counts_letters_by_sevens_digits_by_threes_line_ends_and_signs(text):
    assert estimate_tokens(text) == _counted(text)


def test_every_character_is_counted_as_what_it_is():
    for start in range(0, 0x30000, 0x100):
        text = " a ".join(map(chr, range(start, start + 0x100)))
        assert estimate_tokens(text) == _counted(text), hex(start)
