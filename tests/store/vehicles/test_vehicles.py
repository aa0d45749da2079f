"""Test that a search which finds what the one before has found leaves the stored challans as they are."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from sqlalchemy import event, select

from dashboard.domain.challans import Challan, SearchResult
from dashboard.store.engine import Store
from dashboard.store.vehicles import vehicles
from tests.store.test_races import NOW, RC

FIRST = Challan("a", "MH1", "PENDING", Decimal("500.00"), Decimal("590.00"))
GAPS = Challan("b", "MH2", None, gaps=("status",))


def searched(store: Store, *challans: Challan, hours: int = 0) -> list[str]:
    """Record a search, and return the tables that it wrote."""
    written = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if statement.startswith(("INSERT INTO challan ", "DELETE FROM challan ")):
            written.append(statement.split(maxsplit=1)[0])

    event.listen(store.engine, "before_cursor_execute", note)
    with store.write() as connection:
        result = SearchResult(RC, None, None, challans)
        vehicles.record_search(connection, RC, result, None, NOW + timedelta(hours=hours))
    event.remove(store.engine, "before_cursor_execute", note)
    return written


def stored(store: Store) -> list[tuple[str | None, str | None, str | None, bool, str | None]]:
    with store.read() as connection:
        found = vehicles.challans_of(connection, RC)
    return [(item.challan.id, item.challan.challan_no, item.challan.status, item.listed, item.mark) for item in found]


def test_an_unchanged_listing_is_not_written_again(store: Store) -> None:
    assert searched(store, FIRST, GAPS) == ["DELETE", "INSERT"]
    assert searched(store, FIRST, GAPS, hours=1) == []
    assert stored(store) == [("a", "MH1", "PENDING", True, None), ("b", "MH2", None, True, None)]
    with store.read() as connection:
        assert connection.execute(select(vehicles.vehicle.c.compared_with)).scalar() == NOW


def test_a_challan_that_changed_or_went_is_written(store: Store) -> None:
    searched(store, FIRST, GAPS)
    paid = Challan("a", "MH1", "PAID", Decimal("500.00"), Decimal("590.00"))
    assert searched(store, paid, GAPS, hours=1) == ["DELETE", "INSERT"]
    assert stored(store)[0] == ("a", "MH1", "PAID", True, "changed")
    assert searched(store, paid, GAPS, hours=2) == ["DELETE", "INSERT"]  # The mark goes.
    assert searched(store, GAPS, hours=3) == ["DELETE", "INSERT"]
    assert stored(store) == [("b", "MH2", None, True, None), ("a", "MH1", "PAID", False, None)]
    assert searched(store, GAPS, hours=4) == ["DELETE", "INSERT"]
    assert stored(store) == [("b", "MH2", None, True, None)]


def test_a_new_order_is_written(store: Store) -> None:
    searched(store, FIRST, GAPS)
    assert searched(store, GAPS, FIRST, hours=1) == ["DELETE", "INSERT"]
    assert [each[1] for each in stored(store)] == ["MH2", "MH1"]
