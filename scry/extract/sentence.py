"""What one sentence claims: the rows of the table, tried on it and on its clauses.

    sentence -> clauses -> gates of the row's kind -> the first row that fits -> a claim

The sentence is kept whole, for the reason often stands behind the comma.  What is named but of no
known kind stays text on a fact about the project; a kind is never guessed.
"""

import re
from dataclasses import replace

from scry.extract import patterns_words as words
from scry.extract.commands import command, is_command, purpose
from scry.extract.naming import Names
from scry.extract.patterns import KINDS, TABLE, Kind, Pattern
from scry.extract.speech import DEICTIC, NARRATION, ONE_OFF, TENTATIVE, TROUBLE, starts
from scry.model import Claim, Turn
from scry.text import one_line

_REASON = re.compile(
    r" (?:because|unless|until|otherwise|since|so that|or else) |[,;] ", re.IGNORECASE
)
"""Ends what a sentence states, so that a guess behind it is no guess about that."""
_TOKEN = re.compile(r"[a-z][\w-]*(?:\.(?:py|io))?")
WORD = re.compile(
    r"[a-z]+(?:'[a-z]+)?|[:=]|[а-яё]+|以后|永远|必须|不要|禁止|始终|总是|务必|决定|改用|选择了|就用|必ず|絶対に|今後|常に|決め|決定|ことにし"
)
_BY_WORD: dict[bool, dict[str, list[int]]] = {True: {}, False: {}}
"""For the user and for the agent: which rows a word may lead to."""
_OF_COMMANDS = {number for number, pattern in enumerate(TABLE) if "<CMD" in pattern.shape}
for _number, _pattern in enumerate(TABLE):
    _kind = KINDS[_pattern.kind]
    for _user in (True, False):
        if not (_kind.agents_only if _user else _kind.users_only):
            for _word in _pattern.words:
                _BY_WORD[_user].setdefault(_word, []).append(_number)


def claim_of(text: str, turn: Turn, names: Names) -> Claim | None:
    """Return the claim of the first clause and row that fit; line and date come later."""
    user = turn.role == "user"
    rows = [(TABLE[row], TABLE[row].regex.match) for row in _rows(text, user=user)]
    for at in starts(text) if rows else ():
        for pattern, matches in rows:
            match = matches(text, at)
            # The gates are dear, and few rows match: no gate is asked before.
            if not match or _passing(text, KINDS[pattern.kind], user=user):
                continue
            groups = {name: said for name, said in match.groupdict().items() if said}
            if claim := _read(pattern, groups, text, names):
                sure = KINDS[pattern.kind].confidence - (0.0 if user else 0.1)
                return replace(claim, confidence=round(max(sure, 0.4), 2))
    return None


def _rows(text: str, *, user: bool) -> list[int]:
    """Return the rows that a text has a trigger word for, of those read from its speaker."""
    by_word = _BY_WORD[user]
    found = by_word.keys() & WORD.findall(text.lower())
    rows = {row for word in found for row in by_word[word]}
    if (
        "`" not in text
        and "./" not in text
        and words.PROGRAMS.isdisjoint(_TOKEN.findall(text.lower()))
    ):
        rows -= _OF_COMMANDS
    return sorted(rows)


def _passing(text: str, kind: Kind, *, user: bool) -> bool:
    """Say whether a sentence speaks of the moment or of a plan, and so not of what lasts."""
    guess = not kind.firm and TENTATIVE.search(_REASON.split(text)[0])
    return bool(
        guess
        or (kind.lasting and ONE_OFF.search(text))
        or (kind.calm and TROUBLE.search(text))
        or (not kind.told and not user and NARRATION.match(text))
    )


def _read(pattern: Pattern, groups: dict[str, str], text: str, names: Names) -> Claim | None:
    """Return what a match says; None where that is not clear enough."""
    kind = KINDS[pattern.kind]
    own = groups.get("what") or groups.get("bare") or groups.get("say") or ""
    said, value = _tidy(groups.get("say") or text), _tidy(own or text)
    about = names.subject(groups.get("s", ""), kind)
    if not about or (own and kind.subject == "loose" and DEICTIC.match(value)):
        return None
    value, action = _command(pattern, groups, text, value, names)
    if not value:
        return None
    src, label = about
    dst, value = _end(pattern.kind, groups, value, names, sure=not label)
    if not (dst or re.search(r"\w", value)) or dst == src or (label and value in words.TRANSIENT):
        return None
    placed = kind.subject in ("named", "placed")
    place = " ".join(filter(None, (label, _environment(text)))) if placed else ""
    told = kind.fact.format(said=said, what=value, q=action)
    return Claim(
        src=src,
        relation=kind.relation,
        dst=dst or None,
        value=None if dst else value,
        qualifier=action or place,
        fact=_standing_alone(told, names.project.name if label else src, own=told == said),
        origin="rules",
    )


def _command(
    pattern: Pattern, groups: dict[str, str], text: str, value: str, names: Names
) -> tuple[str, str]:
    """Return a value and what it is for; no value where it had to be a command and is none."""
    bare = "bare" in groups
    action = pattern.qualifier or words.ACTION_OF.get(groups.get("q", "").lower(), "")
    if pattern.kind in ("procedure", "advice"):
        value = command(value, bare=bare, names=names)
        action = purpose(text, value)
    elif pattern.kind == "command" and not is_command(value, bare=bare, names=names):
        return "", ""
    if action == "run" and words.TESTERS & set(value.split()):
        action = "test"
    return value, action


def _end(
    kind: str, groups: dict[str, str], value: str, names: Names, *, sure: bool
) -> tuple[str, str]:
    """Return the thing at the other end, or else its words; none where there must be one."""
    if "o" not in groups:
        return "", value
    if kind in ("site", "seat"):
        return names.place(groups["o"], sure=sure, plain=kind == "site")
    dst, words_for_it = names.end(groups["o"], kind)
    return dst, words_for_it


def _tidy(text: str) -> str:
    return one_line(text, 280).rstrip(" .!,:;")


def _standing_alone(said: str, src: str, *, own: bool) -> str:
    """Return a sentence that names its subject; `own` words may name it already."""
    if own and re.search(rf"(?<![\w-]){re.escape(src)}(?![\w-])", said, re.IGNORECASE):
        return f"{said}."
    first = said.partition(" ")[0]
    plain = first.lower().rstrip(":,").partition("'")[0]
    opening = first.lower() if plain in words.STARTERS else first
    return f"{src}: {opening}{said[len(first) :]}."


def _environment(text: str) -> str:
    """Return the one environment that a sentence names; "" for none or several."""
    found = {word.lower() for word in words.ENVIRONMENT.findall(text)}
    found = {"production" if word == "prod" else word for word in found}
    return found.pop() if len(found) == 1 else ""
