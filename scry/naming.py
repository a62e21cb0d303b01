"""Which things a question names: exactly, one letter off, or not at all.

    "what port does hermes use?"        names Hermes
    "what port does hremes use?"        names Hermes, and says that it took a wrong letter for it
    "what port does hermes-east use?"   names nothing: another name, whatever it begins with

A name that goes on where a known one ends (`hermes3`, `hermes-east`, `Ada Perlman`) is another
name.  Two letters that changed places inside a word are a slip, if one name alone can be meant.
"""

import re
from collections import Counter
from dataclasses import dataclass

from scry.asking import is_plain
from scry.index import Index
from scry.match import nearest
from scry.namelike import has_name_shape, is_one_slip, stands_as_name
from scry.question import tokens_of
from scry.search import Texts
from scry.text import normalise_name

# What may be tied to a name by a hyphen without making another name of it.
_TAILS = re.compile(
    r"-(?:based|related|specific|side|style|like|only|driven|powered|backed|owned|managed|wide|free)\b",
    re.IGNORECASE,
)
_PLACE = (
    r"(?:project|repo|repository|code ?base|code|package|app|application|program|workspace|directory"
    r"|dir|folder|checkout|clone|tree|module|library)"
)
_HERE = re.compile(
    rf"\b(?:this|the current|the present|our|my) (?:\w+ )?{_PLACE}\b|\bhere\b"
    rf"|\b{_PLACE} (?:where |that |which )?(?:i|we)(?:['’]m| am|['’]re| are)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Named:
    """Words of a question, and the slugs of all the entities that they may mean.

    `exact` is False where the words are a slip or stand in another order; `weak` says that the
    words are also words of the language, written as such.
    """

    words: str
    slugs: tuple[str, ...]
    exact: bool = True
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Naming:
    """What a question names, and what looks like a name in it that nobody bears."""

    named: tuple[Named, ...] = ()
    unknown: tuple[str, ...] = ()
    here: bool = False
    """Whether it speaks of the project that the asker stands in."""


def naming(index: Index, texts: Texts | None, query: str) -> Naming:
    """Return what a question names.  Without texts only whole names are looked up."""
    whole = query.strip().strip("?!.,").strip()
    for name in (query.strip(), whole):
        if owners := _owners(index, name):
            return Naming((Named(name, owners),))
    if texts is None:
        return Naming()
    named, compounds = _inside(index, query)
    here = bool(_HERE.search(query))
    if not named and (swapped := _reordered(index, whole)):
        return Naming((swapped,), here=here)
    unknown = _unknown(texts, query, named, compounds)
    if slip := _slip(index, texts, query, unknown):
        wrong, right = slip
        return Naming((*named, right), tuple(u for u in unknown if u != wrong), here)
    return Naming(named, unknown, here)


def near_names(index: Index, unknown: tuple[str, ...] | list[str], *, limit: int = 5) -> list[str]:
    """Return known names that are spelt much like any of the unknown ones."""
    spellings = _spellings(index)
    found = [name for word in unknown for name in nearest(word, spellings)]
    for word in unknown:
        # The known beginning of a longer name is the likeliest thing to have been meant.
        found += [s for s in spellings if len(s) > 2 and word.casefold().startswith(s.casefold())]
    return list(dict.fromkeys(found))[:limit]


def _spellings(index: Index) -> list[str]:
    return sorted({n for slug in index.entities for n in index.names.spellings(slug)})


def _owners(index: Index, name: str) -> tuple[str, ...]:
    found = index.names.find(name) if name else []
    return tuple(slug for slug in found if slug in index.entities)


def _inside(index: Index, query: str) -> tuple[tuple[Named, ...], list[str]]:
    """Return the names inside a question, and longer words that a name is only a part of."""
    named: list[Named] = []
    compounds: list[str] = []
    for key, words in index.names_in(query, whole=False).items():
        owners = _owners(index, key)
        match, compound = _place(words, query)
        if compound:
            compounds.append(compound)
        elif owners:
            shown = match or words
            named.append(Named(shown, owners, weak=_weak(index, query, shown, owners)))
    strong = [n for n in named if not n.weak]
    return (*strong, *(n for n in named if n.weak)), compounds


def _place(words: str, query: str) -> tuple[str, str]:
    """Return how a name is written in a question, or the longer word that it is a part of."""
    pattern = r"[\s_-]+".join(re.escape(word) for word in words.split(" "))
    longer = ""
    for match in re.finditer(rf"(?<![^\W_]){pattern}(?![^\W_])", query, re.IGNORECASE):
        before, after = query[: match.start()], query[match.end() :]
        tied = re.search(r"[\w.]+[-_]$", before)
        tail = re.match(r"[-_]\w[\w.-]*", after)
        surname = re.match(r" [A-Z][a-z]+\b", after) if match[0][:1].isupper() else None
        if tied or (tail and not _TAILS.match(after)):
            longer = (tied[0] if tied else "") + match[0] + (tail[0] if tail else "")
        elif surname and " " not in match[0] and not is_plain(surname[0].strip().casefold()):
            longer = match[0] + surname[0]
        else:
            return match[0], ""
    return "", longer


def _weak(index: Index, query: str, words: str, owners: tuple[str, ...]) -> bool:
    """Say whether words are more likely plain words than the name that is spelt so.

    "Cache" in a question is the thing called Cache; "which cache" and "a cold cache" are not.
    """
    if " " in words or words != words.lower():
        return False
    if is_plain(words) or words in _GENERIC:
        return True
    if any(words in index.names.spellings(slug) for slug in owners):
        return False
    before = re.search(rf"(\w+)\s+{re.escape(words)}(?!\w)", query, re.IGNORECASE)
    led = before[1].lower() if before else ""
    return led in _PICKING or (bool(led) and not is_plain(led))


_PICKING = frozenset("which what any a an some no each every other another".split())
_GENERIC = frozenset(
    "agent api app backend bot cache cli client database frontend gateway job mail notes proxy queue"
    " runner search store table web worker".split()
)


def _reordered(index: Index, whole: str) -> Named | None:
    """Return the one entity whose name holds exactly these words in another order."""
    bag = Counter(normalise_name(whole).split(" "))
    if not 1 < bag.total() <= 6:
        return None
    found = {
        index.names.final(slug)
        for slug in index.entities
        for name in index.names.spellings(slug)
        if Counter(normalise_name(name).split(" ")) == bag
    }
    return Named(whole, tuple(found), exact=False) if len(found) == 1 else None


# --- names that nobody bears --------------------------------------------------------------------


def _unknown(
    texts: Texts, query: str, named: tuple[Named, ...], compounds: list[str]
) -> tuple[str, ...]:
    """Return what looks like a name that is nowhere on record, the likeliest first."""
    rest = query
    for name in named:
        rest = re.sub(rf"(?<!\w){re.escape(name.words)}(?:['’]s)?(?!\w)", " ", rest)
    found = [c for c in compounds if not texts.knows(c)]
    covered = " ".join(found).casefold()
    for token in tokens_of(rest):
        if is_plain(token) or token in covered or texts.knows(token):
            continue
        if has_name_shape(token, query) or stands_as_name(token, query):
            found.append(token)
    return tuple(found)


def _slip(
    index: Index, texts: Texts, query: str, unknown: tuple[str, ...]
) -> tuple[str, Named] | None:
    """Return the one name that a word with one wrong letter inside it can only mean."""
    candidates = [t for t in tokens_of(query) if len(t) > 4 and not is_plain(t)]
    words = {w for s in _spellings(index) for w in normalise_name(s).split(" ")}
    for token in dict.fromkeys((*unknown, *candidates)):
        low = token.casefold()
        if low in words or texts.knows(token):
            continue
        parts = re.split(r"[\s_-]+", low)
        wrong = [p for p in parts if p not in words]
        if len(wrong) != 1:
            continue
        found: dict[tuple[str, ...], Named] = {}
        for right in sorted(w for w in words if is_one_slip(wrong[0], w)):
            mended = re.sub(re.escape(wrong[0]), right, query, flags=re.IGNORECASE)
            for name in _inside(index, mended)[0]:
                if right in normalise_name(name.words).split(" "):
                    found[name.slugs] = Named(token, name.slugs, exact=False)
        if len(found) == 1:
            return token, next(iter(found.values()))
    return None
