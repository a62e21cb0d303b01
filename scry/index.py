"""A store in memory: names, facts in both directions, episodes.  Rebuilt at every load.

`Index.build(records)` for readers; writers keep one up to date with `absorb`.  What only a writer
needs (statements, see `statement`) is built when it is first asked for.
"""

from collections import defaultdict
from functools import cached_property
from pathlib import PurePosixPath

from scry.model import (
    ChangeSet,
    Entity,
    Episode,
    Fact,
    Known,
    Problem,
    Proposal,
    Record,
    Snapshot,
    Tombstone,
)
from scry.names import Names, declarations
from scry.relations import EXCLUSIVE
from scry.statement import Statement, birth_of, from_fact, merge
from scry.text import iso, slug_of
from scry.vocabulary import Vocabulary


class Index:
    """The records of a store, and the ways to them.

    `facts` are those that answer questions, by id, ended ones among them; `waiting` are those
    in review.  `links` leads from an entity's slug to the ids of facts at whose end it stands.
    """

    def __init__(self) -> None:
        self.entities: dict[str, Entity] = {}
        self.episodes: dict[str, Episode] = {}
        self.facts: dict[str, Fact] = {}
        self.waiting: dict[str, Fact] = {}
        self.proposals: dict[tuple[str, str], Proposal] = {}
        self.tombstones: dict[str, Tombstone] = {}
        self.names = Names()
        self.links: dict[str, dict[str, None]] = defaultdict(dict)
        self.problems: tuple[Problem, ...] = ()
        self.head = ""
        self.sessions_needed = 1
        """How many sessions must say the same before it is a fact; one is enough by default."""

    @classmethod
    def build(cls, snapshot: Snapshot) -> "Index":
        """Return the index of a store as it was read."""
        index = cls()
        index.problems = snapshot.problems
        index.head = snapshot.head
        for record in snapshot.records:
            index.put(record)
        return index

    # --- keeping it up to date ------------------------------------------------------------------

    def put(self, record: Record) -> None:
        """Add a record; it replaces the one of the same key."""
        match record:
            case Fact():
                self._put_fact(record)
            case Entity():
                self.entities[record.slug] = record
                self.names.put_entity(record)
                self._learn_names(record.name, *record.aliases)
            case Episode():
                if old := self.episodes.get(record.id):
                    self.names.drop_episode(old)
                self.episodes[record.id] = record
                self.names.put_episode(record)
                for attested in declarations(record).values() if self._has_vocabulary else ():
                    self._learn_names(attested.entity.name, *attested.entity.aliases)
            case Proposal():
                self.proposals[record.entity, slug_of(record.alias)] = record
            case Tombstone():
                self.tombstones[record.id] = record

    def drop(self, record: Record) -> None:
        """Take a record out."""
        match record:
            case Fact():
                self._drop_fact(record.id, waiting=bool(record.reason))
            case Entity():
                self.entities.pop(record.slug, None)
                self.names.drop_entity(record.slug)
            case Episode():
                if old := self.episodes.pop(record.id, None):
                    self.names.drop_episode(old)
            case Proposal():
                self.proposals.pop((record.entity, slug_of(record.alias)), None)
            case Tombstone():
                self.tombstones.pop(record.id, None)

    def absorb(self, changes: ChangeSet) -> None:
        """Bring the index to where the store is after a change set."""
        for record in changes.removes:
            self.drop(record)
        for record in changes.writes:
            self.put(record)

    def _put_fact(self, fact: Fact) -> None:
        self._drop_fact(fact.id, waiting=bool(fact.reason))
        if fact.reason:
            self.waiting[fact.id] = fact
        else:
            self.facts[fact.id] = fact
            for slug in filter(None, (fact.src, fact.dst)):
                self.links[slug][fact.id] = None
        if "births" in self.__dict__:
            self.births.setdefault(birth_of(fact)[0], {})[fact.id] = None
        if "_by_end" in self.__dict__:
            for key in _ends(fact):
                self._by_end.setdefault(key, {})[birth_of(fact)[0]] = None
        if "_superseders" in self.__dict__:
            for target in fact.supersedes:
                self._superseders.setdefault(target, {})[birth_of(fact)[0]] = None

    def _drop_fact(self, fact_id: str, *, waiting: bool) -> None:
        old = (self.waiting if waiting else self.facts).pop(fact_id, None)
        if old is None:
            return
        if not waiting:
            for slug in filter(None, (old.src, old.dst)):
                self.links[slug].pop(fact_id, None)
        if "births" in self.__dict__ and fact_id not in self.facts | self.waiting:
            birth = birth_of(old)[0]
            self.births.get(birth, {}).pop(fact_id, None)
            if not self.births.get(birth):
                self.births.pop(birth, None)

    # --- for writers ----------------------------------------------------------------------------

    @cached_property
    def births(self) -> dict[str, dict[str, None]]:
        """Birth id of each statement -> ids of its facts."""
        out: dict[str, dict[str, None]] = {}
        for fact in (*self.facts.values(), *self.waiting.values()):
            out.setdefault(birth_of(fact)[0], {})[fact.id] = None
        return out

    @cached_property
    def _by_end(self) -> dict[str, dict[str, None]]:
        """Key -> births of the statements at whose end it stands, as said or as routed."""
        out: dict[str, dict[str, None]] = {}
        for fact in (*self.facts.values(), *self.waiting.values()):
            for key in _ends(fact):
                out.setdefault(key, {})[birth_of(fact)[0]] = None
        return out

    @cached_property
    def _superseders(self) -> dict[str, dict[str, None]]:
        """Fact id -> births of the statements that name it as replaced."""
        out: dict[str, dict[str, None]] = {}
        for fact in (*self.facts.values(), *self.waiting.values()):
            for target in fact.supersedes:
                out.setdefault(target, {})[birth_of(fact)[0]] = None
        return out

    @property
    def forgotten_triples(self) -> frozenset[str]:
        """What tombstones remember: (src, relation, dst) that a person has removed."""
        return frozenset(t.triple for t in self.tombstones.values() if t.triple)

    def mentions_of(self, key: str) -> list[str]:
        """Return the births of all statements at whose end a key stands."""
        return [b for b in self._by_end.get(key, ()) if b in self.births]

    def birth_by_id(self, fact_id: str) -> str:
        """Return the birth id of the statement that a fact shows; the id itself if unknown."""
        fact = self.facts.get(fact_id) or self.waiting.get(fact_id)
        return birth_of(fact)[0] if fact else fact_id

    def rivals(self, birth: str) -> list[str]:
        """Return the births of the statements that share a statement's slot, if it has one."""
        out: dict[str, None] = {}
        for fact in self.files_of(birth):
            if fact.relation in EXCLUSIVE:
                out |= dict.fromkeys(self._slot(fact.src, fact.relation))
        return list(out)

    def slot_of(self, statement: Statement) -> list[str]:
        """Return the births that may share the slot of a statement which is not stored yet."""
        src, _ = self.names.route(statement.src)
        return self._slot(src or statement.src, statement.relation)

    def _slot(self, src: str, relation: str) -> list[str]:
        final = self.names.final(src)
        return [
            birth
            for key in {src, final, *self.names.merged(final)}
            for birth in self.mentions_of(key)
            if any(fact.relation == relation for fact in self.files_of(birth))
        ]

    def superseders_of(self, fact_id: str) -> list[Fact]:
        """Return the facts that name a fact as replaced."""
        births = self._superseders.get(fact_id, ())
        files = (fact for birth in births for fact in self.files_of(birth) if not fact.reason)
        return [fact for fact in files if fact_id in fact.supersedes]

    def files_of(self, birth: str) -> list[Fact]:
        """Return the facts that show a statement, waiting ones last."""
        ids = self.births.get(birth, {})
        return [
            *(self.facts[i] for i in ids if i in self.facts),
            *(self.waiting[i] for i in ids if i in self.waiting),
        ]

    def statement(self, birth: str) -> Statement | None:
        """Return a statement as all its files together show it."""
        out: Statement | None = None
        for fact in self.files_of(birth):
            part = from_fact(fact)
            out = merge(out, part) if out else part
        return out

    @cached_property
    def unreadable(self) -> frozenset[str]:
        """Ids and slugs of files that cannot be read: nobody may take them for deleted."""
        out: set[str] = set()
        for path in (PurePosixPath(problem.path) for problem in self.problems):
            # facts/he/hermes/runs_on--mac-mini--k3v9m2.md: the fact, and the things it needs.
            out |= {path.stem, path.parent.name, *path.stem.split("--")}
        return frozenset(out)

    # --- for readers ----------------------------------------------------------------------------

    def is_needed(self, slug: str) -> bool:
        """Say whether a fact stands at an entity, or a redirect leads to it."""
        return bool(self.links.get(slug) or self.names.merged(slug))

    def facts_of(self, slug: str) -> list[Fact]:
        """Return the facts at whose end an entity stands, also under names merged into it."""
        ids: dict[str, None] = {}
        for name in (slug, *self.names.merged(slug)):
            ids |= self.links.get(name, {})
        return [self.facts[i] for i in ids]

    def entity(self, slug: str) -> Entity:
        """Return an entity by slug, redirects followed; a bare one if its file is gone."""
        final = self.names.final(slug)
        return self.entities.get(final) or Entity(slug=final, name=final, type="concept")

    def names_in(self, text: str, *, whole: bool = True) -> dict[str, str]:
        """Return key -> words, for each known name that a text names (see `vocabulary`)."""
        return self._vocabulary.names_in(text, whole=whole)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        slugs = {*self.entities, *self.names.attested}
        return Vocabulary(name for slug in slugs for name in self.names.spellings(slug))

    @property
    def _has_vocabulary(self) -> bool:
        return "_vocabulary" in self.__dict__

    def _learn_names(self, *names: str) -> None:
        # A name that is taken back may still be found; it then leads to nothing.
        for name in names if self._has_vocabulary else ():
            self._vocabulary.add(name)

    def glossary(self, text: str, *, limit: int = 40, facts_each: int = 6) -> list[Known]:
        """Return the entities that a text names, with their current facts, for an extractor."""
        out: list[Known] = []
        for key in self.names_in(text):
            owner = self.names.owner(key)
            for slug in [owner] if owner else self.names.claimants(key):
                entity = self.entities.get(self.names.final(slug))
                if entity is not None and all(known.name != entity.name for known in out):
                    out.append(self._known(entity, facts_each))
        return out[:limit]

    def _known(self, entity: Entity, facts_each: int) -> Known:
        current = [
            f
            for f in self.facts_of(entity.slug)
            if f.invalid_at is None and self.names.final(f.src) == entity.slug
        ]
        current.sort(key=lambda f: (f.valid_from is not None, f.valid_from, f.id), reverse=True)
        return Known(
            name=entity.name,
            type=entity.type,
            aliases=self._other_names(entity),
            # Not the sentences: a model would take them for something that is said now.
            facts=tuple((handle(f), _circumstances(f)) for f in current[:facts_each]),
        )

    def _other_names(self, entity: Entity) -> tuple[str, ...]:
        """Return the aliases of an entity, and all names of what was merged into it."""
        losers = [self.entities.get(slug) for slug in self.names.merged(entity.slug)]
        more = {n for loser in losers if loser for n in (loser.name, *loser.aliases)}
        return tuple(sorted({*entity.aliases, *more} - {entity.name}))


def _ends(fact: Fact) -> set[str]:
    said = {slug_of(name) for name in (fact.said_src, fact.said_dst) if name}
    return {end for end in (fact.src, fact.dst) if end} | said


def _circumstances(fact: Fact) -> str:
    """Return what the handle leaves out: a value cut short, the qualifier, the date."""
    since = f"since {iso(fact.valid_from)[:10]}" if fact.valid_from else ""
    return ", ".join(filter(None, (fact.value, fact.qualifier, since)))


def handle(fact: Fact) -> str:
    """Return how a fact is called in answers and prompts: readable, and it ends in its id."""
    end = fact.dst if fact.dst is not None else slug_of(fact.value or "")[:40].strip("-.")
    return f"{fact.src}/{fact.relation}--{end}--{fact.id}"
