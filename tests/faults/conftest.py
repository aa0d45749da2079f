"""A desk over the real client and a small replica on a real socket; the dashboard's clock is moved by hand."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from werkzeug.serving import make_server

from dashboard.replica.app import create_replica
from dashboard.replica.settings import DEMO_SECRET, ReplicaSettings
from dashboard.services.desk import Desk
from dashboard.services.pace import Pace
from dashboard.store import people
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from dashboard.upstream import SecretSource, ServiceClient, ServiceConfig
from tests.support.counter import Counter
from tests.support.levers import Levers

RC = "MH12AB1001"


class MovableClock:
    """The present, and however far it was moved on."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def advance(self, **span: float) -> None:
        self._ahead += timedelta(**span)


@pytest.fixture(scope="session")
def small_replica(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Levers]:
    database = tmp_path_factory.mktemp("replica") / "replica.sqlite3"
    server = make_server(
        "127.0.0.1", 0, create_replica(ReplicaSettings(database=database, seed="empty", levers=True)), threaded=True
    )
    thread = threading.Thread(target=server.serve_forever, name="replica")
    thread.start()
    yield Levers(f"http://127.0.0.1:{server.port}")
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def levers(small_replica: Levers) -> Levers:
    """A replica with one vehicle of five payable challans, known to the organization."""
    small_replica.reset("empty")
    small_replica.add_vehicle(RC, [{"challanNo": f"MH100{n}", "challanAmount": 500 + n} for n in range(5)])
    return small_replica


@pytest.fixture
def movable_clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def counter(levers: Levers, movable_clock: MovableClock, tmp_path: Path) -> Iterator[Counter]:
    store = Store(f"sqlite:///{tmp_path}/dashboard.db")
    migrate(store)
    with store.write() as connection:
        asha = people.add(
            connection,
            email="asha@example.com",
            name="Asha",
            role="staff",
            password_hash="-",
            created_at=movable_clock(),
        )
    config = ServiceConfig(
        levers.base_url, SecretSource.literal(DEMO_SECRET), retry_base=0.01, retry_cap=0.02, create_deadline=1.5
    )
    with ServiceClient(config) as client:
        yield Counter(Desk(store, client, movable_clock, Pace()), asha.id)
    store.close()


@pytest.fixture
def colleague(counter: Counter, movable_clock: MovableClock) -> Counter:
    """Meera, at the same desk."""
    with counter.desk.store.write() as connection:
        meera = people.add(
            connection,
            email="meera@example.com",
            name="Meera",
            role="manager",
            password_hash="-",
            created_at=movable_clock(),
        )
    return Counter(counter.desk, meera.id)


@pytest.fixture
def elsewhere(levers: Levers) -> Iterator[ServiceClient]:
    """Another system of the same organization, beside the dashboard."""
    with ServiceClient(ServiceConfig(levers.base_url, SecretSource.literal(DEMO_SECRET))) as client:
        yield client
