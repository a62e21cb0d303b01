"""What a sweep has to do, found out without reading the store where the last sweep left it still.

Sources are asked for what they find; the notes beside the store say what is known of it.  Only when
they say nothing about the commit that the store stands at, the store itself is read, for the
folders in which sessions have worked.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from scry.attempts import ATTEMPTS
from scry.config import Config
from scry.due import SEEN, Due, due, key_of, read_seen
from scry.errors import ConfigError
from scry.exclude import Excluded
from scry.match import nearest
from scry.ports import Places, Source
from scry.report import Report
from scry.sources import SOURCES
from scry.sources.note_places import check_pattern
from scry.standing import STANDING, Standing, nothing_waits, read_standing
from scry.writer import WAITING, read_waiting
from scry.yields import (
    SKIPPED_NOTE,
    SOURCES_NOTE,
    carried,
    read_skipped,
    read_tallies,
    tallies_text,
)

Asked = tuple[datetime, float, datetime | None]
"""The moment, minutes of idleness, and since when."""


@dataclass(kw_only=True)
class Finder:
    """Looks for transcripts, as the configuration says.

    Args:
        config: the configuration.
        where: its file, for what is wrong with it.
        places: where agents keep their files.
        excluded: folders that nothing is read from.
        local: gives a note kept beside the store, "" for none.
        head: the commit that the store stands at, "" without one.
        cwds: reads the store, and gives the folders in which its sessions have worked.
        unshow: gives the path of a folder as the store shows it.
    """

    config: Config
    where: Path
    places: Places
    excluded: Excluded
    local: Callable[[str], str]
    head: str
    cwds: Callable[[], Iterable[str]]
    unshow: Callable[[str], Path]
    _asked: Asked | None = None
    _looked: tuple[Path, ...] = ()

    def due(self, *, now: datetime, idle_minutes: float, since: datetime | None) -> Due:
        """Return which transcripts of which agents are due.

        Raises:
            ConfigError: the configuration names a source, or notes, that there cannot be.
        """
        self._asked = now, idle_minutes, since
        self._looked = self._folders()
        return self._due(self._looked, self._asked)

    def later(self, first: Due, cwds: Iterable[str]) -> Due | None:
        """Return what is due in folders that a sweep has only just learned of; None for nothing.

        Args:
            first: what was due before it.
            cwds: the folders in which sessions have worked, as far as is known now.
        """
        folders = self._there(cwds)
        if self._asked is None or set(folders) <= set(self._looked):
            return None
        every = self._due(folders, self._asked)
        fresh = every.keys - first.keys
        found = [(source, path) for source, path in every.found if key_of(path) in fresh]
        left = [(source, path, why) for source, path, why in every.left if key_of(path) in fresh]
        if not found and not left:
            return None
        active = max(0, every.active - first.active)
        return replace(
            every,
            found=found,
            left=left,
            scanned=len(fresh),
            unchanged=0,
            active=active,
            vanished=[],
        )

    def _due(self, folders: tuple[Path, ...], asked: Asked) -> Due:
        sources, notes = self._sources(), self._notes()
        now, idle_minutes, since = asked
        return due(
            sources,
            replace(self.places, folders=folders, notes=notes),
            seen=read_seen(self.local(SEEN)),
            now=now,
            idle_minutes=idle_minutes,
            since=since,
            excluded=self.excluded,
            skipped=read_skipped(self.local(SKIPPED_NOTE)),
        )

    def quiet(
        self, found: Due, *, now: datetime, offline: bool
    ) -> tuple[Report, dict[str, str]] | None:
        """Return what a sweep without work reports, and the notes to keep; None if it has work."""
        if self._standing is None or found.found or found.left:
            return None
        asked = offline or nothing_waits(self._standing, self.local(ATTEMPTS), self.config, now)
        if not asked or any(read_waiting(self.local(WAITING))):
            return None
        report = Report(
            scanned=found.scanned,
            unchanged=found.unchanged,
            active=found.active,
            problems=found.vanished,
        )
        before = read_tallies(self.local(SOURCES_NOTE))
        return report, {SOURCES_NOTE: tallies_text(carried(found.tallies, before))}

    @cached_property
    def _standing(self) -> Standing | None:
        return read_standing(self.local(STANDING), self.head)

    def _folders(self) -> tuple[Path, ...]:
        return self._there(self.cwds() if self._standing is None else self._standing.folders)

    def _there(self, cwds: Iterable[str]) -> tuple[Path, ...]:
        """Return the folders in which sessions have worked, as far as they are there."""
        folders = {self.unshow(cwd) for cwd in set(cwds) if cwd}
        return tuple(sorted(folder for folder in folders if folder.is_dir()))

    def _sources(self) -> dict[str, Source]:
        for name in self.config.off:
            if name not in SOURCES:
                near = nearest(name, SOURCES, limit=1)
                known = f"Did you mean '{near[0]}'?" if near else f"Known are {', '.join(SOURCES)}."
                raise ConfigError(
                    f"{self.where}: sources.off has '{name}', and there is no such source. {known}"
                )
        return {name: one for name, one in SOURCES.items() if name not in self.config.off}

    def _notes(self) -> tuple[str, ...] | None:
        for pattern in self.config.notes or ():
            if wrong := check_pattern(pattern):
                raise ConfigError(f"{self.where}: sources.notes has '{pattern}'. {wrong}")
        return self.config.notes
