"""`scry pending`: episodes that no extractor has answered for, and why."""

import click

from scry.app import App
from scry.commands import answer, verb
from scry.commands.retry import pending_ids
from scry.errors import UnknownNameError
from scry.index import Index
from scry.model import Episode
from scry.text import one_line


@verb("pending")
@click.argument("episode", required=False, default="")
@click.option("--prompt", is_flag=True, help="Print what an extractor would be asked.")
def command(app: App, *, episode: str, prompt: bool, as_json: bool) -> None:
    """List the episodes that wait for an extractor, and why."""
    from scry.attempts import ATTEMPTS, read_attempts
    from scry.render import episode_json, episode_line

    index = app.index()
    names = pending_ids(index)
    if episode and episode not in names:
        raise UnknownNameError(one_line(episode), names[:3])
    tried = read_attempts(app.reader.local(ATTEMPTS))
    rows, lines = [], []
    for name in [episode] if episode else names:
        known = index.episodes[name]
        attempts, reasons = _why(tried.get(name, {}))
        rows.append({**episode_json(known), "attempts": attempts, "reasons": reasons})
        lines.append(f"{episode_line(known)}\n    tried {attempts}: {'; '.join(reasons)}")
        if prompt:
            rows[-1]["prompt"] = _prompt(app, index, known)
            lines.append(rows[-1]["prompt"])
    answer(as_json, {"pending": rows}, "\n".join(lines) or "No episode is waiting.")


def _why(tried: dict[str, object]) -> tuple[int, list[str]]:
    """Return how often an episode was asked for, and why in vain."""
    attempts, reasons = tried.get("attempts"), tried.get("reasons")
    told = [str(reason) for reason in reasons] if isinstance(reasons, list) else []
    return attempts if isinstance(attempts, int) else 0, told or ["not asked yet"]


def _prompt(app: App, index: Index, episode: Episode) -> str:
    from scry.episodes import from_evidence
    from scry.extract.prompt import build_prompt

    part = from_evidence(episode, app.reader.evidence(episode.id))
    asked = build_prompt(part, index.glossary(part.text))
    return "\n\n".join(filter(None, (asked.stable, asked.glossary, asked.chunk)))
