"""The law of slices: however sessions grow, fork, and lie about in copies, the store ends the same.

A history is a list of steps, each of which writes bytes to a file, as agents do: the session
itself, forks of it, resumes, compactions, copies by hand.  It is stopped at any bytes, and at each
stop any of the files are taken in, in any order, by the real write stages.
"""

import json
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ingesting import stages
from sources.transcript_files import (
    OTHER,
    SESSION,
    event,
    human,
    item,
    line_of,
    message,
    meta,
    model,
    queued,
    result,
    turn,
    use,
)

from scry.sources import SOURCES

FILLER = "so that the queue of the gateway on the second machine is empty by the morning, " * 2
LONG = " ".join([FILLER] * 35)
"""More than a fifth of a chunk."""


@dataclass
class History:
    """What was written where, in order, and how many things were said."""

    steps: list[tuple[str, bytes]] = field(default_factory=list)
    said: int = 0

    def words(self, *, long: bool = False) -> str:
        """New words, with a number by which they are known again."""
        self.said += 1
        return f"mark{self.said:03}. {LONG if long else FILLER}"

    def write(self, name: str, *records: object) -> None:
        self.steps.append((name, b"".join(line_of(record) + b"\n" for record in records)))

    def whole(self, name: str) -> bytes:
        return b"".join(body for where, body in self.steps if where == name)

    def size(self) -> int:
        return sum(len(body) for _, body in self.steps)


def lay(history: History, folder: Path, upto: int) -> list[Path]:
    """Write the first bytes of a history; return the files that there are by then."""
    bodies: dict[str, bytes] = {}
    for name, body in history.steps:
        if upto <= 0:
            break
        bodies[name] = bodies.get(name, b"") + body[:upto]
        upto -= len(body)
    for name, body in bodies.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return sorted(folder / name for name in bodies)


def told(ingest) -> dict[str, str]:
    """The text of every episode."""
    return {key: ingest.store.evidence(key) for key in ingest.index.episodes}


def take_in(ingest, source: str, paths: list[Path]) -> None:
    for path in paths:
        ingest.transcript(SOURCES[source], path)


def end_of(history: History, source: str, data) -> tuple[dict[str, str], dict[str, str]]:
    """What the store holds when all is taken in at once, and when it is in slices."""
    with tempfile.TemporaryDirectory() as folder:
        whole = stages()
        take_in(whole, source, lay(history, Path(folder), history.size()))
    with tempfile.TemporaryDirectory() as folder:
        sliced = stages()
        cuts = data.draw(st.lists(st.integers(1, history.size()), max_size=4), label="cuts")
        for cut in [*sorted(cuts), history.size()]:
            there = lay(history, Path(folder), cut)
            order = data.draw(st.permutations(there), label="order")
            some = order if cut == history.size() else order[: data.draw(st.integers(0, 4))]
            take_in(sliced, source, some)
        before = sliced.store.head()
        take_in(sliced, source, lay(history, Path(folder), history.size()))
        assert sliced.store.head() == before, "taking in again has changed something"
    return told(whole), told(sliced)


def check(history: History, source: str, data) -> None:
    whole, sliced = end_of(history, source, data)
    marks = Counter(mark for text in sliced.values() for mark in re.findall(r"mark\d{3}", text))
    wanted = {f"mark{n:03}" for n in range(1, history.said + 1)}

    assert sorted(sliced) == sorted(whole)
    assert sliced == whole
    assert {mark for mark, count in marks.items() if count != 1} == set()
    assert wanted <= set(marks)


# --- Claude Code ----------------------------------------------------------------------------------

THIRD = "3b5ebf2c-7d9f-4e77-8c5a-2f8b3e4d9c12"
HOME = "projects/-w-hermes"


