"""Secrets and look-alikes as agents' conversations hold them, made anew from a seed.

    github classic = ghp_{A36}        a kind of token: what is public about it, and pieces of chance
    {"wifi": ('pre-shared key {v}',)}  a kind of place: how a value stands there

Nothing here looks like a secret: a value comes into being when a test asks for it.  Whoever wrote
these kinds has not seen how the redactor finds its own.
"""

import base64
import random
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

VALUES = 3
"""Values of chance for each kind."""
_ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "B": string.ascii_letters + string.digits + "-_",
    "P": string.ascii_letters + string.digits + "+/",
    "U": string.ascii_uppercase + "234567",
    "C": string.ascii_uppercase + string.digits,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "l": string.ascii_lowercase + string.digits,
    "a": string.ascii_lowercase,
    "d": string.digits,
    "z": "qpzry9x8gf2tvdw0s3jn54khce6mua7l".upper(),
}
_PIECE = re.compile(r"\{([A-Za-z])(\d+)\}")
_SLOT = re.compile(r"\{uuid\}|(?:\{[A-Za-z]\d+\})+")
_WORDS = """falcon harbor cobalt lantern orchid pepper saddle timber walnut yellow zephyr marble
    copper thistle garnet quartz willow ember juniper basil""".split()
_WORD = re.compile(r"[A-Za-z]{4,}")


@dataclass(frozen=True, slots=True)
class Case:
    """A text; `cores` must not survive, `neighbours` must.  A look-alike has no cores."""

    kind: str
    text: str
    cores: tuple[str, ...] = ()
    neighbours: tuple[str, ...] = ()

    def leaks(self, out: str) -> bool:
        """Say whether a secret, or a half of a long one, still stands there."""
        return any(part in out for core in self.cores for part in _parts(core))

    def loses(self, out: str) -> list[str]:
        """Return the neighbours that were taken out as well."""
        return [word for word in self.neighbours if word not in out]


def _parts(core: str) -> tuple[str, ...]:
    half = len(core) // 2
    return (core, core[:half], core[half:]) if len(core) >= 24 else (core,)


def fill(spec: str, rng: random.Random) -> tuple[str, str]:
    """Return a spec with its pieces made up, and the longest of the pieces."""
    longest = ""

    def piece(found: re.Match[str]) -> str:
        nonlocal longest
        made = chars(found[1], int(found[2]), rng)
        longest = max(longest, made, key=len)
        return made

    return _PIECE.sub(piece, spec.replace("{uuid}", "{h8}-{h4}-4{h3}-a{h3}-{h12}")), longest


