"""The values that the stages pass on.  All frozen; times aware and in UTC; lines from 1.

Types carry trust: a `Did` has no field for what a tool printed, only `redact` makes `Redacted`,
and a `Claim` becomes a `Fact` only through `resolve`.

    events      transcript -> events -> turns
    extraction  chunk -> extractor -> claims
    records     the files of a store, and changes to them
"""

from scry.model.events import (
    DOCUMENT,
    ENTITY_TYPES,
    ORIGINS,
    PENDING,
    REMEMBERED,
    STANCES,
    UNDONE,
    Did,
    Event,
    Mark,
    Problem,
    Redacted,
    Role,
    Said,
    Transcript,
    Turn,
)
from scry.model.extraction import (
    Chunk,
    Claim,
    Declared,
    Extraction,
    Known,
    Prompt,
    Reply,
)
from scry.model.records import (
    Applied,
    ChangeSet,
    Citation,
    Commit,
    Entity,
    Episode,
    Fact,
    Proposal,
    Record,
    Snapshot,
    Span,
    Tombstone,
)

__all__ = [
    "DOCUMENT",
    "ENTITY_TYPES",
    "ORIGINS",
    "PENDING",
    "REMEMBERED",
    "STANCES",
    "UNDONE",
    "Applied",
    "ChangeSet",
    "Chunk",
    "Citation",
    "Claim",
    "Commit",
    "Declared",
    "Did",
    "Entity",
    "Episode",
    "Event",
    "Extraction",
    "Fact",
    "Known",
    "Mark",
    "Problem",
    "Prompt",
    "Proposal",
    "Record",
    "Redacted",
    "Reply",
    "Role",
    "Said",
    "Snapshot",
    "Span",
    "Tombstone",
    "Transcript",
    "Turn",
]
