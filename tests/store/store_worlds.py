"""Made-up records and stores for the tests of the store."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import strategies as st

from scry.model import (
    ENTITY_TYPES,
    ORIGINS,
    STANCES,
    ChangeSet,
    Citation,
    Entity,
    Episode,
    Fact,
    Proposal,
    Record,
    Span,
    Tombstone,
)
from scry.store.git import GitStore
from scry.store.init import init_store
from scry.text import slug_of

MOMENT = datetime(2026, 8, 1, 9, 30, tzinfo=UTC)

NASTY = [
    *"no yes on off y n Y N true False null Null ~ NULL = << ? - : # & * ! | > % @ `".split(" "),
    *"1 1.10 0123 0x1F 0o17 0b1 1e3 1E400 0e12345 .5 5. .inf -.INF .nan +1 -0 1_000 1,000".split(),
    *"12:30 12:30:45 6:00 190:20:30 2026-08-01 2026-8-1 2001-12-14t21:59:43.10-05:00".split(),
    *"--- ... -x ?x :x [a {a ]a }a ,a 'a \"a a: a:b a# #a !!str &a *a %a @a `a a] a} a, ~a".split(),
    "a: b", "a #b", "a:", " a", "a ", "a\nb", "a\tb", "\ta", "a\\b", 'say "hi"', "it's", "''", "\\",
    "2001-12-14 21:59:43.10 -5", "\x85", "\u2028", "\u2029", "\ufeffa", "a\ufeff", "\xa0a", "a\xa0",
    "\x1b[31m", "\x00", "\x7f", "\x9b", "\ufffe", "\uffff", "望遠鏡", "🦊", "👩‍👩‍👧", "Zoë", "e\u0301",
    "§6.4", "#64", "C++", "C#", "null ", "a\r\nb", "a\rb", "- a", "a - b", "key: value", "x" * 3000,
    "/", "./x", "../x", "~/x", "~user", "~", ".", "..", "0", "00", "0.", "1e", "0x", "infinity", "$x",
    "(a)", "a | b", "a > b", "a & b", "a * b", "<<: *a", "{{x}}", "%YAML", "a,b", "0001-01-01",
]  # fmt: skip
"""Text that some reader of YAML takes for something else, or cannot read unquoted."""

TEXT = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=30),
    st.text("ab 0-9:#'\"\\\n\t{}[]|>~", min_size=1, max_size=12),
)
BODY = st.one_of(
    st.just(""),
    st.sampled_from(["---", "a\n---\nb", "---\n---", "# Title\n\n- x\n", "key: value"]),
    st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\r"), max_size=60),
).map(str.strip)
WORD = st.from_regex(r"[a-z][a-z0-9]{0,9}", fullmatch=True)
TIME = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)).map(  # noqa: DTZ001
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)
CITATION = st.builds(
    Citation,
    WORD.map(lambda word: f"2026-08-01-claude-{word}"),
    st.integers(0, 10**9),
    st.none() | TIME,
)
CITATIONS = st.lists(CITATION, max_size=4, unique=True).map(tuple)
TEXTS = st.lists(TEXT, max_size=4, unique=True).map(tuple)


SLUG = TEXT.map(slug_of)
"""What `src` and `dst` of a record are; any other name in a file is read as its slug."""


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    """Draw any fact."""
    literal = draw(st.booleans())
    return Fact(
        id=draw(WORD),
        src=draw(SLUG),
        relation=draw(TEXT),
        dst=None if literal else draw(SLUG),
        value=draw(TEXT | st.just("")) if literal else None,
        qualifier=draw(st.just("") | TEXT),
        fact=draw(BODY),
        valid_from=draw(st.none() | TIME),
        invalid_at=draw(st.none() | TIME),
        superseded_by=draw(st.just("") | TEXT),
        confidence=draw(st.floats(0, 1)),
        stance=draw(st.sampled_from(STANCES)),
        origin=draw(st.sampled_from(ORIGINS)),
        said_src=draw(st.just("") | TEXT),
        said_dst=draw(st.just("") | TEXT),
        said=draw(st.just("") | TEXT),
        supersedes=draw(TEXTS),
        episodes=draw(CITATIONS),
        reason=draw(st.just("") | TEXT),
    )


ENTITY = st.builds(
    Entity,
    slug=TEXT.map(slug_of),
    name=TEXT,
    type=st.sampled_from(ENTITY_TYPES),
    aliases=TEXTS,
    repos=TEXTS,
    description=BODY,
    merged_into=st.just("") | TEXT,
)
EPISODE = st.builds(
    Episode,
    id=WORD,
    source=TEXT,
    session=TEXT,
    span=st.builds(Span, TEXT, st.integers(0, 10**9), st.integers(0, 10**9)),
    sha256=st.just("") | TEXT,
    turns=st.integers(0, 10**6),
    occurred_at=TIME,
    ingested_at=TIME,
    cwd=st.just("") | TEXT,
    repo=st.just("") | TEXT,
    branch=st.just("") | TEXT,
    extractor=TEXT,
    facts=TEXTS,
    mentions=TEXTS,
    declares=TEXTS,
    described=TEXTS,
    refused=TEXTS,
    summary=BODY,
)
PROPOSAL = st.builds(Proposal, entity=TEXT, alias=TEXT, reason=TEXT, episodes=CITATIONS)
TOMBSTONE = st.builds(Tombstone, id=WORD, triple=st.just("") | WORD, when=TIME)
RECORD: st.SearchStrategy[Record] = st.one_of(facts(), ENTITY, EPISODE, PROPOSAL, TOMBSTONE)


def fact(identity: str = "k3v9m2", **changes: object) -> Fact:
    """Return a fact about Hermes."""
    given: dict[str, object] = {
        "id": identity,
        "src": "hermes",
        "relation": "runs_on",
        "dst": "mac-mini",
        "fact": f"Hermes runs on the Mac mini ({identity}).",
        "origin": "user",
        "confidence": 0.9,
        "episodes": (Citation("2026-08-01-claude-7k3m9q", 214),),
    }
    return Fact(**(given | changes))  # type: ignore[arg-type]


def entity(slug: str = "hermes", **changes: object) -> Entity:
    """Return an entity."""
    given = {"slug": slug, "name": slug.title(), "type": "service", "description": "A thing."}
    return Entity(**(given | changes))  # type: ignore[arg-type]


def episode(identity: str = "2026-08-01-claude-7k3m9q", **changes: object) -> Episode:
    """Return an episode."""
    given: dict[str, object] = {
        "id": identity,
        "source": "claude",
        "session": "1f3c9e0a",
        "span": Span("~/t.jsonl", 1, 9),
        "sha256": "9b1d",
        "turns": 3,
        "occurred_at": MOMENT,
        "ingested_at": MOMENT,
        "summary": "Moved Hermes.",
    }
    return Episode(**(given | changes))  # type: ignore[arg-type]


def learn(
    *records: Record, removes: tuple[Record, ...] = (), subject: str = "learn: x"
) -> ChangeSet:
    """Return a change set that writes records."""
    return ChangeSet(subject=subject, writes=records, removes=removes)


def git(path: Path, *args: str, stdin: str | None = None) -> str:
    """Run git as a person would, and return what it prints."""
    done = subprocess.run(
        ["git", "-c", "user.name=Jane", "-c", "user.email=jane@example.org", *args],
        cwd=path,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={k: v for k, v in os.environ.items() if not k.startswith("GIT_") or "CONFIG" in k},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def new_store(path: Path, **options: object) -> GitStore:
    """Return a fresh store in a folder."""
    init_store(path)
    return GitStore(path, clock=lambda: MOMENT, **options)  # type: ignore[arg-type]


def write(store: GitStore, changes: ChangeSet) -> tuple[str, tuple[str, ...]]:
    """Apply a change set on top of where the store stands; return (commit, waiting)."""
    with store.writing():
        applied = store.apply(changes, base=store.head())
    return applied.commit, applied.waiting


def assert_sound(store: GitStore) -> None:
    """See that nothing is broken, nothing left over, and nothing of ours uncommitted."""
    assert git(store.path, "fsck", "--strict", "--no-dangling") == ""
    left = [p.name for p in store.git_folder.rglob("*.lock")]
    left += [p.name for p in (store.local_folder / "tmp").glob("*")]
    assert left == []
    assert not (store.local_folder / "journal").exists()
    assert not list((store.git_folder).glob("fast_import_crash*"))
