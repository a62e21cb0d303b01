"""A provider that repeats replies which it was given: for trials, and for tests without a network.

In a configuration, `options` names a file with one reply (`file: reply.json`) or lists the replies
themselves (`replies: [...]`).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from scry.errors import ConfigError, ExtractionError, ProviderError
from scry.extract.find import decode_reply
from scry.model import Prompt, Reply
from scry.ports import Meter
from scry.providers import ProviderSpec


class Canned:
    """Answers with each of its replies in turn, and with the last one from then on.

    A reply that is an error is raised.  `asked` holds every prompt so far.
    """

    def __init__(
        self, replies: Sequence[Reply | str | bytes | ExtractionError], *, name: str = "canned"
    ) -> None:
        self.name = name
        self.asked: list[Prompt] = []
        self._replies = tuple(replies)

    @classmethod
    def of(cls, spec: ProviderSpec, _environ: Mapping[str, str], _meter: Meter) -> "Canned":
        """Make one of an entry of the configuration.

        Raises:
            ConfigError: it names neither replies nor a file that can be read.
        """
        file, replies = spec.options.get("file"), spec.options.get("replies")
        if isinstance(file, str):
            try:
                return cls([Path(file).expanduser().read_bytes()], name=spec.name)
            except OSError as error:
                raise ConfigError(f"'{spec.id}': {file}: {error.strerror}.") from None
        if not isinstance(replies, list | tuple) or not all(isinstance(r, str) for r in replies):
            raise ConfigError(f"'{spec.id}': options needs a 'file' or a list of 'replies'.")
        return cls(replies, name=spec.name)

    def complete(self, prompt: Prompt) -> Reply:
        """Return the next reply.

        Raises:
            ExtractionError: the next reply is that error, is not UTF-8, or there are none at all.
        """
        self.asked.append(prompt)
        if not self._replies:
            raise ProviderError(f"{self.name}: there are no replies.", kind="permanent")
        reply = self._replies[min(len(self.asked), len(self._replies)) - 1]
        match reply:
            case ExtractionError():
                raise reply
            case bytes():
                return Reply(decode_reply(reply))
            case str():
                return Reply(reply)
            case _:
                return reply
