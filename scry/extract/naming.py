"""What the names in a chunk's sentences stand for, for the rules.

A name is the project, or a thing whose kind its own sentence tells ("the server db1").  Any other
name is only words: a kind is never guessed.  What else the store knows is not asked, or the order
in which sessions arrive would decide what is learned.
"""

import re
from collections.abc import Sequence

from scry.extract import patterns_words as words
from scry.extract.literal import is_shape
from scry.extract.patterns import Kind
from scry.model import Chunk, Claim, Declared
from scry.text import is_safe_name, normalise_name


class Names:
    """The project of a chunk, and what names in its sentences stand for."""

    def __init__(self, chunk: Chunk) -> None:
        self.project = Declared(name=_project_name(chunk), type="project")
        key = normalise_name(self.project.name)
        self._things = {key: self.project} if key else {}
        found = (re.findall(r"(?<=[a-z,;)] )[A-Z][\w+#.-]*", turn.text) for turn in chunk.turns)
        self._capitals = {word.rstrip(".-") for capitals in found for word in capitals}

    def thing(self, phrase: str) -> Declared | None:
        """Return the entity that a phrase surely means: known, or of a kind that it tells."""
        plain = _plain(phrase)
        key = normalise_name(plain)
        if known := self._things.get(key):
            # "the server" is not the thing called Server.
            return known if key not in words.GENERIC or known.name in phrase else None
        first, _, after = plain.partition(" ")
        before, _, last = plain.rpartition(" ")
        if (kind := words.KIND_BEFORE.get(first.lower())) and re.fullmatch(r"[\w.-]+", after):
            named = self.is_name(after) or re.fullmatch(r"[a-z]+-?\d+", after)
            return self._told(after, kind) if named else None
        if (kind := words.KIND_AFTER.get(last.lower())) and self.is_name(before):
            return self._told(before, kind)
        return None

    def _told(self, name: str, kind: str) -> Declared:
        return self._things.setdefault(normalise_name(name), Declared(name=name, type=kind))

    def tool(self, phrase: str) -> Declared | None:
        """Return the well-known program that a phrase names."""
        plain = _plain(phrase)
        return Declared(name=plain, type="tool") if plain.lower() in words.TOOLS else None

    def is_name(self, phrase: str) -> bool:
        """Say whether a phrase reads like a proper name, of whatever it may be."""
        plain = _plain(phrase)
        first, *rest = plain.split() or [""]
        if not plain[:1].isalpha() or len(rest) > 2 or not is_safe_name(plain) or is_shape(plain):
            return False
        ends = {word.lower() for word in (first, *rest[-1:])}
        if words.NO_NAME.fullmatch(plain) or ends & words.GENERIC:
            return False
        if not rest and ("`" in phrase or re.fullmatch(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+", first)):
            return True
        plainly = re.fullmatch(r"[A-Z][a-z]*", first) and not any(w[0].isupper() for w in rest)
        # A word that merely opens the sentence has a capital too.
        return first[0].isupper() and (not plainly or first in self._capitals)

    def subject(self, phrase: str, kind: Kind) -> tuple[str, str] | None:
        """Return whom a fact is about, and the name of a part of it that is no entity."""
        about = self.project.name
        phrase = phrase.rstrip(" .,:;!")
        if phrase.lower() in (words.OWN if kind.subject == "own" else words.SELF):
            vague = kind.relation == "status" and " " not in phrase
            return (about, "") if about and not vague else None
        if thing := self.thing(phrase):
            return thing.name, ""
        if not about or kind.subject == "own":
            return None
        if kind.subject == "placed":
            plain = _plain(phrase)
            return None if words.CODE & set(plain.lower().split()) else (about, plain)
        if kind.subject == "loose":
            return about, ""
        return (about, _plain(phrase)) if self.is_name(phrase) else None

    def end(self, phrase: str, kind: str) -> tuple[str, str]:
        """Return the entity at the other end of a fact, or else the words for it, if clear."""
        plain = _plain(phrase)
        if thing := self.thing(phrase) or (self.tool(phrase) if kind != "move" else None):
            return thing.name, ""
        if self.is_name(phrase):  # What runs on Python 3.12 or moves to Rust has not gone anywhere.
            known = kind != "dead end" and plain.lower().split()[0] in words.TOOLS
            return "", "" if known else plain
        address = re.fullmatch(r"(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?|[\d.:]{7,}", plain)
        machine = " " in plain and plain.lower().split()[-1] in words.MACHINES
        return "", plain if kind != "dead end" and (address or machine) else ""

    def place(self, phrase: str, *, sure: bool, plain: bool) -> tuple[str, str]:
        """Return the end for something that runs, like `end`.

        `sure` says that it surely is something that runs, `plain` that the verb says so.
        """
        told = _plain(phrase)
        parts = told.lower().split()
        alone = len(parts) == 1 or words.DETERMINERS.intersection(parts[:1])
        if not parts or (alone and parts[0] in words.NO_PLACE) or words.CODE & set(parts):
            return "", ""
        if (thing := self.thing(phrase)) and thing != self.project:
            return thing.name, ""
        named = self.is_name(phrase) and parts[0] not in words.TOOLS
        lone = sure and len(parts) == 1 and re.fullmatch(r"[a-z][a-z-]{2,}", told)
        clear = (
            _is_place(told, phrase)
            or (named and (sure or (plain and not told.islower())))
            or (lone and told not in words.GENERIC | words.TOOLS)
        )
        return "", told if clear else ""

    def declared(self, claims: Sequence[Claim]) -> tuple[Declared, ...]:
        """Return the project, and what else the claims need."""
        names = {name for claim in claims for name in (claim.src, claim.dst) if name}
        found = [self.thing(name) or self.tool(name) for name in sorted(names)]
        own = [self.project] if self.project.name else []
        return (*own, *(thing for thing in found if thing and thing != self.project))


def _is_place(told: str, phrase: str) -> bool:
    """Say whether words mean a machine, a provider or an address, whatever is said of it."""
    parts = told.lower().split()
    machine = len(parts) > 1 and words.MACHINES & {parts[-1], parts[-1].removesuffix("s")}
    owned = re.match(r"(?:the|our|my) (?:nas|mini|pi|vps|laptop|desktop|cluster)$", phrase.lower())
    address = re.fullmatch(r"(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?|[\d.:]{7,}", told)
    numbered = re.fullmatch(r"(?!python|node|http|es|utf|sha|v\d|h\d)[a-z]+-?\d+", told.lower())
    return bool(machine or owned or address or numbered or words.PROVIDERS & set(parts))


def _project_name(chunk: Chunk) -> str:
    """Return the last part of the repository's name; without a remote, that of its folder."""
    episode = chunk.episode
    local = episode.repo.startswith("root:")
    place = (episode.cwd if local else episode.repo).replace("\\", "/").rstrip("/")
    owner, _, name = place.removesuffix(".git").rpartition("/")
    if local and name.lower() in words.GENERIC | words.FOLDERS:
        return ""
    if name.lower() in words.GENERIC and owner:
        name = f"{owner.rpartition('/')[2]}/{name}"
    return name if episode.repo and is_safe_name(name) and any(map(str.isalpha, name)) else ""


def _plain(phrase: str) -> str:
    """Return a phrase without article, environment, backticks and closing signs."""
    bare = re.sub(r"\(.*?\)", "", words.ENVIRONMENT.sub("", phrase.replace("`", "")))
    bare = re.sub(r"^(?:the|our|my|this|an?) ", "", " ".join(bare.split()), flags=re.IGNORECASE)
    return bare.rstrip(" .,:;!?-")
