"""The writer of what is remembered of extractors: meters for providers, and a chain's memory.

It stands between the chain and the note of `usage`.  Each change is made on the note as it stands
and written whole before anything is sent: two processes share one budget, and a process that is
killed has counted everything that it sent.
"""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from scry.config import Budget, Link
from scry.errors import ExtractionError, ProviderError
from scry.ports import Clock
from scry.text import iso, short_hash
from scry.usage import CHAIN, Count, Local, Remembered, Trouble, day_of


class SpentError(ProviderError):
    """A budget of ours is used up; `until` is when the next one begins."""

    def __init__(self, name: str, what: str, until: datetime) -> None:
        super().__init__(
            f"{name}: the day's budget of {what} is used up. It is asked again from {iso(until)} "
            "on; to go on at once, raise extraction.budget in config.yaml.",
            kind="quota",
        )
        self.until = until


def spent(used: Count, budget: Budget) -> str:
    """Return which part of a day's budget is used up, or ""."""
    if budget.calls_per_day and used.calls >= budget.calls_per_day:
        return f"{budget.calls_per_day:,} calls"
    if budget.tokens_per_day and used.tokens >= budget.tokens_per_day:
        return f"{budget.tokens_per_day:,} tokens"
    return ""


def mark_of(link: Link) -> str:
    """Return what stands for the configuration of an extractor, its limits apart."""
    parts = (link.type, link.base_url, link.model, link.api_key, link.structured, link.preset)
    return short_hash(*parts, *link.argv, length=8)


def next_day(now: datetime) -> datetime:
    """Return when the next UTC day begins."""
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(days=1)


class Usage:
    """The one writer of the file: meters for providers, and the memory of a chain.

    Args:
        store: keeps the file.
        clock: gives the present moment.
        budget: what each provider may be asked in a UTC day.
    """

    def __init__(self, store: Local, clock: Clock, *, budget: Budget | None = None) -> None:
        self._store = store
        self._clock = clock
        self._budget = budget or Budget()
        self._marks: dict[str, str] = {}
        self._of: dict[str, str] = {}
        self._open: Counter[str] = Counter()
        self._never: set[str] = set()
        self.sent = 0
        """Requests that this process has sent."""
        self.on_request: Callable[[], None] = _nothing
        """Is called when the budget lets a request pass, before it is sent."""

    def meter(self, name: str, *, provider: str = "", mark: str = "") -> "ExtractorMeter":
        """Return the meter for an extractor.

        Args:
            name: the extractor's, `deepseek/deepseek-v4-flash`.
            provider: whose budget it uses, by its id; by default one of its own.
            mark: stands for its configuration.
        """
        self._marks[name], self._of[name] = mark, provider or name
        return ExtractorMeter(self, name, provider or name)

    def remembered(self) -> Remembered:
        """Return what is remembered now."""
        return Remembered.of(self._store.local(CHAIN))

    def paused(self) -> bool:
        """Say whether no model can be asked: all are left out for now, or have no budget left."""
        known, now = self.remembered(), self._clock()
        return bool(self._marks) and all(
            name in self._never
            or known.paused(name, now, mark)
            or spent(known.used(self._of[name], now), self._budget)
            for name, mark in self._marks.items()
        )

    def lift(self) -> None:
        """Forget every trouble, so that each extractor is asked again at once."""
        self._change(lambda known: known.breakers.clear())

    # --- for the chain ----------------------------------------------------------------------------

    def trouble(self, name: str) -> Trouble:
        """Return what went wrong with an extractor last, under its present configuration."""
        found = self.remembered().breakers.get(name, {})
        return found if found.get("mark", "") == self._marks.get(name, "") else {}

    def answered(self, name: str) -> None:
        """Count an answer that was used, and forget the trouble before it."""
        if name in self._marks:  # The rules have neither trouble nor a price.
            self._outcome(name, Count(answers=1), lambda _: {})

    def failed(self, name: str, error: ExtractionError, then: Callable[[Trouble], Trouble]) -> None:
        """Count an episode without an answer; `then` makes the new trouble of the old one."""
        asked = self._open[name] > 0
        if error.kind == "permanent":
            self._never.add(name)
        if isinstance(error, SpentError):  # A budget that is raised counts at once.
            if asked:
                self._outcome(name, Count(failed=1), lambda old: old)
            return
        self._outcome(name, Count(failed=int(asked)), then)

    def _outcome(self, name: str, count: Count, then: Callable[[Trouble], Trouble]) -> None:
        mark = self._marks.get(name, "")

        def change(known: Remembered) -> None:
            old = known.breakers.pop(name, {})
            if new := then(old if old.get("mark", "") == mark else {}):
                known.breakers[name] = {**new, "mark": mark}
            if count != Count():
                known.add(self._today(), name, count)

        self._open[name] = 0
        self._change(change)

    # --- for the meters ---------------------------------------------------------------------------

    def request(self, name: str, provider: str) -> None:
        """Count a request, unless the budget forbids it; see `Meter.request`."""

        def change(known: Remembered) -> None:
            now = self._clock()
            if what := spent(known.used(provider, now), self._budget):
                raise SpentError(name, what, next_day(now))
            known.add(day_of(now), name, Count(calls=1))

        self._change(change)
        self.sent += 1
        self._open[name] += 1
        self.on_request()

    def used(self, name: str, tokens_in: int, tokens_out: int) -> None:
        """Count tokens; see `Meter.used`."""
        more = Count(tokens_in=max(0, tokens_in), tokens_out=max(0, tokens_out))
        if more != Count():
            self._change(lambda known: known.add(self._today(), name, more))

    def mode(self, name: str) -> str:
        """Return a mode; see `Meter.mode`."""
        return self.remembered().mode(name, self._marks[name])

    def keep_mode(self, name: str, mode: str) -> None:
        """Keep a mode; see `Meter.keep_mode`."""
        kept = {"mode": mode, "mark": self._marks[name]}
        self._change(lambda known: known.modes.update({name: kept}))

    def _change(self, change: Callable[[Remembered], object]) -> None:
        def text(before: str) -> str:
            known = Remembered.of(before)
            change(known)
            return known.text()

        self._store.update_local(CHAIN, text)

    def _today(self) -> str:
        return day_of(self._clock())


class ExtractorMeter:
    """The meter of one extractor (see `ports.Meter`)."""

    def __init__(self, usage: Usage, name: str, provider: str) -> None:
        self._usage = usage
        self._name = name
        self._provider = provider

    def request(self) -> None:
        """Count a request that is about to be sent.

        Raises:
            ProviderError: of kind `quota`: the day's budget is spent.
        """
        self._usage.request(self._name, self._provider)

    def used(self, tokens_in: int, tokens_out: int) -> None:
        """Count the tokens of an answer."""
        self._usage.used(self._name, tokens_in, tokens_out)

    def mode(self) -> str:
        """Return how the shape of an answer was last asked for with success, or ""."""
        return self._usage.mode(self._name)

    def keep_mode(self, mode: str) -> None:
        """Keep how the shape of an answer is asked for from now on."""
        self._usage.keep_mode(self._name, mode)


def _nothing() -> None:
    """Do nothing."""
