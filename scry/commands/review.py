"""`scry review`: what waits for a person, and their word on it."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from scry.app import App
from scry.commands import FILE_PATH, answer, at_terminal, plural, tell, verb
from scry.commands._report import still_waiting
from scry.errors import Exit, ScryError
from scry.index import Index
from scry.model import ENTITY_TYPES, Applied, Citation
from scry.text import iso, one_line


@verb("review")
@click.option("--accept", multiple=True, metavar="ID", help="Take an item as true.")
@click.option("--reject", multiple=True, metavar="ID", help="Refuse an item; it does not return.")
@click.option(
    "--type", "types", multiple=True, metavar="[NAME=]TYPE", help="Say what an unknown thing is."
)
@click.option("--from", "list_", type=FILE_PATH, help="Take the decisions out of an edited list.")
def command(
    app: App,
    *,
    accept: tuple[str, ...],
    reject: tuple[str, ...],
    types: tuple[str, ...],
    list_: Path | None,
    as_json: bool,
) -> Exit | None:
    """List what waits for a person, or decide about it.

    On a terminal the list opens in $VISUAL or $EDITOR, with one line an item.
    """
    from scry.commands import _todo
    from scry.reviewing import Decision

    given = ",".join(types)
    decisions = [Decision("accept", ref, given) for ref in accept]
    decisions += [Decision("reject", ref) for ref in reject]
    if list_ is not None:
        decisions += _todo.read(list_.read_text(encoding="utf-8"))
    if decisions:
        return _decided(app, decisions, as_json=as_json)
    index = app.index()
    editor = "" if as_json else _editor(app)
    if editor and (index.waiting or index.proposals):
        return _in_editor(app, index, editor)
    rows = _rows(app, index)
    answer(as_json, rows, _text(rows))
    return None


# --- what waits --------------------------------------------------------------------------------


def _rows(app: App, index: Index) -> dict[str, Any]:
    """Return what waits as the contract has it, with the words that each item comes from."""
    from scry.render import fact_json
    from scry.resolve.cascade import doubts
    from scry.reviewing import proposal_id, proposals, waiting_facts

    facts = [
        {**fact_json(f), "reason": f.reason, **_said(app, index, f.episodes)}
        for f in waiting_facts(index)
    ]
    claims = [
        {
            "id": proposal_id(p),
            "entity": p.entity,
            "alias": p.alias,
            "reason": p.reason,
            "path": p.path,
            **_said(app, index, p.episodes),
        }
        for p in proposals(index)
    ]
    ended = [fact for fact in index.facts.values() if fact.invalid_at]
    doubtful = [
        {
            **fact_json(d.fact),
            "reason": f"may no longer hold: {d.ended.id} has ended, and it names {d.named}",
        }
        for d in doubts(index, ended)
    ]
    return {"waiting": facts, "proposals": claims, "doubtful": doubtful}


def _said(app: App, index: Index, cited: Sequence[Citation]) -> dict[str, Any]:
    """Return when something was said last, and in which words, as far as they are kept."""
    from scry.episodes import from_evidence

    known = [(index.episodes[c.episode], c) for c in cited if c.episode in index.episodes]
    if not known:
        return {"said_at": None, "quote": ""}
    episode, citation = max(
        known, key=lambda pair: (pair[1].at or pair[0].occurred_at, pair[1].line)
    )
    turns = from_evidence(episode, app.reader.evidence(episode.id)).turns
    quote = next((t.text for t in turns if t.line <= citation.line <= t.last), "")
    return {
        "said_at": iso(citation.at or episode.occurred_at),
        "quote": one_line(app.redact(quote), 300),
    }


def _text(rows: dict[str, Any]) -> str:
    count = len(rows["waiting"]) + len(rows["proposals"])
    lines = [f"{plural(count, 'item')} waiting for a person." if count else "Nothing waits."]
    for row in rows["waiting"]:
        lines += [f"{row['id']}  {_fact_line(row)}", f"    waits: {one_line(row['reason'], 300)}"]
        lines += _quoted(row)
    for row in rows["proposals"]:
        lines += [f"{row['id']}  {_alias_line(row)}", *_quoted(row)]
    if count:
        lines.append("`scry review --accept ID` or `--reject ID`; several at once are one commit.")
    lines += ["May no longer hold:"] if rows["doubtful"] else []
    lines += [f"{row['id']}  {_fact_line(row)}\n    {row['reason']}" for row in rows["doubtful"]]
    return "\n".join(lines)


def _fact_line(row: dict[str, Any]) -> str:
    end = row["dst"] if row["dst"] is not None else row["value"]
    day = (row.get("said_at") or row["valid_from"] or "undated")[:10]
    what = one_line(f"{row['src']} {row['relation']} {end}", 120)
    return f"{what}: {one_line(row['fact'], 200)} ({row['origin']}, {day})"


def _alias_line(row: dict[str, Any]) -> str:
    return f"'{one_line(row['alias'], 60)}' as a name of {row['entity']}: {one_line(row['reason'])}"


def _quoted(row: dict[str, Any]) -> list[str]:
    return [f"    said:  “{row['quote']}”"] if row["quote"] else []


# --- deciding ----------------------------------------------------------------------------------


def _decided(app: App, decisions: Sequence[Any], *, as_json: bool) -> Exit | None:
    """Carry decisions out, and open afterwards what is to be edited."""
    from scry.reviewing import find_item, review

    ingest = app.ingest()
    edits = [find_item(ingest.index, d.ref).path for d in decisions if d.verb == "edit"]
    decided = [d for d in decisions if d.verb != "edit"]
    dirty = app.store().dirty() if decided else []
    applied = review(ingest, decided, app.now, dirty) if decided else Applied()
    after = app.index()
    rows = {
        "commit": applied.commit,
        "decided": [{"verb": d.verb, "id": d.ref} for d in decided],
        **_rows(app, after),
    }
    answer(as_json, rows, _done(applied, len(decided)))
    for path in edits:
        _open(_editor(app, needs_terminal=False), app.store_path / path)
        tell(f"scry: {path} is yours to commit; what it says is used already.")
    return still_waiting(applied)


def _done(applied: Applied, count: int) -> str:
    if not applied.commit:
        return "Nothing was changed."
    short = applied.commit[:10]
    return (
        f"{plural(count, 'item')} decided (commit {short}; "
        f"`git revert {short}` in the store takes this back)."
    )


# --- the editor --------------------------------------------------------------------------------


def _in_editor(app: App, index: Index, editor: str) -> Exit | None:
    """Let a person change the list, and do what it says then."""
    from scry.commands import _todo
    from scry.store.files import make_private

    rows = _rows(app, index)
    items = [(r["id"], f"{_fact_line(r)} -- {r['reason']}") for r in rows["waiting"]]
    items += [(r["id"], _alias_line(r)) for r in rows["proposals"]]
    doubts = [f"{_fact_line(r)} -- {r['reason']}" for r in rows["doubtful"]]
    folder = app.store_path / ".git" / "scry"
    make_private(folder, folder)
    path = folder / "review-list"
    path.write_text(_todo.written(items, doubts, ENTITY_TYPES), encoding="utf-8")
    path.chmod(0o600)
    if not _open(editor, path):
        path.unlink(missing_ok=True)
        tell("scry: the editor was left with an error, so nothing was done.")
        return Exit.NO
    try:
        decisions = _todo.read(path.read_text(encoding="utf-8", errors="replace"))
        code = _decided(app, decisions, as_json=False) if decisions else None
    except ScryError:
        tell(
            f"scry: nothing was done. Your list is kept: `scry review --from {path}` after a change."
        )
        raise
    path.unlink(missing_ok=True)
    if not decisions:
        tell("scry: everything was left as it is.")
    return code


def _editor(app: App, *, needs_terminal: bool = True) -> str:
    """Return the person's editor; "" where there is nobody to use it."""
    if needs_terminal and not (at_terminal() and sys.stdout.isatty()):
        return ""
    environ = app.environ
    chosen = environ.get("VISUAL") or environ.get("EDITOR") or ""
    return chosen or next((name for name in ("vi", "nano") if shutil.which(name)), "")


def _open(editor: str, path: Path) -> bool:
    """Open a file in an editor, which may be a command with options; say whether it went well."""
    if not editor:
        tell(f"scry: set $EDITOR to edit {path} from here.")
        return False
    import subprocess

    command = ["sh", "-c", f'{editor} "$1"', editor, os.fspath(path)]
    return subprocess.run(command, check=False).returncode == 0
