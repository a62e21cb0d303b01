"""The independent checker fails on each kind of fault, planted by hand in a sound store."""

import os
import subprocess
from pathlib import Path

import pytest
from independent_checker import KINDS, faults

EPISODE = """\
---
type: episode
source: claude
session: s1
span: ~/t.jsonl:1-9
occurred_at: 2026-08-01T09:00:00Z
ingested_at: 2026-08-01T18:00:00Z
extractor: rules
facts:
- bq5msj7nv9
- eg5tdv5jhb
---
Moved Hermes.
"""
FACT = """\
---
type: fact
src: hermes
relation: runs_on
dst: mac-mini
valid_from: 2026-08-01T09:00:00Z
invalid_at: 2026-09-01T09:00:00Z
superseded_by: kqvjytbb71
origin: user
episodes:
- 2026-08-01-claude-kts7tg5b:4
---
Hermes runs on the Mac mini.
"""
LIVE = """\
---
type: fact
src: hermes
relation: status
value: live
valid_from: 2026-08-01T09:00:00Z
---
Hermes is live.
"""
DOWN = LIVE.replace("live", "down").replace("2026-08-01", "2026-08-09")
WAITS = """\
---
type: fact
src: hermes
relation: uses
dst: loki
origin: user
episodes:
- 2026-08-01-claude-kts7tg5b
reason: "nobody has said what this is: loki"
---
Hermes uses Loki.
"""
STONE = "---\ntype: tombstone\nid: eg5tdv5jhb\nwhen: 2026-11-20T12:00:00Z\n---\n"
HERMES = "---\ntype: service\nname: Hermes\naliases:\n- the bot\n---\nA gateway.\n"
MINI = "---\ntype: machine\nname: Mac mini\n---\n"

PLACE = {
    "episode": "episodes/2026/08/2026-08-01-claude-kts7tg5b.md",
    "fact": "facts/he/hermes/runs_on--mac-mini--bq5msj7nv9.md",
    "live": "facts/he/hermes/status--live--kqvjytbb71.md",
    "waits": "review/he/hermes/uses--loki--d1f2s7k03c.md",
    "stone": "forgotten/eg/eg5tdv5jhb.md",
    "hermes": "entities/he/hermes.md",
    "mini": "entities/ma/mac-mini.md",
}
TEXT = dict(zip(PLACE, (EPISODE, FACT, LIVE, WAITS, STONE, HERMES, MINI), strict=True))

# What is planted: the kind of fault, the file, what of its text is replaced, and by what.
EDITS = [
    ("unreadable", "fact", "relation: runs_on", "relation: runs_on\nrelation: uses"),
    ("unreadable", "fact", "src: hermes", "src: [hermes"),
    ("unreadable", "hermes", HERMES, "no front matter\n"),
    ("hollow", "fact", "Hermes runs on the Mac mini.\n", ""),
    ("hollow", "fact", "src: hermes\n", ""),
    ("hollow", "fact", "relation: runs_on\n", ""),
    ("hollow", "fact", "dst: mac-mini\n", ""),
    ("hollow", "fact", "dst: mac-mini\n", "dst: mac-mini\nvalue: Mac mini\n"),
    ("hollow", "fact", "episodes:\n- 2026-08-01-claude-kts7tg5b:4\n", ""),
    ("hollow", "waits", "episodes:\n- 2026-08-01-claude-kts7tg5b\n", ""),
    ("hollow", "episode", "extractor: rules", "extractor: undone"),
    ("hollow", "hermes", "name: Hermes\n", ""),
    ("hollow", "hermes", "type: service", "type: library"),
    ("dangling", "fact", "src: hermes", "src: talos"),
    ("dangling", "fact", "dst: mac-mini", "dst: laptop"),
    ("dangling", "fact", "kts7tg5b:4", "a8s0w3hn:4"),
    ("dangling", "fact", "kqvjytbb71", "d9nrn1ga6y"),
    ("dangling", "mini", "name: Mac mini", "name: Mac mini\nmerged_into: nothing"),
    ("dangling", "mini", "name: Mac mini", "name: Mac mini\nmerged_into: mac-mini"),
    ("self-looping", "fact", "dst: mac-mini", "dst: hermes"),
    ("self-looping", "mini", "name: Mac mini", "name: Mac mini\nmerged_into: hermes"),
    ("stolen-alias", "hermes", "- the bot", "- The Mac_mini"),
    ("stolen-alias", "mini", "name: Mac mini", "name: Mac mini\naliases:\n- The-Bot"),
    ("stolen-alias", "mini", "name: Mac mini", "name: hermes"),
    ("backwards", "fact", "2026-09-01T09", "2026-07-01T09"),
    ("backwards", "fact", "2026-09-01T09", "2026-08-01T09"),
    ("dirty", "fact", "Mac mini.", "Mac\x1b[31m mini."),
    ("dirty", "hermes", "A gateway.", "A \u202egateway."),
    ("dirty", "mini", "name: Mac mini\n---\n", "name: Mac mini\n---\n<<<<<<< ours\n"),
    ("unreasoned", "fact", "origin: user", "origin: user\nreason: not sure"),
    ("unreasoned", "waits", 'reason: "nobody has said what this is: loki"\n', ""),
    ("undead", "stone", "12:00:00Z\n---\n", "12:00:00Z\n---\nHermes was down.\n"),
    ("undead", "stone", "eg5tdv5jhb", "bq5msj7nv9"),
    ("lost", "episode", "- bq5msj7nv9", "- bq5msj7nv9\n- a1b2c3d4e5"),
]
# Files that are added: the kind of fault, where, and what.
ADDED = [
    ("contested", "facts/he/hermes/status--down--p8w2xq.md", DOWN),
    ("misplaced", "facts/me/hermes/runs_on--mac-mini--p8w2xq.md", FACT),
    ("misplaced", "facts/ta/talos/runs_on--mac-mini--p8w2xq.md", FACT),
    ("misplaced", "facts/he/hermes/Runs On--p8w2xq.md", FACT),
    ("misplaced", "facts/he/hermes/" + "x" * 100 + "--p8w2xq.md", FACT),
    ("misplaced", "entities/co/con.md", HERMES.replace("Hermes", "con").replace("bot", "conn")),
    ("misplaced", "entities/he/talos.md", "---\ntype: tool\nname: Talos\n---\n"),
    ("misplaced", "episodes/2026/09/2026-08-01-claude-a8s0w3hn.md", EPISODE),
    ("misplaced", "forgotten/he/p8w2xq.md", STONE.replace("eg5tdv5jhb", "p8w2xq")),
    ("twins", "facts/he/hermes/runs_on--laptop--bq5msj7nv9.md", FACT),
    ("twins", "review/he/hermes/runs_on--mac-mini--bq5msj7nv9.md", WAITS),
    ("twins", "entities/xx/hermes.md", HERMES),
    ("twins", "episodes/2026/09/2026-08-01-claude-kts7tg5b.md", EPISODE),
    ("undead", "facts/he/hermes/status--down--eg5tdv5jhb.md", FACT),
]


