"""The name table: which entity a name means, as a pure function of what is on record.

Names are looked up, never guessed.  A name that some episode declares, or that an entity's file
bears, is that entity.  Any other name means an entity only if exactly one claims it as an alias.
Keys are slugs of names, the same for all spellings of a name.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from scry.model import UNDONE, Declared, Entity, Episode
from scry.statement import CONTESTED, UNKNOWN, read_declaration, read_description
from scry.text import normalise_name, slug_of

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Attested:
    """A declaration with the episode that made it."""

    entity: Declared
    episode: str
    at: datetime
    trusted: bool
    """Whether a model or a person made it; False for rules."""
    repo: str


class Names:
    """The names of a store.  `put` and `drop` keep it up to date with entities and episodes."""

    def __init__(self) -> None:
        self.attested: dict[str, dict[str, Attested]] = defaultdict(dict)
        self._files: dict[str, Entity] = {}
        # Key -> slug -> how many episodes claim it as an alias, and whose files list it.
        self._claims: dict[str, Counter[str]] = defaultdict(Counter)
        self._listed: dict[str, set[str]] = defaultdict(set)
        # Key -> whose files say that it is not theirs, and whose name it has become by hand.
        self._rejected: dict[str, set[str]] = defaultdict(set)
        self._renamed: dict[str, set[str]] = defaultdict(set)
        self._losers: dict[str, set[str]] = defaultdict(set)
        # (slug, key) of every claim that an episode makes or, before it was undone, made.
        self._ever: Counter[tuple[str, str]] = Counter()

    def put_entity(self, entity: Entity) -> None:
        """Take note of an entity's file; it replaces what the same slug said before."""
        self.drop_entity(entity.slug)
        self._files[entity.slug] = entity
        # A person may have changed the name inside the file: both spellings lead here.
        for name in (entity.name, *entity.aliases):
            self._listed[slug_of(name)].add(entity.slug)
        for name in entity.rejected:
            self._rejected[slug_of(name)].add(entity.slug)
        if (key := slug_of(entity.name)) != entity.slug:
            self._renamed[key].add(entity.slug)
        if entity.merged_into:
            self._losers[entity.merged_into].add(entity.slug)

    def drop_entity(self, slug: str) -> None:
        """Forget an entity's file."""
        entity = self._files.pop(slug, None)
        if entity is None:
            return
        for name in (entity.name, *entity.aliases):
            self._listed[slug_of(name)].discard(slug)
        for name in entity.rejected:
            self._rejected[slug_of(name)].discard(slug)
        self._renamed[slug_of(entity.name)].discard(slug)
        self._losers[entity.merged_into].discard(slug)

    def put_episode(self, episode: Episode) -> None:
        """Take note of what an episode declares."""
        self._count(episode, 1)
        for slug, attested in declarations(episode).items():
            self.attested[slug][episode.id] = attested

    def drop_episode(self, episode: Episode) -> None:
        """Forget what an episode declared."""
        self._count(episode, -1)
        for slug in declarations(episode):
            self.attested[slug].pop(episode.id, None)
            if not self.attested[slug]:
                del self.attested[slug]

    def _count(self, episode: Episode, change: int) -> None:
        for slug, attested in declarations(episode).items():
            for key in {slug_of(alias) for alias in attested.entity.aliases}:
                self._claims[key][slug] += change
        for slug, attested in declarations(replace(episode, extractor="")).items():
            for key in {slug_of(alias) for alias in attested.entity.aliases}:
                self._ever[slug, key] += change

    # --- looking up ---------------------------------------------------------------------------

    def bears(self, key: str) -> bool:
        """Say whether the key is an entity's own name."""
        return self.owner(key) is not None

    def owner(self, key: str) -> str | None:
        """Return the slug of the entity whose own name a key is.

        Its file's name says so; else the one file in which a person has written that name; else
        an episode that declares it.
        """
        if key in self._files:
            return key
        named = self._renamed.get(key)
        if named and len(named) == 1:
            return next(iter(named))
        return key if key in self.attested else None

    def claimants(self, key: str) -> list[str]:
        """Return the slugs of all entities that claim the key as an alias, sorted.

        An alias in a file counts by itself only if no episode has ever claimed it, for then
        a person has written it; the others count as long as an episode claims them.
        """
        claimed = {slug for slug, count in self._claims.get(key, {}).items() if count > 0}
        listed = {s for s in self._listed.get(key, ()) if self._ever[s, key] <= 0}
        return sorted((claimed | listed) - {key} - self._rejected.get(key, set()))

    def claimed_for_others(self, key: str, slug: str) -> bool:
        """Say whether an alias is claimed for anything else, also where that was rejected."""
        claimed = {s for s, count in self._claims.get(key, {}).items() if count > 0}
        return bool((claimed | self._listed.get(key, set())) - {key, slug})

    def route(self, key: str) -> tuple[str | None, str]:
        """Return the slug that a name means when something is written, or None and the reason.

        A merged entity keeps its own slug here: readers follow the redirect.
        """
        if owner := self.owner(key):
            return owner, ""
        owners = self.claimants(key)
        if len(owners) == 1:
            return owners[0], ""
        if len({self.final(slug) for slug in owners}) == 1:
            return self.final(owners[0]), ""  # They have turned out to be one thing.
        return None, CONTESTED if owners else UNKNOWN

    def meaning(self, key: str) -> tuple[str | None, str, frozenset[str]]:
        """Return where a name leads, and by which spellings that thing can be named in a text."""
        slug, why = self.route(key)
        return slug, why, frozenset(self.all_spellings(slug) if slug else ())

    def find(self, name: str) -> list[str]:
        """Return the slugs that a name may mean, redirects followed; several when contested."""
        key = slug_of(name)
        owner = self.owner(key)
        owners = [owner] if owner else self.claimants(key)
        return sorted({self.final(slug) for slug in owners})

    def final(self, slug: str) -> str:
        """Follow merges to the entity that answers today.  A ring of merges stops at its start."""
        seen = [slug]
        while (further := self._further(seen[-1])) and further != seen[-1]:
            if further in seen:
                return slug
            seen.append(further)
        return seen[-1]

    def _further(self, slug: str) -> str | None:
        """Return where a slug leads: by its redirect, or because its file bears another name now."""
        entity = self._files.get(slug)
        return self.owner(slug) if entity is None else entity.merged_into or None

    def merged(self, slug: str) -> list[str]:
        """Return the slugs of all that lead to an entity, the nearest first."""
        out = [slug]
        for known in out:
            file = self._files.get(known)
            named = {slug_of(file.name)} if file else set()
            leads = {key for key in named if key not in self._files and self.owner(key) == known}
            out += sorted((leads | self._losers.get(known, set())) - {*out})
        return out[1:]

    def all_spellings(self, slug: str) -> set[str]:
        """Return every spelling of an entity, and of all that has turned out to be the same."""
        final = self.final(slug)
        return {n for known in (final, *self.merged(final), slug) for n in self.spellings(known)}

    def spellings(self, slug: str) -> set[str]:
        """Return every spelling of an entity that is on record, its aliases among them."""
        out: set[str] = set()
        for attested in self.attested.get(slug, {}).values():
            out |= {attested.entity.name, *attested.entity.aliases}
        if entity := self._files.get(slug):
            gone = {slug_of(name) for name in entity.rejected}
            out |= {entity.name, *entity.aliases}
            out = {name for name in out if slug_of(name) not in gone} if gone else out
        return out


