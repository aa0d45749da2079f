"""Test known vehicles and what is found on a phone: low rows with their one act."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect
from sqlalchemy import update

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from dashboard.store.vehicles.vehicles import vehicle
from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import links_of
from tests.e2e.phone.geometry import HEIGHT, OVERLAPPING, SMALL, WIDTH
from tests.e2e.steps import Desk
from tests.support.people import ASHA

pytestmark = pytest.mark.e2e


def test_the_rows_of_drivers_and_known_vehicles_are_low(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ("DL01CB2002",))
    driver = office.services.drivers.add(details, person)
    office.services.drivers.add(DriverDetails("Lakshmi Devi", "98765 43211", None, "hi", None, ()), person)
    [sent] = links_of(office, "DL01CB2002", ASHA, [2500])
    links_of(office, "22BH6517AB", ASHA, [1_000_000])
    office.services.sharing.record_share(sent, Channel.WHATSAPP, person, driver, "hi")
    for address in ("/vehicles", "/drivers", f"/drivers/{driver}", "/find?q=B"):
        for width in (WIDTH, 320):
            phone.page.set_viewport_size({"width": width, "height": HEIGHT})
            phone.opens(address)
            rows = phone.page.locator(".table-cards tbody tr")
            expect(rows.first).to_be_visible()
            for row in rows.all():
                assert row.evaluate(OVERLAPPING) == [], address
                assert width < WIDTH or row.evaluate("each => each.clientHeight") < 90, address


def test_known_vehicles_have_their_one_act_in_low_rows_below_whole_filters(phone: Desk, office: Office) -> None:
    office.levers.add_vehicle("MH12AB2500", [])
    office.levers.add_vehicle("MH12AB2600", [{"challanNo": "MH1"}, {"challanNo": "MH2", "challanAmount": None}])
    for rc in ("MH12AB2500", "MH12AB2600"):
        phone.opens("/")
        phone.searches(rc)
        phone.sees_vehicle(rc)
    links_of(office, "DL01CB2002", ASHA, [2500])
    phone.opens("/vehicles")
    rows = phone.page.locator(".table-wide tbody tr")
    expect(rows).to_have_count(3)
    for row in rows.all():
        assert row.evaluate("each => each.offsetHeight") < 90
        acts = row.locator(".acts > .button").filter(visible=True)
        expect(acts).to_have_count(1)
    create = rows.filter(has_text="MH12 AB 2600").get_by_role("button", name="Create link").bounding_box()
    assert create
    assert create["height"] >= 43.5
    assert phone.page.evaluate(SMALL) == []
    expect(rows.filter(has_text="MH12 AB 2600")).to_contain_text("2")
    words = "each => getComputedStyle(each, '::before').content"
    assert phone.page.locator("[data-row=MH12AB2600] .counted").first.evaluate(words) == '"2 challans to pay "'
    chips = phone.page.locator(".known-filter > .presets")
    for address in ("/vehicles", "/vehicles?only=no-driver&only=open"):
        phone.opens(address)
        assert not chips.evaluate("each => each.scrollWidth > each.clientWidth"), f"no filter is cut off on {address}"


def test_a_known_vehicle_that_was_not_searched_lately_shows_its_driver_and_the_whole_day(
    phone: Desk, office: Office
) -> None:
    office.levers.add_vehicle("MH12AB2600", [{"challanNo": "MH1"}, {"challanNo": "MH2", "challanAmount": None}])
    phone.opens("/")
    phone.searches("MH12AB2600")
    phone.sees_vehicle("MH12AB2600")
    person = office.app.extensions["people"].find(ASHA.email).id
    office.services.drivers.add(DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ("MH12AB2600",)), person)
    before = office.services.clock() - timedelta(days=3)
    with office.services.store.write() as connection:
        connection.execute(update(vehicle).values(searched_at=before))
    for width in (WIDTH, 320):
        phone.page.set_viewport_size({"width": width, "height": HEIGHT})
        phone.opens("/vehicles")
        row = phone.page.locator(".table-wide tbody tr")
        expect(row.get_by_role("link", name="Ramesh Yadav")).to_be_visible()
        expect(row.get_by_text("+ 1 unknown")).to_be_visible()
        updated = row.locator(".updated")
        expect(updated).to_be_visible()
        assert not updated.evaluate("each => each.scrollWidth > each.clientWidth"), "no word is cut off"
        assert row.evaluate(OVERLAPPING) == []


def test_a_driver_is_added_to_a_known_vehicle(phone: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [500])
    phone.opens("/vehicles?only=no-driver")
    add = phone.page.locator(".table-wide tbody").get_by_role("link", name="Choose driver")
    expect(add).to_be_visible()
    assert phone.page.evaluate(SMALL) == []


def test_a_finger_on_the_plate_of_a_known_vehicle_opens_the_vehicle(phone: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [500])
    for part in (0.1, 0.5, 0.95):
        phone.opens("/vehicles")
        box = phone.page.locator("tr[data-row=DL01CB2002] .plate").bounding_box()
        assert box is not None
        phone.page.touchscreen.tap(box["x"] + 20, box["y"] + part * box["height"])
        expect(phone.page).to_have_url(re.compile("/vehicles/DL01CB2002"))


def test_a_found_challan_that_no_link_can_take_has_its_fine_without_a_sign_before_it(
    phone: Desk, office: Office
) -> None:
    number = "MH1098765990"
    held = {"challanNo": number, "challanAmount": 500, "status": "IN_COURT_REVIEW"}
    office.levers.add_vehicle("MH12AB1002", [held])
    phone.lists(RC)
    phone.opens("/")
    phone.lists("MH12AB1002")
    phone.opens("/find?q=MH1098765&of=challans")
    row = phone.page.locator(".found-challans tbody tr", has=phone.page.get_by_text(number, exact=True))
    expect(row.locator(".found-sum")).to_contain_text("Fine ₹")
    expect(row.locator(".found-sum > .quiet")).to_be_hidden()
