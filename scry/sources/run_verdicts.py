"""What a grader says about an iteration: a status for each check, and why.

    {"tests": [{"name": "startup", "status": "fail"}]}      in JSON, in many shapes
    VERDICT: FAIL                                           in Markdown, as a field ...
    REASON: It takes nine seconds. The target is five.
    # FAIL                                                  ... or as the first heading

A status is read where a status stands, and only when the word itself comes first: "Verdict: not a
pass" is a failure, and prose that has a "pass" in it says nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from scry.sources.markdown import Line, headings
from scry.sources.run_status import Verdict, first_sentence, is_clear, status_of
from scry.text import one_line

# --- JSON -------------------------------------------------------------------------------------

_NAMES = ("check", "name", "id", "test", "title", "criterion", "task", "story", "key")
_STATUSES = """verdict status result outcome decision pass passed passes success ok state
    score grade""".split()
_REASONS = """reason reasons rationale why feedback explanation justification message error comment
    notes details summary""".split()
_GROUPS = """tests checks results criteria verdicts evaluations reviews scores tasks stories
    userStories user_stories items acceptance nodes""".split()


def in_json(value: object, name: str, depth: int = 0) -> list[Verdict]:
    """Return the verdicts in a document.

    Args:
        value: what the document holds.
        name: of the check, where the document gives none.
        depth: how far inside the document this stands.
    """
    if isinstance(value, list):
        items = enumerate(value, start=1)
        return [v for n, item in items for v in _item(item, f"{name} {n}", depth)]
    if not isinstance(value, Mapping):
        return []
    own = _own(value, name)
    grouped = [value[key] for key in _GROUPS if isinstance(value.get(key), list | Mapping)]
    if not own and not grouped:
        grouped = [{k: v for k, v in value.items() if isinstance(v, Mapping)}]
    return [v for group in grouped for v in _in_group(group, name, depth)] + own


def _in_group(group: object, name: str, depth: int) -> Iterator[Verdict]:
    if isinstance(group, Mapping):
        for key, item in group.items():
            if isinstance(item, str | bool):
                yield from _own({"status": item}, str(key))
            else:
                yield from _item(item, str(key), depth)
    else:
        yield from in_json(group, name, depth)


def _item(item: object, name: str, depth: int) -> list[Verdict]:
    return in_json(item, name, depth + 1) if isinstance(item, Mapping) and depth < 3 else []


def _own(value: Mapping[str, object], name: str) -> list[Verdict]:
    """Return what an object says about itself: none or one."""
    check = next((str(value[k]) for k in _NAMES if isinstance(value.get(k), str | int)), name)
    for key in _STATUSES:
        held = value.get(key)
        if isinstance(held, Mapping):
            inner = {key: next((held[k] for k in _STATUSES if k in held), None)}
            return _own({**value, **held, **inner}, name) if _status(key, inner[key]) else []
        if status := _status(key, held):
            return [Verdict(one_line(check, 100), status, _reason(value, key))]
    return []


def _status(key: str, held: object) -> str:
    match held:
        case bool():
            return "pass" if held else "fail"
        case str() if held.strip():
            return status_of(held)
        case int() | float() if key in ("score", "grade"):
            return f"{key} {held:g}" if abs(held) < 1e15 else ""
        case _:
            return ""  # `"passed": 3` is a count.


def _reason(value: Mapping[str, object], status: str) -> str:
    for key in _REASONS:
        held = value.get(key) if key != status else None
        told = next(iter(held), None) if isinstance(held, list) else held
        if isinstance(told, str) and told.strip():
            return first_sentence(told)
    return ""


# --- Markdown ------------------------------------------------------------------------------------

_FIELD = re.compile(
    r"[\s>*_#|-]*(?:(?:final|overall) )?(verdict|status|result|outcome|decision)\b[\s*_|]*"
    r"(?:[:=|]|\Z)[\s*_|]*(.*)",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"[\s>*_#-]*(?:reason|reasons|rationale|why|feedback|explanation|justification|summary)"
    r"[\s*_]*(?:[:=]|\Z)[\s*_]*(.*)",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"\s+[-–—]+\s+|:\s+|[.!;]\s+")
"""What parts a status from the reason on the same line."""


def in_markdown(lines: Sequence[Line], name: str) -> Verdict | None:
    """Return the verdict of a report, or None when no status stands where one belongs."""
    told = [line.text.strip() for line in lines if not line.code]
    found = _field(told) or _heading(lines)
    if found is None:
        return None
    said, rest = found
    parts = _BEHIND.split(said, maxsplit=1)
    status = status_of(parts[0])
    behind = parts[1] if len(parts) > 1 else ""
    reason = _why(told) or behind or _paragraph(told[rest:])
    return Verdict(name, status, first_sentence(reason)) if status else None


def _field(told: Sequence[str]) -> tuple[str, int] | None:
    """Return the words of the field that gives a verdict, and the place behind it."""
    best: tuple[str, int] | None = None
    for place, text in enumerate(told):
        found = _FIELD.match(text)
        if not found:
            continue
        said, after = found[2].strip(" *_`|"), place + 1
        if not said and (text.startswith("#") or ":" in text):
            after = next((n for n in range(after, len(told)) if told[n]), len(told))
            said = told[after].strip(" *_`|") if after < len(told) else ""
            after += 1
        if not said or not status_of(_BEHIND.split(said, maxsplit=1)[0]):
            continue
        if found[1].lower() == "verdict":
            return said, after
        best = best or (said, after)
    return best


def _heading(lines: Sequence[Line]) -> tuple[str, int] | None:
    first = next(iter(headings(lines)), None)
    for said in (first.title, re.split(r"[:–—]|\s-\s", first.title)[-1]) if first else ():
        if first and is_clear(status_of(_BEHIND.split(said, maxsplit=1)[0])):
            return said, sum(not line.code for line in lines[: first.body])
    return None


def _why(told: Sequence[str]) -> str:
    for place, text in enumerate(told):
        if found := _WHY.match(text):
            return " ".join(
                filter(None, (found[1], _paragraph(told[place + 1 :], next_only=bool(found[1]))))
            )
    return ""


def _paragraph(told: Sequence[str], *, next_only: bool = False) -> str:
    """Return the first paragraph of prose; with `next_only`, that which begins at once."""
    out: list[str] = []
    for text in told:
        prose = text and not text.startswith(("#", "|", ">", "---")) and not _FIELD.match(text)
        if prose and not _WHY.match(text):
            out.append(text)
        elif out or next_only:
            break
    return " ".join(out)
