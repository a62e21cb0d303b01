"""The first two laws with large numbers, on a store in memory: nothing is lost, order is nothing.

A few of each here; with SCRY_THOROUGH=1 a thousand orders and ten thousand sequences.
"""

import os
from dataclasses import replace
from datetime import timedelta
from random import Random

from ingesting import NOW, stages
from resolve.worlds import NAMES, START, VALUES, episode

from scry.ingest import Ingest
from scry.model import REMEMBERED, Chunk, Citation, Claim, Declared, Extraction, Snapshot, Tombstone
from scry.resolve import Answer
from scry.statement import from_claim
from scry.store.codec import encode
from scry.store.memory import MemoryStore
from scry.store.paths import path_of
from scry.text import fold

THOROUGH = bool(os.environ.get("SCRY_THOROUGH"))
ORDERS, SEQUENCES = (1_000, 10_000) if THOROUGH else (60, 40)
RELATIONS = ["status", "status", "replaced_by", "uses", "runs_on"]
ALIASES = ["the bot", "relay", "mini", "the Hermes agent", "gateway"]
ORIGINS = ["user", "user", "assistant", "rules", "document"]


def made_up(random: Random, number: int, about: list[str]) -> Answer:
    """Return an episode about a few names, with a reply that says this and that about them."""
    names = random.sample(NAMES, random.randint(4, 8))
    extractor = random.choice(["model", "model", "rules", REMEMBERED])
    claims = tuple(_claim(random, about) for _ in range(random.randint(0, 4)))
    if extractor == REMEMBERED:
        claims = tuple(replace(c, origin="person", held="", stance="asserted") for c in claims)
    entities = tuple(
        Declared(
            name=name,
            type=random.choice(["service", "tool"]),
            description=random.choice(["", "A thing.", "Another."]),
            aliases=tuple(random.sample(ALIASES, random.choice([0, 0, 0, 0, 1, 1, 2]))),
        )
        for name in names
    )
    found = Extraction(
        extractor=extractor,
        summary=f"Episode {number}.",
        entities=entities,
        claims=claims,
    )
    named = [name for name in (*NAMES, *ALIASES) if random.random() < 0.9]
    text = "We spoke of " + " , ".join(named)
    return Answer(episode(number, random.randint(0, 6)), found, text)


def _claim(random: Random, about: list[str]) -> Claim:
    src, relation = random.choice(about), random.choice(RELATIONS)
    literal = relation == "status" or random.random() < 0.2
    end = random.choice(VALUES if literal else about)
    return Claim(
        src=src,
        relation=relation,
        dst=None if literal else end,
        value=end if literal else None,
        qualifier=random.choice(["", "", "production"]),
        fact=f"{src} {relation} {end}{random.choice(['', ' now', ' indeed'])}.",
        at=random.choice([None, None, START, START + timedelta(days=2)]),
        confidence=random.choice([0.4, 0.9]),
        stance=random.choice(["asserted", "asserted", "asserted", "planned", "denied"]),
        origin=random.choice(ORIGINS),
        line=random.randint(1, 5),
        held=random.choice([*[""] * 9, "it reads like an order"]),
    )


def made_up_world(random: Random, most: int) -> tuple[list[Answer], list[Tombstone]]:
    """Return answers, some of which supersede others, and what somebody had forgotten before."""
    about = random.sample(NAMES, 3)
    world = [made_up(random, number, about) for number in range(random.randint(2, most))]
    everything = [claim for answer in world for claim in answer.extraction.claims]
    said = [from_claim(claim, Citation("x")) for claim in everything]
    for place, answer in enumerate(world):
        claims = tuple(
            replace(claim, supersedes=(random.choice(said).id,)) if random.random() < 0.2 else claim
            for claim in answer.extraction.claims
        )
        found = replace(answer.extraction, claims=claims)
        world[place] = replace(answer, extraction=found)
    gone = random.sample(said, min(len(said), random.choice([0, 0, 1, 2])))
    return world, [Tombstone(id=s.id, triple=s.triple, when=NOW) for s in gone]


def taught(world: list[Answer], stones: list[Tombstone]) -> Ingest:
    """Return the write stages of a store in memory that has learned some answers in turn."""
    store = MemoryStore(Snapshot(records=tuple(stones)), clock=lambda: NOW)
    store.keep_evidence({answer.episode.id: answer.text for answer in world})
    ingest = stages(store)
    for answer in world:
        ingest.accept(Chunk(episode=answer.episode, turns=()), answer.extraction, answer.text)
    return ingest


def tree(ingest: Ingest) -> dict[str, bytes]:
    """Return every file of a store."""
    return {path_of(record): encode(record) for record in ingest.store.load().records}


def test_any_order_of_the_same_episodes_gives_the_same_bytes():
    random = Random(2003)
    seen = dict.fromkeys(("facts", "review", "forgotten", "entities", "ended", "aliases"), 0)
    for _ in range(ORDERS // 2):
        world, stones = made_up_world(random, 7)
        first = tree(taught(world, stones))
        for path, text in first.items():
            seen |= {path.split("/")[0]: seen.get(path.split("/")[0], 0) + 1}
            seen["ended"] += b"\ninvalid_at" in text
            seen["aliases"] += b"\naliases" in text
        for _ in range(2):
            shuffled = random.sample(world, len(world))
            assert tree(taught(shuffled, stones)) == first, (world, shuffled, stones)
    assert all(seen.values()), seen


def test_every_distinct_sentence_stays_readable_whatever_comes_after_it():
    random = Random(20_261_202)
    for _ in range(SEQUENCES):
        world, stones = made_up_world(random, 5)
        again = [random.choice(world) for _ in range(random.randint(0, 3))]
        part = [_begun(random, answer) for answer in random.sample(world, random.randint(0, 2))]
        index = taught([*part, *random.sample(world, len(world)), *again], stones).index
        kept = {fold(f.fact) for f in (*index.facts.values(), *index.waiting.values())}
        gone = {stone.id for stone in stones}
        said = [c for answer in world for c in answer.extraction.claims]
        said = [c for c in said if from_claim(c, Citation("x")).id not in gone]
        assert {fold(c.fact) for c in said} <= kept, (world, stones)


def _begun(random: Random, answer: Answer) -> Answer:
    """Return an episode as it was when less had been said."""
    claims = answer.extraction.claims
    found = replace(answer.extraction, claims=claims[: random.randint(0, len(claims))])
    begun = replace(answer.episode, turns=1)
    return replace(answer, episode=begun, extraction=found)
