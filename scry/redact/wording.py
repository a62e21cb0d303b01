"""What codes and phrases must look like that are known by the words beside them: seven words, sixteen letters, 4821.

They look like any other words and numbers, so what speaks against them is looked for: a word that only sentences have.
"""

import re
from collections.abc import Callable

from scry.redact.values import UUID, WORDS, is_gibberish, is_random, is_reference, is_told

_PART = re.compile(r"[A-Za-z0-9]+")
_WORD = re.compile(r"[a-z]+")
# Words of sentences.  The lists that seed phrases are drawn from have none of the first line.
_NO_SEED = frozenset(
    "the and for are was not but from our has had its which were been than".split()
)
_SENTENCE = _NO_SEED | frozenset(
    """a an of in on at to by is be as it we you they he she i or if so no nor with without into onto over under after
    before when while where who what why how that this these those there here then them their your my his her us me all any
    some each every both more most less only also just still yet ever never always again too very much many few one two
    can cannot could will would shall should may might must do does did done have having get gets got use used using
    needs need set see via per because until unless about out up down off back now same other own
    stored required optional empty missing wrong correct invalid valid unknown asked sent read written kept saved known
    shown hidden changed rotated reset rejected accepted ignored longer shorter long short case sensitive string value file
    password passphrase token key keys secret vault keychain env variable argument prompt default user login
    der die das ist und oder nicht mit von für im in den dem ein eine le la les est et ou pas avec dans el los es y o no con
    en""".split()
)
_INFLECTED = re.compile(r"[a-z]{3,}(?:ed|ing|ly|tion|ment|able)\Z")


def _is_words(value: str) -> bool:
    """Say whether words are a passphrase and no sentence."""
    words = _PART.findall(value.lower())
    if len(set(words)) < 3 or not _SENTENCE.isdisjoint(words):
        return False
    return not _INFLECTED.match(words[0]) and sum(bool(_INFLECTED.match(w)) for w in words) < 2


def _is_seed(value: str) -> bool:
    words = _WORD.findall(value.lower())
    return len(set(words)) >= 6 and _NO_SEED.isdisjoint(words)


def _is_grouped(value: str) -> bool:
    """Say whether groups of letters are drawn by lot."""
    joined = "".join(_PART.findall(value))
    return is_gibberish(" ".join(_PART.findall(value.lower()))) or is_random(joined)


def _is_base32(value: str) -> bool:
    return _is_grouped(value) or (value.upper() == value and is_gibberish(value.lower()))


def _is_answer(value: str) -> bool:
    words = value.lower().split()
    return (
        not is_reference(value)
        and _SENTENCE.isdisjoint(words)
        and WORDS.isdisjoint(words)
        and not _INFLECTED.match(words[0])
    )


def _is_network(value: str) -> bool:
    """Say whether a value opens a network; routers come with long numbers."""
    return is_told(value, 8) or (value.isdigit() and len(value) >= 8)


def _passes_luhn(value: str) -> bool:
    digits = [int(digit) for digit in reversed(value) if digit.isdigit()]
    doubled = (2 * digit - 9 * (digit > 4) for digit in digits[1::2])
    return len(set(digits)) > 3 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _is_spoken(value: str) -> bool:
    return is_told(value) or (value.isdigit() and len(value) >= 6)


CHECKS: dict[str, Callable[[str], bool]] = {
    "told": is_told,
    "printed": lambda value: is_told(value, 8) or is_random(value),
    "handed": lambda value: is_told(value, 16) or bool(UUID.match(value)),
    "spoken": _is_spoken,
    "words": _is_words,
    "seed": _is_seed,
    "grouped": _is_grouped,
    "base32": _is_base32,
    "answer": _is_answer,
    "network": _is_network,
    "luhn": _passes_luhn,
}
