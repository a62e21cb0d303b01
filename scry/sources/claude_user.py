"""What a person said in one record of Claude Code: a prompt, a refusal, an answer, a queued text."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from scry.sources.claude_answers import FORMS, words_of_result
from scry.sources.claude_text import Noted, Words, pieces
from scry.sources.jsonl import Record

Piece = Words | Noted
_NOT_TYPED = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")


class Call(NamedTuple):
    """A tool call whose result may hold words of the user."""

    name: str
    questions: tuple[str, ...] = ()


def only_results(record: Record, calls: Mapping[str, Call]) -> bool:
    """Say whether a record holds nothing but results that are no words of a person, as most do.

    It then gives nothing; this only saves the way to find that out.
    """
    content = record["message"]["content"]
    if isinstance(content, str):
        return False
    for block in content:
        if (
            not isinstance(block, dict)
            or block.get("type") != "tool_result"
            or block.get("is_error")
            or (call := calls.get(str(block.get("tool_use_id")))) is None
            or call.name in FORMS
        ):
            return False
    return True


def in_user(record: Record, calls: Mapping[str, Call]) -> Iterator[Piece]:
    """Yield what the user said in a `user` record, most of which hold a tool's result only."""
    if any(record.get(flag) for flag in _NOT_TYPED):
        return
    content = record["message"]["content"]
    human = _is_human(record.get("origin")) and record.get("promptSource") != "system"
    for block in [content] if isinstance(content, str) else content:
        match block:
            case {"type": "tool_result"}:
                result = cast("Record", block)
                call = calls.get(str(result.get("tool_use_id")))
                name, asked = (call.name, call.questions) if call else (None, ())
                yield from words_of_result(result, record.get("toolUseResult"), name, asked)
            case _ if human:
                yield from _typed(block)
            case _:
                continue


def in_attachment(record: Record) -> Iterator[Piece]:
    """Yield what was typed while the model worked; other attachments are the harness's."""
    match record.get("attachment"):
        case {"type": "queued_command", "prompt": prompt, **more}:
            meta = more.get("isMeta") or record.get("isMeta")
            if meta or more.get("commandMode", "prompt") != "prompt":
                return
            for block in prompt if isinstance(prompt, list) else [prompt]:
                for piece in _typed(block) if _is_human(more.get("origin")) else ():
                    yield Words(piece.text, "queued") if isinstance(piece, Words) else piece
        case dict():
            return
        case _:
            yield Noted("malformed")


def in_system(record: Record) -> Iterator[Piece]:
    """Yield marks, and the few words of a person that only a `system` record holds."""
    content = record.get("content")
    text = content if isinstance(content, str) else ""
    match record.get("subtype"):
        case "compact_boundary":
            yield Noted("compacted")
        case "informational" if text.startswith("Args from unknown skill:"):
            yield Words(text.partition(":")[2].strip(), "event")
        case "local_command":
            words = (piece for piece in pieces(text) if isinstance(piece, Words))
            yield from (piece for piece in words if piece.kind == "command")
        case _:
            return


def _typed(block: object) -> Iterator[Piece]:
    match block:
        case str(text) | {"type": "text", "text": str(text)}:
            yield from pieces(text)
        case {"type": "image" | "document" as kind}:
            yield Noted(kind)
        case _:
            return


def _is_human(origin: object) -> bool:
    """Say whether a record's origin allows that a person typed it; old versions do not say."""
    return not isinstance(origin, dict) or origin.get("kind", "human") == "human"


def questions_in(given: object) -> tuple[str, ...]:
    """Return the questions that a form asks, in order."""
    match given:
        case {"questions": list(questions)}:
            texts = (q.get("question") for q in questions if isinstance(q, dict))
            return tuple(text for text in texts if isinstance(text, str))
        case _:
            return ()


def joined(found: Iterator[Piece]) -> Iterator[Piece]:
    """Join neighbouring blocks of one record that were typed at the same place."""
    held: Words | None = None
    for item in found:
        if held and isinstance(item, Words) and item.kind == held.kind:
            held = Words(f"{held.text}\n\n{item.text}", held.kind)
            continue
        if held:
            yield held
        held = item if isinstance(item, Words) else None
        if isinstance(item, Noted):
            yield item
    if held:
        yield held
