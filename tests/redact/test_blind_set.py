"""What the redactor finds of kinds that were written down by somebody who has not seen it.

`SCRY_SECRETS_SEED=7 pytest tests/redact/test_blind_set.py -s` tries other values and shows the
figures and what was missed.
"""

import os
import random
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache

import blind_secrets as blind
from blind_lookalikes import LOOK_ALIKES
from blind_places import PLACES
from blind_tokens import KEYS, TOKENS, WRAPPINGS

from scry.redact import redact

SEED = os.environ.get("SCRY_SECRETS_SEED", "2026")


@dataclass
class Figures:
    """How often each kind was right, and what was wrong."""

    right: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    wrong: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def count(self, kind: str, text: str, *, good: bool) -> None:
        self.right[kind].append(good)
        if not good:
            self.wrong[kind].append(text)

    @property
    def share(self) -> float:
        every = [good for each in self.right.values() for good in each]
        return sum(every) / len(every)

    @property
    def mean(self) -> float:
        return sum(sum(each) / len(each) for each in self.right.values()) / len(self.right)

    def __str__(self) -> str:
        count = sum(map(len, self.right.values()))
        lines = [
            f"{count} cases of {len(self.right)} kinds: {self.share:.4f}, mean {self.mean:.4f}"
        ]
        for kind, texts in self.wrong.items():
            lines.append(f"  {kind}: {len(texts)} of {len(self.right[kind])} wrong")
        return "\n".join(lines)


def secrets() -> list[blind.Case]:
    rng = random.Random(f"secrets {SEED}")
    return [
        *blind.tokens(TOKENS, rng),
        *blind.places(PLACES, rng),
        *blind.keys(KEYS, WRAPPINGS, rng),
        *blind.encoded(rng),
    ]


def plain() -> list[blind.Case]:
    return list(blind.look_alikes(LOOK_ALIKES, random.Random(f"plain {SEED}")))


@cache
def measured() -> tuple[Figures, Figures, Figures]:
    """Return how many secrets were found, how many neighbours and look-alikes were left alone."""
    found, beside, alike = Figures(), Figures(), Figures()
    for case in secrets():
        out = redact(case.text)
        found.count(case.kind, case.text, good=not case.leaks(out))
        beside.count(case.kind, case.text, good=not case.loses(out))
    for case in plain():
        alike.count(case.kind, case.text, good=redact(case.text) == case.text)
    for figures in (found, beside, alike):
        sys.stdout.write(f"{figures}\n")
    return found, beside, alike


def test_the_set_is_as_wide_as_it_is_meant_to_be():
    by_kind = defaultdict(list)
    for case in secrets():
        by_kind[case.kind].append(case)
        assert all(core in case.text for core in case.cores), case
        assert not case.loses(case.text), case
        assert case.cores, case
    assert len(by_kind) >= 150
    assert {len(cases) for cases in by_kind.values()} == {9}
    assert len({case.kind for case in plain()}) >= 60


def test_at_least_19_of_20_secrets_are_found():
    found, _, _ = measured()
    assert found.share >= 0.95, found


def test_no_family_of_kinds_is_left_behind():
    found, _, _ = measured()
    assert found.mean >= 0.93, found


def test_at_most_one_of_50_look_alikes_is_changed():
    _, _, alike = measured()
    assert alike.share >= 0.98, alike


def test_the_words_beside_a_secret_stay():
    _, beside, _ = measured()
    assert beside.share >= 0.98, beside


def test_the_test_sees_a_redactor_that_finds_nothing():
    assert all(case.leaks(case.text) for case in secrets())
