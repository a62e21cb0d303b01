"""`scry remember`: a fact that a person, or an agent for them, wants kept."""

import os
import sys
from dataclasses import asdict
from datetime import datetime

import click

from scry.app import App
from scry.commands import TIME, answer, current_folder, tell, verb
from scry.model import ENTITY_TYPES

_AGENTS = ("CLAUDECODE", "CODEX_SANDBOX", "CODEX_THREAD_ID", "GEMINI_CLI", "CURSOR_AGENT")
"""Variables that agents set for the commands that they run."""


@verb("remember")
@click.argument("text")
@click.option("--entity", "entities", multiple=True, help="Name a thing that it is about.")
@click.option("--relation", default="", help="Say how the first thing relates to --dst or --value.")
@click.option("--dst", default="", help="Name the thing at the other end.")
@click.option("--value", default="", help="Give the value at the other end.")
@click.option("--qualifier", default="", help="Say where it holds: an environment, a branch.")
@click.option("--type", "type_", default="", help=f"Say what it is: {', '.join(ENTITY_TYPES)}.")
@click.option("--supersedes", default="", metavar="FACT", help="Name the fact that it replaces.")
@click.option("--as-of", type=TIME, help="Say since when it is true.  [default: now]")
def command(
    app: App,
    *,
    text: str,
    entities: tuple[str, ...],
    relation: str,
    dst: str,
    value: str,
    qualifier: str,
    type_: str,
    supersedes: str,
    as_of: datetime | None,
    as_json: bool,
) -> None:
    """Remember TEXT from now on; `-` reads it from stdin.

    With --entity, --relation and --dst or --value it is a fact at once, without a model.
    """
    from scry.kept import keep, said
    from scry.remember import Note, unknown_relation

    if not relation and (dst or value or qualifier or supersedes):
        raise click.UsageError("--dst, --value, --qualifier and --supersedes need --relation.")
    here = current_folder()
    note = Note(
        text=_stdin() if text == "-" else text,
        entities=entities,
        relation=relation,
        dst=dst,
        value=value,
        qualifier=qualifier,
        type=type_,
        supersedes=supersedes,
        at=as_of,
        origin="assistant" if any(os.environ.get(name) for name in _AGENTS) else "person",
        cwd=app.show(here) if here else "",
        repo=app.repo_of(here) if here else "",
    )
    rules_only = all(link.type == "rules" for link in app.config.chain)
    kept = keep(app.ingest(), note, app.now, at_once=rules_only)
    if told := unknown_relation(app.redact(relation)):
        tell(f"scry: {told}")
    answer(as_json, {**asdict(kept), "facts": list(kept.facts)}, said(kept))


def _stdin() -> str:
    if sys.stdin is None:  # It was closed by whoever started us.
        return ""
    return sys.stdin.buffer.read().decode("utf-8", "replace")
