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
    # Of it the first characters stay, whole ones.
    rb'((?:[^"\\\x80-\xff]|\\.|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}'
    rb'|[\xf0-\xf4][\x80-\xbf]{3}){0,64})((?:[^"\\]++|\\.)*+)',
    re.DOTALL,
)
_BEGUN = re.compile(rb"[\xc2-\xf4][\x80-\xbf]*\Z")


def rest_of_line(first: bytes, file: BinaryIO) -> bytes:
    """Read on where the first `LARGE` bytes of a line were read; the payload goes while it comes in.

    So a very long line is never whole in memory.
    """
    if first.endswith(b"\n"):
        return first
    line, limit = bytearray(first), 0
    while piece := file.readline(LARGE):
        line += piece
        if len(line) > limit:
            line = _without_payload(line)
            limit = 2 * max(len(line), LARGE)
        if piece.endswith(b"\n"):
            break
    return bytes(_without_payload(line))


def _without_payload(line: bytearray) -> bytearray:
    return bytearray(_PAYLOAD.sub(_shortened, line))


def _shortened(found: re.Match[bytes]) -> bytes:
    if len(found[3]) < _LONG:
        return found[0]
    # The line may go on in the middle of a character.
    begun = _BEGUN.search(found[3][-4:])
    return found[1] + found[2] + (begun[0] if begun else b"")
