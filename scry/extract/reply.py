"""The check of a reply: text in, extraction or `BadReplyError` out, and nothing else ever.

A pure function of the reply and of the chunk that it answers.  It does not ask what the store
knows, so the same reply means the same whenever it comes; whether a name is known, and whether the
episode names what a fact is about, is decided when the extraction is resolved.

One bad item never costs the others.  But a reply of which less than half can be used is taken for
a misunderstanding, and the next extractor is asked.
"""

import re
from collections.abc import Collection, Sequence

from scry.errors import BadReplyError, ExtractionError, ScryError
from scry.extract.claims import read_facts, usage_of
from scry.extract.clean import cut, prose
from scry.extract.declared import read_entities
from scry.extract.find import Reply, find_object
from scry.extract.guard import steering
from scry.extract.turns import Turns
from scry.model import Chunk, Declared, Extraction

MAX_ENTITIES = 64
MAX_FACTS = 256
MAX_SUMMARY = 1_000
_NAME_LIKE = re.compile(r"\b(?=\w*[^\W\d])\w+(?:[-_./:]\w+)+\b|\b[^\W\d]+\d\w*")
"""What can only be a name: `nuc-garden`, `db1`, `src/app.py`."""
_WORD = re.compile(r"[^\W_]+")
NO_SUMMARY = "(The summary was left out, because it addresses the agent that reads it.)"


def parse_reply(text: str, chunk: Chunk, *, extractor: str) -> Extraction:
    """Return what a reply says about the chunk that it was asked for.

    `refused` of the result tells what was not taken, with the reason: items as `facts[3]: ...`,
    cleaned fields as `entities[0].aliases: ...`.  It repeats no words that are unsafe.

    Raises:
        BadReplyError: nothing of the reply can be used.
    """
    try:
        return _read(find_object(text), chunk, extractor)
    except ExtractionError:
        raise
    except ScryError as error:  # The redactor gave up; what it cannot judge is not used.
        raise BadReplyError(str(error)) from None


def _read(reply: Reply, chunk: Chunk, extractor: str) -> Extraction:
    summary = reply["episode_summary"]
    if not isinstance(summary, str) or not prose(summary, MAX_SUMMARY):
        raise BadReplyError("The reply's 'episode_summary' is not a sentence.")
    entities = _items(reply["entities"], "entities", MAX_ENTITIES)
    facts = _items(reply["facts"], "facts", MAX_FACTS)

    roster = read_entities(entities, usage_of(facts))
    found = read_facts(facts, roster, Turns(chunk.turns), chunk.episode.occurred_at)
    _check_about(roster.entities.values(), chunk)
    kept, notes = _summary(summary, chunk)
    notes += roster.notes + found.notes
    _check_half(roster.usable + found.usable, len(entities) + len(facts), notes)
    return Extraction(
        extractor=extractor,
        summary=kept,
        entities=tuple(roster.entities.values()),
        claims=tuple(found.claims.values()),
        refused=tuple(notes),
    )


def _items(value: object, name: str, most: int) -> Sequence[object]:
    if not isinstance(value, list):
        raise BadReplyError(f"The reply's '{name}' is not a list.")
    if len(value) > most:
        raise BadReplyError(f"The reply has {len(value)} {name}; more than {most} is a runaway.")
    return value


def _summary(text: str, chunk: Chunk) -> tuple[str, list[str]]:
    """Return the summary as it is kept, and why it is not; "" leaves it to the turns' own words."""
    kept = cut(prose(text, MAX_SUMMARY), MAX_SUMMARY)
    reason = steering(kept)
    if reason:
        return NO_SUMMARY, [f"episode_summary: it was left out: it {reason}."]
    names = set(_NAME_LIKE.findall(kept.casefold()))
    said = f"{chunk.text} {chunk.context}".casefold()
    if 2 * sum(name in said for name in names) < len(names):
        return "", ["episode_summary: it was left out: it names what the episode does not."]
    return kept, []


def _check_about(entities: Collection[Declared], chunk: Chunk) -> None:
    """Refuse a reply that names things and not one that the record names: it is about another."""
    episode = chunk.episode
    said = f"{chunk.text} {chunk.context} {episode.repo} {episode.cwd} {episode.branch}"
    words = set(_WORD.findall(said.casefold()))
    for entity in entities:
        for name in (entity.name, *entity.aliases):
            # One word in common is enough: names may be made up of words that were said.
            if name.casefold() in said.casefold() or words & set(_WORD.findall(name.casefold())):
                return
    if entities:
        raise BadReplyError("The reply names nothing that the episode names; it is about another.")


def _check_half(usable: int, submitted: int, notes: Sequence[str]) -> None:
    if 2 * usable < submitted:
        raise BadReplyError(
            f"Only {usable} of the reply's {submitted} items can be used. " + " ".join(notes[:3])
        )
