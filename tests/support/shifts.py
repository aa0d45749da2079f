"""Processes that go on until they are killed: web processes, workers, and the service that they depend on.

Each is forked like an errand of the crew. A fuse makes one end, or stand still, when it comes by a crash point for the
n-th time; it tells so with its last breath.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any

from flask import Flask
from werkzeug.serving import make_server

from dashboard import failpoints
from dashboard.background import watcher
from dashboard.failpoints import Point
from dashboard.replica.server import running
from dashboard.replica.settings import ReplicaSettings
from tests.support.crew import CONTEXT, Action, Premises, SharedClock
from tests.support.servers import QuietHandler

_HOST = "127.0.0.1"
_SIGNALS = {Action.KILL: signal.SIGKILL, Action.STOP: signal.SIGSTOP}

Tell = Callable[[str, Any], None]


class NotReady(AssertionError):
    """A process did not begin its work in time."""


@dataclass(frozen=True)
class Fuse:
    """What happens to a process when it comes by a point for the `count`-th time."""

    point: Point
    count: int = 1
    action: Action = Action.KILL


class Shift:
    """One process at work. `duty` gets the means to tell, then the arguments; everything must be picklable."""

    def __init__(self, duty: Callable[..., None], *arguments: Any) -> None:
        self._news, told = CONTEXT.Pipe(duplex=False)
        self._process = CONTEXT.Process(target=_run, args=(duty, arguments, told), daemon=True)
        self._process.start()
        told.close()
        self._heard: dict[str, Any] = {}
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def begun(self, patience: float = 60) -> Any:
        """Wait until it is at work; returns what it tells of that, such as its port."""
        until = monotonic() + patience
        while "begun" not in self._heard:
            if not self.alive or not self._hear(max(0.0, until - monotonic())):
                raise NotReady(f"process {self.pid} does not begin its work: {self._heard or 'not a word'}")
        return self._heard["begun"]

    @property
    def at_work(self) -> bool:
        self._hear_all()
        return "begun" in self._heard

    @property
    def came_to(self) -> Point | None:
        """The point at which its fuse burnt down, if it has."""
        self._hear_all()
        return self._heard.get("point")

    @property
    def alive(self) -> bool:
        return self._process.exitcode is None

    @property
    def stands_still(self) -> bool:
        """Whether every thread of it is stopped."""
        states = {_state(task) for task in _tasks(self.pid)}
        return bool(states) and states <= {"T", "t"}

    def stop(self) -> None:
        """Stop it where it stands, as a busy host or a debugger might."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kill it, stopped or not, and see it gone."""
        if self.alive:  # The number of one that is gone may be another process's by now.
            self._process.kill()
        self._process.join(60)
        assert not self.alive, f"process {self.pid} cannot be killed"

    def close(self) -> None:
        self.kill()
        self._process.close()
        self._news.close()

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            if self.alive:
                os.kill(self.pid, number)

    def _hear_all(self) -> None:
        while self._hear(0):
            pass

    def _hear(self, patience: float) -> bool:
        try:
            if not self._news.poll(patience):
                return False
            name, what = self._news.recv()
        except (EOFError, OSError):
            return False
        self._heard[name] = what
        return True


@contextmanager
def standing_still(shifts: Iterable[Shift]) -> Iterator[None]:
    """Everybody stops in mid-step, as when a laptop is closed, and goes on afterwards; whoever stood still stays so."""
    stopped = [shift for shift in shifts if shift.alive and not shift.stands_still]
    try:
        for shift in stopped:
            shift.stop()
        pause = threading.Event()
        for shift in stopped:
            while shift.alive and not shift.stands_still:
                pause.wait(0.0005)
        yield
    finally:
        for shift in stopped:
            shift.go_on()


# What they do


class _Handler(QuietHandler):
    # Headers and body are two writes; held back by Nagle's algorithm, every answer would cost 40 ms.
    disable_nagle_algorithm = True


def serve(tell: Tell, premises: Premises, port: int, fuse: Fuse | None) -> None:
    """A web process: the whole application on a socket, a thread for each request. Port 0 takes a free one."""
    app = _arm(tell, premises, fuse)
    server = make_server(_HOST, port, app, threaded=True, request_handler=_Handler)
    server.daemon_threads = True
    watcher.start(app.extensions["services"], watch=False)
    tell("begun", server.server_port)
    server.serve_forever()


def work(tell: Tell, premises: Premises, fuse: Fuse | None) -> None:
    """A worker: the real watcher."""
    app = _arm(tell, premises, fuse)
    watcher.start(app.extensions["services"])
    tell("begun", None)
    threading.Event().wait()


def stand_in(tell: Tell, settings: ReplicaSettings, clock: SharedClock, oldest: Any) -> None:
    """The local replica of the service; `oldest` (a shared double) tells since when it has had a creation in hand."""
    with running(settings) as replica:
        wsgi = replica.app.wsgi_app
        replica.app.wsgi_app = _InHand(wsgi, clock, oldest)  # type: ignore[method-assign]
        tell("begun", replica.url)
        threading.Event().wait()


class _InHand:
    """Notes the oldest creation that was received and is not answered: time must not outrun assumption A4."""

    def __init__(self, wsgi: Callable[..., Any], clock: SharedClock, oldest: Any) -> None:
        self._wsgi, self._clock, self._oldest = wsgi, clock, oldest
        self._lock = threading.Lock()
        self._since: dict[int, float] = {}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        if environ["REQUEST_METHOD"] != "POST" or not environ["PATH_INFO"].endswith("/payment-links"):
            return self._wsgi(environ, start_response)
        self._note(self._clock().timestamp())
        try:
            return self._wsgi(environ, start_response)
        finally:
            self._note(None)

    def _note(self, since: float | None) -> None:
        with self._lock:
            if since is None:
                del self._since[threading.get_ident()]
            else:
                self._since[threading.get_ident()] = since
            self._oldest.value = min(self._since.values(), default=0.0)


def _arm(tell: Tell, premises: Premises, fuse: Fuse | None) -> Flask:
    app = premises.build()
    # What it says, beside its data, for whoever wants to know why something was found.
    log_file = app.extensions["settings"].data_dir / "processes.log"
    logging.basicConfig(filename=log_file, level=logging.INFO, format="%(asctime)s %(process)d %(name)s %(message)s")
    if fuse is not None:
        failpoints.arm(fuse.point, _Burning(tell, fuse))
    return app


class _Burning:
    def __init__(self, tell: Tell, fuse: Fuse) -> None:
        self._tell, self._fuse = tell, fuse
        self._left = fuse.count
        self._lock = threading.Lock()

    def __call__(self) -> None:
        with self._lock:
            self._left -= 1
            if self._left:
                return
            self._tell("point", self._fuse.point)
        os.kill(os.getpid(), _SIGNALS[self._fuse.action])


def _run(duty: Callable[..., None], arguments: tuple[Any, ...], told: Connection) -> None:
    threading.Thread(target=_end_with_the_test, daemon=True).start()
    # Several threads of the test's process would each get a Ctrl-C; the test itself ends its processes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lock = threading.Lock()

    def tell(name: str, what: Any) -> None:
        with lock:
            told.send((name, what))

    duty(tell, *arguments)


def _end_with_the_test() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _tasks(pid: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except FileNotFoundError:
        return []


def _state(task: Path) -> str:
    """The state of a thread as the kernel tells it; one that has just ended counts as stopped."""
    try:
        return (task / "stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "T"
