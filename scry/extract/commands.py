"""What in a sentence is a command, where it ends, and what it is for.

Backticks say where a command ends; without them it ends where prose begins again, and only a
program that is known counts.
"""

import re

from scry.extract import patterns_words as words
from scry.extract.naming import Names

_END = re.compile(
    r"(?:[,;](?= |$)|\.(?= [a-z]|$)| (?=\()| [-–—] | (?:whenever|before|after|from|when|if|then|and|on the|once|otherwise|because|so|but|or|for"
    r"|which|where|in|careful|as|first|again|every|to)(?= |$))"
)
_OF_THE_MOMENT = re.compile(
    r"git (?:log|status|diff|show|ls-files|blame|branch|stash|fetch|add|commit|checkout|reset|rebase|switch|restore|cherry-pick|rm|mv"
    r"|grep|init|clone)\b|(?:npm|pnpm|yarn|pip|cargo|brew|uv) (?:ci|i|install|add|uninstall|view|info|outdated|ls)\b"
)
"""What everybody knows or types in passing."""
_PURPOSES = {
    "test": "test tests testing suite specs",
    "build": "build builds building built compile compiled bundle",
    "deploy": "deploy deploys deploying deployment deployed ship shipping release releasing publish publishing",
    "run": "start starts launch serve",
}
_PURPOSE_OF = {word: action for action, said in _PURPOSES.items() for word in said.split()}


def is_command(text: str, *, bare: bool, names: Names) -> bool:
    """Say whether a literal is a command that is worth keeping, and not a name or a single test."""
    steps = re.sub(r"^(?:(?:[A-Z_]+=\S* |sudo |cd \S+ && ))+", "", text).split()
    if not steps or "::" in text or "-k" in steps or "…" in text:
        return False
    known = steps[0] in words.PROGRAMS or steps[0].startswith(("./", "bin/", "scripts/"))
    if bare:
        return known and not words.PROSE & set(steps)
    flagged = any(step.startswith("-") for step in steps[1:])
    return known or bool(names.thing(steps[0])) or (flagged and steps[0][0].isalpha())


def command(text: str, *, bare: bool, names: Names) -> str:
    """Return the command that a text begins with, or ""; `bare` says that it has no backticks."""
    if bare:
        text = _END.split(text, maxsplit=1)[0].rstrip(" .,:;")
    steps = text.split()
    if bare and steps[1:] and re.match(r"v?\d", steps[1]):
        return ""
    if bare and (
        (len(steps) < 2 and "/" not in text)
        or (steps[0] in words.ENGLISH and steps[1] in words.FILLERS)
    ):
        return ""
    kept = is_command(text, bare=bare, names=names) and not _OF_THE_MOMENT.match(text)
    return text if kept else ""


def purpose(text: str, told: str) -> str:
    """Return the one action that a sentence, outside its command, says the command is for."""
    around = text.replace(told, " ").lower()
    found = {_PURPOSE_OF[word] for word in re.findall(r"[a-z]+", around) if word in _PURPOSE_OF}
    return found.pop() if len(found) == 1 else ""
