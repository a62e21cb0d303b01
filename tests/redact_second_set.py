"""Secrets and look-alikes of kinds of our own, made anew from a seed: templates in two tables, values at run time.

`redact/positives.txt` and `negatives.txt` hold `kind template` a line.  In a template `{W40}` stands for 40 letters and
digits, `{H32}` hexadecimal, `{L8}` small letters, `{D6}` digits, `{U20}` URL-safe, `{B44}` base64, `{A26}` capitals and
digits, `{P}` a password, `{Q}` one of words, `{X}` a UUID, `{N}` base64 of a login, `{E}` of a settings file, `{M}` twelve words.  What
stands between `<<` and `>>` is the secret; the rest must survive.
"""

import base64
import random
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_TABLES = Path(__file__).parent / "redact"
_ALPHABETS = {
    "W": string.ascii_letters + string.digits,
    "H": "0123456789abcdef",
    "L": string.ascii_lowercase,
    "D": string.digits,
    "U": string.ascii_letters + string.digits + "_-",
    "B": string.ascii_letters + string.digits + "+/",
    "A": string.ascii_uppercase + string.digits,
}
_SLOT = re.compile(r"\{([WHLDUBA])(\d+)\}|\{[PQ]\}|\{X\}|\{N\}")
_WORDS = "amber copper harbor lantern meadow nectar orchid pepper quartz river saffron timber velvet walnut".split()


class Case(NamedTuple):
    """A text, and the secret in it ("" when there is none)."""

    kind: str
    text: str
    secret: str


def positives(seed: int, copies: int = 4) -> Iterator[Case]:
    """Yield `copies` cases of each kind of secret."""
    rng = random.Random(seed)
    for kind, template in _rows("positives.txt"):
        for _ in range(copies):
            before, secret, after = re.split("<<(?=.)|>>(?!>)", _filled(template, rng))
            yield Case(kind, before + secret + after, secret)


def negatives(seed: int, copies: int = 4) -> Iterator[Case]:
    """Yield `copies` cases of each kind that only looks like a secret."""
    rng = random.Random(seed)
    for kind, template in _rows("negatives.txt"):
        for _ in range(copies):
            yield Case(kind, _filled(template, rng), "")


def _rows(name: str) -> Iterator[tuple[str, str]]:
    for line in (_TABLES / name).read_text(encoding="utf-8").strip().split("\n"):
        kind, template = line.split(None, 1)
        yield kind, template.replace("\\n", "\n").replace("\\\\", "\\")


def _filled(template: str, rng: random.Random) -> str:
    def some(alphabet: str, n: int) -> str:
        return "".join(rng.choice(_ALPHABETS[alphabet]) for _ in range(n))

    def fill(slot: re.Match[str]) -> str:
        match slot[0]:
            case "{P}":
                return rng.choice(
                    (some("W", 12) + "7x", f"{rng.choice(_WORDS).title()}!{some('W', 7)}3")
                )
            case "{Q}":
                first, last = rng.sample(_WORDS, 2)
                number = rng.randint(10, 99)
                coined = (f"{first.title()}_{number}{last}", f"{first}-{last.title()}{number}-oak")
                return rng.choice((*coined, f"{first}.{last.title()}.{number}7"))
            case "{X}":
                return "-".join(some("H", n) for n in (8, 4, 4, 4, 12))
            case "{N}":
                return base64.b64encode(f"jane:{some('W', 16)}".encode()).decode()
        return some(slot[1], int(slot[2]))

    template = template.replace(
        "{E}", base64.b64encode(f"DB_PASSWORD={some('W', 17)}\n".encode()).decode()
    )
    return _SLOT.sub(fill, template.replace("{M}", " ".join(rng.choice(_WORDS) for _ in range(12))))
