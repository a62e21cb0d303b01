"""What a sweep would do, found out without storing or sending anything."""

from dataclasses import dataclass, field, replace

from scry.app import App
from scry.config import Config, Link
from scry.due import Due
from scry.errors import NotAStoreError, SourceError
from scry.index import Index
from scry.model import PENDING, Chunk, Problem, Transcript

_BYTES = 4_000
"""An episode of 4,000 tokens cannot be made of less."""


@dataclass
class Plan:
    """How much a sweep would take in.  `tokens` is about what would be sent to a model."""

    transcripts: int = 0
    episodes: int = 0
    again: int = 0
    """Episodes of before that wait for an answer, or have one of the rules only."""
    tokens: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def remote_links(config: Config) -> list[Link]:
    """Return the extractors of the chain that may send text to another machine."""
    return [link for link in config.chain if _is_remote(link)]


def _is_remote(link: Link) -> bool:
    """Say whether text may leave this machine; where nobody can know, it may.

    A program sends what it is given wherever it likes.  A server of Ollama on this machine hands
    the models whose names end in `cloud` on to another one.
    """
    from scry.providers.address import check_url

    if link.type == "rules":
        return False
    if link.type == "ollama" and link.model.endswith(("-cloud", ":cloud")):
        return True
    if not link.base_url:
        return link.type != "ollama"
    return not check_url(link.id, link.base_url)


def at_most(found: Due) -> int:
    """Return a number of episodes that the transcripts cannot exceed, from their sizes alone."""
    return sum(1 + path.stat().st_size // _BYTES for _, path in found.found if path.exists())


def plan(app: App, found: Due) -> Plan:
    """Read what is due and count what it would give."""
    try:
        index = app.index()
    except NotAStoreError:
        index = Index()
    asked = any(link.type != "rules" for link in app.config.chain)
    out = Plan()
    due: set[str] = set()
    for source, path in found.found:
        try:
            transcript = source.read(path)
        except (SourceError, OSError) as error:
            out.skipped.append((app.show(path), str(error)))
            continue
        shown = app.show(path)
        if reason := app.left_out(transcript):
            out.skipped.append((shown, reason))
            continue
        out.problems += [replace(p, path=shown) for p in transcript.problems]
        parts = _due(app, index, transcript, shown)
        out.transcripts += bool(parts)
        out.episodes += len(parts)
        out.tokens += sum(map(_tokens, parts)) if asked else 0
        due |= {part.episode.id for part in parts}
    _add_again(app, index, out, due)
    return out


def _add_again(app: App, index: Index, out: Plan, due: set[str]) -> None:
    """Count what is kept and would be asked about as well."""
    from scry.commands._waiting import waiting
    from scry.text import estimate_tokens

    again = [one for one in waiting(app, index) if one.id not in due] if index.episodes else []
    out.again = len(again)
    if again and any(link.type != "rules" for link in app.config.chain):
        each = _tokens(Chunk(episode=again[0], turns=()))
        out.tokens += sum(each + estimate_tokens(app.reader.evidence(one.id)) for one in again)


def _due(app: App, index: Index, transcript: Transcript, shown: str) -> list[Chunk]:
    from scry.distill import distill, too_small
    from scry.episodes import episodes

    if transcript.verdict not in ("session", "fork-of") or not transcript.events:
        return []
    turns = distill(transcript, app.redact)
    if too_small(turns):
        return []
    parts = episodes(
        transcript, turns, known=index.episodes, now=app.now, shown_path=shown, redact=app.redact
    )
    return [part for part in parts if _is_due(index, part)]


def _is_due(index: Index, part: Chunk) -> bool:
    known = index.episodes.get(part.episode.id)
    return known is None or known.extractor == PENDING or part.episode.turns > known.turns


def _tokens(part: Chunk) -> int:
    from scry.extract.prompt import build_prompt
    from scry.text import estimate_tokens

    prompt = build_prompt(part, [])
    return estimate_tokens(prompt.stable) + estimate_tokens(prompt.chunk)
