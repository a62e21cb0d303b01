"""Anything in any order: machines that learn, people that edit, repairs and reverts.

After each step an independent checker finds nothing, `scry check` finds no error, and no sentence
is gone that no person has taken out.
"""

import os
import re
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from faces import Home
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from independent_checker import faults
from independent_pages import Page, Shelf, sentences
from plain_speech import Speech, statements, write_session

from scry.app import App
from scry.check import check
from scry.store.init import init_store
from scry.store.tree import FileReader

THOROUGH = bool(os.environ.get("SCRY_THOROUGH"))
START = datetime(2026, 3, 1, 9, tzinfo=UTC)
NAMES = ["Hermes", "Talos", "mini", "db1", "C++", "relay", "望遠鏡"]
ALIASES = ["the bot", "gateway", "relay", "Hermes agent"]
ONE_AT_A_TIME = ("status", "replaced_by")
VALUES = ["live", "paused", "1.4"]

name, alias = st.sampled_from(NAMES), st.sampled_from(ALIASES)
pick = st.integers(0, 10**6)


@st.composite
def saying(draw: st.DrawFn) -> str:
    """Draw what somebody says, but for the number that makes it a sentence of its own."""
    if draw(st.integers(0, 7)) == 0:
        return f"«{draw(name)}» aka «{draw(alias)}»."
    relation = draw(st.sampled_from(["status", "status", "replaced_by", "uses", "runs_on"]))
    src = draw(name)
    end = f"={draw(st.sampled_from(VALUES))}"
    if relation != "status":
        end = f"«{draw(name.filter(lambda other: other != src))}»"
    where = draw(st.sampled_from(["", "", " in production"]))
    when = draw(st.sampled_from(["", "", " on 2026-03-02", " on 2026-02-20"]))
    return f"«{src}» {relation} {end}{where}{when}, as noted {draw(st.integers(1, 4))}."


turns = st.lists(st.lists(saying(), min_size=1, max_size=3).map(" ".join), min_size=1, max_size=4)


