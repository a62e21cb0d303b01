"""What stands in the text of a Claude Code `user` record, and what of it a person typed.

    <command-name>/review</command-name><command-args>PR 12</command-args>   -> ran, words
    <bash-input>ls</bash-input>                                              -> nothing
    <ide_opened_file>...</ide_opened_file> why is this slow?                 -> words
    <system-reminder>...</system-reminder>                                   -> nothing
    <user-memory-input>never use tabs</user-memory-input>                    -> words
    [Request interrupted by user]                                            -> interrupted
    Unknown skill: usage                                                     -> nothing

Some of the harness's sentences carry no tag and no flag; they are known by their exact wording.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scry.sources.own_words import MEMORY_TAGS, leading_block, without_echo, without_edges

HARNESS_TAGS = MEMORY_TAGS | frozenset(
    """local-command-stdout local-command-stderr local-command-caveat bash-input bash-stdout
    bash-stderr ide_opened_file ide_selection ide_diagnostics system-reminder task-notification
    agent-notification teammate-message user-prompt-submit-hook session-start-hook
    post-tool-use-hook pre-tool-use-hook stop-hook new-diagnostics persisted-output
    agent-message cross-session-message tick""".split()
)
_COMMAND_TAGS = frozenset(
    """command-name command-message command-args command-contents skill-format""".split()
)
_AT_THE_END = (
    "system-reminder",
    "user-prompt-submit-hook",
    "session-start-hook",
    "ide_selection",
    "ide_opened_file",
    "task-notification",
)

_HARNESS_SENTENCE = re.compile(
    r"""Caveat:\ The\ messages\ below\ were\ generated\ by\ the\ user\ while\ running\ local
      | This\ session\ is\ being\ continued\ from\ a\ previous\ conversation
      | Unknown\ (?:skill|slash\ command|command):\ \S+\Z
      | Operation\ stopped\ by\ hook:
      | (?:Stop|SubagentStop|PreToolUse|PostToolUse|UserPromptSubmit|SessionStart)\S*
        \ (?:hook\ feedback|operation\ (?:feedback|blocked\ by\ hook)|hook\ additional\ context):
      | Base\ directory\ for\ this\ skill:\ \S
      | \[Image:\ (?:source|original)[^\]]*\]\Z
      | CRITICAL:\ Respond\ with\ TEXT\ ONLY
    """,
    re.VERBOSE,
)
_INTERRUPTED = re.compile(r"\[Request interrupted by user(?: for tool use)?\]\s*")
_PLAN = "Implement the following plan:\n"
_COMMAND = re.compile(r"/?[\w.:-]{1,80}\Z")


@dataclass(frozen=True, slots=True)
class Words:
    """What a person typed, and where: `kind` as in `Said`."""

    text: str
    kind: str = "prompt"


@dataclass(frozen=True, slots=True)
class Noted:
    """Something that happened: `kind` as in `Mark`."""

    kind: str


def pieces(text: str) -> Iterator[Words | Noted]:
    """Yield what a text block of a user record holds, without anything the harness put there."""
    text = without_edges(without_echo(text), HARNESS_TAGS, _AT_THE_END)
    block = leading_block(text)
    if block and block[0] in _COMMAND_TAGS:
        yield from _command(text)
    elif block and block[0] == "user-memory-input":
        yield Words(block[1].strip(), "memory")
        yield from pieces(text[block[2] :])
    elif interrupted := _INTERRUPTED.match(text):
        yield Noted("interrupted")
        yield from pieces(text[interrupted.end() :])
    elif text.startswith(_PLAN):
        yield Noted("plan")
        yield Words(text.removeprefix(_PLAN).strip(), "plan")
    elif text and not _HARNESS_SENTENCE.match(text):
        yield Words(text)


def _command(text: str) -> Iterator[Words | Noted]:
    """Read the tags of a slash command, in any order; arguments may hold `<` and `>`."""
    name, words = "", ""
    while (block := leading_block(text)) and block[0] in _COMMAND_TAGS:
        if block[0] == "command-name":
            name = block[1].strip()
        elif block[0] == "command-args":
            words = block[1].strip()
        text = text[block[2] :].lstrip()
    if _COMMAND.match(name):
        yield Noted(f"ran /{name.removeprefix('/')}")
    if words:
        yield Words(words, "command")
    yield from pieces(text)


# --- words inside tool results -----------------------------------------------------------------

_REFUSED = re.compile(r"The user doesn't want to (?:proceed with this tool use|take this action)")
_REASON = re.compile(
    r"(?:To tell you how to proceed, the user said:"
    r"|The user provided the following reason for the rejection:)\s*(.*)\Z",
    re.DOTALL,
)
_NOTE = re.compile(r"\n\s*Note: The user's next message may contain.*\Z", re.DOTALL)
_CLARIFY = "The user wants to clarify these questions."
_ANSWERED_LINE = re.compile(r"^\s*Answer: (.+)$", re.MULTILINE)


def refusal(text: str) -> tuple[bool, str]:
    """Say whether a tool result is the user's refusal, and return the reason they typed."""
    if not _REFUSED.match(text):
        return False, ""
    found = _REASON.search(text)
    if not found:
        return True, ""
    words = _NOTE.sub("", found[1]).strip()
    if words.startswith(_CLARIFY):
        words = "\n".join(_ANSWERED_LINE.findall(words))
    return True, without_edges(without_echo(words), HARNESS_TAGS, _AT_THE_END)


_ANSWERED = re.compile(r"(?:User has answered your questions|Your questions have been answered): ")
_PAIR = re.compile(
    r'"((?:[^"\\]|\\.)*)"="(.*?)"(?=(?:, "| user notes:| selected preview:|\. |\.?\Z|,))', re.DOTALL
)


def answers_in(text: str, questions: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield (question, answer) from the sentence in which an answered form comes back.

    Questions that are known from the tool's input are looked for first: they may hold quotes.
    """
    head = _ANSWERED.match(text)
    if not head:
        return
    known = [q for q in questions if f'"{q}"="' in text]
    for number, question in enumerate(known):
        start = text.index(f'"{question}"="') + len(question) + 4
        after = [text.find(f'"{q}"="', start) for q in known[number + 1 :]]
        ends = [at for at in after if at >= 0] + [text.rfind(". You can now", start), len(text)]
        end = next(at for at in ends if at >= 0)
        answer, _, note = text[start:end].rstrip(" ,.").partition('" user notes: ')
        yield question, _joined(answer.partition('" selected preview:')[0].removesuffix('"'), note)
    if not known:
        yield from ((m[1], m[2]) for m in _PAIR.finditer(text, head.end()))


def _joined(answer: str, note: str) -> str:
    return f"{answer}, {note}" if answer and note else answer or note
