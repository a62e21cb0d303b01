"""What a value must look like to be taken for the secret that its name promises.

Most values behind `token =` are no tokens: a variable, a call, a path, a placeholder, a word of the manual.  Those
must stay, for the text is about them.
"""

import re

from scry.redact.names import Trust, promise_of

# Pairs of letters that are frequent in English words and names: nine of ten pairs there, four of ten in random text.
_PAIRS = frozenset(
    """ab ac ad ag ai ak al am an ap ar as at au av aw ay ba be bi bl bo br bu by ca ce ch ci ck cl co cr ct cu cy da de di
    do dr ds du dy ea ec ed ee ef eg ei el em en ep er es et ev ew ex ey fa fe ff fi fl fo fr fu ga ge gh gi gl gn go gr
    gs gu ha he hi ho hr ht ia ib ic id ie if ig il im in io ip ir is it iv iz ja jo ke ki ks la ld le li ll lo ls lt lu ly
    ma mb me mi mm mo mp ms mu my na nc nd ne nf ng ni nk nn no ns nt nu ny ob oc od of og ok ol om on oo op or os ot ou ov
    ow pa pe ph pi pl po pp pr ps pt pu qu ra rc rd re rg ri rk rl rm rn ro rr rs rt ru rv ry sa sc se sh si sk sl sm so sp
    ss st su sw ta te th ti tl to tr ts tt tu tw ty ub uc ud ue ug ui ul um un up ur us ut va ve vi vo wa we wh wi wo wn
    xp xt ye ys ze""".split()
)
_PLACEHOLDERS = """xxxxx *** ... … •• ____ redacted placeholder changeme change-me change_me replace- replace_
dummy your insert- insert_ todo example fakekey notreal abcdefghij""".split()
# `my-api-key`, `the_password_here`, `some token`: people's way of writing that something goes here.
_STANDS_IN = re.compile(
    r"(?:(?<![a-z])(?:my|the|some|an?|fake|sample|test)[-_ ](?:\w{1,12}[-_ ])?(?:pass|token|key|secret|cred|auth|api))|"
    r"(?:token|key|secret|password)[-_ ]?(?:here|goes)"
)
# A variable, a template, a shell expansion, a reference into a vault, an address: where the value is, not the value.
_REFERENCE = re.compile(
    r"\$\w{0,40}\{|\$\(|\$\[|\$[A-Za-z_]\w*\Z|\$\d\Z|<[^<>]*>?\Z|</|\{\{|\{[\w.]*\}\Z|\{%|%[A-Za-z_]\w*%\Z|%[sdr]\Z|%\(|#\{|@\w+@\Z|"
    r"env[:.(\[]|op://|vault:|file:|cmd:|keyring:|secrets?[./:]\w|ref\+|arn:|projects/|process\.env|os\.|"
    r"--?[a-z]{1,20}(?:-[a-z]{1,20}){0,6}(?:=|\Z)|\(\?|\^|\.[*+]|\\[bdsw]|\[\^|\[[A-Za-z0-9]-|import\.meta|\w+://[^\s@]*\Z|&\w|\[REDACTED",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:|[\w.-]+)?(?:[/\\]+[\w.@-]+)+[/\\]?\Z")
