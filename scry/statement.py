"""A statement is everything that has been said in the same words about the same ends.

A fact's file shows one stretch of time in which a statement held; usually that is all of it, but
A, B, A again gives two files for the one statement A.  Ids, routing and merging work on
statements; `slots` cuts them into stretches.

Two episodes may say the same with different confidence or stance.  Every field is merged by a
rule that does not depend on the order (the maximum, the more cautious, the union), so any order
of arrival gives the same files.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from scry.model import ORIGINS, STANCES, Citation, Claim, Declared, Fact
from scry.text import fold, iso, short_hash, slug_of

LEVELS = {"rules": 0, "document": 1, "assistant": 2, "user": 2, "person": 3}
"""A statement may only end one of its own level or below.  User and assistant are equals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One sentence about its ends, with all its citations.  `src` and `dst` are keys as said.

    `id` is the birth id.  `edited` says that a person has changed the words since: machines only
    add citations to it.  `held` gives the reasons why it waits, found when it was extracted;
    "" as soon as one citation passes.
    """

    id: str
    src: str
    relation: str
    dst: str | None
    value: str | None
    qualifier: str
    fact: str
    confidence: float
    stance: str
    origin: str
    said_src: str
    said_dst: str
    said: str
    supersedes: tuple[str, ...]
    held: str
    citations: frozenset[Citation]
    edited: bool = False
    since: datetime | None = None
    """Its start as written in the file, for a statement that no citation dates."""

    @property
    def level(self) -> int:
        """How much it is trusted, from 0 (rules) to 3 (a person)."""
        return LEVELS[self.origin]

    @property
    def triple(self) -> str:
        """What a tombstone remembers: the ends and the relation, without the words."""
        return triple_hash(self.src, self.relation, self.dst, self.value)


def triple_hash(src: str, relation: str, dst: str | None, value: str | None) -> str:
    """Return the hash of (src, relation, dst or value)."""
    return short_hash("triple", src, relation, dst if dst is not None else "=" + fold(value or ""))


def statement_id(
    src: str, relation: str, dst: str | None, value: str | None, *, qualifier: str, fact: str
) -> str:
    """Return the birth id of what was said: `src` and `dst` are the keys of the names as said."""
    end = dst if dst is not None else "=" + fold(value or "")
    return short_hash("fact", src, relation, end, fold(qualifier), fold(fact))


def stretch_id(birth: str, start: datetime | None) -> str:
    """Return the id of a later stretch of a statement, which begins anew at `start`."""
    return short_hash(birth, iso(start) if start else "")


def from_claim(claim: Claim, citation: Citation) -> Statement:
    """Return the statement that one claim makes, cited once."""
    src, dst = slug_of(claim.src), slug_of(claim.dst) if claim.dst is not None else None
    value = claim.value
    return Statement(
        id=statement_id(
            src, claim.relation, dst, value, qualifier=claim.qualifier, fact=claim.fact
        ),
        src=src,
        relation=claim.relation,
        dst=dst,
        value=value,
        qualifier=claim.qualifier,
        fact=claim.fact,
        confidence=claim.confidence,
        stance=claim.stance,
        origin=claim.origin,
        said_src=claim.src,
        said_dst=claim.dst or "",
        said=claim.said,
        supersedes=tuple(sorted(set(claim.supersedes))),
        held=claim.held,
        citations=frozenset((citation,)),
    )


def words_id(fact: Fact) -> str:
    """Return the birth id of what a file says, whatever id its name gives it."""
    src = slug_of(fact.said_src) if fact.said_src else fact.src
    dst = slug_of(fact.said_dst) if fact.said_dst and fact.dst is not None else fact.dst
    return statement_id(
        src, fact.relation, dst, fact.value, qualifier=fact.qualifier, fact=fact.fact
    )


def birth_of(fact: Fact) -> tuple[str, bool]:
    """Return the birth id of a fact's statement, and whether a person has edited its words."""
    birth = words_id(fact)
    if fact.id in (birth, stretch_id(birth, fact.valid_from)):
        return birth, False
    return fact.id, True


def from_fact(fact: Fact) -> Statement:
    """Return the statement as far as one file shows it."""
    birth, edited = birth_of(fact)
    return Statement(
        id=birth,
        src=slug_of(fact.said_src) if fact.said_src else fact.src,
        relation=fact.relation,
        dst=slug_of(fact.said_dst) if fact.said_dst and fact.dst is not None else fact.dst,
        value=fact.value,
        qualifier=fact.qualifier,
        fact=fact.fact,
        confidence=fact.confidence,
        stance=fact.stance,
        origin="person" if edited else fact.origin,
        said_src=fact.said_src,
        said_dst=fact.said_dst,
        said=fact.said,
        supersedes=fact.supersedes,
        held=_held(fact.reason),
        citations=frozenset(fact.episodes),
        edited=edited,
        since=fact.valid_from if edited or not fact.episodes else None,
    )


