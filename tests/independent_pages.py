"""Reads a store's folder with other programs' eyes: python-frontmatter, and no code of Scry's."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import frontmatter
import yaml

FOLDERS = ("entities", "facts", "episodes", "review", "forgotten")
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069]"
)
_CONFLICT = re.compile(r"^(?:<{7} |={7}$|>{7} )", re.MULTILINE)


class _Plain(frontmatter.YAMLHandler):
    """All scalars are text, and a key that stands twice is an error."""

    def load(self, fm: str, **_: object) -> Any:
        return yaml.load(fm, Loader=_Strict)


class _Strict(yaml.CBaseLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:  # noqa: FBT001, FBT002
        keys = [key.value for key, _ in node.value]
        if len(keys) != len(set(keys)):
            raise yaml.YAMLError("a key stands twice")
        return super().construct_mapping(node, deep=deep)


@dataclass(frozen=True)
class Page:
    """One file: its place, its keys and its body."""

    path: str
    keys: dict[str, Any]
    body: str

    @property
    def folder(self) -> str:
        return self.path.split("/", 1)[0]

    @property
    def stem(self) -> str:
        return self.path.rsplit("/", 1)[1].removesuffix(".md")

    @property
    def id(self) -> str:
        return self.stem.rpartition("--")[2]

    def text(self, key: str) -> str:
        found = self.keys.get(key)
        return found if isinstance(found, str) else ""

    def items(self, key: str) -> list[str]:
        found = self.keys.get(key) or []
        return [str(one) for one in ([found] if isinstance(found, str) else found)]

    @property
    def undone(self) -> bool:
        return self.text("extractor") == "undone"

    @property
    def cited(self) -> set[str]:
        return {re.split(r"[:@]", item, maxsplit=1)[0] for item in self.items("episodes")}


def normal(name: str) -> str:
    """Return the form in which two spellings of one name are equal."""
    folded = unicodedata.normalize("NFC", name).casefold().strip()
    folded = re.sub(r"(?<=\S)[\s_-]+(?=\S)", " ", folded)
    while folded.startswith("the ") and folded[4:].strip():
        folded = folded[4:].strip()
    return folded


def sentences(store: Path) -> set[str]:
    """Return every sentence that the facts of a store hold, those that wait among them."""
    shelf = Shelf(store)
    return {" ".join(p.body.split()).casefold() for p in (*shelf.facts, *shelf.waiting)}


class Shelf:
    """All files of a store, sorted by what they hold."""

    def __init__(self, store: Path) -> None:
        self.faults: list[str] = []
        self.pages: list[Page] = []
        for top in FOLDERS:
            for path in sorted((store / top).rglob("*.md")):
                if path.name != "README.md":
                    self._read(path.relative_to(store).as_posix(), path.read_bytes())
        of = {top: [p for p in self.pages if p.folder == top] for top in FOLDERS}
        self.facts, self.episodes = of["facts"], {p.stem: p for p in of["episodes"]}
        self.entities = {p.stem: p for p in of["entities"]}
        self.waiting = [p for p in of["review"] if p.text("type") == "fact"]
        self.review, self.stones = of["review"], {p.text("id"): p for p in of["forgotten"]}

    def _read(self, path: str, raw: bytes) -> None:
        try:
            text = raw.decode()
            keys, body = frontmatter.parse(text, handler=_Plain())
        except (UnicodeDecodeError, yaml.YAMLError) as error:
            self.faults.append(f"unreadable {path}: {error}")
            return
        if not keys:
            self.faults.append(f"unreadable {path}: no front matter")
        if _CONTROL.search(text):
            self.faults.append(f"dirty {path}: control characters")
        if _CONFLICT.search(text):
            self.faults.append(f"dirty {path}: conflict markers")
        self.pages.append(Page(path, keys, body.strip()))

    def final(self, slug: str) -> str:
        """Follow redirects; "" where they lead to nothing or round in a ring."""
        seen: set[str] = set()
        while slug in self.entities and slug not in seen:
            seen.add(slug)
            further = self.entities[slug].text("merged_into")
            if not further:
                return slug
            slug = further
        return ""