class Anything(RuleBasedStateMachine):
    """One person's home: sessions, a store, and what they do with both."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(App, "extractor", lambda *_: Speech())
        self.folder = Path(tempfile.mkdtemp())
        self.home = Home(self.folder / "home")
        self.home.store.parent.mkdir(parents=True)
        init_store(self.home.store)
        self.sessions: dict[Path, tuple[list[str], datetime]] = {}
        self.held: set[str] = set()
        self.gone: set[str] = set()
        self.mine: set[str] = set()
        self.owed = False
        self.taken = False
        self.steps: list[str] = []

    # --- what machines do -----------------------------------------------------------------------

    @initialize(one=turns, other=turns)
    def begin(self, one: list[str], other: list[str]) -> None:
        self.ingest(one, 1)
        self.ingest(other, 3)

    @rule(said=turns, day=st.integers(0, 6))
    def ingest(self, said: list[str], day: int) -> None:
        session = f"5e5510{len(self.sessions):02d}-0000-4000-8000-000000000000"
        path = self.folder / "home" / ".claude" / "projects" / "-w-hermes" / f"{session}.jsonl"
        self._speak(path, said, START + timedelta(days=day))

    @precondition(lambda self: self.sessions)
    @rule(said=turns, which=pick)
    def grow(self, said: list[str], which: int) -> None:
        path = self._one(sorted(self.sessions), which)
        before, start = self.sessions[path]
        self._speak(path, [*before, *said], start)

    def _speak(self, path: Path, said: list[str], start: datetime) -> None:
        self.sessions[path] = (said, start)
        write_session(path, path.stem, said, start)
        self.scry("ingest", path)
        undone = [e for e in Shelf(self.home.store).episodes.values() if e.undone]
        if all(page.text("session") != path.stem for page in undone):
            missing = statements(" ".join(said)) - sentences(self.home.store) - self.gone
            assert not missing, (missing, self.steps)

    @precondition(lambda self: self.sessions)
    @rule(which=pick)
    def ingest_again(self, which: int) -> None:
        self.scry("ingest", self._one(sorted(self.sessions), which))
        self._changes_nothing("ingest", self._one(sorted(self.sessions), which))

    @rule()
    def sweep(self) -> None:
        self.scry("sweep")
        self._changes_nothing("sweep")

    def _changes_nothing(self, *arguments: object) -> None:
        head = self.home.git("rev-parse", "HEAD")
        self.scry(*arguments)
        assert self.home.git("rev-parse", "HEAD") == head

    # --- what people ask for --------------------------------------------------------------------

    @rule(
        src=name,
        end=st.sampled_from(["Vault", "Kiosk"]),
        relation=st.sampled_from(["uses", "status"]),
        number=pick,
    )
    def remember(self, src: str, end: str, relation: str, number: int) -> None:
        where = ("--value", "live") if relation == "status" else ("--dst", end)
        text = f"I say {src} {relation} {where[1]}, {number}."
        self.scry("remember", text, "--entity", src, "--relation", relation, *where)
        assert text.casefold() in sentences(self.home.store)

    @rule(which=pick)
    def undo(self, which: int) -> None:
        if episodes := sorted(Shelf(self.home.store).episodes):
            self.take("undo", self._one(episodes, which))

    @rule(which=pick)
    def forget(self, which: int) -> None:
        if facts := self._facts():
            self.take("forget", self._one(facts, which).id)

    @rule(which=pick, day=st.integers(0, 9))
    def end(self, which: int, day: int) -> None:
        if facts := [f for f in self._many() if not f.text("invalid_at")]:
            self.scry("end", self._one(facts, which).id, "--at", f"2026-03-{day + 1:02d}")

    @rule(loser=name, winner=name)
    def merge(self, loser: str, winner: str) -> None:
        self.scry("merge", loser, winner)

    @rule(one=name)
    def split(self, one: str) -> None:
        self.scry("split", one)

    @rule(one=name, other=alias, verb=st.sampled_from(["--add", "--reject"]))
    def alias(self, one: str, other: str, verb: str) -> None:
        self.scry("alias", one, verb, other)

    @rule(one=name, kind=st.sampled_from(["machine", "tool"]))
    def retype(self, one: str, kind: str) -> None:
        self.scry("retype", one, kind)

    @rule(one=name, number=st.integers(1, 3))
    def rename(self, one: str, number: int) -> None:
        self.scry("rename", one, f"Prime {number}")

    @rule(which=pick, verb=st.sampled_from(["--accept", "--reject"]))
    def review(self, which: int, verb: str) -> None:
        if waiting := self._facts("review"):
            self.take("review", verb, self._one(waiting, which).id)

    # --- what people do in an editor ------------------------------------------------------------

    @rule(which=pick, number=pick, commit=st.booleans())
    def edit_a_sentence(self, which: int, number: int, commit: bool) -> None:  # noqa: FBT001
        if facts := self._many():
            page = self._one(facts, which)
            self._rewrite(page, page.body, f"In my words: {number}.", commit=commit)

    @rule(which=pick, day=st.integers(1, 28), commit=st.booleans())
    def edit_a_date(self, which: int, day: int, commit: bool) -> None:  # noqa: FBT001
        if facts := [f for f in self._many() if not f.text("invalid_at")]:
            page = self._one(facts, which)
            old = f"valid_from: {page.text('valid_from')}"
            new = f"valid_from: 2026-01-{day:02d}T00:00:00Z"
            self._rewrite(page, old, new, commit=commit)

    @rule(which=pick, kind=st.sampled_from(["machine", "tool"]), commit=st.booleans())
    def edit_a_type(self, which: int, kind: str, commit: bool) -> None:  # noqa: FBT001
        if entities := self._entities():
            page = self._one(entities, which)
            self._rewrite(page, f"type: {page.text('type')}", f"type: {kind}", commit=commit)

    @rule(which=pick, number=st.integers(1, 4), commit=st.booleans())
    def edit_an_alias(self, which: int, number: int, commit: bool) -> None:  # noqa: FBT001
        if entities := [e for e in self._entities() if "aliases" not in e.keys]:
            page = self._one(entities, which)
            new = f"name: {page.text('name')}\naliases:\n- mine {page.id[:3]} {number}"
            self._rewrite(page, f"name: {page.text('name')}", new, commit=commit)

    @rule(which=pick, commit=st.booleans())
    def delete(self, which: int, commit: bool) -> None:  # noqa: FBT001
        if facts := self._facts():
            path = self.home.store / self._one(facts, which).path
            self.taken = True
            self.steps.append(f"delete {path}, commit={commit}")
            path.unlink()
            self._save(commit=commit)
            self.scry("sweep")

    @rule(src=name, number=st.integers(1, 99), commit=st.booleans())
    def write_a_file(self, src: str, number: int, commit: bool) -> None:  # noqa: FBT001
        slugs = [e for e in self._entities() if e.text("name") == src]
        for page in slugs[:1]:
            folder = self.home.store / "facts" / page.stem[:2].rstrip(".") / page.stem
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"uses--x--mine{NAMES.index(src)}{number}.md").write_text(
                f"---\ntype: fact\nsrc: {page.stem}\nrelation: uses\nvalue: x\n---\nI say {number}.\n"
            )
            self._save(commit=commit)

    @rule(which=pick)
    def accept_by_moving(self, which: int) -> None:
        known = Shelf(self.home.store)
        ready = [
            page
            for page in self._many("review")
            if known.final(page.text("src")) and known.final(page.text("dst") or page.text("src"))
            if known.final(page.text("src")) != known.final(page.text("dst"))
        ]
        if ready:
            page = self._one(ready, which)
            target = self.home.store / page.path.replace("review/", "facts/", 1)
            target.parent.mkdir(parents=True, exist_ok=True)
            self.steps.append(f"move {page.path}")
            (self.home.store / page.path).rename(target)
            target.write_text(re.sub(r"(?m)^reason: .*\n", "", target.read_text()))
            self._save(commit=True)
            self.scry("check", "--fix")

    @rule()
    def commit_by_hand(self) -> None:
        self._save(commit=True)

    @rule(which=pick)
    def revert(self, which: int) -> None:
        self._save(commit=True)
        self.scry("sweep")
        made = [
            line.split(" ", 1)[0]
            for line in self.home.git("log", "--format=%H %s").splitlines()
            if not line.split(" ", 1)[1].startswith(("Revert", "by hand", "init"))
        ]
        if made:
            self.taken = True
            self._revert(self._one(made, which))

    def _revert(self, commit: str) -> None:
        """Revert a commit; where later ones need it, `scry check` says so, and it is put back."""
        before = self.home.git("rev-parse", "HEAD").strip()
        try:
            done = self.home.git(*PERSON, "revert", "--no-edit", commit)
        except subprocess.CalledProcessError:  # A conflict, or nothing left to revert.
            self.home.git("reset", "-q", "--hard")
            self.home.git("revert", "--quit")
            return
        self.steps.append(done.splitlines()[0])
        self.scry("sweep")
        if found := faults(self.home.store):
            # Ends are computed when something is said; until then a slot stays as git left it.
            stale = ("contested", "dangling facts")
            code, out, _ = self.home.run("check")
            assert code == 1 or all(f.startswith(stale) for f in found), (found, out, self.steps)
            self.steps.append("reset")
            self.home.git("reset", "-q", "--hard", before)

    # --- how it is done -------------------------------------------------------------------------

    def scry(self, *arguments: object) -> str:
        """Run a command: done, or refused for a reason that is said."""
        self.steps.append(" ".join(map(str, arguments)))
        code, out, err = self.home.run(*arguments)
        assert code in (0, 1, 2, 50), f"{arguments}: exit {code}: {out}{err}"
        assert "Traceback" not in out + err
        return out

    def take(self, *arguments: object) -> None:
        """Run a command that may take sentences away, from a file in hand once it is committed."""
        self.taken = True
        self.owed = self.owed or bool(self.home.git("status", "--porcelain"))
        self.scry(*arguments)

    def _one(self, things: list, which: int):
        return things[which % len(things)]

    def _facts(self, *folders: str) -> list[Page]:
        shelf = Shelf(self.home.store)
        return [p for p in (*shelf.facts, *shelf.waiting) if not folders or p.folder in folders]

    def _many(self, folder: str = "facts") -> list[Page]:
        """Return facts of relations that may hold many at a time."""
        return [f for f in self._facts(folder) if f.text("relation") not in ONE_AT_A_TIME]

    def _entities(self) -> list[Page]:
        return [*Shelf(self.home.store).entities.values()]

    def _rewrite(self, page: Page, old: str, new: str, *, commit: bool) -> None:
        path = self.home.store / page.path
        self.taken = True
        self.mine.add(page.id)
        self.steps.append(f"edit {page.path}: {new}, commit={commit}")
        path.write_text(path.read_text().replace(old, new, 1))
        self._save(commit=commit)

    def _save(self, *, commit: bool) -> None:
        if commit and self.home.git("status", "--porcelain"):
            self.steps.append("commit by hand")
            self.taken, self.owed = self.taken or self.owed, False
            self.home.git("add", "-A")
            self.home.git(*PERSON, "commit", "-qm", "by hand")
            self.scry("sweep")

    # --- what holds after each step -------------------------------------------------------------

    @invariant()
    def the_independent_checker_finds_nothing(self) -> None:
        # A file that a person has in hand is left alone, and settled once it is committed.
        rows = self.home.git("status", "--porcelain", "-z", "-uall").split("\0")
        dirty = [Path(row[3:]).stem.rpartition("--")[2] for row in rows if row]
        found = [f for f in faults(self.home.store) if not any(one in f for one in dirty)]
        # What a person has written stays, also where a merge makes one thing of its two ends.
        own = [f for f in found if f.startswith("self-looping") and any(i in f for i in self.mine)]
        found = [f for f in found if f not in own]
        assert not found, (found, self.steps)

    @invariant()
    def scry_check_finds_no_error(self) -> None:
        found = check(
            FileReader(self.home.store).load(),
            has_evidence=lambda _: True,
            has_transcript=lambda _: True,
        )
        assert not [f for f in found if f.level == "error"], self.steps

    @invariant()
    def no_sentence_goes_unless_a_person_takes_it(self) -> None:
        there = sentences(self.home.store)
        assert self.taken or self.held <= there, (self.held - there, self.steps)
        self.gone |= self.held - there
        self.held, self.taken = there, False

    def teardown(self) -> None:
        self.home.git("fsck", "--strict", "--no-dangling")
        self.patch.undo()
        shutil.rmtree(self.folder)


PERSON = ("-c", "user.name=Jane", "-c", "user.email=jane@example.org")
TestAnything = Anything.TestCase
TestAnything.settings = settings(
    max_examples=200 if THOROUGH else 16,
    stateful_step_count=30 if THOROUGH else 15,
    deadline=None,
    derandomize=not THOROUGH,
    suppress_health_check=list(HealthCheck),
)
