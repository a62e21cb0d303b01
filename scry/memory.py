"""A store that answers many questions: read once, and again when any file of it has changed.

What the MCP server's tools answer, as plain functions: the text of the command line, at most about
8 KB each.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from scry.app import App
from scry.errors import ScryError
from scry.index import Index
from scry.text import one_line, parse_time

if TYPE_CHECKING:
    from scry.remember import Note

MAX_BYTES = 8_000


class RequestError(ScryError):
    """A question that cannot be answered as it was put; the message says what would be right."""


@dataclass
class Memory:
    """A store that answers many questions: read once, and again when it has changed."""

    environ: Mapping[str, str]
    store: Path | None = None
    _lock: Lock = field(default_factory=Lock)
    _stamp: object = None
    _index: Index | None = None

    def recall(self, query: str, as_of: str, limit: int, cwd: str) -> str:
        """Return what is known about a question."""
        from scry.due import LAST_SWEEP
        from scry.recall import recall
        from scry.render import recollection

        if not query.strip():
            raise RequestError("query is empty. Give a name, or a question in words.")
        with self._lock:
            app, index = self._open()
            found = recall(
                index,
                query,
                now=app.now,
                as_of=_moment(app, as_of),
                limit=max(1, min(limit, 100)),
                repo=app.repo_of(here) if (here := self._folder(cwd)) else "",
                evidence=app.reader.evidence,
            )
            found = replace(found, query=app.echo(found.query))
            swept = parse_time(app.reader.local(LAST_SWEEP).strip())
            return recollection(index, found, last_sweep=swept, limit=MAX_BYTES)

    def episodes(self, entity: str, limit: int) -> str:
        """Return the sessions about an entity, newest first."""
        from scry.lookup import episodes, find_entity
        from scry.render import episode_line

        with self._lock:
            _, index = self._open()
            name = find_entity(index, entity).name
            found = episodes(index, entity, limit=len(index.episodes))
            shown = found[: max(1, min(limit, 100))]
        if not found:
            return f"No session speaks of {name}."
        return packed(f"Sessions about {name}:", map(episode_line, shown), len(found))

    def path(self, start: str, goal: str) -> str:
        """Return the shortest chain of facts between two entities."""
        from scry.lookup import find_entity
        from scry.render import path_text
        from scry.route import path

        with self._lock:
            app, index = self._open()
            chain = path(index, start, goal, now=app.now)
            ends = [find_entity(index, name).name for name in (start, goal)]
            head, *lines = path_text(index, ends[0], ends[1], chain).split("\n")
        return packed(head, lines, len(lines))

    def remember(self, note: "Note") -> str:
        """Store what an agent says, and return what became of it."""
        from scry.kept import keep, said
        from scry.remember import unknown_relation

        app = self._app()
        here = self._folder("")
        note = replace(note, origin="assistant")
        if here:
            note = replace(note, cwd=app.show(here), repo=app.repo_of(here))
        rules_only = all(link.type == "rules" for link in app.config.chain)
        with self._lock:
            kept = keep(app.ingest(), note, app.now, at_once=rules_only)
        return " ".join(filter(None, (said(kept), unknown_relation(app.redact(note.relation)))))

    # --- the store ------------------------------------------------------------------------------

    def _app(self) -> App:
        """Return the parts for one request: each has its own moment and configuration."""
        return App.of_environment(self.environ, self.store)

    def _open(self) -> tuple[App, Index]:
        """Return the store's index as its files are now."""
        app = self._app()
        stamp = stamp_of(app.store_path)
        if self._index is None or stamp != self._stamp:
            self._index = app.index()
            self._stamp = stamp
        return app, self._index

    def _folder(self, cwd: str) -> Path | None:
        """Return the folder that the agent works in; some start the server elsewhere.

        None when nobody said which, and the server's own folder is gone.
        """
        try:
            return Path(cwd or self.environ.get("CLAUDE_PROJECT_DIR") or ".").absolute()
        except FileNotFoundError:
            return None


def stamp_of(store: Path) -> object:
    """Return what changes when any record of a store changes: size and time of every file.

    Folders alone would not do: an edit in place leaves their times as they are.
    """
    found: list[tuple[str, int, int]] = []
    folders = [os.fspath(store)]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.name.startswith(".git"):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        stat = entry.stat(follow_symlinks=False)
                        found.append((entry.path, stat.st_size, stat.st_mtime_ns))
        except FileNotFoundError:
            continue  # It went away while we looked; the next question sees what came of it.
    return sorted(found)


def packed(head: str, lines: Iterable[str], total: int) -> str:
    """Return lines that fit; how many of `total` are not shown is told."""
    out, size = [head], len(head.encode())
    for line in lines:
        size += len(line.encode()) + 1
        if size > MAX_BYTES - 80:
            break
        out.append(line)
    left = total - (len(out) - 1)
    return "\n".join([*out, *([f"{left} more; raise the limit or ask for less."] if left else [])])


def _moment(app: App, text: str) -> datetime | None:
    from scry.when import read_time

    if not text.strip():
        return None
    moment = read_time(text, app.now)
    if moment is None:
        raise RequestError(f"as_of is no time: '{one_line(text)}'. Give a date such as 2026-08-01.")
    return moment
