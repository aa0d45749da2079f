"""Test on both databases that known vehicles are compared by what they may have at most."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dashboard.domain.challans import AttachedLink, Challan, SearchResult
from dashboard.store.engine import Store
from dashboard.store.vehicles import known, vehicles
from dashboard.store.vehicles.known import MostOf
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
        assert [vehicle.rc for vehicle in known.by_number(connection, "", 2)] == ["KA05DD0004", "MH12AA0001"]
        assert [vehicle.rc for vehicle in known.by_number(connection, "CC", 2)] == ["MH12CC0003"]
