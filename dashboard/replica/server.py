"""Run the replica as a threaded server that stops cleanly."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from dashboard.replica.app import create_replica
from dashboard.replica.runtime import Replica
from dashboard.replica.settings import ReplicaSettings

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8001
log = logging.getLogger("replica")


class _Handler(WSGIRequestHandler):
    # Headers and body are two writes; with Nagle's algorithm every answer would take 40 ms more.
    disable_nagle_algorithm = True

    def send_response(self, code: int, message: str | None = None) -> None:
        # The application dates each answer by the replica's clock; a second date by the real one would contradict it.
        self.log_request(code)
        self.send_response_only(code, message)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        log.debug("%s %s", self.requestline, code)

    def log(self, type: str, message: str, *args: Any) -> None:
        log.log(logging.ERROR if type == "error" else logging.DEBUG, message, *args)


class RunningReplica:
    """Serve a replica on a socket, in a thread of its own, until `stop`."""

    def __init__(self, settings: ReplicaSettings, host: str = DEFAULT_HOST, port: int = 0) -> None:
        self.app = create_replica(settings)
        self.replica: Replica = self.app.extensions["replica"]
        self.server: BaseWSGIServer = make_server(host, port, self.app, threaded=True, request_handler=_Handler)
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{self.server.server_port}"
        self._thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self.replica.stopping.set()
        self.server.shutdown()
        self._thread.join()
        self.server.server_close()
        self.replica.state.close()


@contextmanager
def running(settings: ReplicaSettings, host: str = DEFAULT_HOST, port: int = 0) -> Iterator[RunningReplica]:
    """Run a replica during a `with` block; port 0 takes a free one."""
    replica = RunningReplica(settings, host, port)
    try:
        yield replica
    finally:
        replica.stop()


def serve(settings: ReplicaSettings, host: str = DEFAULT_HOST, port: int = DEFAULT_PORT) -> None:
    """Serve until SIGTERM or SIGINT. Call it from the main thread, which alone receives signals."""
    asked = threading.Event()

    def stop(signum: int, frame: FrameType | None) -> None:
        del signum, frame
        asked.set()

    before = {name: signal.signal(name, stop) for name in (signal.SIGTERM, signal.SIGINT)}
    try:
        with running(settings, host, port) as replica:
            log.info("The local replica answers on %s", replica.url)
            asked.wait()
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
