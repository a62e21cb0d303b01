"""Why episodes wait: how often they were asked for, and what came of it.

A note on this machine, `{episode: {attempts, reasons}}`.  It may vanish; the episodes wait all the
same, and are asked for again.
"""

import json
from collections.abc import Callable, Mapping

ATTEMPTS = "attempts.json"


class Attempts:
    """The note of attempts, with reasons that people can read."""

    def __init__(self, text: str, redact: Callable[[str], str]) -> None:
        self._known = read_attempts(text)
        self._redact = redact

    def note(self, episode: str, *reasons: str, counts: bool = True) -> None:
        """Write down why an episode has no answer; `counts` says that somebody was asked."""
        before = self._known.get(episode, {}).get("attempts", 0)
        tries = (before if isinstance(before, int) else 0) + counts
        clean = [self._redact(reason) for reason in reasons]
        self._known[episode] = {"attempts": tries, "reasons": clean}

    def answered(self, episode: str) -> None:
        """Forget an episode that somebody has answered for."""
        self._known.pop(episode, None)

    def count(self, episode: str) -> int:
        """Return how often somebody was asked for an episode since the last good answer."""
        tries = self._known.get(episode, {}).get("attempts", 0)
        return tries if isinstance(tries, int) else 0

    def why(self, episode: str) -> str:
        """Return the reasons of the last attempt as one text."""
        reasons = self._known.get(episode, {}).get("reasons")
        return "; ".join(map(str, reasons)) if isinstance(reasons, list) else ""

    def text(self) -> str:
        """Return the note as it is kept."""
        return json.dumps(self._known, indent=1, sort_keys=True)


def read_attempts(text: str) -> dict[str, dict[str, object]]:
    """Read the note; an empty one if it is spoilt."""
    try:
        data: object = json.loads(text or "{}")
    except ValueError:
        return {}
    known: Mapping[str, object] = data if isinstance(data, dict) else {}
    return {k: v for k, v in known.items() if isinstance(v, dict)}
