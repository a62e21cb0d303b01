"""A model as an extractor: a prompt, a provider, and the check of what comes back.

A question that does not fit is asked in parts: what is too much of the glossary is left out first,
then the record is halved, and its halves again if need be.  The answers about all parts become
one; when one part has no usable answer, there is none for the whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scry.errors import BadReplyError, ExtractionError, ScryError, TooLongError
from scry.extract.parts import halves, unite
from scry.extract.prompt import build_prompt
from scry.extract.reply import parse_reply
from scry.model import Chunk, Extraction, Known, Prompt
from scry.ports import Provider
from scry.text import estimate_tokens

LONG_RECORD = 1_000
"""Tokens of a record from which on it is asked about in parts when a server finds it too long."""
MAX_HALVINGS = 4
"""A chunk is asked about in at most two to the power of this many parts."""


class ModelExtractor:
    """Asks a provider, and once more with the reason when the answer does not pass the check.

    A provider that fails by itself is not asked again here: it has made its own retries.

    Args:
        provider: who is asked.
        context_tokens: the longest question that is sent, by our estimate; 0 sets no limit.
    """

    def __init__(self, provider: Provider, context_tokens: int = 0) -> None:
        self.name = provider.name
        self._provider = provider
        self._context_tokens = context_tokens

    def extract(self, chunk: Chunk, glossary: Sequence[Known]) -> Extraction:
        """Return what the model makes of a chunk.

        `tokens_in` and `tokens_out` count every question that was answered, usable or not.

        Raises:
            TooLongError: question or answer does not fit, in however many parts.
            BadReplyError: neither answer about the chunk, or about a part, passed the check.
            ExtractionError: the provider failed, with the `kind` that says how.
        """
        asking = _Asking(self._provider, glossary, self._context_tokens)
        extraction = asking.about(chunk)
        return replace(extraction, tokens_in=asking.tokens_in, tokens_out=asking.tokens_out)


@dataclass(slots=True)
class _Asking:
    """The questions about one chunk, and what they have cost so far."""

    provider: Provider
    glossary: Sequence[Known]
    limit: int
    tokens_in: int = 0
    tokens_out: int = 0

    def about(self, chunk: Chunk, halvings: int = MAX_HALVINGS) -> Extraction:
        """Ask about a chunk, or about its halves where it is too long."""
        try:
            return self._question(chunk)
        except TooLongError as error:
            parts = halves(chunk) if error.kind == "content" and halvings else None
            if parts is None:
                raise
        return unite([self.about(part, halvings - 1) for part in parts])

    def _question(self, chunk: Chunk) -> Extraction:
        prompt = _fitted(_prompt(chunk, self.glossary), self.limit)
        text = self._text(prompt, chunk)
        try:
            return parse_reply(text, chunk, extractor=self.provider.name)
        except BadReplyError as error:
            correction = _prompt(chunk, self.glossary, str(error)).correction
        text = self._text(replace(prompt, correction=correction), chunk)
        return parse_reply(text, chunk, extractor=self.provider.name)

    def _text(self, prompt: Prompt, chunk: Chunk) -> str:
        try:
            reply = self.provider.complete(prompt)
        except TooLongError as error:
            if estimate_tokens(chunk.text) >= LONG_RECORD:
                raise
            # A model that runs on about a short record would run on about its half as well.
            raise BadReplyError(str(error), kind=error.kind) from None
        self.tokens_in += reply.tokens_in
        self.tokens_out += reply.tokens_out
        return reply.text


def _prompt(chunk: Chunk, glossary: Sequence[Known], correction: str = "") -> Prompt:
    try:
        return build_prompt(chunk, glossary, correction)
    except ScryError as error:  # The redactor gave up, so nothing is sent.
        raise ExtractionError(str(error)) from None


def _fitted(prompt: Prompt, limit: int) -> Prompt:
    """Return a prompt with as many lines of its glossary, from the first, as fit.

    Raises:
        TooLongError: it does not fit even without; of kind `permanent` where no chunk ever would.
    """
    if not limit:
        return prompt
    stable, record = estimate_tokens(prompt.stable), estimate_tokens(prompt.chunk)
    room = limit - stable - record
    if room < 0:
        never = stable >= limit
        raise TooLongError(
            f"The question takes about {stable + record:,} tokens, and context_tokens allows "
            f"{limit:,}" + (f"; the instructions alone take {stable:,}." if never else "."),
            kind="permanent" if never else "content",
        )
    kept: list[str] = []
    for line in prompt.glossary.splitlines():
        room -= estimate_tokens(line) + 1
        if room < 0:
            break
        kept.append(line)
    # The first line only says what follows.
    return replace(prompt, glossary="\n".join(kept) if len(kept) > 1 else "")
