"""Where the one object of a reply is, and when there is none."""

import json
import time

import pytest

from scry.errors import BadReplyError
from scry.extract.find import MAX_BYTES, decode_reply, find_object

GOOD = {"episode_summary": "s", "entities": [], "facts": []}
TEXT = json.dumps(GOOD)
OTHER = json.dumps(GOOD | {"episode_summary": "t"})


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"\ufeff{TEXT}", id="byte order mark"),
        pytest.param(f"```JSON\r\n{TEXT}\r\n```", id="upper-case fence with CRLF"),
        pytest.param(f"```json\n{TEXT}", id="fence that never closes"),
        pytest.param(
            f"Sure {{here}} it is {{}}:\n{TEXT}\nAnything {{else}}?", id="prose with braces"
        ),
        pytest.param(f"{TEXT}\n\nAgain:\n{TEXT}", id="the same twice"),
        pytest.param(f"<think>maybe {OTHER}</think>\n{TEXT}", id="thinking before"),
        pytest.param(
            f"  <Reasoning effort='high'>x</reasoning >{TEXT}", id="thinking with attributes"
        ),
        pytest.param(f'The schema {{"properties": {OTHER}}} gives {TEXT}', id="an echoed schema"),
        pytest.param(
            json.dumps(GOOD | {"episode_summary": "```\n{}\n```"}), id="fence in a string"
        ),
        pytest.param(json.dumps(GOOD | {"trust": "high"}), id="more keys"),
    ],
)
def test_the_one_object_is_found(text):
    found = find_object(text)
    assert found["entities"] == found["facts"] == []
    assert found["episode_summary"] != "t"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("", "empty", id="nothing"),
        pytest.param(" \n\t", "empty", id="white space"),
        pytest.param("null", "not an object", id="null"),
        pytest.param("{}", "not an object", id="an empty object"),
        pytest.param(f"[{TEXT}]", "not an object", id="a list around it"),
        pytest.param(json.dumps({"result": GOOD}), "not an object", id="an object around it"),
        pytest.param(f"Here: {json.dumps({'result': GOOD})}", "no complete", id="an object around it, in prose"),
        pytest.param(json.dumps(TEXT), "not an object", id="JSON in a string"),
        pytest.param(f"{TEXT}\n{OTHER}", "two different", id="two answers"),
        pytest.param(TEXT[:-1], "no complete", id="one brace short"),
        pytest.param(TEXT.replace("[]}", "[],}"), "no complete", id="trailing comma"),
        pytest.param(TEXT.replace('"', "'"), "no complete", id="single quotes"),
        pytest.param(TEXT.replace("{", "{ // a\n"), "no complete", id="a comment"),
        pytest.param(TEXT.replace('"s"', "NaN"), "strict", id="NaN"),
        pytest.param(TEXT.replace('"s"', '"s", "episode_summary": "t"'), "strict", id="a key twice"),
        pytest.param(TEXT.replace('"s"', r'"\mathbf"'), "no complete", id="a bad escape"),
        pytest.param(TEXT.replace('"s"', "9" * 5000), "strict", id="a bomb of digits"),
        pytest.param('{"a":' * 100_000, "too deeply", id="a bomb of braces"),
        pytest.param("[" * 100_000, "too deeply", id="a bomb of brackets"),
        pytest.param(f"<think>hm {TEXT}", "inside its own thinking", id="thinking that never ends"),
        pytest.param("<think>hm</think>", "empty", id="only thinking"),
        pytest.param("I cannot help with that.", "no complete", id="a refusal"),
        pytest.param('{"a": 1}\n{"b": 2}', "no complete", id="JSON lines"),
        pytest.param(TEXT + " " * MAX_BYTES, "limit", id="over a megabyte"),
    ],
)  # fmt: skip
def test_there_is_no_answer_in(text, why):
    with pytest.raises(BadReplyError, match=why):
        find_object(text)


def test_a_tangle_of_braces_is_given_up_before_it_takes_long():
    nested = '{"a":[' * 300 + "1," * 400_000
    began = time.process_time()
    with pytest.raises(BadReplyError):
        find_object("x " + nested)
    assert time.process_time() - began < 3


def test_a_reply_is_utf_8_and_at_most_a_megabyte():
    assert decode_reply("é".encode()) == "é"
    for raw in ("é".encode("latin-1"), TEXT.encode("utf-16"), b"x" * (MAX_BYTES + 1)):
        with pytest.raises(BadReplyError):
            decode_reply(raw)
