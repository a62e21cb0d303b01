"""A server on loopback that does what a case tells it to, and counts what it was asked."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Loopback:
    """`script` holds what to do for each request; its last entry is done from then on.

    An entry has `status`, `headers`, `body` and `behaviour`, all optional: `close` (ends before
    the announced length), `accept and hang`, `stream forever, fast`, `drip` (a byte now and then),
    `drop` (no answer at all).
    """

    script: list[dict[str, Any]]
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, _, body in self.requests]


@contextmanager
def loopback(*script: dict[str, Any]) -> Iterator[Loopback]:
    server = Loopback(list(script))
    listener = socket.create_server(("127.0.0.1", 0))
    server.port = listener.getsockname()[1]
    over = threading.Event()
    threads: list[threading.Thread] = []

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=_serve, args=(server, connection, over), daemon=True)
            threads.append(thread)
            thread.start()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield server
    finally:
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        accepting.join(5)
        for thread in threads:
            thread.join(5)


def _serve(server: Loopback, connection: socket.socket, over: threading.Event) -> None:
    with connection, connection.makefile("rb") as stream:
        line = stream.readline().decode("latin-1").strip()
        headers: dict[str, str] = {}
        while (header := stream.readline().decode("latin-1").strip()) != "":
            name, _, value = header.partition(":")
            headers[name.casefold()] = value.strip()
        body = stream.read(int(headers.get("content-length", 0)))
        server.requests.append((line, headers, body))
        act = server.script[min(len(server.requests), len(server.script)) - 1]
        try:
            _answer(connection, act, over)
        except OSError:
            return


def _answer(connection: socket.socket, act: dict[str, Any], over: threading.Event) -> None:
    behaviour = act.get("behaviour", "")
    if behaviour == "accept and hang":
        over.wait(30)
        return
    if behaviour == "drop":
        return
    body = act.get("body", "")
    data = body if isinstance(body, bytes) else body.encode("utf-8")
    headers = {"content-type": "application/json"} | act.get("headers", {})
    if behaviour not in ("stream forever, fast", "drip", "until it closes"):
        headers = {"content-length": str(len(data))} | headers
    lines = [f"HTTP/1.1 {act.get('status', 200)} X", *(f"{n}: {v}" for n, v in headers.items())]
    # In one piece: two small ones would wait for each other.
    connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + data)
    while behaviour == "stream forever, fast" and not over.is_set():
        connection.sendall(b" " * 65_536)
    while behaviour == "drip" and not over.wait(0.02):
        connection.sendall(b" ")


def completion(text: object, **more: Any) -> dict[str, Any]:
    """Return what Chat Completions answers with a text."""
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text},
    }
    usage = {"prompt_tokens": 100, "completion_tokens": 20}
    return {"body": json.dumps({"choices": [choice | more], "usage": usage})}


def message(*blocks: object, **more: Any) -> dict[str, Any]:
    """Return what Messages answers with these blocks; a string stands for a block of text."""
    content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
    usage = {
        "input_tokens": 10,
        "cache_creation_input_tokens": 60,
        "cache_read_input_tokens": 30,
        "output_tokens": 20,
    }
    whole = {"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"}
    return {"body": json.dumps(whole | {"usage": usage} | more)}


def chat(text: object, **more: Any) -> dict[str, Any]:
    """Return what Ollama answers with a text."""
    said = {"role": "assistant", "content": text}
    whole = {"model": "m", "message": said, "done": True, "done_reason": "stop"}
    return {"body": json.dumps(whole | {"prompt_eval_count": 100, "eval_count": 20} | more)}


def generated(*parts: object, **more: Any) -> dict[str, Any]:
    """Return what Gemini answers with these parts; a string stands for a part of text."""
    content = {"role": "model", "parts": [{"text": p} if isinstance(p, str) else p for p in parts]}
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 12, "thoughtsTokenCount": 8}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return {"body": json.dumps({"candidates": [candidate | more], "usageMetadata": usage})}


ANSWERS = {"openai": completion, "anthropic": message, "ollama": chat, "gemini": generated}
"""How a model on each wire answers with a text."""
