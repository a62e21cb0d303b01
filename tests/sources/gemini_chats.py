"""Chats of Gemini CLI made by tests: lines, and documents as older versions wrote them."""

import hashlib
import json

from sources.transcript_files import write

SESSION = "0131bd8a-552c-43b3-a0ae-81e612edee4c"
HEAD = {
    "sessionId": SESSION,
    "projectHash": hashlib.sha256(b"/w").hexdigest(),
    "startTime": "2026-08-01T09:00:00.000Z",
    "lastUpdated": "2026-08-01T09:00:00.000Z",
    "kind": "main",
}
CONTEXT = "<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - /w\n- **Directory Structure:**\n</session_context>"


def user(uid, *texts, **more):
    return {
        "id": uid,
        "timestamp": "2026-08-01T09:00:01.000Z",
        "type": "user",
        "content": [{"text": t} for t in texts],
        **more,
    }


def model(uid, text, *calls, **more):
    return {
        "id": uid,
        "timestamp": "2026-08-01T09:00:02.000Z",
        "type": "gemini",
        "content": text,
        "thoughts": [{"subject": "hm"}],
        "toolCalls": list(calls),
        **more,
    }


def call(key, name, **args):
    return {
        "id": key,
        "name": name,
        "args": args,
        "result": [{"functionResponse": {"response": {"output": "OUT"}}}],
        "resultDisplay": "OUT",
    }


def chat(tmp_path, *records, name="session-2026-08-01T09-00-0131bd8a.jsonl", project="w"):
    return write(tmp_path / ".gemini/tmp" / project / "chats" / name, records)


def document(
    tmp_path, *messages, name="session-2026-08-01T09-00-0131bd8a.json", project="w", **more
):
    path = tmp_path / ".gemini/tmp" / project / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**HEAD, "messages": list(messages), **more}, indent=2))
    return path
