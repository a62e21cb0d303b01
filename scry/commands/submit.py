"""`scry submit`: a reply given by hand, or by the agent that is at work anyway.

    scry pending --prompt ID      what to answer
    scry submit ID < reply.json   the answer, through the same check as every model's

A reply is for one episode.  It may say for which, as `"episode": "ID"` beside its other keys (the
prompt adds a mark of the words that it shows); one that is meant for another is refused.
"""

import sys
from collections.abc import Sequence

import click

from scry.app import App
from scry.attempts import Attempts
from scry.commands import answer, tell, verb
from scry.commands._report import report_json, report_text
from scry.commands._words import Words, mark
from scry.errors import BadReplyError, Exit, ScryError, SourceError, UnknownNameError
from scry.index import Index
from scry.ingest import Ingest
from scry.model import PENDING, REMEMBERED, UNDONE, Chunk, Episode, Extraction
from scry.text import is_safe_name, one_line

BY_HAND = "submit"
"""The `extractor` of an episode that was answered this way; `submit/NAME` with a name."""


class _NotAskedError(ScryError):
    """The episode waits for no answer."""

    exit_code = Exit.NO


@verb("submit")
@click.argument("episode", metavar="EPISODE")
@click.option("--model", default="", metavar="NAME", help="Who made the reply, for the record.")
def command(app: App, *, episode: str, model: str, as_json: bool) -> Exit | None:
    """Take the reply on standard input as the answer for EPISODE.

    It passes the same check as a model's: see `scry pending --prompt EPISODE` for what is asked.
    """
    extractor = f"{BY_HAND}/{_name(app, model)}" if model else BY_HAND
    _ = app.reader  # Nothing can wait in a store that is not there.
    ingest = app.ingest()
    try:
        part = _asked(app, ingest, episode)
        extraction = _checked(_stdin(), part, extractor)
        _apply(ingest, part, extraction)
    except _NotAskedError as error:
        return _not_asked(ingest, error, as_json=as_json)
    except BadReplyError as error:
        return _refused(ingest, ingest.index.episodes[episode], error, as_json=as_json)
    said = "\n".join([report_text(ingest.report), *_left_out(extraction)])
    answer(as_json, report_json(ingest.report) | {"refused": list(extraction.refused)}, said)
    return None


def _name(app: App, model: str) -> str:
    """Return a model's name as it may stand in an episode."""
    name = model.strip()
    if not name or len(name) > 80 or not is_safe_name(name) or app.redact(name) != name:
        raise click.BadParameter(
            "a model's name is one line of at most 80 plain characters, and no secret.",
            param_hint="--model",
        )
    return name


# --- the episode ----------------------------------------------------------------------------------


def _asked(app: App, ingest: Ingest, name: str) -> Chunk:
    """Return the chunk of an episode that waits for an answer."""
    episode = _waiting(ingest.index, name)
    part = Words(app, ingest.index).kept(episode)
    if part is None:
        raise SourceError(
            f"The text of {episode.id} is not on this machine, and a reply is checked against it. "
            f"Bring back {episode.span.path} and run `scry ingest` on it, or submit the reply on "
            "the machine that has read it. Nothing was changed."
        )
    return part


def _waiting(index: Index, name: str) -> Episode:
    found = index.episodes.get(name)
    if found is None:
        raise UnknownNameError(one_line(name), _near(index, name))
    if found.extractor in (PENDING, "rules"):
        return found
    how = {
        UNDONE: f"{name} was undone, and stays so; `git revert` of that commit takes it back.",
        REMEMBERED: f"{name} was stored in so many fields; there is nothing to extract.",
    }
    raise _NotAskedError(
        how.get(found.extractor)
        or f"{name} has an answer already, by {one_line(found.extractor)}. "
        f"`scry undo {name}` takes it back; `scry reextract` asks again for all."
    )


def _near(index: Index, name: str) -> Sequence[str]:
    """Return ids spelt like a name, those that wait before others."""
    from scry.match import nearest

    waiting = [e.id for e in index.episodes.values() if e.extractor in (PENDING, "rules")]
    return nearest(name, waiting) or nearest(name, index.episodes) or sorted(waiting)[:3]


# --- the reply ------------------------------------------------------------------------------------


def _stdin() -> bytes:
    """Return what stands on standard input, as far as a reply may go and one byte more."""
    from scry.extract.find import MAX_BYTES

    if sys.stdin is None:  # It was closed by whoever started us.
        return b""
    if sys.stdin.isatty():
        tell("Paste the reply, then press Ctrl-D on a line of its own.")
    raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise BadReplyError("The reply is longer than 1 MiB, which no answer needs to be.")
    return raw


def _checked(raw: bytes, part: Chunk, extractor: str) -> Extraction:
    from scry.extract.find import decode_reply, find_object
    from scry.extract.reply import parse_reply

    text = decode_reply(raw)
    meant = find_object(text).get("episode")
    if meant is not None and meant not in (part.episode.id, mark(part)):
        said = one_line(str(meant), 60)
        if said.partition("#")[0] == part.episode.id:
            raise BadReplyError(
                f"The reply answers for an earlier text of {part.episode.id}. Ask again: "
                f"`scry pending --prompt {part.episode.id}`."
            )
        raise BadReplyError(f"The reply says that it is for '{said}', not for {part.episode.id}.")
    return parse_reply(text, part, extractor=extractor)


def _not_asked(ingest: Ingest, error: _NotAskedError, *, as_json: bool) -> Exit:
    answer(as_json, report_json(ingest.report), "")
    tell(f"scry: {error}")
    return Exit.NO


def _refused(ingest: Ingest, episode: Episode, error: BadReplyError, *, as_json: bool) -> Exit:
    """Note why a reply was not taken; the episode stays as it was."""
    attempts = _attempts(ingest)
    attempts.asked(episode.id)
    attempts.note(episode.id, f"{BY_HAND}: {error}")
    attempts.save()
    report = ingest.report
    report.pending += [episode.id] if episode.extractor == PENDING else []
    data = report_json(report) | {"reasons": {episode.id: attempts.why(episode.id)}}
    answer(as_json, data, "")
    tell(
        f"scry: {ingest.redact(str(error))} Nothing of it was stored; {episode.id} waits as before."
    )
    return Exit.EXTRACTION


def _apply(ingest: Ingest, part: Chunk, extraction: Extraction) -> None:
    """Store an answer as one commit, unless somebody else has answered meanwhile."""

    def check() -> None:
        now = _waiting(ingest.index, part.episode.id)
        if now.turns != part.episode.turns:
            raise _NotAskedError(
                f"{now.id} has grown meanwhile. Ask again and answer for all of it."
            )

    ingest.accept(part, extraction, check=check)


def _attempts(ingest: Ingest) -> Attempts:
    return Attempts(ingest.store, ingest.redact, ingest.clock)


def _left_out(extraction: Extraction) -> list[str]:
    return [f"left out  {one_line(reason)}" for reason in extraction.refused]
