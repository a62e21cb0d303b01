"""The facts of a reply, checked: each becomes a claim, or a note that says why not.

One item is

    {"src": "Hermes", "relation": "runs_on", "dst": "mini" or "value": "1.4", "qualifier": "production",
     "fact": "...", "valid_from": "2026-06-01", "confidence": 0.9, "stance": "asserted", "turn": 214,
     "supersedes": "k3v9m2abcd"}

An end that the reply does not declare is kept as it was said: whether it is known, only the store
can tell.  An end that the reply declares and that was refused costs the fact.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from scry.extract.clean import prose, quote, scalar, spelling, twin, verb
from scry.extract.declared import Roster, Usage
from scry.extract.fields import confidence, moment, qualifier, stance, supersedes
from scry.extract.guard import ordering, steering
from scry.extract.identity import objection
from scry.extract.literal import is_literal, is_shape
from scry.extract.turns import Turns
from scry.model import DOCUMENT, Claim, Turn
from scry.relations import canonical
from scry.text import fold, normalise_name

MAX_FACT = 500
MAX_RELATION = 40
MAX_VALUE = 500


class _RefusedError(Exception):
    """Why one fact is not taken; becomes a note."""


@dataclass(slots=True)
class Claims:
    """What the facts of a reply came to."""

    claims: dict[tuple[str, ...], Claim] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    usable: int = 0


@dataclass(frozen=True, slots=True)
class _Ends:
    src: str
    relation: str
    dst: str | None
    value: str | None


def usage_of(items: Sequence[object]) -> Usage:
    """Return how a reply's facts use names, before any of them is checked."""
    subjects: set[str] = set()
    others: set[str] = set()
    states: set[str] = set()
    for item in items:
        if isinstance(item, dict):
            subjects.add(normalise_name(scalar(item.get("src"))))
            is_state = canonical(scalar(item.get("relation")))[0] == "status"
            (states if is_state else others).add(normalise_name(scalar(item.get("dst"))))
    return Usage(
        subjects=frozenset(subjects),
        objects=frozenset(others | states),
        states=frozenset(states - others),
    )


def read_facts(items: Sequence[object], roster: Roster, turns: Turns, at: datetime) -> Claims:
    """Return the claims of a reply's fact items.

    Args:
        items: the reply's `facts`.
        roster: what its `entities` came to.
        turns: the chunk's turns.
        at: when the episode happened.
    """
    found = Claims()
    for number, item in enumerate(items):
        where = f"facts[{number}]"
        try:
            claim = _read(item, roster, turns, at)
        except _RefusedError as reason:
            found.notes.append(f"{where}: {_shown(item)}was refused: {reason}.")
            continue
        found.usable += 1
        found.claims.setdefault(_identity(claim, roster), claim)
    return found


def _identity(claim: Claim, roster: Roster) -> tuple[str, ...]:
    """Return what makes two facts of a reply the same one."""
    end = "=" + fold(claim.value) if claim.value is not None else roster.key_of(claim.dst or "")
    src = roster.key_of(claim.src)
    return src, claim.relation, end, fold(claim.qualifier), fold(claim.fact)


def _read(item: object, roster: Roster, turns: Turns, at: datetime) -> Claim:
    if not isinstance(item, dict):
        raise _RefusedError("it is not a fact's record")
    sentence = _sentence(item.get("fact"))
    ends, said = _ends(item, roster), _verb(item.get("relation"))
    end = ends.dst or ends.value or ""
    turn = turns.saying(sentence, src=ends.src, end=end, named=item.get("turn"))
    slot = qualifier(item.get("qualifier"))
    return Claim(
        src=ends.src,
        relation=ends.relation,
        dst=ends.dst,
        value=ends.value,
        qualifier=slot,
        fact=sentence,
        at=moment(item.get("valid_from"), at),
        confidence=confidence(item.get("confidence")),
        stance=stance(item.get("stance")),
        origin=_origin(turn),
        line=turn.line if turn else 0,
        said="" if said == ends.relation else said,
        supersedes=supersedes(item.get("supersedes")),
        held=_held((sentence, ends.value or "", slot, said.replace("_", " ")), turn),
    )


def _shown(item: object) -> str:
    """Return the sentence of a refused fact where a person may want to read it."""
    try:
        text = _sentence(item.get("fact")) if isinstance(item, Mapping) else ""
    except _RefusedError:
        return ""
    return f"{quote(text, MAX_FACT)} " if text and not (steering(text) or ordering(text)) else ""


def _sentence(value: object) -> str:
    text = prose(value, MAX_FACT) if isinstance(value, str) else ""
    if not text:
        raise _RefusedError("it says nothing in 'fact'")
    if len(text) > MAX_FACT:
        raise _RefusedError(f"its sentence is longer than {MAX_FACT} characters")
    return text


# --- the ends -----------------------------------------------------------------------------------


def _ends(item: Mapping[str, object], roster: Roster) -> _Ends:
    relation, swap = canonical(_verb(item.get("relation")))
    src, dst = spelling(scalar(item.get("src"))), spelling(scalar(item.get("dst")))
    value = _value(item.get("value"))
    if value and dst and fold(value) == fold(dst):
        value = ""
    if swap and not value and not _is_value(dst, relation, roster):
        src, dst, swap = dst, src, False
    _check_end("src", src, roster)
    if _is_value(src, "", roster):
        raise _RefusedError("its 'src' is a value, not a thing")
    if value or _is_value(dst, relation, roster):
        # Seen from the other end the verb would mean the opposite.
        return _Ends(src, "related_to" if swap else relation, None, value or _value(dst))
    _check_end("dst", dst, roster)
    if roster.key_of(src) == roster.key_of(dst):
        raise _RefusedError("both its ends are the same thing")
    return _Ends(src, relation, dst, None)


def _verb(value: object) -> str:
    said = verb(value) if isinstance(value, str) else ""
    if not said:
        raise _RefusedError("it names no relation")
    if len(said) > MAX_RELATION:
        raise _RefusedError(f"its relation is longer than {MAX_RELATION} characters")
    return said


def _check_end(end: str, name: str, roster: Roster) -> None:
    if roster.declares(name):
        return
    key = normalise_name(name)
    refused = roster.refused.get(key) or roster.refused.get(twin(name))
    if refused:
        raise _RefusedError(f"its '{end}' was refused: {refused}")
    if name and (is_shape(name) or key in roster.literals):
        return  # A literal, and the caller's business.
    reason = objection(name)
    if reason:
        raise _RefusedError(f"its '{end}' cannot stand for anything: {reason}")


def _is_value(name: str, relation: str, roster: Roster) -> bool:
    """Say whether an end is a literal; of what nobody declared, a status is one."""
    if not name or roster.declares(name):
        return False
    if normalise_name(name) in roster.literals or is_shape(name):
        return True
    if normalise_name(name) in roster.refused or not relation:
        return False
    return is_literal(name) or relation == "status"


def _value(value: object) -> str:
    text = prose(scalar(value), MAX_VALUE)
    if len(text) > MAX_VALUE:
        raise _RefusedError(f"its value is longer than {MAX_VALUE} characters")
    return text


def _held(texts: Sequence[str], turn: Turn | None) -> str:
    """Return why a claim waits for a person; "" where it need not."""
    reason = next(filter(None, map(steering, texts)), "")
    if not reason and not (turn and turn.role == "user"):
        reason = next(filter(None, map(ordering, texts)), "")
    return reason


def _origin(turn: Turn | None) -> str:
    """Return whose word a statement is: that of the turn which says it."""
    if turn is None:
        return "assistant"
    return turn.kind if turn.kind == DOCUMENT else turn.role
