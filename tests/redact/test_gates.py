"""How much is found, and how little else is touched: on a labelled set, and on one that is made anew each time."""

import base64
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from redact_second_set import Case, negatives, positives

from scry.redact import redact as redact_anew

_HERE = Path(__file__).parent


# Several tests look at the same texts: each is redacted once.
redact = cache(redact_anew)
made = cache(lambda seed: tuple(positives(seed, 2)))


def _rows() -> list[tuple[str, bool, str, str]]:
    rows = []
    for line in (_HERE / "dev.b64").read_text().split()[1:]:
        kind, positive, text, secret = base64.b64decode(line).decode().split("\t")
        rows.append((kind, positive == "1", _unescaped(text), _unescaped(secret)))
    return rows


def _unescaped(text: str) -> str:
    plain = (
        text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r")
    )
    return plain.replace("\0", "\\")


ROWS = _rows()
FOUND = [Case(kind, text, secret) for kind, positive, text, secret in ROWS if positive]
KEPT = [
    Case(kind, text, "")
    for kind, positive, text, _ in ROWS
    if not positive and kind != "placeholder"
]


def recall(cases: Iterable[Case]) -> tuple[float, float, list[Case]]:
    """Return the share of secrets that are gone, the same as a mean over kinds, and the misses."""
    gone: dict[str, list[bool]] = defaultdict(list)
    missed = []
    for case in cases:
        gone[case.kind].append(case.secret not in redact(case.text))
        if not gone[case.kind][-1]:
            missed.append(case)
    every = [x for kind in gone.values() for x in kind]
    return sum(every) / len(every), sum(sum(x) / len(x) for x in gone.values()) / len(gone), missed


def test_nearly_every_secret_of_the_labelled_set_is_gone():
    share, by_kind, missed = recall(FOUND)

    assert share >= 0.95, missed
    assert by_kind >= 0.93, missed


@pytest.mark.parametrize(
    "family",
    ["pem-", "sl-privatekey", "gl-private-key", "age-", "github", "gitlab", "stripe", "slack"],
)
def test_no_private_key_and_no_vendor_token_is_left(family):
    cases = [case for case in FOUND if case.kind.startswith(family)]

    assert cases
    assert recall(cases)[0] == 1.0


def test_three_of_four_disguised_secrets_are_gone():
    assert recall(case for case in FOUND if case.kind.startswith("evade-"))[0] >= 0.75


def test_at_most_two_in_a_hundred_look_alikes_are_touched():
    touched = [case for case in KEPT if redact(case.text) != case.text]

    assert len(touched) <= 0.02 * len(KEPT), touched


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_secrets_of_other_kinds_are_gone_too(seed):
    share, by_kind, missed = recall(made(seed))

    assert share >= 0.97, missed
    assert by_kind >= 0.97, missed


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_other_look_alikes_survive(seed):
    cases = list(negatives(seed))
    touched = [case for case in cases if redact(case.text) != case.text]

    assert len(touched) <= 0.02 * len(cases), touched


@pytest.mark.parametrize("seed", [1, 2])
def test_the_neighbours_of_a_secret_survive(seed):
    for case in made(seed):
        before, after = case.text.split(case.secret, 1)
        redacted = redact(case.text)

        assert redacted.startswith(before), case
        assert redacted.endswith(after), case


def test_redacting_twice_changes_nothing_more():
    for text in [text for _, _, text, _ in ROWS] + [case.text for case in made(3)]:
        once = redact(text)

        assert redact(once) == once


def test_redacting_twice_changes_nothing_more_in_a_long_text_either():
    once = redact("\n".join(text for _, _, text, _ in ROWS))

    assert redact(once) == once


def test_the_number_of_lines_stays():
    for _, _, text, _ in ROWS:
        assert redact(text).count("\n") == text.count("\n")
