"""Recall of words that were only said: in no fact, description or summary, but in kept text."""

from dataclasses import replace
from pathlib import Path

import pytest
from faces import EPISODE, LATER, RUNS, WORLD, Home
from make_records import NOW, day, make_entity, make_episode, make_fact, make_index

from scry import search
from scry.memory import Memory
from scry.model import UNDONE, Episode
from scry.recall import Recollection, recall
from scry.render import MAX_BYTES, miss, recollection
from scry.search import texts_of

OLD, MID, NEW = (make_episode(n, at=day(n), summary=f"Small talk {n}.") for n in (1, 2, 3))


def _ask(query: str, *records: object, **texts: str) -> Recollection:
    kept = {OLD.id: "", MID.id: "", NEW.id: ""}
    kept |= {{"old": OLD, "mid": MID, "new": NEW}[name].id: text for name, text in texts.items()}
    index = make_index(OLD, MID, NEW, *records)  # type: ignore[arg-type]
    return recall(index, query, now=NOW, evidence=lambda name: kept.get(name, ""))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("saturn1", "[3] user: put it on saturn1, please"),
        ("what about saturn1?", "We moved saturn1."),
        ("where is Saturn-East", "saturn-east is in the cellar"),
        ("marmalade", "The marmalades are gone."),
        ("did we find happiness", "We were happy."),
        ("café", "We met in the CAFÉ."),
        ("望遠鏡", "新しい望遠鏡を買った。"),
        ("queueRunner", "The queueRunner fell over."),
        ("/srv/saturn/app.toml", "It reads /srv/saturn/app.toml at the start."),
    ],
)
def test_a_word_that_was_only_said_finds_the_episode_whatever_its_form(
    query: str, said: str
) -> None:
    found = _ask(query, mid=said, new="Nothing of interest.")

    assert found.episodes == (MID,)
    assert found.said == (MID.id,)


def test_what_was_said_is_shown_newest_first_and_all_words_before_any() -> None:
    found = _ask("saturn1 pluto2", old="saturn1 and pluto2", mid="pluto2", new="saturn1")

    assert found.episodes == (OLD, NEW, MID)


def test_a_word_that_is_nowhere_on_record_is_looked_for_also_where_others_answer() -> None:
    fact = make_fact("Hermes", "uses", "Redis")
    entity = make_entity("Hermes")

    found = _ask("does Hermes like marmalade?", fact, entity, old="Hermes likes marmalade.")

    assert fact in found.facts
    assert found.episodes == (OLD,)


def test_the_parts_of_a_name_that_nobody_bears_find_nothing() -> None:
    assert not _ask("saturn-east", old="The saturn in the east.", mid="east saturn")


def test_a_question_that_is_answered_reads_no_kept_text() -> None:
    read: list[str] = []
    fact = make_fact("Hermes", "uses", "Redis", fact="Hermes keeps its queue in Redis.")
    index = make_index(OLD, NEW, make_entity("Hermes"), fact)

    for query in ("Hermes", "what does Hermes use for its queue?", "Hermes queue Redis"):
        recall(index, query, now=NOW, evidence=lambda name: read.append(name) or "")  # type: ignore[func-returns-value]

    assert read == []


def test_what_was_undone_or_came_later_is_not_found_by_what_was_said() -> None:
    index = make_index(replace(OLD, extractor=UNDONE), MID, NEW)

    found = recall(index, "saturn1", now=NOW, as_of=day(2), evidence=lambda _: "saturn1")

    assert found.episodes == (MID,)


def test_only_so_much_is_read_the_newest_first_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "_READ", 2 * search._FILE)

    newest = _ask("saturn1", new="saturn1", old="saturn1")
    nothing = _ask("saturn1", old="saturn1")

    assert (newest.episodes, newest.unread) == ((NEW,), 1)
    assert (nothing.episodes, nothing.unread) == ((), 1)
    told = "What was said in 1 older episode was not searched"
    assert told in miss(nothing)
    assert told in recollection(make_index(NEW), newest)


def test_asking_twice_gives_the_same_answer() -> None:
    index = make_index(OLD, MID, NEW)
    texts = {OLD.id: "saturn1 is in the cellar", MID.id: "", NEW.id: ""}

    def ask() -> Recollection:
        return recall(index, "where is saturn1?", now=NOW, evidence=texts.__getitem__)

    first = ask()

    assert first == ask()
    assert not texts_of(index).knows("saturn1")


def test_the_command_line_and_the_server_find_what_was_only_said(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.write(*WORLD)
    _keep(home, EPISODE, "[1] user: put the backups of Hermes on saturn1")

    found = home.call("recall", "saturn1")
    _, text, _ = home.run("recall", "saturn1")

    assert [episode["id"] for episode in found["episodes"]] == found["said"] == [EPISODE.id]
    assert (found["facts"], found["unread"]) == ([], 0)
    assert f"Found by what was said there: scry show {EPISODE.id} --source" in text
    assert Memory(home.environ).recall("saturn1", "", 20, "") == text.rstrip("\n")
    assert RUNS.fact not in text
    assert LATER.id not in text
    assert len(text.encode()) < MAX_BYTES


def _keep(home: Home, episode: Episode, text: str) -> None:
    path = home.store / ".git" / "scry" / "evidence" / episode.id[-2:] / f"{episode.id}.txt"
    path.parent.mkdir(parents=True)
    path.write_text(text)
