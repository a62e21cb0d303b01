"""What `sweep`, `ingest` and `retry` say about what became of transcripts."""

from collections.abc import Iterator
from contextlib import contextmanager

from scry.commands import answer, plural, tell
from scry.errors import Exit, StoreError
from scry.model import Applied
from scry.report import Report

_SHOWN = 12
"""Commits to list; the rest are counted."""


@contextmanager
def told_anyway(report: Report, *, as_json: bool) -> Iterator[None]:
    """Print what was done before the store failed, or somebody pressed Ctrl-C.

    Each transcript is a commit of its own, so what came before is stored, and nobody else tells.
    """
    try:
        yield
    except (StoreError, OSError, KeyboardInterrupt):
        if report.commits or report.skipped or report.problems:
            answer(as_json, report_json(report), report_text(report))
        raise


def report_json(report: Report) -> dict[str, object]:
    """Return a report as the contract has it; `reasons` says why episodes are pending."""
    return {
        "scanned": report.scanned,
        "ingested": report.ingested,
        "unchanged": report.unchanged,
        "active": report.active,
        "episodes": list(dict.fromkeys(report.episodes)),
        "pending": list(dict.fromkeys(report.pending)),
        "skipped": [{"path": path, "reason": reason} for path, reason in report.skipped],
        "problems": [
            {"path": p.path, "line": p.line, "message": p.message} for p in report.problems
        ],
        "commits": [{"id": commit, "subject": subject} for commit, subject in report.commits],
        "reasons": {name: report.reasons.get(name, "not asked yet") for name in report.pending},
        "waiting": report.waiting,
    }


def report_text(report: Report, *, idle_minutes: float | None = None) -> str:
    """Return a report for people: counts first, then every path that was left out, with why."""
    lines = [_counts(report, idle_minutes)]
    pending = dict.fromkeys(report.pending)
    if pending:
        lines.append(f"{plural(len(pending), 'episode')} waiting for an extractor:")
        lines += [f"  {name}: {report.reasons.get(name, 'not asked yet')}" for name in pending]
    lines += [f"skipped {path}: {reason}" for path, reason in report.skipped]
    lines += [
        f"problem {p.path}{f':{p.line}' if p.line is not None else ''}: {p.message}"
        for p in report.problems
    ]
    lines += [f"waits   {path}: it has changes that are not committed" for path in report.waiting]
    lines += [f"{commit[:10]}  {subject}" for commit, subject in report.commits[:_SHOWN]]
    if left := len(report.commits) - _SHOWN:
        lines += [f"… and {plural(left, 'commit')} more: scry log"] if left > 0 else []
    return "\n".join(lines)


def _counts(report: Report, idle_minutes: float | None) -> str:
    parts = [
        f"{plural(report.ingested, 'transcript')} taken in",
        f"{plural(len(set(report.episodes)), 'episode')} stored",
        f"{report.unchanged:,} unchanged",
    ]
    if report.active:
        idle = f" (idle for {idle_minutes:g} minutes first)" if idle_minutes else ""
        parts.append(f"{report.active:,} still being written{idle}")
    if report.skipped:
        parts.append(f"{len(report.skipped):,} skipped")
    return ", ".join(parts) + "."


def still_waiting(applied: Applied) -> Exit | None:
    """Say which files keep what was taken back, for a person has changed them; None if none do."""
    for path in applied.waiting:
        tell(
            f"scry: {path} has changes that are not committed, so it stays for now. "
            "Commit or drop them; the next `scry sweep` does the rest."
        )
    return Exit.NO if applied.waiting else None
