r"""Whether words name a thing or are a literal: a number, version, path, hash, URL, state, ...

Only things are entities; a literal is the `value` of a fact.  The shapes in `_SHAPES` are no
thing whatever a reply calls them.  Loose ones (states, commands, sentences) look so much like
names that a declared type other than `concept` is believed first: `Live` may be a product.
Every further shape costs real names, so a shape is listed only if nobody calls a thing like that.
"""

import re
import unicodedata

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_UNIT = (
    r"(?:%|percent|[µmn]?s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?|"
    r"[kmgt]i?b(?:it)?(?:/s|ps)?|bytes?|kilobytes?|megabytes?|gigabytes?|[kmg]?hz|px|em|tokens?|"
    r"lines?|files?|times|x|cents?|euros?|dollars?|eur|usd|requests?|rps|qps|fps|cores?|"
    r"[cg]pus?|characters?|rows?|records?|watts?|w|volts?|v|°?[cf])"
)
_SOURCE_FILE = (
    r"(?:py|go|ts|tsx|jsx|rs|rb|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|sql|ya?ml|toml|json|"
    r"jsonl|ini|cfg|conf|env|lock|md|rst|txt|csv|xml|html|css|scss|log|plist|service|ipynb)"
)
_HASH = re.compile(
    r"(?:(?:commit|rev|sha|sha1|sha256|sha512|md5)[\s:@-]*)?([0-9a-f]{7,128})", re.IGNORECASE
)

_SHAPES = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        rf"[~<>≈±]?\s?[$€£]?\d[\d.,]*\s?{_UNIT}(?:\s?(?:/|per)\s?\w+)?",  # 300 ms, 12 %, 90 euros
        r"v?\d+(?:\.\d+)+[-+.]?[\w.+-]*",  # 1.4, v2.0.0-rc1, 24.04
        r"(?-i:v)\d+",  # Not V8.
        r"(?:version|release|rev|revision|build|port|line|step|page)(?:\s|\s?[:#]\s?)v?\d[\w.-]*",
        r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",  # A UUID.
        r"0x[0-9a-f]+",
        r"[a-z][a-z0-9+.-]*://\S*",
        r"(?:www\.|mailto:|data:)\S+",
        r"\[?[\w.-]*\]?:\d{1,5}(?:/\S*)?",  # localhost:3000, :8080
        r"(?=.*::|(?:[^:]*:){3})[0-9a-f:]{4,}(?:/\d+)?",  # IPv6 and MAC addresses.
        r"localhost(?:/\S*)?",
        r"\d{4}-\d{2}-\d{2}[t ]\S+",
        rf"\d{{1,2}}(?:st|nd|rd|th)?\.?\s{_MONTH}(?:,?\s\d{{4}})?",
        rf"{_MONTH}\s(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s)?\d{{4}}",
        r"[a-z_][\w.-]*=\S*",  # PROFILE=amber
    )
)
_LOOSE = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        r"(?:issue|ticket|pr|pull request|merge request|mr|bug|gh)[\s#-]+\d+",
        r"[\w./-]*#\d+",
        r"--?[a-z][\w-]*(?:[= ]\S+)?",  # --no-cache
        r"\S.*\sv?\d+\.\d+\.\d+\S*",  # ffmpeg 3.4.5
        r".*(?:\s--?[a-z]|&&|\s\|\s|`|\s\w+=\S).*",
    )
)
_PATHS = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        r"[/\\].*",
        r"~(?:[\w.-]*[/\\].*)?",
        r"[a-z]:[\\/].*",
        r"(?:.*[/\\])?\.{1,2}(?:[/\\].*)?",  # Some part of it is `.` or `..`.
        r".*(?:%2e|%2f|%5c).*",
        r"\$\{?\w+\}?[/\\].*|%\w+%[/\\].*",
        r"[^\s/]+(?:/[^\s/]+)*/",  # A folder.
        rf"[^\s/]+(?:/[^\s/]+)*/[^\s/]*\.{_SOURCE_FILE}",
        r"[^\s/]+(?:/[^\s/]+)+/[^\s/]+\.js",  # Two parts may be a repository: `vercel/next.js`.
        r"(?:src|lib|app|tests?|docs|scripts|bin|etc|usr|var|opt|tmp|home)/\S+\.\w+",
    )
)
_STATES = frozenset(
    """true false yes no none null nil n/a today yesterday tomorrow now on off up down open closed done todo wip live paused retired
    active inactive enabled disabled running stopped started failed failing passing passed green red
    yellow pending blocked deployed merged released shipped broken healthy unhealthy degraded
    deprecated ready finished completed complete resolved unresolved fixed approved rejected cancelled
    canceled draft archived frozen abandoned unknown in_progress in_review in_beta on_hold up_to_date
    out_of_date not_started work_in_progress tonight last_week next_week last_month next_month
    this_week""".split()
)
_COMMANDS = frozenset(
    """just make npm npx pnpm yarn bun uv uvx pip pipx poetry tox nox pytest python python3 node deno go
    cargo docker podman kubectl helm terraform ansible ansible-playbook fly git gh ssh scp
    rsync curl wget systemctl launchctl journalctl brew apt apt-get dnf bash sh sudo cd cp mv rm chmod
    export psql sqlite3 redis-cli mvn gradle composer php ruby bundle rake mix""".split()
)
_ORDERS = frozenset(
    """add apply build check clean clone commit deploy dev down exec fetch fmt format generate get
    init install lint logs migrate pull publish push release remove restart run serve set start stop sync
    test tests up update upgrade watch""".split()
)


