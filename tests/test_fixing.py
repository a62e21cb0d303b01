"""`scry check --fix`, and what a person may write by hand before it, on a real store."""

import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from faces import Home
from hypothesis import HealthCheck, given, settings
from ingesting import NOW, stages
from resolve.worlds import Answer, episode, worlds

from scry.errors import StoreError
from scry.fixing import fix
from scry.index import Index
from scry.model import Chunk, Claim, Declared, Extraction
from scry.statement import birth_of
from scry.store.git import GitStore
from scry.store.init import init_store

NOTE = "---\nsrc: Hermes\nrelation: uses\nvalue: Redis 7\n---\nHermes uses Redis 7.\n"
AS_PERSON = ("-c", "user.name=p", "-c", "user.email=p@x")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.store.parent.mkdir(parents=True)
    init_store(home.store)
    learn(home, 1, Claim(src="Hermes", relation="runs_on", dst="Mac mini", fact="It runs there."))
    return home


def learn(home: Home, number: int, *claims: Claim, declares: bool = True) -> None:
    store = GitStore(home.store, clock=lambda: NOW)
    things = (Declared(name="Hermes", type="service"), Declared(name="Mac mini", type="machine"))
    found = Extraction(
        extractor="m", summary="s", entities=things if declares else (), claims=claims
    )
    text = "Hermes on the Mac mini with Loki"
    store.keep_evidence({episode(number, number).id: text})
    stages(store).accept(Chunk(episode=episode(number, number), turns=()), found, text)


def write(home: Home, path: str, text: str = NOTE) -> Path:
    file = home.store / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def commit(home: Home) -> None:
    home.git("add", "-A")
    home.git(*AS_PERSON, "commit", "-qm", "by hand")


def index(home: Home) -> Index:
    return Index.build(GitStore(home.store, clock=lambda: NOW).load())


def fixed(home: Home, code: int = 0) -> dict:
    return home.call("check", "--fix", code=code)


def clean(home: Home) -> bool:
    return home.git("status", "--porcelain", "--untracked-files=all") == ""


# --- a fact by hand ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["facts/note.md", "facts/my notes/hermes.md", "facts/he/hermes/a b.md"]
)
def test_the_least_that_a_fact_needs_is_recalled_before_anything_is_fixed(
    home: Home, path: str
) -> None:
    write(home, path)

    found = home.call("recall", "Hermes")

    assert "Hermes uses Redis 7." in [fact["fact"] for fact in found["facts"]]
    (note,) = home.call("check")["findings"]
    assert (note["id"], note["level"], note["path"]) == ("handwritten-fact", "note", path)
    assert "--fix" in note["remedy"]


@pytest.mark.parametrize("committed", [False, True])
def test_a_fact_by_hand_is_completed_named_and_committed(home: Home, committed: bool) -> None:  # noqa: FBT001 -- cases
    text = NOTE.replace("relation: uses", "# mine\nrelation: Uses  # why not\nmood: good")
    write(home, "facts/note.md", text)
    if committed:
        commit(home)

    done = fixed(home)

    assert done["findings"] == []
    assert clean(home)
    (fact,) = [f for f in index(home).facts.values() if f.value == "Redis 7"]
    assert fact.path == f"facts/he/hermes/uses--redis-7--{fact.id}.md"
    assert birth_of(fact) == (fact.id, False)
    assert (fact.src, fact.relation, fact.origin, fact.confidence) == (
        "hermes",
        "uses",
        "person",
        1.0,
    )
    assert fact.valid_from is not None
    there = (home.store / fact.path).read_text()
    assert "# mine\n" in there
    assert "  # why not\n" in there
    assert "mood: good\n" in there
    assert there.startswith("---\ntype: fact\nsrc: hermes\n")
    assert not (home.store / "facts/note.md").exists()
    (line,) = done["fixed"]
    assert line.startswith(f"facts/note.md: -> {fact.path}: ")
    assert "+ type: fact" in line
    assert home.git("log", "-1", "--format=%s").startswith("check: facts/note.md")
    assert fixed(home)["fixed"] == []
    learn(home, 2)
    assert fact == index(home).facts[fact.id]


def test_dates_are_written_to_the_second_and_a_date_that_is_given_stays(home: Home) -> None:
    write(home, "facts/note.md", NOTE.replace("value:", "valid_from: 2026-03-05\nvalue:"))

    fixed(home)

    (fact,) = [f for f in index(home).facts.values() if f.value == "Redis 7"]
    assert "valid_from: 2026-03-05T00:00:00Z\n" in (home.store / fact.path).read_text()


def test_a_state_by_hand_ends_the_one_before_it(home: Home) -> None:
    learn(home, 2, Claim(src="Hermes", relation="status", value="live", fact="Hermes is live."))
    text = "---\nsrc: hermes\nrelation: status\nvalue: paused\n---\nHermes is paused.\n"
    write(home, "facts/paused.md", text)

    done = fixed(home)

    facts = {f.value: f for f in index(home).facts.values()}
    assert facts["live"].superseded_by == facts["paused"].id
    assert facts["paused"].invalid_at is None
    assert any(line.startswith("facts/he/hermes/status--live--") for line in done["fixed"])
    assert clean(home)


