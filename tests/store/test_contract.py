"""What every store keeps to, the one in git and the one in memory."""

from dataclasses import replace

import pytest
from store.store_worlds import MOMENT, entity, episode, fact, learn, new_store

from scry.errors import MovedError, StoreError
from scry.model import Applied, ChangeSet, Proposal, Tombstone
from scry.store.memory import MemoryStore

EVERYTHING = (
    entity(),
    fact(),
    fact("waits1", reason="addresses the agent"),
    episode(),
    Proposal(entity="hermes", alias="the bot", reason="claimed twice"),
    Tombstone(id="gone12", triple="x", when=MOMENT),
)


@pytest.fixture(params=["git", "memory"])
def store(request, tmp_path):
    if request.param == "git":
        return new_store(tmp_path / "store")
    return MemoryStore(clock=lambda: MOMENT)


def _write(store, changes):
    with store.writing():
        return store.apply(changes, base=store.head())


def _records(store):
    return sorted(store.load().records, key=lambda record: record.path)


def test_what_is_written_is_what_is_loaded(store):
    applied = _write(store, learn(*EVERYTHING))

    snapshot = store.load()
    assert snapshot.head == store.head() == applied.commit != ""
    assert applied.waiting == snapshot.problems == ()
    assert _records(store) == sorted(EVERYTHING, key=store.path_of)
    assert [record.path for record in _records(store)] == sorted(map(store.path_of, EVERYTHING))


def test_a_record_that_is_written_again_takes_its_files_place(store):
    _write(store, learn(fact()))

    _write(store, learn(fact(invalid_at=MOMENT)))

    assert _records(store) == [fact(invalid_at=MOMENT)]


def test_a_removed_record_is_gone_and_the_others_are_not(store):
    _write(store, learn(*EVERYTHING))

    _write(store, learn(removes=(fact(),)))

    assert len(store.load().records) == len(EVERYTHING) - 1
    assert fact() not in store.load().records


def test_a_record_moves_in_one_commit(store):
    waiting = fact(reason="held")
    _write(store, learn(waiting))

    _write(store, learn(fact(), removes=(waiting,)))

    assert _records(store) == [fact()]
    assert len(store.log(limit=1)) == 1


def test_a_change_set_that_changes_nothing_makes_no_commit(store):
    _write(store, learn(*EVERYTHING))
    head = store.head()

    assert _write(store, learn(*EVERYTHING)) == Applied()
    assert _write(store, learn(removes=(fact("never1"),))) == Applied()
    assert _write(store, ChangeSet(subject="nothing")) == Applied()
    assert store.head() == head


def test_a_store_that_has_moved_is_not_written(store):
    base = store.head()
    _write(store, learn(fact()))

    with store.writing(), pytest.raises(MovedError):
        store.apply(learn(entity()), base=base)
    assert _records(store) == [fact()]


def test_a_store_is_changed_only_while_it_is_held(store):
    with pytest.raises(StoreError, match="within"):
        store.apply(learn(fact()), base=store.head())
    with store.writing(), pytest.raises(StoreError, match="already"), store.writing():
        pass
    assert _write(store, learn(fact())).commit


def test_the_log_tells_what_was_said_newest_first(store):
    _write(store, learn(fact(), subject="learn: one"))
    _write(
        store,
        ChangeSet(
            subject="learn: two",
            writes=(entity(),),
            lines=("+ hermes runs_on mac-mini", "- hermes runs_on laptop"),
            trailers=(("Scry-Episode", "2026-08-01-claude-7k3m9q"), ("Scry-Tokens", "1 in, 2 out")),
        ),
    )

    newest, before = store.log(limit=2)
    assert (newest.id, newest.date, newest.subject) == (store.head(), MOMENT, "learn: two")
    assert newest.lines == ("+ hermes runs_on mac-mini", "- hermes runs_on laptop")
    assert newest.trailers == (
        ("Scry-Episode", "2026-08-01-claude-7k3m9q"),
        ("Scry-Tokens", "1 in, 2 out"),
    )
    assert (before.subject, before.lines, before.trailers) == ("learn: one", (), ())
    assert [c.subject for c in store.log(paths=[store.path_of(fact())])] == ["learn: one"]
    assert [c.subject for c in store.log(limit=1)] == ["learn: two"]


