"""What a memory has shown is never learned from: Scry's own words, and those of other memories.

The words come from the real commands and the real MCP tools, on a store made of the demo's
transcripts, and go through every place of every source in which somebody speaks.
"""

import json
import re
import textwrap

import pytest
from faces import Home
from hypothesis import given, settings
from hypothesis import strategies as st
from sources import gemini_chats, test_copilot, test_cursor, test_kimi, test_opencode, test_pi
from sources.transcript_files import (
    SESSION,
    event,
    human,
    item,
    message,
    meta,
    model,
    queued,
    result,
    told,
    use,
    write,
)

from scry.app import App
from scry.commands.demo import lay_out
from scry.episodes import from_evidence
from scry.extract.prompt import build_prompt
from scry.memory import Memory
from scry.remember import Note
from scry.sources import SOURCES
from scry.sources.markdown import visible
from scry.sources.own_words import speech, without_echo

BEFORE, BEHIND = "Look what memory says about it:", "So from now on we moor at berth nine."
_FACT = "s4k47f398k"
_EPISODE = "2026-09-23-claude-fc1jth48"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    made = Home(tmp_path_factory.mktemp("echo"))
    lay_out(made.root)
    code, _, err = made.run("sweep")
    assert code == 0, err
    return made


@pytest.fixture(scope="module")
def printed(home):
    """Everything that Scry prints about what it knows, by the question."""
    asked = {
        "orient": ["orient", "--cwd", home.root / "src" / "ferrybot"],
        "recall a name": ["recall", "ferrybot"],
        "recall a question": ["recall", "where does ferrybot keep its timetable"],
        "recall as of a day": ["recall", "is ferrybot live", "--as-of", "2026-11-01"],
        "recall as JSON": ["recall", "pier1", "--json"],
        "orient as JSON": ["orient", "--cwd", home.root / "src" / "ferrybot", "--json"],
        "a miss": ["recall", "zork"],
        "episodes": ["episodes", "ferrybot"],
        "facts": ["facts", "ferrybot"],
        "facts as JSON": ["facts", "ferrybot", "--json"],
        "path": ["path", "ferrybot", "quayside"],
        "why": ["why", _FACT],
        "a fact's file": ["show", _FACT],
        "an episode's file": ["show", _EPISODE],
        "what was said": ["show", _EPISODE, "--source"],
        "log": ["log"],
    }
    out = {}
    for name, arguments in asked.items():
        code, text, err = home.run(*arguments)
        assert code == (name == "a miss"), (name, err)
        out[name] = text.strip()
    memory = Memory(home.environ)
    out["MCP recall"] = memory.recall("ferrybot", "", 20, "")
    out["MCP episodes"] = memory.episodes("quayside", 20)
    out["MCP path"] = memory.path("ferrybot", "quayside")
    out["MCP remember"] = memory.remember(Note(text="Ferrybot listens on port 8080."))
    return out


NAMES = """orient|recall a name|recall a question|recall as of a day|recall as JSON|orient as JSON
a miss|episodes|facts|facts as JSON|path|why|a fact's file|an episode's file|what was said|log
MCP recall|MCP episodes|MCP path|MCP remember""".replace("\n", "|").split("|")


def knowledge(text):
    """What of a text could be learned: its words, without those of JSON's outermost frame."""
    return [w for w in re.findall(r"[^\W\d_]{4,}", text) if w not in _FRAME]


_FRAME = frozenset(
    "null true false query entities facts episodes near pending truncated said unread as_of json "
    "name home store fact entity file entities".split()
)


def quotations(text):
    """The ways in which agents quote a page and people paste it."""
    return {
        "as it is": text,
        "quoted": textwrap.indent(text, "> "),
        "indented": textwrap.indent(text, "    "),
        "fenced": f"```\n{text}\n```",
        "fenced with a language": f"```markdown\n{text}\n```",
    }


def test_every_answer_is_asked_for(printed):
    assert sorted(printed) == sorted(NAMES)
    assert all(len(text) > 20 for text in printed.values())


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_what_scry_prints_is_left_and_nothing_else_is_cut(printed, name):
    for way, text in quotations(printed[name]).items():
        left = without_echo(f"{BEFORE}\n\n{text}\n\n{BEHIND}")

        assert knowledge(left.replace(BEFORE, "").replace(BEHIND, "")) in ([], ["markdown"]), way
        assert BEFORE in left
        assert BEHIND in left


