import re
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store.store_worlds import MOMENT, NASTY, RECORD, TEXT, entity, episode, fact

from scry.errors import StoreError
from scry.model import Fact, Proposal, Tombstone
from scry.store.paths import checked, id_of, kind_of, path_of, shard
from scry.text import slug_of

DEVICES = {"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(10))}


@pytest.mark.parametrize(
    ("record", "path"),
    [
        (entity(), "entities/he/hermes.md"),
        (entity("c"), "entities/c/c.md"),
        (entity(slug_of("v.2")), "entities/v/v.2.md"),
        (fact(), "facts/he/hermes/runs_on--mac-mini--k3v9m2.md"),
        (fact(reason="held"), "review/he/hermes/runs_on--mac-mini--k3v9m2.md"),
        (fact(dst=None, value="1.4", relation="status"), "facts/he/hermes/status--1.4--k3v9m2.md"),
        (episode(), "episodes/2026/08/2026-08-01-claude-7k3m9q.md"),
        (
            episode(occurred_at=datetime.fromisoformat("2026-08-31T23:30:00-02:00")),
            "episodes/2026/09/2026-08-01-claude-7k3m9q.md",
        ),
        (Proposal(entity="hermes", alias="The Bot", reason="x"), "review/he/hermes/alias--bot.md"),
        (Tombstone(id="k3v9m2", triple="", when=MOMENT), "forgotten/k3/k3v9m2.md"),
        (fact(path="facts/my/own.md"), "facts/my/own.md"),
    ],
)
def test_every_record_has_its_place(record, path):
    assert path_of(record) == path


@settings(max_examples=400, deadline=None)
@given(RECORD)
def test_every_path_is_safe_on_every_system(record):
    path = checked(path_of(record))

    assert path.isascii()
    assert path == path.lower()
    assert len(path) <= 240
    for part in path.split("/"):
        assert len(part) <= 100
        assert part.split(".")[0] not in DEVICES
        assert part[-1] not in ". "
        assert part[0] not in "-. "
        assert re.fullmatch(r"[a-z0-9._-]+", part)
    assert kind_of(path)


@settings(deadline=None)
@given(TEXT, TEXT)
def test_two_different_names_never_share_a_file(one, other):
    same = slug_of(one) == slug_of(other)

    assert (path_of(entity(slug_of(one))) == path_of(entity(slug_of(other)))) == same


@pytest.mark.parametrize(
    "names", [("C", "C++", "C#"), ("§6.4", "#64", "64"), ("望遠鏡", "望遠"), ("é", "è")]
)
def test_names_that_lose_their_letters_keep_their_own_files(names):
    assert len({path_of(entity(slug_of(name))) for name in names}) == len(names)


def test_twins_of_unicode_are_one_name():
    forms = {unicodedata.normalize(form, "Zoë") for form in ("NFC", "NFD")}

    assert len(forms) == 2
    assert len({path_of(entity(slug_of(name))) for name in forms}) == 1


@settings(deadline=None)
@given(
    st.sampled_from(NASTY) | st.sampled_from(["../../etc", "..", "/etc/passwd", "a/b", "CON", "-x"])
)
def test_what_a_person_writes_as_a_key_never_leads_out_of_the_store(text):
    record = fact(src=text, relation=text, dst=text, identity=text)

    assert checked(path_of(record)).startswith("facts/")
    assert len(path_of(record).split("/")) == 4


@pytest.mark.parametrize(
    "path",
    [
        "",
        "facts",
        "facts/",
        "x.md",
        "../facts/a.md",
        "facts/../a.md",
        "facts//a.md",
        "/facts/a.md",
        "facts/./a.md",
        "facts/.git/a.md",
        "facts/.GIT/a.md",
        "facts/a\nb.md",
        "facts/a\x00.md",
        "other/a.md",
        ".git/scry/x.md",
        "facts/a.txt",
        "facts/.gitattributes",
        "facts\\a.md",
    ],
)
def test_a_path_outside_the_folders_is_refused(path):
    with pytest.raises(StoreError, match="no place for a record"):
        checked(path)


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "facts/README.md",
        "facts/.gitkeep",
        "facts/x.txt",
        "facts/.#x.md",
        "facts/x.md~",
        "facts/#x.md#",
        "facts/~x.md",
        "facts/.x.md.swp",
        "notes/x.md",
        "facts/4913",
    ],
)
def test_what_editors_leave_and_notes_for_people_are_no_records(path):
    assert kind_of(path) == ""


@settings(deadline=None)
@given(RECORD)
def test_the_file_name_gives_the_id_back(record):
    if isinstance(record, Fact):
        assert id_of(path_of(record)) == record.id


def test_shards_have_two_characters():
    assert [shard(name) for name in ("hermes", "c", "v.2", "c-x3")] == ["he", "c", "v", "c-"]


def test_a_path_that_was_loaded_does_not_count_when_records_are_compared():
    assert replace(fact(), path="facts/x.md") == fact()
    assert MOMENT.tzinfo is UTC
