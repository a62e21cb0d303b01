"""`scry reextract`: learn anew from what was said, on a branch; read it as a diff, merge it or not."""

import shlex
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import click

from scry.app import App
from scry.commands import TIME, answer, at_terminal, plural, tell, verb
from scry.commands._plan import remote_links
from scry.commands._words import Words
from scry.config import Link
from scry.errors import Exit
from scry.index import Index
from scry.ingest import Ingest
from scry.model import Episode, Fact, Snapshot
from scry.reextract import Reextraction, chosen, everything
from scry.text import estimate_tokens, iso, one_line

if TYPE_CHECKING:
    from scry.store.branch import Branch

_MANY = 200
"""Episodes to send to another machine without asking."""
_SHOWN = 40
"""Facts to list of each kind; the rest are counted."""
_EPISODES = 12
_NAME = "scry/reextract"


@verb("reextract")
@click.option("--model", default="", metavar="ID", help="Ask only this extractor of the chain.")
@click.option("--since", type=TIME, help="Leave out episodes from before.")
@click.option("--yes", is_flag=True, help="Do not ask before much is sent to a remote model.")
def command(
    app: App, *, model: str, since: datetime | None, yes: bool, as_json: bool
) -> Exit | None:
    """Ask again about what was said, and put what follows on a branch of the store.

    Nothing else changes: `git diff` shows the branch, `git merge` takes it over.
    """
    _ = app.reader
    asking = _with_chain(app, model) if model else app
    ingest = asking.ingest(lift=bool(model))
    run = _begin(asking, ingest, rules=model == "rules")
    episodes = _allowed(app, run.index, since, run.by_hand)
    if not (yes or _agreed(asking, episodes)):
        tell("Nothing was sent, and no branch was made.")
        return Exit.NO
    branch = _branch(asking, run)
    stopped: KeyboardInterrupt | None = None
    try:
        run.run(_bar(episodes))
    except KeyboardInterrupt as stop:
        stopped = stop
    except BaseException:
        if branch.name:
            tell(f"scry: What was finished is on the branch {branch.name}. It does no harm.")
        raise
    if run.answers and ingest.store.head() != run.index.head:
        run = _again(asking, ingest, run, branch)
    _tell(app, run, branch, as_json=as_json)
    if stopped is not None:
        raise stopped
    return Exit.EXTRACTION if episodes and not run.answers else None


def _with_chain(app: App, model: str) -> App:
    """Return the app with a chain of one extractor only."""
    links = [*app.config.chain, Link(id="rules", type="rules")]
    link = next((one for one in links if model in (one.id, one.name, one.model)), None)
    if link is None:
        names = ", ".join(dict.fromkeys(one.id for one in links))
        raise click.BadParameter(
            f"there is no extractor '{one_line(model, 60)}' in the chain. It is one of {names}.",
            param_hint="--model",
        )
    only = replace(app)
    only.config = replace(app.config, chain=(link,))
    return only


# --- what is asked --------------------------------------------------------------------------------


def _begin(app: App, ingest: Ingest, *, rules: bool) -> Reextraction:
    """Return a run on top of what is committed; what is not, stays a person's."""
    from scry.resolve import deleted_by_hand
    from scry.store.branch import changed_by_hand

    store = app.store()
    head = store.head()
    index = Index.build(store.load_at(head) if head else Snapshot(records=()))
    for stone in deleted_by_hand(index, app.now):
        index.put(stone)
    return Reextraction(
        index=index,
        extractor=ingest.extractor,
        words=Words(app, index).whole,
        evidence=store.evidence,
        by_hand=changed_by_hand(app.store_path, head, also=store.dirty) if head else frozenset(),
        rules_asked_for=rules or all(link.type == "rules" for link in app.config.chain),
    )


def _allowed(
    app: App, index: Index, since: datetime | None, by_hand: Collection[str]
) -> list[Episode]:
    """Return the episodes to ask about; nothing that the configuration excludes is sent."""
    found = chosen(index, since=since, by_hand=by_hand)
    if not app.excluded:
        return found
    places = {e.id: [str(app.unshow(p)) for p in (e.span.path, e.cwd) if p] for e in found}
    return [episode for episode in found if not app.excluded.reason(places[episode.id])]


def _agreed(app: App, episodes: Sequence[Episode]) -> bool:
    """Let a person agree before a long history goes to another machine."""
    remote = remote_links(app.config)
    if not remote or len(episodes) <= _MANY:
        return True
    tokens = sum(estimate_tokens(app.reader.evidence(episode.id)) for episode in episodes)
    names = ", ".join(link.id for link in remote)
    what = (
        f"{plural(len(episodes), 'episode')}, more than {tokens:,} tokens, would be sent to {names}"
    )
    if not at_terminal():
        raise click.UsageError(f"{what}. Say --yes to send them, or --since to send fewer.")
    return click.confirm(f"{what}. Go on?", err=True)


