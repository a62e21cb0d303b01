"""Take secrets out of text, before it is cut, stored, sent or shown.

Order matters: redact before chunking.  A key that a chunk's edge cuts in two would be found in neither half.

    kinds   tokens known by their shape               a table; found by `shapes`
    places  secrets known by where they stand         a table; found by `placing`
    names   names that promise a secret               word lists; their values are found by
            `assignments`, read by `reading` and judged by `values`; those of columns are found by `tables`
    blocks  private keys in armour
    encoding, disguise                                what is in base64, wrapped or escaped

Every finder yields spans; `spans` masks them.  A text is redacted until nothing more is found, so redacting twice is
the same as once.  Nothing here reads or writes anything.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from scry.errors import ScryError
from scry.model import Redacted
from scry.redact.assignments import assigned
from scry.redact.blocks import key_blocks
from scry.redact.clues import Page
from scry.redact.disguise import undisguised
from scry.redact.encoding import encoded, manifests
from scry.redact.kinds import SHAPES
from scry.redact.names import NOUNS, Trust, promise_of
from scry.redact.page import Sheet
from scry.redact.places import PLACES
from scry.redact.placing import placed
from scry.redact.shapes import shaped
from scry.redact.spans import Span, lines_with_masks, mask, unspared
from scry.redact.tables import may_hold_tables, tabled
from scry.redact.values import is_secret

__all__ = ["environment_literals", "redact"]

KINDS = frozenset(
    ("literal", "private-key", "encoded", *(s.kind for s in SHAPES), *(p.kind for p in PLACES))
) | {promise.kind for promise in NOUNS.values()}
"""Every kind that a mask may name."""
_SHORTEST_LITERAL, _SHORTEST_DENIED = 6, 3
_MIXED = re.compile(r"(?=.*[A-Za-z])(?=.*[0-9])")
_ROUNDS = 8
_SHORT, _MANY = 200, 4096


class _Lists(NamedTuple):
    """Texts that are masked wherever they stand, the longest first, and texts that never are."""

    masked: tuple[str, ...]
    spared: tuple[str, ...]


_harmless: set[tuple[str, _Lists]] = set()
"""Short texts in which nothing was found: paths, branches and what an agent does come thousands of times."""


def redact(
    text: str,
    *,
    literals: Sequence[str] = (),
    deny: Sequence[str] = (),
    spare: Sequence[str] = (),
) -> Redacted:
    """Return a text in which every secret is masked as `[REDACTED:kind]`.

    `literals` are values known to be secret: they are masked wherever they stand.  Those shorter than 6 characters
    are ignored, for they would tear words apart.  `deny` are texts that somebody wants masked, from 3 characters on;
    `spare` are texts that are never masked, whatever they look like and whoever denies them: nothing is masked that
    lies within one.  The number of lines stays, and what is not secret stays as it is.

    Raises:
        ScryError: redacting failed.  The text must not be used then.

    >>> redact("the password is Tr0ub4dor, as ever")
    'the password is [REDACTED:password], as ever'
    """
    try:
        lists = _lists(tuple(literals), tuple(deny), tuple(spare))
        if len(text) <= _SHORT and (text, lists) in _harmless:
            return Redacted(text)
        out = _settled(text, lists)
    except Exception as error:  # noqa: BLE001  (whatever fails, nothing may come out)
        # The cause may quote the text, so only its name is told.
        raise ScryError(
            f"Redaction failed ({type(error).__name__}), so this text is neither stored nor sent. "
            "Leave the file out, or report its kind of content as a bug."
        ) from None
    if out is None:
        raise ScryError(
            f"Redaction still found secrets after {_ROUNDS} rounds, so this text is neither stored nor sent. "
            "Leave the file out, or report its kind of content as a bug."
        )
    if out == text and len(text) <= _SHORT:
        if len(_harmless) >= _MANY:
            _harmless.clear()
        _harmless.add((text, lists))
    return Redacted(out)


@lru_cache(maxsize=16)
def _lists(literals: tuple[str, ...], deny: tuple[str, ...], spare: tuple[str, ...]) -> _Lists:
    known = [text for text in literals if len(text) >= _SHORTEST_LITERAL]
    known += [text for text in deny if len(text) >= _SHORTEST_DENIED]
    return _Lists(tuple(sorted(set(known), key=lambda x: (-len(x), x))), tuple(filter(None, spare)))


def _settled(text: str, lists: _Lists) -> str | None:
    """Return a text in which no secret is found any more, None when there is no end to it."""
    page = Page(text)
    masked = _masked(text, page, lists)
    for _ in range(_ROUNDS):
        if masked == text:
            return text
        # What a mask changes is how the text around it reads.
        text, masked = masked, "".join(_again(masked, lists))
        if may_hold_tables(page):  # whose heads may stand far above
            found = unspared(tabled(Page(masked)), masked, lists.spared)
            masked = mask(masked, found, KINDS)
    return None


def environment_literals(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values of variables that are named like secrets, the longest first.

    Values of fewer than 8 characters, paths, references and plain words are left out.
    """
    values = {
        value
        for name, value in environ.items()
        if (promise := promise_of(name)) is not None
        and len(value) >= 8
        and "\n" not in value
        and is_secret(value, max(promise.trust, _least_trust(value)), quoted=True)
    }
    return tuple(sorted(values, key=lambda value: (-len(value), value)))


def _least_trust(value: str) -> Trust:
    """Return how sure a variable's name makes us: of letters with digits fully, however wordy they are."""
    return Trust.SURE if _MIXED.match(value) else Trust.NAMED


def _again(text: str, lists: _Lists) -> Iterator[str]:
    """Yield a text in parts, redacted again where masks stand: their lines, and the lines beside those."""
    at = 0
    for first, last in lines_with_masks(text):
        yield text[at:first]
        yield _masked(part := text[first:last], Page(part), lists)
        at = last
    yield text[at:]


def _masked(text: str, page: Page, lists: _Lists) -> str:
    found = _found(text, page, lists.masked)
    return mask(text, unspared(found, text, lists.spared), KINDS)


def _found(text: str, page: Page, literals: Sequence[str] = ()) -> Iterator[Span]:
    for literal in literals:
        if literal in text:
            yield from (
                Span(*m.span(), "literal", 1) for m in re.finditer(re.escape(literal), text)
            )
    if page.clues:  # No other finder looks at a page whose words give none.
        yield from _clear(page)
        yield from tabled(page)
        yield from encoded(page, _holds_secret)
    yield from manifests(page)
    if plain := undisguised(text):
        sheet = Page(plain.text)
        for span in chain(_clear(sheet), tabled(sheet)):
            start, end = plain.origin(span.start, span.end)
            yield span._replace(start=start, end=end)


def _clear(page: Sheet) -> Iterator[Span]:
    """Yield the secrets that stand in a text in clear."""
    yield from key_blocks(page)
    yield from shaped(page)
    yield from placed(page)
    yield from assigned(page)


def _holds_secret(text: str) -> bool:
    return any(True for _ in _clear(Page(text)))
