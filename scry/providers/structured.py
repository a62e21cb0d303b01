"""How the shape of an answer is asked for, from the strictest way that a server takes.

    json_schema   the server enforces the schema
    tool          the model must call a tool of ours, whose arguments have the schema
    json_object   any JSON
    prompt        only the words of the prompt

`auto` begins with the strictest, or with what the meter remembers of this server.  A 400 or 422 that
names the field goes one step down; once the weaker way was accepted the meter keeps it.  A way that
was configured is kept: a server that does not take it is a mistake in the configuration.
"""

import json
import re
from collections.abc import Callable, Sequence

from scry.errors import BadReplyError, ConfigError, ProviderError
from scry.ports import Meter
from scry.providers import ProviderSpec
from scry.providers.http import RefusedError

TOOL = "remember"
"""The tool that a model is made to call."""
TOOL_PURPOSE = "Hand over what the record says."
_NAMES_IT = re.compile(
    r"response[_ ]?format|response_?mime|output[_ ]?(?:config|format)|json.?(?:schema|object|mode)|"
    r"schemas?\b|structured|\bstrict\b|tool[_ ]?choice|\btools?\b|\btool_use|\bfunctions?\b|"
    r"text\.format|[.'\"`]format\b|\bformat\b (?:is|field|param|option|must|not)|"
    r"(?:invalid|unsupported|unknown|unrecogni[sz]ed) (?:\w+ )?format\b|"
    r"guided|grammar|additional_?properties"
)


class Modes:
    """The ways in which one server can be asked, and the one that it is asked in now.

    Args:
        spec: its `structured` is `auto` or one of the modes.
        modes: what the wire knows, the strictest first.
        meter: remembers across runs.

    Raises:
        ConfigError: the wire does not know the configured mode.
    """

    def __init__(self, spec: ProviderSpec, modes: Sequence[str], meter: Meter) -> None:
        if spec.structured not in ("auto", *modes):
            raise ConfigError(
                f"'{spec.id}': structured must be auto or one of {', '.join(modes)}, for a provider "
                f"of type {spec.type}."
            )
        self._auto = spec.structured == "auto"
        self._modes = tuple(modes)
        self._meter = meter
        known = meter.mode() if self._auto else spec.structured
        self._mode = known if known in modes else modes[0]

    def ask(self, post: Callable[[str], dict[str, object]]) -> tuple[dict[str, object], str]:
        """Return the answer to `post(mode)`, and the mode in which it was given.

        Raises:
            ProviderError: of kind `permanent`, where the server does not take a configured mode.
            ExtractionError: whatever else `post` raises.
        """
        stepped = False
        while True:
            mode = self._mode
            try:
                answer = post(mode)
            except RefusedError as error:
                if not _names_the_field(error) or mode == "prompt":
                    raise
                if not self._auto:
                    raise _misconfigured(error, mode) from None
                self._mode = self._modes[self._modes.index(mode) + 1]
                stepped = True
                continue
            if stepped:
                self._meter.keep_mode(mode)
            return answer, mode


def _names_the_field(error: RefusedError) -> bool:
    # Servers that build a grammar of the schema answer with 500 where they cannot.
    statuses = (400, 422, 500) if "grammar" in error.words else (400, 422)
    return error.status in statuses and bool(_NAMES_IT.search(error.words))


def _misconfigured(error: RefusedError, mode: str) -> ProviderError:
    return ProviderError(
        f"{error} It does not seem to take structured: {mode}; auto finds out what it takes.",
        kind="permanent",
    )


def arguments_text(arguments: object, name: str) -> str:
    """Return what the tool was called with as the text of a reply.

    Raises:
        BadReplyError: it cannot be written as JSON; `name` is the provider's, for the message.
    """
    if isinstance(arguments, str):
        return arguments
    try:
        return json.dumps(arguments, ensure_ascii=False)
    except (ValueError, RecursionError):
        raise BadReplyError(f"{name}: the arguments of its tool call are no JSON.") from None
