"""Test on both databases what the find box reads, and that what it reads is bounded as its page says."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import insert

from dashboard.domain.challans import Challan, SearchResult
from dashboard.domain.links import AmountBreakdown, PaymentLink
from dashboard.domain.roles import Role
from dashboard.services.links import ledger as link_ledger
from dashboard.services.schedule import Schedule
from dashboard.store.accounts import people
from dashboard.store.engine import Store
from dashboard.store.links import custom_fields
from dashboard.store.links.custom_fields import LINK, VEHICLE
from dashboard.store.vehicles import quick_find, vehicles
from dashboard.store.vehicles.vehicles import challan, vehicle
from tests.store.test_races import NOW

pytestmark = pytest.mark.databases

RC, LINK_ID = "MH12AB1001", "00000000-0000-4000-8000-000000000001"


@pytest.fixture(autouse=True)
def searched(ledger: Store) -> None:
    challans = (
        Challan("a", "MH10042", "PENDING", Decimal(5), Decimal(5), offense_details="Without Helmet"),
        Challan("b", "MH2/50%", "PENDING", Decimal(5), Decimal(5), offense_details="हेलमेट नहीं पहना"),
    )
    amount = AmountBreakdown(Decimal("2500.50"), None, None, None, Decimal("2500.50"))
    answer = PaymentLink(id=LINK_ID, status="ACTIVE", payment_url="https://pay.example/a_b", amount=amount)
    with ledger.write() as connection:
        vehicles.record_search(connection, RC, SearchResult(RC, None, 0, challans), None, NOW)
        link_ledger.enter_link(connection, answer, Schedule(), NOW, rc=RC)
        asha = people.add(connection, email="a@e.x", name="Asha", role=Role.STAFF, password_hash="-", created_at=NOW)
        assert asha is not None
        custom_fields.write(connection, LINK, LINK_ID, {"cost_centre": "Pune Depot"}, NOW, asha.id)
        custom_fields.write(connection, VEHICLE, RC, {"note": "back in Pune"}, NOW, asha.id)


def numbers(found: list[quick_find.FoundChallan]) -> list[str]:
    return sorted(item.challan_no for item in found)


@pytest.mark.parametrize(
    ("part", "words", "found"),
    [
        ("1004", (), ["MH10042"]),
        ("h100", (), ["MH10042"]),
        ("2/50%", (), ["MH2/50%"]),
        ("0_4", (), []),
        ("", ("helmet", "हेलमेट"), ["MH10042", "MH2/50%"]),
        ("", ("HELMET",), ["MH10042"]),
    ],
)
def test_a_part_is_found_as_it_is_written(ledger: Store, part: str, words: tuple[str, ...], found: list[str]) -> None:
    with ledger.read() as connection:
        assert numbers(quick_find.challans_with(connection, part, words, 9)) == found


def test_the_beginning_of_a_number_is_found_in_capitals_and_with_any_sign(ledger: Store) -> None:
    with ledger.read() as connection:
        assert numbers(quick_find.challans(connection, "mh1", 9)) == ["MH10042"]
        assert numbers(quick_find.challans(connection, "MH2/5", 9)) == ["MH2/50%"]
        assert numbers(quick_find.challans(connection, "MH_", 9)) == []


def test_a_part_is_found_though_many_vehicles_were_searched_since(ledger: Store) -> None:
    rcs = [f"KA01ZZ{n:04}" for n in range(700)]
    with ledger.write() as connection:
        at = NOW + timedelta(hours=1)
        connection.execute(insert(vehicle), [{"rc": rc, "first_searched_at": at, "searched_at": at} for rc in rcs])
        listed = {"position": 0, "listed": True, "changes": [], "gaps": []}
        connection.execute(insert(challan), [{"rc": rc, "challan_no": rc, **listed} for rc in rcs])
    with ledger.read() as connection:
        assert numbers(quick_find.challans_with(connection, "0042", (), 9)) == ["KA01ZZ0042", "MH10042"]


def test_a_part_is_looked_for_in_the_challans_listed_last_alone(ledger: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_find._with.cache_clear()
    monkeypatch.setattr(quick_find, "_OLDEST", 10**9)
    with ledger.read() as connection:
        assert quick_find.challans_with(connection, "1004", (), 9) == []
        assert numbers(quick_find.challans(connection, "MH1004", 9)) == ["MH10042"]
    quick_find._with.cache_clear()


def test_links_are_found_by_amount_url_and_id(ledger: Store) -> None:
    with ledger.read() as connection:
        for least, below, found in (("2500", "2501", 1), ("2500.495", "2500.505", 1), ("2500", "2500.5", 0)):
            assert len(quick_find.links_of(connection, Decimal(least), Decimal(below), 9)) == found
        assert [each.id for each in quick_find.links_at(connection, "example/a_b", 9)] == [LINK_ID]
        assert quick_find.links_at(connection, "example/_", 9) == []
        assert [each.id for each in quick_find.links(connection, "00000000-0", 9)] == [LINK_ID]


def test_custom_fields_of_links_and_vehicles_are_found_in_any_case(ledger: Store) -> None:
    with ledger.read() as connection:
        found = quick_find.fields(connection, "pune", 9)
    assert {(each.kind, each.name, each.text) for each in found} == {
        (LINK, "cost_centre", "Pune Depot"),
        (VEHICLE, "note", "back in Pune"),
    }
