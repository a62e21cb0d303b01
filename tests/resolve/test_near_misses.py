"""Sixty pairs of names that are nearly the same: none becomes one thing by itself."""

import pytest
from ingesting import NOW, stages
from make_records import day, make_episode

from scry.index import Index
from scry.lookup import facts
from scry.model import Chunk, Claim, Declared, Extraction
from scry.recall import recall
from scry.render import recollection_json
from scry.store.memory import MemoryStore

PAIRS = [
    # Signs that belong to a name.
    *[("C", "C++"), ("C", "C#"), ("C++", "C#"), ("F", "F#"), ("A*", "A"), ("g++", "g")],
    *[(".NET", "NET"), ("Node.js", "Node"), ("Vue.js", "Vue"), ("Node.js", "Node js")],
    # Versions and numbers.
    *[("v1", "v2"), ("v1.2", "v12"), ("Hermes 2", "Hermes 3"), ("Python 3.1", "Python 3.11")],
    *[("db1", "db2"), ("db1", "db11"), ("db1", "db01"), ("db1", "db 1"), ("node-7", "node-17")],
    *[("Qwen3.8-27B", "Qwen38-27B"), ("gpt-4", "gpt-4o"), ("m1", "M1 Max"), ("10.0.0.1", "10.0.0.10")],
    # One name within another.
    *[("hermes", "hermes-ops"), ("hermes", "hermes2"), ("hermes", "Hermes agent")],
    *[("relay", "relayd"), ("api", "api-gateway"), ("Postgres", "PostgreSQL"), ("cron", "crond")],
    *[("Ada", "Ada Perlman"), ("Jean", "Jean-Luc"), ("auth", "oauth"), ("mini", "Mac mini")],
    # Plurals and forms of a word.
    *[("worker", "workers"), ("index", "indexes"), ("deploy", "deployer"), ("queue", "queued")],
    # Accents, scripts, and letters that only look alike.
    *[("Zoe", "Zoë"), ("resume", "résumé"), ("Malmo", "Malmö"), ("Strase", "Straße")],
    *[("Hermes", "Неrmes"), ("paypal", "раураl"), ("Talos", "Ταλος"), ("望遠鏡", "望远镜")],
    *[("Omega", "Ωmega"), ("K8s", "К8s"), ("東京", "東京都"), ("Ολο", "Oλο")],
    # Environments.
    *[("shop-prod", "shop-staging"), ("shop-dev", "shop-devel"), ("eu-west-1", "eu-west-2")],
    # Tickets, paths, repositories.
    *[("#64", "§6.4"), ("#64", "#640"), ("PROJ-12", "PROJ-123"), ("jane/hermes", "hermes")],
    *[("jane/hermes", "june/hermes"), ("src/app.py", "src/app.pyi"), ("a/b", "a_b"), ("a.b", "a-b")],
]  # fmt: skip


def ids(pairs):
    return [f"{a} | {b}" for a, b in pairs]


each = pytest.mark.parametrize(("one", "other"), PAIRS, ids=ids(PAIRS))


def state(name: str, value: str = "live") -> Claim:
    words = f"{name} status {value}."
    return Claim(src=name, relation="status", value=value, fact=words, origin="user", line=3)


def use(src: str, dst: str) -> Claim:
    words = f"{src} uses {dst} there."
    return Claim(src=src, relation="uses", dst=dst, fact=words, origin="user", line=3)


def learned(*said: tuple[tuple[Claim, ...], tuple[Declared, ...]]) -> Index:
    """Return what is known after some episodes, each with its claims and names."""
    ingest = stages(MemoryStore(clock=lambda: NOW))
    for number, (claims, names) in enumerate(said):
        text = "[3] user: " + " ".join(claim.fact for claim in claims)
        found = Extraction(extractor="m", summary="Told.", entities=names, claims=claims)
        episode = make_episode(number, at=day(number), extractor="pending", summary="")
        ingest.store.keep_evidence({episode.id: text})
        ingest.accept(Chunk(episode=episode, turns=()), found, text)
    return Index.build(ingest.store.load())


