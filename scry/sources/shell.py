"""What a shell command does, as a verb and an object: `cd w && FOO=1 uv run pytest -q` ran tests.

Only program names that look like one, file names and host names come out.  Arguments, values of
options and assignments never do: that is where secrets stand.
"""

import re
from urllib.parse import urlsplit

from scry.sources.programs import (
    INSTALLS,
    INTERPRETERS,
    RUNNERS,
    SHELLS,
    SILENT,
    SUBCOMMANDS,
    VERBS,
    task_verb,
)
from scry.sources.shell_words import statements

Deed = tuple[str, str]
"""A verb and what it was done to, which may be ""."""

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=")
_PROGRAM = re.compile(r"[a-z][a-z-]{0,15}\d{0,2}(?:\.sh|\.py)?\Z")
_CMDLET = re.compile(r"[A-Z][a-z]{1,12}-[A-Z][A-Za-z]{1,20}\Z")
_FILE = re.compile(r"[\w.@()\[\] +-]{1,80}\Z")
_FILE_LIKE = re.compile(
    r"(?:[\w@.-]*\.[A-Za-z]\w{0,7}|Makefile|Dockerfile|README|LICENSE|justfile)\Z"
)
_PACKAGE = re.compile(r"(?:@[a-z0-9][a-z0-9-]{0,30}/)?[a-z][a-z0-9._-]{0,30}\Z", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9][a-z0-9.-]{0,80}\Z")
_FLAGS = re.compile(r"-[sSLfkvIiOgq]+\Z")
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+?)\s*$", re.MULTILINE)
_VERSION = re.compile(r"[=<>~!\[]|(?<!^)@")
_KEYWORDS = frozenset("( ! { } then do else fi done if while &".split())
_OPTIONS_WITH_VALUE = frozenset(
    """-u -n --with -p --package -g -s --group --extra --python -C --directory --project -I -P -k
    --kill-after --signal --user --env-file""".split()
)
_LINE_OPTIONS = frozenset("-n -A -b -e -E -s -r -w -l -c".split())
_DURATION = re.compile(r"\d+(?:\.\d+)?[smhd]?\Z")


def deed_of(command: str) -> Deed:
    """Return what the first meaningful part of a command does."""
    if patched := patched_files(command):
        return "edited", patched
    fallback: Deed = ("ran", "")
    for words, redirect in statements(command[:8000]):
        deed = _deed(words, redirect)
        if deed is not None and deed[0] != "listed":
            return deed
        fallback = deed or fallback
    return fallback


def patched_files(patch: str) -> str:
    """Return the first file that a patch in the `*** Update File:` form changes, and how many more."""
    found = list(dict.fromkeys(_PATCHED.findall(patch))) if "*** " in patch else []
    if not found:
        return ""
    first = file_name(found[0])
    return f"{first} +{len(found) - 1}" if len(found) > 1 else first


def file_name(path: str, cwd: str = "") -> str:
    """Return a path for showing: relative to the directory where it is below, else the last part.

    >>> file_name("/w/src/a.py", "/w"), file_name("/etc/hosts", "/w"), file_name("src/a.py")
    ('src/a.py', 'hosts', 'src/a.py')
    """
    plain, base = path.replace("\\", "/").strip(), cwd.replace("\\", "/").rstrip("/")
    if base and plain.casefold().startswith(base.casefold() + "/"):
        plain = plain[len(base) + 1 :]
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    if not parts:
        return ""
    if plain.startswith(("/", "~")) or ":" in parts[0] or ".." in parts:
        parts = parts[-1:]
    return "/".join(parts) if len(parts) <= 8 and all(map(_FILE.match, parts)) else ""


