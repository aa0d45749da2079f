"""Provide a whole office for a browser: the replica, the dashboard with its watcher, and people who use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from jinja2 import BytecodeCache
from playwright.sync_api import BrowserContext, Page, expect

from dashboard.app import create_app
from dashboard.background import watcher
from dashboard.domain.allowance_resets import INDIA
from dashboard.services.container import Services
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.links import links
from tests.conftest import ServedReplica
from tests.e2e.steps import Desk, Driver
from tests.e2e.tab import Loads
from tests.support.clock import RunningClock
from tests.support.compiled import share_statements
from tests.support.levers import Levers
from tests.support.people import ARUN, ASHA, MEERA, Somebody, add, cheap_passwords
from tests.support.servers import serving
from tests.support.waiting import until
from tests.support.web_client import WebClient

RC = "MH12AB1001"

# Long, because a busy machine is slow.
expect.set_options(timeout=15_000)


class Office:
    """Hold a running dashboard with its address and parts, which a test may stop and start."""

    def __init__(self, settings: Settings, levers: Levers, compiled: BytecodeCache) -> None:
        self.levers = levers
        self._compiled = compiled
        self.clock = RunningClock()
        self._settings = settings
        self._parts = ExitStack()
        self.url = ""
        self.app: Flask
        self.start()
        for somebody in (ASHA, MEERA, ARUN):
            add(self.app, somebody)

    @property
    def services(self) -> Services:
        services: Services = self.app.extensions["services"]
        return services

    def start(self) -> None:
        """Start the server, on the same port as before if there was one."""
        port = int(self.url.rsplit(":", 1)[1]) if self.url else 0
        store = share_statements(Store(self._settings.database_url))
        self._parts.callback(store.close)
        self.app = create_app(self._settings, store=store, clock=self.clock, passwords=cheap_passwords())
        self.app.jinja_env.bytecode_cache = self._compiled
        self.url = self._parts.enter_context(serving(self.app, port))
        self._parts.callback(watcher.start(self.services).stop)

    def polls_until(self, link_id: str, **facts: Any) -> None:
        """Poll a link until its row has these values; a poll of the watcher may still return older ones."""

        def is_stored() -> bool:
            self.services.link_poller.refresh(link_id)
            with self.app.extensions["store"].read() as connection:
                row = links.find(connection, link_id)
            return row is not None and all(getattr(row, name) == value for name, value in facts.items())

        until(is_stored, f"no poll returned {facts}")

    def moves_to_noon(self) -> None:
        """Move the dashboard's and the service's clocks to noon in India; sessions may end."""
        now = self.clock().astimezone(INDIA)
        wait = (now.replace(hour=12, minute=0, second=0) - now) % timedelta(days=1)
        self.clock.advance(wait.total_seconds())
        self.levers.advance(wait.total_seconds())

    def signs_in(self, context: BrowserContext, somebody: Somebody) -> None:
        """Give a browser a session, without the sign-in pages."""
        visitor = WebClient(self.app)
        visitor.is_signed_in(somebody.email)
        name = self.app.config["SESSION_COOKIE_NAME"]
        cookie = visitor.get_cookie(name)
        assert cookie is not None
        context.add_cookies([{"name": name, "value": cookie.value, "url": self.url}])

    def stop(self) -> None:
        self._parts.close()


@pytest.fixture
def office(
    replica: ServedReplica, environ: dict[str, str], store: Store, compiled_templates: BytecodeCache
) -> Iterator[Office]:
    """Yield an office with a fresh store, and a replica with one vehicle of five payable challans."""
    challans = [
        {"challanNo": f"MH1098765{430 + n}", "challanAmount": 500 + 250 * n, "offenseDetails": "No parking"}
        for n in range(5)
    ]
    replica.levers.add_vehicle(RC, challans)
    settings = Settings.from_environ(
        {**environ, "DASHBOARD_WATCHED_POLL_SECONDS": "1", "DASHBOARD_SETTLEMENT_CHECKS": "1"}
    )
    running = Office(settings, replica.levers, compiled_templates)
    yield running
    running.stop()


@pytest.fixture
def page(page: Page) -> Page:
    page.set_default_timeout(15_000)
    return page


@pytest.fixture
def desk(office: Office, page: Page) -> Desk:
    """Return Asha's tab, signed in."""
    office.signs_in(page.context, ASHA)
    asha = Desk(page, office.url)
    asha.opens()
    return asha


@pytest.fixture
def loads(desk: Desk) -> Loads:
    """Return the documents that Asha's tab loads from now on."""
    return Loads(desk.page)


@pytest.fixture
def driver(context: BrowserContext, desk: Desk) -> Driver:
    """Return the driver's tab."""
    return Driver(context.new_page())