@pytest.mark.parametrize("name", ["orient", "recall a name", "facts", "episodes", "path", "log"])
def test_a_few_lines_of_an_answer_are_as_little_learned_from_as_all(printed, name):
    lines = printed[name].split("\n")
    told_lines = [n for n, line in enumerate(lines) if line.startswith("- ")]
    for first in range(len(lines)):
        for last in range(first + 1, len(lines) + 1, 3):
            part = lines[first:last]
            if not any(re.search(r"[;,] rules\)|\]$", line) for line in part):
                continue  # A title, or a line with a date, alone could be anybody's.
            left = without_echo("\n".join(part))
            assert not re.search("; rules|, rules|--|[.]jsonl:", left), part
    assert told_lines or name == "log"


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", ["recall a name", "facts", "path", "orient"])
def test_lines_that_a_terminal_has_broken_are_known_again(printed, name, width):
    broken = "\n".join(
        "\n".join(textwrap.wrap(line, width, subsequent_indent="  ")) if line else ""
        for line in printed[name].split("\n")
    )
    left = without_echo(f"{BEFORE}\n\n{broken}\n\n{BEHIND}")

    for line in printed[name].split("\n"):
        if line.startswith("- ") and "rules)" in line:
            assert line[2:40] not in left
    assert BEHIND in left


def test_what_somebody_writes_behind_a_line_of_ours_stays_theirs(printed):
    fact = next(line for line in printed["facts"].split("\n") if "timetable.json" in line)

    assert without_echo(f"{fact} <- no longer, edit it freely") == "<- no longer, edit it freely"
    assert without_echo(f"{fact}\nThat is wrong now.") == "That is wrong now."
    assert without_echo(f"1. {fact[2:]}\n2. our own point") == "2. our own point"
    assert (
        without_echo(f"| {fact[2:]} | wrong |\n| Talos | right |") == "wrong |\n| Talos | right |"
    )
    assert "right" in without_echo(f"- our own point is right\n{fact}")


def test_a_model_that_cites_a_fact_has_not_said_it(printed):
    handle = re.search(r"\[ferrybot/runs_on--pier1--\w+\]", printed["facts"])[0]

    said = speech(f"I looked. Ferrybot runs on pier1 {handle}. I will ship it to berth9.net now.")

    assert said == "I looked. I will ship it to berth9.net now."
    outdated = f"Since today {handle} is outdated, berth9 took over."
    assert speech(outdated) == outdated


OWN = [
    "We decided (2026-09-14, in a call) to keep SQLite.",
    "- fixed the queue (2026-09-14)\n- fixed the door (2026-09-15)",
    "## Recent work\nI looked at the queue and the workers.",
    "**Redis** (tool): we use it for the queue.",
    "Episodes:\n1. The pilot\n2. The storm",
    "[note] user: what a person may do; rules: none",
    "type: fact\nsrc: x\nis what a record begins with",
    'The answer is {"id": 5, "src": "a.png"} and {"query": "x"}.',
    "Run `git log --oneline`:\n1234567 fix: the door\n89abcde add: a window",
    "The user; rules) are odd, and [it/is--a--path] too.",
    "I prefer [tabs/spaces] -- always.",
    "Deploy from main to prod in 3 steps: build, push, restart.",
    "---\ntitle: A page\ntype: tool\n---\nText of the page.",
    "`<memory>` is a tag. How do I write <memory>?",
    "<memory unit='KiB'>1048576</memory> is what virsh says",
    "<MemoryRouter>\n  <App name='a whole component of mine' />\n</MemoryRouter>",
    "Why does '<recalled_memory>x</recalled_memory>' appear in my prompt?",
    "in a sentence <memory>of words that are long enough</memory> it stays",
    "```\n\n```",
]


@pytest.mark.parametrize("text", OWN)
def test_what_only_looks_a_little_like_ours_stays(text):
    assert without_echo(text) == text
    assert speech(text) == text.strip()


