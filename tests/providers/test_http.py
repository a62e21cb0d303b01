"""How often a server is asked, and that no server can hold us or lead us astray."""

import email.utils
import gzip
import threading
import time

import pytest
from loopback import Loopback, loopback

from scry.errors import ProviderError
from scry.providers.address import check_url
from scry.providers.http import Endpoint
from scry.providers.wire import exchange

FINE = {"body": '{"ok": true}'}


def endpoint(
    server: Loopback, slept: list[float] | None = None, timeout_s: float = 20.0
) -> Endpoint:
    sleep = (slept if slept is not None else []).append
    return Endpoint("fake", server.url, timeout_s=timeout_s, sleep=sleep)


def failure(*script: dict, timeout_s: float = 20.0, most: int | None = None) -> ProviderError:
    with loopback(*script) as server, pytest.raises(ProviderError) as caught:
        endpoint(server, timeout_s=timeout_s).post("/x", {})
    if most is not None:
        assert len(server.requests) == most
    return caught.value


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_a_passing_trouble_is_tried_twice_more_with_growing_waits(status):
    slept: list[float] = []
    with loopback({"status": status}, {"status": status}, FINE) as server:
        assert endpoint(server, slept).post("/x", {}) == {"ok": True}
    assert len(server.requests) == 3
    assert slept == sorted(slept)
    failure({"status": status}, most=3)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "content"), (401, "permanent"), (402, "quota"), (403, "permanent"), (404, "permanent"), (405, "permanent"), (422, "content")],
)  # fmt: skip
def test_a_refusal_is_final(status, kind):
    assert failure({"status": status}, most=1).kind == kind


def test_retry_after_is_honoured_up_to_a_minute():
    date = {"date": email.utils.formatdate(1_000), "retry-after": email.utils.formatdate(1_030)}
    slept: list[float] = []
    with loopback(
        {"status": 429, "headers": {"retry-after": "7"}}, {"status": 503, "headers": date}, FINE
    ) as server:
        endpoint(server, slept).post("/x", {})
    assert slept == [7, 30]

    longer = {"status": 429, "headers": {"retry-after": "61"}}
    assert failure(longer, most=1).kind == "quota"
    assert failure({"status": 429}, most=3).kind == "quota"
    assert failure({"status": 500}, most=3).kind == "transport"


def test_a_quota_that_is_spent_is_not_waited_for():
    for status in (400, 403, 429):
        said = {
            "status": status,
            "body": '{"error": {"message": "You exceeded your current quota"}}',
        }
        assert failure(said, most=1).kind == "quota"


def test_short_bodies_are_tried_again_and_an_empty_one_once():
    cut = {"headers": {"content-length": "50"}, "body": '{"a": ', "behaviour": "close"}
    failure(cut, most=3)
    failure({"body": '{"a": ', "behaviour": "until it closes"}, most=3)
    failure({"behaviour": "drop"}, most=3)
    failure({"body": ""}, most=2)
    with loopback(cut, FINE) as server:
        assert endpoint(server).post("/x", {}) == {"ok": True}


def test_only_json_is_an_answer_whatever_stands_in_it():
    for kind in ("text/html", "text/plain", ""):
        error = failure({"headers": {"content-type": kind}, "body": '{"ok": true}'}, most=1)
        assert "instead of JSON" in str(error)
    failure({"body": "[1]"}, most=1)
    failure({"body": b'{"a": "\xe9"}'}, most=3)
    failure({"body": '{"a":' * 100_000}, most=3)
    with loopback(
        {"headers": {"content-type": "application/problem+json; charset=utf-8"}, "body": "{}"}
    ) as server:
        assert endpoint(server).post("/x", {}) == {}


def test_a_redirect_is_followed_on_the_same_origin_only():
    with loopback(FINE) as other:
        for status in (301, 302, 303, 307, 308):
            for target in (
                f"{other.url}/x",
                f"http://localhost:{other.port}/x",
                "//evil.example/x",
            ):
                failure({"status": status, "headers": {"location": target}}, most=1)
    assert other.requests == []
    moved = {"status": 307, "headers": {"location": "/v2/x"}}
    with loopback(moved, FINE) as server:
        assert endpoint(server).post("/x", {"a": 1}) == {"ok": True}
    assert [line for line, _, _ in server.requests] == ["POST /x HTTP/1.1", "POST /v2/x HTTP/1.1"]
    assert server.requests[1][2] == b'{"a": 1}'
    failure(moved, most=3)


def test_no_server_can_hold_us_longer_than_the_deadline():
    began = time.monotonic()
    for behaviour in ("accept and hang", "drip"):
        assert "in time" in str(failure({"behaviour": behaviour}, timeout_s=0.4, most=1))
    assert time.monotonic() - began < 3


def test_no_server_can_fill_our_memory():
    assert "4 MiB" in str(failure({"behaviour": "stream forever, fast"}, most=1))
    bomb = gzip.compress(b" " * (64 << 20))
    assert "4 MiB" in str(failure({"headers": {"content-encoding": "gzip"}, "body": bomb}, most=1))


def test_a_dead_port_or_an_unknown_host_is_a_failure_at_once():
    with loopback(FINE) as server:
        pass
    with pytest.raises(ProviderError, match="nothing can be reached") as caught:
        endpoint(server).post("/x", {})
    assert caught.value.kind == "transport"


def test_an_answer_that_comes_too_late_is_not_the_answer_to_the_next_question():
    with loopback(
        {"behaviour": "accept and hang", "body": '{"n": 1}'}, {"body": '{"n": 2}'}
    ) as server:
        asked = endpoint(server, timeout_s=0.3)
        with pytest.raises(ProviderError):
            asked.post("/x", {"q": 1})
        assert asked.post("/x", {"q": 2}) == {"n": 2}


def test_a_netrc_never_replaces_our_key(tmp_path, monkeypatch):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login jane password swordfish")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    ours = {"Authorization": "Bearer x"}
    with loopback(FINE) as server:
        # As if it were another machine, where the settings of the person's own network count.
        exchange(server.url, b"{}", headers=ours, seconds=5, own_machine=False)
    assert server.requests[0][1]["authorization"] == "Bearer x"


def test_no_thread_or_connection_is_left_behind():
    before = threading.active_count()
    with loopback(FINE) as server:
        endpoint(server).post("/x", {})
    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    assert threading.active_count() <= before


def test_what_a_server_says_is_shown_short_and_without_control_characters():
    said = '{"error": {"message": "\\u001b[31m' + "no " * 500 + '"}}'
    message = str(failure({"status": 404, "body": said}))
    assert len(message) < 300
    assert message.isprintable()


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8080/v1", "http://localhost:1", "http://[::1]:8080", "http://127.9.9.9"],
)
def test_plain_http_is_for_this_machine(url):
    assert check_url("fake", url)
    assert not check_url("fake", "https://models.example/v1")
