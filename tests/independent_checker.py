"""Is a store's folder sound?  Asked of the files alone, by a reader that shares no code with Scry.

    faults(Path("store")) -> ["dangling facts/he/hermes/uses--redis--b1.md: no entity redis"]

Front matter is read with python-frontmatter, names are compared by rules written down here once
more, from `docs/format.md`.  Each line begins with the kind of fault.
"""

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from independent_pages import FOLDERS, Page, Shelf, normal

KINDS = (
    "unreadable hollow dangling self-looping stolen-alias contested backwards misplaced twins"
    " dirty tracked unreasoned undead lost"
).split()

_TYPES = set("project service machine tool person decision runbook concept".split())
_ONE_AT_A_TIME = ("status", "replaced_by")
_ROOT_FILES = {"README.md", ".gitattributes", ".gitignore"}
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*\Z")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)")


def faults(store: Path) -> list[str]:
    """Return one line for each fault, sorted; none for a store that is sound."""
    shelf = Shelf(store)
    found = [*shelf.faults]
    for look in (_hollow, _dangling, _loops, _aliases, _slots, _intervals, _places, _twins):
        found += look(shelf)
    for look in (_reasons, _undead, _lost):
        found += look(shelf)
    return sorted({*found, *_tracked(store)})


def _hollow(shelf: Shelf) -> Iterator[str]:
    for page in (*shelf.facts, *shelf.waiting):
        if not page.body:
            yield f"hollow {page.path}: no sentence"
        for key in ("src", "relation"):
            if not page.text(key):
                yield f"hollow {page.path}: no {key}"
        if ("dst" in page.keys) == ("value" in page.keys):
            yield f"hollow {page.path}: neither or both of dst and value"
        person = page.text("origin") in ("", "person")
        counted = {e for e in page.cited if e not in shelf.episodes or not shelf.episodes[e].undone}
        if not person and not counted:
            yield f"hollow {page.path}: nobody says so"
    for page in shelf.entities.values():
        if not page.text("name") or page.text("type") not in _TYPES:
            yield f"hollow {page.path}: no name or no type"


def _dangling(shelf: Shelf) -> Iterator[str]:
    for page in shelf.facts:
        for end in filter(None, (page.text("src"), page.text("dst"))):
            if not shelf.final(end):
                yield f"dangling {page.path}: no entity {end}"
    ids = {p.id for p in (*shelf.facts, *shelf.waiting)} | shelf.stones.keys()
    for page in (*shelf.facts, *shelf.waiting):
        for episode in page.cited - shelf.episodes.keys() - shelf.stones.keys():
            yield f"dangling {page.path}: no episode {episode}"
        heir = page.text("superseded_by")
        if heir and heir not in ids:
            yield f"dangling {page.path}: no fact {heir}"
    for page in shelf.entities.values():
        if page.text("merged_into") and not shelf.final(page.stem):
            yield f"dangling {page.path}: its redirect leads nowhere"


def _loops(shelf: Shelf) -> Iterator[str]:
    for page in shelf.facts:
        src, dst = page.text("src"), page.text("dst")
        merged = page.text("origin") not in ("", "person") and shelf.final(src) == shelf.final(dst)
        if dst and (src == dst or merged):
            yield f"self-looping {page.path}: {src} to itself"


def _aliases(shelf: Shelf) -> Iterator[str]:
    standing = [p for p in shelf.entities.values() if not p.text("merged_into")]
    bearers: dict[str, set[str]] = defaultdict(set)
    claims: dict[str, set[str]] = defaultdict(set)
    for page in standing:
        bearers[normal(page.text("name"))].add(page.stem)
        for alias in page.items("aliases"):
            claims[normal(alias)].add(page.stem)
    for name, slugs in bearers.items():
        if len(slugs) > 1:
            yield f"stolen-alias {name!r} is the name of {sorted(slugs)}"
    for alias, slugs in claims.items():
        if others := bearers.get(alias, set()) - slugs or (len(slugs) > 1 and slugs):
            yield f"stolen-alias {alias!r} of {sorted(slugs)} belongs to {sorted(others)}"