OTHERS = {
    "claude-mem": "<claude-mem-context>\n# Memory Context\n\n# [w] recent context, 2026-06-06\n{}\n</claude-mem-context>",
    "claude-mem without its tag": "# [w] recent context, 2026-06-06 2:44pm GMT+8\n\nLegend: x\n{}",
    "mem0": "<mem0-context>\n{}\n</mem0-context>",
    "OpenMemory": "<openmemory-context>\n{}\n</openmemory-context>",
    "vector memories": "<relevant-memories>\nThe following may be relevant:\n- [fact] {}\n</relevant-memories>",
    "memories in memories": '<relevant_memories>\n<memory id="1">{}</memory>\n</relevant_memories>',
    "a memory": "<memory>\n{}\n</memory>",
    "memories": "<memories>\n<m>{}</m>\n</memories>",
    "hindsight": "<hindsight_memories>\n{}\n</hindsight_memories>",
    "recalled": "<recalled-memory data-source='x'>\n[1] {}\n</recalled-memory>",
    "recalled context": "<recalled_context>{}</recalled_context>",
    "supermemory": "<supermemory-context>{}</supermemory-context>",
    "OpenViking": "<openviking-context>{}</openviking-context>",
    "engram": "<engram-context>\n{}\n</engram-context>",
    "Letta's blocks": "<letta_memory_blocks>\n<human>{}</human>\n</letta_memory_blocks>",
    "Letta's context": "<letta_context>{}</letta_context>\n<letta_message>{}</letta_message>",
    "Letta's own": "<memory_blocks>\n<persona>{}</persona>\n</memory_blocks>",
    "Copilot": "<repository_memories>\n{}\n</repository_memories>\n<userMemory>{}</userMemory>",
    "Codex citing": "<oai-mem-citation>\n<citation_entries>\nMEMORY.md:1-2|note=[{}]\n</citation_entries>\n</oai-mem-citation>",
    "beads": "# Beads Workflow Context\n\n> Run `bd prime` after compaction\n\n{}",
    "basic-memory": "# Continuing conversation on: ferries\n\nThis is a memory retrieval session.\n\n{}",
    "basic-memory's search": "# Recent Activity Context\n\nThis is a memory retrieval session showing x.\n{}",
    "Claude's own": "As you answer the user's questions, you can use the following context:\n# claudeMd\n{}",
    "Claude's auto memory": "Contents of /h/.claude/projects/-w/memory/MEMORY.md (user's auto-memory, persists across conversations):\n\n- {}",
    "Serena": "<serena-memory name='style'>\n{}\n</serena-memory>",
    "capitals": "<USER_MEMORIES>\n{}\n</USER_MEMORIES>",
}
PLANTED = "Jane always sails with four anchors."


@pytest.mark.parametrize("name", OTHERS)
def test_what_another_memory_has_shown_is_nobodys(name):
    block = OTHERS[name].replace("{}", PLANTED)

    assert PLANTED not in without_echo(block)
    assert PLANTED not in speech(block)
    if name[-1] != "n" and block.startswith("<"):
        for text in (f"{block}\n\nfix it", f"fix it\n\n{block}", f"fix\n{block}\nit"):
            left = without_echo(text)
            assert PLANTED not in left
            assert "".join(left.split()) == "fixit"


def test_a_memory_that_was_typed_to_be_kept_is_kept():
    text = "<user-memory-input>never use tabs in this house</user-memory-input>"

    assert without_echo(text) == text


# --- every place of every source ----------------------------------------------------------------


def _claude(tmp_path, *records):
    path = tmp_path / "projects" / "-w" / f"{SESSION}.jsonl"
    return SOURCES["claude"].read(write(path, records))


def _codex(tmp_path, *records):
    path = tmp_path / f"rollout-2026-08-01T09-00-00-{SESSION}.jsonl"
    return SOURCES["codex"].read(write(path, [meta(), *records]))


def _claude_aside(tmp_path, text):
    folder = tmp_path / "projects" / "-w" / SESSION / "subagents"
    write(
        folder / "agent-aside_question-1.jsonl",
        [
            human(
                f"<system-reminder>aside</system-reminder>\n\n{text}", uuid="n1", isSidechain=True
            ),
            model(text, mid="m9", uuid="n2", isSidechain=True),
        ],
    )
    return _claude(tmp_path, human("main words", uuid="u1"))


