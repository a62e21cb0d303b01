"""Extractors in order, as one extractor: the fallback is invisible to the caller.

Every extractor gets the same chunk.  What went wrong is of one of four kinds, and the kind alone
decides what is done about it:

    kind         what it means              before this      here                left out until
    content      the answer is no use       one correction   the next one        (it is not)
    transport    no whole answer            retries          the next one        the cooldown is over, if it
                                                                                 was so N times in a row
    quota        it refuses for now         -                the next one        its Retry-After, at least the
                                                                                 cooldown; our own budget: the
                                                                                 next UTC day
    permanent    it never works like this   a weaker mode    the next one        the run is over and the cooldown
                                            (step down)                          too, or it is configured anew

When all have been asked or are left out, the episode waits.  A trouble is remembered beyond the
process, so that neither a sweep over a hundred episodes nor a hundred sweeps ask a dead server a
hundred times.  It is plain data:

    {"failures": 3, "until": "2026-08-01T09:30:00Z", "reason": "…"}
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Protocol

from scry.errors import ChainExhaustedError, ExtractionError
from scry.model import Chunk, Extraction, Known
from scry.ports import Clock, Extractor
from scry.text import iso, parse_time

Trouble = Mapping[str, object]
"""`failures` in a row, `until` when one is left out ("" for not at all), and the `reason`."""
_LONGEST = timedelta(days=1)
"""No server is left alone for longer, whatever it asks for."""


class State(Protocol):
    """What a chain remembers of its extractors."""

    def trouble(self, name: str) -> Trouble:
        """Return what went wrong last; empty when nothing did."""

    def answered(self, name: str) -> None:
        """Take note of a usable answer: the trouble is over."""

    def failed(self, name: str, error: ExtractionError, then: Callable[[Trouble], Trouble]) -> None:
        """Take note of a failure; `then` makes the new trouble of the one as it stands."""


class Troubles(dict[str, Trouble]):
    """A state that lives as long as the process."""

    def trouble(self, name: str) -> Trouble:
        """Return what went wrong last; empty when nothing did."""
        return self.get(name, {})

    def answered(self, name: str) -> None:
        """Take note of a usable answer: the trouble is over."""
        self.pop(name, None)

    def failed(self, name: str, error: ExtractionError, then: Callable[[Trouble], Trouble]) -> None:
        """Take note of a failure; `then` makes the new trouble of the one as it stands."""
        _ = error
        self[name] = then(self.get(name, {}))
        if not self[name]:
            del self[name]


class Chain:
    """Asks extractors in order until one has a usable answer.

    Args:
        extractors: in the order in which they are asked.
        clock: gives the present moment.
        state: what is remembered; by default as long as the chain lives.
        failures: how many failures in a row begin a cooldown, where the server may recover soon.
        cooldown_s: seconds for which an extractor is then left out.
    """

    def __init__(
        self,
        extractors: Sequence[Extractor],
        *,
        clock: Clock,
        state: State | None = None,
        failures: int = 3,
        cooldown_s: float = 900,
    ) -> None:
        self.name = " > ".join(extractor.name for extractor in extractors)
        self._extractors = tuple(extractors)
        self._clock = clock
        self._state: State = Troubles() if state is None else state
        self._most = failures
        self._cooldown = timedelta(seconds=cooldown_s)
        self._never: dict[str, str] = {}

    def extract(self, chunk: Chunk, glossary: Sequence[Known]) -> Extraction:
        """Return the first usable answer; its `notes` tell why those before had none.

        Raises:
            ChainExhaustedError: none was usable; it says why, extractor by extractor.
        """
        failed: list[tuple[str, str]] = []
        for extractor in self._extractors:
            paused = self._paused(extractor.name)
            if paused:
                failed.append((extractor.name, paused))
                continue
            try:
                extraction = extractor.extract(chunk, glossary)
            except ExtractionError as error:
                self._remember(extractor.name, error)
                failed.append((extractor.name, str(error)))
                continue
            self._state.answered(extractor.name)
            notes = tuple(f"{name}: {reason}" for name, reason in failed)
            return replace(extraction, notes=notes + extraction.notes)
        raise ChainExhaustedError(failed)

    def _paused(self, name: str) -> str:
        """Return why an extractor is left out now, or "" when it may be asked."""
        trouble = self._state.trouble(name)
        until = parse_time(str(trouble.get("until", "")))
        if until is not None and self._clock() < until:
            return f"left out until {iso(until)} after: {trouble.get('reason', '')}"
        if name in self._never:
            return f"left out for the rest of this run after: {self._never[name]}"
        return ""

    def _remember(self, name: str, error: ExtractionError) -> None:
        if error.kind == "permanent":
            self._never[name] = str(error)
        self._state.failed(name, error, lambda before: self._trouble(before, error))

    def _trouble(self, before: Trouble, error: ExtractionError) -> Trouble:
        """Return the trouble that follows from a failure and the trouble before it."""
        if error.kind == "content":
            return {}  # It does answer.
        count = before.get("failures")
        count = count + 1 if isinstance(count, int) else 1
        rest = self._cooldown
        wanted = getattr(error, "retry_after", None)  # Seconds, where a server gave them.
        if isinstance(wanted, (int, float)) and wanted > rest.total_seconds():
            rest = min(timedelta(seconds=min(wanted, 1e6)), _LONGEST)
        pauses = (
            error.kind in ("quota", "permanent") or count >= self._most or rest > self._cooldown
        )
        return {
            "failures": count,
            "until": iso(self._clock() + rest) if pauses else "",
            "reason": str(error),
        }