class Claude:
    """One session's file and how its agent writes to it."""

    def __init__(self, history: History, session: str, chain: list | None = None) -> None:
        self.history, self.session = history, session
        self.name = f"{HOME}/{session}.jsonl"
        self.chain = list(chain or [])
        self.clock = len(self.chain) + 10 * (session != SESSION)

    def stamped(self, record: dict, uuid: str = "") -> dict:
        self.clock += 1
        parent = self.chain[-1]["uuid"] if self.chain else None
        return {
            **record,
            "uuid": uuid or f"{self.session[:4]}-{len(self.chain)}",
            "parentUuid": parent,
            "sessionId": self.session,
            "cwd": "/w/hermes",
            "timestamp": f"2026-08-01T{9 + self.clock // 60:02}:{self.clock % 60:02}:00Z",
        }

    def add(self, record: dict) -> None:
        stamped = self.stamped(record)
        self.chain.append(stamped)
        typed = isinstance(record.get("message", {}).get("content"), str)
        self.history.write(self.name, *([self.snapshot()] if typed else []), stamped)

    def snapshot(self) -> dict:
        """What newer versions write before each prompt; it has no id and is not copied."""
        return {"type": "file-history-snapshot", "messageId": "x", "sessionId": self.session}

    def bare(self, record: dict) -> None:
        self.history.write(self.name, {**record, "sessionId": self.session})

    def exchange(self, kind: str) -> None:
        new, number = self.history.words, len(self.chain)
        match kind:
            case "plain" | "long":
                self.add(human(new(long=kind == "long")))
                self.add(model(new(), mid=f"m{number}"))
            case "in pieces":
                self.add(human(new()))
                self.add(model(new(), mid=f"m{number}"))
                self.add(model(use("Bash", f"t{number}", command="pytest"), mid=f"m{number}"))
                self.add(result("3 passed", f"t{number}"))
                self.add(model(new(), mid=f"m{number}"))
            case "growing":
                self.add(human(new()))
                words = new()
                self.add(model(words[:20], mid=f"m{number}"))
                self.add(result("x", f"t{number}"))
                self.add(model(words, mid=f"m{number}"))
            case "tools last":
                self.add(human(new()))
                self.add(model(new(), mid=f"m{number}"))
                self.add(model(use("Edit", f"t{number}", file_path="/w/hermes/a.py"), mid="x"))
            case "refused":
                self.add(human(new()))
                self.add(model(use("Edit", f"t{number}", file_path="/w/hermes/b.py")))
                self.add(
                    result(
                        "The user doesn't want to proceed with this tool use. To tell you how to "
                        f"proceed, the user said:\n{new()}",
                        f"t{number}",
                        is_error=True,
                    )
                )
            case "steered":
                self.add(human(new()))
                self.bare(queued("enqueue", words := new()))
                self.bare(queued("remove"))
                self.add(model(new(), mid=f"m{number}"))
                del words
            case "queued":
                self.bare(queued("enqueue", words := new()))
                self.bare(queued("dequeue"))
                self.add(human(words))
            case "compacted":
                boundary = {"type": "system", "subtype": "compact_boundary", "content": "x"}
                self.add(boundary)
                self.add(human("This session is being continued from", isCompactSummary=True))
                self.history.write(self.name, *self.chain[:-2][:3])
            case "snapshot":
                self.history.write(self.name, self.snapshot())

    def fork(self, session: str, way: str) -> "Claude":
        """Begin another file with this one's records, as forking does."""
        more = {
            "renamed": {"sessionId": session},
            "told": {"sessionId": session, "forkedFrom": {"sessionId": self.session}},
            "background": {"sessionId": session, "sessionKind": "bg"},
            "kept": {},
        }[way]
        made = Claude(self.history, session, [{**record, **more} for record in self.chain])
        made.clock = self.clock + 3
        # The copy and the first words in it are written in one go.
        own = made.stamped(human(self.history.words()))
        self.history.write(made.name, *made.chain, made.snapshot(), own)
        made.chain.append(own)
        return made


KINDS = "plain long in-pieces growing tools-last refused steered queued compacted snapshot".split()


def _copy(history: History, name: str) -> None:
    copy = f"{HOME}/2026-08-02-{name}"
    if not history.whole(copy):
        history.steps.append((copy, history.whole(f"{HOME}/{name}")))


@st.composite
def claude_histories(draw):
    history = History()
    files = [Claude(history, SESSION)]
    files[0].exchange("snapshot")
    files[0].exchange("plain")
    left = [OTHER, THIRD]
    for step in draw(
        st.lists(st.sampled_from([*KINDS, *KINDS, "fork", "copy", "backup"]), max_size=9)
    ):
        file = draw(st.sampled_from(files))
        if step == "fork" and left:
            way = draw(st.sampled_from(["renamed", "told", "background", "kept"]))
            files.append(file.fork(left.pop(0), way))
        elif step == "copy":
            _copy(history, Path(file.name).name)
        elif step == "backup":
            # All of it: a fork without its origin beside it cannot be told from a session.
            for name in sorted({name for name, _ in history.steps if name.startswith(HOME)}):
                if not history.whole(backup := name.replace(HOME, "projects/-backup")):
                    history.steps.append((backup, history.whole(name)))
        elif step != "fork":
            file.exchange(step.replace("-", " "))
    return history


@settings(max_examples=30, deadline=None)
@given(claude_histories(), st.data())
def test_claude_sessions_end_the_same_however_they_are_sliced(history, data):
    check(history, "claude", data)


# --- Codex ----------------------------------------------------------------------------------------


