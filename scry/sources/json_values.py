r"""Values in JSON, read by a fast parser, and by a patient one where the fast one refuses.

    {"a": 1}                                the fast one
    {"a": NaN}, "\ud800", a raw tab, ...    the patient one

Both give the same for what both can read: a whole number that 64 bits do not hold is a float to
the fast one, so it is one to the other too.
"""

import json
from typing import Any, cast

import orjson

Record = dict[str, Any]

_LARGEST = 10_000_000
"""Bytes of a line up to which the fast parser is asked: it keeps a copy while it reads."""


def _whole_number(digits: str) -> int | float:
    value = int(digits)
    return value if -(1 << 63) <= value < 1 << 64 else float(digits)


DECODER = json.JSONDecoder(strict=False, parse_int=cast("Any", _whole_number))
"""The patient one; raw control characters in strings do occur."""


def sound_record(raw: bytes) -> Record | None:
    """Return the one object that a line holds, as nearly every line does, else None."""
    try:
        value = orjson.loads(raw) if len(raw) < _LARGEST else None
    except ValueError:
        return None
    return value if type(value) is dict else None


def parsed(text: str) -> object:
    """Return the value of a text in JSON.

    Raises:
        ValueError: it is none.
        RecursionError: it is nested too deeply.
    """
    try:
        return orjson.loads(text)
    except ValueError:
        return json.loads(text, parse_int=cast("Any", _whole_number))
