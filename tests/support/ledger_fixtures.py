"""Provide the services over the real client and the replica on a real socket; a test moves the clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from dashboard.store.accounts import people
from dashboard.store.engine import Store
from dashboard.upstream import SecretSource, ServiceClient, ServiceConfig
from tests.conftest import CANARY, ServedReplica
from tests.faults.scene import Scene
from tests.faults.stage import RC
from tests.support.clock import MovableClock
from tests.support.compiled import share_statements
from tests.support.levers import Levers
from tests.support.staff_member import StaffMember

__all__ = ["RC"]

_STORE = Path(__file__).parents[1] / "store"
_FAULTS = Path(__file__).parents[1] / "faults"


@pytest.hookimpl(tryfirst=True)  # Before pytest deselects the cases of `make faults`.
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to `make faults` what takes long.

    That is a case on PostgreSQL, unless its test is one of the store or marked `databases`; and of a test that kills
    processes or breaks the service in many ways all cases but the first on each database.
    """
    cases: Counter[tuple[str, bool]] = Counter()
    for item in items:
        on_postgres = "postgresql" in _case_of(item).values()
        if on_postgres and not item.get_closest_marker("databases") and not item.path.is_relative_to(_STORE):
            item.add_marker(pytest.mark.faults)
        elif item.path.is_relative_to(_FAULTS) and "replica" in getattr(item, "fixturenames", ()):
            proof = item.nodeid.partition("[")[0], on_postgres
            cases[proof] += 1
            if cases[proof] > 1:
                item.add_marker(pytest.mark.faults)


def _case_of(item: pytest.Item) -> dict[str, object]:
    """Return the parameters of a test's case; none without parametrization."""
    return item.callspec.params if hasattr(item, "callspec") else {}


@pytest.fixture
def levers(replica: ServedReplica) -> Levers:
    """Return the levers of a replica with one vehicle of five payable challans."""
    replica.levers.add_vehicle(RC, [{"challanNo": f"MH100{n}", "challanAmount": 500 + n} for n in range(5)])
    return replica.levers


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger(request: pytest.FixtureRequest) -> Iterator[Store]:
    """Yield a fresh store, once on each of the two databases."""
    if request.param == "sqlite":
        yield request.getfixturevalue("store")
        return
    store = share_statements(Store(request.getfixturevalue("migrated_postgres").empty()))
    yield store
    store.close()


@pytest.fixture
def services(levers: Levers, ledger: Store, clock: MovableClock, tmp_path: Path) -> Iterator[Services]:
    config = ServiceConfig(
        levers.base_url, SecretSource.literal(CANARY), retry_base=0.01, retry_cap=0.02, create_deadline=3
    )
    with ServiceClient(config) as client:
        yield Services(ledger, client, clock, Schedule(), UnrecordedLinks(tmp_path / "spool"))


def add_staff_member(services: Services, name: str) -> StaffMember:
    """Store a person with the role of staff, and return them at the services."""
    with services.store.write() as connection:
        person = people.add(
            connection,
            email=f"{name}@example.com",
            name=name,
            role="staff",
            password_hash="-",
            created_at=services.clock(),
        )
    assert person is not None
    return StaffMember(services, person.id)


@pytest.fixture
def clerk(services: Services) -> StaffMember:
    """Return Asha, working through the services."""
    return add_staff_member(services, "Asha")


@pytest.fixture
def colleague(services: Services) -> StaffMember:
    """Return Meera, working through the same services."""
    return add_staff_member(services, "Meera")


@pytest.fixture
def elsewhere(levers: Levers) -> Iterator[ServiceClient]:
    """Yield a client of the service that is no part of the dashboard: another system of the same organization."""
    with ServiceClient(ServiceConfig(levers.base_url, SecretSource.literal(CANARY))) as client:
        yield client


@pytest.fixture
def scene(levers: Levers, ledger: Store, tmp_path: Path) -> Iterator[Scene]:
    """Yield a scene on each database: people at pages, and processes that a test may kill."""
    with Scene.of(levers, ledger, tmp_path, careful=ledger.is_sqlite) as scene:
        yield scene


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Return a function that adds a test's counts to the table of `make faults`, in the column `part`."""

    def add(part: str, **counts: int) -> None:
        request.node.user_properties.append(("figures", (part, counts)))

    return add
