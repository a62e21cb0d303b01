"""Words are asked once what they could be part of; that saves time and finds the same."""

import base64
import json
import random
import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redact_second_set import negatives, positives

import scry.redact
from scry.redact import clues, redact
from scry.redact.page import Clue, Sheet

_ROWS = [
    base64.b64decode(line).decode().split("\t")[2]
    for line in (Path(__file__).parent / "dev.b64").read_text().split()[1:]
]
_CASES = [case.text for seed in (4, 5) for case in (*positives(seed, 1), *negatives(seed))]
_PIECES = sorted({piece for text in (*_ROWS[::3], *_CASES) for piece in text.split(" ")})


class _Everything(Sheet):
    """A page whose words could all be part of anything."""

    __slots__ = ()

    def __init__(self, text):
        plain = clues.Page(text).text
        super().__init__(plain, {int(clue): plain.split() for clue in Clue})


@pytest.fixture
def thoroughly():
    def redacted(text):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scry.redact, "Page", _Everything)
            patch.setattr(scry.redact, "_harmless", set())
            return redact(text)

    return redacted


def test_the_labelled_texts_come_out_as_if_every_word_had_been_looked_at(thoroughly):
    for text in (*_ROWS[::2], *_CASES[::3], *map(json.dumps, _CASES[::15])):
        assert redact(text) == thoroughly(text)


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_any_mixture_of_their_words_comes_out_the_same(data):
    pieces = data.draw(
        st.lists(st.sampled_from(_PIECES) | st.sampled_from(["İ", "İpassword=x9Kq2Lm81z", "\n"]))
    )
    glue = data.draw(st.sampled_from([" ", "\n", "", "=", ": ", '"']))
    text = glue.join(pieces)[:1_900]

    fast = redact(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scry.redact, "Page", _Everything)
        patch.setattr(scry.redact, "_harmless", set())
        assert redact(text) == fast


def test_what_is_remembered_changes_nothing():
    texts = [*_ROWS[::14], *_CASES[::5]]
    cold = []
    for text in texts:
        for memory in (clues._dull, clues._telling, scry.redact._harmless):
            memory.clear()
        cold.append(redact(text))

    assert [redact(text) for text in texts] == cold
    assert [redact(text) for text in texts] == cold


def test_no_text_that_held_a_secret_is_remembered():
    secret = "Zx81kQ97plm" + "WW2"

    redact(f"password={secret}")

    assert not any(secret in text for text, _ in scry.redact._harmless)
    assert not any(secret in word for word in clues._dull)


def test_memory_of_words_and_texts_has_an_end(monkeypatch):
    monkeypatch.setattr(clues, "_MANY", 3_000)
    monkeypatch.setattr(scry.redact, "_MANY", 40)
    clues._dull.clear()
    scry.redact._harmless.clear()
    for n in range(0, 8_000, 100):
        redact(" ".join(f"w{m}q" for m in range(n, n + 100)))
        redact(f"short text {n}")

    assert len(clues._dull) <= clues._MANY + 100
    assert len(scry.redact._harmless) <= scry.redact._MANY


@pytest.mark.parametrize("end", ["token=", "-mytoken=", "xkey: ", "passwordless=", "_id: "])
@pytest.mark.parametrize("size", [120, 4090, 4095, 4096, 4100, 4700])
def test_what_is_left_of_a_very_long_value_is_looked_at(thoroughly, size, end):
    value = "".join(random.Random(3).choices(string.ascii_letters + string.digits, k=size))
    text = f"password: {value}{end}x8Kq2Lm81zWp5Vt6Rb"

    assert redact(text) == thoroughly(text)
    assert value[:200] not in redact(text)
