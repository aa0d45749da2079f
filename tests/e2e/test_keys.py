"""Test the keys of the pages: the way to a copied URL, rows and places, when they rest, and switching them off."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.steps import Desk
from tests.e2e.tab import Held
from tests.support.people import MEERA
from tests.support.waiting import until

pytestmark = pytest.mark.e2e

#: From the first page to a payment URL on the clipboard; the ten letters of the plate count.
MOST_KEYSTROKES = 20


class Keyboard:
    """Press keys and count them."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.count = 0

    def types(self, letters: str) -> None:
        for letter in letters:
            self.press(letter)

    def press(self, key: str) -> None:
        self.count += 1
        self._page.keyboard.press(key)


def test_from_the_first_page_to_the_copied_url_in_twenty_keystrokes(desk: Desk):
    page, keyboard = desk.page, Keyboard(desk.page)
    expect(page.get_by_label("RC number")).to_be_focused()
    keyboard.types(RC)
    keyboard.press("Enter")
    desk.sees_vehicle(RC)
    expect(page.get_by_role("checkbox", name="Select all payable")).to_be_focused()
    keyboard.press("a")
    expect(page.locator("main")).to_contain_text("5 of 5 selected")
    keyboard.press("r")
    create = page.get_by_role("button", name="Create payment link")
    expect(page.get_by_role("dialog", name="Create a payment link for")).to_be_visible()
    expect(create).to_be_visible()
    keyboard.press("Control+Enter")
    desk.sees_the_link("ACTIVE")
    expect(page.locator("#toasts")).to_contain_text("Payment link created and copied")
    assert page.evaluate("navigator.clipboard.readText()") == desk.payment_url()
    assert keyboard.count <= MOST_KEYSTROKES


def test_keys_pressed_before_the_script_of_the_list_has_come_do_what_they_say_in_their_order(desk: Desk):
    script = Held(desk.page, r"/lazy\.js")
    desk.opens("/")
    desk.searches(RC)
    desk.sees_vehicle(RC)
    until(script.count, "the script was not asked for")
    desk.page.keyboard.press("a")
    desk.page.keyboard.press("r")
    script.let_go()
    expect(desk.page.get_by_role("dialog")).to_contain_text("On the new link (5)")


def test_rows_and_places_are_reached_by_keys_and_none_works_while_somebody_types(desk: Desk):
    page, press = desk.page, desk.page.keyboard.press
    desk.searches(RC)
    desk.sees_vehicle(RC)
    press("j")
    press("j")
    press("x")
    expect(desk.payable().nth(1)).to_be_checked()
    press("k")
    press("x")
    expect(desk.payable().nth(0)).to_be_checked()
    expect(page.locator("main")).to_contain_text("2 of 5 selected")
    press("/")
    expect(page.get_by_label("Find anything")).to_be_focused()
    page.keyboard.type("glarx?")
    expect(page.get_by_label("Find anything")).to_have_value("glarx?")
    expect(page).to_have_url(f"{desk.url}/vehicles/{RC}")
    press("Escape")
    page.get_by_role("checkbox", name="Select all payable").focus()
    press("Control+l")
    press("g")
    press("l")
    expect(page).to_have_url(f"{desk.url}/links")
    press("g")
    press("f")
    expect(page).to_have_url(f"{desk.url}/follow-up")


def test_the_key_of_the_find_box_works_from_an_empty_plate_field_alone(desk: Desk):
    page, field = desk.page, desk.page.get_by_label("RC number")
    expect(field).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_role("dialog", name="Find")).to_be_visible()
    expect(field).to_have_value("")
    page.keyboard.press("Escape")
    field.focus()
    page.keyboard.type("MH/")
    expect(field).to_have_value("MH/")
    expect(page.get_by_role("dialog", name="Find")).to_be_hidden()


def test_keys_lead_to_the_challans_in_view_and_to_no_link_above_them(desk: Desk, office: Office):
    page, press = desk.page, desk.page.keyboard.press
    rc = "MH12AB2400"
    office.levers.add_vehicle(rc, [{"challanNo": f"MH{number}"} for number in range(100, 140)])
    desk.searches(rc)
    desk.ticks("MH100")
    desk.reviews()
    desk.creates_the_link()
    desk.sees_the_link("ACTIVE")
    desk.opens(f"/vehicles/{rc}")
    expect(page.get_by_role("link", name="Open the link")).to_be_visible()
    press("j")
    press("x")
    expect(desk.payable().first).to_be_checked()
    press("a")
    expect(page.locator("main")).to_contain_text("39 of 39 selected")
    expect(desk.payable().first).to_be_focused()
    page.evaluate("document.activeElement.blur(); scrollTo(0, 900)")
    press("j")
    far = page.evaluate("scrollY")
    assert far > 600, "it begins with what is in view"
    press("a")
    assert page.evaluate("scrollY") == far, "and nobody is taken elsewhere"
    ringed = page.locator("tr:has(:focus)").evaluate("row => getComputedStyle(row).outlineStyle")
    assert ringed == "solid", "the whole row is marked"
    for _ in range(12):
        press("j")
    bar = page.locator(".selection-bar").bounding_box()
    row = page.locator("tr:has(:focus)").bounding_box()
    assert bar is not None
    assert row is not None
    assert row["y"] + row["height"] <= bar["y"] + 1, "the bar covers no row that has the focus"


