"""A chunk in two halves, and the answers about its parts as one.

    chunk   | t1 t2 t3 t4 |   ->   | t1 t2 |  and  | t3 t4 |    each asked for by itself
    answer  entities by name, claims in the order of the talk, summaries joined, tokens summed

A cut falls between turns where it can.  A turn that is too long by itself is cut between
paragraphs, lines, sentences or words, whichever comes first in that order.  Each part keeps the
lines of its turns, so a fact leads to the same place whether or not its chunk was cut.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from scry.extract.clean import cut
from scry.extract.declared import MAX_ALIASES
from scry.model import Chunk, Declared, Extraction, Redacted, Turn
from scry.text import estimate_tokens, normalise_name

MAX_SUMMARY = 1_000
"""Characters of the summaries of all parts together."""
_CONTEXT = 400
"""Characters of what stands before a cut that the part behind it repeats."""
_SMALLEST = 80
"""Characters below which a turn is not cut any further."""
_BORDERS = tuple(map(re.compile, (r"\n\s*\n", r"\n", r"(?<=[.!?。！？]) +|(?<=[。！？])", r"\s+")))


def halves(chunk: Chunk) -> tuple[Chunk, Chunk] | None:
    """Return a chunk as two of about the same length; None when there is nothing to cut."""
    turns = chunk.turns
    if len(turns) > 1:
        place = _middle([estimate_tokens(turn.text) for turn in turns])
        first, second = turns[:place], turns[place:]
    elif turns and (cut_in_two := _torn(turns[0])):
        first, second = cut_in_two[:1], cut_in_two[1:]
    else:
        return None
    last = first[-1]
    border = second[0].line
    before = last.text if len(last.text) <= _CONTEXT else "…" + last.text[-_CONTEXT:]
    return (
        replace(chunk, turns=first, did=tuple(d for d in chunk.did if d.line < border)),
        replace(
            chunk,
            turns=second,
            context=Redacted(f"{last.role}: {before}"),
            did=tuple(d for d in chunk.did if d.line >= border),
        ),
    )


def _middle(weights: Sequence[int]) -> int:
    """Return how many of the items make about half of the weight; neither none nor all."""
    half = sum(weights) / 2
    sums = list(accumulate(weights))[:-1]
    return 1 + min(range(len(sums)), key=lambda n: abs(sums[n] - half))


def _torn(turn: Turn) -> tuple[Turn, Turn] | None:
    """Return a turn as two parts of it, cut near its middle; None for a short one."""
    text = turn.text
    if len(text) < 2 * _SMALLEST:
        return None
    place = _border(text)
    parts = text[:place].rstrip(), text[place:].lstrip()
    weights = [max(1, turn.weight * len(part) // len(text)) for part in parts]
    return (
        replace(turn, text=Redacted(parts[0]), weight=weights[0]),
        replace(turn, text=Redacted(parts[1]), weight=weights[1], first=False),
    )


def _border(text: str) -> int:
    """Return where to cut a text: the best kind of border in its middle half, nearest to the middle.

    A text without any, such as a wall of signs, is cut in the middle.
    """
    middle, quarter = len(text) // 2, len(text) // 4
    for border in _BORDERS:
        ends = [found.end() for found in border.finditer(text, quarter, len(text) - quarter)]
        if ends:
            return min(ends, key=lambda end: abs(end - middle))
    return middle


# --- the answers --------------------------------------------------------------------------------


def unite(parts: Sequence[Extraction]) -> Extraction:
    """Return the answers about the parts of one chunk, in their order, as one answer.

    The parts are said to be one reply, and one rule about a reply is kept across them: an alias
    that is another entity's name or alias is nobody's.
    """
    entities, notes = _entities([entity for part in parts for entity in part.entities])
    return Extraction(
        extractor=parts[0].extractor,
        summary=_joined([part.summary for part in parts]),
        entities=tuple(entities),
        claims=tuple(dict.fromkeys(claim for part in parts for claim in part.claims)),
        refused=tuple(_numbered(parts)) + tuple(notes),
        tokens_in=sum(part.tokens_in for part in parts),
        tokens_out=sum(part.tokens_out for part in parts),
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def _numbered(parts: Sequence[Extraction]) -> list[str]:
    """Return what was refused, with the part whose reply held it: `facts[3]` is in each."""
    many = len(parts)
    return [
        f"part {number} of {many}: {reason}" if many > 1 else reason
        for number, part in enumerate(parts, start=1)
        for reason in part.refused
    ]


def _joined(summaries: Sequence[str]) -> str:
    """Return summaries one after the other; where they are too long together, each gives way."""
    once = list(dict.fromkeys(summaries))
    whole = " ".join(once)
    if len(whole) <= MAX_SUMMARY:
        return whole
    share = MAX_SUMMARY // len(once) - 1
    return " ".join(cut(summary, share) for summary in once)


def _entities(found: Sequence[Declared]) -> tuple[list[Declared], list[str]]:
    """Return entities, one a name, and what of their aliases was left out.

    The first type stands, and the first description; the parts are in the order of the talk.
    """
    united: dict[str, Declared] = {}
    wanted: dict[str, dict[str, str]] = {}
    for entity in found:
        key = normalise_name(entity.name)
        known = united.setdefault(key, entity)
        if not known.description:
            united[key] = replace(known, description=entity.description)
        for alias in entity.aliases:
            wanted.setdefault(key, {}).setdefault(normalise_name(alias), alias)
    claims = Counter(alias for aliases in wanted.values() for alias in aliases)
    notes = []
    for key, aliases in wanted.items():
        free = [said for alias, said in aliases.items() if claims[alias] == 1 or alias == key]
        free = [said for said in free if normalise_name(said) not in united.keys() - {key}]
        if len(free) < len(aliases):
            notes.append(f"{united[key].name}: an alias was left out: it is another entity's too.")
        united[key] = replace(united[key], aliases=tuple(free[:MAX_ALIASES]))
    return list(united.values()), notes
