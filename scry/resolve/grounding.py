"""Is what a reply talks about really named in the episode?  If not, the fact waits for a person.

A model that is asked about one conversation sometimes answers with things from nowhere.  Both
ends of a fact must be named in the text, by any spelling on record.  Decisions and runbooks
have names that the model makes up; for them the words of the sentence must come from the text.
"""

import re
from functools import lru_cache

from scry.model import REMEMBERED, Episode
from scry.names import Names, declarations
from scry.statement import UNNAMED, Statement, join_reasons
from scry.text import normalise_name

_WORDS = re.compile(r"[^\W_]{4,}")
_MADE_UP = ("decision", "runbook")


def ungrounded(statement: Statement, names: Names, episode: Episode, text: str) -> str:
    """Return the reasons why a statement is not grounded in an episode; "" when it is."""
    if episode.extractor == REMEMBERED:
        return ""  # Whoever asked for it named both ends beside the text.
    declared = declarations(episode)
    # An extractor is shown the repository and the folder as well.
    places = " ".join(place.rsplit("/", 1)[-1] for place in (episode.repo, episode.cwd))
    text = f"{places}\n{text}"
    missing = []
    for key, said in ((statement.src, statement.said_src), (statement.dst, statement.said_dst)):
        if key is None:
            continue
        entity = declared[key].entity if key in declared else None
        spellings = {said or key, *(entity.aliases if entity else ()), *_spellings(key, names)}
        if any(is_named(text, name) for name in spellings):
            continue
        if entity is not None and entity.type == "person" and _called(text, entity.name):
            continue
        made_up = entity is not None and entity.type in _MADE_UP
        if not (made_up and _shares_words(text, statement.fact)):
            missing.append(UNNAMED + key)
    return join_reasons(*missing)


def _spellings(key: str, names: Names) -> set[str]:
    slug, _ = names.route(key)
    return names.all_spellings(slug) if slug else set()


def is_named(text: str, name: str) -> bool:
    """Say whether a text holds a name as a whole: hermes is not in hermes-ops.

    >>> is_named("ask Hermes, please", "hermes"), is_named("hermes-ops is up", "hermes")
    (True, False)
    """
    key = normalise_name(name)
    if not key:
        return False
    if any(ord(char) > 0x2E80 for char in key):
        return key in text.casefold()
    return _pattern(key).search(_folded(text)) is not None


@lru_cache(maxsize=4096)
def _pattern(key: str) -> re.Pattern[str]:
    # A sign that belongs to names (C++, C#, v1.2, a-b) must not follow or precede directly.
    words = r"[\s_-]+".join(re.escape(word) for word in key.split(" "))
    return re.compile(rf"(?<![\w+#])(?<![\w][._/-]){words}(?![\w+#])(?![._-]\w)")


@lru_cache(maxsize=8)
def _folded(text: str) -> str:
    return text.casefold()


def _called(text: str, name: str) -> bool:
    """Say whether a person is called by a part of the name: people say Priya, not Priya Raman."""
    return any(is_named(text, part) for part in name.split() if len(part) > 2)


def _shares_words(text: str, sentence: str) -> bool:
    """Say whether at least half of a sentence's longer words stand in the text."""
    words = set(_WORDS.findall(sentence.casefold()))
    there = set(_WORDS.findall(_folded(text)))
    return not words or 2 * len(words & there) >= len(words)