def thing(name: str, *aliases: str) -> Declared:
    return Declared(name=name, type="tool", aliases=aliases)


def world(one: str, other: str) -> Index:
    """Both names as subjects, as objects, and beside each other."""
    return learned(
        ((state(one), use(one, "Vault")), (thing(one), thing("Vault"))),
        ((state(other, "down"), use(other, "Vault")), (thing(other), thing("Vault"))),
        ((use("Vault", one),), (thing(one), thing("Vault"))),
        ((use("Vault", other),), (thing(other), thing("Vault"))),
        ((use(one, other),), (thing(one), thing(other))),
    )


def test_there_are_sixty_pairs():
    assert len({frozenset(pair) for pair in PAIRS}) == len(PAIRS) >= 60


@each
def test_two_names_that_are_nearly_the_same_stay_two_things(one, other):
    index = world(one, other)
    assert {e.name for e in index.entities.values()} == {one, other, "Vault"}
    assert not index.waiting
    assert not index.proposals
    assert not any(e.merged_into or e.aliases for e in index.entities.values())
    for name, own in ((one, state(one)), (other, state(other, "down"))):
        slugs = index.names.find(name)
        assert [index.entities[slug].name for slug in slugs] == [name]
        told = {f.fact for f in facts(index, name, now=NOW)}
        beside = {use(name, "Vault").fact, use("Vault", name).fact, use(one, other).fact}
        assert told == {own.fact, *beside}


@each
def test_recall_answers_for_the_name_that_was_asked_and_says_so(one, other):
    index = world(one, other)
    for name in (one, other):
        found = recall(index, name, now=NOW)
        assert [(e.name, words) for e, words in found.entities] == [(name, name)]
        assert {f.fact for f in found.facts} == {f.fact for f in facts(index, name, now=NOW)}
        assert recollection_json(found)["entities"][0]["matched"] == name


@each
def test_the_glossary_names_what_a_text_names_and_not_its_neighbour(one, other):
    index = world(one, other)
    for name, neighbour in ((one, other), (other, one)):
        known = {k.name for k in index.glossary(f"[3] user: we looked at {name} again")}
        assert name in known
        assert neighbour not in known


@each
def test_a_neighbour_s_alias_leads_to_the_one_that_bears_it_alone(one, other):
    index = learned(
        ((state(one),), (thing(one, "the night shift"),)),
        ((state(other, "down"),), (thing(other),)),
    )
    assert [index.entities[s].name for s in index.names.find("Night shift")] == [one]
    found = recall(index, "night shift", now=NOW)
    assert [(e.name, words) for e, words in found.entities] == [(one, "night shift")]
    (known,) = index.glossary("[3] user: ask the night shift about it")
    assert (known.name, known.aliases) == (one, ("the night shift",))


@each
def test_a_name_that_is_claimed_as_an_alias_of_its_neighbour_is_not_merged(one, other):
    index = learned(
        ((state(one),), (thing(one, other),)),
        ((state(other, "down"),), (thing(other),)),
    )
    assert {e.name: e.aliases for e in index.entities.values()} == {one: (), other: ()}
    assert [p.alias for p in index.proposals.values()] == [other]
    assert {f.fact for f in facts(index, one, now=NOW)} == {state(one).fact}
    assert {f.fact for f in facts(index, other, now=NOW)} == {state(other, "down").fact}


@each
def test_values_that_are_nearly_the_same_are_two_facts(one, other):
    index = learned(
        (
            tuple(
                Claim(
                    src="Vault", relation="requires", value=v, fact="It needs this.", origin="user"
                )
                for v in (one, other)
            ),
            (thing("Vault"),),
        )
    )
    shown = [*index.facts.values(), *index.waiting.values()]
    assert sorted(str(f.value) for f in shown) == sorted((one, other))
