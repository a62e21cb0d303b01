"""Lines as bytes, of which a few are a hundred megabytes: a picture, or all that a tool printed.

Such payload is never read, so it is cut short while the line comes in: the line is never whole in
memory.  Words of a person or of the model are never cut, however long they are.
"""

import re
from typing import BinaryIO

LARGE = 1_000_000
"""Bytes of a line up to which it is taken as it is."""
_LONG = 65_536
"""Bytes of payload in one string from which it is cut."""
# What a tool printed and pictures, never read: cut short in very long lines as they come in.  The
# result of a tool may hold the user's words when it begins like a refusal or an answered form.
_PAYLOAD = re.compile(
    rb'("(?:data|base64|stdout|stderr|originalFile|image_url|encrypted_content|signature|thinking'
    rb'|aggregated_output|formatted_output|old_string|new_string|oldString|newString)"\s*:\s*"'
    rb'|"type"\s*:\s*"tool_result"\s*,\s*"content"\s*:\s*"(?!The user|User |Your ))'
    rb'((?:[^"\\]|\\.){64})((?:[^"\\]++|\\.)*+)',
    re.DOTALL,
)


def next_line(file: BinaryIO) -> bytes | bytearray:
    """Read one line; of a very long one the payload goes while it comes in, so it is never whole."""
    raw = file.readline(LARGE)
    if len(raw) < LARGE or raw.endswith(b"\n"):
        return raw
    line, limit = bytearray(raw), 0
    while piece := file.readline(LARGE):
        line += piece
        if len(line) > limit:
            line = _without_payload(line)
            limit = 2 * max(len(line), LARGE)
        if piece.endswith(b"\n"):
            break
    return _without_payload(line)


def _without_payload(line: bytearray) -> bytearray:
    return bytearray(_PAYLOAD.sub(lambda m: m[0] if len(m[3]) < _LONG else m[1] + m[2], line))
