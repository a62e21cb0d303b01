"""Runs of turns to episodes, with ids that never change, and to chunks for an extractor.

An episode's id is made of the source, the session's own id and the id of its first turn, with
date and source in clear for people: `2026-08-01-claude-k3v9m2ab`.  It is the same on every
machine, and stays the same when the session grows.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise

from scry.chunk import chunk
from scry.distill import breadcrumbs
from scry.model import DOCUMENT, Chunk, Did, Episode, Redacted, Role, Span, Transcript, Turn
from scry.text import iso, one_line, parse_time, short_hash

Redact = Callable[[str], Redacted]

_CONTEXT = 1_600
"""Characters of the turn before that a chunk repeats, so that an answer has its question."""
_HEAD = re.compile(r"^\[(\d+)(?: ([0-9TZ:-]+))?\] (user|assistant|document): ", re.MULTILINE)


def episode_id(source: str, session: str, uid: str, at: datetime) -> str:
    """Return the id of the episode that begins with a certain turn of a session."""
    key = short_hash("episode", source, session, uid, length=8)
    return f"{at.astimezone(UTC):%Y-%m-%d}-{source}-{key}"


def _identity(transcript: Transcript, turn: Turn, fallback: datetime) -> str:
    """Return the id of the episode that would begin with a turn.

    A note's section has no date of its own: that of the file differs from clone to clone.
    """
    dated = episode_id(transcript.source, transcript.session, turn.uid, turn.at or fallback)
    return dated[len("2026-01-01-") :] if turn.kind == DOCUMENT else dated


def episodes(
    transcript: Transcript,
    turns: Sequence[Turn],
    *,
    known: Collection[str],
    now: datetime,
    shown_path: str,
    redact: Redact,
    repo: str = "",
    shown_cwd: str = "",
) -> Iterator[Chunk]:
    """Yield a chunk, with its episode, for each run of a session's turns.

    Args:
        transcript: where the turns come from.
        turns: all of them.
        known: ids of stored episodes; their cuts are kept.
        now: when this is ingested.
        shown_path: the transcript's path as the store shows it (`~` for the home folder).
        shown_cwd: the working folder, likewise.
        redact: takes secrets out of paths, branches and what the agent did.
        repo: identity of the repository, if any.
    """
    fallback = transcript.started or transcript.ended or datetime.fromtimestamp(0, UTC)
    by_uid = {turn.uid: turn for turn in turns}
    # An identity is a hash: it is made for every turn only where episodes are stored already.
    starts = {
        uid
        for uid, turn in by_uid.items()
        if known and _identity(transcript, turn, fallback) in known
    }
    runs = list(chunk(turns, starts=starts))
    done = _between([event for event in transcript.events if isinstance(event, Did)])
    for before, run in pairwise([[], *runs]):
        first, last = _lines(run)
        at = run[0].at or fallback
        episode = Episode(
            id=_identity(transcript, by_uid[run[0].uid], fallback),
            source=transcript.source,
            session=redact(transcript.session),
            span=Span(redact(shown_path), first, last),
            sha256="",
            turns=len(run),
            occurred_at=at,
            ingested_at=now,
            cwd=redact(shown_cwd),
            repo=redact(repo),
            branch=redact(transcript.branches[0] if transcript.branches else ""),
            summary=first_words(run),
        )
        yield Chunk(
            episode=episode,
            turns=tuple(run),
            context=_context(before),
            did=tuple(_redacted(did, redact) for did in done(first, last)),
        )


def first_words(run: Sequence[Turn]) -> str:
    """Return the user's first words: what an episode shows until somebody has summed it up."""
    speech = next((t.text for t in run if t.role == "user" and t.weight), run[0].text)
    return one_line(speech, 160)


def _lines(run: Sequence[Turn]) -> tuple[int, int]:
    """Return the first and last line of a run, words from side files left out."""
    own = [turn for turn in run if not turn.file] or list(run)
    return min(turn.line for turn in own), max(turn.last for turn in own)


def _between(did: list[Did]) -> Callable[[int, int], list[Did]]:
    """Return what gives the breadcrumbs between two lines, without walking through all each time."""
    lines = [one.line for one in did]
    if lines != sorted(lines):
        return partial(breadcrumbs, did)
    return lambda first, last: did[bisect_left(lines, first) : bisect_right(lines, last)]


def _context(before: Sequence[Turn]) -> Redacted:
    if not before:
        return Redacted("")
    turn = before[-1]
    words = turn.text if len(turn.text) <= _CONTEXT else "…" + turn.text[-_CONTEXT:]
    return Redacted(f"{turn.role}: {words}")


def _redacted(did: Did, redact: Redact) -> Did:
    verb, target = redact(did.verb), redact(did.target)
    same = verb == did.verb and target == did.target
    return did if same else Did(at=did.at, line=did.line, verb=verb, target=target)


# --- the text that is kept until, and after, somebody has answered ----------------------------


def evidence_of(part: Chunk) -> str:
    """Return a chunk as the text that is kept on this machine: each turn with line and time."""
    return "\n\n".join(
        f"[{turn.line}{' ' + iso(turn.at) if turn.at else ''}] {_speaker(turn)}: "
        f"{_quoted(turn.text)}"
        for turn in part.turns
    )


def from_evidence(episode: Episode, text: str) -> Chunk:
    """Return the chunk of an episode whose transcript may be gone."""
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)] * bool(heads)
    turns = []
    for head, end in zip(heads, ends, strict=True):
        role: Role = "assistant" if head[3] == "assistant" else "user"
        turns.append(
            Turn(
                role=role,
                at=parse_time(head[2]) if head[2] else None,
                line=int(head[1]),
                last=int(head[1]),
                text=Redacted(text[head.end() : end].strip()),
                uid="",
                weight=1,
                kind=head[3] if head[3] == DOCUMENT else "prompt",
            )
        )
    return Chunk(episode=episode, turns=tuple(turns))


def _speaker(turn: Turn) -> str:
    return DOCUMENT if turn.kind == DOCUMENT else turn.role


def _quoted(text: str) -> str:
    """Keep speech that looks like the head of a turn from being taken for one."""
    return _HEAD.sub(lambda head: " " + head[0], text)
