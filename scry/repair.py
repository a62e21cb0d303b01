"""Undo and forget: one command, one commit, and one `git revert` takes it back.

Undoing takes back what an ingestion said; its episodes keep their files, marked `undone`, so
that a later sweep leaves them alone.  Forgetting removes statements from the present and leaves
a tombstone without text, so that they do not come back by themselves.
"""

from collections.abc import Callable
from datetime import datetime

from scry.errors import UnknownNameError
from scry.index import Index, handle
from scry.ingest import Ingest
from scry.model import UNDONE, Applied, ChangeSet, Episode, Fact, Tombstone
from scry.resolve import retract
from scry.statement import birth_of, from_fact
from scry.text import iso, one_line


def undo(ingest: Ingest, ref: str) -> tuple[Applied, list[str]]:
    """Take back an ingestion, named by commit, episode, session or source; return what was undone.

    Raises:
        UnknownNameError: nothing in the store is called that.
    """

    def change(index: Index) -> ChangeSet:
        found = _episodes(ingest, index, ref)
        what = found[0].id if len(found) == 1 else f"{len(found)} episodes"
        return retract(index, ingest.store.evidence, undone=found, subject=f"undo: {what}")

    found = [episode.id for episode in _episodes(ingest, ingest.index, ref)]
    return _commit(ingest, change), found


def retire(ingest: Ingest, source: str, since: datetime) -> tuple[Applied, list[str]]:
    """Take back all that a source has said in sessions since a time; return what was undone.

    Raises:
        UnknownNameError: no episode comes from such a source.
    """

    def found(index: Index) -> list[Episode]:
        if all(episode.source != source for episode in index.episodes.values()):
            raise UnknownNameError(source, sorted({e.source for e in index.episodes.values()}))
        return [e for e in _of_source(index, source) if e.occurred_at >= since]

    def change(index: Index) -> ChangeSet:
        episodes = found(index)
        what = "1 episode" if len(episodes) == 1 else f"{len(episodes)} episodes"
        subject = f"retire: {what} of {source} since {iso(since)[:10]}"
        return retract(index, ingest.store.evidence, undone=episodes, subject=subject)

    gone = [episode.id for episode in found(ingest.index)]
    return (_commit(ingest, change), gone) if gone else (Applied(), [])


def _of_source(index: Index, source: str) -> list[Episode]:
    """Return the episodes of a source that still count."""
    return [e for e in index.episodes.values() if e.source == source and e.extractor != UNDONE]


def forget(ingest: Ingest, ref: str, now: datetime) -> tuple[Applied, list[str]]:
    """Remove a fact, an entity with its facts, or an episode; return ids of what is forgotten.

    Raises:
        UnknownNameError: nothing in the store is called that.
    """

    def change(index: Index) -> ChangeSet:
        facts, episode = _forgettable(index, ref)
        births = {birth_of(fact)[0]: from_fact(fact).triple for fact in facts}
        stones = [Tombstone(id=b, triple=t, when=now) for b, t in sorted(births.items())]
        what = handle(facts[0]) if len(facts) == 1 else f"{len(stones)} facts"
        return retract(
            index,
            ingest.store.evidence,
            undone=[episode] if episode else [],
            tombstones=stones,
            subject=f"forget: {one_line(what, 100)}",
        )

    facts, episode = _forgettable(ingest.index, ref)
    gone = [fact.id for fact in facts] + ([episode.id] if episode else [])
    return _commit(ingest, change), gone


def _commit(ingest: Ingest, change: Callable[[Index], ChangeSet]) -> Applied:
    """Write a change as one commit; it is made from the store as it stands under the lock."""
    return ingest.writer.commit(lambda: [change(ingest.index)])[1]


def _episodes(ingest: Ingest, index: Index, ref: str) -> list[Episode]:
    """Return the episodes that an id, a citation, a session, a source or a commit stands for."""
    bare = ref.split("@", 1)[0].split(":", 1)[0]
    if episode := index.episodes.get(bare):
        return [episode]
    by_session = [e for e in index.episodes.values() if e.session == ref]
    if by_session:
        return by_session
    if any(episode.source == ref for episode in index.episodes.values()):
        return _of_source(index, ref) or [e for e in index.episodes.values() if e.source == ref]
    if len(ref) >= 7:
        for commit in ingest.store.log():
            if commit.id.startswith(ref):
                ids = [value for key, value in commit.trailers if key == "Scry-Episode"]
                found = [index.episodes[i] for i in ids if i in index.episodes]
                if found:
                    return found
    raise UnknownNameError(ref)


def _forgettable(index: Index, ref: str) -> tuple[list[Fact], Episode | None]:
    """Return the facts that go, and the episode if one is meant."""
    key = ref.removesuffix(".md").rsplit("/", 1)[-1].rsplit("--", 1)[-1]
    if fact := index.facts.get(key) or index.waiting.get(key):
        return index.files_of(birth_of(fact)[0]), None
    bare = ref.split("@", 1)[0].split(":", 1)[0]
    if episode := index.episodes.get(bare):
        facts = [f for birth in episode.facts for f in index.files_of(birth)]
        only = [f for f in facts if {c.episode for c in f.episodes} <= {bare}]
        return only, None if episode.extractor == UNDONE else episode
    slugs = index.names.find(ref)
    if len(slugs) != 1:
        raise UnknownNameError(ref, slugs)
    everything = (*index.facts.values(), *index.waiting.values())
    return [f for f in everything if slugs[0] in (f.src, f.dst)], None
