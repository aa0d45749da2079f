"""Run real processes of the dashboard that a test can kill or stop at a failpoint; they share a store and a clock.

Each is forked from a server that has imported everything and runs no thread, so it starts in a fraction of a second.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from flask import Flask
from jinja2 import FileSystemBytecodeCache

from dashboard import failpoints
from dashboard.app import create_app, create_client
from dashboard.failpoints import Point
from dashboard.memory import collect_garbage_less_often, freeze_objects
from dashboard.settings import Settings
from dashboard.store.engine import Store
from tests.support.compiled import share_statements
from tests.support.host_clocks import HostClock
from tests.support.people import cheap_passwords
from tests.support.unchecked_page import UncheckedPage
from tests.support.web_client import WebClient

CONTEXT = multiprocessing.get_context("forkserver")
#: What the server imports before it forks; `forked_commands` adds to it.
PRELOADED = ["__main__", "tests.support.killable_processes"]
CONTEXT.set_forkserver_preload(PRELOADED)
# For the server, from which the processes inherit it.
collect_garbage_less_often()
freeze_objects()

#: Seconds; far longer than any task takes.
_TIMEOUT = 60


class SharedClock:
    """Return the real time plus an offset that all processes of a test share; only the test moves it.

    The database's clock is `stepped` seconds ahead of it. No value has a lock: a process that is killed or stopped
    while it reads the time would never release it.
    """

    def __init__(self) -> None:
        self._offset = CONTEXT.Value("d", 0.0, lock=False)
        self._stepped = CONTEXT.Value("d", 0.0, lock=False)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self._offset.value)

    def advance(self, seconds: float) -> None:
        self._offset.value += seconds

    def stepped(self) -> float:
        return float(self._stepped.value)

    def step(self, seconds: float) -> None:
        """Step the database's clock: that is no time that passes."""
        self._stepped.value += seconds


class Host:
    """Hold how many seconds the own clock of a host is off; only the test moves it."""

    def __init__(self, off: float = 0.0) -> None:
        self._off = CONTEXT.Value("d", off, lock=False)

    def off(self) -> float:
        return float(self._off.value)

    def step(self, seconds: float) -> None:
        self._off.value += seconds


class Action(Enum):
    """Choose what a process does to itself at a failpoint."""

    KILL = "killed"
    STOP = "stopped"  #: Until `KillableTask.resume`.


_ACTIONS: dict[Action, Callable[[], None]] = {
    Action.KILL: lambda: os.kill(os.getpid(), signal.SIGKILL),
    Action.STOP: lambda: os.kill(os.getpid(), signal.SIGSTOP),
}


@dataclass(frozen=True)
class AppFactory:
    """Build the dashboard in any process, from environment variables and the shared clock.

    On a `host` the process tells the time as in production; without one it reads the shared clock itself.
    """

    environ: dict[str, str]
    clock: SharedClock = field(default_factory=SharedClock)
    host: Host | None = None

    def build(self) -> Flask:
        settings = Settings.from_environ(self.environ)
        client = create_client(settings)
        clock = self.clock if self.host is None else HostClock(self.clock, self.clock.stepped, self.host.off)
        store = share_statements(Store(settings.database_url, connections=settings.database_connections))
        app = create_app(settings, store=store, client=client, clock=clock, passwords=cheap_passwords())
        app.extensions["client"] = client
        app.jinja_env.bytecode_cache = FileSystemBytecodeCache()  # Processes share the compiled templates.
        app.test_client_class = WebClient
        return app


@dataclass(frozen=True)
class SentForm:
    """Hold a form as a browser sends it: address, fields and session cookie. It can be sent again unchanged."""

    address: str
    fields: dict[str, list[str]]
    cookie: tuple[str, str]

    @property
    def challans(self) -> set[str]:
        """Return the ids of the challans that it requests a link for."""
        return set(self.fields["challan"])


@dataclass(frozen=True)
class Answer:
    """Hold the page that a person gets after redirects."""

    status: int
    address: str
    words: str
    markup: str


def open_form(visitor: WebClient, page: UncheckedPage, button: str, **changed: list[str]) -> SentForm:
    """Return the form of a button, with the session of the person who opened it, to be sent from any process."""
    address, fields = page.form(button)
    name = visitor.application.config["SESSION_COOKIE_NAME"]
    cookie = visitor.get_cookie(name)
    assert cookie is not None, "nobody is signed in"
    return SentForm(address, fields | changed, (name, cookie.value))


def send_form(app: Flask, form: SentForm) -> Answer:
    """Send a form, follow its redirects and return the answer."""
    client = app.test_client()
    assert isinstance(client, WebClient)
    client.set_cookie(*form.cookie)
    page = UncheckedPage(client.post(form.address, data=form.fields, follow_redirects=True))
    return Answer(page.status, page.address, page.words, page.markup)


def run_worker_once(app: Flask) -> None:
    """Run one round of a worker in this thread."""
    services = app.extensions["services"]
    services.clocks.compare()
    services.outcome_recorder.record_spooled()
    services.outcome_resolver.sweep()
    for intent_id in services.outcome_resolver.claim_due(50):
        services.outcome_resolver.resolve(intent_id)
    for link_id in services.link_poller.claim_due(500):
        services.link_poller.poll_claimed(link_id)


class KillableTask:
    """Run `work(app, *arguments)` once in a process of its own, which may be killed or stopped at the failpoint `at`.

    `work` and its arguments must be picklable.
    """

    def __init__(
        self,
        app_factory: AppFactory,
        work: Callable[..., Any],
        *arguments: Any,
        at: Point | None = None,
        action: Action = Action.KILL,
    ) -> None:
        self._answers, answers = CONTEXT.Pipe(duplex=False)
        self._process: BaseProcess = CONTEXT.Process(
            target=_run, args=(app_factory, at, action, work, arguments, answers), daemon=True
        )
        self._process.start()
        answers.close()

    def result(self) -> Any:
        """Wait for the end, and return the result of the work; None when the process was killed before."""
        result = None
        try:
            if self._answers.poll(_TIMEOUT):
                result = self._answers.recv()
        except EOFError:
            pass
        self._process.join(_TIMEOUT)
        assert self._process.exitcode is not None, "the process does not end"
        if isinstance(result, BaseException):
            raise result
        return result

    @property
    def was_killed(self) -> bool:
        """Check whether it was killed at its failpoint; valid after `result`."""
        return self._process.exitcode == -signal.SIGKILL

    def wait_stopped(self) -> bool:
        """Wait until it is stopped at its failpoint; False when it ended without reaching it."""
        assert self._process.pid is not None
        while True:
            _, status = _state_of(self._process.pid)
            if status == "T":
                return True
            if status in ("Z", "X", ""):
                return False
            if self._answers.poll(0.01):
                return False

    def resume(self) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, signal.SIGCONT)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def kill(self) -> None:
        if self._process.exitcode is None:  # After its end, another process may have its id.
            self._process.kill()
        self._process.join(_TIMEOUT)


def _run(
    app_factory: AppFactory,
    at: Point | None,
    action: Action,
    work: Callable[..., Any],
    arguments: tuple[Any, ...],
    answers: Connection,
) -> None:
    if at is not None:
        failpoints.arm(at, _ACTIONS[action])
    try:
        result = work(app_factory.build(), *arguments)
    except Exception as error:
        result = AssertionError(f"{type(error).__name__}: {error}")
    answers.send(result)
    answers.close()


def _state_of(pid: int) -> tuple[int, str]:
    """Return the kernel's state of a process: T is stopped, Z has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return pid, file.read().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return pid, ""
