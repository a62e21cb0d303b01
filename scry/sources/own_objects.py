r"""Answers of Scry in JSON, found again in a transcript: `scry recall x --json`, pasted or quoted.

    {"query": "hermes", "facts": [{"id": "k3v9m2p8wq", "src": "hermes", ...}, ...], "near": [], ...}

So is what a model answers when it is asked what is worth keeping, by an agent as well.  Of a part
of an answer every object that stands whole in it is known by its keys.
"""

import json
import re

_OBJECT = re.compile(r'\{\s*"(?:id|slug|query|from|markdown|episode|episode_summary)"\s*:')
_KEYS = (
    *(frozenset(("fact", "src", "relation")), frozenset(("span", "session", "source"))),
    *(frozenset(("slug", "aliases")), frozenset(("query", "facts", "near"))),
    *(frozenset(("from", "to", "length")), frozenset(("markdown", "tokens", "facts"))),
    frozenset(("episode_summary", "facts")),
)
_TRIES = 64
"""Objects that are no JSON after all, at most, before it is given up."""


def without_objects(text: str) -> str:
    """Take out answers in JSON, whole or objects of them."""
    if not any(f'"{key}":' in text for key in ("src", "slug", "markdown", "episode_summary")):
        return text
    out, place, decoder, tries = [], 0, json.JSONDecoder(strict=False), _TRIES
    for opened in _OBJECT.finditer(text):
        if opened.start() < place or not tries:
            continue
        try:
            value, end = decoder.raw_decode(text, opened.start())
        except (ValueError, RecursionError):
            tries -= 1
            continue
        if any(keys <= value.keys() for keys in _KEYS):
            out.append(text[place : opened.start()])
            place = end
    return "".join(out) + text[place:]
