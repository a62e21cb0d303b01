"""A model on loopback that often fails, in nine ways, and keeps the books on what it was asked.

What becomes of a request follows from the episode, the provider and how often that was asked about
it, so it does not matter in which order requests come.  The path names the provider: one server is
as many as a chain needs.
"""

import hashlib
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FAULTS = (
    "empty",
    "malformed",
    "truncated",
    "429",
    "500",
    "529",
    "slow",
    "redirect",
    "wrong type",
)
TOKENS = (100, 20)
"""What each answer costs that tells its price."""


@dataclass(frozen=True)
class Asked:
    """One request: for which episode, by which sweep, and what it was answered with."""

    provider: str
    episode: str
    sweep: int
    fault: str
    tokens: tuple[int, int] = (0, 0)


@dataclass
class Faulty:
    """The books of a server; `sweep` is set by the test, `script` forces what happens next."""

    rate: float = 0.4
    faults: Sequence[str] = FAULTS
    strict: frozenset[str] = frozenset()
    """Providers that refuse a `response_format`."""
    hopeless: frozenset[str] = frozenset()
    """Episodes that nobody ever answers for as one should."""
    port: int = 0
    sweep: int = 0
    asked: list[Asked] = field(default_factory=list)
    script: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    leave: threading.Event = field(default_factory=threading.Event)

    def config(self, *providers: str, more: str = "", rules: bool = False) -> str:
        """Return a configuration with these providers as its chain."""
        links = "".join(
            f'  - id: {name}\n    type: openai\n    model: "m"\n    timeout: 0.4\n'
            f'    base_url: "http://127.0.0.1:{self.port}/{name}"\n'
            for name in providers
        )
        last = "  - id: rules\n    type: rules\n" if rules else ""
        return f"version: 1\nextraction:\n  chain:\n{links}{last}{more}"

    def count(self, **wanted: object) -> int:
        """Count requests by what they were."""
        return sum(all(getattr(a, k) == v for k, v in wanted.items()) for a in self.asked)

    def tokens(self, provider: str) -> tuple[int, int]:
        """Return what a provider's answers have cost."""
        spent = [one.tokens for one in self.asked if one.provider == provider]
        return sum(t for t, _ in spent), sum(t for _, t in spent)

    def per_episode(self) -> Counter[tuple[str, str]]:
        """Count requests by provider and episode."""
        return Counter((one.provider, one.episode) for one in self.asked)

    def decide(self, provider: str, episode: str, body: dict[str, object]) -> str:
        """Return what happens to a request, and write it down; "" is a good answer."""
        with self.lock:
            number = self.count(provider=provider, episode=episode)
            digest = hashlib.sha256(f"{provider} {episode} {number}".encode()).digest()
            share, which = int.from_bytes(digest[:4], "big") / 2**32, digest[4]
            fault = self.faults[which % len(self.faults)] if share < self.rate else ""
            if provider in self.strict and "response_format" in body:
                fault = "no format"
            elif self.script:
                fault = self.script.pop(0)
            if episode in self.hopeless and not fault:
                fault = "malformed"
            priced = fault in ("", "malformed", "truncated")
            self.asked.append(
                Asked(provider, episode, self.sweep, fault, TOKENS if priced else (0, 0))
            )
            return fault


@contextmanager
def faulty_server(**how: object) -> Iterator[Faulty]:
    """Serve until the block ends."""
    books = Faulty(**how)  # type: ignore[arg-type]

    class Handler(_Handler):
        faulty = books

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    books.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield books
    finally:
        books.leave.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


class _Handler(BaseHTTPRequestHandler):
    faulty: Faulty

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        provider = self.path.split("/")[1]
        asked = body["messages"][-1]["content"]
        episode = re.findall(r"Service-(\d+)", asked)[-1]
        fault = self.faulty.decide(provider, episode, body)
        with suppress(OSError):  # The other side may be gone, or dead.
            self._answer(fault, episode)

    def _answer(self, fault: str, episode: str) -> None:
        good = json.dumps(reply_for(episode))
        match fault:
            case "":
                self._send(200, completion(good))
            case "empty":
                self._send(200, b"")
            case "malformed":
                self._send(200, completion("I am sorry, " + good[: len(good) // 2]))
            case "truncated":
                self._send(200, completion(good[: len(good) // 2], "length"))
            case "slow":
                self.faulty.leave.wait(0.6)
                self._send(200, completion(good))
            case "redirect":
                self._send(302, b"", Location="https://login.invalid/")
            case "wrong type":
                self._send(200, b"<html>Log in</html>", kind="text/html")
            case "no format":
                said = {"error": {"message": "response_format is not supported here"}}
                self._send(400, json.dumps(said).encode())
            case "refused":
                self._send(401, b'{"error": {"message": "the key is not valid"}}')
            case status:
                self._send(int(status), b'{"error": {"message": "try later"}}', **_AT_ONCE)

    def _send(self, status: int, body: bytes, kind: str = "application/json", **more: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **more}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


_AT_ONCE = {"Retry_After": "0"}


def completion(text: str, why: str = "stop") -> bytes:
    """Return the body of an answer of Chat Completions."""
    choice = {"index": 0, "finish_reason": why, "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": TOKENS[0], "completion_tokens": TOKENS[1]}
    return json.dumps({"choices": [choice], "usage": usage}).encode()


def talk_of(number: int) -> tuple[str, str]:
    """Return what is said in a session about one service."""
    return (
        f"We moved Service-{number:03d} off the laptop. It runs on Host-{number:03d} under launchd.",
        f"Understood: Service-{number:03d} runs on Host-{number:03d} now, and I checked it as well.",
    )


def reply_for(episode: str) -> dict[str, object]:
    """Return the good answer about the service with this number."""
    entities = [
        {"name": f"Service-{episode}", "type": "service", "description": "", "aliases": []},
        {"name": f"Host-{episode}", "type": "machine", "description": "", "aliases": []},
    ]
    fact = {
        "src": f"Service-{episode}",
        "relation": "runs_on",
        "dst": f"Host-{episode}",
        "fact": f"Service-{episode} runs on Host-{episode} under launchd.",
        "confidence": 0.9,
        "turn": 1,
    }
    summary = f"Moved Service-{episode} to Host-{episode}."
    return {"episode_summary": summary, "entities": entities, "facts": [fact]}
