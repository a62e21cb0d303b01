"""A person's decisions turned into what they mean for names and facts.

Everything is judged before anything is done.  Names come first, for facts may wait for them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from scry.index import Index
from scry.lookup import find_entity
from scry.model import ENTITY_TYPES, Entity, Fact, Proposal, Tombstone
from scry.names import derive_entity
from scry.resolve.decided import Decisions
from scry.reviewing.items import Decision, ReviewError, find_item, proposal_id
from scry.statement import CONTESTED, SAME, birth_of, from_fact
from scry.text import is_safe_name, one_line, slug_of


@dataclass(slots=True)
class Judged:
    """Decisions turned into what they mean for the records; the index is only looked at."""

    index: Index
    now: datetime
    lines: list[str] = field(default_factory=list)
    _files: dict[str, Entity] = field(default_factory=dict)
    _settled: set[str] = field(default_factory=set)
    _accepted: dict[str, Fact] = field(default_factory=dict)
    _stones: dict[str, Tombstone] = field(default_factory=dict)

    @property
    def said(self) -> Decisions:
        """Return the decisions, for `decide`."""
        return Decisions(
            accepted=tuple(self._accepted),
            stones=tuple(self._stones[key] for key in sorted(self._stones)),
            entities=tuple(self._files[slug] for slug in sorted(self._files)),
        )

    def take(self, decisions: Sequence[Decision]) -> None:
        """Judge all decisions: names first, for facts may wait for them."""
        items = [(d, find_item(self.index, d.ref)) for d in decisions]
        seen: dict[object, str] = {}
        for decision, item in items:
            key = item.id if isinstance(item, Fact) else proposal_id(item)
            if seen.setdefault(key, decision.verb) != decision.verb:
                raise ReviewError(f"{key} is to be {seen[key]}ed and {decision.verb}ed. Say one.")
        for decision, item in items:
            if isinstance(item, Proposal):
                self._alias(decision, item)
        facts = [(d, item) for d, item in items if isinstance(item, Fact)]
        for decision, fact in facts:
            self._name(decision, fact)
        for decision, fact in facts:
            if decision.verb == "reject":
                self._reject(fact)
            else:
                self._accept(fact)

    # --- names --------------------------------------------------------------------------------

    def _alias(self, decision: Decision, item: Proposal) -> None:
        key, names = slug_of(item.alias), self.index.names
        self._settled.add(key)
        if decision.verb == "reject":
            self._refuse(item.entity, item.alias)
            return
        owner = key if names.bears(key) else None
        others = [s for s in names.claimants(key) if s != item.entity]
        if owner is not None or decision.verb == "merge":
            for slug in [owner] if owner is not None else others:
                self._merge(names.route(slug)[0] or slug, item.entity)
            return
        for slug in others:
            self._refuse(slug, item.alias)

    def _merge(self, loser: str, winner: str) -> None:
        final = self.index.names.final
        if final(loser) == final(winner):
            return
        self._files[loser] = replace(self._file(loser), merged_into=final(winner))
        self._settled |= {loser, winner}
        self.lines.append(f"= {loser} is {final(winner)}")

    def _refuse(self, slug: str, alias: str) -> None:
        """Take a name from an entity for good."""
        entity, key = self._file(slug), slug_of(alias)
        if key in map(slug_of, entity.rejected):
            return
        kept = tuple(a for a in entity.aliases if slug_of(a) != key)
        rejected = tuple(sorted({*entity.rejected, alias}))
        self._files[slug] = replace(entity, aliases=kept, rejected=rejected)
        self.lines.append(f"= '{one_line(alias, 60)}' is no name of {slug}")

    def _file(self, slug: str) -> Entity:
        """Return an entity as its file is, or would be."""
        index = self.index
        there = self._files.get(slug) or index.entities.get(slug)
        there = there or derive_entity(
            slug, index.names.attested.get(slug, {}).values(), index.names
        )
        if there is None or slug in index.unreadable:
            raise ReviewError(
                f"The file of '{slug}' is missing or cannot be read. `scry check` says more."
            )
        return there

    # --- facts --------------------------------------------------------------------------------

    def _name(self, decision: Decision, fact: Fact) -> None:
        """Give the unknown ends of a fact a type, or a thing whose name they are."""
        unknown = dict(self._unknown(fact))
        if decision.verb == "merge":
            if len(unknown) != 1 or not decision.argument:
                raise ReviewError(
                    f"{fact.id}: merge needs one unknown name in the fact, and the thing that is "
                    "meant: `merge(NAME)`."
                )
            ((key, words),) = unknown.items()
            entity = self._file(find_entity(self.index, decision.argument).slug)
            aliases = tuple(sorted({*entity.aliases, words}))
            self._files[entity.slug] = replace(entity, aliases=aliases)
            self._settled.add(key)
            self.lines.append(f"= '{one_line(words, 60)}' is {entity.slug}")
        elif decision.verb == "accept":
            for key, kind in _types(decision, unknown).items():
                if key not in self._files:
                    self._files[key] = Entity(slug=key, name=unknown[key], type=kind)

    def _accept(self, fact: Fact) -> None:
        keys = self._keys(fact)
        for key, _ in keys:
            why = self.index.names.route(key)[1]
            if why == CONTESTED and key not in self._settled:
                claims = [proposal_id(p) for (_, k), p in self.index.proposals.items() if k == key]
                raise ReviewError(
                    f"{fact.id}: more than one thing is called '{key}'. Accept or reject one of "
                    f"{', '.join(sorted(claims)) or 'its claims'} first, or edit the fact's file."
                )
        unknown = [key for key, _ in self._unknown(fact) if key not in self._settled]
        if missing := [key for key in unknown if key not in self._files]:
            raise ReviewError(_untyped(fact, missing))
        names = self.index.names
        ends = {names.final(names.route(key)[0] or key) for key, _ in keys}
        if len(keys) == 2 and len(ends) == 1:
            raise ReviewError(
                f"{fact.id}: {SAME}{ends.pop()}. A fact needs two; edit its file, or reject it."
            )
        self._accepted[birth_of(fact)[0]] = fact

    def _reject(self, fact: Fact) -> None:
        """Leave a tombstone.

        Where the same stands as a fact, in these or in other words, only this one is refused.
        """
        birth, triple = birth_of(fact)[0], from_fact(fact).triple
        shown = any(not f.reason for f in self.index.files_of(birth))
        stands = any(from_fact(f).triple == triple for f in self.index.facts_of(fact.src))
        key = fact.id if shown else birth
        self._stones[key] = Tombstone(id=key, triple="" if stands else triple, when=self.now)

    def _keys(self, fact: Fact) -> list[tuple[str, str]]:
        """Return the key of each end, with the words for it."""
        said = from_fact(fact)
        ends = ((said.src, said.said_src), (said.dst, said.said_dst))
        return [(key, words or key) for key, words in ends if key]

    def _unknown(self, fact: Fact) -> Iterator[tuple[str, str]]:
        for key, words in self._keys(fact):
            slug, why = self.index.names.route(key)
            if slug is None and why != CONTESTED:
                yield key, words


def _types(decision: Decision, unknown: dict[str, str]) -> dict[str, str]:
    """Return the types that are given for unknown names, by key.

    Raises:
        ReviewError: there is no such type, or no telling whose it is.
    """
    out: dict[str, str] = {}
    for part in filter(None, map(str.strip, decision.argument.split(","))):
        name, sign, kind = part.rpartition("=")
        kind = kind.strip()
        if kind not in ENTITY_TYPES:
            raise ReviewError(
                f"{decision.ref}: '{one_line(kind, 40)}' is no type. "
                f"An entity is one of {', '.join(ENTITY_TYPES)}."
            )
        keys = [slug_of(name)] if sign else list(unknown)
        if len(keys) != 1 and unknown:
            raise ReviewError(
                f"{decision.ref}: two things are unknown. Say which is meant: "
                f"{', '.join(f'{key}=TYPE' for key in keys)}."
            )
        out |= {key: kind for key in keys if key in unknown and is_safe_name(unknown[key])}
    return out


def _untyped(fact: Fact, missing: Iterable[str]) -> str:
    names = list(missing)
    given = "TYPE" if len(names) == 1 else ",".join(f"{name}=TYPE" for name in names)
    return (
        f"{fact.id}: nobody has said what {' and '.join(names)} is. Give its type: "
        f"`scry review --accept {fact.id} --type {given}`, or accept({given}) in the list. "
        f"A type is one of {', '.join(ENTITY_TYPES)}."
    )
