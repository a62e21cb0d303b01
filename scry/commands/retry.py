"""`scry retry`: ask again for episodes that no extractor has answered for."""

import click

from scry.app import App
from scry.commands import answer, verb
from scry.commands._report import report_json, report_text, told_anyway
from scry.errors import Exit, UnknownNameError
from scry.index import Index
from scry.model import PENDING
from scry.text import one_line


@verb("retry")
@click.argument("episode", required=False, default="")
def command(app: App, *, episode: str, as_json: bool) -> Exit | None:
    """Ask again for EPISODE, or for all that wait, also of who is left out for now."""
    ingest = app.ingest(lift=True)
    if episode and _is_answered(ingest.index, episode):
        answer(as_json, report_json(ingest.report), f"{episode} has its answer already.")
        return Exit.NO
    parts = ingest.waiting_episodes(only=[episode] if episode else ())
    report = ingest.report
    with told_anyway(report, as_json=as_json):
        ingest.retry(parts)
    text = report_text(report) if parts else _nothing(ingest.index)
    answer(as_json, report_json(report), text)
    unanswered = parts and len(set(report.pending)) == len(parts)
    return Exit.EXTRACTION if unanswered else None


def _is_answered(index: Index, name: str) -> bool:
    """Say whether a model has answered for an episode; what the rules said may be asked again."""
    found = index.episodes.get(name)
    if found is None:
        raise UnknownNameError(one_line(name), pending_ids(index)[:3])
    return found.extractor not in (PENDING, "rules")


def _nothing(index: Index) -> str:
    if lost := len(pending_ids(index)):
        return (
            f"{lost} wait, and their text is not on this machine. `scry check` names their "
            "transcripts, and `scry ingest` takes them in again."
        )
    return "No episode is waiting."


def pending_ids(index: Index) -> list[str]:
    """Return the ids of the episodes that wait, the oldest first."""
    found = [e for e in index.episodes.values() if e.extractor == PENDING]
    return [e.id for e in sorted(found, key=lambda e: (e.occurred_at, e.id))]
