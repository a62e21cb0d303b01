"""Names, slugs, ids, times and token estimates: how text becomes something to compare.

A slug and an id are functions of what was said, never of who said it first, so that the same
episodes give the same files in any order.
"""

import hashlib
import re
import unicodedata
from datetime import UTC, datetime

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LETTERS = "abcdefghjkmnpqrs"
_RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)))
)
_PLAIN_KEY = re.compile(r"[a-z0-9]+(?:\.[a-z0-9]+)*(?: [a-z0-9]+(?:\.[a-z0-9]+)*)*\Z")
_SEPARATORS = re.compile(r"(?<=\S)[\s_-]+(?=\S)|\s+")
_ARTICLE = re.compile(r"the (?=\S)")
_PIECES = re.compile(r"[A-Za-z]{1,7}|[0-9]{1,3}|\s*\n|[^\sA-Za-z0-9]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f\s]")
_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
# Everything that could steer a terminal, hide text or impersonate: C0/C1, zero width, bidi, tags.
_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    r"\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def normalise_name(name: str) -> str:
    """Return the form under which two spellings of one name are equal.

    Case, a leading article and the separators between words do not matter; digits, versions,
    signs and accents do.

    >>> normalise_name("  The Hermes-Agent ")
    'hermes agent'
    >>> normalise_name("C++") == normalise_name("C#")
    False
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return _ARTICLE.sub("", _SEPARATORS.sub(" ", folded.strip()), count=1).strip()


def slug_of(name: str) -> str:
    """Return an ASCII file name for a name, the same for all its spellings.

    Where letters would be lost, a hash keeps different names apart.

    >>> slug_of("Mac mini"), slug_of("v1.2")
    ('mac-mini', 'v1.2')
    >>> slug_of("C++") != slug_of("C#")
    True
    """
    key = normalise_name(name)
    plain = key.replace(" ", "-")
    if _PLAIN_KEY.match(key) and len(plain) <= 80 and plain.split(".", 1)[0] not in _RESERVED:
        return plain
    ascii_part = re.sub(
        r"[^a-z0-9]+", "-", unicodedata.normalize("NFKD", key).encode("ascii", "ignore").decode()
    ).strip("-")[:40]
    return f"{ascii_part.strip('-') or 'x'}-{short_hash(key, length=8)}"


def short_hash(*parts: str, length: int = 10) -> str:
    """Return an id of `length` characters for a tuple of strings; it begins with a letter.

    Ten characters hold 49 bits: among 100,000 ids two are equal with a chance of 1 to 10^5.
    A letter in front keeps YAML from reading an id as a number.
    """
    digest = hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()
    number = int.from_bytes(digest, "big")
    out = [_LETTERS[number % len(_LETTERS)]]
    number //= len(_LETTERS)
    for _ in range(length - 1):
        number, rest = divmod(number, len(_ALPHABET))
        out.append(_ALPHABET[rest])
    return "".join(out)


def fold(sentence: str) -> str:
    """Return a sentence with case and white space folded, as ids see it."""
    return " ".join(unicodedata.normalize("NFC", sentence).casefold().split())


def clean_prose(text: str) -> str:
    """Return text without characters that hide, steer a terminal or cannot be written.

    A lone surrogate becomes U+FFFD, for it stands for a letter that was cut; the others go.
    """
    return _UNSAFE.sub(lambda m: "\ufffd" if "\ud800" <= m[0] <= "\udfff" else "", text)


def is_safe_name(name: str) -> bool:
    """Say whether a name holds no character that could hide or impersonate."""
    return not _UNSAFE.search(name) and "\n" not in name and "\t" not in name


def one_line(text: str, limit: int = 200) -> str:
    """Return text on one line of at most `limit` characters, safe for a terminal."""
    flat = " ".join(clean_prose(text).split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a model would count.

    Each seven letters of a word, three digits, sign and line end count one; so does each wide
    (Chinese, Japanese, Korean) character; of other scripts two characters make a token.
    Within about 10 % of o200k on English, Markdown, JSON and ids.
    """
    total = len(_PIECES.findall(text))
    if text.isascii():
        return total
    # Every character beyond ASCII has counted one; those that are not wide count half.
    narrow = len(_BEYOND_ASCII.findall(text)) - len(_WIDE.findall(text))
    return total - narrow // 2


def iso(moment: datetime) -> str:
    """Return a moment as RFC 3339 in UTC, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_time(text: str) -> datetime | None:
    """Read an ISO date or RFC 3339 time as an aware moment in UTC, or None if it is none."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    try:
        return (
            moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        ).replace(microsecond=0)
    except OverflowError:
        return None
