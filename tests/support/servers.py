"""Serve an application on a real socket, for tests with a browser or a second process."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server


class QuietHandler(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: object) -> None:
        logging.getLogger("tests.server").debug(message, *args)


@contextmanager
def serving(app: Flask, port: int = 0) -> Iterator[str]:
    """Serve an application until the block ends, and yield its address. `port` 0 takes a free one."""
    server: BaseWSGIServer = make_server("127.0.0.1", port, app, threaded=True, request_handler=QuietHandler)
    # Idle connections of a browser must not block shutdown.
    server.daemon_threads = True
    # A short polling interval, so that tests do not wait for shutdown.
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="test-server")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
