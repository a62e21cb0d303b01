"""A fact as a person wrote it, made complete line by line.

    src: Hermes              ->     type: fact
    relation: runs on               src: hermes
    dst: Mac mini                   relation: runs_on
    valid_from: 2026-08-01          dst: mac-mini
                                    valid_from: 2026-08-01T00:00:00Z
                                    origin: person

Whatever else stands in the file stays: comments, other keys, their order, the sentence.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from scry.model import Fact
from scry.store.document import split
from scry.store.splice import rewrite
from scry.store.values import write_time
from scry.store.yaml_write import scalar


def completed(data: bytes, fact: Fact, source: str) -> bytes:
    """Return the bytes of a complete file for a fact, made from what a person wrote.

    Args:
        data: the file as it is; it can be read.
        fact: as it should be.
        source: the file that the bytes come from.

    Raises:
        StoreError: a key is laid out so that its value cannot be replaced.
    """
    document = split(data)
    front = document.front
    for key, value in _spelt(fact).items():
        front = _put(front, key, value)
    if not _has(front, "type"):
        front = f"type: fact{document.newline}{front}"
    if not _has(front, "origin"):
        front = f"{front}origin: {fact.origin}{document.newline}"
    text = str(replace(document, front=front)).encode("utf-8", "replace")
    return rewrite(text, fact, fact.path, source)


def given_types(front: Mapping[str, object]) -> dict[str, str]:
    """Return what a person says in a fact's file that its ends are: `src_type`, `dst_type`."""
    keys = {"src": "src_type", "dst": "dst_type"}
    return {end: str(front[key]) for end, key in keys.items() if front.get(key)}


def _spelt(fact: Fact) -> dict[str, str]:
    """Return the keys that a person may have written in another spelling, as we write them."""
    times = {"valid_from": fact.valid_from, "invalid_at": fact.invalid_at}
    spelt = {key: write_time(at) for key, at in times.items() if at}
    return {"src": scalar(fact.src), "dst": scalar(fact.dst or ""), **spelt}


def _has(front: str, key: str) -> bool:
    return re.search(rf"^{key}[ \t]*:", front, re.MULTILINE) is not None


def _put(front: str, key: str, value: str) -> str:
    """Replace the value of a key that stands on one line; a comment behind it stays."""
    line = re.compile(
        rf"^({key}[ \t]*:[ \t]*)(\"[^\"\r\n]*\"|'[^'\r\n]*'|[^\s#\"'>|\[{{][^\r\n]*?)([ \t]+#[^\r\n]*|[ \t]*)(?=\r?$)",
        re.MULTILINE,
    )
    return line.sub(lambda found: f"{found[1]}{value}{found[3]}", front, count=1)
