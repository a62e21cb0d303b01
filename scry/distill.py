"""Events to turns, without a model: speech, and what the agent did as breadcrumbs.

    user: run the suite        ->  Turn user       "run the suite"
    assistant: Green.          ->  Turn assistant  "Green. [ran tests: pytest, edited setup.sh ×2]"

A turn comes in parts, one for each stretch of speech as it stands in the file.  Where a session
is cut depends only on parts before the cut, so that the cuts stay where they are when the
session grows.  Redaction happens here, on each part as a whole, before anything is cut.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter

from scry.model import DOCUMENT, Did, Event, Redacted, Role, Said, Transcript, Turn
from scry.text import clean_prose, count_tokens, estimate_tokens

LARGEST = 4_000
"""Tokens of speech in one part; longer speech is cut at a paragraph."""
SMALLEST = 25
"""Tokens of speech in a whole session below which there is nothing to remember."""
_MARKS = {"compacted": "context compacted", "interrupted": "user interrupted", "image": "image"}
_ASIDE = 1_000_000
"""Lines of a side file are cited behind every line that the transcript itself may have."""
_TAKEN_BACK = ("abandoned", "rolled back")
"""Kinds of speech that did not count in the end: its place is kept, its words are not."""
_NEVER_SMALL = ("memory", DOCUMENT, "goal")
_NAMED_MARKS = 12
"""Breadcrumbs shown for one part, the most frequent first."""


@dataclass(slots=True)
class _Part:
    """Speech with what happened after it, until there is speech again."""

    role: Role
    said: Said | None
    line: int
    last: int
    first: bool
    crumbs: dict[str, int] = field(default_factory=dict)
    text: str = ""


def distill(transcript: Transcript, redact: Callable[[str], Redacted]) -> list[Turn]:
    """Return the turns of a whole session, in order, redacted and in parts.

    Nothing of a tool's input or output is in an event, so nothing of it can be here.
    """
    out: list[Turn] = []
    used: Counter[str] = Counter()
    for part in _parts(_in_time(transcript.events)):
        uid = _uid(part, out[-1].uid if out else "", used)
        pieces = _pieces(part, redact)
        for number, (piece, weight) in enumerate(pieces):
            crumbs = redact(_crumbs(part)) if number == len(pieces) - 1 else ""
            out.append(
                Turn(
                    role=part.role,
                    at=part.said.at if part.said else None,
                    line=_line(part),
                    last=part.last,
                    text=Redacted(" ".join(filter(None, (piece, crumbs)))),
                    uid=uid if number == 0 else f"{uid}#{number}",
                    weight=weight,
                    first=part.first and number == 0,
                    file=part.said.file if part.said else "",
                    kind=part.said.kind if part.said else "prose",
                )
            )
    return list(_with_times(out))


def too_small(turns: Sequence[Turn]) -> str:
    """Return why a session is not worth an episode, or "" if it is.

    Judged on the whole session.  What a person asked to remember is never too small.
    """
    if not any(turn.role == "user" and turn.weight for turn in turns):
        return "no words of a user"
    weight = sum(turn.weight for turn in turns)
    if weight < SMALLEST and not any(turn.kind in _NEVER_SMALL for turn in turns):
        return f"too small: about {weight} tokens were said"
    return ""


def breadcrumbs(events: Sequence[Event], first: int, last: int) -> list[Did]:
    """Return what the agent did between two lines, both included."""
    return [e for e in events if isinstance(e, Did) and first <= e.line <= last]


def _in_time(events: Sequence[Event]) -> list[Event]:
    """Return events in file order, with those of side files put in by their time.

    A source gives them last; there they would move each time the session grows.
    """
    asides = [e for e in events if _is_aside(e)]
    main = [e for e in events if not _is_aside(e)] if asides else list(events)
    for aside in asides:
        later = (n for n, e in enumerate(main) if e.at and aside.at and e.at > aside.at)
        main.insert(next(later, len(main)), aside)
    return main


def _is_aside(event: Event) -> bool:
    return isinstance(event, Said) and event.kind == "btw" and bool(event.file)


def _parts(events: Sequence[Event]) -> Iterator[_Part]:
    """Yield parts in file order.  What is done before anyone speaks opens the model's turn."""
    current: _Part | None = None
    for event in events:
        if isinstance(event, Said):
            if not event.text.strip():
                continue
            turned = current is None or current.role != event.role or event.kind == DOCUMENT
            if current is not None:
                yield current
            current = _Part(event.role, event, event.line, event.line, turned)
            continue
        if current is None or (isinstance(event, Did) and current.role == "user"):
            if current is not None:
                yield current
            current = _Part("assistant", None, event.line, event.line, first=True)
        current.last = max(current.last, event.line)
        crumb = str(event) if isinstance(event, Did) else _MARKS.get(event.kind, "")
        if crumb:
            current.crumbs[crumb] = current.crumbs.get(crumb, 0) + 1
    if current is not None:
        yield current


