"""A question, read: what it is about, what it asks for, and how well a fact's kind answers it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from scry.asking import (
    FOR_LEAVE,
    FOR_PURPOSE,
    FOR_STATE,
    PLANNING,
    PURPOSES,
    RULES,
    STATES,
    STOP,
    WANTS,
    Want,
    asking,
    crude,
    kinds,
)
from scry.model import Fact

_SHAPES = {
    "url": re.compile(r"\w+://|\b[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|io|dev|example|local|app)\b"),
    "hash": re.compile(r"\b(?=\w*\d)(?=\w*[a-f])[0-9a-f]{7,64}\b"),
    "version": re.compile(r"\bv?\d+\.\d+(?:\.\w+)*\b"),
    "port": re.compile(r"(?:^|\bport |:)\d{2,5}\b", re.IGNORECASE),
    "path": re.compile(r"(?:^|[\s`'\"(])(?:~|\.{0,2})/[\w.]"),
}
_COMMAND = re.compile(
    r"^(?:\./|[$>] )|^(?:sudo )?(?:ansible|bash|bazel|bin|bun|bundle|cargo|cmake|composer|deno|docker"
    r"|docker-compose|dotnet|flask|fly|gh|git|go|gradle|gradlew|helm|invoke|java|just|kubectl|make"
    r"|mix|mvn|ninja|node|nox|npm|npx|pipx?|pnpm|podman|poetry|pre-commit|pytest|python3?|rails|rake"
    r"|ruff|rsync|ruby|scp|scry|sh|ssh|swift|systemctl|task|terraform|tox|uvx?|vagrant|yarn)(?:[ -]\S|$)"
)
_QUOTED = re.compile(r"`([^`\n]+)`")
_LONGEST = 60
"""Words of a question that are read; a whole page that was pasted says no more."""
_RELEASE = re.compile(r"\S+ v?\d[\w.]*")
"""`node 22.1` is a version of something, not a command."""
_TOKEN = re.compile(r"[^\s,;!?\"“”()\[\]{}<>`]+")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read: words that say what it is about, and words of asking.

    `content` are the telling words, `asking` those that also say what kind of answer is wanted;
    both in order, each once, in lower case.  Words of the names it names are in neither.
    """

    content: tuple[str, ...]
    asking: tuple[str, ...]
    wants: tuple[tuple[Want, float], ...]
    plans: bool

    @property
    def words(self) -> tuple[str, ...]:
        """All words that texts can be searched for."""
        return self.content + self.asking


def read(text: str, names: Iterable[str] = ()) -> Question:
    """Return what a question asks for, the given names taken out of it."""
    rest = text
    for name in sorted(names, key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", " ", rest, flags=re.IGNORECASE)
    tokens = tokens_of(rest)[:_LONGEST]
    table = asking()
    wants = [(want, _strength(want, tokens)) for want in WANTS if want is not PURPOSES]
    wants.append((PURPOSES, 1.0 if FOR_PURPOSE.search(text) else 0.0))
    wants.append((STATES, 1.0 if FOR_STATE.match(text) else 0.0))
    if FOR_LEAVE.match(text):  # Asks for leave, so for a rule; a command is no answer to that.
        wants = [(w, s) for w, s in wants if "command" not in w.shapes] + [(RULES, 1.0)]
    return Question(
        content=tuple(t for t in tokens if t not in STOP and crude(t) not in table),
        asking=tuple(t for t in tokens if crude(t) in table and t not in STOP),
        wants=tuple((want, strength) for want, strength in wants if strength),
        plans=bool(PLANNING & set(tokens)),
    )


def tokens_of(text: str) -> list[str]:
    """Return the words of a text in lower case, each once; paths and versions stay whole.

    >>> tokens_of("Where's /srv/app, v1.2?")
    ['where', '/srv/app', 'v1.2']
    """
    words = (_bare(token) for token in _TOKEN.findall(text.casefold()))
    return list(dict.fromkeys(word for word in words if any(c.isalnum() for c in word)))


def _bare(token: str) -> str:
    return re.sub(r"['’](?:s|re|d|ll|ve|m|t)$", "", token.strip(".:'‘’*_-")).rstrip("/.")


def _strength(want: Want, tokens: list[str]) -> float:
    """Return how strongly words ask for a kind of answer: words of few kinds tell more."""
    stems = dict.fromkeys(map(crude, tokens))
    told = sum(1 / kinds(stem) for stem in stems if stem in want.words)
    return min(told, 1.5)


def fit(question: Question, fact: Fact, end_type: str) -> float:
    """Return how well a fact's kind answers a question, from 0 to 4; 1.5 is a good fit.

    `end_type` is the type of the entity at the far end, "" for a literal.
    """
    scores = sorted(
        (strength * _answers(want, fact, end_type) for want, strength in question.wants),
        reverse=True,
    )
    return min(
        4.0, sum(score * share for score, share in zip(scores, (1, 1 / 3, 1 / 9), strict=False))
    )


def _answers(want: Want, fact: Fact, end_type: str) -> float:
    typed = end_type in want.types
    shaped = any(has_shape(fact, shape) for shape in want.shapes)
    marked = bool(want.qualifiers) and fact.qualifier.casefold().startswith(want.qualifiers)
    exact = typed or shaped or marked or not (want.types or want.shapes)
    related = fact.relation in want.relations
    return 0.5 * related + 0.5 * (related and exact) + 0.5 * typed + 0.7 * shaped + marked


def has_shape(fact: Fact, shape: str) -> bool:
    """Say whether the literal of a fact is of a shape: port, url, path, version, hash, command.

    `words` is a literal of several words.
    """
    if shape == "command":
        return bool(command_of(fact))
    if fact.value is None:
        return False
    if shape == "words":
        return " " in fact.value
    return bool(_SHAPES[shape].search(fact.value))


def command_of(fact: Fact) -> str:
    """Return the command that a fact gives, in full, or ""."""
    for quoted in (fact.value or "", *_QUOTED.findall(fact.fact)):
        text: str = quoted.strip().strip("`")
        if _COMMAND.match(text) and not _RELEASE.fullmatch(text):
            return text
    return ""