_REFUSED = (
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user "
    "said:\n"
)
_ANSWERED = "User has answered your questions: "
_ASKED = {"questions": [{"id": "q", "question": "Where?"}]}


def _old_cursor(tmp_path, text):
    path = tmp_path / ".cursor/projects/w/agent-transcripts" / f"{test_cursor.ID}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"user:\n<user_query>\n{text}\n</user_query>\n\nassistant:\n{text}\n")
    return SOURCES["cursor"].read(path)


def _opencode(tmp_path, text, role):
    part = {"type": "text", "text": text}
    sql = test_opencode.session() + test_opencode.row("ses_new", "msg_1", role=role)
    data = json.dumps(part).replace("'", "''")
    sql += f"insert into part values ('p', 'msg_1', 'ses_new', 0, 0, '{data}');"
    return test_opencode.read(tmp_path, sql)


PLACES = {
    "claude prompt": lambda t, x: _claude(t, human(x)),
    "claude blocks": lambda t, x: _claude(
        t, human([{"type": "text", "text": x}, {"type": "text", "text": "more"}])
    ),
    "claude answer": lambda t, x: _claude(t, human("go"), model(x)),
    "claude tool result": lambda t, x: _claude(t, model(use("Bash")), result(x)),
    "claude MCP result": lambda t, x: _claude(
        t,
        model(use("mcp__scry__scry_recall", query="x")),
        result([{"type": "text", "text": x}], mirror=[{"type": "text", "text": x}]),
    ),
    "claude MCP call": lambda t, x: _claude(t, model(use("mcp__scry__scry_remember", fact=x))),
    "claude queue": lambda t, x: _claude(t, queued("enqueue", x), queued("remove")),
    "claude queued": lambda t, x: _claude(
        t, {"type": "attachment", "attachment": {"type": "queued_command", "prompt": x}}
    ),
    "claude hook": lambda t, x: _claude(
        t, {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [x]}}
    ),
    "claude hook message": lambda t, x: _claude(
        t, {"type": "system", "subtype": "informational", "content": x}
    ),
    "claude reason": lambda t, x: _claude(
        t, model(use("Edit")), result(_REFUSED + x, is_error=True)
    ),
    "claude form": lambda t, x: _claude(
        t,
        model(use("AskUserQuestion", **_ASKED)),
        result("answered", mirror={"answers": {"Where?": x}}),
    ),
    "claude form in words": lambda t, x: _claude(
        t,
        model(use("AskUserQuestion", **_ASKED)),
        result(f'{_ANSWERED}"Where?"="{x}". You can now'),
    ),
    "claude command": lambda t, x: _claude(
        t, human(f"<command-name>/x</command-name>\n<command-args>{x}</command-args>")
    ),
    "claude shell": lambda t, x: _claude(t, human(f"<bash-stdout>{x}</bash-stdout>")),
    "claude memory": lambda t, x: _claude(t, human(f"<user-memory-input>{x}</user-memory-input>")),
    "claude plan": lambda t, x: _claude(t, model(use("ExitPlanMode", plan=x))),
    "claude accepted plan": lambda t, x: _claude(t, human(f"Implement the following plan:\n\n{x}")),
    "claude aside": _claude_aside,
    "codex prompt": lambda t, x: _codex(t, message("user", x)),
    "codex blocks": lambda t, x: _codex(t, message("user", x, "more")),
    "codex request": lambda t, x: _codex(
        t,
        message(
            "user",
            f"# Context from my IDE setup:\n\n## Open tabs:\n\n## My request for Codex:\n{x}",
        ),
    ),
    "codex event": lambda t, x: _codex(t, event("user_message", message=x)),
    "codex answer": lambda t, x: _codex(t, message("assistant", x)),
    "codex answer's event": lambda t, x: _codex(t, event("agent_message", message=x)),
    "codex developer": lambda t, x: _codex(t, message("developer", x)),
    "codex form": lambda t, x: _codex(
        t,
        item("function_call", name="request_user_input", arguments=json.dumps(_ASKED), call_id="c"),
        item(
            "function_call_output",
            call_id="c",
            output=json.dumps({"answers": {"q": {"answers": [x]}}}),
        ),
    ),
    "codex tool output": lambda t, x: _codex(
        t, item("function_call_output", call_id="c", output=x)
    ),
    "gemini prompt": lambda t, x: SOURCES["gemini"].read(
        gemini_chats.chat(t, gemini_chats.HEAD, gemini_chats.user("u", x))
    ),
    "gemini answer": lambda t, x: SOURCES["gemini"].read(
        gemini_chats.chat(t, gemini_chats.HEAD, gemini_chats.model("m", x))
    ),
    "copilot prompt": lambda t, x: SOURCES["copilot"].read(
        test_copilot.session(t, test_copilot.event("user.message", "1", content=x))
    ),
    "copilot answer": lambda t, x: SOURCES["copilot"].read(
        test_copilot.session(t, test_copilot.event("assistant.message", "1", content=x))
    ),
    "cursor prompt": lambda t, x: SOURCES["cursor"].read(
        test_cursor.transcript(t, test_cursor.user(f"<user_query>\n{x}\n</user_query>"))
    ),
    "cursor answer": lambda t, x: SOURCES["cursor"].read(
        test_cursor.transcript(t, {**test_cursor.user(x), "role": "assistant"})
    ),
    "cursor old": _old_cursor,
    "kimi prompt": lambda t, x: SOURCES["kimi"].read(
        test_kimi.new_session(t, test_kimi.prompt(x, "p"))
    ),
    "kimi answer": lambda t, x: SOURCES["kimi"].read(
        test_kimi.new_session(t, test_kimi.prompt("go", "p"), test_kimi.part(x))
    ),
    "pi prompt": lambda t, x: SOURCES["pi"].read(
        test_pi.session(t, test_pi.HEAD, test_pi.user("a", None, x))
    ),
    "pi answer": lambda t, x: SOURCES["pi"].read(
        test_pi.session(t, test_pi.HEAD, test_pi.model("a", None, x))
    ),
    "opencode prompt": lambda t, x: _opencode(t, x, "user"),
    "opencode answer": lambda t, x: _opencode(t, x, "assistant"),
}