@pytest.mark.parametrize("width", [1280, 390])
def test_keys_lead_to_every_place_of_the_menu_and_press_nothing_where_there_is_none(
    office: Office, page: Page, width: int
):
    office.signs_in(page.context, MEERA)
    manager = Desk(page, office.url)
    press = page.keyboard.press
    manager.opens("/links")
    page.set_viewport_size({"width": width, "height": 800})
    for key, address in (("v", "fleet"), ("r", "reconcile"), ("d", "drivers"), ("m", "messages"), ("o", "overview")):
        press("Escape")  # On a wide page the field to paste numbers into has the focus.
        press("g")
        press(key)
        expect(page).to_have_url(re.compile(f"{manager.url}/{address}"))
    manager.opens()
    manager.searches(RC)
    manager.sees_vehicle(RC)
    page.get_by_role("checkbox", name="Select all payable").focus()
    press("g")
    press("a")
    press("x")
    press("j")
    press("x")
    expect(page.locator("main")).to_contain_text("1 of 5 selected")


def test_the_list_of_keys_is_accessible_and_they_can_be_switched_off(desk: Desk):
    page = desk.page
    desk.opens("/links")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # A literal.
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
    dialog.get_by_role("button", name="Turn shortcuts off").click()
    expect(dialog.get_by_role("button", name="Turn shortcuts on")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    page.reload()
    page.keyboard.press("/")
    page.keyboard.press("?")
    expect(page.get_by_label("Find anything")).not_to_be_focused()
    expect(dialog).not_to_be_visible()
    page.locator("person-menu summary").click()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    dialog.get_by_role("button", name="Turn shortcuts on").click()
    expect(dialog.get_by_role("button", name="Turn shortcuts off")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    page.keyboard.press("/")
    expect(page.get_by_label("Find anything")).to_be_focused()


def test_the_list_begins_with_the_keys_of_the_page_and_keeps_the_others_apart(desk: Desk):
    page, press = desk.page, desk.page.keyboard.press
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    here = dialog.locator("[data-keys-here]")
    desk.opens("/account")
    press("?")
    expect(dialog).to_be_visible()
    expect(here).to_be_hidden()
    expect(dialog.get_by_text("Review and create")).to_be_hidden()
    press("Escape")
    desk.opens()
    desk.searches(RC)
    desk.sees_vehicle(RC)
    press("?")
    expect(here.locator("dt")).to_have_text(["j", "k", "x", "a", "r"])
    dialog.get_by_text("On other pages").click()
    expect(dialog.get_by_text("Messages one by one")).to_be_visible()
    expect(dialog.get_by_text("In a list")).to_be_visible()  # Its rows are ticked, and not opened.
    press("Escape")
    desk.creates_a_link(RC)
    desk.opens("/links")
    press("?")
    expect(here).to_contain_text("Open the row; on Follow up, send it")


def test_the_mail_address_has_the_focus_on_sign_in(page: Page, desk: Desk):
    page.context.clear_cookies()
    desk.opens("/sign-in")
    expect(page.get_by_label("Email")).to_be_focused()
    expect(page).to_have_url(re.compile("/sign-in"))


def test_drivers_are_added_one_after_the_other_and_gone_through_by_keys(desk: Desk):
    page, press = desk.page, desk.page.keyboard.press
    name = page.get_by_label("Name", exact=True)
    desk.opens("/drivers")
    for driver in ("Anil", "Lakshmi"):
        name.press_sequentially(driver)
        press("Enter")
        expect(page.locator("#driver-new")).to_contain_text(f"{driver} is added.")
        expect(name).to_be_focused()
    desk.opens("/drivers")
    page.get_by_text("Add a driver").focus()
    press("Enter")
    expect(name).to_be_focused()
    press("Escape")
    press("j")
    expect(page.get_by_role("link", name="Anil")).to_be_focused()
    press("j")
    expect(page.get_by_role("link", name="Lakshmi")).to_be_focused()
    press("k")
    press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Anil")


def test_the_key_that_opens_the_review_leads_to_its_button_and_does_not_press_it(desk: Desk, office: Office) -> None:
    page, press = desk.page, desk.page.keyboard.press
    desk.searches(RC)
    desk.sees_vehicle(RC)
    press("a")
    expect(page.locator("#selection-sum")).to_contain_text("5 of 5 selected")
    press("r")
    create = page.get_by_role("button", name="Create payment link")
    expect(page.locator("#review-title")).to_be_focused()
    press("r")
    expect(create).to_be_focused()
    assert office.levers.count("create_link") == 0
    page.get_by_label("Expires after (hours)").focus()
    press("r")
    expect(page.get_by_label("Expires after (hours)")).to_be_focused()
    create.focus()
    press("Enter")
    desk.sees_the_link("ACTIVE")
