"""Processes of the dashboard's own that may be killed: real ones, over a store and a clock that all of them share.

Each is forked from a server that has everything imported and runs no thread, so that one costs a fraction of a second.
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
from dashboard.settings import Settings
from tests.support.people import cheap_passwords
from tests.support.reading import Reading
from tests.support.web_client import WebClient

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["__main__", "tests.support.crew"])

#: Far longer than anything a process is asked to do.
_PATIENCE = 60


class SharedClock:
    """The real time, moved by an offset that every process of a test sees. Only the test itself moves it.

    Without a lock: a process that is killed, or stopped, while it reads the time would hold it for ever.
    """

    def __init__(self) -> None:
        self._offset = CONTEXT.Value("d", 0.0, lock=False)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self._offset.value)

    def advance(self, seconds: float) -> None:
        self._offset.value += seconds


class Action(Enum):
    """What happens to a process at a crash point."""

    KILL = "killed"
    STOP = "stopped"  #: Until `Errand.go_on`.


_ACTIONS: dict[Action, Callable[[], None]] = {
    Action.KILL: lambda: os.kill(os.getpid(), signal.SIGKILL),
    Action.STOP: lambda: os.kill(os.getpid(), signal.SIGSTOP),
}


@dataclass(frozen=True)
class Premises:
    """Where the dashboard stands: its settings as variables, and the clock. Every process makes its own from it."""

    environ: dict[str, str]
    clock: SharedClock = field(default_factory=SharedClock)

    def build(self) -> Flask:
        settings = Settings.from_environ(self.environ)
        client = create_client(settings)
        app = create_app(settings, client=client, clock=self.clock, passwords=cheap_passwords())
        app.extensions["client"] = client
        app.jinja_env.bytecode_cache = FileSystemBytecodeCache()  # Compiled once, not by each process.
        app.test_client_class = WebClient
        return app


@dataclass(frozen=True)
class SentForm:
    """A form as a browser sends it: where, what, and with which cookie. Sent again, it is the very same."""

    address: str
    fields: dict[str, list[str]]
    cookie: tuple[str, str]

    @property
    def challans(self) -> set[str]:
        """The challans that it asks a link for, by id."""
        return set(self.fields["challan"])


@dataclass(frozen=True)
class Answer:
    """What somebody was shown in the end, redirects followed."""

    status: int
    address: str
    words: str
    markup: str


def draw(visitor: WebClient, page: Reading, button: str, **changed: list[str]) -> SentForm:
    """The form on a page, ready to be sent from any process by the person who opened it."""
    address, fields = page.form(button)
    name = visitor.application.config["SESSION_COOKIE_NAME"]
    cookie = visitor.get_cookie(name)
    assert cookie is not None, "nobody is signed in"
    return SentForm(address, fields | changed, (name, cookie.value))


def send(app: Flask, form: SentForm) -> Answer:
    """Send a form, and read where it leads."""
    client = app.test_client()
    assert isinstance(client, WebClient)
    client.set_cookie(*form.cookie)
    page = Reading(client.post(form.address, data=form.fields, follow_redirects=True))
    return Answer(page.status, page.address, page.words, page.markup)


def watch(app: Flask) -> None:
    """One round of what a worker does, in this thread."""
    services = app.extensions["services"]
    services.outcome_recorder.record_spooled()
    services.outcome_resolver.sweep()
    for intent_id in services.outcome_resolver.claim_due(50):
        services.outcome_resolver.resolve(intent_id)
    for link_id in services.link_poller.claim_due(500):
        services.link_poller.poll_claimed(link_id)


class Errand:
    """One process doing one thing. `arguments` follow the application; everything must be picklable."""

    def __init__(
        self,
        premises: Premises,
        work: Callable[..., Any],
        *arguments: Any,
        at: Point | None = None,
        action: Action = Action.KILL,
    ) -> None:
        self._answers, answers = CONTEXT.Pipe(duplex=False)
        self._process: BaseProcess = CONTEXT.Process(
            target=_run, args=(premises, at, action, work, arguments, answers), daemon=True
        )
        self._process.start()
        answers.close()

    def ended(self) -> Any:
        """Wait for the end; returns what the work returned, or None when the process was killed on its way."""
        result = None
        try:
            if self._answers.poll(_PATIENCE):
                result = self._answers.recv()
        except EOFError:
            pass
        self._process.join(_PATIENCE)
        assert self._process.exitcode is not None, "the process goes on for ever"
        if isinstance(result, BaseException):
            raise result
        return result

    @property
    def was_killed(self) -> bool:
        """After `ended`: whether it came to its point and was killed there."""
        return self._process.exitcode == -signal.SIGKILL

    def stands_still(self) -> bool:
        """Wait until it has stopped at its point; False when it ended without coming there."""
        assert self._process.pid is not None
        while True:
            _, status = _state_of(self._process.pid)
            if status == "T":
                return True
            if status in ("Z", "X", ""):
                return False
            if self._answers.poll(0.01):
                return False

    def go_on(self) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, signal.SIGCONT)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def kill(self) -> None:
        if self._process.exitcode is None:  # The number of one that is gone may be another process's by now.
            self._process.kill()
        self._process.join(_PATIENCE)


def _run(
    premises: Premises,
    at: Point | None,
    action: Action,
    work: Callable[..., Any],
    arguments: tuple[Any, ...],
    answers: Connection,
) -> None:
    if at is not None:
        failpoints.arm(at, _ACTIONS[action])
    try:
        result = work(premises.build(), *arguments)
    except Exception as error:
        result = AssertionError(f"{type(error).__name__}: {error}")
    answers.send(result)
    answers.close()


def _state_of(pid: int) -> tuple[int, str]:
    """The state of a process as the kernel tells it: T is stopped, Z has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return pid, file.read().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return pid, ""
