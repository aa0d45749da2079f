"""Find free ports for servers under test."""

from __future__ import annotations

import socket

_given: set[int] = set()


def free_port() -> int:
    """Return a port of this machine that is free, and that this process was not given before.

    The kernel may offer a port again while the server that it was found for is still starting.
    """
    while True:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = int(found.getsockname()[1])
        if port not in _given:
            _given.add(port)
            return port