def _pieces(part: _Part, redact: Callable[[str], Redacted]) -> list[tuple[Redacted, int]]:
    """Return a part's speech with its weight; in several pieces where it is too long for one.

    Redaction sees the speech as a whole: a key cut in two would match in neither half.
    """
    speech = _clean(part.said.text).strip() if part.said else ""
    weight = estimate_tokens(speech) if speech else 0
    if part.said is not None and part.said.kind in _TAKEN_BACK:
        return [(redact(f"[{part.said.kind}]"), weight)]
    whole = redact(speech)
    if weight <= LARGEST:
        return [(whole, weight)]
    return [(Redacted(piece), estimate_tokens(piece)) for piece in cut_long(whole, LARGEST)]


def _clean(text: str) -> str:
    """Return text without characters that hide; most has none, and to see that is cheap."""
    plain = text.replace("\n", "").replace("\t", "").isprintable()
    return text if plain else clean_prose(text)


def _crumbs(part: _Part) -> str:
    """Return `[edited setup.sh ×4, ran tests: pytest]`; equal ones are counted."""
    if not part.crumbs:
        return ""
    often = sorted(part.crumbs.items(), key=itemgetter(1), reverse=True)
    shown = [crumb if count == 1 else f"{crumb} ×{count}" for crumb, count in often[:_NAMED_MARKS]]
    more = len(part.crumbs) - len(shown)
    shown += [f"and {more} more"] if more > 0 else []
    return f"[{', '.join(shown)}]"


def _line(part: _Part) -> int:
    """Return the line to cite."""
    return part.line + (_ASIDE if part.said is not None and _is_aside(part.said) else 0)


def _uid(part: _Part, before: str, used: Counter[str]) -> str:
    """Return what names a part for good: the record's own id, else its words and their count."""
    if part.said is not None and part.said.uid:
        uid = part.said.uid
    elif part.said is not None:
        words = f"{part.role}\n{part.said.text}".encode("utf-8", "replace")
        uid = hashlib.sha256(words).hexdigest()[:24]
    else:
        uid = f"{before}+"
    used[uid] += 1
    return uid if used[uid] == 1 else f"{uid}~{used[uid]}"


def _with_times(turns: list[Turn]) -> Iterator[Turn]:
    """Give a part without a time that of the part before it."""
    at = next((turn.at for turn in turns if turn.at), None)
    for turn in turns:
        at = turn.at or at
        yield turn if turn.at else replace(turn, at=at)


def cut_long(text: str, largest: int) -> Iterator[str]:
    """Yield text in pieces of at most `largest` tokens, cut at paragraphs, else lines, else words.

    Each cut depends only on the text before it.
    """
    if estimate_tokens(text) <= largest:
        if text:
            yield text
        return
    piece, held = "", (0, 0)
    for block in _blocks(text, largest):
        more = count_tokens(block)
        if piece and held[0] - held[1] // 2 + more[0] - more[1] // 2 > largest:
            yield piece.strip()
            piece, held = "", (0, 0)
        adds_up = not piece or (piece[-1] == "\n" and not block[0].isspace())
        held = (held[0] + more[0], held[1] + more[1]) if adds_up else count_tokens(piece + block)
        piece += block
    if piece.strip():
        yield piece.strip()


def _blocks(text: str, largest: int) -> Iterator[str]:
    """Yield the smallest blocks that need not be cut: paragraphs, lines, then runs of letters."""
    for paragraph in re.findall(r".*?\n\s*\n|.+\Z", text, re.DOTALL):
        if estimate_tokens(paragraph) <= largest:
            yield paragraph
            continue
        for line in paragraph.splitlines(keepends=True):
            if estimate_tokens(line) <= largest:
                yield line
            else:
                yield from re.findall(
                    rf".{{1,{largest}}}(?:\s+|\Z)|.{{1,{largest}}}", line, re.DOTALL
                )
