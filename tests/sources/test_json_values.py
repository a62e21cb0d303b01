"""The fast parser and the patient one: whichever reads a line, the same comes out of it."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scry.sources import jsonl
from scry.sources.json_values import DECODER, parsed, sound_record
from scry.sources.jsonl import Lines

NUMBERS = (
    *("0", "-0", "-0.0", "1e400", "-1e400", "1e-400", "1E5", "0.1234567890123456789", "NaN"),
    *("Infinity", "-Infinity", "01", "1.", ".5", "+1", "-", "1" * 400, "1" * 5_000),
    *map(str, (2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**25)),
)
STRINGS = (
    *('"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"a\tb"', '"\x7f\u2028\x85"', '"\\x41"'),
    *('"\\u0000"', '"\\/"', '"é漢😀"', '"', '""', '"{\\"a\\": 1}"'),
)
TEXTS = st.recursive(
    st.sampled_from((*NUMBERS, *STRINGS, "null", "true", "false", "nul"))
    | st.floats().map(json.dumps)
    | st.integers().map(json.dumps)
    | st.text().map(json.dumps),
    lambda inner: (
        st.lists(inner, max_size=4).map(lambda parts: f"[{', '.join(parts)}]")
        | st.lists(st.tuples(st.sampled_from(['"a"', '"b"', '"é"']), inner), max_size=4).map(
            lambda pairs: f"{{{','.join(f'{key}: {value}' for key, value in pairs)}}}"
        )
    ),
    max_leaves=12,
)
BREAKS = st.sampled_from(
    [
        b"",
        b"\n",
        b"\r\n",
        b"\0",
        bytes(16),
        b"\xff",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b" ",
        b"{",
        b"}",
    ]
)


def _read(path):
    lines = Lines(path)
    # The form in which values are shown tells a float from a number, and -0.0 from 0.
    return [repr(record) for record in lines], lines.problems, lines.count


def _both_ways(path):
    fast = _read(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "sound_record", lambda _raw: None)
        return fast, _read(path)


LINES = st.lists(TEXTS.map(lambda text: f'{{"v": {text}, "v": {text}}}') | TEXTS, max_size=4)


@settings(max_examples=200, deadline=None)
@given(texts=LINES, data=st.data())
def test_lines_whole_glued_and_damaged_hold_the_same_for_both_parsers(
    texts, data, tmp_path_factory
):
    body = data.draw(BREAKS).join(text.encode("utf-8", "surrogatepass") for text in texts)
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(body)))
        body = body[:at] + data.draw(BREAKS) + body[at + data.draw(st.integers(0, 2)) :]
    path = tmp_path_factory.mktemp("lines") / "s.jsonl"
    path.write_bytes(body)

    fast, slow = _both_ways(path)

    assert fast == slow


@settings(deadline=None)
@given(TEXTS)
@example("1" * 5_000)
def test_a_text_holds_the_same_for_both_parsers_or_is_no_json_to_either(text):
    try:
        patient = repr(DECODER.decode(text))
    except ValueError:
        patient = None
    try:
        fast = repr(parsed(text))
    except ValueError:
        fast = None

    # Raw control characters stand in lines, never in a text that is a value of one.
    assert fast == patient or (fast is None and any(c < " " for c in text))


@pytest.mark.parametrize("depth", [100, 3_000])
def test_what_is_nested_too_deeply_for_one_is_so_for_the_other(depth, tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text('{"v": ' + "[" * depth + "]" * depth + '}\n{"a": 1}\n')

    fast, slow = _both_ways(path)

    assert fast == slow
    assert bool(fast[1]) == (depth > 1_000)


def test_a_number_that_64_bits_do_not_hold_is_a_float():
    assert sound_record(b'{"n": 18446744073709551615}') == {"n": 2**64 - 1}
    assert repr(sound_record(b'{"n": 18446744073709551616}')) == "{'n': 1.8446744073709552e+19}"
    assert repr(DECODER.decode('{"n": 18446744073709551616}')) == "{'n': 1.8446744073709552e+19}"


@pytest.mark.parametrize(
    "line", [b"", b"\n", b"[1]", b"3", b'{"a": 1} {"b": 2}', b'{"a": NaN}', b'{"a"']
)
def test_the_fast_parser_takes_only_a_line_that_holds_one_sound_object(line):
    assert sound_record(line) is None
    assert sound_record(b' {"a": [1, "x"]}\r\n') == {"a": [1, "x"]}