SHOWN = ["orient", "MCP recall", "why", "what was said", "a fact's file"]
LEARNABLE = re.compile("timetable.json|harbour|Redis|reminders")


@pytest.mark.parametrize("place", PLACES)
def test_scrys_own_words_come_out_of_no_place(printed, place, tmp_path):
    for number, name in enumerate(SHOWN):
        got = PLACES[place](tmp_path / str(number), printed[name])

        assert not LEARNABLE.search("\n".join(told(got))), name
        assert not LEARNABLE.search(" ".join(str(e) for e in got.events)), name


@pytest.mark.parametrize("place", PLACES)
def test_another_memorys_words_come_out_of_no_place(place, tmp_path):
    for number, name in enumerate(("vector memories", "claude-mem", "Letta's blocks", "a memory")):
        block = OTHERS[name].replace("{}", PLANTED)
        got = PLACES[place](tmp_path / str(number), f"{block}\n\nmoor at berth nine")

        assert "four anchors" not in "\n".join(told(got)), name


SPOKEN = [
    place
    for place in PLACES
    if not re.search("result|call|hook|shell|developer|output|tool", place)
]


@pytest.mark.parametrize("place", SPOKEN)
def test_what_is_said_around_an_echo_comes_out_of_every_place(printed, place, tmp_path):
    got = PLACES[place](tmp_path, f"{BEFORE}\n\n{printed['MCP recall']}\n\n{BEHIND}")

    words = "\n".join(told(got))
    assert BEFORE in words
    assert BEHIND in words
    assert not LEARNABLE.search(words)


def _asked(home):
    """What a model is asked about an episode, as a command gives it to an agent."""
    app = App.of_environment(home.environ, None)
    index = app.index()
    known = index.episodes[_EPISODE]
    part = from_evidence(known, app.reader.evidence(_EPISODE))
    prompt = build_prompt(part, index.glossary(f"{part.text} ferrybot on pier1"))
    return prompt.stable, prompt.glossary, prompt.chunk


