"""What became of transcripts: the answer of `sweep` and `ingest`, filled as they go on."""

from dataclasses import dataclass, field

from scry.model import Problem


@dataclass(slots=True)
class Report:
    """Counts, ids and reasons; `skipped` holds (path, reason), `commits` (id, subject)."""

    scanned: int = 0
    ingested: int = 0
    unchanged: int = 0
    active: int = 0
    episodes: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    commits: list[tuple[str, str]] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)
