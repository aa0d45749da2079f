"""Run a server that breaks the rules as scripted, over real sockets, and records every byte that it receives.

Each connection plays the next script; when they run out, the last one is played again. A script is a function of the
`Peer`, made by one of the functions below; a connection that it leaves open is closed afterwards.
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from typing import Any

Script = Callable[["Peer"], None]


class Peer:
    """Drive the server's end of one connection."""

    def __init__(self, sock: socket.socket, stopping: threading.Event) -> None:
        self.sock = sock
        self.stopping = stopping
        self.received = bytearray()
        self.requests: list[bytes] = []
        self.done = threading.Event()  #: The script is over and this end is closed.
        self._unread = b""

    def read_request(self) -> bytes | None:
        """Read the next request, head and body; None when the client hangs up first."""
        while b"\r\n\r\n" not in self._unread:
            if not self._receive():
                return None
        head, _, rest = self._unread.partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        while len(rest) < length:
            if not self._receive():
                return None
            rest = self._unread.partition(b"\r\n\r\n")[2]
        self._unread = rest[length:]
        self.requests.append(head + b"\r\n\r\n" + rest[:length])
        return self.requests[-1]

    def _receive(self) -> bool:
        try:
            piece = self.sock.recv(65_536)
        except OSError:
            return False
        self.received += piece
        self._unread += piece
        return bool(piece)

    def send(self, data: bytes) -> bool:
        try:
            self.sock.sendall(data)
        except OSError:
            return False
        return True

    def drip(self, data: bytes, seconds: float = 0.05) -> None:
        """Send byte by byte with a delay before each, until the client hangs up."""
        for index in range(len(data)):
            if self.stopping.wait(seconds) or not self.send(data[index : index + 1]):
                return

    def wait_for_hangup(self) -> None:
        while self._receive():
            pass

    def reset(self) -> None:
        """Close with a RST instead of a FIN."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.sock.close()


class RudeServer:
    """Play scripts on a port of its own until it is closed. `tls` wraps every connection."""

    def __init__(self, *scripts: Script, tls: ssl.SSLContext | None = None) -> None:
        self._scripts = list(scripts)
        self._tls = tls
        self._stopping = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        self.peers: list[Peer] = []
        self._last_caller: object = None
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def requests(self) -> list[bytes]:
        """Return the complete requests of all connections, in the order of the connections."""
        return [request for peer in self.peers for request in peer.requests]

    @property
    def received(self) -> bytes:
        return b"".join(bytes(peer.received) for peer in self.peers)

    def _accept(self) -> None:
        while True:
            try:
                sock, address = self._listener.accept()
            except OSError:
                return
            if address == self._last_caller:
                sock.close()
                return
            script = self._scripts[min(len(self.peers), len(self._scripts) - 1)]
            peer = Peer(sock, self._stopping)
            self.peers.append(peer)
            thread = threading.Thread(target=self._play, args=(script, peer), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _play(self, script: Script, peer: Peer) -> None:
        try:
            if self._tls is not None:
                peer.sock = self._tls.wrap_socket(peer.sock, server_side=True)
            script(peer)
        except OSError:
            pass  # The client gave up; what it had sent is on record.
        finally:
            peer.close()
            peer.done.set()

    def close(self) -> None:
        """Stop, and wait for every script to end: after this the record is complete."""
        self._stopping.set()
        with contextlib.suppress(OSError), socket.socket() as last:  # Accepted after all who called before it.
            last.bind(("127.0.0.1", 0))
            self._last_caller = last.getsockname()
            last.connect(("127.0.0.1", self.port))
            self._threads[0].join(10)
        self._listener.close()
        for peer in self.peers:
            with contextlib.suppress(OSError):
                peer.sock.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)


def respond(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """Return an answer with a correct length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def envelope(data: Any) -> bytes:
    return json.dumps({"success": True, "data": data}).encode()


def answer(data: Any, *headers: str) -> Script:
    """Answer every request on the connection with this, as a well-behaved service would."""
    return raw(respond(envelope(data), "200 OK", *headers), keep=True)


def status(code: int, *headers: str, body: bytes = b"<html>no</html>") -> Script:
    return raw(respond(body, f"{code} Some Reason", *headers), keep=True)


def raw(data: bytes, *, keep: bool = False) -> Script:
    """Read a request and send exactly this; then close, or with `keep` wait for another."""

    def play(peer: Peer) -> None:
        while peer.read_request() is not None and peer.send(data) and keep:
            pass

    return play


def close_at_once(peer: Peer) -> None:
    """Accept, and close before anything is read."""


def reset_at_once(peer: Peer) -> None:
    peer.reset()


def close_after_reading(peer: Peer) -> None:
    peer.read_request()


def reset_after_reading(peer: Peer) -> None:
    peer.read_request()
    peer.reset()


def reset_after_first_byte(peer: Peer) -> None:
    """Close in the middle of the request."""
    peer.received += peer.sock.recv(1)
    peer.reset()


def silent(peer: Peer) -> None:
    """Read the request and never answer."""
    while peer.read_request() is not None:
        pass


def dripping(data: bytes, *, at_once: bytes = b"") -> Script:
    """Send the first part at once (one byte, if nothing else), and the rest slower than any deadline."""

    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(at_once or data[:1])
        peer.drip(data if at_once else data[1:])

    return play


def answer_once_then_close(data: Any) -> Script:
    """Promise to keep the connection open, and close it once the answer is sent."""
    return raw(respond(envelope(data), "200 OK", "Connection: keep-alive"))


def speak(data: bytes) -> Script:
    """Send something unasked, then wait."""

    def play(peer: Peer) -> None:
        peer.send(data)
        peer.wait_for_hangup()

    return play
