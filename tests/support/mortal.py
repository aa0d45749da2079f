"""A process of the dashboard that can die within the test's own, at a crash point.

Death is an exception that nothing catches. From then on the store of the dead refuses, as a killed process does nothing
more; what unwinds in its thread can neither read nor commit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from dashboard.app import create_app
from dashboard.services.schedule import Clock
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.upstream import ServiceClient, ServiceConfig
from dashboard.upstream.call_log import CallRecord
from tests.support import crew
from tests.support.people import cheap_passwords
from tests.support.web_client import WebClient


class Died(BaseException):
    """The process has come to its end at a crash point."""


class MortalStore(Store):
    alive = True

    @contextmanager
    def read(self) -> Iterator[Connection]:
        self._require_life()
        with super().read() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        self._require_life()
        with super().write() as connection:
            yield connection
            self._require_life()

    def _require_life(self) -> None:
        if not self.alive:
            raise Died


class MortalProcess:
    """An application with a store and a client of its own. It starts no thread, so its death ends all it does."""

    def __init__(self, settings: Settings, config: ServiceConfig, clock: Clock) -> None:
        self.store = MortalStore(settings.database_url)
        # A virtual clock does not move while somebody waits, so nobody does.
        self.client = ServiceClient(config, observer=self._note, sleep=lambda seconds: None)
        self.app = create_app(settings, store=self.store, client=self.client, clock=clock, passwords=cheap_passwords())
        self.app.test_client_class = WebClient
        self.services = self.app.extensions["services"]
        self.called_after_death = 0

    def watch(self) -> None:
        """One round of what a worker does."""
        crew.watch(self.app)

    def die(self) -> None:
        self.store.alive = False
        raise Died

    def close(self) -> None:
        self.client.close()
        self.store.close()

    def _note(self, record: CallRecord) -> None:
        self.called_after_death += not self.store.alive
