"""Test RC type and city of vehicles that are new, before they are searched."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dashboard.store.engine import Store
from tests.support.levers import Levers
from tests.support.page import Page
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
