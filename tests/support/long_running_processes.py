"""Run processes until they are killed: web processes, workers, and the replica of the service.

They are forked as in `killable_processes`. An armed failpoint kills or stops one when it reaches the point for the n-th
time; the process reports that to the test first.
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
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any

from flask import Flask
from werkzeug.serving import make_server

from dashboard import failpoints
from dashboard.background import watcher
from dashboard.background.jobs import Jobs
from dashboard.failpoints import Point
from dashboard.replica.server import running
from dashboard.replica.settings import ReplicaSettings
from tests.support.killable_processes import CONTEXT, Action, AppFactory, SharedClock
from tests.support.servers import QuietHandler

_HOST = "127.0.0.1"
_SIGNALS = {Action.KILL: signal.SIGKILL, Action.STOP: signal.SIGSTOP}

#: Send the test a message: its name and a value.
Report = Callable[[str, Any], None]


class NotReady(AssertionError):
    """Raised when a process did not start its work in time."""


@dataclass(frozen=True)
class ArmedFailpoint:
    """Define the action of a process when it reaches a failpoint for the `count`-th time."""

    point: Point
    count: int = 1
    action: Action = Action.KILL


class LongRunningProcess:
    """Run `target(report, *arguments)` in a process of its own; all of it must be picklable."""

    def __init__(self, target: Callable[..., None], *arguments: Any) -> None:
        self._messages, sender = CONTEXT.Pipe(duplex=False)
        self._process = CONTEXT.Process(target=_run, args=(target, arguments, sender), daemon=True)
        self._process.start()
        sender.close()
        self._received: dict[str, Any] = {}
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def wait_ready(self, timeout: float = 60) -> Any:
        """Wait until it has started its work, and return the value that it reported, such as its port."""
        until = monotonic() + timeout
        while "ready" not in self._received:
            if not self._receive(max(0.0, until - monotonic())):
                raise NotReady(f"process {self.pid} does not start its work: {self._received or 'no message'}")
        return self._received["ready"]

    @property
    def is_ready(self) -> bool:
        self._receive_all()
        return "ready" in self._received

    @property
    def reached_point(self) -> Point | None:
        """Return the failpoint at which it was killed or stopped; None before that."""
        self._receive_all()
        return self._received.get("point")

    @property
    def alive(self) -> bool:
        return self._process.exitcode is None

    @property
    def is_stopped(self) -> bool:
        """Check whether all of its threads are stopped."""
        states = {_state(task) for task in _tasks(self.pid)}
        return bool(states) and states <= {"T", "t"}

    def stop(self) -> None:
        """Stop it at any instruction, as a busy host or a debugger might."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kill it, stopped or not, and wait for its end."""
        if self.alive:  # After its end, another process may have its id.
            self._process.kill()
        self._process.join(60)
        assert not self.alive, f"process {self.pid} cannot be killed"

    def close(self) -> None:
        self.kill()
        self._process.close()
        self._messages.close()

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            if self.alive:
                os.kill(self.pid, number)

    def _receive_all(self) -> None:
        while self._receive(0):
            pass

    def _receive(self, timeout: float) -> bool:
        try:
            if not self._messages.poll(timeout):
                return False
            name, value = self._messages.recv()
        except (EOFError, OSError):
            return False
        self._received[name] = value
        return True


@contextmanager
def all_stopped(processes: Iterable[LongRunningProcess]) -> Iterator[None]:
    """Stop all processes during the block, as when a laptop is closed; one that was stopped before stays stopped."""
    stopped = [process for process in processes if process.alive and not process.is_stopped]
    try:
        for process in stopped:
            process.stop()
        wait = threading.Event()
        for process in stopped:
            while process.alive and not process.is_stopped:
                wait.wait(0.0005)
        yield
    finally:
        for process in stopped:
            process.resume()


# Targets


class _Handler(QuietHandler):
    # Headers and body are two writes; with Nagle's algorithm every answer would take 40 ms more.
    disable_nagle_algorithm = True


def run_web_process(report: Report, app_factory: AppFactory, port: int, armed: ArmedFailpoint | None) -> None:
    """Serve the whole application on a socket, with a thread for each request; port 0 takes a free one."""
    app = _arm(report, app_factory, armed)
    server = make_server(_HOST, port, app, threaded=True, request_handler=_Handler)
    server.daemon_threads = True
    watcher.start(app.extensions["services"], watch=False)
    report("ready", server.server_port)
    server.serve_forever()


def run_worker(report: Report, app_factory: AppFactory, armed: ArmedFailpoint | None) -> None:
    """Run the real watcher."""
    app = _arm(report, app_factory, armed)
    watcher.start(app.extensions["services"])
    report("ready", None)
    threading.Event().wait()


def run_worker_with_jobs(report: Report, app_factory: AppFactory, folder: Path, armed: ArmedFailpoint | None) -> None:
    """Run the real watcher with the jobs of the fleet; a worker that is silent for two seconds counts as dead."""
    app = _arm(report, app_factory, armed)
    services = app.extensions["services"]
    watcher.Watcher(services, jobs=Jobs(services, folder, silent_after=timedelta(seconds=2))).start()
    report("ready", None)
    threading.Event().wait()


def run_replica(report: Report, settings: ReplicaSettings, clock: SharedClock, oldest: Any) -> None:
    """Serve the replica; `oldest` (a shared float) is when it received its oldest unanswered creation."""
    with running(settings) as replica:
        wsgi = replica.app.wsgi_app
        replica.app.wsgi_app = _OldestCreation(wsgi, clock, oldest)  # type: ignore[method-assign]  # As Flask documents it.
        report("ready", replica.url)
        threading.Event().wait()


class _OldestCreation:
    """Record when the oldest unanswered creation was received: a test must not move time past assumption A4."""

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


def _arm(report: Report, app_factory: AppFactory, armed: ArmedFailpoint | None) -> Flask:
    app = app_factory.build()
    # A log in the data folder, to find the cause of a violation.
    log_file = app.extensions["settings"].data_dir / "processes.log"
    logging.basicConfig(filename=log_file, level=logging.INFO, format="%(asctime)s %(process)d %(name)s %(message)s")
    if armed is not None:
        failpoints.arm(armed.point, _Countdown(report, armed))
    return app


class _Countdown:
    def __init__(self, report: Report, armed: ArmedFailpoint) -> None:
        self._report, self._armed = report, armed
        self._left = armed.count
        self._lock = threading.Lock()

    def __call__(self) -> None:
        with self._lock:
            self._left -= 1
            if self._left:
                return
            self._report("point", self._armed.point)
        os.kill(os.getpid(), _SIGNALS[self._armed.action])


def _run(target: Callable[..., None], arguments: tuple[Any, ...], sender: Connection) -> None:
    threading.Thread(target=_end_with_the_test, daemon=True).start()
    # Ctrl-C reaches every process of the terminal; the test ends its processes itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lock = threading.Lock()

    def report(name: str, value: Any) -> None:
        with lock:
            sender.send((name, value))

    target(report, *arguments)


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
    """Return the kernel's state of a thread; one that has just ended counts as stopped."""
    try:
        return (task / "stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "T"
