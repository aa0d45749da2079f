"""Test the list of known vehicles: its orders, and what they are of."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dashboard.domain.challans import AttachedLink, Challan, SearchResult
from dashboard.services.container import Services
from dashboard.store.vehicles import vehicles
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.web_client import WebClient
from tests.web import steps

SMALL, LARGE, MANY = "MH12ZZ0001", "MH12AA0002", "MH12MM0003"


@pytest.fixture
def three(staff: WebClient, levers: Levers, clock: MovableClock) -> None:
    """Search three vehicles: with one small challan, one large, and two of middle size."""
    for rc, amounts in ((SMALL, [100]), (LARGE, [9000]), (MANY, [400, 500])):
        levers.add_vehicle(
            rc, [{"challanNo": f"{rc[-4:]}{n}", "challanAmount": amount} for n, amount in enumerate(amounts)]
        )
        steps.searches(staff, rc)
        clock.advance(seconds=1)


@pytest.mark.parametrize(
    ("order", "words", "found"),
    [
        ("", "last updated first", [MANY, LARGE, SMALL]),
        ("sum", "highest sum first", [LARGE, MANY, SMALL]),
        ("payable", "most challans to pay first", [MANY, LARGE, SMALL]),
        ("plate", "by number", [LARGE, MANY, SMALL]),
        ("nothing", "last updated first", [MANY, LARGE, SMALL]),
    ],
)
def test_known_vehicles_are_sorted(staff: WebClient, three: None, order: str, words: str, found: list[str]) -> None:
    page = staff.page(f"/vehicles?sort={order}")
    assert [row["data-row"] for row in page.all(".table-vehicles tbody tr")] == found
    assert f"3 vehicles, {words}." in page.text
    assert len(page.all("th[aria-sort]")) == 1


@pytest.mark.parametrize(("order", "last"), [("sum", LARGE), ("payable", MANY), ("plate", LARGE)])
def test_an_order_is_one_of_all_known_vehicles(
    staff: WebClient, services: Services, three: None, clock: MovableClock, order: str, last: str
) -> None:
    """Not of those updated last alone: since the three, more vehicles were searched than are compared."""
    with services.store.write() as connection:
        for number in range(210):
            challans = (Challan(f"n{number}", f"N{number}", "PENDING", Decimal(5), Decimal(5)),)
            listing = SearchResult(f"MH12XX{number:04}", None, 0, challans)
            vehicles.record_search(connection, listing.rc_number, listing, None, clock())
    page = staff.page(f"/vehicles?sort={order}")
    assert page.all(".table-vehicles tbody tr")[0]["data-row"] == last
    assert "Compared" not in page.text, "the order is whole"


def test_an_order_that_compares_only_the_leading_vehicles_says_so(
    staff: WebClient, services: Services, clock: MovableClock
) -> None:
    """A request holds all that the vehicles with the highest sums have, so that others may have more to pay."""
    with services.store.write() as connection:
        for number in range(205):
            paid_by_link = AttachedLink(f"00000000-0000-4000-8000-{number:012}", "ACTIVE", None, None)
            on_link = Challan(f"n{number}", f"N{number}", "PENDING", Decimal(5), Decimal(5), payment_link=paid_by_link)
            listing = SearchResult(f"MH12XX{number:04}", None, 0, (on_link,))
            vehicles.record_search(connection, listing.rc_number, listing, None, clock())
    assert "Compared: the 200 that lead by their last search." in staff.page("/vehicles?sort=sum").text


def test_an_order_keeps_what_was_looked_for(staff: WebClient, three: None) -> None:
    page = staff.page("/vehicles?q=000")
    assert page.one("#sort-sum")["href"] == "/vehicles?q=000&sort=sum"
    sorted_page = staff.page("/vehicles?q=000&sort=sum")
    assert sorted_page.one("input[name=sort]")["value"] == "sum", "the next look keeps the order"


def test_a_vehicle_with_nothing_to_pay_shows_no_sum(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(SMALL, [{"challanNo": "Z1", "status": "SOLD"}])
    steps.searches(staff, SMALL)
    [row] = staff.page("/vehicles").all(".table-vehicles tbody tr")
    assert [cell.get_text() for cell in row.select("td.num")] == ["", "", ""]