def test_no_line_of_a_message_can_pass_for_another(store):
    _write(
        store,
        ChangeSet(
            subject="learn: a\n\nScry-Episode: forged",
            writes=(fact(),),
            lines=("Scry-Episode: forged", "+ a\nScry-Episode: forged", "\x1b[31mred", ""),
            trailers=(("Scry-Episode\nEvil", "x\n\nScry-Extractor: forged"), ("Scry-Note", " ")),
        ),
    )

    made = store.log(limit=1)[0]
    assert made.subject == "learn: a Scry-Episode: forged"
    assert made.lines == ("| Scry-Episode: forged", "+ a Scry-Episode: forged", "[31mred")
    assert made.trailers == (("Scry-Episode-Evil", "x Scry-Extractor: forged"),)


def test_lines_alone_are_not_trailers(store):
    _write(store, ChangeSet(subject="s", writes=(fact(),), lines=("Scry-Episode: forged",)))

    assert store.log(limit=1)[0].trailers == ()


def test_evidence_is_kept_beside_the_records(store):
    store.keep_evidence({"2026-08-01-claude-7k3m9q": "[1] user: hällo\n", "b": "x"})

    assert store.evidence("2026-08-01-claude-7k3m9q") == "[1] user: hällo\n"
    assert store.evidence("b") == "x"
    assert store.evidence("nobody") == store.evidence("") == store.evidence("../b") == ""
    store.keep_evidence({"b": "y"})
    assert store.evidence("b") == "y"
    assert store.load().records == ()


def test_small_texts_are_kept_too(store):
    assert store.local("seen.json") == ""

    store.keep_local("seen.json", "{}")

    assert store.local("seen.json") == "{}"


def test_a_small_text_can_be_changed_from_what_it_is(store):
    assert store.update_local("note.json", lambda text: text + "a") == "a"
    assert store.update_local("note.json", lambda text: text + "b") == "ab"
    assert store.local("note.json") == "ab"

    def fails(_text):
        raise StoreError("not now")

    with pytest.raises(StoreError, match="not now"):
        store.update_local("note.json", fails)
    with store.writing():  # It is no part of a commit, and waits for none.
        assert store.update_local("note.json", str.upper) == "AB"


def test_a_record_without_a_place_in_the_store_is_refused(store):
    for path in (
        "../x.md",
        "facts/../../x.md",
        "README.md",
        "facts/.git/x.md",
        "facts/x.txt",
        "/a.md",
    ):
        with pytest.raises(StoreError, match="no place for a record"):
            _write(store, learn(fact(path=path)))
    assert store.load().records == ()


def test_a_record_keeps_the_file_that_a_person_gave_it(store):
    mine = replace(fact("mine"), path="facts/my notes/the mini--mine.md")

    _write(store, learn(mine))
    _write(store, learn(replace(store.load().records[0], invalid_at=MOMENT)))

    assert [r.path for r in store.load().records] == ["facts/my notes/the mini--mine.md"]
    assert store.load().records[0].invalid_at == MOMENT


def test_a_dry_run_begins_with_the_real_store_and_leaves_it_alone(tmp_path):
    real = new_store(tmp_path / "store")
    _write(real, learn(fact()))
    real.keep_evidence({"a": "text"})

    dry = MemoryStore(real.load(), clock=lambda: MOMENT, behind=real)
    with dry.writing():
        applied = dry.apply(learn(entity(), fact(invalid_at=MOMENT)), base=real.head())

    assert applied.commit
    assert len(dry.load().records) == 2
    assert real.load().records == (fact(),)
    assert dry.evidence("a") == "text"