def _bar(episodes: Sequence[Episode]) -> Iterator[Episode]:
    """Show a progress bar on a terminal, and nothing anywhere else."""
    if not sys.stderr.isatty():
        yield from episodes
        return
    with click.progressbar(episodes, label="Asking again", file=sys.stderr) as bar:
        yield from bar


# --- the branch -----------------------------------------------------------------------------------


def _branch(app: App, run: Reextraction) -> "Branch":
    """Return the branch that a run writes to."""
    from scry.store.branch import Branch

    branch = Branch(app.store_path, run.index.head, clock=app.clock, prefix=_NAME)
    run.write = branch.commit
    return branch


def _again(app: App, ingest: Ingest, run: Reextraction, branch: "Branch") -> Reextraction:
    """Make the branch anew from the answers, on top of where the store has gone meanwhile."""
    moved = _begin(app, ingest, rules=run.rules_asked_for)
    branch.restart(moved.index.head)
    moved.write = branch.commit
    moved.kept = run.kept
    there = {e.id: e for e in _allowed(app, moved.index, None, moved.by_hand)}
    same = [a for a in run.answers if there.get(a.episode.id) == a.episode]
    moved.kept |= {
        answer.episode.id: "it has changed in the store meanwhile"
        for answer in run.answers
        if answer not in same
    }
    moved.take(same)
    branch.end()
    return moved


# --- what is said ---------------------------------------------------------------------------------


def _tell(app: App, run: Reextraction, branch: "Branch", *, as_json: bool) -> None:
    old, new = run.before, everything(run.index)
    added = [new[i] for i in sorted(new.keys() - old.keys())]
    removed = [old[i] for i in sorted(old.keys() - new.keys())]
    changed = [(old[i], new[i]) for i in sorted(old.keys() & new.keys()) if old[i] != new[i]]
    kept = {episode: str(app.redact(why)) for episode, why in run.kept.items()}
    data = {
        "branch": branch.name,
        "added": list(map(_fact, added)),
        "removed": list(map(_fact, removed)),
        "changed": [{**_fact(now), "before": _fact(was)} for was, now in changed],
        "episodes": [answer.episode.id for answer in run.answers],
        "kept": kept,
        "left": branch.left,
    }
    lines = [_counts(run, branch, len(added), len(removed), len(changed))]
    for sign, facts in (("+", added), ("-", removed), ("~", [now for _, now in changed])):
        lines += [f"{sign} {_line(fact)}" for fact in facts[:_SHOWN]]
        if left := len(facts[_SHOWN:]):
            lines.append(f"{sign} … and {left:,} more")
    lines += _kept(kept, branch)
    lines += _next(app, branch) if branch.name else []
    answer(as_json, data, "\n".join(lines))


def _fact(fact: Fact) -> dict[str, object]:
    """Return FACT, with the reason why it waits for a person, if it does."""
    from scry.render import fact_json

    return {**fact_json(fact), "reason": fact.reason}


def _line(fact: Fact) -> str:
    waits = f" (waits: {one_line(fact.reason, 80)})" if fact.reason else ""
    ended = f" (until {iso(fact.invalid_at)[:10]})" if fact.invalid_at else ""
    return f"{fact.id}  {one_line(fact.fact, 160)}{ended}{waits}"


def _counts(run: Reextraction, branch: "Branch", added: int, removed: int, changed: int) -> str:
    what = f"{plural(len(run.answers), 'episode')} answered anew"
    if not branch.name:
        return f"{what}; nothing would change, so there is no branch."
    return f"{what}: {added:,} facts added, {removed:,} removed, {changed:,} changed."


def _kept(kept: Mapping[str, str], branch: "Branch") -> list[str]:
    lines = [f"{plural(len(kept), 'episode')} without a new answer:"] if kept else []
    lines += [f"  {episode}: {one_line(why)}" for episode, why in list(kept.items())[:_EPISODES]]
    lines += [f"  … and {len(kept) - _EPISODES:,} more"] if len(kept) > _EPISODES else []
    return lines + [f"as it was  {path}: it cannot be rewritten safely" for path in branch.left]


def _next(app: App, branch: "Branch") -> list[str]:
    git = f"git -C {shlex.quote(str(app.store_path))}"
    return [
        f"The branch is {branch.name}; the store is as before.",
        f"  read it        {git} diff HEAD...{branch.name}",
        f"  take it over   {git} merge {branch.name}",
        f"  drop it        {git} branch -D {branch.name}",
    ]
