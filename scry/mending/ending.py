"""When something stopped: a person's word, which only a newer statement of the same goes beyond."""

from dataclasses import replace
from datetime import datetime

from scry.index import Index, handle
from scry.lookup import find_fact
from scry.mending.things import Evidence, Mended, MendError, nothing
from scry.model import Fact
from scry.resolve import reshape
from scry.restating import collapsed
from scry.text import fold, iso


def end(index: Index, evidence: Evidence, ref: str, at: datetime) -> Mended:
    """End a fact, and what only says the same in other words.

    Raises:
        MendError: it waits for a person, or began later.
        UnknownNameError: there is no such fact.
    """
    fact = find_fact(index, ref)
    if fact.reason:
        raise MendError(f"{fact.id} waits in review/ and is no fact yet. `scry forget {fact.id}`.")
    if fact.invalid_at is not None and fact.invalid_at <= at:
        return nothing(f"{handle(fact)} had ended already, on {iso(fact.invalid_at)}.")
    if fact.valid_from is not None and at <= fact.valid_from:
        raise MendError(
            f"{handle(fact)} began on {iso(fact.valid_from)}, so it cannot end on {iso(at)}. "
            f"`scry forget {fact.id}` removes what was never true."
        )
    found = [fact, *_restating(index, fact, at)]
    ended = [replace(one, invalid_at=at, superseded_by="") for one in found]
    lines = [
        f"- {one.src} {one.relation} {one.dst or one.value} (ended {iso(at)[:10]})" for one in ended
    ]
    change = reshape(
        index,
        evidence,
        facts=ended,
        subject=f"end: {handle(fact)}",
        lines=list(dict.fromkeys(lines)),
    )
    more = f", and {len(ended) - 1} more in other words" if len(ended) > 1 else ""
    return Mended(
        change=change,
        said=f"{handle(fact)} ended on {iso(at)}{more}.",
        paths=tuple(one.path for one in found if one.path),
        notes=tuple(f"Ended as well: {one.fact}" for one in found[1:]),
    )


def _restating(index: Index, fact: Fact, at: datetime) -> list[Fact]:
    """Return the current facts that add nothing to one but other words."""
    final = index.names.final
    end_of = final(fact.dst) if fact.dst else "=" + fold(fact.value or "")
    others = []
    for other in index.facts_of(final(fact.src)):
        same = other.relation == fact.relation and final(other.src) == final(fact.src)
        end = final(other.dst) if other.dst else "=" + fold(other.value or "")
        begun = other.valid_from is None or other.valid_from < at
        if same and end == end_of and begun and other.id != fact.id and other.invalid_at is None:
            others.append(other)
    current = replace(fact, invalid_at=None)
    shown = {id(one) for one, _ in collapsed(index, [current, *others])}
    return [other for other in others if id(other) not in shown]
