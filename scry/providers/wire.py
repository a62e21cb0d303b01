"""One HTTP exchange that ends in time, whatever the other side does.

A read timeout only limits the silence between two bytes, so a server that sends a byte now and then
could hold us for ever.  Here a timer shuts the connection down at the deadline; the thread that waits on
it then wakes up with an error.  Each exchange has a connection of its own: an answer that comes too
late cannot be taken for the answer to the next question.
"""

import contextlib
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import NewConnectionError, ReadTimeoutError

MAX_BODY = 4 << 20
"""Bytes of an answer that are read at most, after decompression."""
_CONNECT_S = 15.0
_PIECE = 64 << 10


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server sent, whole."""

    status: int
    headers: "requests.structures.CaseInsensitiveDict[str]"
    body: bytes


class ExchangeError(Exception):
    """No whole answer.  `again` says whether the same request may be sent once more."""

    def __init__(self, reason: str, *, again: bool = False) -> None:
        super().__init__(reason)
        self.again = again


class _Deadline:
    """Shuts one connection down when its time is over."""

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._pass)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            if self._socket:
                self._socket.close()
            self._socket = None

    def watch(self, connection: socket.socket) -> None:
        """Take note of the connection; a copy of it, for TLS takes the original over."""
        with self._lock:
            self._socket = connection.dup()
        if self.passed:
            self._pass()

    def _pass(self) -> None:
        self.passed = True
        with self._lock:
            if self._socket:
                with contextlib.suppress(OSError):  # It is closed already.
                    self._socket.shutdown(socket.SHUT_RDWR)


def exchange(
    url: str,
    body: bytes,
    *,
    headers: dict[str, str],
    seconds: float,
    own_machine: bool,
) -> Answer:
    """Post a body and return the whole answer, whatever its status; no redirect is followed.

    Args:
        url: complete, without credentials.
        body: sent as it is.
        headers: all of them.
        seconds: until the last byte must be there.
        own_machine: whether the URL is on loopback; no proxy is asked then.

    Raises:
        ExchangeError: there was no whole answer.
    """
    with _Deadline(seconds) as deadline, requests.Session() as session:
        session.trust_env = not own_machine
        session.headers.clear()
        for scheme in ("http://", "https://"):
            session.mount(scheme, _Adapter(deadline.watch))
        try:
            with session.post(
                url,
                data=body,
                headers=headers,
                auth=_as_it_is,
                timeout=(min(seconds, _CONNECT_S), seconds),
                allow_redirects=False,
                stream=True,
            ) as response:
                answer = Answer(response.status_code, response.headers, _read(response))
        except requests.RequestException as error:
            # `from None`: the library's error holds the request, and that holds the key.
            raise _reason(error, deadline) from None
        if deadline.passed:  # A connection that was shut down looks like the end of a body.
            raise ExchangeError("it did not answer in time")
        return answer


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Leave the request alone; without an `auth`, a .netrc would replace our key."""
    return request


def _read(response: requests.Response) -> bytes:
    body = bytearray()
    for piece in response.iter_content(_PIECE):
        body += piece
        if len(body) > MAX_BODY:
            raise ExchangeError(f"its answer is longer than {MAX_BODY >> 20} MiB")
    return bytes(body)


def _reason(error: requests.RequestException, deadline: _Deadline) -> ExchangeError:
    """Return what went wrong in words of ours; the library's own may quote the request."""
    cause = error.args[0] if error.args else None
    if (
        deadline.passed
        or isinstance(error, requests.Timeout)
        or isinstance(cause, ReadTimeoutError)
    ):
        return ExchangeError("it did not answer in time")
    if isinstance(error, requests.exceptions.SSLError):
        return ExchangeError("its certificate cannot be verified, or TLS fails otherwise")
    if isinstance(error, requests.exceptions.ProxyError):
        return ExchangeError("the proxy does not let us through")
    if isinstance(getattr(cause, "reason", cause), NewConnectionError):
        return ExchangeError("nothing can be reached there")
    if isinstance(
        error, requests.exceptions.ConnectionError | requests.exceptions.ChunkedEncodingError
    ):
        return ExchangeError("it closed the connection in the middle of its answer", again=True)
    return ExchangeError(f"the exchange broke off ({type(error).__name__})")


class _Adapter(HTTPAdapter):
    """Makes connections that tell `watch` about their socket."""

    def __init__(self, watch: Callable[[socket.socket], None]) -> None:
        self._watch = watch
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self._watched(self.poolmanager)

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        manager = super().proxy_manager_for(*args, **kwargs)
        self._watched(manager)
        return manager

    def _watched(self, manager: PoolManager) -> None:
        watch = self._watch

        class Plain(HTTPConnection):
            def _new_conn(self) -> socket.socket:
                made = super()._new_conn()
                watch(made)
                return made

        class Secure(HTTPSConnection):
            def _new_conn(self) -> socket.socket:
                made = super()._new_conn()
                watch(made)
                return made

        class PlainPool(HTTPConnectionPool):
            ConnectionCls = Plain

        class SecurePool(HTTPSConnectionPool):
            ConnectionCls = Secure

        manager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}
