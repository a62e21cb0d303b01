"""What each source gave: how many transcripts it found, how many gave words, why others did not.

    sources.json   {"claude": {"found": 12, "held": 11, "skipped": 1, "last": "2026-12-01T..."}}
    skipped.json   {KEY: ["claude", "~/.claude/projects/-w/s.jsonl", "too small"]}

A sweep writes both notes, on this machine.  They may vanish; the next sweep that reads something
begins them anew.  An agent whose transcripts give no words is shown, for its format may have
changed and nobody else would tell.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace

from scry.exclude import is_exclusion

SOURCES_NOTE = "sources.json"
SKIPPED_NOTE = "skipped.json"
ENOUGH = 5
"""Transcripts without words from which on a source is taken to be misread."""


@dataclass(slots=True)
class Tally:
    """Counts of one source: `found` transcripts; those that gave words; those left out for good.

    What is in neither is still being written, or could not be read.  `last` is when one was last
    taken in.
    """

    found: int = 0
    held: int = 0
    skipped: int = 0
    last: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """A transcript that was left out: of which source, where (redacted), and why."""

    source: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Yield:
    """One source for people.  `verified` says that its format was seen in real files."""

    name: str
    verified: bool
    found: int
    held: int
    last: str | None
    skipped: tuple[Left, ...] = ()

    def json(self) -> dict[str, object]:
        """Return what `scry status --json` shows."""
        skipped = [{"path": left.path, "reason": left.reason} for left in self.skipped]
        return {
            "name": self.name,
            "verified": self.verified,
            "found": self.found,
            "held": self.held,
            "last": self.last,
            "skipped": skipped,
        }

    def __str__(self) -> str:
        """Return the line that `scry status` prints."""
        named = self.name if self.verified else f"{self.name} (unverified)"
        parts = [f"{self.found:,} found", f"{self.held:,} gave words"]
        if self.skipped:
            parts.append(f"{len(self.skipped):,} skipped{self._most()}")
        if (later := self.found - self.held - len(self.skipped)) > 0:
            parts.append(f"{later:,} not read yet")
        read = [left for left in self.skipped if not is_exclusion(left.reason)]
        misread = not self.held and len(read) >= ENOUGH
        return f"{named}: {', '.join(parts)}{'; its format may have changed' * misread}"

    def _most(self) -> str:
        """Return the reason that most were left out for, without what differs from one to another."""
        counts: dict[str, int] = {}
        for left in self.skipped:
            counts[left.reason] = counts.get(left.reason, 0) + 1
        reason, count = max(counts.items(), key=lambda one: one[1])
        return f" ({reason})" if count == len(self.skipped) else ""


def yields(tallies: str, skipped: str, verified: Mapping[str, bool]) -> list[Yield]:
    """Return what each source gave, those that found something, in the order of `verified`.

    Args:
        tallies: the text of the note `sources.json`.
        skipped: the text of the note `skipped.json`.
        verified: by source, whether its format was seen in real files.
    """
    left = read_skipped(skipped)
    return [
        Yield(
            name=name,
            verified=verified.get(name, True),
            found=tally.found,
            held=tally.held,
            last=tally.last or None,
            skipped=tuple(sorted((o for o in left.values() if o.source == name), key=_place)),
        )
        for name, tally in sorted(read_tallies(tallies).items(), key=lambda i: _at(verified, i[0]))
        if tally.found
    ]


def _at(verified: Iterable[str], name: str) -> tuple[int, str]:
    names = list(verified)
    return (names.index(name) if name in names else len(names)), name


def _place(left: Left) -> str:
    return left.path


def read_tallies(text: str) -> dict[str, Tally]:
    """Read the note of counts; an empty one if it is spoilt."""
    found: dict[str, Tally] = {}
    for name, data in _mapping(text).items():
        match data:
            case {"found": int(seen), "held": int(held), "skipped": int(skipped), **more}:
                found[name] = Tally(seen, held, skipped, last=str(more.get("last") or ""))
    return found


def tallies_text(tallies: Mapping[str, Tally]) -> str:
    """Return the note of counts as it is kept."""
    return json.dumps({name: asdict(tally) for name, tally in tallies.items()}, sort_keys=True)


def carried(tallies: Mapping[str, Tally], before: Mapping[str, Tally]) -> dict[str, Tally]:
    """Return counts with the times that an earlier note gives."""
    return {
        name: replace(tally, last=before[name].last if name in before else "")
        for name, tally in tallies.items()
    }


def read_skipped(text: str) -> dict[str, Left]:
    """Read the note of what was left out, by the key of the transcript; empty if it is spoilt."""
    return {
        key: Left(*row)
        for key, row in _mapping(text).items()
        if isinstance(row, list) and len(row) == 3 and all(isinstance(x, str) for x in row)
    }


def skipped_text(skipped: Mapping[str, Left]) -> str:
    """Return the note of what was left out as it is kept."""
    rows = {key: [left.source, left.path, left.reason] for key, left in skipped.items()}
    return json.dumps(rows, sort_keys=True)


def _mapping(text: str) -> dict[str, object]:
    try:
        data: object = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
