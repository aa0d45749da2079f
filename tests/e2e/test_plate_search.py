"""Test the search field: known vehicles offered while a number is typed, by keys and mouse, and a search at once."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.steps import Desk
from tests.e2e.tab import Held, Loads, is_accessible

pytestmark = pytest.mark.e2e

OTHER = "MH12AB1002"
ASKS = re.compile(r"/vehicles\?q=")


@pytest.fixture
def known(office: Office, desk: Desk) -> None:
    """Search two vehicles, and return to the first page."""
    office.levers.add_vehicle(OTHER)
    for rc in (RC, OTHER):
        office.services.vehicle_search.search(rc, 1)
    office.levers.forget_calls()


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="RC number")


def plates(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Known vehicles").get_by_role("option")


def chosen(page: Page) -> str | None:
    return field(page).get_attribute("aria-activedescendant")


def test_a_known_vehicle_is_chosen_by_keyboard(desk: Desk, office: Office, known: object, loads: Loads):
    page, press = desk.page, desk.page.keyboard.press
    expect(field(page)).to_have_attribute("aria-expanded", "false")
    page.keyboard.type("12 ab")
    expect(plates(page)).to_have_count(2)
    expect(field(page)).to_have_attribute("aria-expanded", "true")
    assert field(page).get_attribute("aria-controls") == "known-plates"
    expect(page.locator("#announcer")).to_have_text("2 known vehicles. Arrow keys choose, Enter opens.")
    expect(plates(page).nth(1)).to_have_text(re.compile(r"MH12 AB 1001\s+5 can be paid, ₹"))
    assert chosen(page) is None
    press("ArrowDown")
    press("ArrowDown")
    expect(plates(page).nth(1)).to_have_attribute("aria-selected", "true")
    assert chosen(page) == f"known-plate-{RC}"
    is_accessible(page)
    press("ArrowDown")
    assert chosen(page) is None, "the field itself comes after the last"
    press("ArrowUp")
    assert chosen(page) == f"known-plate-{RC}"
    press("Escape")
    expect(plates(page)).to_have_count(0)
    expect(field(page)).to_have_attribute("aria-expanded", "false")
    expect(field(page)).to_have_value("12 ab")
    expect(field(page)).to_be_focused()
    press("ArrowDown")
    expect(plates(page).nth(0)).to_have_attribute("aria-selected", "true")
    press("ArrowUp")
    press("ArrowUp")
    press("Enter")
    desk.sees_vehicle(RC)
    assert office.levers.count("search") == 0, "what is known is only opened"
    assert loads.addresses == []


def test_a_known_vehicle_is_chosen_by_mouse_also_on_the_page_of_another(desk: Desk, known: object, loads: Loads):
    desk.searches(OTHER)
    desk.sees_vehicle(OTHER)
    page = desk.page
    field(page).press_sequentially("1001")
    plates(page).first.click()
    desk.sees_vehicle(RC)
    field(page).press_sequentially("12ab")
    expect(plates(page)).to_have_count(2)
    page.keyboard.press("Tab")
    expect(plates(page)).to_have_count(0)
    expect(field(page)).to_have_attribute("aria-expanded", "false")
    assert loads.addresses == []


def test_an_arrow_offers_the_vehicles_that_were_searched_last(desk: Desk, known: object):
    desk.page.keyboard.press("ArrowDown")
    expect(plates(desk.page)).to_have_count(2)
    assert chosen(desk.page) == f"known-plate-{OTHER}"


def test_a_number_that_nobody_searched_offers_nothing_and_says_so(desk: Desk, known: object):
    desk.page.keyboard.type("zz99")
    expect(desk.page.locator("#announcer")).to_have_text("No known vehicle. Enter searches it.")
    expect(field(desk.page)).to_have_attribute("aria-expanded", "false")


def test_enter_at_once_leaves_no_list_over_the_result(desk: Desk, known: object, loads: Loads):
    page = desk.page
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    asked = Held(page, ASKS)
    with page.expect_request(ASKS), page.expect_event("requestfailed"):  # The search calls it off.
        page.keyboard.type("ka05")
        page.clock.run_for(200)
        page.keyboard.type("mn4321")
        page.keyboard.press("Enter")
    desk.is_asked_for_type_and_city("ka05mn4321")
    page.clock.run_for(1_000)
    assert asked.count() == 1, "the number is not asked for any more"
    expect(plates(page)).to_have_count(0)
    expect(field(page)).to_have_attribute("aria-expanded", "false")
    assert loads.addresses == []


def test_no_list_opens_over_a_search_that_failed(desk: Desk, office: Office, known: object):
    office.levers.fault("search", "status", status=500)
    page = desk.page
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    asked = Held(page, ASKS)
    expect(page.get_by_label("RC number")).to_be_focused()
    page.keyboard.type(RC)
    page.keyboard.press("Enter")
    expect(page.locator("#search-form .search-failed")).to_contain_text("The service answered with an error")
    page.clock.run_for(1_000)
    assert asked.count() == 0
    expect(field(page)).to_have_value(RC)
    with page.expect_request(ASKS):  # Typing on offers again.
        field(page).press_sequentially("9")
        page.clock.run_for(200)
