"""What a program's complaint means: programs say in words what a server says with a status.

    too long for the model     the question is asked again in parts
    a limit, no credit, 429    a rest (quota)
    no login, no such model    never, as it is configured (permanent)
    anything else              later (transport)

The words are those of the programs that are known, and of the servers whose errors they pass on.
"""

import re
from collections.abc import Mapping

from scry.errors import ExtractionError, ProviderError, ScryError, TooLongError
from scry.redact import environment_literals, redact
from scry.text import one_line

_SHOWN = 200
_READ = 8_000
_STATUS = re.compile(
    r"(?:\bstatus(?: code)?:? |\bHTTP(?:/[\d.]+)? |\bAPI Error:? |\berror code:? |\()([45]\d\d)\b",
    re.IGNORECASE,
)


def _words(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


_TOO_LONG = _words(
    r"(?:prompt|input|request|context|message)s? (?:is|are|was) too (?:long|large)",
    r"context[_ ](?:length|window)",
    r"maximum context",
    r"too many tokens",
    r"output token maximum",
    r"max_output_tokens",
)
_SPENT = _words(
    r"\b(?:rate|usage|session|weekly|daily|spend(?:ing)?)[_ -]limit",
    r"hit your (?:\w+ )?limit",
    r"limit reached",
    r"too many requests",
    r"quota",
    r"billing",
    r"credit balance",
    r"insufficient (?:balance|credit|funds)",
    r"payment required",
)
_NEVER = _words(
    r"not logged in",
    r"please (?:run )?/?log ?in",
    r"/login",
    r"unauthori[sz]ed",
    r"authenticat",
    r"\bapi[_ -]?key\b",
    r"no key found",
    r"forbidden",
    r"(?:unknown|no such|unrecogni[sz]ed|unexpected|invalid) (?:option|argument|flag|command|model|value)",
    r"model .{0,80}(?:not found|does not exist|not supported|not exist)",
    r"error loading config",
)
_SHAPE = _words(
    r"not support (?:schema|structured)",
    r"response_format",
    r"json_schema",
    r"text\.format",
    r"output_format",
    r"invalid (?:json )?schema",
)


class UnshapedError(ProviderError):
    """The program, or the model behind it, does not take a schema: ask again without one."""


def trouble(
    name: str, said: str, *, environ: Mapping[str, str], status: int = 0, kind: str = "transport"
) -> ExtractionError:
    """Return the error that a program's complaint comes to.

    Args:
        name: the provider's, for the message.
        said: the complaint; it is redacted, and shown as one line of at most 200 characters.
        environ: the values of its secret-looking variables are masked too.
        status: an HTTP status that the program passes on; 0 if it does not, and the words decide.
        kind: what the error is if neither words nor status tell.
    """
    try:
        text = str(redact(said[-_READ:], literals=environment_literals(environ)))
    except ScryError:
        return ProviderError(f"{name}: it failed, and what it says cannot be shown.", kind=kind)
    message = f"{name}: {_line(text) or 'it ended without an answer, and says nothing'}"
    found = _STATUS.search(text)
    status = status or (int(found[1]) if found else 0)
    if _TOO_LONG.search(text):
        return TooLongError(message)
    if _SHAPE.search(text) and status in (0, 400, 422):
        return UnshapedError(message, kind="content")
    return ProviderError(message, kind=_kind(text, status) or kind)


def _kind(text: str, status: int) -> str:
    if status in (402, 429) or _SPENT.search(text):
        return "quota"
    if status in (408, 409, 425) or status >= 500:
        return "transport"
    if status in (400, 413, 422):
        return "content"  # Another chunk may be fine.
    return "permanent" if status or _NEVER.search(text) else ""


def _line(text: str) -> str:
    """Return the line that says what is wrong: the last one that speaks of an error, or the last."""
    lines = [line.strip() for line in text.splitlines() if any(map(str.isalpha, line))]
    telling = [
        line for line in lines if re.search(r"error|fail|cannot|denied", line, re.IGNORECASE)
    ]
    return one_line((telling or lines or [""])[-1], _SHOWN)
