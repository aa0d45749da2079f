"""Test the list of known vehicles: its orders, and what they are of."""

from __future__ import annotations

import pytest

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


def test_an_order_keeps_what_was_looked_for(staff: WebClient, three: None) -> None:
    page = staff.page("/vehicles?q=000")
    assert page.one("#sort-sum")["href"] == "/vehicles?q=000&sort=sum"
    sorted_page = staff.page("/vehicles?q=000&sort=sum")
    assert sorted_page.one("input[name=sort]")["value"] == "sum", "the next look keeps the order"
