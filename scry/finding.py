"""One thing in a store that is not as it should be, or that a person may want to know.

A finding of level `error` or `warning` asks for something to be done, a `note` only tells.  A store
that a person has never touched has none but notes.
"""

from dataclasses import dataclass

LEVELS = ("error", "warning", "note")
"""The worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Where something is, what it is, and what to do about it.

    `id` names the kind of finding, for scripts.
    """

    id: str
    level: str
    path: str
    message: str
    remedy: str
    line: int | None = None


def ordered(findings: list[Finding]) -> list[Finding]:
    """Return findings with the worst first, each kind together."""
    return sorted(findings, key=lambda f: (LEVELS.index(f.level), f.id, f.path, f.line or 0))


def sound(findings: list[Finding]) -> bool:
    """Say whether no finding asks for anything to be done."""
    return all(finding.level == "note" for finding in findings)
