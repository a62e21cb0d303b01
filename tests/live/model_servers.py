"""A model on loopback, in the two wires that the agents' own programs speak.

    POST /v1/messages     Claude Code: events of a message, its tool calls as pieces of JSON
    POST /v1/responses    Codex: events of a response, each with its type in the data as well

It gives the answer that it was made with, and keeps every request.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Event = dict[str, Any]
_ERRORS = {
    401: "authentication_error",
    429: "rate_limit_error",
    400: "invalid_request_error",
    529: "overloaded_error",
}


@dataclass
class ModelServer:
    """`answer` is what it says, as an object; a `str` is said in prose.  `status` refuses instead."""

    answer: object
    status: int = 200
    refusal: str = "not today"
    url: str = ""
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def questions(self, path: str) -> list[dict[str, Any]]:
        """Return the bodies that were posted to a path."""
        return [body for asked, body in self.asked if asked.partition("?")[0] == path]

    def events(self, path: str, body: dict[str, Any]) -> list[Event]:
        return self._response(body) if path.endswith("/responses") else self._message(body)

    def _message(self, body: dict[str, Any]) -> list[Event]:
        names = [tool.get("name") for tool in body.get("tools", [])]
        told = [part for turn in body["messages"] for part in _parts(turn)]
        handed_in = any(part.get("type") == "tool_result" for part in told)
        forced = "StructuredOutput" in names and not isinstance(self.answer, str)
        if forced and not handed_in:
            block = {"type": "tool_use", "id": "toolu_01", "name": "StructuredOutput", "input": {}}
            piece = {"type": "input_json_delta", "partial_json": json.dumps(self.answer)}
            reason = "tool_use"
        else:
            block = {"type": "text", "text": ""}
            piece = {"type": "text_delta", "text": "Handed in." if forced else self._said()}
            reason = "end_turn"
        start = {"id": "msg_01", "type": "message", "role": "assistant", "model": body["model"]}
        usage = {"input_tokens": 40, "cache_read_input_tokens": 60, "output_tokens": 1}
        return [
            {"type": "message_start", "message": {**start, "content": [], "usage": usage}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": piece},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": reason, "stop_sequence": None},
                "usage": {"output_tokens": 20},
            },
            {"type": "message_stop"},
        ]

    def _response(self, _: dict[str, Any]) -> list[Event]:
        content = [{"type": "output_text", "text": self._said(), "annotations": []}]
        item = {"type": "message", "id": "msg_1", "role": "assistant", "content": content}
        item["status"] = "completed"
        usage = {
            "input_tokens": 100,
            "input_tokens_details": {"cached_tokens": 60},
            "output_tokens": 20,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 120,
        }
        response = {"id": "resp_1", "object": "response"}
        started = {**response, "status": "in_progress", "output": []}
        ended = {**response, "status": "completed", "output": [item], "usage": usage}
        events: list[Event] = [
            {"type": "response.created", "response": started},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": ended},
        ]
        return [event | {"sequence_number": n} for n, event in enumerate(events)]

    def _said(self) -> str:
        return self.answer if isinstance(self.answer, str) else json.dumps(self.answer)

    def error(self, path: str) -> Event:
        kind = _ERRORS.get(self.status, "api_error")
        error = {"type": kind, "message": self.refusal}
        return (
            {"error": error} if path.endswith("/responses") else {"type": "error", "error": error}
        )


def _parts(turn: dict[str, Any]) -> list[dict[str, Any]]:
    content = turn.get("content")
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ModelServer

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._send(200, "application/json", b"")

    def do_GET(self) -> None:
        self._note(b"null")
        self._send(200, "application/json", b'{"data": [], "models": []}')

    def do_POST(self) -> None:
        body = self._note(self.rfile.read(int(self.headers.get("content-length", 0))))
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._send(200, "application/json", b'{"input_tokens": 100}')
        elif not path.endswith(("/messages", "/responses")):
            self._send(200, "application/json", b"{}")
        elif self.model.status != 200:
            data = json.dumps(self.model.error(path)).encode()
            self._send(self.model.status, "application/json", data)
        else:
            self._stream(self.model.events(path, body))

    def _note(self, raw: bytes) -> dict[str, Any]:
        if self.headers.get("content-encoding") == "zstd":
            import zstandard

            raw = zstandard.ZstdDecompressor().decompressobj().decompress(raw)
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        body = body if isinstance(body, dict) else {}
        self.model.headers.append({k.casefold(): v for k, v in self.headers.items()})
        self.model.asked.append((self.path, body))
        return body

    def _stream(self, events: list[Event]) -> None:
        lines = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
        self._send(200, "text/event-stream", "".join(lines).encode())

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def model_server(answer: object, **more: Any) -> Iterator[ModelServer]:
    """Serve a model on loopback while the block runs."""
    model = ModelServer(answer, **more)
    handler = type("Handler", (_Handler,), {"model": model})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    model.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
