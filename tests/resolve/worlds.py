"""Small made-up worlds: episodes with what an extractor said about them, for property tests."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from scry.index import Index
from scry.model import Claim, Declared, Episode, Extraction, Record, Span
from scry.resolve import Answer, resolve
from scry.store.paths import path_of

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
NAMES = ["Hermes", "the Hermes agent", "Talos", "mini", "db1", "C", "C++", "望遠鏡"]
RELATIONS = ["runs_on", "uses", "status", "replaced_by"]
VALUES = ["live", "paused", "1.4"]
ALIASES = ["Hermes", "the bot", "relay", "mini", "the Hermes agent"]


def episode(number: int, day: int) -> Episode:
    """Return an episode of its own session."""
    return Episode(
        id=f"2026-03-{day + 1:02d}-claude-e{number:07d}",
        source="claude",
        session=f"s{number}",
        span=Span("~/t.jsonl", 1, 9),
        sha256="0" * 64,
        turns=3,
        occurred_at=START + timedelta(days=day),
        ingested_at=START + timedelta(days=90, seconds=number),
        repo="github.com/jane/hermes",
    )


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    """Draw a claim about a few names."""
    literal = draw(st.booleans())
    src = draw(st.sampled_from(NAMES))
    relation = draw(st.sampled_from(RELATIONS))
    end = draw(st.sampled_from(VALUES if literal else NAMES))
    words = draw(st.sampled_from(["", " now", " indeed"]))
    return Claim(
        src=src,
        relation=relation,
        dst=None if literal else end,
        value=end if literal else None,
        qualifier=draw(st.sampled_from(["", "", "production"])),
        fact=f"{src} {relation} {end}{words}.",
        at=draw(st.sampled_from([None, None, START + timedelta(days=2), START])),
        confidence=draw(st.sampled_from([0.4, 0.9])),
        stance=draw(st.sampled_from(["asserted", "asserted", "asserted", "planned"])),
        origin=draw(st.sampled_from(["user", "assistant", "rules", "document"])),
        line=draw(st.integers(1, 5)),
    )


@st.composite
def answers(draw: st.DrawFn, number: int) -> Answer:
    """Draw one episode's answer; the text names some of the names only."""
    day = draw(st.integers(0, 6))
    names = draw(st.lists(st.sampled_from(NAMES), max_size=4, unique=True))
    entities = tuple(
        Declared(
            name=name,
            type=draw(st.sampled_from(["service", "tool"])),
            description=draw(st.sampled_from(["", "A thing.", "Another."])),
            aliases=tuple(draw(st.lists(st.sampled_from(ALIASES), max_size=2, unique=True))),
        )
        for name in names
    )
    extraction = Extraction(
        extractor=draw(st.sampled_from(["model", "rules"])),
        summary=f"Episode {number}.",
        entities=entities,
        claims=tuple(draw(st.lists(claims(), max_size=4))),
    )
    named = draw(st.lists(st.sampled_from([*NAMES, *ALIASES]), max_size=9, unique=True))
    return Answer(episode(number, day), extraction, "We spoke of " + " , ".join(named))


@st.composite
def worlds(draw: st.DrawFn, largest: int = 5) -> list[Answer]:
    """Draw a few answers with different episodes."""
    return [draw(answers(number)) for number in range(draw(st.integers(1, largest)))]


def supersede(world: list[Answer], picks: list[tuple[int, int]]) -> list[Answer]:
    """Let some claims name the fact that another claim of the world makes as replaced."""
    from dataclasses import replace

    from scry.model import Citation
    from scry.statement import from_claim

    flat = [c for a in world for c in (a.extraction.claims if a.extraction else ())]
    if not flat:
        return world
    targets = {a % len(flat): from_claim(flat[b % len(flat)], Citation("x")).id for a, b in picks}
    out, position = [], 0
    for answer in world:
        assert answer.extraction is not None
        changed = []
        for claim in answer.extraction.claims:
            target = targets.get(position)
            changed.append(replace(claim, supersedes=(target,)) if target else claim)
            position += 1
        extraction = replace(answer.extraction, claims=tuple(changed))
        out.append(replace(answer, extraction=extraction))
    return out


def learn(world: list[Answer]) -> Index:
    """Resolve answers one after the other into an empty store."""
    index = Index()
    texts = {answer.episode.id: answer.text for answer in world}
    seen: dict[str, str] = {}
    for answer in world:
        seen[answer.episode.id] = texts[answer.episode.id]
        changes = resolve(index, answer, lambda i: seen.get(i, ""))
        for record in changes.writes:
            index.put(replace(record, path=path_of(record)))
    return index


def records(index: Index) -> dict[str, Record]:
    """Return everything that an index holds, by kind and key."""
    out: dict[str, Record] = {f"entity {k}": v for k, v in index.entities.items()}
    out |= {f"fact {k}": v for k, v in index.facts.items()}
    out |= {f"waiting {k}": v for k, v in index.waiting.items()}
    out |= {f"episode {k}": v for k, v in index.episodes.items()}
    out |= {f"proposal {k}": v for k, v in index.proposals.items()}
    return out


def differences(a: Index, b: Index) -> list[str]:
    """Return one line for each record that two indexes do not share."""
    from dataclasses import fields

    left, right = records(a), records(b)
    out = []
    for key in sorted(left.keys() | right.keys()):
        x, y = left.get(key), right.get(key)
        if x is not None and y is not None:
            names = [f.name for f in fields(x) if getattr(x, f.name) != getattr(y, f.name, None)]
            out += [f"{key}.{n}: {getattr(x, n)!r} != {getattr(y, n)!r}" for n in names]
        elif x != y:
            out.append(f"{key}: {x} != {y}")
    return out
