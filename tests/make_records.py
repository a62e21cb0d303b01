"""Factories of records for tests: they fill in whatever a test does not mention."""

from datetime import UTC, datetime, timedelta

from scry.index import Index
from scry.model import Citation, Entity, Episode, Fact, Record, Snapshot, Span
from scry.text import short_hash, slug_of

NOON = datetime(2026, 8, 1, 12, tzinfo=UTC)
NOW = NOON + timedelta(days=30)
REPO = "github.com/jane/hermes"


def day(number: int) -> datetime:
    """Return noon of a day; day 0 is the first of August 2026."""
    return NOON + timedelta(days=number)


def make_entity(name: str, type: str = "service", **more: object) -> Entity:  # noqa: A002
    """Return an entity under its own slug."""
    return Entity(**{"slug": slug_of(name), "name": name, "type": type, **more})  # type: ignore[arg-type]


def make_fact(
    src: str, relation: str = "uses", end: str = "", *, value: str | None = None, **more: object
) -> Fact:
    """Return a fact between two names, or about one name and a literal."""
    sentence = f"{src} {relation.replace('_', ' ')} {value if value is not None else end}."
    record = {
        "src": slug_of(src),
        "relation": relation,
        "dst": slug_of(end) if value is None else None,
        "value": value,
        "fact": sentence,
        "valid_from": NOON,
        "confidence": 0.9,
        "origin": "user",
        **more,
    }
    words = sorted(f"{key}={value}" for key, value in record.items())
    return Fact(**{"id": short_hash(*words, length=6), **record})  # type: ignore[arg-type]


def make_episode(number: int = 1, *, at: datetime = NOON, **more: object) -> Episode:
    """Return an episode that an extractor has answered for."""
    record = {
        "id": f"{at:%Y-%m-%d}-claude-e{number:05d}",
        "source": "claude",
        "session": f"session-{number}",
        "span": Span("~/.claude/projects/x/s.jsonl", 1, 20),
        "sha256": "0" * 64,
        "turns": 4,
        "occurred_at": at,
        "ingested_at": at,
        "repo": REPO,
        "extractor": "openai/test",
        "summary": f"Session {number}.",
    }
    return Episode(**{**record, **more})  # type: ignore[arg-type]


def cite(*episodes: Episode, line: int = 7) -> tuple[Citation, ...]:
    """Return citations of whole episodes."""
    return tuple(Citation(episode.id, line) for episode in episodes)


def make_index(*records: Record) -> Index:
    """Return an index of records; ends of facts without an entity's file become services."""
    known = {r.slug for r in records if isinstance(r, Entity)}
    ends = {s for r in records if isinstance(r, Fact) for s in (r.src, r.dst) if s}
    missing = [Entity(slug=s, name=s, type="service") for s in sorted(ends - known)]
    return Index.build(Snapshot(records=(*records, *missing)))
