"""Sweeps at the same time, streams that are closed, and a configuration that leads nowhere."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from faces import REPLY, TALK, Home, model, saying


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def test_sweeps_at_the_same_time_ask_about_each_episode_once(home: Home) -> None:
    for number in range(4):
        home.transcript(*TALK, session=f"{number:08d}-5b7d-4c55-9a3e-0d6f1c2b7a90")
    done: list[int] = []
    with model(home, saying(REPLY)) as server:
        threads = [
            threading.Thread(target=lambda: done.append(home.start("sweep").returncode))
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        asked = len(server.requests)

    assert (done, asked) == ([0, 0, 0], 4)
    assert home.call("pending")["pending"] == []


@pytest.mark.parametrize("command", ["submit x", "remember -", "sweep", "review", "reextract"])
def test_a_closed_standard_input_is_an_empty_one(home: Home, command: str) -> None:
    home.call("init")
    line = f'exec "{sys.executable}" -m scry {command} <&-'
    done = subprocess.run(["sh", "-c", line], env=home.environ, capture_output=True, check=False)

    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2, 30, 50)


def test_a_configuration_that_leads_nowhere_is_said(home: Home) -> None:
    home.call("init")
    (home.root / ".scry" / "config.yaml").symlink_to(home.root / "gone.yaml")

    code, _, err = home.run("sweep")

    assert code == 10
    assert "leads to no regular file" in err
