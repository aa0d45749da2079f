"""Provide the fixtures of all tests: a clock that a test moves, a fresh store, a real replica, and people signed in."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from jinja2 import BytecodeCache

from dashboard.app import create_app, create_client
from dashboard.memory import collect_garbage_less_often, freeze_objects
from dashboard.metrics import Metrics
from dashboard.replica.server import running
from dashboard.replica.settings import ReplicaSettings
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from tests.support.chromium import launch_options
from tests.support.clock import MovableClock
from tests.support.compiled import CompiledTemplates, share_addresses, share_statements
from tests.support.levers import Levers
from tests.support.memory import keep_files_in_memory
from tests.support.people import ARUN, ASHA, MEERA, Somebody, add, cheap_passwords
from tests.support.web_client import WebClient

pytest_plugins = ["tests.support.ledger_fixtures", "tests.support.postgres"]

share_addresses()
keep_files_in_memory()

#: The secrets; no answer, file or log line may hold one.
CANARY = "canary-d41a7c90-api-secret"
SECRET_KEY = "canary-77b1e2f4-the-secret-key-of-tests"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mix the modules, always in the same way: tests that wait for processes then run beside tests that compute."""
    items.sort(key=lambda item: hashlib.sha256(item.nodeid.partition("::")[0].encode()).digest())


def pytest_collection_finish() -> None:
    """Exempt modules and tests from the garbage collector, which took a quarter of the time to scan them."""
    freeze_objects()
    collect_garbage_less_often()


@dataclass(frozen=True)
class ServedReplica:
    """A replica on a real socket, with its levers."""

    url: str
    levers: Levers


@pytest.fixture
def clock(request: pytest.FixtureRequest) -> MovableClock:
    """Return a clock that stands at the present time, or at the hour of today that `hour` marks.

    A test that moves the clock to an hour after somebody signed in would end that session at some times of day.
    """
    clock = MovableClock()
    hour = request.node.get_closest_marker("hour")
    if hour is not None:
        clock.set(clock().replace(hour=hour.args[0], minute=0, second=0))
    return clock


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database that is migrated once for all tests, to be copied."""
    file = tmp_path_factory.mktemp("template") / "dashboard.db"
    store = Store(f"sqlite:///{file}")
    migrate(store)
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    return file


@pytest.fixture
def store(migrated_database: Path, tmp_path: Path) -> Iterator[Store]:
    shutil.copyfile(migrated_database, tmp_path / "dashboard.db")
    store = share_statements(Store(f"sqlite:///{tmp_path / 'dashboard.db'}"))
    yield store
    store.close()


@pytest.fixture(scope="session")
def served_replica(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedReplica]:
    database = tmp_path_factory.mktemp("replica") / "replica.sqlite3"
    settings = ReplicaSettings(database=database, seed="empty", api_secret=CANARY, levers=True)
    with running(settings) as server:
        yield ServedReplica(server.url, Levers(server.url))


@pytest.fixture
def replica(served_replica: ServedReplica) -> ServedReplica:
    """Return the replica with two organizations and their cities, and without vehicles (the levers add them)."""
    served_replica.levers.reset("empty")
    return served_replica


@pytest.fixture
def environ(replica: ServedReplica, tmp_path: Path) -> dict[str, str]:
    """Return the environment that `settings` is read from; a test may change it before it uses `settings`."""
    return {
        "DASHBOARD_SERVICE_URL": replica.url,
        "DASHBOARD_API_SECRET": CANARY,
        "DASHBOARD_SECRET_KEY": SECRET_KEY,
        "DASHBOARD_DATA_DIR": str(tmp_path),
        "DASHBOARD_INSECURE_COOKIES": "1",
        # Long, because a busy machine is slow to connect; a creation that did not connect was not sent.
        "DASHBOARD_CONNECT_SECONDS": "20",
        "DASHBOARD_CREATE_SECONDS": "5",
    }


@pytest.fixture
def settings(environ: dict[str, str]) -> Settings:
    return Settings.from_environ(environ)


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this run share."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def compiled_templates(shared_folder: Path) -> BytecodeCache:
    """Return a cache of compiled templates that all applications of this run share, in all of its processes."""
    folder = shared_folder / "compiled"
    folder.mkdir(exist_ok=True)
    return CompiledTemplates(str(folder))


@pytest.fixture
def build_app(
    store: Store, clock: MovableClock, compiled_templates: BytecodeCache
) -> Iterator[Callable[[Settings], Flask]]:
    """Return a function that builds an application for any settings, over the test's store and clock."""
    clients = []

    def build(settings: Settings) -> Flask:
        metrics = Metrics()
        client = create_client(settings, metrics.call_made)
        clients.append(client)
        passwords = cheap_passwords()
        app = create_app(settings, store=store, client=client, clock=clock, passwords=passwords, metrics=metrics)
        app.jinja_env.bytecode_cache = compiled_templates
        app.test_client_class = WebClient
        return app

    yield build
    for client in clients:
        client.close()


@pytest.fixture
def app(build_app: Callable[[Settings], Flask], settings: Settings) -> Flask:
    return build_app(settings)


def _signed_in(app: Flask, somebody: Somebody) -> WebClient:
    add(app, somebody)
    visitor = app.test_client()
    assert isinstance(visitor, WebClient)
    visitor.is_signed_in(somebody.email)
    return visitor


@pytest.fixture
def visitor(app: Flask) -> WebClient:
    """Return a client that has not signed in."""
    client = app.test_client()
    assert isinstance(client, WebClient)
    return client


@pytest.fixture
def staff(app: Flask) -> WebClient:
    """Return Asha's client, signed in."""
    return _signed_in(app, ASHA)


@pytest.fixture
def manager(app: Flask) -> WebClient:
    """Return Meera's client, signed in."""
    return _signed_in(app, MEERA)


@pytest.fixture
def admin(app: Flask) -> WebClient:
    """Return Arun's client, signed in."""
    return _signed_in(app, ARUN)


@pytest.fixture
def broken_page(app: Flask) -> str:
    """Return the address of a page that fails. Use it before any fixture that sends a request."""

    def fail() -> str:
        raise RuntimeError("on purpose")

    app.add_url_rule("/breaks", view_func=fail)
    return "/breaks"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, **launch_options()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    permissions = ["clipboard-read", "clipboard-write"]
    return {**browser_context_args, "viewport": {"width": 1280, "height": 800}, "permissions": permissions}
