r"""What stands in the text of a Codex message with the role `user`, and what of it a person typed.

    # AGENTS.md instructions for /w ... </INSTRUCTIONS>                     -> nothing
    <environment_context> ... </environment_context>                        -> nothing, but its cwd
    # Context from my IDE setup: ... ## My request for Codex:\nfix it       -> fix it
    <image name=[Image #1]>                                                 -> nothing

One message holds several blocks, some injected and some typed, so each is judged by itself.
Newer versions say of each block where it comes from; that is believed before any wording.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache

from scry.model import Said
from scry.sources.jsonl import Record, legible
from scry.sources.own_words import MEMORY_TAGS, leading_block, speech, without_echo, without_edges

_TOLD_TWICE = 4
"""Texts that are remembered: nearly each comes as an item, and soon after as an event."""
_INJECTED = MEMORY_TAGS | frozenset(
    """environment_context skill user_shell_command turn_aborted subagent_notification
    additional_context user_instructions recommended_plugins codex_internal_context goal_context
    permissions collaboration_mode skills_instructions apps_instructions plugins_instructions
    app-context personality_spec model_switch multi_agent_mode hook_prompt hook_context image
    security_context""".split()
)
_AGENTS = re.compile(r"# AGENTS\.md instructions\b", re.IGNORECASE)
_AGENTS_END = re.compile(r"</INSTRUCTIONS>\s*", re.IGNORECASE)
_REQUEST = re.compile(r"^#{1,3} My request for [^\n:]{1,40}:[ \t]*$", re.MULTILINE)
_IMAGE = re.compile(r"\s*(?:<image(?: name=[^>]*)?>|</image>)\s*\Z")
_CWD = re.compile(r"<cwd>([^<]+)</cwd>")
_HARNESS_SENTENCE = re.compile(
    r"This session is being continued from a previous conversation|CRITICAL: Respond with TEXT ONLY"
)


@lru_cache(maxsize=_TOLD_TWICE)
def typed_in(text: str) -> str:
    """Return what of a block a person typed, "" when nothing."""
    text = without_echo(text).strip("\ufeff \t\r\n\f\v")
    if _IMAGE.match(text):
        return ""
    while True:
        rest = _after_instructions(without_edges(text, _INJECTED))
        if rest == text:
            break
        text = rest
    if text.startswith("#") and (requests := list(_REQUEST.finditer(text))):
        text = text[requests[-1].end() :].strip()
    return "" if _HARNESS_SENTENCE.match(text) else text


def _after_instructions(text: str) -> str:
    """Cut off an AGENTS.md that stands at the beginning; it may quote its own end marker."""
    if not _AGENTS.match(text):
        return text
    ends = list(_AGENTS_END.finditer(text))
    if not ends:
        return text
    return "" if ends[-1].end() == len(text) else text[ends[0].end() :]


def is_interruption(text: str) -> bool:
    """Say whether a block is the note that the user stopped a turn."""
    block = leading_block(text.strip())
    return bool(block) and block is not None and block[0].casefold() == "turn_aborted"


def cwd_in(text: str) -> str:
    """Return the directory that a block of environment context names, or ""."""
    found = _CWD.search(text) if "<environment_context>" in text[:200].casefold() else None
    return found[1].strip() if found else ""


def blocks_of(message: Record) -> Iterator[Record]:
    """Yield the blocks of a message; of a user's only those not marked as somebody else's."""
    content = message.get("content")
    if isinstance(content, str):
        yield {"type": "input_text", "text": content}
        return
    about = message.get("internal_chat_message_metadata_passthrough")
    said = about.get("content_item_metadata") if isinstance(about, dict) else None
    origins = said if isinstance(said, list) and message.get("role") == "user" else []
    for number, block in enumerate(content if isinstance(content, list) else []):
        if _from_user(origins[number] if number < len(origins) else None):
            if isinstance(block, dict):
                yield block
            elif isinstance(block, str):
                yield {"type": "input_text", "text": block}


def _from_user(origin: object) -> bool:
    match origin:
        case {"provenance": {"type": str(kind)}}:
            return kind == "user"
        case _:
            return True  # Older versions do not say.


def answers_in(output: object, questions: Mapping[str, str]) -> Iterator[str]:
    """Yield `question → answer` from the output of a form; of free text only the person's note."""
    if isinstance(output, dict) and isinstance(output.get("content"), str):
        output = output["content"]
    if isinstance(output, str):
        try:
            output = json.loads(output)
        except (ValueError, RecursionError):
            return
    given = output.get("answers") if isinstance(output, dict) else None
    for key, value in given.items() if isinstance(given, dict) else ():
        answers = value.get("answers") if isinstance(value, dict) else value
        texts = [answers] if isinstance(answers, str) else answers
        words = [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
        notes = [text.partition(":")[2].strip() for text in words if text.startswith("user_note:")]
        if notes:
            chosen = [
                w for w in words if not w.startswith("user_note:") and w != "None of the above"
            ]
            words = [*chosen, *notes]
        if said := ", ".join(filter(None, (without_echo(word).strip() for word in words))):
            yield f"{questions.get(key, key)} → {said}"


def questions_in(given: object) -> Iterator[tuple[str, str]]:
    """Yield (id, question) of a form."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return
    asked = given.get("questions") if isinstance(given, dict) else None
    for question in asked if isinstance(asked, list) else ():
        match question:
            case {"id": str(key), "question": str(text)}:
                yield key, text
            case _:
                continue


def spoken(text: str, phase: object, at: datetime | None, line: int) -> Said | None:
    """Return what a message of the model says, None when it is empty."""
    kind = phase if isinstance(phase, str) and phase else "prose"
    words = _spoken_words(text)
    return Said(at=at, line=line, role="assistant", text=words, kind=kind) if words else None


@lru_cache(maxsize=_TOLD_TWICE)
def _spoken_words(text: str) -> str:
    return legible(speech(text))