def declarations(episode: Episode) -> dict[str, Attested]:
    """Return what an episode declares, by slug; nothing once it is undone."""
    if episode.extractor == UNDONE:
        return {}
    described = dict(filter(None, map(read_description, episode.described)))
    out: dict[str, Attested] = {}
    for line in episode.declares:
        entity = read_declaration(line)
        if entity is None:
            continue
        entity = replace(entity, description=described.get(entity.name, ""))
        slug = slug_of(entity.name)
        trusted = not episode.extractor.startswith("rules")
        new = Attested(entity, episode.id, episode.occurred_at, trusted, episode.repo)
        out[slug] = _united(out[slug], new) if slug in out else new
    return out


def touched_by(episode: Episode | None) -> set[str]:
    """Return every key about which an episode declares anything."""
    out: set[str] = set()
    for slug, attested in (declarations(episode) if episode else {}).items():
        out |= {slug, *map(slug_of, attested.entity.aliases)}
    return out


def _united(a: Attested, b: Attested) -> Attested:
    """Return two declarations of one entity by one episode as one, in whichever order."""
    first, second = sorted((a.entity, b.entity), key=lambda e: (e.name, e.type, e.description))
    entity = replace(
        first,
        aliases=tuple(sorted({*first.aliases, *second.aliases})),
        description=max(first.description, second.description),
    )
    return replace(a, entity=entity)


# --- what the declarations make of an entity -------------------------------------------------


def derive_entity(slug: str, attested: Iterable[Attested], names: Names) -> Entity | None:
    """Return an entity as its declarations describe it; None when there is none.

    The commonest spelling names it.  The first type on which two episodes agree, by their own
    dates, is its type.  The newest description by the most trusted is shown.
    """
    found = sorted(attested, key=lambda a: (a.at, a.episode))
    if not found:
        return None
    spellings = [a.entity.name for a in found]
    described = [a for a in found if a.entity.description]
    best = max(described, key=lambda a: (a.trusted, a.at, a.episode), default=None)
    return Entity(
        slug=slug,
        name=min(set(spellings), key=lambda n: (-spellings.count(n), n)),
        type=_type(found),
        aliases=_aliases(slug, found, names),
        repos=_repos(found),
        description=best.entity.description if best else "",
    )


def _type(found: list[Attested]) -> str:
    for candidates in ([a for a in found if a.trusted], found):
        seen: list[str] = []
        for a in candidates:
            if a.entity.type in seen:
                return a.entity.type
            seen.append(a.entity.type)
    return next((a.entity.type for a in found if a.trusted), found[0].entity.type)


def _aliases(slug: str, found: list[Attested], names: Names) -> tuple[str, ...]:
    """Return the uncontested aliases, one spelling each."""
    out: dict[str, str] = {}
    for alias in sorted({alias for a in found for alias in a.entity.aliases}):
        key = slug_of(alias)
        if key != slug and not names.bears(key) and names.claimants(key) == [slug]:
            out.setdefault(key, alias)
    return tuple(sorted(out.values()))


def _repos(found: list[Attested]) -> tuple[str, ...]:
    """Return the repositories of a project: those that bear its name."""
    return tuple(
        sorted(
            {
                a.repo
                for a in found
                if a.repo
                and a.entity.type == "project"
                and normalise_name(a.repo.rsplit("/", 1)[-1]) == normalise_name(a.entity.name)
            }
        )
    )
