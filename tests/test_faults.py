"""A long run against servers that fail in every way, in a process that is killed now and then."""

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from faces import Home
from faulty_server import Faulty, faulty_server, talk_of

EPISODES = 200
ATTEMPTS = 4
REQUESTS = 3
"""That one question takes at most: one, and two retries on the wire."""
QUESTIONS = 2
"""About one episode: one, and one with what was wrong with the answer."""
SWEEP = (
    "import scry.providers.http as http; http._pause = lambda tries: 0;"
    "from scry.cli import main; main()"
)
"""The command line as it is, only that nobody sleeps between two tries."""


def home_with(folder: Path, server: Faulty, episodes: int) -> Home:
    home = Home(folder / "home")
    for number in range(episodes):
        home.transcript(*talk_of(number), session=f"{number:08d}-5b7d-4c55-9a3e-0d6f1c2b7a90")
    config = home.root / ".scry" / "config.yaml"
    config.parent.mkdir()
    limits = (
        f"  attempts: {{per_episode: {ATTEMPTS}}}\n  cooldown: {{failures: 3, seconds: 0.001}}\n"
    )
    config.write_text(server.config("near", "far", more=limits))
    config.chmod(0o600)
    return home


def sweep(home: Home) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", SWEEP, "sweep", "--yes", "--json"],
        env=home.environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def killed_after(home: Home, server: Faulty, requests: int) -> None:
    """Begin a sweep, and kill it when it has sent so many requests."""
    server.sweep += 1
    process = sweep(home)
    wanted = len(server.asked) + requests
    while len(server.asked) < wanted:
        assert process.poll() is None, "it ended by itself"
        server.leave.wait(0.005)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scry.providers.http._pause", lambda _: 0)


def test_nothing_is_lost_and_nothing_asked_too_often_however_servers_fail(
    tmp_path: Path, patient: None
) -> None:
    hopeless = frozenset(f"{number:03d}" for number in range(20, EPISODES, 40))
    with faulty_server(hopeless=hopeless) as server:
        home = home_with(tmp_path, server, EPISODES)
        killed_after(home, server, 12)
        killed_after(home, server, 12)
        for _ in range(60):
            server.sweep += 1
            before = len(server.asked)
            swept = home.call("sweep", "--yes")
            if len(server.asked) == before:
                break
        waits = home.call("pending")["pending"]
        usage = {link["id"]: link for link in home.call("status")["chain"]}

    assert swept["pending"] == []
    episodes = [row["id"] for row in waits]
    answered = Counter(
        line.removeprefix("Scry-Episode: ")
        for message in home.git("log", "--format=%B%x00").split("\0")
        if "Scry-Extractor: " in message
        for line in message.splitlines()
        if line.startswith("Scry-Episode: ")
    )
    assert set(answered.values()) == {1}
    assert not set(answered) & set(episodes)
    assert len(answered) + len(episodes) == EPISODES
    assert len(episodes) >= len(hopeless)
    assert len(list(home.store.glob("facts/**/*.md"))) == len(answered)
    assert all(row["reasons"] and row["given_up"] and row["since"] for row in waits)

    most = ATTEMPTS * REQUESTS * QUESTIONS
    assert max(server.per_episode().values()) <= most
    for_good = Counter((a.provider, a.sweep) for a in server.asked if a.fault == "redirect")
    assert set(for_good.values()) == {1}
    assert {a.fault for a in server.asked} == {"", *server.faults}
    for name, link in usage.items():
        assert (
            0 <= link["today"]["calls"] - server.count(provider=name) <= 2
        )  # It was killed twice.
