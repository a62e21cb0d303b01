"""`scry status`: how the store stands, and who really answered."""

from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from scry.app import App
from scry.commands import answer, plural, verb
from scry.commands._history import history
from scry.status import Answerer, Status
from scry.text import iso


@verb("status")
def command(app: App, *, as_json: bool) -> None:
    """Say how the store stands, who really answered, and what it cost."""
    from scry.status import status
    from scry.sweep import LAST_SWEEP

    found = status(app.index(), app.config.chain, history(app), now=app.now)
    swept = app.reader.local(LAST_SWEEP).strip() or None
    dirty = sorted(app.store().dirty())
    data = _json(found) | {
        "store": str(app.store_path.absolute()),
        "last_sweep": swept,
        "dirty": dirty,
    }
    answer(as_json, data, _text(app.store_path, found, swept, dirty))


def _json(found: Status) -> dict[str, object]:
    return {
        **{
            name: getattr(found, name)
            for name in "entities facts current episodes pending undone review problems".split()
        },
        "chain": [_answerer_json(answerer) for answerer in found.chain],
        "before": [_answerer_json(answerer) for answerer in found.before],
        "spend": {name: asdict(spent) for name, spent in found.spend.items()},
    }


def _answerer_json(answerer: Answerer) -> dict[str, object]:
    return asdict(answerer) | {"last": iso(answerer.last) if answerer.last else None}


def _text(store: Path, found: Status, swept: str | None, dirty: list[str]) -> str:
    holds = [
        plural(found.entities, "entity"),
        f"{plural(found.current, 'current fact')} ({found.facts - found.current:,} not current)",
        plural(found.episodes, "episode"),
    ]
    lines = [
        f"store      {store}",
        f"holds      {', '.join(holds)}",
        f"last sweep {swept or 'never; run: scry sweep'}",
    ]
    lines += [_answered(answerer) for answerer in found.chain]
    lines += [f"before     {_did(a.name, a.answered, a.last)}" for a in found.before]
    waits = {
        f"{plural(found.pending, 'episode')} waiting for an extractor: scry pending": found.pending,
        f"{found.review:,} waiting for a person: the folder review/": found.review,
        f"{plural(found.problems, 'file')} that cannot be read: scry check": found.problems,
    }
    lines += [f"queue      {text}" for text, count in waits.items() if count]
    lines += [
        f"spent      {name}: {spent.tokens_in:,} tokens in, {spent.tokens_out:,} out"
        for name, spent in found.spend.items()
    ]
    lines += [f"changed    {path} (not committed)" for path in dirty]
    return "\n".join(lines)


def _answered(answerer: Answerer) -> str:
    named = answerer.name if answerer.id in answerer.name else f"{answerer.id} ({answerer.name})"
    return f"chain      {_did(named, answerer.answered, answerer.last)}"


def _did(name: str, answered: int, last: datetime | None) -> str:
    if not answered:
        return f"{name}: has not answered for any episode that is in the store"
    when = f", last on {iso(last)[:10]}" if last else ""
    return f"{name}: answered for {plural(answered, 'episode')}{when}"
