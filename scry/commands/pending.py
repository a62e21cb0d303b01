"""`scry pending`: episodes that no extractor has answered for, and why."""

import click

from scry.app import App
from scry.commands import answer, plural, verb
from scry.commands.retry import pending_ids
from scry.errors import UnknownNameError
from scry.index import Index
from scry.model import Episode
from scry.text import iso, one_line


@verb("pending")
@click.argument("episode", required=False, default="")
@click.option("--prompt", is_flag=True, help="Print what an extractor would be asked.")
def command(app: App, *, episode: str, prompt: bool, as_json: bool) -> None:
    """List the episodes that wait for an extractor, and why.

    With --prompt and no EPISODE, it is the oldest whose text is on this machine.  A prompt can be
    had for what only the rules have answered as well: `scry submit` takes the reply.
    """
    from scry.attempts import ATTEMPTS, Tried, read_attempts
    from scry.commands._waiting import by_rules, left_out, outlook
    from scry.render import episode_json, episode_line

    index = app.index()
    names = pending_ids(index)
    if prompt:
        ruled = [e for e in index.episodes.values() if e.extractor == "rules"]
        names += [e.id for e in sorted(ruled, key=lambda e: (e.occurred_at, e.id))]
    if episode and episode not in names:
        raise UnknownNameError(one_line(episode), names[:3])
    tried = read_attempts(app.reader.local(ATTEMPTS))
    pauses = left_out(app)
    rows, lines = [], []
    if prompt and not episode:
        names = [name for name in names if app.reader.evidence(name)][:1] or names[:1]
    for name in [episode] if episode else names:
        known = index.episodes[name]
        what, text = outlook(app, known, tried.get(name, Tried()), pauses)
        rows.append({**episode_json(known), **what})
        lines.append(f"{episode_line(known)}\n    {text}")
        if prompt:
            rows[-1]["prompt"] = _prompt(app, index, known)
            lines.append(rows[-1]["prompt"])
    lines += [f"{name} is left out until {iso(until)} after: {why}" for name, until, why in pauses]
    if rules := by_rules(app, index):
        lines.append(
            f"{plural(rules, 'episode')} answered by rules only; sweeps ask the model about them."
        )
    data = {
        "pending": rows,
        "left_out": [
            {"extractor": name, "until": iso(until), "reason": why} for name, until, why in pauses
        ],
        "by_rules": rules,
    }
    answer(as_json, data, "\n".join(lines) or "No episode is waiting.")


def _prompt(app: App, index: Index, episode: Episode) -> str:
    """Return what an extractor would be asked, and how to hand an answer back."""
    from scry.commands._words import Words, mark
    from scry.extract.prompt import build_prompt

    part = Words(app, index).kept(episode)
    if part is None:
        return f"(Its text is not on this machine: run `scry ingest` on {episode.span.path}.)"
    asked = build_prompt(part, index.glossary(part.text))
    back = (
        f'Put "episode": "{mark(part)}" first in the object, save it as reply.json, '
        f"and hand it back with: scry submit {episode.id} < reply.json"
    )
    return "\n\n".join(filter(None, (asked.stable, asked.glossary, asked.chunk, back)))
