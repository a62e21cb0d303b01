"""Findings over a store as it was read."""

from dataclasses import replace

import pytest
from make_records import NOON, cite, day, make_entity, make_episode, make_fact

from scry.check import Finding, check, sound
from scry.model import (
    PENDING,
    Episode,
    Problem,
    Proposal,
    Record,
    Snapshot,
    Span,
    Tombstone,
)
from scry.store.paths import path_of

EPISODE = make_episode(1)
HERMES = make_entity("Hermes", path="entities/he/hermes.md")
MINI = make_entity("Mac mini", "machine", path="entities/ma/mac-mini.md")
FACT = make_fact("Hermes", "runs_on", "Mac mini", episodes=cite(EPISODE))
FACT = replace(FACT, path=path_of(FACT))


def _findings(
    *records: Record, evidence: bool = True, transcript: bool = True, **more: object
) -> list[Finding]:
    snapshot = Snapshot(records=records, **more)  # type: ignore[arg-type]
    return check(snapshot, has_evidence=lambda _: evidence, has_transcript=lambda _: transcript)


def test_a_healthy_store_has_no_findings() -> None:
    pending = replace(make_episode(2), extractor=PENDING)
    waiting = make_fact("Hermes", "uses", "nobody knows", reason="unknown", episodes=cite(EPISODE))
    stone = Tombstone(id="x", triple="t", when=NOON)
    proposal = Proposal(entity="hermes", alias="the bot", reason="twice")

    found = _findings(EPISODE, HERMES, MINI, FACT, pending, waiting, stone, proposal)

    assert found == []
    assert sound(found)


@pytest.mark.parametrize(
    ("kind", "records"),
    [
        pytest.param("dangling-end", [EPISODE, HERMES, FACT], id="an end without its file"),
        pytest.param("missing-episode", [HERMES, MINI, FACT], id="a citation of nothing"),
        pytest.param(
            "ends-before-it-begins",
            [EPISODE, HERMES, MINI, replace(FACT, invalid_at=day(-1))],
            id="a fact that never held",
        ),
        pytest.param(
            "merged-into-nothing",
            [HERMES, replace(MINI, merged_into="nobody")],
            id="a merge into nothing",
        ),
        pytest.param(
            "merged-into-nothing",
            [replace(HERMES, merged_into="mac-mini"), replace(MINI, merged_into="hermes")],
            id="two entities merged into each other",
        ),
        pytest.param(
            "twins", [HERMES, replace(HERMES, path="entities/he/hermes 2.md")], id="twins"
        ),
    ],
)
def test_what_is_not_sound_is_found_with_its_file_and_a_remedy(
    kind: str, records: list[Record]
) -> None:
    found = _findings(*records)

    assert {f.id for f in found} == {kind}
    assert all(f.path and f.remedy and f.message for f in found)
    assert not sound(found)


def test_a_file_that_cannot_be_read_is_an_error_with_its_line() -> None:
    (found,) = _findings(problems=(Problem("facts/he/x.md", "a broken fence", 3),))

    assert (found.level, found.path, found.line) == ("error", "facts/he/x.md", 3)
    assert "editor" in found.remedy


@pytest.mark.parametrize(
    ("evidence", "transcript", "told"), [(True, False, []), (False, True, ["words-not-kept"])]
)
def test_an_episode_that_waits_is_sound_while_its_words_are_anywhere(
    evidence: bool,  # noqa: FBT001 -- cases
    transcript: bool,  # noqa: FBT001
    told: list[str],
) -> None:
    episode = replace(EPISODE, extractor=PENDING)

    found = _findings(episode, evidence=evidence, transcript=transcript)

    assert [finding.id for finding in found] == told
    assert sound(found)


def test_an_episode_that_waits_and_whose_words_are_gone_is_said_to_be_lost() -> None:
    episode: Episode = replace(
        EPISODE, extractor=PENDING, span=Span("~/t.jsonl", 1, 2), path="episodes/e.md"
    )

    (found,) = _findings(episode, evidence=False, transcript=False)

    assert found.id == "words-lost"
    assert "~/t.jsonl" in found.remedy


def test_a_successor_that_is_gone_is_only_a_note() -> None:
    found = _findings(EPISODE, HERMES, MINI, replace(FACT, superseded_by="nobody"))

    assert [f.level for f in found] == ["note"]
    assert sound(found)


def test_the_worst_comes_first() -> None:
    fact = replace(FACT, superseded_by="nobody")

    found = _findings(EPISODE, HERMES, fact, problems=(Problem("z.md", "unreadable"),))

    assert [f.level for f in found] == ["error", "warning", "note"]
