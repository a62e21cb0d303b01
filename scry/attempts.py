"""Why episodes wait: how often they were asked for, since when, and what came of it.

    {"2026-08-01-claude-7k3m9q": {"attempts": 2, "since": "…", "last": "…", "reasons": ["near/m: …"]}}

A note on this machine.  It may vanish; the episodes wait all the same, and are asked for again.
An attempt is counted before anything is sent, so one that kills the process counts as well; where
nobody could be asked (all left out, offline, no budget) nothing is counted.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from scry.ports import Clock
from scry.text import iso, parse_time
from scry.usage import Local

ATTEMPTS = "attempts.json"
_CUT_OFF = "asked, and the process ended before there was an answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long sweeps go on asking for an episode; 0 for as long as it takes."""

    attempts: int = 6
    days: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What came of asking for one episode: `since` the first attempt, `last` the latest one."""

    attempts: int = 0
    reasons: tuple[str, ...] = ()
    since: datetime | None = None
    last: datetime | None = None

    def given_up(self, patience: Patience, now: datetime) -> str:
        """Return why sweeps leave the episode alone, or "" if they do not."""
        if patience.attempts and self.attempts >= patience.attempts:
            return f"asked {self.attempts} times"
        if patience.days and self.since and now - self.since > timedelta(days=patience.days):
            return f"waits since {iso(self.since)[:10]}, more than {patience.days} days"
        return ""


class Attempts:
    """The note of attempts, with reasons that people can read.

    Args:
        store: keeps the note.
        redact: what a provider says may hold a secret.
        clock: gives the present moment.
    """

    def __init__(self, store: Local, redact: Callable[[str], str], clock: Clock) -> None:
        self._store = store
        self._redact = redact
        self._clock = clock
        self._known = read_attempts(store.local(ATTEMPTS))
        self._changed: set[str] = set()

    def asked(self, episode: str) -> None:
        """Count an attempt, and keep that before anything else happens."""

        def change(text: str) -> str:
            known = read_attempts(text)
            old = known.get(episode, Tried())
            now = self._clock()
            self._known[episode] = known[episode] = Tried(
                attempts=old.attempts + 1,
                reasons=old.reasons or (_CUT_OFF,),
                since=old.since or now,
                last=now,
            )
            return attempts_text(known)

        self._store.update_local(ATTEMPTS, change)

    def note(self, episode: str, *reasons: str, asked: bool = True) -> None:
        """Write down why an episode has no answer; what was said when asked is kept meanwhile."""
        old = self._known.get(episode, Tried())
        if asked or not old.attempts:
            clean = tuple(self._redact(reason) for reason in reasons)
            self._known[episode] = Tried(
                attempts=old.attempts, reasons=clean, since=old.since, last=old.last
            )
            self._changed.add(episode)

    def answered(self, episode: str) -> None:
        """Forget an episode that somebody has answered for."""
        if self._known.pop(episode, None):
            self._changed.add(episode)

    def of(self, episode: str) -> Tried:
        """Return what came of asking for an episode since the last good answer."""
        return self._known.get(episode, Tried())

    def why(self, episode: str) -> str:
        """Return the reasons of the last attempt as one text."""
        return "; ".join(self.of(episode).reasons)

    def save(self) -> None:
        """Keep what has changed; what another process has noted of other episodes stays."""
        if not self._changed:
            return

        def change(text: str) -> str:
            known = read_attempts(text)
            for episode in self._changed:
                known.pop(episode, None)
                if found := self._known.get(episode):
                    known[episode] = found
            return attempts_text(known)

        self._store.update_local(ATTEMPTS, change)
        self._changed.clear()


def read_attempts(text: str) -> dict[str, Tried]:
    """Read the note; an empty one if it is spoilt."""
    try:
        data: object = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    known: Mapping[str, object] = data if isinstance(data, dict) else {}
    return {name: _tried(entry) for name, entry in known.items() if isinstance(entry, dict)}


def attempts_text(known: Mapping[str, Tried]) -> str:
    """Return the note as it is kept."""
    return json.dumps({name: _entry(tried) for name, tried in known.items()}, sort_keys=True)


def _tried(entry: Mapping[str, object]) -> Tried:
    attempts, reasons = entry.get("attempts"), entry.get("reasons")
    return Tried(
        attempts=attempts if isinstance(attempts, int) else 0,
        reasons=tuple(map(str, reasons)) if isinstance(reasons, list) else (),
        since=parse_time(str(entry.get("since", ""))),
        last=parse_time(str(entry.get("last", ""))),
    )


def _entry(tried: Tried) -> dict[str, object]:
    times = {"since": tried.since, "last": tried.last}
    return {
        "attempts": tried.attempts,
        "reasons": list(tried.reasons),
        **{name: iso(at) for name, at in times.items() if at},
    }
