"""Simulate a process of the dashboard within the test's own, with a crash at a failpoint.

The crash is an exception that nothing catches. After it the store raises on every use, so code that unwinds in the
thread can neither read nor commit, as in a killed process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection

from dashboard.app import create_app
from dashboard.services.schedule import Clock
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.upstream import ServiceClient, ServiceConfig
from dashboard.upstream.call_log import CallRecord
from tests.support import killable_processes
from tests.support.people import cheap_passwords
from tests.support.web_client import WebClient


class SimulatedCrash(BaseException):
    """Raised when the simulated process crashes at a failpoint."""


class CrashableStore(Store):
    alive = True

    @contextmanager
    def read(self) -> Iterator[Connection]:
        self._require_alive()
        with super().read() as connection:
            yield connection

    @contextmanager
    def write(self, *arguments: Any, **options: Any) -> Iterator[Connection]:
        self._require_alive()
        with super().write(*arguments, **options) as connection:
            yield connection
            self._require_alive()

    def _require_alive(self) -> None:
        if not self.alive:
            raise SimulatedCrash


class SimulatedProcess:
    """Run an application with its own store and client. It starts no thread, so a crash stops all of its work."""

    def __init__(self, settings: Settings, config: ServiceConfig, clock: Clock) -> None:
        self.store = CrashableStore(settings.database_url)
        # A virtual clock does not move during a sleep, so the client never sleeps.
        self.client = ServiceClient(config, observer=self._note, sleep=lambda seconds: None)
        self.app = create_app(settings, store=self.store, client=self.client, clock=clock, passwords=cheap_passwords())
        self.app.test_client_class = WebClient
        self.services = self.app.extensions["services"]
        self.called_after_death = 0

    def watch(self) -> None:
        """Run one round of a worker."""
        killable_processes.run_worker_once(self.app)

    def die(self) -> None:
        self.store.alive = False
        raise SimulatedCrash

    def close(self) -> None:
        self.client.close()
        self.store.close()

    def _note(self, record: CallRecord) -> None:
        # At a failpoint within the mark the client still unwinds, and records that nothing was sent.
        self.called_after_death += record.sent and not self.store.alive
