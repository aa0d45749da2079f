"""Answer what gunicorn would answer by itself: malformed requests, and those that a stop finds in the queue."""

from __future__ import annotations

import socket
from typing import Any

from gunicorn import util
from gunicorn.workers.gthread import ThreadWorker

from dashboard.web.shared.security import HEADERS

_STOPPING = (503, "Service Unavailable", "The dashboard is restarting. Nothing was done. Try again in a few seconds.")
_BAD_REQUEST = "The request could not be read.\n"
#: How much of the body of a refused request is read, so that the answer is not lost by a reset.
_READ = 64 * 1024


def plain_answer(status: int, reason: str, text: str, more: dict[str, str] | None = None) -> bytes:
    """Return an answer with every header, and with nothing of the request."""
    body = text.encode()
    headers = {
        **HEADERS,
        **(more or {}),
        "Cache-Control": "no-store",
        "Connection": "close",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(body)),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} {reason}\r\n{lines}\r\n".encode() + body


class _InPlainWords:
    """Stand for a socket to which gunicorn writes its own page about an error."""

    def __init__(self, sock: Any) -> None:
        self._sock = sock

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def sendall(self, page: bytes) -> None:
        _version, status, reason = page.split(b"\r\n", 1)[0].decode("latin1").split(" ", 2)
        self._sock.sendall(plain_answer(int(status), reason, _BAD_REQUEST))


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types.
    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer a malformed request in plain words: gunicorn's page quotes it."""
        super().handle_error(req, _InPlainWords(client), addr, exc)

    def set_accept_enabled(self, enabled: bool) -> None:
        """Take in, at a stop, who is connected and waits to be accepted: closing the port would reset them."""
        if not enabled and not self.alive:
            for listener in self.sockets:
                listener.setblocking(False)
                before = -1
                while before != self.nr_conns:
                    before = self.nr_conns
                    self.accept(listener)
        super().set_accept_enabled(enabled)

    def handle(self, conn: Any) -> Any:
        """Answer 503, after a stop was asked for, to a connection that no thread has begun with."""
        if self.alive or conn.initialized:
            return super().handle(conn)
        try:
            if conn.wait_for_data(1):
                conn.sock.settimeout(5)
                conn.init()
                next(conn.parser).body.read(_READ)
                util.write(conn.sock, plain_answer(*_STOPPING, {"Retry-After": "10"}))
                conn.sock.shutdown(socket.SHUT_WR)
        except Exception:
            self.log.debug("a waiting connection was gone before it was answered")
        return False