def test_what_ends_a_fact_by_hand_at_once_is_written_into_its_file_too(home: Home) -> None:
    learn(
        home, 2, Claim(src="Hermes", relation="status", value="live", fact="Live.", origin="user")
    )
    text = (
        "---\nsrc: hermes\nrelation: status\nvalue: paused\nvalid_from: 2026-01-01\n---\nPaused.\n"
    )
    write(home, "facts/paused.md", text.replace("value: paused", "value: paused\norigin: user"))
    commit(home)

    fixed(home)

    assert clean(home)


@pytest.mark.parametrize("how", ["the fact says it", "an episode says it"])
def test_a_thing_without_a_file_gets_one_when_its_type_can_be_told(home: Home, how: str) -> None:
    text = "---\nsrc: Hermes\nrelation: depends_on\ndst: Loki\n---\nHermes depends on Loki.\n"
    if how == "the fact says it":
        text = text.replace("dst: Loki", "dst: Loki\ndst_type: service")
    else:
        store = GitStore(home.store, clock=lambda: NOW)
        named = Extraction(
            extractor="m", summary="s", entities=(Declared(name="Loki", type="service"),), claims=()
        )
        stages(store).accept(Chunk(episode=episode(3, 3), turns=()), named, "Loki")
    write(home, "facts/loki.md", text)

    done = fixed(home)

    assert done["left"] == []
    loki = index(home).entities["loki"]
    assert (loki.name, loki.type) == ("Loki", "service")
    assert clean(home)


def test_a_thing_whose_type_nobody_has_told_is_left_and_said(home: Home) -> None:
    write(home, "facts/loki.md", NOTE.replace("value: Redis 7", "dst: Loki"))

    done = fixed(home, code=1)

    assert "loki" not in index(home).entities
    (left,) = done["left"]
    assert "`dst_type: TYPE`" in left
    assert "entities/lo/loki.md" in left
    assert [f["id"] for f in done["findings"]] == ["dangling-end"]


def test_an_alias_in_a_fact_by_hand_leads_to_its_thing(home: Home) -> None:
    entity = home.store / "entities/he/hermes.md"
    entity.write_text(
        entity.read_text().replace("name: Hermes", "name: Hermes\naliases:\n- the bot")
    )
    commit(home)
    write(home, "facts/note.md", NOTE.replace("src: Hermes", "src: the bot"))

    fixed(home)

    (fact,) = [f for f in index(home).facts.values() if f.value == "Redis 7"]
    assert (fact.src, fact.said_src) == ("hermes", "the bot")
    assert fact.path.startswith("facts/he/hermes/")
    assert birth_of(fact) == (fact.id, False)


def test_what_a_stopped_run_has_completed_is_committed_by_the_next_one(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home, "facts/note.md")
    with monkeypatch.context() as patch:
        patch.setattr(GitStore, "apply", _stopped)
        assert home.run("check", "--fix")[0] == 40
    assert not (home.store / "facts/note.md").exists()

    done = fixed(home)

    assert clean(home)
    assert done["fixed"][0].endswith(": committed")


def _stopped(*_: object, **__: object) -> None:
    raise StoreError("The power went.")


# --- what is left alone ----------------------------------------------------------------------------


def test_a_file_with_changes_that_are_not_committed_is_left_alone(home: Home) -> None:
    write(home, "facts/note.md")
    commit(home)
    file = write(home, "facts/note.md", NOTE + "And more.\n")

    done = fixed(home)

    assert file.read_text() == NOTE + "And more.\n"
    assert done["commit"] == ""


def test_a_broken_file_is_never_touched_and_said_with_its_line(home: Home) -> None:
    file = write(home, "facts/note.md", NOTE.replace("value:", "src: again\nvalue:"))

    done = fixed(home, code=1)

    assert file.read_text() == NOTE.replace("value:", "src: again\nvalue:")
    (found,) = done["findings"]
    assert (found["id"], found["line"]) == ("unreadable", 4)


def test_files_of_a_person_that_need_nothing_are_not_committed(home: Home) -> None:
    write(home, "entities/ta/talos.md", "---\ntype: service\nname: Talos\n---\n")

    done = fixed(home)

    assert done["commit"] == ""
    assert home.git("status", "--porcelain", "--untracked-files=all") == "?? entities/ta/talos.md\n"


# --- copies, moves, reviews -----------------------------------------------------------------------


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("suffix", [" (conflict)", " 2", ".sync-conflict-20261201-120000-ABC"])
@pytest.mark.parametrize("kind", ["facts", "entities", "episodes"])
def test_a_copy_that_says_nothing_of_its_own_is_removed(
    home: Home,
    kind: str,
    suffix: str,
    committed: bool,  # noqa: FBT001 -- cases
) -> None:
    first = next((home.store / kind).rglob("*.md"))
    copy = first.with_name(f"{first.stem}{suffix}.md")
    copy.write_bytes(first.read_bytes())
    if committed:
        commit(home)
    found = home.call("check", code=1)["findings"]
    path = copy.relative_to(home.store).as_posix()
    assert path in {f["path"] for f in found}

    done = fixed(home)

    assert done["findings"] == []
    assert not copy.exists()
    assert first.exists()
    assert clean(home)
    assert any(line.startswith(f"{path}: removed") for line in done["fixed"])


