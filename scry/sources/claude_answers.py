r"""A person's words inside the result of a tool: why it was refused, what a form was answered.

    "The user doesn't want to proceed with this tool use. ... the user said:\nkeep the old API"
    'User has answered your questions: "Where?"="In the hook". You can now continue ...'

A tool may print such a sentence too (a transcript, for instance), so only a result that failed
counts as refused, and only the result of a form as answered.
"""

from collections.abc import Iterator

from scry.sources.claude_text import Noted, Words, answers_in, refusal
from scry.sources.jsonl import Record
from scry.sources.own_words import without_echo

FORMS = frozenset(("AskUserQuestion",))
"""Tools whose result is what a person answered."""


def words_of_result(
    block: Record, mirror: object, tool: str | None, questions: tuple[str, ...]
) -> Iterator[Words | Noted]:
    """Yield what the user said in a tool's result.

    Args:
        block: the `tool_result`.
        mirror: the record's `toolUseResult`, the same in another shape.
        tool: the tool's name, None when its call is not in the file.
        questions: what it asked, if it was a form.
    """
    if block.get("is_error"):
        refused, reason = refusal(_text(block.get("content")))
        if refused:
            yield Noted("rejected")
            if reason:
                yield Words(reason, "rejection")
    elif tool in FORMS or (tool is None and isinstance(mirror, dict) and "answers" in mirror):
        answers = list(_mirrored(mirror)) or list(
            answers_in(_text(block.get("content")), questions)
        )
        told = ((question, without_echo(answer).strip()) for question, answer in answers)
        if words := "\n".join(f"{question} → {answer}" for question, answer in told if answer):
            yield Words(words, "answer")


def _mirrored(mirror: object) -> Iterator[tuple[str, str]]:
    """Yield (question, answer) from `{"answers": {...}, "annotations": {q: {"notes": ...}}}`."""
    match mirror:
        case {"answers": dict(answers), **more}:
            notes = more.get("annotations")
            for question, answer in answers.items():
                about = notes.get(question) if isinstance(notes, dict) else None
                note = about.get("notes") if isinstance(about, dict) else None
                given = answer if isinstance(answer, list) else [answer]
                words = [part for part in (*given, note) if isinstance(part, str) and part]
                yield question, ", ".join(words)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(
        b["text"] for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str)
    )