_CODE = re.compile(
    r"[A-Za-z_][\w.]*\(|[A-Za-z_]\w*\[|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+(?:\(\))?\Z|\(|\[|\{|await\b|=>|==|:=|&&|"
    r"[A-Za-z_]\w*=[\"'<]"
)
_DOTTED = re.compile(r"[A-Za-z_]\w{0,30}(?:\.[A-Za-z_]\w{0,30})+\Z")
# Numbers with units, dates, times, versions, addresses, colours, file names.
_PLAIN = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ].*|(?:-[a-z]{2,20})+(?:-[a-z0-9]{4,8})?)?\Z|v?\d+(?:\.\d+)+(?:[-+][\w.]+)?(?::\d+)?\Z|[\d.,:]+\s?[A-Za-z%]{0,3}\Z|"
    r"#?[0-9a-fA-F]{1,6}\Z|"
    r"[\w.-]*\.(?:pem|key|crt|json|ya?ml|toml|txt|md|py|js|ts|go|rs|env|cfg|ini|conf|sh|gpg|pub|html?|com|org|net|io)\Z",
)
UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]{16,}\Z")
_SEPARATORS = re.compile(r"[^A-Za-z0-9]+")
_SEGMENT = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]+|\d+|[A-Za-z]{1,5}\d{1,3})\Z")
_INTERLEAVED = re.compile(r"[A-Za-z]\d+[A-Za-z]+\d")
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ENOUGH, _TELLING = 200, 48
_SLASH = re.compile(r"[/\\]")
_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_NAME = re.compile(r"[A-Za-z][\w.-]*\Z")
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_SIGN_INSIDE = re.compile(r"[A-Za-z][!#$%^&*?~][A-Za-z]")
_RISES = re.compile(r"[a-z][A-Z]")
_SYMBOL = re.compile(r"[!@#$%^&*+=?~]")
# A number grown together with a word: `Otter47-quay`, `Maple_53birch`; and what is so written for other reasons.
_GLUED = re.compile(r"[A-Za-z]{3}\d{1,4}(?!\d)|(?<!\d)\d{1,4}[A-Za-z]{3}")
_TITLE = re.compile(r"(?<![A-Za-z])[A-Z][a-z]{2}")
_PART = re.compile(r"\d*[A-Za-z]{3,}\d*")
_TECHNICAL = re.compile(
    r"(?:sha|base|utf|rfc|u?int|float|win|windows|ubuntu|linux|arm|amd|aes|rsa|log|http|oauth|auth|web|py|python|node|gpt|"
    r"qwen|llama|bit|ipv|argon|part|step|phase|page|line|level|issue|version|section|chapter|table|figure|field|input|test|case|type|"
    r"class|repo|gpio|token|user|error|ring)-?\d|\d(?:bit|byte|min|sec|day|hour|month|year)",
    re.IGNORECASE,
)
# `32-byte`, `12characters`, `runbook-12`, `v2.1`, `report-2024`: how much, which one, since when.
_LABEL = re.compile(
    r"\d+[-_ ]?[A-Za-z]{1,12}(?:[-_][A-Za-z]+)*\Z|(?:[A-Za-z]+[-_.])*[A-Za-z]+[-_.]?(?:\d{1,2}|(?:19|20)\d\d)\Z|v?\d|"
    r"[A-Za-z0-9._-]+\.(?:[a-z]{2,4}|\d+)\Z|[A-Za-z]{1,5}-\d+\Z"
)
_SIGN = re.compile(r"[!#%^*~]")
_ENDS_IN_YEAR = re.compile(r"[a-z](?:[._-]\d{2}|\d{2})\d{2}\Z|[a-z][._-]\d{2,3}\Z")
_NO_NAME = re.compile(
    r"(?<![A-Za-z])(?!oauth|auth|sha|base|utf)[A-Za-z]{3,}\d+[A-Za-z]{3}|[._-]\d{2,}[A-Za-z]{3}"
)
WORDS = frozenset(
    """password passwd pass pwd secret secrets token tokens key keys apikey user username admin root guest none null nil
    true false undefined empty required optional invalid missing string str int bytes bool any object number text hidden
    disabled enabled default unknown expired valid wrong incorrect correct bearer basic digest auth oauth oauth2 jwt
    session cookie header body query file env vault keyring prompt stdin yes no on off abc abc123 abcd 123 1234 12345 xxx
    yyy zzz foo bar baz foobar test testing tests demo hunter redacted masked private public access refresh login logout
    changeit secure security value input output type name self this config settings options data field label postgres
    mysql authentication authorization credentials forbidden unauthorized certificate encrypted plaintext production
    development staging internal external anonymous nothing rotated revoked stored removed deleted replaced leaked
    latin1 utf8 utf-8 ascii base64 sha256 argon2 scrypt bcrypt
    ignored supported available necessary needed provided mandatory identical different generated""".split()
)


def is_secret(value: str, trust: Trust, *, quoted: bool = False, bare: bool = False) -> bool:
    """Say whether a value is a secret, given how sure its name makes us.

    `bare` lets an unquoted word pass as a password, as in `DB_PASSWORD=correcthorse`, where nothing but a value can
    stand.
    """
    if len(value) < 5 or " " in value or value.lower() in WORDS or is_reference(value):
        return False
    if value.isdigit():
        return trust >= Trust.NAMED and len(value) >= (6 if trust is Trust.SURE else 12)
    if _PLAIN.match(value) or _is_code(value, quoted=quoted) or not _LETTER.search(value):
        return False
    if trust is Trust.WEAK:
        return _stands_alone(value)
    if _DIGIT.search(value) or _SYMBOL.search(value):
        sure = (quoted or len(value) >= 6) and not _names_a_secret(value)
        named = len(value) >= 8 and (not is_wordy(value) or is_coined(value))
        return sure if trust is Trust.SURE else named
    return _word_passes(value, trust, loose=quoted or bare)


def is_random(value: str, least: int = 8) -> bool:
    """Say whether text looks random by itself: letters and digits mixed beyond any word or identifier."""
    if len(value) < least or is_reference(value) or _PLAIN.match(value) or _CODE.match(value):
        return False
    digits = len(_DIGIT.findall(value))
    if not digits:
        return len(value) >= 12 and value.isascii() and is_gibberish(value)
    return digits < len(value) and not is_wordy(value)