def sound_store(folder: Path) -> Path:
    store = folder / "store"
    for name, place in PLACE.items():
        put(store, place, TEXT[name])
    git(store, "init", "-q")
    commit(store)
    return store


def put(store: Path, place: str, text: str) -> None:
    path = store / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, newline="")


def git(store: Path, *args: str, stdin: str = "") -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=Jane", "-c", "user.email=jane@example.org", *args],
        cwd=store,
        input=stdin,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"GIT_CONFIG_NOSYSTEM": "1"},
    )
    return done.stdout.strip()


def commit(store: Path) -> None:
    git(store, "add", "-A")
    git(store, "commit", "-qm", "by hand")


def kinds(store: Path) -> set[str]:
    return {line.split(" ", 1)[0] for line in faults(store)}


def test_a_sound_store_has_no_fault(tmp_path):
    assert faults(sound_store(tmp_path)) == []


@pytest.mark.parametrize(("kind", "file", "old", "new"), EDITS)
def test_a_fault_that_is_planted_in_a_file_is_found(tmp_path, kind, file, old, new):
    store = sound_store(tmp_path)
    assert old in TEXT[file]
    put(store, PLACE[file], TEXT[file].replace(old, new))
    assert kind in kinds(store)


@pytest.mark.parametrize(("kind", "place", "text"), ADDED)
def test_a_file_that_is_one_too_many_is_found(tmp_path, kind, place, text):
    store = sound_store(tmp_path)
    put(store, place, text)
    assert kind in kinds(store)


@pytest.mark.parametrize("name", ["hermes", "mini", "episode"])
def test_a_file_that_others_need_is_missed(tmp_path, name):
    store = sound_store(tmp_path)
    (store / PLACE[name]).unlink()
    assert kinds(store) == {"dangling"}


@pytest.mark.parametrize("name", ["fact", "stone"])
def test_a_fact_that_only_its_episode_remembers_is_missed(tmp_path, name):
    store = sound_store(tmp_path)
    (store / PLACE[name]).unlink()
    assert kinds(store) == {"lost"}


def test_a_file_of_the_machine_s_own_that_git_tracks_is_found(tmp_path):
    store = sound_store(tmp_path)
    blob = git(store, "hash-object", "-w", "--stdin", stdin="lock")
    scry = git(store, "mktree", stdin=f"100644 blob {blob}\tlock\n")
    inner = git(store, "mktree", stdin=f"040000 tree {scry}\tscry\n")
    listed = git(store, "ls-tree", "HEAD")
    outer = git(store, "mktree", stdin=f"{listed}\n040000 tree {inner}\t.git\n")
    head = git(store, "commit-tree", outer, "-m", "planted")
    git(store, "update-ref", "HEAD", head)
    assert faults(store) == ["tracked .git/scry/lock: is no record"]


def test_a_file_from_elsewhere_that_git_tracks_is_found(tmp_path):
    store = sound_store(tmp_path)
    put(store, "scry/index.db", "cache")
    commit(store)
    assert faults(store) == ["tracked scry/index.db: is no record"]


def test_two_facts_that_began_together_may_both_hold(tmp_path):
    store = sound_store(tmp_path)
    put(store, "facts/he/hermes/status--down--p8w2xq.md", LIVE.replace("live", "down"))
    assert faults(store) == []


def test_each_kind_of_fault_is_planted():
    assert {row[0] for row in (*EDITS, *ADDED)} | {"tracked"} == set(KINDS)
