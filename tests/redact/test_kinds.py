"""Every row of the table of shapes finds the tokens that it describes, and leaves their blanked-out forms."""

import random
import re
import re._parser as sre
import string

import pytest

from scry.redact import redact
from scry.redact.kinds import SHAPES

_CATEGORIES = {
    sre.CATEGORY_DIGIT: string.digits,
    sre.CATEGORY_WORD: string.ascii_letters + string.digits,
    sre.CATEGORY_NOT_SPACE: string.ascii_letters + string.digits,
}


def _some(pattern: str, rng: random.Random) -> str:
    """Return a text that a pattern of the table matches.  Look-around is left to chance."""
    return "".join(_part(op, argument, rng) for op, argument in sre.parse(pattern))


def _part(op, argument, rng):
    match op:
        case sre.LITERAL:
            return chr(argument)
        case sre.IN:
            return rng.choice("".join(_chars(op, argument) for op, argument in argument))
        case sre.MAX_REPEAT | sre.MIN_REPEAT:
            low, high, inner = argument
            times = rng.randint(low, min(high, low + 6))
            return "".join(_part(o, a, rng) for _ in range(times) for o, a in inner)
        case sre.SUBPATTERN:
            return "".join(_part(o, a, rng) for o, a in argument[-1])
        case sre.BRANCH:
            return "".join(_part(o, a, rng) for o, a in rng.choice(argument[1]))
    return ""


def _chars(op, argument):
    if op is sre.RANGE:
        return "".join(map(chr, range(argument[0], argument[1] + 1)))
    return chr(argument) if op is sre.LITERAL else _CATEGORIES[argument]


def _tokens(shape, count=5):
    rng = random.Random(shape.literal)
    whole = re.compile(f"{shape.head}{re.escape(shape.literal)}{shape.tail}")
    made = 0
    for _ in range(500):
        token = _some(shape.head, rng) + shape.literal + _some(shape.tail, rng)
        if whole.fullmatch(token) and not token.endswith("."):
            yield token
            made += 1
            if made == count:
                return
    pytest.fail(f"no token could be made for {shape}")


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.kind} {shape.literal}")
def test_a_token_of_every_row_is_found_in_prose_and_in_an_address(shape):
    for token in _tokens(shape):
        for text in (
            f"I used {token} for it",
            f"https://example.com/{token}?x=1",
            f'{{"a": "{token}"}}',
        ):
            assert token not in redact(text)


@pytest.mark.parametrize(
    "shape", [s for s in SHAPES if s.where == ""], ids=lambda shape: f"{shape.kind} {shape.literal}"
)
def test_a_word_that_only_ends_like_a_token_is_left(shape):
    body = "x" * 40

    assert redact(f"a mon{shape.literal}{body} b") == f"a mon{shape.literal}{body} b"


def test_a_token_that_is_crossed_out_is_left():
    for text in (
        "gh" + "p_" + "x" * 36,
        "sk" + "_live_" + "X" * 24,
        "gl" + "pat-xxxxxxxxxxxxxxxxxxxx",
    ):
        assert redact(text) == text
