"""A text as the finders see it: itself, in lower case, and its vocabulary.

The vocabulary is each word once, so it is a tenth of ordinary prose.  A finder asks it first whether what it looks for
can be there at all; that is what makes redaction of ordinary text fast.
"""

import re

from scry.redact.spans import MASK

_LONG = 14


class Page:
    """One text to search, with stars for what stands in its masks: no finder looks into those."""

    __slots__ = ("long", "low", "text", "vocabulary")

    def __init__(self, text: str) -> None:
        if "[REDACTED:" in text:
            text = MASK.sub(_stars, text)
        self.text = text
        low = text.lower()
        self.low = low if len(low) == len(text) else text.replace("İ", "I").lower()
        """In lower case, of the same length, so that places in it are the same."""
        words = frozenset(text.split())
        self.vocabulary = "\n".join(words).lower()
        """What stands between white space, each once, in lower case, a line each."""
        self.long = "\n".join([word for word in words if len(word) >= _LONG])
        """Those long enough to be a token, as they are written."""


def _stars(mask: re.Match[str]) -> str:
    return "[" + "*" * (len(mask[0]) - 2) + "]"
