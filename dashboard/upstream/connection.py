"""Track one attempt to call the service on its connection: what was sent, what arrived, and when its time is over.

The libraries' exceptions do not distinguish these (a TLS error is the same before and after delivery, a socket shut
during the headers reads as "200, empty"), and their timeouts are per read. So the connection records each phase on
the `Attempt` of its thread, and a watchdog shuts the socket down when the attempt's time is over.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import os
import queue
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from time import monotonic
from types import TracebackType
from typing import Any, Self

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

from dashboard.failpoints import Point, reach
from dashboard.log_context import carried

_thread = threading.local()


class Withheld(Exception):
    """Raised instead of sending: `before_send` raised, or the time was over before the first byte."""


class HeadCut(http.client.HTTPException):
    """Raised when the connection ended within the status line or the headers, which the library takes for their end."""


class Attempt:
    """Record the phases of one attempt and hold its deadline, from name resolution to the last byte of the body.

    `sent` turns true before the first byte of the request is handed to the socket, never after. `seconds` is the time
    for all of it, `connect_seconds` the part that may go into resolving and connecting.
    """

    def __init__(self, seconds: float, connect_seconds: float, before_send: Callable[[], None] | None = None) -> None:
        self.connected = False  #: TCP is connected; TLS may still fail.
        self.insecure = False  #: TLS failed.
        self.sent = False
        self.began = False  #: At least one byte of an answer arrived.
        self.head_cut = False
        self.expired = False
        self.withheld: BaseException | None = None  #: The exception that `before_send` raised.
        self.connect_until = monotonic() + min(seconds, connect_seconds)
        self._seconds = seconds
        self._before_send = before_send
        self._lock = threading.Lock()
        self._over = False
        self._handles: list[socket.socket] = []

    def __enter__(self) -> Self:
        self._watchdog = threading.Timer(max(0.0, self._seconds), carried(self._expire))
        self._watchdog.daemon = True
        self._watchdog.start()
        self._outer, _thread.attempt = getattr(_thread, "attempt", None), self
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _thread.attempt = self._outer
        self._watchdog.cancel()
        with self._lock:
            self._over = True
            for handle in self._handles:
                # The socket's own timeout may come before the watchdog, on a busy machine say.
                if error is not None and self.sent and not self.began:
                    _shut(handle)
                handle.close()

    def watch(self, sock: socket.socket) -> None:
        """Shut this socket down when the time is over.

        The socket is duplicated, because TLS takes the descriptor out of the original, and the library closes it early
        when the answer says `Connection: close`, while the body is still being read.
        """
        handle = socket.socket(sock.family, sock.type, sock.proto, fileno=os.dup(sock.fileno()))
        with self._lock:
            self._handles.append(handle)
            if self.expired:
                _shut(handle)

    def reach_failpoint(self, point: Point) -> None:
        """Reach a failpoint of a creation; reads have none."""
        if self._before_send is not None:
            reach(point)

    def about_to_send(self, sock: socket.socket) -> None:
        """Call `before_send` while nothing has left this machine, then set `sent`. Raises Withheld to send nothing."""
        if self.sent:
            return
        self.reach_failpoint(Point.CONNECT_DONE)
        if not self._handles:  # A connection from the pool.
            self.watch(sock)
        if self._before_send is not None:
            try:
                self._before_send()
            except BaseException as error:
                # The client raises it later: urllib3 swallows some (a database's BrokenPipeError, say), and on its way
                # up it would collect frames that hold the request's headers.
                self.withheld = error
                raise Withheld from None
        if self.expired:
            raise Withheld
        self.sent = True

    def _expire(self) -> None:
        with self._lock:
            if self._over:
                return
            self.expired = True
            for handle in self._handles:
                _shut(handle)


def _shut(sock: socket.socket) -> None:
    """End a connection at once. What has not been delivered yet is dropped: it must not arrive after we gave up."""
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with contextlib.suppress(OSError):  # Already closed by the other side.
        sock.shutdown(socket.SHUT_RDWR)


def _attempt() -> Attempt:
    attempt: Attempt | None = getattr(_thread, "attempt", None)
    assert attempt is not None, "a guarded connection is used outside an attempt"
    return attempt


class _Head:
    """Read the lines of an answer's head; record that it began, and refuse one that ends in mid-line or too early."""

    def __init__(self, lines: Any, attempt: Attempt) -> None:
        self._lines = lines
        self._attempt = attempt

    def readline(self, limit: int) -> bytes:
        line: bytes = self._lines.readline(limit)
        if not line and not self._attempt.began:
            return line  # No answer at all, which the library recognizes.
        self._attempt.began = True
        if not line.endswith(b"\n") and len(line) < limit:
            self._attempt.head_cut = True
            raise HeadCut("the connection ended within the headers")
        return line

    def close(self) -> None:
        self._lines.close()