def _slots(shelf: Shelf) -> Iterator[str]:
    slots: dict[tuple[str, str, str], list[Page]] = defaultdict(list)
    for page in shelf.facts:
        current = not page.text("invalid_at") and page.text("stance") in ("", "asserted")
        if page.text("relation") in _ONE_AT_A_TIME and current:
            slot = shelf.final(page.text("src")), page.text("relation"), page.text("qualifier")
            slots[slot[0], slot[1], slot[2].casefold()].append(page)
    for slot, pages in slots.items():
        said: dict[str, datetime | None] = {}
        for page in pages:
            end = shelf.final(page.text("dst")) or " ".join(page.text("value").split()).casefold()
            dates = [d for d in (said.get(end), _last_said(shelf, page)) if d]
            said[end] = max(dates, default=None)
        if len(set(said.values())) > 1:
            yield f"contested {slot}: {[p.path for p in pages]} all hold"


def _last_said(shelf: Shelf, page: Page) -> datetime | None:
    """Return when a fact was last said; since when it holds if no citation tells."""
    dates = []
    for item in page.items("episodes"):
        cited, _, own = item.partition("@")
        episode = shelf.episodes.get(cited.split(":")[0])
        dates.append(_moment(own or (episode.text("occurred_at") if episode else "")))
    return max(filter(None, dates), default=_moment(page.text("valid_from")))


def _intervals(shelf: Shelf) -> Iterator[str]:
    for page in (*shelf.facts, *shelf.waiting):
        begin, end = _moment(page.text("valid_from")), _moment(page.text("invalid_at"))
        if begin and end and end <= begin:
            yield f"backwards {page.path}: {end} is not after {begin}"


def _moment(text: str) -> datetime | None:
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _places(shelf: Shelf) -> Iterator[str]:
    for page in shelf.pages:
        parts = page.path.removesuffix(".md").split("/")
        if any(not _NAME.match(p) or _RESERVED.match(p) or p.endswith(".") for p in parts):
            yield f"misplaced {page.path}: not safe on every system"
        if any(len(part) > 100 for part in page.path.split("/")):
            yield f"misplaced {page.path}: too long"
        if tuple(parts[1:-1]) != _home(page):
            yield f"misplaced {page.path}: belongs into {'/'.join(_home(page))}"


def _home(page: Page) -> tuple[str, ...]:
    """Return the folders in which a file belongs, below the one that says what it is."""
    if page.folder == "episodes":
        return tuple(page.text("occurred_at")[:7].split("-"))
    if page.folder in ("entities", "forgotten"):
        return (page.stem[:2].rstrip("."),)
    slug = page.text("src") or page.text("entity")
    return slug[:2].rstrip("."), slug


def _twins(shelf: Shelf) -> Iterator[str]:
    seen: dict[tuple[str, str], str] = {}
    for page in shelf.pages:
        aliases = page.folder == "review" and page.text("type") != "fact"
        kind = "fact" if page.folder in ("facts", "review") and not aliases else page.folder
        key = (kind, page.path.casefold() if aliases else page.id if kind == "fact" else page.stem)
        if key in seen:
            yield f"twins {page.path}: the same as {seen[key]}"
        seen[key] = page.path


def _reasons(shelf: Shelf) -> Iterator[str]:
    for page in shelf.facts:
        if "reason" in page.keys:
            yield f"unreasoned {page.path}: a fact that still waits"
    for page in shelf.review:
        if not page.text("reason"):
            yield f"unreasoned {page.path}: waits for no reason"


def _undead(shelf: Shelf) -> Iterator[str]:
    for page in (*shelf.facts, *shelf.waiting):
        if page.id in shelf.stones:
            yield f"undead {page.path}: it was forgotten"
    for page in shelf.stones.values():
        if page.text("id") != page.stem or page.body:
            yield f"undead {page.path}: a tombstone holds an id and no text"


def _lost(shelf: Shelf) -> Iterator[str]:
    ids = {p.id for p in (*shelf.facts, *shelf.waiting)} | shelf.stones.keys()
    for page in shelf.episodes.values():
        for fact in set(page.items("facts")) - ids:
            if not page.undone:
                yield f"lost {page.path}: its fact {fact} is nowhere"


def _tracked(store: Path) -> Iterator[str]:
    if not (store / ".git").is_dir():
        return
    done = subprocess.run(
        ["git", "-C", str(store), "ls-tree", "-r", "-z", "--name-only", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
    )
    for path in filter(None, done.stdout.split("\0")):
        if path not in _ROOT_FILES and path.split("/", 1)[0] not in FOLDERS:
            yield f"tracked {path}: is no record"
