"""`scry show`: one record of the store, of any kind, with its file."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from scry.app import App
from scry.commands import answer, verb
from scry.commands._source import Words, words_of
from scry.errors import UnknownNameError
from scry.index import Index
from scry.model import Entity, Episode, Fact, Proposal, Record, Tombstone, Turn
from scry.text import iso


@verb("show")
@click.argument("reference", metavar="ID")
@click.option("--source", is_flag=True, help="Print what was said in an episode.")
def command(app: App, *, reference: str, source: bool, as_json: bool) -> None:
    """Show one record, of any kind, with its file.

    ID is an id, a name, the handle that answers show in brackets, or a path.
    """
    index = app.index()
    record = find(app, index, reference)
    if source and not isinstance(record, Episode):
        raise click.UsageError("--source is for episodes; `scry why` shows the words under a fact.")
    data = record_json(record)
    text = f"{app.store_path / record.path}\n\n{_file(app, record)}"
    if source and isinstance(record, Episode):
        words = words_of(app, index, record)
        data |= {"state": words.state, "turns": [_turn_json(turn) for turn in words.turns]}
        text = _spoken(record, words)
    answer(as_json, data, text)


def find(app: App, index: Index, reference: str) -> Record:
    """Return the record that is meant.

    Raises:
        UnknownNameError: none is, or more than one.
    """
    from scry.lookup import find_entity, find_fact

    records = _by_key(index)
    for key in (reference, reference.removesuffix(".md"), _inside(app, reference)):
        if key in records:
            return records[key]
    try:
        return find_fact(index, reference)
    except UnknownNameError as error:
        if error.near:
            raise
    return find_entity(index, reference)


def _by_key(index: Index) -> dict[str, Record]:
    """Return every record by the file it is in and by its own id; an entity by its slug."""
    kinds = (index.tombstones, index.proposals, index.entities, index.waiting, index.facts)
    records: list[Record] = [record for kind in kinds for record in kind.values()]
    records += index.episodes.values()
    out = {record.path: record for record in records if record.path}
    for record in records:
        match record:
            case Entity():
                out[record.slug] = record
            case Proposal():
                pass
            case _:
                out[record.id] = record
    return out


def _inside(app: App, reference: str) -> str:
    """Return a path as it stands in the store, "" when it lies elsewhere."""
    try:
        return Path(reference).absolute().relative_to(app.store_path.absolute()).as_posix()
    except (ValueError, FileNotFoundError):  # The latter where the current folder is gone.
        return ""


def record_json(record: Record) -> dict[str, Any]:
    """Return a record with all its fields; facts and episodes as everywhere, and more."""
    from scry.render import entity_json, episode_json, fact_json

    match record:
        case Fact():
            cited = [
                {"episode": c.episode, "line": c.line, "at": iso(c.at) if c.at else None}
                for c in record.episodes
            ]
            more = {"reason": record.reason, "supersedes": list(record.supersedes)}
            said = {"said_src": record.said_src, "said_dst": record.said_dst, "said": record.said}
            return {"kind": "fact", **fact_json(record), **more, **said, "citations": cited}
        case Episode():
            names = "branch sha256 turns facts mentions declares refused".split()
            return {"kind": "episode", **episode_json(record)} | _fields(record, names)
        case Entity():
            names = ["repos", "merged_into", "path"]
            return {"kind": "entity", **entity_json(record)} | _fields(record, names)
        case Tombstone():
            return {"kind": "tombstone", **asdict(record), "when": iso(record.when)}
        case _:
            names = [citation.episode for citation in record.episodes]
            return {"kind": "proposal", **asdict(record), "episodes": names}


def _fields(record: Record, names: list[str]) -> dict[str, Any]:
    values = {name: getattr(record, name) for name in names}
    return {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}


def _file(app: App, record: Record) -> str:
    return (app.store_path / record.path).read_text(encoding="utf-8", errors="replace")


def _turn_json(turn: Turn) -> dict[str, Any]:
    at = iso(turn.at) if turn.at else None
    return {"line": turn.line, "role": turn.role, "at": at, "text": turn.text}


def _spoken(episode: Episode, words: Words) -> str:
    head = f"{episode.span} ({words.state})"
    if not words.turns:
        return f"{head}\n\nIts words are not on this machine any more."
    turns = [f"[{turn.line}] {turn.role}: {turn.text}" for turn in words.turns]
    return "\n\n".join([head, *turns])
