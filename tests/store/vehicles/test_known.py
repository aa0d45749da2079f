"""Test on both databases that known vehicles are compared by what they may have at most."""

from __future__ import annotations

from decimal import Decimal

import pytest
from sqlalchemy import update

from dashboard.domain.challans import AttachedLink, Challan, SearchResult
from dashboard.domain.drivers import DriverDetails
from dashboard.domain.roles import Role
from dashboard.store.accounts import people
from dashboard.store.engine import Store
from dashboard.store.sharing import drivers
from dashboard.store.vehicles import known, vehicles
from dashboard.store.vehicles.known import MostOf, Only
from tests.store.test_races import NOW

pytestmark = pytest.mark.databases

ON_LINK = AttachedLink("00000000-0000-4000-8000-000000000001", "ACTIVE", None, None)


@pytest.fixture(autouse=True)
def searched(ledger: Store) -> None:
    listings = {
        "MH12AA0001": [Challan("a", "A1", "PENDING", Decimal(9), Decimal("9000.50"))],
        "MH12BB0002": [Challan(f"b{n}", f"B{n}", "TO_BE_ASSIGNED", Decimal(5), Decimal(400)) for n in range(2)],
        "MH12CC0003": [
            Challan("c", "C1", "PENDING", None, None, payment_link=ON_LINK),
            Challan("d", "C2", "DISPOSED", Decimal(5), Decimal(100_000)),
        ],
        "KA05DD0004": [],
    }
    with ledger.write() as connection:
        for rc, challans in listings.items():
            vehicles.record_search(connection, rc, SearchResult(rc, None, 0, tuple(challans)), None, NOW)


@pytest.mark.parametrize(
    ("most_of", "found"),
    [
        (MostOf.SUM, [("MH12AA0001", "9000.5"), ("MH12BB0002", "800"), ("MH12CC0003", "0")]),
        (MostOf.PAYABLE, [("MH12BB0002", "2"), ("MH12AA0001", "1"), ("MH12CC0003", "1")]),
        (MostOf.ON_LINK, [("MH12CC0003", "1"), ("MH12AA0001", "0"), ("MH12BB0002", "0")]),
    ],
)
def test_vehicles_that_have_the_most_lead(ledger: Store, most_of: MostOf, found: list[tuple[str, str]]) -> None:
    with ledger.read() as connection:
        leading = known.leading(connection, most_of, "MH12", 3)
    assert [(vehicle.rc, most) for vehicle, most in leading] == [(rc, Decimal(most)) for rc, most in found]


def test_vehicles_are_listed_by_number(ledger: Store) -> None:
    with ledger.read() as connection:
        for part, found in (("", ["KA05DD0004", "MH12AA0001"]), ("CC", ["MH12CC0003"])):
            assert [vehicle.rc for vehicle in known.listed(connection, part, 2, by_number=True)] == found


@pytest.mark.parametrize(
    ("only", "found"),
    [
        ({Only.OPEN}, ["MH12AA0001", "MH12BB0002", "MH12CC0003"]),
        ({Only.UNDRIVEN}, ["KA05DD0004", "MH12BB0002", "MH12CC0003"]),
        ({Only.OPEN, Only.UNDRIVEN}, ["MH12BB0002", "MH12CC0003"]),
    ],
)
def test_vehicles_are_narrowed_to_open_challans_and_to_no_driver(
    ledger: Store, only: set[Only], found: list[str]
) -> None:
    """One whose drivers have all left has none."""
    with ledger.write() as connection:
        asha = people.add(connection, email="a@e.x", name="Asha", role=Role.STAFF, password_hash="-", created_at=NOW)
        assert asha is not None
        for name, rc in (("Ravi", "MH12AA0001"), ("Lakshmi", "MH12BB0002")):
            details = DriverDetails(name, None, None, "en", None, (rc,))
            driver_id = drivers.add(connection, details, at=NOW, by=asha.id)
        connection.execute(update(drivers.driver).where(drivers.driver.c.id == driver_id).values(gone_at=NOW))
    narrowed = frozenset(only)
    with ledger.read() as connection:
        listed = known.listed(connection, "", 9, only=narrowed, by_number=True)
        leading = known.leading(connection, MostOf.SUM, "", 9, narrowed)
        assert [vehicle.rc for vehicle in listed] == found
        assert sorted(vehicle.rc for vehicle, _most in leading) == found
        number, besides = known.counts(connection, "", narrowed)
        assert number == len(found)
        for each in Only:
            assert besides[each] == known.counts(connection, "", narrowed | {each})[0]
