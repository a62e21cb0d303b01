"""One question to a program, what came of it, and what a program's module has to provide."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scry.errors import BadReplyError, ExtractionError
from scry.model import Prompt
from scry.providers import ProviderSpec
from scry.providers.programs.failing import trouble
from scry.providers.programs.process import Ended


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One question to a program, and the folder where its files lie."""

    spec: ProviderSpec
    prompt: Prompt
    folder: Path
    shaped: bool
    """Whether the shape of the answer is asked for with the schema."""
    told: str
    """What the program said when it was probed; "" when it was not."""
    environ: Mapping[str, str] = field(repr=False)

    @property
    def schema_file(self) -> Path:
        """Where the schema stands."""
        return self.folder / "schema.json"

    @property
    def system_file(self) -> Path:
        """Where the stable part of the prompt stands."""
        return self.folder / "system.txt"

    @property
    def out_file(self) -> Path:
        """Where the program may write its answer."""
        return self.folder / "out.json"

    @property
    def question(self) -> str:
        """The glossary, the chunk and the correction."""
        prompt = self.prompt
        return "\n\n".join(filter(None, (prompt.glossary, prompt.chunk, prompt.correction)))

    @property
    def whole(self) -> str:
        """The whole prompt."""
        return f"{self.prompt.stable}\n\n{self.question}"

    def error(self, said: str, *, status: int = 0, kind: str = "transport") -> ExtractionError:
        """Return the error that the program's complaint comes to."""
        name = self.spec.name
        return trouble(name, said, environ=self.environ, status=status, kind=kind)

    def bad(self, reason: str) -> BadReplyError:
        """Return the error of an answer that cannot be used."""
        return BadReplyError(f"{self.spec.name}: {reason}")

    def written(self) -> str:
        """Return what the program wrote into its file, or ""."""
        try:
            with self.out_file.open(encoding="utf-8", errors="replace") as file:
                return file.read(4 << 20)
        except OSError:
            return ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a run: a text or an error, and what it cost."""

    text: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    error: ExtractionError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A program: how it is had, asked and understood."""

    program: str = ""
    install: str = ""
    probe: tuple[str, ...] = ()
    """Arguments with which the program tells what `ask` has to know; it is asked once."""
    environ: Mapping[str, str] = field(default_factory=dict)
    ask: Callable[[Task], tuple[Sequence[str], str]]
    """Returns the arguments and what goes on stdin.  Others on the machine can read arguments."""
    answer: Callable[[Task, Ended], Answer]


def objects(text: str) -> Iterator[Mapping[str, object]]:
    """Yield the JSON objects of a text: one a line, or a whole document; what is no object is skipped."""
    try:
        documents = [json.loads(text)]
    except (ValueError, RecursionError):
        documents = [value for line in text.splitlines() if (value := _value(line)) is not None]
    for document in documents:
        yield from (one for one in _each(document) if isinstance(one, dict))


def _each(document: object) -> Sequence[object]:
    return document if isinstance(document, list) else (document,)


def _value(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def total(table: object, *names: str) -> int:
    """Return the sum of a table's numbers of those names; what is not there, or no number, is none."""
    values = [table.get(name) for name in names] if isinstance(table, dict) else []
    return sum(v for v in values if isinstance(v, int) and not isinstance(v, bool) and v > 0)
