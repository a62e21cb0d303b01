"""`scry status`: how the store stands, and who really answered."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from scry.app import App
from scry.commands import answer, plural, verb
from scry.commands._history import history
from scry.status import Answerer, Status
from scry.text import iso
from scry.yields import Yield


@verb("status")
def command(app: App, *, as_json: bool) -> None:
    """Say how the store stands, who really answered, and what it cost."""
    from scry.due import LAST_SWEEP
    from scry.status import status
    from scry.usage import CHAIN, Remembered

    found = status(
        app.index(),
        app.config.chain,
        history(app),
        now=app.now,
        remembered=Remembered.of(app.reader.local(CHAIN)),
        budget=app.config.budget,
    )
    swept = app.reader.local(LAST_SWEEP).strip() or None
    dirty = sorted(app.store().dirty())
    sources = app.yields()
    data = _json(found) | {
        "store": str(app.store_path.absolute()),
        "last_sweep": swept,
        "dirty": dirty,
        "sources": [source.json() for source in sources],
    }
    answer(as_json, data, _text(app.store_path, found, swept, dirty, sources))


def _json(found: Status) -> dict[str, object]:
    return {
        **{
            name: getattr(found, name)
            for name in (
                "entities facts current episodes pending by_rules undone review problems".split()
            )
        },
        "chain": [_answerer_json(answerer) for answerer in found.chain],
        "before": [_answerer_json(answerer) for answerer in found.before],
        "spend": {name: asdict(spent) for name, spent in found.spend.items()},
    }


def _answerer_json(answerer: Answerer) -> dict[str, object]:
    out = asdict(answerer) | {"last": iso(answerer.last) if answerer.last else None}
    if answerer.paused:
        out["paused"] = {"until": iso(answerer.paused[0]), "reason": answerer.paused[1]}
    for name, count in (("today", answerer.today), ("week", answerer.week)):
        out[name] = {"asked": count.asked} | asdict(count)
    return out


def _text(
    store: Path, found: Status, swept: str | None, dirty: list[str], sources: Sequence[Yield]
) -> str:
    holds = [
        plural(found.entities, "entity"),
        f"{plural(found.current, 'current fact')} ({found.facts - found.current:,} not current)",
        plural(found.episodes, "episode"),
    ]
    lines = [
        f"store      {store}",
        f"holds      {', '.join(holds)}",
        f"last sweep {swept or 'never; run: scry sweep'}",
        *(f"source     {source}" for source in sources),
    ]
    for answerer in found.chain:
        lines += [_answered(answerer), *(f"           {line}" for line in _health(answerer))]
    lines += [f"before     {_did(a.name, a.answered, a.last)}" for a in found.before]
    waits = {
        f"{plural(found.pending, 'episode')} waiting for an extractor: scry pending": found.pending,
        f"{plural(found.by_rules, 'episode')} answered by rules only, to be asked about by sweeps": (
            found.by_rules
        ),
        f"{found.review:,} waiting for a person: the folder review/": found.review,
        f"{plural(found.problems, 'file')} that cannot be read: scry check": found.problems,
    }
    lines += [f"queue      {text}" for text, count in waits.items() if count]
    lines += [_spent(found, name) for name in found.spend]
    lines += [f"changed    {path} (not committed)" for path in dirty]
    return "\n".join(lines)


def _health(answerer: Answerer) -> Iterator[str]:
    """Say what one extractor was asked by this machine, and whether it can be asked now."""
    if answerer.paused:
        yield f"left out until {iso(answerer.paused[0])} after: {answerer.paused[1]}"
    for name, count in (("today", answerer.today), ("7 days", answerer.week)):
        if count.calls:
            yield (
                f"{name:6} asked {count.asked:,}, answered {count.answers:,}, "
                f"failed {count.failed:,}; {plural(count.calls, 'request')}, "
                f"{count.tokens_in:,} tokens in, {count.tokens_out:,} out"
            )
    if answerer.mode:
        yield f"asked in the mode {answerer.mode}, which this server takes"
    if answerer.left:
        left = ", ".join(f"{count:,} {name}" for name, count in answerer.left.items())
        yield f"left of today's budget: {left}"


def _spent(found: Status, name: str) -> str:
    spent = found.spend[name]
    facts = {a.name: a.facts for a in (*found.chain, *found.before)}.get(name, 0)
    each = (spent.tokens_in + spent.tokens_out) / facts if facts else 0
    price = f"; {each:,.0f} for each of {plural(facts, 'current fact')}" if facts else ""
    return f"spent      {name}: {spent.tokens_in:,} tokens in, {spent.tokens_out:,} out{price}"


def _answered(answerer: Answerer) -> str:
    named = answerer.name if answerer.id in answerer.name else f"{answerer.id} ({answerer.name})"
    return f"chain      {_did(named, answerer.answered, answerer.last)}"


def _did(name: str, answered: int, last: datetime | None) -> str:
    if not answered:
        return f"{name}: has not answered for any episode that is in the store"
    when = f", last on {iso(last)[:10]}" if last else ""
    return f"{name}: answered for {plural(answered, 'episode')}{when}"
