"""Which file is whose.

    entities/he/hermes.md                              an entity; its slug is the stem
    facts/he/hermes/runs_on--mac-mini--k3v9m2.md       a fact; its id follows the last `--`
    review/he/hermes/runs_on--mac-mini--k3v9m2.md      a fact that waits for a person
    review/he/hermes/alias--the-bot.md                 an alias or a merge that waits
    episodes/2026/08/2026-08-01-claude-7k3m9q.md       an episode, by its date in UTC
    forgotten/k3/k3v9m2.md                             a tombstone

New names are functions of what the record says, ASCII, lower-case and at most 100 bytes a part.
A record that was loaded keeps the file it came from, for people may name their files as they like.
"""

import re
from datetime import UTC

from scry.errors import StoreError
from scry.model import Entity, Episode, Fact, Proposal, Record
from scry.text import slug_of

FOLDERS = ("entities", "facts", "episodes", "review", "forgotten")
"""The folders that hold records; everything else in a store is left alone."""

_SAFE = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}\Z")
_SAFE_RELATION = re.compile(r"[a-z][a-z0-9_]{0,29}\Z")
_UNSAFE_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\\]")
_KINDS = dict(zip(FOLDERS, ("entity", "fact", "episode", "review", "tombstone"), strict=True))


def path_of(record: Record) -> str:
    """Return the file that a record lives in, relative to the store, with forward slashes.

    >>> path_of(Entity(slug="hermes", name="Hermes", type="service"))
    'entities/he/hermes.md'
    """
    if record.path:
        return record.path
    match record:
        case Entity():
            slug = _part(record.slug)
            return f"entities/{shard(slug)}/{slug}.md"
        case Fact():
            return _path_of_fact(record)
        case Episode():
            day = record.occurred_at.astimezone(UTC)
            return f"episodes/{day.year:04d}/{day.month:02d}/{_part(record.id)}.md"
        case Proposal():
            slug = _part(record.entity)
            return f"review/{shard(slug)}/{slug}/alias--{slug_of(record.alias)}.md"
        case _:
            name = _part(record.id)
            return f"forgotten/{shard(name)}/{name}.md"


def kind_of(path: str) -> str:
    """Return what a file of the store holds: entity, fact, episode, review or tombstone.

    "" means that the file is nobody's: notes for people, what editors leave behind.

    >>> kind_of("facts/he/hermes/runs_on--mac-mini--k3v9m2.md"), kind_of("facts/README.md")
    ('fact', '')
    """
    folder, _, rest = path.partition("/")
    name = rest.rpartition("/")[2]
    if not name.endswith(".md") or name[0] in ".#~" or name == "README.md":
        return ""
    return _KINDS.get(folder, "")


def id_of(path: str) -> str:
    """Return the id that a file's name gives its record: what follows the last `--`, or the stem.

    >>> id_of("facts/he/hermes/runs_on--mac-mini--k3v9m2.md"), id_of("facts/he/hermes/mine.md")
    ('k3v9m2', 'mine')
    """
    return stem_of(path).rpartition("--")[2]


def stem_of(path: str) -> str:
    """Return a file's name without its folder and without `.md`."""
    return path.rpartition("/")[2].removesuffix(".md")


def shard(name: str) -> str:
    """Return the folder for a name: its first two characters, so that git's trees stay small.

    >>> shard("hermes"), shard("c"), shard("v.2")
    ('he', 'c', 'v')
    """
    return name[:2].rstrip(".")


def checked(path: str) -> str:
    """Return a path that stays inside the folders of a store.

    Raises:
        StoreError: it leads elsewhere, or is no name for a record.
    """
    parts = path.split("/")
    wrong = any(p in ("", ".", "..") or p.lower().startswith(".git") for p in parts)
    if wrong or len(parts) < 2 or not kind_of(path) or _UNSAFE_CHARACTER.search(path):
        raise StoreError(
            f"{path!r} is no place for a record. Records live in {', '.join(FOLDERS)}, "
            "in files that end in .md."
        )
    return path


def is_plain_path(path: str) -> bool:
    """Say whether a path can be given to git and shown on a line without quoting."""
    return not _UNSAFE_CHARACTER.search(path)


def _path_of_fact(fact: Fact) -> str:
    slug = _part(fact.src)
    relation = fact.relation
    if not _SAFE_RELATION.match(relation):
        relation = slug_of(relation)[:30]
    end = _part(fact.dst) if fact.dst is not None else slug_of(fact.value or "")
    name = f"{relation}--{end[:40].rstrip('.-')}--{_part(fact.id)}.md"
    return f"{'review' if fact.reason else 'facts'}/{shard(slug)}/{slug}/{name}"


def _part(name: str) -> str:
    """Return a name that is safe in a path; what a person wrote may not be."""
    return name if _SAFE.match(name) and slug_of(name) == name else slug_of(name)
