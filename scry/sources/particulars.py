"""What is known about a transcript besides its words: places, branches, versions, ids, times."""

from collections import Counter
from datetime import UTC, datetime

from scry.sources.jsonl import legible
from scry.text import parse_time


class Particulars:
    """Gathers values in order of appearance, each once."""

    def __init__(self) -> None:
        self.cwds: dict[str, None] = {}
        self.branches: dict[str, None] = {}
        self.versions: dict[str, None] = {}
        self.ids: dict[str, None] = {}
        self.types: Counter[str] = Counter()
        self.started: datetime | None = None
        self.ended: datetime | None = None
        self.title = ""
        self.remote = ""
        self._second = ""
        self._moment: datetime | None = None

    def time(self, value: object) -> datetime | None:
        """Read a record's time and widen the session's span by it; clocks may go backwards."""
        if not isinstance(value, str):
            return None
        # Without the thousandths, as nearly all have them; many records come in one second.
        utc = len(value) == 24 and value[19::4] == ".Z" and value[20:23].isdigit()
        second = value[:19] + "Z" if utc else value
        if second == self._second:
            return self._moment
        self._second, self._moment = second, _moment(second)
        moment = self._moment
        if moment:
            if self.started is None or self.ended is None:
                self.started = self.ended = moment
            elif moment > self.ended:
                self.ended = moment
            elif moment < self.started:
                self.started = moment
        return moment

    def add(self, into: dict[str, None], value: object) -> None:
        """Keep a value of a record if it is a text with something in it."""
        if isinstance(value, str) and value and value not in into:
            into[legible(value)] = None


def _moment(value: str) -> datetime | None:
    """Read a time to the second; nearly all are UTC already, and there are very many."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return parse_time(value)
    if moment.tzinfo is not UTC:
        return parse_time(value)
    return moment.replace(microsecond=0) if moment.microsecond else moment
