"""Text to YAML that every reader reads back as the same text.

A scalar stays plain only where no reader of YAML 1.1 or 1.2 takes it for anything else (`no`,
`1.10`, `12:30`, `0123`, `~`, dates, `<<`); otherwise it is quoted in the manner of JSON.  Times
and numbers, which are typed by the record, are written plain by their callers.

Measured: 2 µs a scalar, where ruamel's emitter needs 1.6 ms a file; and a splice needs a writer
of single lines anyway.  The tests read everything back with PyYAML and with ruamel.
"""

import re

_RESERVED = frozenset("y n yes no on off true false null ~ = <<".split())
_PLAIN = re.compile(
    r"(?:[A-Za-z_0-9$(\u00a1-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\uffef]|[~./](?=[A-Za-z/])).*\Z"
)
_NOT_PLAIN = re.compile(
    r": | #|:\Z|[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]"
)
_NUMBER_LIKE = re.compile(
    r"[-+.]?[0-9][-+0-9_.,:eEtTzZ ]*\Z|0[xXoObB]|\.(?:inf|nan)\b", re.IGNORECASE
)
_FLOW_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*\Z")
_ESCAPED = re.compile(
    r'["\\\x00-\x1f\x7f-\x9f\xa0\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]'
)
_LETTERS = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def scalar(text: str) -> str:
    """Return a text as a YAML scalar on one line.

    >>> scalar("Mac mini"), scalar("no"), scalar("1.10"), scalar("a: b")
    ('Mac mini', '"no"', '"1.10"', '"a: b"')
    """
    plain = (
        _PLAIN.match(text)
        and not _NOT_PLAIN.search(text)
        and not _NUMBER_LIKE.match(text)
        and text.lower() not in _RESERVED
        and text == text.strip()
    )
    return text if plain else quoted(text)


def quoted(text: str) -> str:
    """Return a text in double quotes, with everything escaped that is not printable."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def flow_item(text: str) -> str:
    """Return a text as an item of `[a, b]`."""
    return text if _FLOW_PLAIN.match(text) and text.lower() not in _RESERVED else quoted(text)


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    if char in _LETTERS:
        return _LETTERS[char]
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"  # A letter that was cut in two; it cannot be written.
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