def merge(a: Statement, b: Statement) -> Statement:
    """Return what two partial views of one statement say together, in whichever order."""
    if a.edited or b.edited:
        kept = a if a.edited else b
        return replace(kept, citations=a.citations | b.citations)
    return replace(
        a,
        value=_least(a.value, b.value),
        qualifier=min(a.qualifier, b.qualifier),
        fact=min(a.fact, b.fact),
        confidence=max(a.confidence, b.confidence),
        stance=max(a.stance, b.stance, key=STANCES.index),
        origin=max(a.origin, b.origin, key=ORIGINS.index),
        said_src=_least(a.said_src, b.said_src) or "",
        said_dst=_least(a.said_dst, b.said_dst) or "",
        said=_least(a.said, b.said) or "",
        supersedes=tuple(sorted({*a.supersedes, *b.supersedes})),
        held=_held_by_both(a.held, b.held),
        citations=a.citations | b.citations,
    )


def _least(a: str | None, b: str | None) -> str | None:
    """Return the smaller of two spellings; one that is missing does not count."""
    return min(filter(None, (a, b)), default=a if a is not None else b)


# --- reasons ------------------------------------------------------------------------------------

UNKNOWN = "nobody has said what this is: "
CONTESTED = "more than one thing is called this: "
CONTRADICTS = "contradicts a statement that is trusted more: "
SAME = "both ends are the same thing: "
FORGOTTEN = "forgotten before in other words: "
ENDED = "ended by a person in other words: "
UNNAMED = "not named in the episode: "
BY_HAND = "put into review/ by hand"
"""The reason of a fact that somebody has moved into review/ without giving one."""
UNREPEATED = "said in one session only: "
_DERIVED = (UNREPEATED, UNKNOWN, CONTESTED, CONTRADICTS, SAME, FORGOTTEN, ENDED)


def join_reasons(*reasons: str) -> str:
    """Return several reasons as one text, each once, sorted."""
    parts = {part for reason in reasons for part in reason.split("; ") if part}
    return "; ".join(sorted(parts))


def _held_by_both(a: str, b: str) -> str:
    """Return why a statement waits that two episodes make: each of them must have a reason.

    Names are missing only while they are missing in both.  What a person has put aside stays there.
    """
    by_hand = BY_HAND if BY_HAND in (*a.split("; "), *b.split("; ")) else ""
    if not a or not b:
        return by_hand
    parts = [*a.split("; "), *b.split("; ")]
    if UNNAMED in a and UNNAMED in b:
        return join_reasons(*parts)
    return join_reasons(*(part for part in parts if not part.startswith(UNNAMED)))


def _held(reason: str) -> str:
    """Return the part of a stored reason that came with the statement.

    The rest follows from the other records and is computed anew each time.
    """
    return join_reasons(*(p for p in reason.split("; ") if p and not p.startswith(_DERIVED)))


# --- what an episode declares --------------------------------------------------------------------


def declare(entity: Declared) -> str:
    """Return a declaration as one line of an episode: `type | name | alias | alias`."""
    return " | ".join(_escape(part) for part in (entity.type, entity.name, *entity.aliases))


def unite_declarations(lines: Iterable[str], new: Iterable[Declared]) -> tuple[str, ...]:
    """Return what an episode declared before and declares now, one line a type and name."""
    united: dict[tuple[str, str], set[str]] = {}
    for entity in (*filter(None, map(read_declaration, lines)), *new):
        united.setdefault((entity.type, entity.name), set()).update(entity.aliases)
    return tuple(
        sorted(
            declare(Declared(name=name, type=kind, aliases=tuple(sorted(aliases))))
            for (kind, name), aliases in united.items()
        )
    )


def describe(entity: Declared) -> str:
    """Return a description as one line of an episode: `name | description`."""
    return f"{_escape(entity.name)} | {_escape(' '.join(entity.description.split()))}"


def read_declaration(line: str) -> Declared | None:
    """Read one line of `declares`; None when a hand edit has left nothing to read."""
    parts = [_unescape(part) for part in _split(line)]
    if len(parts) < 2 or not all(parts[:2]):
        return None
    return Declared(name=parts[1], type=parts[0], aliases=tuple(p for p in parts[2:] if p))


def read_description(line: str) -> tuple[str, str] | None:
    """Read one line of `described` as (name, description)."""
    parts = [_unescape(part) for part in _split(line)]
    return (parts[0], parts[1]) if len(parts) == 2 and all(parts) else None


def _escape(part: str) -> str:
    return part.replace("\\", "\\\\").replace("|", "\\|")


def _unescape(part: str) -> str:
    return part.replace("\\|", "|").replace("\\\\", "\\").strip()


def _split(line: str) -> list[str]:
    """Split at bars that no backslash precedes."""
    parts, current, escaped = [], "", False
    for char in line:
        if char == "|" and not escaped:
            parts.append(current)
            current = ""
        else:
            current += char
        escaped = char == "\\" and not escaped
    return [*parts, current]
