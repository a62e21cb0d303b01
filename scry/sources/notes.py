r"""Notes in Markdown that people and agents keep: a section under a heading is one thing said.

    CLAUDE.md  AGENTS.md  GEMINI.md  docs/DECISIONS.md  docs/adr/*.md ...       of a project
    ~/.claude/CLAUDE.md  ~/.claude/rules/*.md  ~/.claude/projects/*/memory/*.md  of Claude Code
    ~/.codex/AGENTS.md   ~/.gemini/GEMINI.md                                     of other agents

    # Hermes                         Said "# Hermes\n## Deploy\n\n- Push to main." as a document
    ## Deploy
    - Push to main.

A note does not grow like a transcript: it is rewritten.  So a section's uid is made of its words,
and a section that was changed is another one.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from scry.errors import SourceError
from scry.model import Event, Mark, Said, Transcript
from scry.ports import Places
from scry.sources.checkout import Checkouts, root_of
from scry.sources.claude_memory import is_memory, project_of
from scry.sources.jsonl import open_bytes
from scry.sources.markdown import Section, decoded, sections, visible
from scry.sources.note_places import SUFFIXES, USUAL, notes_in
from scry.text import short_hash

NAME = "notes"
LARGEST = 1_000_000
"""Bytes of a note; what is larger was not written to be read."""
_NAMES = frozenset(
    """claude.md claude.local.md agents.md agents.override.md gemini.md copilot-instructions.md
    memory.md decisions.md""".split()
)
_FOLDERS = frozenset(("adr", "adrs", "decisions"))


def discover(places: Places) -> Iterator[Path]:
    """Yield the notes of agents and of known projects, each once, sorted.

    Of several checkouts of one repository the main one's notes count, then the newest ones.
    """
    best: dict[str, tuple[tuple[bool, float], Path]] = {}
    checkouts = Checkouts()
    for path in _candidates(places, checkouts):
        try:
            target = path.resolve(strict=True)
            changed = target.stat().st_mtime
        except (OSError, RuntimeError):
            continue  # Gone, or a link that leads to itself.
        if not _is_note(target, checkouts):
            continue
        root = checkouts.root_of(target)
        found = (root is None or not checkouts.is_linked(root), changed), target
        session = _session_of(target, checkouts)
        best[session] = max(found, best.get(session, found))
    yield from sorted(path for _, path in best.values())


def _candidates(places: Places, checkouts: Checkouts) -> Iterator[Path]:
    yield places.claude / "CLAUDE.md"
    yield from map(Path, notes_in(str(places.claude), ["rules/**/*.md", "projects/*/memory/*.md"]))
    yield from (places.codex / name for name in ("AGENTS.override.md", "AGENTS.md"))
    yield places.home / ".gemini" / "GEMINI.md"
    folders: dict[Path, None] = {}
    for folder in places.folders:
        folders.setdefault(folder)
        if root := checkouts.root_of(folder / "x"):
            folders.setdefault(root)
    for folder in folders:
        yield from map(Path, notes_in(str(folder), USUAL if places.notes is None else places.notes))


def recognises(path: Path, head: bytes) -> bool:  # noqa: ARG001 -- the contract; any text is Markdown
    """Say whether a file is Markdown, other than a record of a store."""
    return path.suffix.lower() in SUFFIXES and not path.is_dir() and not _is_ours(path, Checkouts())


def _is_note(path: Path, checkouts: Checkouts) -> bool:
    return path.suffix.lower() in SUFFIXES and path.is_file() and not _is_ours(path, checkouts)


def is_note(path: Path) -> bool:
    """Say whether a file is by its name a note: what a folder full of Markdown is searched for."""
    known = path.name.lower() in _NAMES or path.parent.name.lower() in _FOLDERS or is_memory(path)
    return known and recognises(path, b"")


def _is_ours(path: Path, checkouts: Checkouts) -> bool:
    """Say whether a file lies in a store, or among the files that git keeps for itself."""
    whole = path.absolute()
    if ".git" in whole.parts:
        return True
    root = checkouts.root_of(whole)
    return root is not None and checkouts.is_store(root)


def read(path: Path) -> Transcript:
    """Read one note: an event for each section, dated with the file.

    Raises:
        SourceError: the file cannot be opened, or is larger than a note may be.
    """
    with open_bytes(path) as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise SourceError(
            f"{path}: a note of more than {LARGEST // 1000:,} KB is not read. "
            "Split it, or take in the part that matters."
        )
    target = path.resolve()
    at = datetime.fromtimestamp(int(target.stat().st_mtime), UTC)
    found = list(sections(visible(decoded(raw))))
    events = [event for section in found for event in _events(section, at)]
    return Transcript(
        source=NAME,
        path=path,
        session=_session_of(target, Checkouts()),
        verdict="session" if events else "metadata-only",
        events=tuple(events),
        cwds=tuple(str(folder) for folder in (_project_of(target),) if folder),
        title=next((section.path[0] for section in found if section.path), ""),
        started=at,
        ended=at,
        lines=raw.count(b"\n") + (not raw.endswith(b"\n")),
    )


def _events(section: Section, at: datetime) -> Iterator[Event]:
    """Yield a section as said, and a mark at its last line, up to which it is cited."""
    heads = "\n".join(f"{'#' * level} {name}" for level, name in enumerate(section.path, 1))
    yield Said(
        at=at,
        line=section.line,
        role="user",
        text="\n\n".join(filter(None, (heads, section.text))),
        kind="document",
        uid=short_hash("section", *section.path, "", section.text, length=16),
    )
    if section.last > section.line:
        yield Mark(at=at, line=section.last, kind="end of section")


def _session_of(path: Path, checkouts: Checkouts) -> str:
    """Return what names a note for good: the same in each clone of its repository."""
    root = checkouts.root_of(path)
    if root is not None:
        place = (checkouts.name_of(root), path.relative_to(root).as_posix())
    else:
        place = ("", "/".join(path.parts[-3:]) if is_memory(path) else path.as_posix())
    return f"{path.name}-{short_hash('note', *place, length=8)}"


def _project_of(path: Path) -> Path | None:
    return project_of(path.parents[1]) if is_memory(path) else root_of(path)
