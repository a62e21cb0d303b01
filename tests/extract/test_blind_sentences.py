"""The rules against sentences that somebody labelled who had not seen the patterns.

445 turns of users, agents and documents, 187 of them with nothing to keep (questions, requests for
the moment, narration, jokes, other people's words), and 271 statements that a careful reader would
keep; 27 turns are in other languages than English, which the rules do not promise to read.

At first contact, before anything was done about it, precision was 28/33 = 0.85 and recall 29/271 =
0.11.  One half (the first 245 lines) has been read since to learn kinds of constructions from, and
so says little about sentences to come.  The other half was only ever scored, though more than
once, and figures on it decided when to stop; it is the better guess.
"""

import json
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scry.extract.rules import RulesExtractor
from scry.model import Chunk, Claim, Episode, Redacted, Span, Turn

LINES = Path(__file__).with_name("blind_sentences.jsonl").read_text(encoding="utf-8").splitlines()
ROWS = [json.loads(line) for line in LINES]
SEALED_FROM = 245
"""The first lines are the half that was read."""
JUNE = datetime(2026, 6, 15, tzinfo=UTC)


def claims_of(role: str, text: str) -> tuple[Claim, ...]:
    episode = Episode(
        id="2026-06-15-claude-aaaaaa",
        source="claude",
        session="s",
        span=Span("~/s.jsonl", 1, 99),
        sha256="",
        turns=1,
        occurred_at=JUNE,
        ingested_at=JUNE,
        cwd="~/src/hermes",
        repo="github.com/jane/hermes",
    )
    document = role == "document"
    turn = Turn(
        role="user" if document else role,
        at=None,
        line=10,
        last=19,
        text=Redacted(text),
        uid="u",
        weight=50,
        kind="document" if document else "prompt",
    )
    return RulesExtractor().extract(Chunk(episode=episode, turns=(turn,)), ()).claims


def folded(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", text.lower()).split())


def scored(rows: list[dict]) -> tuple[int, int, Counter, Counter, list[str]]:
    """Return right claims, all claims, statements found and wanted by kind, and what was false."""
    right, made, found, wanted, false = 0, 0, Counter(), Counter(), []
    for row in rows:
        claims = claims_of(row["role"], row["turn"])
        texts = [folded(f"{c.fact} | {c.value or ''} {c.dst or ''}") for c in claims]
        needs = [(e["kind"], folded(e["must_contain"])) for e in row["expect"]]
        for claim, text in zip(claims, texts, strict=True):
            value = folded(claim.value or "")
            hit = any(need in text or (value and value in need) for _, need in needs)
            right, made = right + hit, made + 1
            false += [] if hit else [f"{row['role']}: {claim.fact}"]
        for kind, need in needs:
            wanted[kind] += 1
            found[kind] += any(need in text for text in texts)
    return right, made, found, wanted, false


@pytest.mark.parametrize(
    ("rows", "floor"),
    [(ROWS[:SEALED_FROM], 0.93), (ROWS[SEALED_FROM:], 0.56)],
    ids=["the half that was read", "the half that was not"],
)
def test_what_the_rules_find_is_what_a_reader_would_keep(rows, floor):
    right, made, found, wanted, false = scored(rows)
    recall = found.total() / wanted.total()
    print(f"\nprecision {right}/{made} = {right / made:.3f}")  # noqa: T201 -- figures for -s
    print(f"recall {found.total()}/{wanted.total()} = {recall:.3f}")  # noqa: T201
    for kind, number in wanted.most_common():
        print(f"  {kind:11} {found[kind]}/{number}")  # noqa: T201

    assert right >= 0.9 * made, f"{len(false)} false finds"
    assert recall >= floor


def test_the_set_is_large_enough_and_holds_what_must_not_be_found():
    assert len(ROWS) >= 150
    assert sum(not row["expect"] for row in ROWS) >= 150