class Codex:
    """One rollout and how its agent writes to it."""

    def __init__(self, history: History, session: str, items: list | None = None) -> None:
        self.history, self.session = history, session
        self.name = f"sessions/2026/08/01/rollout-2026-08-01T09-00-00-{session}.jsonl"
        self.items = list(items or [])
        self.turns = 0

    def add(self, *records: dict) -> None:
        self.items += records
        for record in records:
            self.history.write(self.name, record)

    def exchange(self, kind: str) -> None:
        new = self.history.words
        self.turns += 1
        context = turn(f"{self.session[:4]}-t{self.turns}")
        words, answer = new(long=kind == "long"), new()
        match kind:
            case "plain" | "long":
                self.add(context, message("user", words), message("assistant", answer))
            case "prompt before its context":
                self.add(message("user", words), context, message("assistant", answer))
            case "twins":
                self.add(context, message("user", words), event("user_message", message=words))
                self.add(event("agent_message", message=answer), message("assistant", answer))
            case "event first":
                self.add(context, event("user_message", message=words), message("user", words))
                self.add(message("assistant", answer), event("agent_message", message=answer))
            case "event alone":
                self.add(context, event("user_message", message=words))
                self.add(message("assistant", answer))
            case "tools":
                self.add(context, message("user", words))
                call = {"name": "shell", "arguments": '{"command":["pytest"]}', "call_id": "c"}
                self.add(item("function_call", **call), item("function_call_output", call_id="c"))
                self.add(message("assistant", answer), item("function_call", **call))
            case "resumed":
                self.add(meta(self.session), context, message("user", words))
                self.add(message("assistant", answer))
            case "compacted":
                history = [one["payload"] for one in self.items if one["type"] == "response_item"]
                compacted = {"message": "", "replacement_history": history[-6:]}
                self.add({"timestamp": "T", "type": "compacted", "payload": compacted})
                self.add(event("context_compacted"), context, message("user", words))
                self.add(message("assistant", answer))

    def fork(self, session: str) -> "Codex":
        """Begin another rollout with this one's items, at the times of the fork."""
        made = Codex(self.history, session)
        again = [{**one, "timestamp": "2026-08-02T09:00:00.000Z"} for one in self.items]
        made.items = [meta(session, forked_from_id=self.session), *again]
        own = [turn(f"{session[:4]}-t0"), message("user", self.history.words())]
        self.history.write(made.name, *made.items, *own)
        made.items += own
        return made


CODEX_KINDS = (
    "plain",
    "long",
    "prompt before its context",
    "twins",
    "event first",
    "event alone",
    "tools",
    "resumed",
    "compacted",
)


@st.composite
def codex_histories(draw):
    history = History()
    files = [Codex(history, SESSION)]
    files[0].add(meta())
    files[0].exchange("plain")
    left = [OTHER, THIRD]
    for step in draw(st.lists(st.sampled_from([*CODEX_KINDS, "fork", "copy"]), max_size=9)):
        file = draw(st.sampled_from(files))
        if step == "fork" and left:
            files.append(file.fork(left.pop(0)))
        elif step == "copy":
            name = f"archived_sessions/{Path(file.name).name}"
            if not history.whole(name):
                history.steps.append((name, history.whole(file.name)))
        elif step != "fork":
            file.exchange(step)
    return history


@settings(max_examples=30, deadline=None)
@given(codex_histories(), st.data())
def test_codex_rollouts_end_the_same_however_they_are_sliced(history, data):
    check(history, "codex", data)


def _history(source: str, kind: str) -> History:
    history = History()
    file = Claude(history, SESSION) if source == "claude" else Codex(history, SESSION)
    if isinstance(file, Codex):
        file.add(meta())
    file.exchange("plain")
    file.exchange(kind.replace("-", " ") if source == "claude" else kind)
    return history


@pytest.mark.parametrize(
    ("source", "kind"),
    [*(("claude", kind) for kind in KINDS), *(("codex", kind) for kind in CODEX_KINDS)],
)
def test_a_stop_after_any_line_leaves_no_trace(source, kind):
    """The end of a session is where nothing that follows makes good for what was missed."""
    history = _history(source, kind)
    with tempfile.TemporaryDirectory() as folder:
        whole = stages()
        take_in(whole, source, lay(history, Path(folder), history.size()))
    done = 0
    for _, body in history.steps:
        done += len(body)
        with tempfile.TemporaryDirectory() as folder:
            sliced = stages()
            for cut in (done, history.size()):
                take_in(sliced, source, lay(history, Path(folder), cut))
            assert told(sliced) == told(whole), done


@pytest.mark.parametrize("kind", CODEX_KINDS)
def test_a_stop_in_the_middle_of_a_codex_replay_takes_nothing_of_it_for_new(kind):
    history = _history("codex", kind)
    begun = history.size()
    file = Codex(history, SESSION, [json.loads(body) for _, body in history.steps])
    file.fork(OTHER)
    with tempfile.TemporaryDirectory() as folder:
        whole = stages()
        take_in(whole, "codex", lay(history, Path(folder), history.size()))
    for cut in range(begun + 1, history.size(), 211):
        with tempfile.TemporaryDirectory() as folder:
            sliced = stages()
            for upto in (cut, history.size()):
                take_in(sliced, "codex", lay(history, Path(folder), upto))
            assert told(sliced) == told(whole), cut


def test_the_histories_hold_what_the_law_is_about():
    """A law over empty sets would hold as well."""
    history = History()
    file = Claude(history, SESSION)
    for kind in KINDS:
        file.exchange(kind.replace("-", " "))
    file.fork(OTHER, "kept").exchange("plain")
    ingest = stages()
    with tempfile.TemporaryDirectory() as folder:
        take_in(ingest, "claude", lay(history, Path(folder), history.size()))

    assert history.said > 15
    assert len(told(ingest)) == 2
    json.dumps(told(ingest))
