"""Facts as people write them: what they lack, and what they need."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from scry.errors import StoreError
from scry.fixing.round import Round
from scry.fixing.told import lines_between
from scry.model import ENTITY_TYPES, Entity, Fact, Record
from scry.names import derive_entity
from scry.relations import EXCLUSIVE, RELATIONS, canonical
from scry.statement import words_id
from scry.store import codec, files, paths
from scry.store.handwritten import completed, given_types
from scry.text import slug_of


def find_handwritten(at: Round) -> None:
    """Find facts whose file lacks something, or lies in another thing's folder."""
    cited = {f.superseded_by for f in at.index.facts.values()}
    cited |= {target for f in at.index.facts.values() for target in f.supersedes}
    for fact in list(at.index.facts.values()):
        if fact.path in at.dirty or fact.id in cited:
            continue
        if not is_minimal(fact) and not _is_left_over(at, fact):
            continue
        final = _completed(at, fact)
        if final.path != fact.path and (at.store.path / final.path).exists():
            at.done.left.append(f"{fact.path}: {final.path} is there already.")
        else:
            at.moved[fact.path] = final


def _is_left_over(at: Round, fact: Fact) -> bool:
    """Say whether a file was completed by a run that was stopped before it could commit it."""
    named = fact.path in at.new and fact.id == words_id(fact) and codec.has_id(fact.path)
    return named and fact.origin == "person" and not fact.episodes


def _completed(at: Round, fact: Fact) -> Fact:
    """Return a fact that a person wrote, with all that it lacks and that can be told."""
    names = at.index.names
    raw = at.front(fact.path)
    ends: dict[str, Any] = {}
    for end, said in (("src", "said_src"), ("dst", "said_dst")):
        words = str(raw.get(end) or "")
        key = slug_of(words) if words else ""
        if not key:
            continue
        slug = names.route(key)[0] or key
        ends[end] = slug
        if slug != key:
            ends[said] = getattr(fact, said) or words
    relation, swap = canonical(fact.relation)
    if swap or fact.relation in RELATIONS or relation == "related_to":
        relation = fact.relation  # A person may write another one.
    since = fact.valid_from or (at.now if fact.path in at.new else _first(at, fact.path))
    final = replace(
        fact,
        **ends,
        relation=relation,
        valid_from=since,
        confidence=fact.confidence if "confidence" in raw else 1.0,
        path="",
    )
    final = replace(final, id=words_id(final))
    return replace(final, path=at.store.path_of(final))


def _first(at: Round, path: str) -> datetime:
    """Return when a file was first committed: since then, at the latest, it has been known."""
    commits = at.store.log(paths=[path])
    return commits[-1].date if commits else at.now


def find_needed(at: Round) -> None:
    """Find things that facts need and that have no file."""
    index = at.index
    by_file = {fact.id: given_types(at.front(old)) for old, fact in at.moved.items()}
    for fact in (*at.moved.values(), *index.facts.values()):
        if fact.path in at.moved:
            continue
        types = by_file.get(fact.id, {})
        for end, slug in (("src", fact.src), ("dst", fact.dst)):
            if slug is None or index.names.final(slug) in index.entities | at.entities:
                continue
            if derive_entity(slug, index.names.attested.get(slug, {}).values(), index.names):
                at.needed.add(slug)
            elif (kind := types.get(end, "")) in ENTITY_TYPES:
                words = str(_front_of(at, fact).get(end) or slug)
                name = words if slug_of(words) == slug else slug
                at.entities[slug] = Entity(slug=slug, name=name, type=kind)
            else:
                _untold(at, fact, end, slug)


def _untold(at: Round, fact: Fact, end: str, slug: str) -> None:
    if slug in at.index.unreadable:
        return
    path = paths.path_of(Entity(slug=slug, name=slug, type="concept"))
    at.done.left.append(
        f"{fact.path}: nobody has said what '{slug}' is. Add `{end}_type: TYPE` to the fact and "
        f"run this again, or write {path}. A type is one of {', '.join(ENTITY_TYPES)}."
    )


def _front_of(at: Round, fact: Fact) -> dict[str, object]:
    old = next((path for path, new in at.moved.items() if new.id == fact.id), fact.path)
    return at.front(old)


def take_out(at: Round) -> list[Fact]:
    """Take facts that people wrote out of the index, so that what they end is found.

    They come back as new: those that are completed, and others that end what came before.
    """
    index = at.index
    old = [f for f in index.facts.values() if f.path in at.moved]
    others = [
        fact
        for fact in index.facts.values()
        if fact.relation in EXCLUSIVE and not fact.episodes and fact.origin == "person"
        if fact.path not in at.dirty | at.new | at.moved.keys()
        if fact.id == words_id(fact)
    ]
    for fact in (*old, *others):
        index.drop(fact)
    for fact in at.moved.values():
        if stone := index.tombstones.get(fact.id):  # It was taken out once, and is back.
            index.drop(stone)
            at.removes[stone.path] = stone
    return others


def complete(at: Round, writes: dict[str, Record]) -> None:
    """Write completed files, as they will be committed; the old ones go."""
    for old, fact in at.moved.items():
        final = writes.get(fact.path, fact)
        before = at.bytes(old)
        if before is None or not isinstance(final, Fact):
            continue
        try:
            data = completed(before, final, old)
        except StoreError as error:
            at.done.left.append(str(error))
            writes.pop(fact.path, None)
            continue
        _put(at, final.path, data, there=before if old == final.path else None)
        writes[final.path] = codec.decode(final.path, data)
        _tell(at, old, final.path, lines_between(before, data))
        if old == final.path:
            continue
        if old in at.new:
            files.replace_file(at.store.path, old, old=before, ready=None)
        else:
            # Under another id, for what is moved would be rewritten from its old bytes.
            at.removes[old] = replace(fact, id=f"{fact.id}0", path=old)


def _put(at: Round, path: str, data: bytes, *, there: bytes | None) -> None:
    temp = at.store.local_folder / "tmp" / "fixed"
    files.make_private(at.store.local_folder, temp.parent)
    files.replace_file(at.store.path, path, old=there, ready=files.write_temp(temp, data))


def is_minimal(fact: Fact) -> bool:
    """Say whether a person wrote a fact's file and left something for us to fill in.

    It has no id in its name, or a word that is none; a fact that an episode supports is ours.
    """
    if fact.episodes or fact.origin != "person" or fact.reason:
        return False
    named = codec.has_id(fact.path) and any(char.isdigit() for char in paths.id_of(fact.path))
    return not named or paths.id_of(fact.path) != fact.id


def _tell(at: Round, old: str, new: str, shown: str) -> None:
    at.say(old, f"-> {new}: {shown}" if old != new else shown or "committed")
