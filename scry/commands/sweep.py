"""`scry sweep`: everything that is due, of every agent on this machine."""

import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

import click

from scry.app import App
from scry.commands import TIME, answer, at_terminal, plural, tell, verb
from scry.commands._plan import Plan, at_most, plan, remote_links
from scry.commands._report import report_json, report_text, told_anyway
from scry.due import Due
from scry.errors import Exit, NotAStoreError
from scry.ports import Source
from scry.report import Report

_MANY = 200
"""Episodes to send to another machine without asking, and to ask about again in one sweep."""
_REFUSED = -1


@verb("sweep")
@click.option("--since", type=TIME, help="Leave out transcripts last changed before.")
@click.option(
    "--idle",
    type=click.FloatRange(min=0),
    default=5,
    show_default=True,
    metavar="MIN",
    help="Leave out what was written to in the last minutes; 0 takes everything.",
)
@click.option("--offline", is_flag=True, help="Ask no extractor; episodes wait.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--yes", is_flag=True, help="Do not ask before much is sent to a remote model.")
def command(
    app: App,
    *,
    since: datetime | None,
    idle: float,
    offline: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> Exit | None:
    """Find every transcript that is due, and take it in."""
    _ = app.config  # What is wrong with it is said before anything is read.
    found = app.sweep_due(idle_minutes=idle, since=since)
    if dry_run:
        _show_plan(app, found, plan(app, found), as_json=as_json)
        return None
    report = app.swept(found, offline=offline)
    if report is None:
        most = None if yes or offline else _agreed(app, found)
        if most == _REFUSED:
            tell("Nothing was read in and nothing sent.")
            return Exit.NO
        ingest = app.ingest(offline=offline)
        report = ingest.report
        with told_anyway(report, as_json=as_json), app.sweeping():
            # What another sweep has taken in meanwhile is not due any more.
            found = app.sweep_due(idle_minutes=idle, since=since)
            app.sweep(found, _bar, ingest, most=most)
    if not found.scanned and not as_json:
        _nothing_there(app)
    answer(as_json, report_json(report), report_text(report, idle_minutes=idle))
    return None


def _agreed(app: App, found: Due) -> int:
    """Let a person agree before a long history goes to a model.

    Returns how many of the episodes that wait already may be asked for as well, or `_REFUSED`.
    """
    terminal = at_terminal()
    # A model on this machine takes its time too; but where nobody can answer, it costs nothing.
    models = [link for link in app.config.chain if link.type != "rules"]
    remote = models if terminal else remote_links(app.config)
    if not remote or at_most(found) + _known_to_wait(app) <= _MANY:
        return _MANY
    would = plan(app, found)
    count = would.episodes + would.again
    if count <= _MANY:
        return _MANY
    names = ", ".join(link.id for link in remote)
    what = f"{plural(count, 'episode')}, about {would.tokens:,} tokens, would be sent to {names}"
    if terminal:
        return would.again if click.confirm(f"{what}. Go on?", err=True) else _REFUSED
    if would.episodes > _MANY:
        raise click.UsageError(
            f"{what}. Say --yes to send them, or --offline to store them without asking a model."
        )
    tell(f"{what}. This sweep sends {_MANY} of them and the next ones go on; --yes sends all.")
    return _MANY - would.episodes


def _known_to_wait(app: App) -> int:
    from scry.commands._waiting import waiting

    try:
        return sum(1 for _ in waiting(app, app.index()))
    except NotAStoreError:
        return 0


def _bar(items: Iterable[tuple[Source, Path]]) -> Iterator[tuple[Source, Path]]:
    """Show a progress bar on a terminal, and nothing anywhere else."""
    if not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(list(items), label="Sweeping", file=sys.stderr) as bar:
        yield from bar


def _show_plan(app: App, found: Due, would: Plan, *, as_json: bool) -> None:
    left = [(app.show(path), reason) for _, path, reason in found.left]
    report = Report(
        scanned=found.scanned,
        unchanged=found.unchanged,
        active=found.active,
        skipped=[*left, *would.skipped],
        problems=[*found.vanished, *would.problems],
    )
    chain = [link.id for link in app.config.chain]
    data = report_json(report) | {
        "dry_run": True,
        "would": {
            "transcripts": would.transcripts,
            "episodes": would.episodes,
            "again": would.again,
            "tokens": would.tokens,
            "chain": chain,
        },
    }
    sent = f"about {would.tokens:,} tokens" if would.tokens else "nothing"
    again = f", and {plural(would.again, 'episode')} asked about again" if would.again else ""
    text = (
        f"{plural(would.transcripts, 'transcript')} with {plural(would.episodes, 'episode')} "
        f"would be taken in by {' > '.join(chain)}{again}; {sent} would be sent to a model. "
        f"{found.unchanged:,} unchanged, {found.active:,} still being written."
    )
    if not found.scanned and not as_json:
        _nothing_there(app)
    answer(as_json, data, text)


def _nothing_there(app: App) -> None:
    places = f"{app.show(app.places.claude)} and {app.show(app.places.codex)}"
    tell(f"No transcripts were found in {places}. `scry demo` shows the journey without any.")
