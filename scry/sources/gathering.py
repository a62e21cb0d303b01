"""What is gathered from one transcript while it is read, record by record.

    said(role, text)   words, without what Scry has shown and what a harness wrapped around them
    did(tool, input)   a breadcrumb: never the input itself
    mark(kind)         something that happened
    take_back(place)   what was said from there on did not count in the end

For agents whose formats need no more than this.  Words that are taken back keep their place, so
that the cuts of a session do not move when its user goes back and takes another way.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from scry.model import Did, Event, Mark, Problem, Role, Said, Transcript
from scry.sources.breadcrumbs import deed_of_call
from scry.sources.jsonl import legible
from scry.sources.own_words import MEMORY_TAGS, speech, without_echo, without_edges
from scry.sources.particulars import Particulars

HARNESS_TAGS = MEMORY_TAGS | frozenset(
    """system-reminder system_reminder system-notification system_notification hook_context
    hook-context session_context environment_context current_datetime tagged_files reminder skill
    skill-context skill_context""".split()
)
"""What agents put at the edges of a prompt."""
TAKEN_BACK = ("abandoned", "rolled back")
_OPEN = re.compile(r"\s*<[A-Za-z]")
_KNOWN_AS = {
    name: known
    for known, names in {
        "read": "readfile readmediafile read_many_files",
        "edit": "replace str_replace strreplace strreplacefile insert searchreplace delete",
        "write": "create writefile editnotebook",
        "grep": "search_file_content grep_search semanticsearch codebase_search rg",
        "glob": "find find_files file_search",
        "ls": "list list_directory list_dir listdir",
        "webfetch": "web_fetch fetchurl fetch_content",
        "websearch": "google_web_search searchweb",
        "task": "subagent runagent",
        "todowrite": "write_todos settodolist todolist update_todo exit_plan_mode enter_plan_mode",
        "apply_patch": "applypatch patch",
        "askuserquestion": "ask_user question askquestion",
    }.items()
    for name in names.split()
}
"""The tools of these agents by the name under which breadcrumbs know them."""
_PATHS = ("absolute_path", "target_file", "target_notebook", "filepath")


class Gathering:
    """Events in file order and particulars of one transcript; `at` and `line` say where it stands."""

    def __init__(self, *, tags: Collection[str] = HARNESS_TAGS) -> None:
        self.events: list[Event] = []
        self.known = Particulars()
        self.problems: list[Problem] = []
        self.cwd = ""
        self.at: datetime | None = None
        self.line = 0
        self._tags = tags

    def place(self, cwd: object) -> None:
        """Note the directory in which the agent works from here on."""
        self.known.add(self.known.cwds, cwd)
        if isinstance(cwd, str) and cwd:
            self.cwd = cwd

    def said(self, role: Role, text: object, *, kind: str = "", uid: str = "") -> bool:
        """Add words, if there are any once what nobody said is cut away; say whether there are."""
        words = self.words(role, text)
        if words:
            kind = kind or ("prompt" if role == "user" else "prose")
            self.events.append(
                Said(at=self.at, line=self.line, role=role, text=words, kind=kind, uid=uid)
            )
        return bool(words)

    def typed(self, parts: object, *, kind: str = "", uid: str = "") -> None:
        """Add what a person typed: a text, or blocks of text and images."""
        texts = []
        for part in parts if isinstance(parts, list) else [parts]:
            match part:
                case str(text) | {"type": "text", "text": str(text)}:
                    texts.append(self.words("user", text))
                case {"type": "image" | "image_url"}:
                    self.mark("image")
                case _:
                    continue
        self.said("user", "\n\n".join(filter(None, texts)), kind=kind, uid=uid)

    def words(self, role: Role, text: object) -> str:
        """Return what of a text its speaker said."""
        if not isinstance(text, str):
            return ""
        if role == "assistant":
            return legible(speech(text))
        text = without_echo(text)
        if _OPEN.match(text) or text.rstrip().endswith(">"):
            text = without_edges(text, self._tags, self._tags)
        return legible(text).strip("\ufeff \t\r\n\f\v")

    def did(self, tool: object, given: object) -> None:
        """Add the breadcrumb of a tool call."""
        if not isinstance(tool, str) or not tool:
            return
        if isinstance(given, dict) and (path := next(filter(None, map(given.get, _PATHS)), None)):
            given = {**given, "path": path}
        verb, target = deed_of_call(_KNOWN_AS.get(tool.casefold(), tool), given, self.cwd)
        self.events.append(Did(at=self.at, line=self.line, verb=verb, target=legible(target)))

    def mark(self, kind: str) -> None:
        """Add a mark; two records that tell of one happening count once."""
        last = self.events[-1] if self.events else None
        if kind == "image" or not (isinstance(last, Mark) and last.kind == kind):
            self.events.append(Mark(at=self.at, line=self.line, kind=kind))

    def take_back(self, place: int, kind: str = "rolled back") -> None:
        """Mark all words from an event on as not counting."""
        for number in range(max(place, 0), len(self.events)):
            event = self.events[number]
            if isinstance(event, Said) and event.kind not in TAKEN_BACK:
                self.events[number] = replace(event, kind=kind)

    def take_back_prompts(self, count: int) -> None:
        """Mark the last prompts, and all that follows the first of them, as not counting."""
        for number in range(len(self.events) - 1, -1, -1):
            event = self.events[number]
            if isinstance(event, Said) and event.role == "user" and event.kind not in TAKEN_BACK:
                count -= 1
                if count <= 0:
                    self.take_back(number)
                    return

    def transcript(self, source: str, path: Path, session: str, *, lines: int) -> Transcript:
        """Return the transcript; one without any words is `metadata-only`."""
        known = self.known
        said = any(isinstance(event, Said) for event in self.events)
        return Transcript(
            source=source,
            path=path,
            session=session,
            verdict="session" if said else "metadata-only",
            events=tuple(self.events),
            problems=tuple(self.problems),
            cwds=tuple(known.cwds),
            branches=tuple(known.branches),
            versions=tuple(known.versions),
            ids=tuple(known.ids) or (session,),
            title=known.title,
            remote=known.remote,
            started=known.started,
            ended=known.ended,
            lines=lines,
            types=dict(known.types),
        )


def moment_of(number: object, *, per_second: int = 1000) -> datetime | None:
    """Return the moment that a number of milliseconds (or seconds) since 1970 stands for."""
    if isinstance(number, bool) or not isinstance(number, int | float):
        return None
    try:
        return datetime.fromtimestamp(int(number / per_second), UTC)
    except (ValueError, OverflowError, OSError):
        return None


def iso_of(number: object, *, per_second: int = 1000) -> str:
    """Return such a number as a text that `Particulars.time` reads; "" when it is none."""
    moment = moment_of(number, per_second=per_second)
    return moment.isoformat() if moment else ""
