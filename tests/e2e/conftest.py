"""A whole office for a browser: the replica, the dashboard with its watcher, and people at it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from flask import Flask
from playwright.sync_api import BrowserContext, Page

from dashboard.app import create_app
from dashboard.background.watcher import Watcher
from dashboard.replica.app import create_replica
from dashboard.replica.settings import DEMO_SECRET, ReplicaSettings
from dashboard.services.audit import COMMAND_LINE
from dashboard.services.desk import Desk as Services
from dashboard.services.passwords import Passwords
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from tests.e2e.steps import PASSWORD, Desk, Driver
from tests.support.levers import Levers
from tests.support.servers import serving

RC = "MH12AB1001"
PEOPLE = (
    ("asha@example.com", "Asha Rao", "staff"),
    ("meera@example.com", "Meera Iyer", "manager"),
    ("admin@example.com", "Arun Das", "admin"),
)


class Office:
    """The running dashboard: its address, its parts, and how to stop and start it."""

    def __init__(self, settings: Settings, levers: Levers) -> None:
        self.levers = levers
        self._settings = settings
        self._parts = ExitStack()
        self.url = ""
        self.app: Flask
        self.start()

    @property
    def services(self) -> Services:
        services: Services = self.app.extensions["desk"]
        return services

    def start(self, port: int = 0) -> None:
        store = Store(self._settings.database_url)
        migrate(store)
        # Cheap hashes: the cost of a password is not what these tests are about.
        self.app = create_app(self._settings, store=store, passwords=Passwords(PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)))
        self._parts.callback(store.close)
        self.url = self._parts.enter_context(serving(self.app, port))
        watcher = Watcher(self.services)
        watcher.start()
        self._parts.callback(watcher.stop)

    def stop(self) -> None:
        self._parts.close()

    def restart(self) -> None:
        port = int(self.url.rsplit(":", 1)[1])
        self.stop()
        self.start(port)


@pytest.fixture(scope="session")
def replica_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Levers]:
    database = tmp_path_factory.mktemp("replica") / "replica.sqlite3"
    with serving(create_replica(ReplicaSettings(database=database, seed="empty", levers=True))) as url:
        yield Levers(url)


@pytest.fixture
def office(replica_server: Levers, tmp_path: Path) -> Iterator[Office]:
    """A fresh store and a replica with one vehicle of five payable challans."""
    replica_server.reset("empty")
    replica_server.add_vehicle(
        RC,
        [
            {"challanNo": f"MH1098765{430 + n}", "challanAmount": 500 + 250 * n, "offenseDetails": "No parking"}
            for n in range(5)
        ],
    )
    settings = Settings.from_environ(
        {
            "DASHBOARD_SERVICE_URL": replica_server.base_url,
            "DASHBOARD_API_SECRET": DEMO_SECRET,
            "DASHBOARD_SECRET_KEY": "a secret key for tests alone",
            "DASHBOARD_DATA_DIR": str(tmp_path),
            "DASHBOARD_INSECURE_COOKIES": "1",
            "DASHBOARD_WATCHED_POLL_SECONDS": "1",
        }
    )
    running = Office(settings, replica_server)
    for email, name, role in PEOPLE:
        running.app.extensions["people"].add(email=email, name=name, role=role, password=PASSWORD, origin=COMMAND_LINE)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
    # Chromium's sandbox cannot be had as root, and only then is it left out.
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    return {**browser_type_launch_args, "executable_path": found, "args": [*quiet, *sandbox]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {
        **browser_context_args,
        "viewport": {"width": 1280, "height": 800},
        "permissions": ["clipboard-read", "clipboard-write"],
    }


@pytest.fixture
def page(page: Page) -> Page:
    page.set_default_timeout(10_000)
    return page


@pytest.fixture
def desk(office: Office, page: Page) -> Desk:
    """Asha's tab, signed in."""
    asha = Desk(page, office.url)
    asha.signs_in()
    return asha


@pytest.fixture
def driver(context: BrowserContext, desk: Desk) -> Driver:
    """The driver, in a second tab."""
    return Driver(context.new_page())
