"""Test the find box as a palette: opened by keys, one field wherever it is, arrows, Enter and Escape."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import links_of, own_tab
from tests.e2e.steps import Desk
from tests.e2e.tab import Held, Loads, is_accessible
from tests.support.people import ARUN, ASHA, MEERA, Somebody

pytestmark = pytest.mark.e2e


def is_answered(page: Page, words: str) -> None:
    """Wait until the palette shows the answer to these words, and no other answer is on its way."""
    expect(page.locator("#palette-found")).to_have_attribute("data-typed", words)
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


def test_anything_is_found_from_anywhere_without_a_page_load(desk: Desk, office: Office, loads: Loads) -> None:
    office.services.vehicle_search.search(RC, 1)
    page, press = desk.page, desk.page.keyboard.press
    field = page.get_by_label("Find anything")
    press("Control+k")
    expect(field).to_be_focused()
    expect(page.get_by_role("listbox", name="Results")).to_contain_text("Recent vehicles")
    is_accessible(page)
    page.keyboard.type("ab 1001")
    is_answered(page, "ab 1001")
    option = page.get_by_role("listbox", name="Results").get_by_role("option").first
    expect(option).to_contain_text("MH12 AB 1001")
    expect(option).to_have_attribute("aria-selected", "true")
    assert field.get_attribute("aria-activedescendant") == option.get_attribute("id")
    is_accessible(page)
    press("ArrowUp")
    assert field.get_attribute("aria-activedescendant") is None
    press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == option.get_attribute("id")
    press("Escape")
    expect(page.get_by_role("dialog", name="Find")).to_be_hidden()
    expect(field).to_have_value("")
    field.click()
    field.press_sequentially("ab 1001")
    expect(option).to_have_attribute("aria-selected", "true")
    page.mouse.click(2, 2)
    expect(page.get_by_role("dialog", name="Find")).to_be_hidden()
    expect(field).to_have_value("ab 1001")
    held = Held(page, "/find")
    field.click()
    press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "true")
    # An answer that comes later finds the same, and leaves it chosen.
    with page.expect_response(re.compile("/find")):
        held.let_go()
    is_answered(page, "ab 1001")
    expect(option).to_have_attribute("aria-selected", "true")
    press("Enter")
    desk.sees_vehicle(RC)
    expect(page.get_by_role("dialog", name="Find")).to_be_hidden()
    expect(field).to_have_value("")
    assert loads.addresses == []


def test_enter_opens_what_fits_best_and_searches_what_was_typed_before_the_answer_comes(
    desk: Desk, office: Office, loads: Loads
) -> None:
    office.services.vehicle_search.search(RC, 1)
    page, press = desk.page, desk.page.keyboard.press
    chosen = page.locator("#palette-found [aria-selected=true]")
    press("Control+k")
    page.keyboard.type("ab 1001")
    is_answered(page, "ab 1001")
    expect(chosen).to_contain_text("MH12 AB 1001")
    held = Held(page, "/find")
    page.keyboard.type(" zzyzx")
    expect(chosen).to_have_count(0)
    press("Enter")
    held.let_go()
    expect(page.get_by_role("heading", name="Nothing found for “ab 1001 zzyzx”")).to_be_visible()
    page.unroute_all()
    press("Control+k")
    expect(page.get_by_role("option", name="Nothing found for")).to_be_visible()
    expect(chosen).to_have_count(0)
    press("Enter")
    expect(page.get_by_role("dialog", name="Find")).to_be_hidden()
    expect(page).to_have_url(re.compile(r"/find\?q=ab(\+|%20)1001(\+|%20)zzyzx$"))
    assert loads.addresses == []


def test_an_answer_to_older_words_chooses_nothing(desk: Desk, office: Office) -> None:
    office.services.vehicle_search.search(RC, 1)
    page = desk.page
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    field = page.get_by_label("Find anything")
    field.click()
    field.press_sequentially("ab 100")
    is_answered(page, "ab 100")
    option = page.get_by_role("listbox", name="Results").get_by_role("option").first
    expect(option).to_contain_text("MH12 AB 1001")
    held = Held(page, "/find")
    with page.expect_request(re.compile("/find")):
        field.press_sequentially("1")
    field.evaluate("(field) => { field.value += '2'; }")
    held.let_go()
    is_answered(page, "ab 1001")
    assert field.get_attribute("aria-activedescendant") is None
    assert errors == []


def test_a_place_of_the_menu_is_found_by_its_name_with_what_waits_there(desk: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [500])
    page, press = desk.page, desk.page.keyboard.press
    desk.opens("/")
    press("Control+k")
    places = page.get_by_role("group", name="Go to").get_by_role("option")
    expect(places).to_have_text(["Links", "Follow up (1)", "Drivers", "My account"])
    page.keyboard.type("fo")
    expect(places).to_have_text(["Follow up (1)"])
    expect(places.first).to_have_attribute("aria-selected", "true")
    is_accessible(page)
    press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Follow up")
    expect(page.get_by_role("dialog", name="Find")).to_be_hidden()


def test_ctrl_k_again_selects_the_old_words(desk: Desk) -> None:
    page, press = desk.page, desk.page.keyboard.press
    field = page.get_by_label("Find anything")
    desk.opens("/")
    for key in ("Control+k", "/"):
        field.click()
        field.fill("zzyzx")
        page.mouse.click(2, 2)
        expect(page.locator("find-palette > form")).to_be_visible()
        page.evaluate("document.activeElement.blur()")
        press(key)
        expect(field).to_be_focused()
        page.keyboard.type("qq")
        expect(field).to_have_value("qq")
        press("Escape")


def test_a_new_number_is_searched_at_once(desk: Desk, office: Office, loads: Loads) -> None:
    page, press = desk.page, desk.page.keyboard.press
    chosen = page.locator("#palette-found [aria-selected=true]")
    desk.opens("/links")
    loads.addresses.clear()
    press("Control+k")
    page.keyboard.type(RC)
    expect(chosen).to_have_text(re.compile("^Search MH12 AB 1001 Not searched yet"))
    press("Enter")
    desk.sees_vehicle(RC)
    expect(page.get_by_role("dialog", name="Find")).to_be_hidden()
    expect(page.get_by_role("checkbox", name="Select all payable")).to_be_focused()
    # What the first search of a vehicle needs is asked for on its own page.
    press("Control+k")
    page.keyboard.type("KA05MN4321")
    expect(chosen).to_contain_text("Search KA05 MN 4321")
    press("Enter")
    desk.is_asked_for_type_and_city("KA05MN4321")
    expect(page).to_have_url(f"{desk.url}/vehicles/KA05MN4321")
    expect(page.get_by_label("RC type")).to_be_focused()
    assert loads.addresses == []


def test_what_can_be_begun_is_begun_from_any_page(page: Page, office: Office, loads: Loads) -> None:
    links_of(office, "DL01CB2002", ASHA, [500])
    desk = own_tab(page, office, MEERA)
    page, press = desk.page, desk.page.keyboard.press
    chosen = page.locator("#palette-found [aria-selected=true]")
    loads.addresses.clear()

    def begins(typed: str, words: str) -> None:
        press("Control+k")
        page.keyboard.type(typed)
        expect(chosen).to_have_text(words)
        press("Enter")
        expect(page.get_by_role("dialog", name="Find")).to_be_hidden()

    begins("export", "Export payment links")
    expect(page).to_have_url(re.compile("/links#export$"))
    expect(page.get_by_role("radio", name="A row for each challan")).to_be_visible()
    begins("add a dr", "Add a driver")
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()
    begins("search many", "Search many vehicles")
    expect(page.get_by_label("Registration numbers")).to_be_focused()
    begins("short", "Keyboard shortcuts")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    press("Escape")
    assert loads.addresses == []
    begins("sign out", "Sign out")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


@pytest.mark.parametrize("somebody", [ASHA, MEERA, ARUN], ids=lambda each: each.role.value)
def test_the_header_has_room_to_find_beside_every_place_of_the_menu(page: Page, office: Office, somebody: Somebody):
    page = own_tab(page, office, somebody).page
    for width in (1280, 1366, 1440, 1536, 1600, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        box = page.get_by_label("Find anything").bounding_box()
        assert box, width
        assert box["width"] >= 200, width
