"""Extractors in order, as one extractor: the fallback is invisible to the caller.

Every extractor gets the same chunk.  One that will not work for now (no credit, a key that is
refused, a server that is down again and again) is left out for a while, so that a sweep over a
hundred episodes does not ask a dead server a hundred times.  What is remembered is plain data:

    {"anthropic/claude-haiku-4-5": {"failures": 3, "until": "2026-08-01T09:30:00Z", "reason": "..."}}
"""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import replace
from datetime import timedelta

from scry.errors import ChainExhaustedError, ExtractionError
from scry.model import Chunk, Extraction, Known
from scry.ports import Clock, Extractor
from scry.text import iso, parse_time

State = MutableMapping[str, Mapping[str, object]]
"""What a chain remembers, by extractor: `failures` in a row, `until` when it is left out ("" for
not at all), and the `reason`.  JSON can hold it."""


class Chain:
    """Asks extractors in order until one has a usable answer.

    Args:
        extractors: in the order in which they are asked.
        clock: gives the present moment.
        state: what was remembered by the run before; it is changed in place, and the caller may
            keep it.
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
        self._state: State = {} if state is None else state
        self._most = failures
        self._cooldown = timedelta(seconds=cooldown_s)

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
            self._state.pop(extractor.name, None)
            notes = tuple(f"{name}: {reason}" for name, reason in failed)
            return replace(extraction, notes=notes + extraction.notes)
        raise ChainExhaustedError(failed)

    def _paused(self, name: str) -> str:
        """Return why an extractor is left out now, or "" when it may be asked."""
        trouble = self._state.get(name, {})
        until = parse_time(str(trouble.get("until", "")))
        if until is None or self._clock() >= until:
            return ""
        return f"left out until {iso(until)} after: {trouble.get('reason', '')}"

    def _remember(self, name: str, error: ExtractionError) -> None:
        if error.kind == "content":
            self._state.pop(name, None)  # It does answer.
            return
        before = self._state.get(name, {}).get("failures")
        count = before + 1 if isinstance(before, int) else 1
        pauses = error.kind in ("quota", "permanent") or count >= self._most
        self._state[name] = {
            "failures": count,
            "until": iso(self._clock() + self._cooldown) if pauses else "",
            "reason": str(error),
        }
