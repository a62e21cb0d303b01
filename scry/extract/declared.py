"""The entities of a reply, checked: which names it declares, and why others are refused.

One item is `{"name": "Hermes", "type": "service", "description": "...", "aliases": [...]}`.  What is
refused stays known by its name, because the facts that need it go with it; a name that is a literal
is refused as an entity, and its facts keep it as their value.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scry.extract.clean import cut, prose, quote, scalar, spelling, twin
from scry.extract.guard import ordering, steering
from scry.extract.identity import objection
from scry.extract.literal import is_literal, is_shape
from scry.model import ENTITY_TYPES, Declared
from scry.text import normalise_name

MAX_ALIASES = 16
MAX_DESCRIPTION = 1_000


@dataclass(slots=True)
class Roster:
    """Who is who in one reply.  Keys are normalised names."""

    entities: dict[str, Declared] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    """Why a name was refused; a name in `entities` may be here too, and counts as declared."""
    literals: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    usable: int = 0
    """How many of the reply's items were taken; of twins each counts."""

    def key_of(self, name: str) -> str:
        """Return the key of the entity that a name means in this reply, else the name's own."""
        key = normalise_name(name)
        return self.aliases.get(key, key)

    def declares(self, name: str) -> bool:
        """Say whether the name, or an alias, was declared and taken."""
        return self.key_of(name) in self.entities


@dataclass(frozen=True, slots=True)
class Usage:
    """How the facts of the reply use names: what is only ever a state is no thing."""

    subjects: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    states: frozenset[str] = frozenset()

    def is_value(self, name: str, kind: str) -> bool:
        """Say whether a declared name is a literal all the same."""
        key = normalise_name(name)
        if is_shape(name):
            return True
        if key in self.subjects or key not in self.objects:
            return False
        return is_literal(name, kind) or (kind in ("", "concept") and key in self.states)


def read_entities(items: Sequence[object], usage: Usage) -> Roster:
    """Return the roster of a reply's entity items."""
    roster = Roster()
    wanted: list[tuple[str, str, str]] = []
    for number, item in enumerate(items):
        _read(roster, f"entities[{number}]", item, usage, wanted)
    _settle_aliases(roster, wanted)
    return roster


def _read(
    roster: Roster, where: str, item: object, usage: Usage, wanted: list[tuple[str, str, str]]
) -> None:
    fields: Mapping[str, object] = item if isinstance(item, dict) else {"name": item}
    raw, kind = scalar(fields.get("name")), _kind(fields.get("type"))
    name = spelling(raw)
    key, reason = normalise_name(name), objection(name, kind)
    shown = "" if reason else f"{quote(name)} "
    if not reason and usage.is_value(name, kind):
        roster.literals.add(key)
        roster.notes.append(f"{where}: {shown}is a value, not a thing.")
        return
    if not reason and not kind:
        reason = f"its type is {quote(scalar(fields.get('type')), 40)}, none of the known ones"
    if not isinstance(fields.get("name"), str) or not isinstance(item, dict):
        reason = reason or "it is not an entity's record"
    if reason:
        roster.refused.setdefault(key, reason)
        roster.refused.setdefault(twin(raw), reason)
        roster.notes.append(f"{where}: {shown}was refused: {reason}.")
        return
    roster.usable += 1
    described = _description(roster, where, fields.get("description"))
    _add(roster, key, Declared(name=name, type=kind, description=described))
    wanted += [(where, key, alias) for alias in _aliases(fields.get("aliases"))]


def _add(roster: Roster, key: str, entity: Declared) -> None:
    known = roster.entities.setdefault(key, entity)
    if not known.description:
        roster.entities[key] = replace(known, description=entity.description)


def _kind(value: object) -> str:
    kind = value.strip().casefold() if isinstance(value, str) else ""
    return kind if kind in ENTITY_TYPES else ""


def _description(roster: Roster, where: str, value: object) -> str:
    text = cut(prose(value, MAX_DESCRIPTION), MAX_DESCRIPTION) if isinstance(value, str) else ""
    # A description states what a thing is; orders have no place in it, whoever gave them.
    reason = steering(text) or ordering(text)
    if reason:
        roster.notes.append(f"{where}: its description was left out: it {reason}.")
    return "" if reason else text


def _aliases(value: object) -> Iterable[str]:
    """Return the aliases as spelled; a string in place of a list is one alias."""
    given = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return dict.fromkeys(spelling(alias) for alias in given if isinstance(alias, str))


def _settle_aliases(roster: Roster, wanted: Sequence[tuple[str, str, str]]) -> None:
    """Give each entity the aliases that are nobody else's name or alias in this reply."""
    claims = Counter(alias for _, alias in {(key, normalise_name(a)) for _, key, a in wanted})
    for where, key, alias in wanted:
        folded, entity = normalise_name(alias), roster.entities[key]
        if folded == key or folded in map(normalise_name, entity.aliases):
            continue
        reason = objection(alias, entity.type) or ("the name is a value" * is_shape(alias))
        taken = folded in roster.entities or folded in roster.refused or claims[folded] > 1
        if not reason and taken:
            reason = "another entity of this reply has it too"
        if not reason and len(entity.aliases) == MAX_ALIASES:
            reason = f"{MAX_ALIASES} aliases are enough"
        if reason:
            roster.notes.append(f"{where}.aliases: one was left out: {reason}.")
            continue
        roster.aliases[folded] = key
        roster.entities[key] = replace(entity, aliases=(*entity.aliases, alias))
