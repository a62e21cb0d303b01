"""pi: a tree of which one branch counts, forks, and what stands beside the words."""

import pytest
from sources.agent_files import only, places
from sources.transcript_files import did, marked, told, write

from scry.distill import distill
from scry.model import Redacted
from scry.sources import pi

SESSION = "01a231cb-af04-7533-a493-701287aed1fa"
OTHER = "01a231cb-af04-7533-a493-701287aed1fb"
HEAD = {
    "type": "session",
    "version": 3,
    "id": SESSION,
    "timestamp": "2026-08-01T09:00:00.000Z",
    "cwd": "/w",
}


def entry(kind, uid, parent, **more):
    return {
        "type": kind,
        "id": uid,
        "parentId": parent,
        "timestamp": f"2026-08-01T09:00:{int(uid, 36) % 60:02}.000Z",
        **more,
    }


def user(uid, parent, text):
    return entry("message", uid, parent, message={"role": "user", "content": text})


def model(uid, parent, *blocks, **more):
    content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
    return entry("message", uid, parent, message={"role": "assistant", "content": content, **more})


def call(name, **given):
    return {"type": "toolCall", "id": "t", "name": name, "arguments": given}


def session(tmp_path, *records, name=SESSION, project="--w--"):
    path = tmp_path / ".pi/agent/sessions" / project / f"2026-08-01T09-00-00-000Z_{name}.jsonl"
    return write(path, records)


def test_only_the_ancestry_of_the_last_entry_counts_and_the_rest_keeps_its_place(tmp_path):
    path = session(
        tmp_path,
        HEAD,
        user("a", None, "which indent?"),
        model("b", "a", "Tabs or spaces."),
        user("c", "b", "use tabs"),
        model("d", "c", "Tabs it is."),
        user("e", "b", "use spaces"),
        model("f", "e", "Spaces it is."),
    )

    got = pi.read(path)

    kinds = [e.kind for e in got.events]
    assert kinds == ["prompt", "prose", "abandoned", "abandoned", "prompt", "prose"]
    words = " ".join(turn.text for turn in distill(got, Redacted))
    assert "use spaces" in words
    assert "use tabs" not in words
    assert [turn.uid for turn in distill(got, Redacted)] == list("abcdef")


def test_where_the_line_of_a_parent_is_broken_what_stands_before_still_counts(tmp_path):
    path = session(
        tmp_path, HEAD, user("a", None, "one"), '{"type":"message","id":"b', user("c", "b", "two")
    )

    got = pi.read(path)

    assert [e.kind for e in got.events] == ["prompt", "prompt"]
    assert [p.line for p in got.problems] == [3]


def test_a_circle_of_parents_comes_to_an_end(tmp_path):
    path = session(tmp_path, HEAD, user("a", "b", "one"), user("b", "a", "two"))

    assert told(pi.read(path)) == ["U one", "U two"]


def test_an_old_session_without_ids_is_read_line_by_line(tmp_path):
    records = [
        {"type": "message", "message": {"role": role, "content": text}}
        for role, text in [("user", "one"), ("assistant", "two")]
    ]

    assert told(pi.read(session(tmp_path, HEAD, *records))) == ["U one", "A two"]


def test_what_extensions_skills_and_summaries_say_is_nobodys(tmp_path):
    path = session(
        tmp_path,
        HEAD,
        user("a", None, '<skill name="x" location="/s">\nSkill body.\n</skill>\n\nreview PR 12'),
        entry("custom_message", "b", "a", customType="x", content="injected", display=True),
        entry("custom", "c", "b", customType="x", data={"content": "state"}),
        entry("branch_summary", "d", "c", summary="what was tried"),
        entry("compaction", "e", "d", summary="a summary"),
        entry("message", "f", "e", message={"role": "compactionSummary", "summary": "again"}),
        entry(
            "message",
            "g",
            "f",
            message={"role": "toolResult", "content": [{"type": "text", "text": "out"}]},
        ),
        model("h", "g", {"type": "thinking", "thinking": "hm"}, "Done.", stopReason="aborted"),
        entry("session_info", "i", "h", name="Review"),
    )

    got = pi.read(path)

    assert told(got) == ["U review PR 12", "A Done."]
    assert marked(got) == ["compacted", "interrupted"]
    assert got.title == "Review"


def test_commands_of_the_person_and_tools_of_the_model_are_breadcrumbs(tmp_path):
    path = session(
        tmp_path,
        HEAD,
        user("a", None, "go"),
        entry(
            "message",
            "b",
            "a",
            message={"role": "bashExecution", "command": "git push --token=x", "output": "o"},
        ),
        model(
            "c", "b", call("edit", path="/w/src/a.py", oldText="BODY"), call("find", pattern="BODY")
        ),
    )

    assert did(pi.read(path)) == ["ran git push", "edited: src/a.py", "searched"]


def test_a_fork_gives_only_what_it_adds(tmp_path):
    parent = session(tmp_path, HEAD, user("a", None, "one"), model("b", "a", "two"))
    fork = session(
        tmp_path,
        {**HEAD, "id": OTHER, "parentSession": f"/elsewhere/{parent.name}"},
        user("a", None, "one"),
        model("b", "a", "two"),
        user("c", "b", "three"),
        name=OTHER,
        project="--other--",
    )

    got = pi.read(fork)

    assert (got.verdict, got.continues, told(got)) == ("fork-of", SESSION, ["U three"])


def test_a_fork_whose_parent_is_gone_keeps_all_words_and_says_so(tmp_path):
    head = {**HEAD, "id": OTHER, "parentSession": f"/gone/2026-08-01T09-00-00-000Z_{SESSION}.jsonl"}
    got = pi.read(session(tmp_path, head, user("a", None, "one"), name=OTHER))

    assert (got.verdict, got.continues, marked(got), told(got)) == (
        "session",
        SESSION,
        ["forked"],
        ["U one"],
    )


@pytest.mark.parametrize("parent", ["../../../secret.jsonl", "/etc/passwd", "", 5, "x" * 400])
def test_the_path_of_a_parent_leads_nowhere_outside_the_sessions(tmp_path, parent):
    write(tmp_path / "secret.jsonl", [HEAD, user("a", None, "one")])
    got = pi.read(session(tmp_path, {**HEAD, "parentSession": parent}, user("a", None, "one")))

    assert got.verdict == "session"
    assert told(got) == ["U one"]


def test_what_scry_has_shown_is_not_learned_from(tmp_path):
    path = session(
        tmp_path, HEAD, user("a", None, "<scry-orientation>a rule</scry-orientation>\nfix it")
    )

    assert told(pi.read(path)) == ["U fix it"]
    assert only(pi, tmp_path) == path
    assert list(pi.discover(places(tmp_path / "x"))) == []