def is_password(value: str, least: int = 6) -> bool:
    """Say whether text looks like a password by itself: random, or a word with a sign and a digit."""
    if is_random(value, least) or is_coined(value):
        return True
    if len(value) < least or is_reference(value) or _CODE.match(value):
        return False
    if len(value) >= 8 and _SIGN_INSIDE.search(value):
        return True
    if _TITLE.match(value) and _ENDS_IN_YEAR.search(value) and not _TECHNICAL.search(value):
        return True
    mixed = _LETTER.search(value) and (_SYMBOL.search(value) or _RISES.search(value))
    return bool(mixed and _DIGIT.search(value))


def is_told(value: str, least: int = 6) -> bool:
    """Say whether text that is called a password can be one: any word with a number that is no measure and no label.

    >>> is_told("otter4711"), is_told("32-byte"), is_told("runbook-12"), is_told("sha256")
    (True, False, False, False)
    """
    if is_password(value, least):
        return True
    if len(value) < least or is_reference(value) or _CODE.match(value) or _PLAIN.match(value):
        return False
    if _TECHNICAL.search(value) or _LABEL.match(value) or not value[0].isalnum():
        return False
    return bool(_LETTER.search(value)) and len(_DIGIT.findall(value)) >= 2


def is_coined(value: str) -> bool:
    """Say whether text is a password made of words, as people make them up.

    >>> is_coined("maple-Otter47-quay"), is_coined("Maple_53birch"), is_coined("release-2024-final")
    (True, True, False)
    """
    if not 8 <= len(value) <= _ENOUGH or value.isalnum() or _TECHNICAL.search(value):
        return False
    if is_reference(value) or _PLAIN.match(value) or _CODE.match(value):
        return False
    parts = [part for part in _SEPARATORS.split(value) if part]
    words = sum(bool(_PART.fullmatch(part)) for part in parts)
    digits, title = len(_DIGIT.findall(value)), bool(_TITLE.search(value))
    if words >= 2 and digits >= 2 and _GLUED.search(value):
        return title or words >= 3
    return title and digits > 0 and (min(len(parts) - 1, words) >= 2 or bool(_SIGN.search(value)))


def is_reference(value: str) -> bool:
    """Say whether text stands for a value: a placeholder, a variable, a path, an address."""
    low = value[:_ENOUGH].lower()
    if len(set(low)) <= 1 or _REFERENCE.match(value) or any(word in low for word in _PLACEHOLDERS):
        return True
    if _STANDS_IN.search(low):
        return True
    return bool(_PATH.match(value)) and all(is_wordy(part) for part in _SLASH.split(value) if part)


def is_wordy(value: str) -> bool:
    """Say whether text is made of words and short numbers, as names and sentences are.

    >>> is_wordy("prod-cache-2"), is_wordy("zqzwup7zkiodtzxp")
    (True, False)
    """
    if all(
        _SEGMENT.match(part) and not is_gibberish(part) for part in _SEPARATORS.split(value) if part
    ):
        return True
    pieces = _PIECES.findall(value)
    if _INTERLEAVED.search(value) or not pieces or len(pieces) > 3 + len(value) / 4:
        return False
    letters = "".join(piece for piece in pieces if piece[0].isalpha())
    numbers = sum(len(piece) for piece in pieces if piece[0].isdigit())
    return len(letters) >= 2 * numbers - 4 and not is_gibberish(value)


def is_gibberish(value: str) -> bool:
    """Say whether the letters of a text are too odd in sequence to be words."""
    pairs = [
        piece[i : i + 2].lower() for piece in _RUNS.findall(value) for i in range(len(piece) - 1)
    ]
    letters = len(_LETTER.findall(value))
    if letters >= 8 and len(pairs) * 2 < letters:
        return True  # the case changes at nearly every letter
    return len(pairs) >= 4 and sum(pair in _PAIRS for pair in pairs) < 0.68 * len(pairs)


def _is_code(value: str, *, quoted: bool) -> bool:
    if not quoted and _CODE.match(value):
        return True
    return bool(_DOTTED.match(value)) and is_wordy(value)


def _stands_alone(value: str) -> bool:
    """Say whether a value is a secret even behind a name that promises little."""
    if len(value) < 16 or UUID.match(value) or _HEX.match(value):
        return False
    return bool(_DIGIT.search(value)) and not is_wordy(value)


def _word_passes(value: str, trust: Trust, *, loose: bool) -> bool:
    if is_gibberish(value) and len(value) >= 10:
        return True
    if trust is not Trust.SURE or not loose or len(value) < 8 or _names_a_secret(value):
        return False
    return value.isalpha() or value.count("-") >= 2


def _names_a_secret(value: str) -> bool:
    """Say whether a value is itself such a name: `db_password`, `ACCESS_TOKEN`."""
    several = len(_PIECES.findall(value)) > 1 and not _NO_NAME.search(value)
    return (
        several and bool(_NAME.match(value)) and promise_of(value) is not None and is_wordy(value)
    )
