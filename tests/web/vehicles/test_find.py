"""Test what the find box finds: each kind by its words, with state and sum, in as many queries for any number."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from dashboard.services.container import Services
from dashboard.store.links.tables import link
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.steps import RC, challan


@pytest.fixture
def fleet(staff: WebClient, levers: Levers) -> str:
    """Two vehicles, one with a Hindi offence and a link; return the link's id."""
    offences = [challan(1, offenseDetails="Red light violation"), challan(2, offenseDetails="लाल बत्ती का उल्लंघन")]
    levers.add_vehicle(RC, offences)
    levers.add_vehicle("MH12AB1002", [challan(3)])
    for rc in (RC, "MH12AB1002"):
        steps.searches(staff, rc)
    return steps.link_of(steps.create(staff, "MH1001"))


def test_any_part_of_a_challan_number_and_offences_in_either_script_are_found(staff: WebClient, fleet: str) -> None:
    assert "MH<mark>1002</mark>" in staff.get("/find?q=1002", headers=HTMX).text
    for typed in ("red light", "लाल बत्ती"):
        found = staff.get("/find", query_string={"q": typed}, headers=HTMX).text
        assert "Red light violation" in found
        assert "लाल बत्ती का उल्लंघन" in found


def test_a_link_is_found_by_its_payment_url_and_by_its_amount(
    staff: WebClient, services: Services, fleet: str, levers: Levers
) -> None:
    at_service = levers.link(fleet)
    for typed in (at_service.get("paymentUrl", fleet), fleet):
        assert staff.get("/find", query_string={"q": typed}).headers["Location"] == f"/links/{fleet}"


def test_a_link_is_found_by_its_amount_however_it_is_written(staff: WebClient, services: Services, fleet: str) -> None:
    with services.store.read() as connection:
        total = connection.execute(select(link.c.total).where(link.c.id == fleet)).scalar_one()
    rupees = int(total)
    for typed in (f"{total:.2f}", f"₹{total:,.2f}", str(rupees), f"Rs {rupees}"):
        found = staff.get("/find", query_string={"q": typed}, headers=HTMX).text
        assert f"/links/{fleet}" in found, typed
    assert f"/links/{fleet}" not in staff.get("/find", query_string={"q": str(rupees + 1)}, headers=HTMX).text


def test_custom_fields_of_a_link_and_of_a_vehicle_are_found_with_where_they_stand(staff: WebClient, fleet: str) -> None:
    for address in (f"/links/{fleet}/fields", f"/vehicles/{RC}/fields"):
        staff.post(address, data={"csrf_token": staff.csrf_token(), "cost_centre": "Pune Depot", "basis": ""})
    found: Any = Page(staff, staff.get("/find?q=pune", headers=HTMX), region=True)
    assert {option["href"] for option in found.all("a[role=option]")} == {f"/links/{fleet}", f"/vehicles/{RC}"}
    assert "Cost centre · MH12 AB 1001" in found.text


def test_the_page_says_among_which_challans_parts_are_looked_for(staff: WebClient, fleet: str) -> None:
    assert "Searched the newest 50,000 challans." in staff.page("/find?q=MH100").text


def test_a_driver_is_found_by_name_and_by_phone_however_it_is_written(manager: WebClient) -> None:
    manager.page("/drivers").submit("Add the driver", name="Ramesh Kumar", phone="98200 12345")
    for typed in ("ramesh", "9820012345", "98200-12345"):
        assert "Ramesh Kumar" in manager.get("/find", query_string={"q": typed}, headers=HTMX).text


def test_the_palette_lists_what_the_page_would_and_has_a_sentence_for_nothing(staff: WebClient, fleet: str) -> None:
    listed: Any = Page(staff, staff.get("/find?q=MH12AB", headers=HTMX), region=True)
    assert [option["href"] for option in listed.all("a[role=option]")] == ["/vehicles/MH12AB1002", f"/vehicles/{RC}"]
    assert "₹" in listed.all("a[role=option]")[0].get_text()
    assert "No results." in staff.get("/find?q=Zzyzx", headers=HTMX).text
    assert "No results. Try a vehicle number" in " ".join(staff.page("/find?q=Zzyzx").text.split())