def is_literal(words: str, kind: str = "") -> bool:
    """Say whether words are a literal.

    Args:
        words: a name as a reply gives it, NFC and stripped.
        kind: the type that the reply declares for it, "" where it declares none.

    >>> [is_literal(w) for w in ("8443", "v1.2.0", "owner/repo", "src/main.py", "in progress")]
    [True, True, False, True, True]
    >>> is_literal("Live", "project"), is_literal("Live", "concept")
    (False, True)
    """
    return is_shape(words) or (kind in ("", "concept") and is_loose(words))


def is_shape(words: str) -> bool:
    """Say whether words are a literal whatever anybody calls them."""
    return (
        is_number(words)
        or is_hash(words)
        or is_path(words)
        or any(shape.fullmatch(words) for shape in _SHAPES)
    )


def is_loose(words: str) -> bool:
    """Say whether words that nobody knows as a thing read like a state, command or sentence."""
    parts = words.split()
    return (
        re.sub(r"[\s_-]+", "_", words.casefold()) in _STATES
        or len(parts) >= 8  # A sentence.
        or (parts[0] in _COMMANDS and not _ORDERS.isdisjoint(parts[1:]))
        or any(shape.fullmatch(words) for shape in _LOOSE)
    )


def is_path(words: str) -> bool:
    """Say whether words are a path on some machine."""
    return any(shape.fullmatch(words) for shape in _PATHS)


def is_number(words: str) -> bool:
    """Say whether words are digits and the signs of numbers: 88, 1.4, 2026-06-01, 10.0.0.7:80."""
    signs = {char for char in words if not char.isdigit()}
    kinds = map(unicodedata.category, signs - set(" .,:;/+-_'()%"))
    return len(signs) < len(set(words)) and all(k in ("Sm", "Sc", "Pd", "Zs") for k in kinds)


def is_hash(words: str) -> bool:
    """Say whether words are a commit or digest, and not a word made of the letters a to f."""
    found = _HASH.fullmatch(words)
    if not found:
        return False
    turns = sum(a.isdigit() != b.isdigit() for a, b in zip(found[1], found[1][1:], strict=False))
    return turns >= 2 or len(found[1]) in (32, 40, 56, 64, 96, 128)
