"""A model as an extractor: a prompt, a provider, and the check of what comes back."""

from collections.abc import Sequence
from dataclasses import replace

from scry.errors import BadReplyError, ExtractionError, ScryError
from scry.extract.prompt import build_prompt
from scry.extract.reply import parse_reply
from scry.model import Chunk, Extraction, Known, Prompt, Reply
from scry.ports import Provider


class ModelExtractor:
    """Asks a provider, and once more with the reason when the answer does not pass the check.

    A provider that fails by itself is not asked again here: it has made its own retries.
    """

    def __init__(self, provider: Provider) -> None:
        self.name = provider.name
        self._provider = provider

    def extract(self, chunk: Chunk, glossary: Sequence[Known]) -> Extraction:
        """Return what the model makes of a chunk.

        `tokens_in` and `tokens_out` count both questions when there were two.

        Raises:
            BadReplyError: neither answer passed the check.
            ExtractionError: the provider failed, with the `kind` that says how.
        """
        first = self._provider.complete(_prompt(chunk, glossary))
        try:
            return self._checked(first, chunk)
        except BadReplyError as error:
            reason = str(error)
        second = self._provider.complete(_prompt(chunk, glossary, reason))
        both = Reply(
            second.text,
            tokens_in=first.tokens_in + second.tokens_in,
            tokens_out=first.tokens_out + second.tokens_out,
        )
        return self._checked(both, chunk)

    def _checked(self, reply: Reply, chunk: Chunk) -> Extraction:
        extraction = parse_reply(reply.text, chunk, extractor=self.name)
        return replace(extraction, tokens_in=reply.tokens_in, tokens_out=reply.tokens_out)


def _prompt(chunk: Chunk, glossary: Sequence[Known], correction: str = "") -> Prompt:
    try:
        return build_prompt(chunk, glossary, correction)
    except ScryError as error:  # The redactor gave up, so nothing is sent.
        raise ExtractionError(str(error)) from None
