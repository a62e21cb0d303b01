"""Which strings may name something.

Refused are names that could impersonate or escape (hidden characters, paths), that are secrets,
and that point at whatever is nearby ("the app", "it", "server"): a role word as a name or alias
catches everything that is ever said about any app.
"""

import unicodedata

from scry.extract.clean import has_hidden
from scry.extract.guard import steering
from scry.redact import redact
from scry.text import is_safe_name, normalise_name

MAX_NAME = 120

_POINTERS = frozenset(
    """the a an this that these those our my your their its his her some any each every another it they
    them he she we us you i me mine ours here there something everything nothing anything someone
    everyone nobody same above below former latter whatever which who what""".split()
)
_ADJECTIVES = frozenset(
    """main new old other current previous next first second last existing local remote whole entire
    latest default actual own specific given real proper""".split()
)
# What a thing is, by the type that it would have; "" belongs to no type.
_ROLES = {
    "project": "project app application repo repository codebase code package library website site program",
    "service": "service backend frontend api app application bot daemon database db process",
    "machine": "machine server host computer laptop desktop box node vm pc workstation cluster",
    "tool": "tool script program cli utility command library package",
    "person": "person user human developer dev team owner maintainer colleague customer client admin"
    " agent assistant ai model llm author operator engineer",
    "decision": "decision choice",
    "runbook": "runbook steps procedure instructions guide",
    "concept": "concept idea thing feature change approach pattern",
    "": "system component module file folder directory function method class bug issue problem task"
    " ticket test tests build branch commit session conversation chat master config configuration"
    " settings env environment production prod staging development localhost data output input result"
    " results error errors log logs docs documentation readme version release update fix plan option"
    " stuff item items entity name value object one ones part rest way part instance version work",
}
_ROLE_OF = {kind: frozenset(words.split()) for kind, words in _ROLES.items()}
_ALL_ROLES = frozenset().union(*_ROLE_OF.values())


def objection(name: str, kind: str = "") -> str:
    """Return why a name cannot stand for anything, or "" where it can.

    Args:
        name: as `spelling` gives it.
        kind: the type of what it names, "" where nobody has said.
    """
    if not name:
        return "the name is empty"
    if has_hidden(name) or not is_safe_name(name):
        return "the name holds hidden or control characters"
    if len(name) > MAX_NAME:
        return f"the name is longer than {MAX_NAME} characters"
    if redact(name) != name:
        return "the name is a secret"
    if is_generic(name, kind):
        return "the name is a word for anything nearby"
    fault = "is punctuation only" if not _is_word(name) else steering(name)
    return f"the name {fault}" if fault else ""


def _is_word(name: str) -> bool:
    """Say whether a name holds a letter, a digit or a picture such as an emoji."""
    kinds = map(unicodedata.category, name)
    return any(kind[0] in "LN" or kind == "So" for kind in kinds)


def is_generic(name: str, kind: str = "") -> bool:
    """Say whether a name is only a role, a pronoun or a pointer.

    A single role word with a capital may be a proper name, unless it says no more than the type.

    >>> is_generic("the app"), is_generic("server"), is_generic("it"), is_generic("app server 2")
    (True, True, True, False)
    >>> is_generic("Server", "service"), is_generic("Server", "machine"), is_generic("Next", "tool")
    (False, True, False)
    """
    words = _words(name)
    rest = {word for word in words if word not in _POINTERS}
    if not rest <= _ADJECTIVES | _ALL_ROLES:
        return False
    proper = len(words) == 1 and bool(rest) and name[0].isupper()
    return not proper or words[0] in _ROLE_OF.get(kind, frozenset())


def _words(name: str) -> list[str]:
    # The key drops "the", and "the" is what makes "the app" a pointer.
    article = ["the"] if name.casefold().startswith("the ") else []
    return article + normalise_name(name).split()