def test_a_copy_that_differs_is_left_for_a_person(home: Home) -> None:
    first = home.store / "entities/he/hermes.md"
    copy = first.with_name("hermes (conflict).md")
    copy.write_text(first.read_text() + "The gateway.\n")

    done = fixed(home, code=1)

    assert copy.exists()
    assert [f["id"] for f in done["findings"]] == ["copy"]
    assert done["left"]


def test_a_fact_in_another_thing_s_folder_is_moved_home(home: Home) -> None:
    (first,) = (home.store / "facts").rglob("*.md")
    other = home.store / "facts/zz/else" / first.name
    other.parent.mkdir(parents=True)
    first.rename(other)
    commit(home)
    assert [f["id"] for f in home.call("check")["findings"]] == ["misplaced"]

    done = fixed(home)

    assert done["findings"] == []
    assert first.exists()
    assert not other.exists()
    assert done["fixed"] == [
        f"facts/zz/else/{first.name}: -> {first.relative_to(home.store).as_posix()}"
    ]


def test_facts_about_a_thing_whose_file_was_moved_lead_to_its_new_place(home: Home) -> None:
    old, new = home.store / "entities/he/hermes.md", home.store / "entities/me/mercury.md"
    new.parent.mkdir()
    new.write_text(old.read_text().replace("name: Hermes", "name: Mercury\naliases:\n- Hermes"))
    old.unlink()
    commit(home)
    assert "moved-entity" in {f["id"] for f in home.call("check")["findings"]}

    done = fixed(home)

    assert done["findings"] == []
    assert done["commit"]
    after = index(home)
    assert after.names.find("Hermes") == ["mercury"]
    assert len(after.facts_of("mercury")) == 1


def test_what_waits_for_nothing_any_more_becomes_a_fact(home: Home) -> None:
    learn(home, 2, Claim(src="Hermes", relation="uses", dst="Loki", fact="Loki.", origin="user"))
    (waiting,) = index(home).waiting.values()
    write(home, "entities/lo/loki.md", "---\ntype: service\nname: Loki\n---\n")
    commit(home)
    assert [f["id"] for f in home.call("check")["findings"]] == ["waits-for-nothing"]

    done = fixed(home)

    assert done["findings"] == []
    assert waiting.id in index(home).facts
    assert done["fixed"][0].startswith(f"{waiting.path}: -> facts/he/hermes/")
    assert "no longer: nobody has said what this is: loki" in done["fixed"][0]


def test_a_sound_store_is_left_as_it_is(home: Home) -> None:
    head = home.git("rev-parse", "HEAD")

    done = fixed(home)

    assert (done["commit"], done["fixed"], done["left"]) == ("", [], [])
    assert home.git("rev-parse", "HEAD") == head
    assert home.run("check", "--fix")[1].startswith("There was nothing to put right")


def test_one_revert_takes_it_back_except_for_the_file_that_git_had_not_known(home: Home) -> None:
    write(home, "facts/note.md")
    commit(home)
    before = sorted(home.git("ls-tree", "-r", "HEAD").splitlines())

    done = fixed(home)
    home.git(*AS_PERSON, "revert", "--no-edit", done["commit"])

    assert sorted(home.git("ls-tree", "-r", "HEAD").splitlines()) == before


def test_a_deleted_and_a_contradicting_fact_are_told(home: Home) -> None:
    (first,) = (home.store / "facts").rglob("*.md")
    first.unlink()
    said = Claim(src="Hermes", relation="status", value="paused", fact="Paused.", origin="person")
    learn(home, 2, said)
    learn(home, 3, replace(said, value="live", fact="Live.", origin="user"))
    (other,) = (home.store / "facts").rglob("*.md")
    other.unlink()

    found = {f["id"]: f for f in home.call("check")["findings"]}

    assert found["contradicts-a-person"]["path"].startswith("review/he/hermes/status--live--")
    assert "deleted by hand" in found["deleted-fact"]["message"]
    assert (
        subprocess.run(
            ["git", "-C", home.store, "fsck"], check=False, capture_output=True
        ).returncode
        == 0
    )


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(worlds(largest=3))
def test_a_store_that_no_person_has_touched_is_left_as_it_is(world: list[Answer]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        init_store(Path(folder) / "store")
        store = GitStore(Path(folder) / "store", clock=lambda: NOW)
        ingest = stages(store)
        for answer in world:
            store.keep_evidence({answer.episode.id: answer.text})
            ingest.accept(Chunk(episode=answer.episode, turns=()), answer.extraction, answer.text)
        head = store.head()

        again = stages(GitStore(store.path, clock=lambda: NOW))
        done = fix(again, store, NOW)

        assert (done.applied.commit, done.lines, done.left) == ("", [], [])
        assert store.head() == head
