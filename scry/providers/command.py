"""A program as a model: an agent that the person has a login for, or a command of one's own.

The prompt goes on stdin, for everybody on a machine can read what stands in an argument.  The program
gets the person's environment, because its login is theirs, without what says that it runs inside
another session, and with SCRY_EXTRACTING, on which our hooks do nothing.  It works in an empty folder.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from scry.errors import BadReplyError, ConfigError, ExtractionError, ProviderError
from scry.model import Prompt, Reply
from scry.ports import Meter
from scry.providers import ProviderSpec
from scry.providers.programs import claude, codex, llm, own
from scry.providers.programs.failing import UnshapedError
from scry.providers.programs.process import Ended, RunError, run
from scry.providers.programs.task import Answer, Preset, Task

MARK = "SCRY_EXTRACTING"
"""Set for every program that is asked; whoever finds it set was started by an extraction."""
PRESETS: Mapping[str, Preset] = {
    "claude": claude.PRESET,
    "codex": codex.PRESET,
    "llm": llm.PRESET,
}
_FOLDERS = ("~/.local/bin", "~/bin", "~/.npm-global/bin", "/usr/local/bin", "/opt/homebrew/bin")
"""Where known programs are looked for after PATH: that of a timer is short."""
_NESTED = frozenset(
    """AI_AGENT CLAUDECODE CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS
    CLAUDE_CODE_MESSAGING_SOCKET CLAUDE_CODE_MESSAGING_TOKEN CLAUDE_CODE_SESSION_ID CLAUDE_CODE_SESSION_KIND
    CLAUDE_CODE_SSE_PORT CLAUDE_CODE_TASK_LIST_ID CLAUDE_ENV_FILE CLAUDE_JOB_DIR CLAUDE_PID CLAUDE_PLUGIN_DATA
    CLAUDE_PLUGIN_ROOT CLAUDE_PROJECT_DIR CODEX_CI CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED CODEX_SESSION_ID
    CODEX_THREAD_ID""".split()
)
"""Variables with which an agent marks what it starts; a session inside one would take them for its own."""
_PROBE_S = 20.0


class Command:
    """A program behind its command line.

    Raises:
        ConfigError: the entry asks for what the program cannot do.
    """

    def __init__(self, spec: ProviderSpec, *, environ: Mapping[str, str], meter: Meter) -> None:
        _check(spec)
        self.name = spec.name
        self._spec = spec
        self._environ = environ
        self._meter = meter
        self._preset = PRESETS.get(spec.preset, own.PRESET)
        asked = spec.structured if spec.structured != "auto" else meter.mode()
        self._shaped = asked != "prompt"
        self._told: str | None = None

    @classmethod
    def of(cls, spec: ProviderSpec, environ: Mapping[str, str], meter: Meter) -> "Command":
        """Make one of an entry of the configuration."""
        return cls(spec, environ=environ, meter=meter)

    def complete(self, prompt: Prompt) -> Reply:
        """Ask once; once more without the schema, if the program does not take it.

        Raises:
            BadReplyError: the program answered, and its answer is none.
            ProviderError: there is no such program, it failed, or it took too long.
        """
        if self._environ.get(MARK):
            raise self._error(
                f"Scry was started by its own extraction ({MARK} is set), and asks no program again.",
                kind="permanent",
            )
        try:
            return self._asked(prompt)
        except OSError as error:
            reason = f"its folder cannot be written ({error.strerror})."
            raise self._error(reason, kind="transport") from None
        except UnshapedError:
            if not self._shaped or self._spec.structured != "auto":
                raise
        self._shaped = False
        reply = self._asked(prompt)
        self._meter.keep_mode("prompt")
        return reply

    def _asked(self, prompt: Prompt) -> Reply:
        program = self._program()
        with tempfile.TemporaryDirectory(
            prefix="scry-extract-", ignore_cleanup_errors=True
        ) as name:
            folder = Path(name)
            (folder / "work").mkdir()
            told = self._probed(program, folder)
            task = self._task(prompt, folder, told)
            answer = self._answer(program, task)
        self._meter.used(answer.tokens_in, answer.tokens_out)
        if answer.error:
            raise answer.error
        return Reply(answer.text, tokens_in=answer.tokens_in, tokens_out=answer.tokens_out)

    def _task(self, prompt: Prompt, folder: Path, told: str) -> Task:
        task = Task(
            spec=self._spec,
            prompt=prompt,
            folder=folder,
            shaped=self._shaped,
            told=told,
            environ=self._environ,
        )
        task.schema_file.write_text(json.dumps(prompt.schema), encoding="utf-8")
        task.system_file.write_text(prompt.stable, encoding="utf-8")
        return task

    def _answer(self, program: str, task: Task) -> Answer:
        arguments, text = self._preset.ask(task)
        self._meter.request()
        try:
            ended = self._run([program, *arguments], text, task.folder, self._spec.timeout_s)
        except RunError as error:
            if error.kind == "content":
                raise BadReplyError(f"{self.name}: {error}.") from None
            raise self._error(f"{error}.", kind=error.kind) from None
        return self._preset.answer(task, ended)

    def _probed(self, program: str, folder: Path) -> str:
        """Return what the program says of itself; whatever is wrong shows when it is asked."""
        if self._told is None:
            self._told = ""
            if self._preset.probe:
                seconds = min(_PROBE_S, self._spec.timeout_s)
                try:
                    ended = self._run([program, *self._preset.probe], "", folder, seconds)
                except RunError:
                    return ""
                self._told = ended.out if ended.code == 0 else ""
        return self._told

    def _run(self, argv: list[str], text: str, folder: Path, seconds: float) -> Ended:
        environ = {name: value for name, value in self._environ.items() if name not in _NESTED}
        environ |= {**self._preset.environ, MARK: "1"}
        # A script may need what is installed beside it, such as its interpreter.
        beside, path = str(Path(argv[0]).parent), environ.get("PATH", os.defpath)
        environ["PATH"] = (
            path if beside in path.split(os.pathsep) else f"{path}{os.pathsep}{beside}"
        )
        return run(argv, text, environ=environ, cwd=folder / "work", seconds=seconds)

    def _program(self) -> str:
        """Return where the program is.

        Raises:
            ProviderError: of kind `permanent`: it is nowhere.
        """
        known = self._preset.program
        path = [self._environ.get("PATH", os.defpath), *(_FOLDERS if known else ())]
        where = os.pathsep.join(self._at_home(folder) for folder in path)
        wanted = known or self._spec.argv[0]
        found = shutil.which(self._at_home(wanted), path=where)
        if not found:
            raise self._error(
                f"the program '{wanted}' is not found. "
                + (
                    f"Install it (`{self._preset.install}`)"
                    if known
                    else "Write its whole path in argv"
                )
                + ", or look at PATH: that of timers and hooks is shorter than your shell's.",
                kind="permanent",
            )
        return str(Path(found).absolute())

    def _at_home(self, path: str) -> str:
        home = self._environ.get("HOME")
        return f"{home}{path[1:]}" if path.startswith("~/") and home else path

    def _error(self, message: str, *, kind: str) -> ExtractionError:
        return ProviderError(f"{self.name}: {message}", kind=kind)


def _check(spec: ProviderSpec) -> None:
    """Refuse an entry that says what its program would not hear.

    Raises:
        ConfigError: it says so, and what would be right.
    """
    if bool(spec.argv) == bool(spec.preset) or (spec.preset and spec.preset not in PRESETS):
        wrong = f"it needs a preset ({', '.join(PRESETS)}) or an argv of its own"
    elif spec.argv and "/" in spec.argv[0] and not spec.argv[0].startswith(("/", "~/")):
        wrong = "argv begins with a relative path; write the whole path, or the program's name"
    elif spec.argv and "model" in own.places(spec) and not spec.model:
        wrong = "argv has {model}, and there is no model"
    elif spec.api_key or spec.base_url:
        wrong = (
            "a program has its own login and its own server; api_key and base_url are not for it"
        )
    elif spec.options and spec.preset != "llm":
        wrong = "options are for the preset llm; write an argv of your own to say more"
    elif spec.structured not in ("auto", "json_schema", "prompt"):
        wrong = "structured is auto, json_schema or prompt for a program"
    else:
        return
    raise ConfigError(f"'{spec.id}': {wrong}.")