def host_of(url: str) -> str:
    """Return the host of an address, without user, password and port; "" if there is none."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host if _HOST.match(host) else ""


def _deed(words: list[str], redirect: str) -> Deed | None:
    """Return what one simple command does, or None when it only prepares for the next one."""
    words, sure = _without_wrappers(_without_parentheses(words))
    if not words:
        return None
    program = words[0].replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".exe")
    rest = words[1:]
    if program in SHELLS:
        return _inner(program, rest)
    if program in ("cat", "tee", "echo", "printf") and (redirect or program == "tee"):
        return "edited", _file_in([redirect] if redirect else rest)
    if program in SILENT:
        return None
    return _known(program, rest) or _unknown(words[0], program, sure=sure)


def _without_parentheses(words: list[str]) -> list[str]:
    """Take the parentheses of a subshell off its first and last word."""
    if not words:
        return []
    words = [words[0].lstrip("("), *words[1:]]
    if words[-1].count(")") > words[-1].count("("):
        words[-1] = words[-1].rstrip(")")
    return words


def _without_wrappers(words: list[str]) -> tuple[list[str], bool]:
    """Skip assignments and programs that only run another one: sudo, env, timeout 5, uv run, npx.

    Also say whether the next word is surely a program: after an option of a wrapper that we do
    not know it may be the option's value.
    """
    sure = True
    while words:
        if words[0] in _KEYWORDS:
            words = words[1:]
        elif words[0].startswith("$") and words[1:2] == ["="]:
            words, sure = words[2:], False  # PowerShell: a command or a literal follows.
        elif _ASSIGNMENT.match(words[0]):
            words = _after_value(words)
        elif words[0] in RUNNERS and _runs(words):
            words, plain = _after_runner(words[2:] if RUNNERS[words[0]] else words[1:])
            sure = sure and plain
        else:
            break
    return words, sure


def _after_value(words: list[str]) -> list[str]:
    """Skip an assignment, and the rest of `X=(a b)` and `X=$(a b)`, which stands in more words."""
    depth = 0
    for number, word in enumerate(words, start=1):
        depth += word.count("(") - word.count(")")
        if depth <= 0:
            return words[number:]
    return []


def _runs(words: list[str]) -> bool:
    """Say whether a wrapper runs another program here: `uv run` does, `uv pip` does not."""
    second = RUNNERS[words[0]]
    return not second or (len(words) > 1 and words[1] in second)


def _after_runner(rest: list[str]) -> tuple[list[str], bool]:
    plain = True
    while rest:
        if rest[0].startswith("-"):
            takes_value = rest[0] in _OPTIONS_WITH_VALUE
            plain = plain and (takes_value or "=" in rest[0] or rest[0] in ("--", "-y", "-E", "-i"))
            rest = rest[2:] if takes_value else rest[1:]
        elif _DURATION.match(rest[0]) or _ASSIGNMENT.match(rest[0]):
            rest = rest[1:]
        else:
            break
    return rest, plain


def _inner(program: str, rest: list[str]) -> Deed | None:
    """Look into `bash -lc "..."`; a script file is what is run."""
    for number, word in enumerate(rest):
        if word.startswith("-") and word.casefold().endswith(("c", "-command")):
            return deed_of(" ".join(rest[number + 1 :]))
        if not word.startswith("-"):
            return "ran", _file_in([word])
    return "ran", program


def _known(program: str, rest: list[str]) -> Deed | None:
    first = next((word for word in rest[:4] if word in SUBCOMMANDS.get(program, ())), "")
    first = first or next((word for word in rest if not word.startswith("-")), "")
    if program == "uv" and first == "pip":
        program, rest, first = "pip", rest[1:], "".join(rest[1:2])
    if program in INTERPRETERS and not (program in SUBCOMMANDS and task_verb(program, first)):
        return _interpreted(program, rest)
    if program in SUBCOMMANDS:
        return _subcommand(program, first, rest) if first or program == "make" else None
    if program == "sed" and any(word.startswith(("-i", "--in-place")) for word in rest):
        return "edited", _file_in(rest)
    verb = VERBS.get(program)
    if verb in ("read", "edited"):
        return verb, _file_in(rest)
    if verb == "fetched":
        return verb, _host_in(rest)
    return (verb, "" if verb in ("searched", "listed") else program) if verb else None


def _subcommand(program: str, first: str, rest: list[str]) -> Deed:
    if first in INSTALLS.get(program, ()):
        after = rest[rest.index(first) + 1 :][:1]
        name = _VERSION.split(after[0], maxsplit=1)[0] if after else ""
        return "installed", name if _PACKAGE.match(name) else ""
    before_dashes = rest[: rest.index("--")] if "--" in rest else rest
    if verb := next(filter(None, (task_verb(program, word) for word in before_dashes)), ""):
        return verb, program
    if program == "make" and not first:
        return "built", program
    return (f"ran {program} {first}", "") if first in SUBCOMMANDS[program] else ("ran", program)


def _interpreted(program: str, rest: list[str]) -> Deed:
    if rest[:1] == ["-m"] and len(rest) > 1:
        known = _known(rest[1], rest[2:])
        return known or ("ran", rest[1] if _PROGRAM.match(rest[1]) else program)
    for word in rest:
        if word in ("-c", "-e", "-", "eval"):
            break
        if not word.startswith("-"):
            return "ran", _file_in([word]) or program
    return "ran", program


def _unknown(word: str, program: str, *, sure: bool) -> Deed:
    if verb := task_verb(program.removesuffix(".sh"), ""):
        return verb, program
    script = "/" in word and _FILE_LIKE.match(program)
    named = _PROGRAM.match(program) or _CMDLET.match(program)
    return "ran", program if sure and (script or named) else ""


def _file_in(words: list[str]) -> str:
    """Return the last word that looks like a file and is no option's value."""
    for number in range(len(words) - 1, -1, -1):
        name = file_name(words[number])
        if name and _FILE_LIKE.match(name.rsplit("/", 1)[-1]) and not words[number].startswith("-"):
            before = words[number - 1] if number else ""
            return "" if before.startswith("-") and before not in _LINE_OPTIONS else name
    return ""


def _host_in(words: list[str]) -> str:
    for number, word in enumerate(words):
        before = words[number - 1] if number else ""
        if word.startswith(("http://", "https://")):
            return host_of(word) if not before.startswith("-") or _FLAGS.match(before) else ""
    return ""
