"""What a person, or an agent for them, asks to be remembered: an episode of its own.

With typed fields (a subject, a relation and an object) it is a fact at once, with no model.
Without, the text is an episode that waits: searchable now, extracted when somebody answers.
"""

from dataclasses import dataclass
from datetime import datetime

from scry.episodes import episode_id
from scry.errors import Exit, ScryError
from scry.ingest import Ingest
from scry.lookup import find_fact
from scry.model import (
    ENTITY_TYPES,
    REMEMBERED,
    Applied,
    Chunk,
    Citation,
    Claim,
    Declared,
    Episode,
    Extraction,
    Redacted,
    Span,
    Tombstone,
    Turn,
)
from scry.relations import RELATIONS, canonical
from scry.statement import from_claim
from scry.text import (
    clean_prose,
    estimate_tokens,
    fold,
    is_safe_name,
    one_line,
    short_hash,
    slug_of,
)


class RememberError(ScryError):
    """What was asked to be remembered cannot be stored as it was said."""

    exit_code = Exit.USAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What to remember.  `origin` is `person` (in a terminal) or `assistant` (an agent)."""

    text: str
    entities: tuple[str, ...] = ()
    relation: str = ""
    dst: str = ""
    value: str = ""
    qualifier: str = ""
    type: str = ""
    supersedes: str = ""
    at: datetime | None = None
    origin: str = "person"
    cwd: str = ""
    repo: str = ""


def remember(ingest: Ingest, note: Note, now: datetime) -> tuple[Episode, Applied]:
    """Store a note as one commit; return its episode as stored.

    The same note on the same day is the same episode, so saying it twice changes nothing.

    Raises:
        RememberError: a field is missing, or a name cannot be one.
        UnknownNameError: no fact bears what the note replaces.
        StoreError: the store cannot be written.
    """
    text = ingest.redact(clean_prose(note.text).strip())
    if not text:
        raise RememberError("There is nothing to remember: the text is empty.")
    fields = (*note.entities, note.relation, note.dst, note.value, note.qualifier)
    uid = short_hash("note", text, *fields, length=16)
    session = f"note-{uid}"
    identity = episode_id("manual", session, uid, now)
    known = ingest.index.episodes.get(identity)
    at = known.occurred_at if known else now
    episode = Episode(
        id=identity,
        source="manual",
        session=session,
        span=Span("remember", 1, 1),
        sha256="",
        turns=1,
        occurred_at=at,
        ingested_at=now,
        cwd=ingest.redact(note.cwd),
        repo=ingest.redact(note.repo),
        mentions=tuple(sorted(ingest.redact(name) for name in note.entities)),
        summary=text,
    )
    part = Chunk(episode=episode, turns=(_turn(text, at),))
    extraction = _extraction(note, text, ingest) if note.relation else None
    ingest.store.keep_evidence({identity: f"[1] user: {text}"})
    applied = ingest.accept(part, extraction, lifts=_said_again(ingest, extraction))
    return ingest.index.episodes[identity], applied


def _said_again(ingest: Ingest, extraction: Extraction | None) -> list[Tombstone]:
    """Return the tombstones of what a person had forgotten and now wants remembered."""
    births = [
        from_claim(claim, Citation("")).id
        for claim in (extraction.claims if extraction else ())
        if claim.origin == "person"
    ]
    return [ingest.index.tombstones[b] for b in births if b in ingest.index.tombstones]


def _turn(text: Redacted, at: datetime) -> Turn:
    weight = estimate_tokens(text)
    return Turn(role="user", at=at, line=1, last=1, text=text, uid="", weight=weight)


def _extraction(note: Note, text: Redacted, ingest: Ingest) -> Extraction:
    """Return the one fact that a note with typed fields states."""
    if not note.entities or bool(note.dst) == bool(note.value):
        raise RememberError(
            "A fact needs a subject (--entity NAME) and, with --relation, either "
            "--dst NAME or --value TEXT."
        )
    if note.type and note.type not in ENTITY_TYPES:
        raise RememberError(
            f"'{one_line(ingest.redact(note.type), 60)}' is no type. An entity is one of {', '.join(ENTITY_TYPES)}."
        )
    relation, swap = canonical(note.relation)
    src, dst = note.entities[0], note.dst
    if swap and dst:
        src, dst = dst, src
    names = [_name(name, ingest) for name in (src, dst) if name]
    claim = Claim(
        src=names[0],
        relation=relation,
        dst=names[1] if dst else None,
        value=None if dst else one_line(ingest.redact(note.value), 500),
        qualifier=one_line(ingest.redact(note.qualifier), 60),
        fact=one_line(text, 500),
        at=note.at,
        confidence=1.0 if note.origin == "person" else 0.8,
        origin=note.origin,
        line=1,
        said="" if note.relation == relation else one_line(ingest.redact(note.relation), 40),
        supersedes=_replaced(note, ingest),
    )
    return Extraction(
        extractor=REMEMBERED,
        summary=text,
        entities=tuple(_declared(name, note, ingest) for name in names),
        claims=(claim,),
    )


def _replaced(note: Note, ingest: Ingest) -> tuple[str, ...]:
    """Return the id of the fact that a note replaces."""
    return (find_fact(ingest.index, note.supersedes).id,) if note.supersedes.strip() else ()


def unknown_relation(relation: str) -> str:
    """Return what became of a relation that nobody knows, as a sentence; "" for a known one."""
    from scry.match import nearest

    became = canonical(relation)[0]
    if not relation or became != "related_to" or fold(relation).replace(" ", "_") == became:
        return ""
    near = nearest(relation, RELATIONS)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return f"There is no relation '{one_line(relation, 60)}'; it became related_to.{hint}"


def _declared(name: str, note: Note, ingest: Ingest) -> Declared:
    """Return a name as it is known, else as what the note says it is."""
    slug, _ = ingest.index.names.route(slug_of(name))
    known = ingest.index.entities.get(slug or "")
    if known is not None:
        return Declared(name=known.name, type=known.type)
    given = note.type if note.type and name == note.entities[0] else "concept"
    return Declared(name=name, type=given)


def _name(name: str, ingest: Ingest) -> str:
    clean = ingest.redact(name.strip())
    if not clean or len(clean) > 120 or not is_safe_name(clean):
        raise RememberError(f"'{one_line(clean, 60)}' cannot be a name.")
    return clean