def chars(alphabet: str, length: int, rng: random.Random) -> str:
    """Return letters of chance; of a mixed alphabet with letters, and a digit among them."""
    made = [rng.choice(_ALPHABETS[alphabet]) for _ in range(length)]
    if alphabet in "ABP" and length >= 8:
        made[0], made[-1] = rng.choice(string.ascii_letters), rng.choice(string.ascii_letters)
        made[length // 2] = rng.choice(string.digits)
    return "".join(made)


def password(number: int, rng: random.Random) -> str:
    """Return what people use: of chance, words with a digit and a sign, hex."""
    if number % 3 == 0:
        return chars("A", rng.randint(16, 28), rng)
    if number % 3 == 1:
        first, last = rng.sample(_WORDS, 2)
        return f"{first.title()}{rng.choice('!_-.')}{rng.randint(10, 99)}{last}"
    return chars("h", rng.choice((32, 40)), rng)


SPOKEN = (
    "I pasted {v} into the form and then it worked.",
    "Please use `{v}` for the staging run tonight.",
    '{{"answer": "{v}", "verified": true}}',
    "Here it comes:\n{v}\nThen restart the worker, thanks.",
    "- first item\n- {v}\n- third item of the list",
    "the old one ({v}) still answers, so revoke that",
    "it printed '{v}' twice; weird, right?",
    "| name | value |\n|---|---|\n| staging | {v} |\nsee the table above",
    "works now:{v}, no idea why that failed before",
)


def tokens(table: str, rng: random.Random) -> Iterator[Case]:
    """Yield the cases of the tokens in a table, each in three sentences that do not name it."""
    lines = [line.split(" = ") for line in map(str.strip, table.splitlines()) if line]
    for at, (kind, spec) in enumerate(lines):
        made = [fill(spec, rng) for _ in range(VALUES)]
        for shift in (0, 4, 8):
            frame = SPOKEN[(at + shift) % len(SPOKEN)]
            words = tuple(_WORD.findall(frame))
            yield from (Case(kind, frame.format(v=v), (core,), words) for v, core in made)


LEAD = "Yesterday somebody reworked our build."
TRAIL = "Afterwards everything turned green."


def places(table: dict[str, tuple[str, ...]], rng: random.Random) -> Iterator[Case]:
    """Yield the cases of the places in a table, words before and behind each."""
    for kind, forms in table.items():
        made = [_given(forms[0], number, rng) for number in range(VALUES)]
        for form in forms:
            body = _SLOT.sub("{v}", form)
            for value, core in made:
                text = f"{LEAD}\n{body.replace('{v}', value)}\n{TRAIL}"
                yield Case(kind, text, (core,), tuple(_WORD.findall(f"{LEAD} {TRAIL}")))


def _given(form: str, number: int, rng: random.Random) -> tuple[str, str]:
    """Return a value for a place: of the shape that its first form asks for, else a password."""
    if asked := _SLOT.search(form):
        return fill(asked[0], rng)
    value = password(number, rng)
    return value, value


def pem(kind: str, rng: random.Random, lines: int = 6) -> tuple[str, tuple[str, ...]]:
    """Return an armoured block and the lines inside it."""
    body = (*(chars("P", 64, rng) for _ in range(lines)), chars("P", 30, rng) + "==")
    fence = "-" * 5
    whole = [f"{fence}BEGIN {kind}{fence}", *body, f"{fence}END {kind}{fence}"]
    return "\n".join(whole), body


def keys(
    kinds: tuple[str, ...], wraps: dict[str, tuple[str, str, str, str]], rng: random.Random
) -> Iterator[Case]:
    """Yield armoured keys: plain ones of each kind, then one kind in each wrapping."""
    plain = ("", "\n", "", "")
    around = tuple(_WORD.findall(f"{LEAD} {TRAIL}"))
    forms = [(kind, f"{kind} block", plain) for kind in kinds]
    forms += [(rng.choice(kinds), name, wrap) for name, wrap in wraps.items()]
    for kind, name, (head, newline, tail, indent) in forms:
        for _ in range(VALUES):
            block, body = pem(kind, rng)
            inside = newline.join(indent + line for line in block.split("\n"))
            for lead, trail in (
                (LEAD, TRAIL),
                (f"{LEAD}\n\n", f"\n{TRAIL}"),
                (LEAD, f"\n\n{TRAIL}"),
            ):
                yield Case(name, f"{lead}\n{head}{inside}{tail}\n{trail}", body, around)


def encoded(rng: random.Random) -> Iterator[Case]:
    """Yield secrets that stand there in another alphabet: base64 of what holds one."""
    around = tuple(_WORD.findall(f"{LEAD} {TRAIL}"))
    for number in range(VALUES):
        value = password(number, rng)
        basic = base64.b64encode(f"deploy:{value}".encode()).decode()
        data = base64.b64encode(value.encode()).decode()
        for form in (
            f"Authorization: Basic {basic}",
            f'-H "authorization: Basic {basic}"',
            f"proxy-authorization: basic {basic}",
        ):
            yield Case("basic authorization", f"{LEAD}\n{form}\n{TRAIL}", (basic,), around)
        for form in (
            f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: {data}",
            f"kind: Secret\ndata:\n  DB_PASSWORD: {data}\n  user: YWRtaW4=",
            f'{{"kind": "Secret", "data": {{"password": "{data}"}}}}',
        ):
            yield Case("kubernetes secret data", f"{LEAD}\n{form}\n{TRAIL}", (data,), around)
        for form in (
            f'{{"auths": {{"https://index.docker.io/v1/": {{"auth": "{basic}"}}}}}}',
            f'"ghcr.io": {{\n  "auth": "{basic}"\n}}',
            f'{{"auths":{{"registry.example.com":{{"username":"deploy","auth":"{basic}"}}}}}}',
        ):
            yield Case("docker config auth", f"{LEAD}\n{form}\n{TRAIL}", (basic,), around)


def look_alikes(table: dict[str, tuple[str, ...]], rng: random.Random) -> Iterator[Case]:
    """Yield texts that must come out as they went in."""
    for kind, forms in table.items():
        for form in forms:
            for _ in range(VALUES):
                word = rng.choice(_WORDS)
                plain = base64.b64encode(f"the {word} went home and ate".encode()).decode()
                text = fill(form, rng)[0].replace("{word}", word).replace("{plain}", plain)
                yield Case(kind, text)
