"""What looks like a name, told from the words alone.

A word that no text of the store knows is a name if it has the form of one (digits, quotes, a
capital inside a sentence), or stands where a name stands: "the port of wombat", not "of the
wombat" and not "of wombats".
"""

import re

from scry.asking import is_plain


def has_name_shape(token: str, query: str) -> bool:
    """Say whether a word has the form of a name: with digits, joined, quoted or capitalised."""
    if re.fullmatch(r"[\d.:/-]+", token) or "/" in token:
        return False
    if re.search(r"\d", token) and not re.fullmatch(r"\d+\w{1,3}", token):
        return True
    place = re.search(re.escape(token), query, re.IGNORECASE)
    if place is None:
        return False
    written, before = place[0], query[: place.start()].rstrip(" ")
    capital = any(c.isupper() for c in written) and bool(before) and before[-1] not in ".?!:"
    return capital or (query[max(0, place.start() - 1)] in "`'\"“‘" and bool(before))


def stands_as_name(token: str, query: str) -> bool:
    """Say whether a word stands where a name stands: no article before it, no noun beside it."""
    if token.endswith("s") or (len(token) < 4 and not token.isupper()):
        return False
    joined = re.search(r"[-_]", token)
    pattern = rf"(?:^|[\s(])([\w'’]+) {re.escape(token)}(?:['’]s)?(?:[?.!,)]|\s+(\w+)|\s*$)"
    place = re.search(pattern, query, re.IGNORECASE)
    if place is None:
        return False
    before, after = place[1].casefold(), (place[2] or "").casefold()
    led = before in _LEADING
    return led and (bool(joined) or not after or is_plain(after))


_LEADING = frozenset(
    "of for about does is did has was do can will should does on to with in from by behind at against"
    " are were had ping call ask restart reach restore recover deploy run start see".split()
)


def is_one_slip(wrong: str, right: str) -> bool:
    """Say whether one letter inside a word was changed, dropped, doubled, or swapped with its next.

    >>> [is_one_slip(w, "hermes") for w in ("hremes", "hermmes", "hermess", "hermes2", "ermes")]
    [True, True, False, False, False]
    """
    if abs(len(wrong) - len(right)) > 1 or min(len(wrong), len(right)) < 5:
        return False
    if wrong.startswith(right) or right.startswith(wrong):
        return False
    if (wrong[0], wrong[-1]) != (right[0], right[-1]) or not (wrong + right).isalpha():
        return False
    start = next(i for i in range(len(wrong)) if wrong[: i + 1] != right[: i + 1])
    a, b = wrong[start:], right[start:]
    if len(a) == len(b):
        return a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
    return a[1:] == b or a == b[1:]
