"""The extractor without a model: facts from plain sentences that anybody would read the same way.

    turn -> sentences -> gates -> the table of `patterns` -> claims -> the best twelve

It is meant to be right, not complete, for what it invents would have to be found and taken out by
hand.  So a sentence counts only when it stands by itself: no question, no guess, no quotation, no
code, nothing that the next breath takes back.  What is named but of no known kind stays text on
a fact about the project; a kind is never guessed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from scry.extract import patterns_words as words
from scry.extract.guard import steering
from scry.extract.naming import Names
from scry.extract.patterns import KINDS
from scry.extract.sentence import claim_of
from scry.extract.speech import (
    HYPOTHETICAL,
    LEAD_IN,
    QUESTION,
    RETRACTS,
    SMALL_TALK,
    own_lines,
    spoken,
)
from scry.model import Chunk, Claim, Extraction, Known, Turn
from scry.relations import EXCLUSIVE
from scry.text import fold, one_line, parse_time

_MOST = 12
_LONGEST = 400


class RulesExtractor:
    """Implements `scry.ports.Extractor`.  Never raises, and gives the same for the same chunk."""

    name = "rules"

    def extract(self, chunk: Chunk, glossary: Sequence[Known]) -> Extraction:  # noqa: ARG002 -- the port
        """Return what the chunk's own sentences plainly say; nothing else is evidence."""
        names = Names(chunk)
        claims = _harmless([*_said(chunk, names), *_done(chunk, names)], chunk)
        return Extraction(
            extractor=self.name,
            summary=_summary(chunk, names),
            entities=names.declared(claims),
            claims=claims,
        )


def _said(chunk: Chunk, names: Names) -> list[Claim]:
    """Return the claims of all sentences that nobody takes back."""
    kept: list[Claim] = []
    before = start = 0  # Where the claims of the turn before, and of this one, begin.
    for turn, sentences in spoken(chunk):
        if turn.first:
            before, start = start, len(kept)
        for sentence in sentences:
            text = _without_lead_in(sentence)
            if retracted := RETRACTS.match(text):
                start = before if turn.role == "user" else start
                del kept[start:]
                text = text[retracted.end() :]
            kept += _clauses(text, turn, chunk, names)
    return kept


def _without_lead_in(sentence: str) -> str:
    for _ in range(3):
        sentence = LEAD_IN.sub("", sentence, count=1) if LEAD_IN.match(sentence) else sentence
    return sentence


def _clauses(text: str, turn: Turn, chunk: Chunk, names: Names) -> list[Claim]:
    """Return what a sentence claims as a whole, or else what its parts between `;` claim."""
    if len(text) > _LONGEST:
        return []
    for parts in ([text], text.split("; ") if "; " in text else []):
        found = [claim_of(part.strip(), turn, names) for part in parts]
        if claims := [claim for claim in found if claim]:
            vague = QUESTION.match(text) or HYPOTHETICAL.search(text)
            at = _date(text, chunk)
            return [] if vague else [replace(claim, line=turn.line, at=at) for claim in claims]
    return []


def _date(text: str, chunk: Chunk) -> datetime | None:
    """Return the ISO date from which a sentence says that it holds."""
    found = re.findall(
        r"\b(?:since|from|as of|on|effective) (\d{4}-\d\d-\d\d)\b", text, re.IGNORECASE
    )
    at = parse_time(found[0]) if len(found) == 1 else None
    latest = chunk.episode.occurred_at + timedelta(days=366)
    return at if at and at.year >= 1970 and at <= latest else None


def _done(chunk: Chunk, names: Names) -> Iterator[Claim]:
    """Yield the tools that the agent was seen to test or build with."""
    src = names.project.name
    for did in chunk.did:
        program = did.target.partition(" ")[0].lower()
        turns = [t.line for t in chunk.turns if t.role == "assistant" and t.line <= did.line]
        if src and did.verb in words.DID and program in words.RUNNERS and turns:
            action, purpose = words.DID[did.verb]
            yield Claim(
                src=src,
                relation=KINDS["tool"].relation,
                dst=program,
                qualifier=action,
                fact=f"{src} uses {program} to {purpose}.",
                confidence=KINDS["tool"].confidence,
                origin="rules",
                line=max(turns),
            )


def _harmless(claims: Sequence[Claim], chunk: Chunk) -> tuple[Claim, ...]:
    """Return the best claims of the turns that nowhere try to steer who reads them."""
    texts: dict[int, str] = {}
    for turn in chunk.turns:
        texts[turn.line] = f"{texts.get(turn.line, '')}\n{turn.text}"
    checked: set[int] = set()
    while True:
        best = _best(claims)
        lines = {claim.line for claim in best} - checked  # The check is dear: no more than needed.
        steered = {line for line in lines if steering(texts[line])}
        if not steered:
            return best
        checked |= lines - steered
        claims = [claim for claim in claims if claim.line not in steered]


def _best(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return at most twelve claims, the surest first; of the same one, the surest turn's."""
    slots: dict[tuple[str, ...], Claim] = {}
    for claim in claims:
        key: tuple[str, ...] = (claim.src, claim.relation, claim.qualifier)
        if claim.relation in EXCLUSIVE:
            slots.pop(key, None)  # One episode has one date: only its last word can count.
        else:
            key = (*key, fold(claim.dst or claim.value or ""))
        if key not in slots or slots[key].confidence < claim.confidence:
            slots[key] = claim
    return tuple(sorted(slots.values(), key=lambda claim: -claim.confidence)[:_MOST])


def _summary(chunk: Chunk, names: Names) -> str:
    """Return what the user asked for first, or else what is known to have happened, on one line."""
    for role in ("user", "assistant"):
        for turn in (t for t in chunk.turns if t.role == role):
            units, _ = own_lines(turn.text[:4000], fenced=False)
            text = one_line(" ".join(units))
            if text and not SMALL_TALK.fullmatch(text) and not steering(text):
                return text
    did = ", ".join(dict.fromkeys(map(str, chunk.did)))
    return one_line(did or f"A session in {names.project.name or 'no repository'}")