def test_what_a_model_is_asked_and_answers_about_a_session_is_no_session(home, tmp_path):
    stable, glossary, chunk = _asked(home)
    reply = {
        "episode_summary": "Reminders moved.",
        "entities": [{"name": "ferrybot", "type": "project", "description": "x", "aliases": []}],
        "facts": [
            {"src": "ferrybot", "relation": "uses", "dst": "Redis", "fact": "It uses Redis."}
        ],
    }
    assert len(LEARNABLE.findall(chunk)) > 2
    assert LEARNABLE.search(glossary)

    for text in (f"{stable}\n\n{glossary}\n\n{chunk}", chunk, f"{BEFORE}\n{chunk}\n{BEHIND}"):
        assert not LEARNABLE.search(without_echo(text))
    assert not LEARNABLE.search(without_echo(f"{BEFORE}\n{glossary}\n{BEHIND}"))
    assert without_echo(f"{BEFORE}\n{chunk}\n{BEHIND}").startswith(BEFORE)
    for answer in (
        json.dumps(reply),
        json.dumps(reply, indent=2),
        json.dumps({"episode": "x", **reply}),
    ):
        assert speech(f"Here it is:\n\n```json\n{answer}\n```") == "Here it is:"

    got = _claude(tmp_path, human(stable + glossary + chunk), model(json.dumps(reply)))
    assert told(got) == []


def test_a_session_that_only_repeats_memory_holds_nothing_to_remember(printed, tmp_path):
    got = _claude(tmp_path, human(printed["orient"]), model(printed["MCP recall"]))

    assert told(got) == []
    assert got.verdict == "metadata-only"


_PIECES = st.sampled_from(
    [
        *"<>[]()-|*;,. \n`\"'{}0a",
        *("memory", "</memory>", "<memory>", "<scry-a>", "</scry-a>", "2026-08-01", "; rules)"),
        *("[a/uses--b--k3v9m2p8wq]", "- x", "type: fact", "---\n", '{"id": ', "src: ", "## Recent"),
        *("From a to b in 2 steps:", "[4] user: ", "Episodes:\n", "](2026", "\0"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=60).map("".join))
def test_any_text_is_cut_or_kept_and_cutting_again_changes_nothing_that_is_whole(text):
    once = without_echo(text)

    assert len(once) <= len(text)
    letters = iter(text)
    assert all(c in letters for c in once)  # What is left stands in the text, in order.


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<memory>" * 40_000 + "</memory>", id="blocks that never close"),
        pytest.param("<memory>x</memory>" * 20_000, id="many blocks on a line"),
        pytest.param("</memory>" * 40_000, id="only ends"),
        pytest.param("".join(f"<memory{n}>" for n in range(30_000)) + "</memory>", id="many names"),
        pytest.param("- x (2026-08-01; user\n" * 15_000 + "; user)", id="facts that never end"),
        pytest.param("From a to " * 30_000 + "; user)", id="a path that never ends"),
        pytest.param('{"id": ' * 40_000 + '"src":', id="objects in objects"),
        pytest.param("(" * 200_000 + "; user)", id="brackets"),
        pytest.param("[a/b--" * 50_000 + "; user)", id="handles that never end"),
        pytest.param("---\ntype: fact\nsrc: x\n" * 15_000, id="files that never end"),
        pytest.param("[4] user: x\n" * 20_000, id="one paragraph of evidence"),
        pytest.param("## Recent work\n" * 20_000, id="titles"),
    ],
)
def test_a_hostile_text_is_searched_in_linear_time(text):
    import time

    started = time.process_time()
    speech(text)

    assert time.process_time() - started < 1.5


def test_a_note_with_our_own_lines_in_it_keeps_its_lines_and_their_numbers(printed):
    lines = ["# Notes", *printed["facts"].split("\n"), "", "berth nine", "> " + printed["path"]]
    seen = visible("\n".join(lines))

    assert [(one.number, one.text) for one in seen if one.text.strip()] == [
        (1, "# Notes"),
        (len(lines) - 1, "berth nine"),
    ]
    assert not any(one.text.strip() for one in visible(printed["orient"]))
    assert not any(one.text.strip() for one in visible(printed["a fact's file"].split("\n\n")[1]))