class _Answer(http.client.HTTPResponse):
    def begin(self) -> None:
        attempt, lines = _attempt(), self.fp
        attempt.reach_failpoint(Point.SEND_WHOLE)
        self.fp = _Head(lines, attempt)  # type: ignore[assignment]  # It reads as the file does.
        try:
            super().begin()
        finally:
            if self.fp is not None:
                self.fp = lines
        # urllib3 would log the headers that its parser could not read, word for word.
        self.msg.defects = []
        self.msg.set_payload("")


class _Guarded(HTTPConnection):
    """Report the phases of a connection to the attempt of its thread."""

    response_class = _Answer

    def _new_conn(self) -> socket.socket:
        """Connect to one of the host's addresses; all tries share the time for connecting."""
        attempt = _attempt()
        addresses = _resolve(self, attempt.connect_until)
        problem: OSError | None = None
        for index, (family, kind, protocol, _, address) in enumerate(addresses):
            left = attempt.connect_until - monotonic()
            if left <= 0:
                raise ConnectTimeoutError(self, "no connection in time")
            sock = socket.socket(family, kind, protocol)
            try:
                for option in self.socket_options or ():
                    sock.setsockopt(*option)
                sock.settimeout(left / (len(addresses) - index))
                sock.connect(address)
                sock.settimeout(self.timeout)
                attempt.watch(sock)
            except OSError as error:
                sock.close()
                problem = error
            else:
                attempt.connected = True
                return sock
        if isinstance(problem, TimeoutError):
            raise ConnectTimeoutError(self, "no connection in time")
        raise NewConnectionError(self, "no connection") from problem

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        attempt = _attempt()
        first = not attempt.sent
        attempt.about_to_send(self.sock)
        super().send(data)
        if first:
            attempt.reach_failpoint(Point.SEND_HALF)


class GuardedHTTPConnection(_Guarded):
    pass


class GuardedHTTPSConnection(_Guarded, HTTPSConnection):
    def connect(self) -> None:
        attempt = _attempt()
        try:
            super().connect()
        except Exception as error:
            # Once TCP is connected, only TLS can fail, unless the other side stops answering.
            silent = attempt.expired or isinstance(error, TimeoutError | ConnectionError)
            attempt.insecure = attempt.connected and not silent
            raise


class GuardedHTTPPool(HTTPConnectionPool):
    ConnectionCls = GuardedHTTPConnection


class GuardedHTTPSPool(HTTPSConnectionPool):
    ConnectionCls = GuardedHTTPSConnection


_Addresses = Sequence[tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]]


def _resolve(connection: HTTPConnection, until: float) -> _Addresses:
    """Resolve the host within the time: the system's resolver may take half a minute and cannot be interrupted."""
    host, port = connection._dns_host.strip("[]"), connection.port
    try:
        ipaddress.ip_address(host)
    except ValueError:
        pass
    else:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    found: queue.SimpleQueue[_Addresses | Exception] = queue.SimpleQueue()

    def resolve() -> None:
        try:
            found.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception as error:  # A name that cannot even be encoded raises other things than OSError.
            found.put(error)

    threading.Thread(target=carried(resolve), name="resolve", daemon=True).start()
    try:
        answer = found.get(timeout=max(0.0, until - monotonic()))
    except queue.Empty:
        raise ConnectTimeoutError(connection, "the name was not resolved in time") from None
    if isinstance(answer, socket.gaierror):
        raise NameResolutionError(host, connection, answer) from answer
    if isinstance(answer, Exception):
        raise answer
    return answer
