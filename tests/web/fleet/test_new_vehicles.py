"""Test RC type and city of vehicles that are new, before they are searched."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dashboard.store.engine import Store
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web.fleet.test_input import started

Checks = Callable[..., Page]


@pytest.mark.usefixtures("lookups")
def test_rc_type_and_city_of_all_new_vehicles_are_chosen_before_the_search(
    manager: WebClient, store: Store, checked: Checks
) -> None:
    page = checked("MH14AA2001 MH14AA2002")
    assert "New vehicles (2)" in page.text
    city = next(each["value"] for each in page.all("#city_id option") if "Mumbai" in each.text)
    refused = manager.read(page.submit("Search 2 vehicles", rc_type="TRUCK"))
    assert refused.status == 422
    assert "Choose RC type and city." in refused.text
    assert started(store) == []
    page.submit("Search 2 vehicles", rc_type="TRUCK", city_id=str(city))
    assert started(store) == [[("MH14AA2001", "TRUCK", city), ("MH14AA2002", "TRUCK", city)]]


@pytest.mark.usefixtures("lookups")
def test_a_new_vehicle_that_differs_has_its_own_rc_type_and_city(
    manager: WebClient, store: Store, checked: Checks
) -> None:
    page = checked("MH14AA2001 MH14AA2002 MH14AA2003")
    mumbai, pune = (
        next(each["value"] for each in page.all("#city_id option") if of in each.text) for of in ("Mumbai", "Pune")
    )
    refused = manager.read(page.submit("Search 3 vehicles", **{"rc_type-MH14AA2002": "TRUCK"}))
    assert "Choose RC type and city." in refused.text
    own = {"rc_type-MH14AA2002": "TRAILER", "city_id-MH14AA2003": str(pune)}
    page.submit("Search 3 vehicles", rc_type="TRUCK", city_id=str(mumbai), **own)
    assert started(store) == [
        [("MH14AA2001", "TRUCK", mumbai), ("MH14AA2002", "TRAILER", mumbai), ("MH14AA2003", "TRUCK", pune)]
    ]


def test_the_lists_are_loaded_where_there_are_new_vehicles(manager: WebClient, levers: Levers, checked: Checks) -> None:
    page = checked("MH14AA2001")
    assert levers.count("rc_types") == 0, "a page calls the service"
    region = page.one("#new-vehicles")
    assert region["hx-trigger"] == "load"
    levers.fault("rc_types", "status", status=500, count=9)
    asked = {**HTMX, "HX-Target": "new-vehicles", "X-CSRFToken": manager.csrf_token()}
    refused = manager.post(str(region["hx-post"]), headers=asked).text
    assert "Try again" in refused
    assert "hx-trigger" not in refused, "it asks on and on"
    levers.clear_faults()
    assert manager.read(page.submit("Choose RC type and city")).field("RC type").name == "select"


@pytest.mark.usefixtures("lookups")
def test_a_new_vehicle_is_no_fault_and_needs_nothing_before_the_search(manager: WebClient, checked: Checks) -> None:
    page = checked("MH14AA2001 MH14AA2002")
    assert "The service may ask for RC type and city; you can give them after the search." in page.text
    assert "probably fail" not in page.text
    assert words(page.one(".fleet-bar .selection-words").get_text()) == "2 vehicles"
    choice = page.one("details:has(#new-vehicles)")
    assert not choice.has_attr("open")
    refused = manager.read(page.submit("Search 2 vehicles", rc_type="TRUCK"))
    assert refused.one("details:has(#new-vehicles)").has_attr("open"), "what is missing cannot be seen"


@pytest.mark.usefixtures("lookups")
def test_only_what_is_missing_is_marked(manager: WebClient, checked: Checks) -> None:
    page = checked("MH14AA2001 MH14AA2002 MH14AA2003 MH14AA2004 MH14AA2005 KA05AA2002")

    def marked(**chosen: str) -> list[str]:
        refused = manager.read(page.submit("Search 6 vehicles", **chosen))
        assert refused.status == 422
        return [str(each["id"]) for each in refused.all("[aria-invalid]")]

    assert marked(rc_type="TRUCK") == ["city_id"]
    assert marked(**{"rc_type-MH14AA2001": "TRUCK"}) == ["city_id-MH14AA2001"]
    city = str(next(each["value"] for each in page.all("#city_id option") if "Pune" in each.text))
    of_state = str(page.all("[id^=city_id-in-]")[0]["id"])
    assert marked(**{of_state: city}) == [of_state.replace("city_id", "rc_type")]


def test_nothing_is_said_of_lists_that_no_line_needs(manager: WebClient, levers: Levers, checked: Checks) -> None:
    wanted = "not loaded yet"
    assert wanted not in checked("MH14AA2001\ntrucks").text
    levers.fault("rc_types", "status", status=500, count=9)
    page = checked("Registration number,RC type,City\nMH14AA2001,TRUCK,Pune\nMH14AA2002,,\n")
    assert wanted in page.text
    levers.clear_faults()
    asked = {**HTMX, "HX-Target": "new-vehicles", "X-CSRFToken": manager.csrf_token()}
    loaded = Page(manager, manager.post(str(page.one("#new-vehicles")["hx-post"]), headers=asked), region=True)
    assert "loaded now" in loaded.one("#draft-lists[hx-swap-oob]").text
