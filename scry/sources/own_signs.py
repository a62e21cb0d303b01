r"""Whether a text may hold anything that Scry has printed, said at little cost: most hold nothing.

    sign   in everything of ours that could be learned    a handle's `--`, a date, `] user: `
    hint   in everything of ours                          `user)`, `Kept `, `"src":`

Asked of everything that was ever said, so words that share a rare sign are looked for together
where that sign stands: a closing parenthesis is found much faster than nine words before one.
"""

import re

_DATE = re.compile(r"20\d\d-\d\d-\d\d").search
_SPOKEN = re.compile(r"\] (?:user|assistant|document): ").search
_KEYED = re.compile(r'":(?:(?<="slug":)|(?<="markdown":)|(?<="episode_summary":))').search
_SOURCED = re.compile(r'":(?<="src":)').search
_BEFORE_PARENTHESIS = (
    *("person", "user", "assistant", "document", "rules"),
    *("episode", "episodes", "other words", "verified"),
)
_ENDED = re.compile(
    rf"\)(?:{'|'.join(rf'(?<={words}[)])' for words in _BEFORE_PARENTHESIS)})"
).search
_OPENED = re.compile(r"\[(?:20|notes-|(?<=- \[))").search
_WORDS = (
    ("scry", ("with scry_recall", "scry show ", "scry pending")),
    ("known a", ("known about '", "known already, with")),
    ("type: ", ("type: fact", "type: episode")),
    ("Kept", ("Kept ", "Kept; ")),
    *((words, (words,)) for words in ("with dates; data", "learn: ", "\nname: ")),
    *((words, (words,)) for words in ("Scry-", "## Recent", "Remembered: ")),
)
"""Hints by what is rare in all of them."""


def may_hold_ours(text: str) -> bool:
    """Say whether a text has a sign of what could be learned, and a hint that it is ours."""
    return _has_sign(text) and _has_hint(text)


def _has_sign(text: str) -> bool:
    return bool(
        "--" in text
        or "scry" in text
        or _DATE(text)
        or ("] " in text and _SPOKEN(text))
        or ('":' in text and _KEYED(text))
        or "with dates; data" in text
        or "known about '" in text
    )


def _has_hint(text: str) -> bool:
    if _ENDED(text) or _OPENED(text) or _SPOKEN(text) or _KEYED(text) or _SOURCED(text):
        return True
    return any(rare in text and any(hint in text for hint in hints) for rare, hints in _WORDS)
