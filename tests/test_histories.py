"""What was true then, and what was known then: exact, on a hundred told histories."""

import tempfile
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from faces import Home
from ingesting import stages
from make_records import make_episode
from told_histories import DAY_0, ONE_AT_A_TIME, THINGS, TOOLS, Line, connected, held, tell

from scry.index import Index
from scry.ingest import Ingest
from scry.lookup import facts
from scry.model import Chunk, Citation, Claim, Declared, Extraction
from scry.recall import recall
from scry.route import path
from scry.statement import from_claim
from scry.store.git import GitStore
from scry.store.init import init_store
from scry.store.memory import MemoryStore

NOW = datetime(2026, 12, 1, tzinfo=UTC)
TOLD = [tell(Random(number)) for number in range(100)]


def claim(script: list[Line], line: Line) -> Claim:
    state = line.relation == ONE_AT_A_TIME
    replaced = () if line.replaces is None else (script[line.replaces],)
    return Claim(
        src=line.src,
        relation=line.relation,
        dst=None if state else line.end,
        value=line.end if state else None,
        qualifier=line.where,
        fact=line.sentence,
        confidence=0.9,
        origin="user",
        line=3,
        supersedes=tuple(from_claim(claim(script, old), Citation("x")).id for old in replaced),
    )


def learn(ingest: Ingest, script: list[Line], place: int) -> None:
    """Let one line arrive, as a session of its own on the day that it tells of."""
    line = script[place]
    told = claim(script, line)
    names = [Declared(name=n, type="service") for n in (told.src, told.dst) if n]
    episode = make_episode(place, at=line.at, extractor="pending", summary="")
    found = Extraction(extractor="m", summary="Told.", entities=tuple(names), claims=(told,))
    text = f"[3] user: {line.sentence}"
    ingest.store.keep_evidence({episode.id: text})
    ingest.accept(Chunk(episode=episode, turns=()), found, text)


def moments(random: Random, count: int) -> list[datetime]:
    """Return days of the history, the very moments at which something was said, and beyond."""
    days = [random.randint(-1, 11) for _ in range(count)]
    return [DAY_0 + timedelta(days=d, hours=random.choice([-1, 0, 0, 1])) for d in days]


def assert_exact(index: Index, known: list[Line], when: datetime) -> None:
    """See that all three questions are answered with what held then, and nothing else."""
    true = held(known, when)
    for name in {n for s in known for n in (s.src, s.end) if n in (*THINGS, *TOOLS)}:
        own = {s.sentence for s in known if name in (s.src, s.end) and s.sentence in true}
        found = facts(index, name, now=NOW, as_of=when)
        assert {f.fact for f in found} == own, (known, when, name)
        answered = recall(index, name, now=NOW, as_of=when, limit=500)
        assert {f.fact for f in answered.facts} == own, (known, when, name)


def assert_paths_exact(index: Index, known: list[Line], when: datetime) -> None:
    true = held(known, when)
    names = sorted({n for s in known if s.relation != ONE_AT_A_TIME for n in (s.src, s.end)})
    for start, goal in pairwise(names):
        chain = path(index, start, goal, now=NOW, as_of=when)
        assert (chain is not None) == connected(known, when, start, goal), (known, when)
        assert {fact.fact for fact in chain or ()} <= true


def test_the_histories_tell_of_all_that_matters():
    lines = [line for script in TOLD for line in script]
    assert len(TOLD) == 100
    assert sum(line.replaces is not None for line in lines) > 20
    late = [s for s in TOLD if [line.day for line in s] != sorted(line.day for line in s)]
    assert len(late) > 50
    again = [s for s in TOLD if len({line.sentence for line in s}) < len(s)]
    assert len(again) > 20


@pytest.mark.parametrize("part", range(10))
def test_what_held_at_any_moment_as_known_at_any_commit_is_exact(part):
    for number, script in enumerate(TOLD[part * 10 : part * 10 + 10]):
        random = Random(part * 10 + number)
        ingest = stages(MemoryStore(clock=lambda: NOW))
        for place in range(len(script)):
            learn(ingest, script, place)
            known = script[: place + 1]
            whole = place == len(script) - 1
            index = Index.build(ingest.store.load())
            for when in moments(random, 6 if whole else 1):
                assert_exact(index, known, when)
                assert_paths_exact(index, known, when)


@pytest.mark.parametrize("number", range(0, 100, 10))
def test_as_known_at_a_commit_is_exact_on_real_git(number):
    script, random = TOLD[number], Random(number)
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home.store.parent.mkdir(parents=True)
        init_store(home.store)
        store = GitStore(home.store, clock=lambda: NOW)
        ingest, commits = stages(store), [store.head()]
        for place in range(len(script)):
            learn(ingest, script, place)
            commits.append(store.head())
        for place, commit in enumerate(commits):
            index = Index.build(store.load_at(commit))
            for when in moments(random, 2):
                assert_exact(index, script[:place], when)
        place, (when,) = random.randrange(1, len(commits)), moments(random, 1)
        assert_asked(home, script[:place], when, commits[place])


def assert_asked(home: Home, known: list[Line], when: datetime, commit: str) -> None:
    """Ask as a person would, on the command line."""
    flags = ("--as-of", when.isoformat(), "--as-known", commit)
    name = known[-1].src
    own = {
        s
        for s in held(known, when)
        if any(s == t.sentence and name in (t.src, t.end) for t in known)
    }
    assert {f["fact"] for f in home.call("facts", name, *flags)["facts"]} == own
    code, out, _ = home.run("recall", name, *flags, "--limit", "500", "--json")
    assert code in (0, 1)
    assert all(sentence in out for sentence in own)
    ended = {line.sentence for line in known} - held(known, when)
    assert not any(sentence in out for sentence in ended)
