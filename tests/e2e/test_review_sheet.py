"""Test the review beside the list of challans: nothing of the list is lost, and no document is loaded."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from dashboard.domain.links import MAX_CHALLANS
from tests.e2e.conftest import RC, Office
from tests.e2e.steps import Desk
from tests.e2e.tab import Loads
from tests.e2e.test_without_page_loads import is_at

pytestmark = pytest.mark.e2e

LIST, REVIEW = f"/vehicles/{RC}", f"/vehicles/{RC}/review"
HOURS = "Expires after (hours)"


def sheet(desk: Desk) -> Locator:
    return desk.page.get_by_role("dialog", name=re.compile("Create (a|2) payment link"))


def button(desk: Desk, name: str) -> Locator:
    return desk.page.get_by_role("button", name=name, exact=True)


def heading(desk: Desk) -> Locator:
    return sheet(desk).get_by_role("heading", level=2, name="Create a payment link for")


def opens_the_list(desk: Desk) -> None:
    """Open the list, scrolled, with two ticks."""
    desk.opens(LIST)
    desk.page.set_viewport_size({"width": 1280, "height": 500})
    desk.ticks("MH1098765431", "MH1098765433")
    desk.sees_saved("2 of")  # Ticks that are not confirmed are sent again by whoever leaves the list.
    desk.page.evaluate("scrollTo(0, 100)")


def reviews(desk: Desk) -> None:
    place = desk.page.evaluate("scrollY")
    button(desk, "Review and create").focus()
    desk.page.keyboard.press("Enter")
    expect(sheet(desk)).to_be_visible()
    assert desk.page.evaluate("scrollY") == place > 0
    is_at(desk, REVIEW, "Review MH12 AB 1001", "Search")
    title = heading(desk)
    expect(title).to_be_focused()
    assert title.evaluate("each => each.offsetHeight") <= 40, "the plate is on the line of the title"


def sees_the_list_as_it_was(desk: Desk) -> None:
    expect(sheet(desk)).to_be_hidden()
    is_at(desk, LIST, "^MH12 AB 1001", "Search")
    expect(button(desk, "Review and create")).to_be_focused()
    expect(desk.page.get_by_role("checkbox", name="MH1098765433")).to_be_checked()
    expect(desk.page.get_by_role("checkbox", name="MH1098765432")).not_to_be_checked()
    assert desk.page.evaluate("scrollY") == desk.page.evaluate("history.state.scroll") > 0


def searched(desk: Desk) -> None:
    desk.searches(RC)
    desk.sees_vehicle(RC)


def test_back_escape_close_and_a_click_beside_it_return_to_the_list_as_it_was(desk: Desk, loads: Loads):
    searched(desk)
    opens_the_list(desk)
    loads.addresses.clear()
    asked: list[str] = []
    for leave in (
        desk.page.go_back,
        lambda: desk.page.keyboard.press("Escape"),
        lambda: button(desk, "Close").click(),
        lambda: desk.page.mouse.click(100, 300),
    ):
        reviews(desk)
        desk.page.on(
            "request", lambda request: asked.append(request.url) if request.resource_type in ("xhr", "fetch") else None
        )
        asked.clear()
        leave()
        sees_the_list_as_it_was(desk)
        assert [address for address in asked if "/panel" not in address] == []
    assert loads.addresses == []


def test_forward_opens_the_review_again_and_a_reload_shows_it_as_a_page(desk: Desk, loads: Loads):
    searched(desk)
    opens_the_list(desk)
    loads.addresses.clear()
    reviews(desk)
    desk.page.go_back()
    sees_the_list_as_it_was(desk)
    desk.page.go_forward()
    expect(sheet(desk)).to_be_visible()
    is_at(desk, REVIEW, "Review MH12 AB 1001", "Search")
    expect(heading(desk)).to_be_focused()
    assert loads.addresses == []
    desk.page.reload()
    expect(desk.page.get_by_role("heading", level=1)).to_have_text("Create a payment link for MH12 AB 1001")
    expect(desk.page.get_by_role("dialog")).to_have_count(0)
    expect(button(desk, "Create payment link")).not_to_be_focused()
    desk.page.go_back()
    is_at(desk, LIST, "^MH12 AB 1001", "Search")


def test_wrong_hours_come_back_into_the_same_form(desk: Desk, loads: Loads):
    searched(desk)
    opens_the_list(desk)
    loads.addresses.clear()
    reviews(desk)
    expect(sheet(desk)).to_contain_text("Valid till")
    sheet(desk).get_by_label(HOURS).fill("12")
    expect(sheet(desk)).not_to_contain_text("Valid till", use_inner_text=True)
    button(desk, "Create payment link").click()
    expect(sheet(desk)).to_contain_text("Enter a whole number of hours from 24 to 168.")
    expect(sheet(desk).get_by_label(HOURS)).to_be_focused()
    expect(sheet(desk).get_by_label(HOURS)).to_have_value("12")
    expect(sheet(desk)).not_to_contain_text("Valid till", use_inner_text=True)
    is_at(desk, REVIEW, "Review MH12 AB 1001", "Search")
    button(desk, "3 days").click()
    expect(sheet(desk).get_by_label(HOURS)).to_have_value("72")
    button(desk, "Create payment link").click()
    desk.sees_the_link("ACTIVE")
    assert loads.addresses == []


def test_the_created_link_is_copied_by_itself_and_back_leads_to_the_list(desk: Desk, loads: Loads):
    searched(desk)
    opens_the_list(desk)
    loads.addresses.clear()
    reviews(desk)
    desk.page.keyboard.press("Control+Enter")
    link_id = desk.sees_the_link("ACTIVE")
    is_at(desk, f"/links/{link_id}", "MH12 AB 1001", "Links")
    expect(desk.page.get_by_label("Driver", exact=True)).to_be_focused()
    expect(desk.page.locator("#toasts toast-message")).to_have_count(1)
    expect(desk.page.locator("#toasts")).to_contain_text("Payment link created and copied · MH12 AB 1001")
    expect(desk.page.locator("#announcer")).to_have_text("Payment link created and copied")
    assert desk.page.evaluate("navigator.clipboard.readText()") == desk.payment_url()
    desk.sees_in_the_timeline("Copied on creation")
    desk.page.go_back()
    is_at(desk, LIST, "^MH12 AB 1001", "Search")
    expect(desk.payable()).to_have_count(3)
    desk.page.go_forward()
    is_at(desk, f"/links/{link_id}", "MH12 AB 1001", "Links")
    assert loads.addresses == []


def test_a_browser_that_does_not_allow_copying_is_told_of_the_creation_alone(desk: Desk):
    searched(desk)
    opens_the_list(desk)
    desk.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('denied')); }")
    reviews(desk)
    desk.creates_the_link()
    desk.sees_the_link("ACTIVE")
    expect(button(desk, "Copy link")).to_be_focused()
    expect(desk.page.locator("#announcer")).to_have_text("Payment link created")
    expect(desk.page.locator("#toasts")).to_contain_text("Payment link created · MH12 AB 1001")


def test_a_second_enter_sends_nothing_and_tab_leads_to_the_usual_hours(desk: Desk, office: Office):
    searched(desk)
    desk.ticks_all_payable()
    press = desk.page.keyboard.press
    button(desk, "Review and create").focus()
    press("Enter")
    expect(heading(desk)).to_be_focused()
    press("Enter")
    expect(desk.page.locator("form[aria-busy]")).to_have_count(0)
    is_at(desk, REVIEW, "Review MH12 AB 1001", "Search")
    press("Tab")
    expect(button(desk, "Close")).to_be_focused()
    press("Tab")
    expect(sheet(desk).get_by_role("button", name="24 h")).to_be_focused()
    assert office.levers.count("create_link") == 0


def test_of_the_hours_the_choice_that_holds_is_marked(desk: Desk, office: Office):
    searched(desk)
    desk.ticks_all_payable()
    desk.reviews()
    field, usual = desk.page.get_by_label(HOURS), button(desk, "48 h")

    def ground(each: Locator) -> str:
        return str(each.evaluate("each => getComputedStyle(each).backgroundColor"))

    marked, plain = ground(usual), ground(button(desk, "24 h"))
    assert marked != plain
    assert ground(field) == plain, "one of the usual hours holds"
    field.fill("30")
    assert ground(field) == marked
    assert ground(usual) == plain
    button(desk, "24 h").click()
    assert (ground(field), ground(button(desk, "24 h"))) == (plain, marked)


def test_a_double_click_or_a_held_key_opens_the_review_and_sends_nothing(desk: Desk, office: Office):
    searched(desk)
    desk.ticks_all_payable()
    button(desk, "Review and create").click()
    expect(sheet(desk)).to_be_visible()
    for repeats in ({"type": "keyDown", "autoRepeat": True, "key": "Enter", "code": "Enter", "text": "\r"},):
        desk.page.context.new_cdp_session(desk.page).send("Input.dispatchKeyEvent", repeats)
    target = button(desk, "Create payment link").bounding_box()
    assert target is not None
    place = {"x": target["x"] + 9, "y": target["y"] + 9, "button": "left", "clickCount": 2}
    for kind in ("mousePressed", "mouseReleased"):
        desk.page.context.new_cdp_session(desk.page).send("Input.dispatchMouseEvent", {"type": kind, **place})
    expect(button(desk, "Create payment link")).not_to_have_class(re.compile("is-waiting"))
    desk.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    is_at(desk, REVIEW, "Review MH12 AB 1001", "Search")
    expect(desk.page.locator("form[aria-busy]")).to_have_count(0)
    assert office.levers.count("create_link") == 0


def test_a_slow_creation_may_be_left_and_is_told_wherever_its_person_is(desk: Desk, office: Office, loads: Loads):
    searched(desk)
    opens_the_list(desk)
    loads.addresses.clear()
    reviews(desk)
    office.levers.fault("create_link", "delay", seconds=3)
    desk.creates_the_link()
    expect(sheet(desk)).to_contain_text("Sending. The service can take 30 s", use_inner_text=True)
    desk.page.keyboard.press("Escape")
    sees_the_list_as_it_was(desk)
    told = desk.page.locator("#toasts toast-message")
    expect(told).to_contain_text("Payment link created · MH12 AB 1001")
    sees_the_list_as_it_was(desk)
    told.get_by_role("link", name="Open it").click()
    desk.sees_the_link("ACTIVE")
    assert loads.addresses == []
    assert office.levers.count("create_link") == 1


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_sheet_is_accessible_with_and_without_an_error(desk: Desk, width: int, height: int):
    page = desk.page
    page.emulate_media(reduced_motion="reduce")
    searched(desk)
    desk.ticks_all_payable()
    page.set_viewport_size({"width": width, "height": height})
    desk.reviews()
    box = sheet(desk).bounding_box()
    assert box is not None
    assert (box["x"] + box["width"], box["height"]) == (width, height)
    assert (box["x"] == 0) is (width == 390), "on a phone it takes the whole screen"
    for hours in ("48", "12"):
        sheet(desk).get_by_label(HOURS).fill(hours)
        if hours == "12":
            desk.creates_the_link()
            expect(sheet(desk)).to_contain_text("Enter a whole number of hours")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # A literal.
            found = Axe().run(page)
            assert found.violations_count == 0, f"{hours} h, {scheme}: {found.generate_report()}"


@pytest.mark.parametrize(("width", "height"), [(800, 1000), (390, 844)])
def test_the_foot_of_a_short_review_ends_where_the_sheet_ends(desk: Desk, width: int, height: int) -> None:
    searched(desk)
    desk.ticks("MH1098765430")
    desk.page.set_viewport_size({"width": width, "height": height})
    desk.reviews()
    foot = sheet(desk).locator(".review-send").bounding_box()
    assert foot is not None
    assert foot["y"] + foot["height"] == pytest.approx(height, abs=1)


def test_a_look_at_an_unclear_request_changes_its_panel_alone_and_leaves_the_focus_there(
    desk: Desk, office: Office, loads: Loads
):
    searched(desk)
    desk.ticks_all_payable()
    desk.reviews()
    office.levers.fault("create_link", "cut", when="after")
    office.levers.fault("search", "cut", count=100)
    desk.creates_the_link()
    desk.sees_the_request("UNKNOWN")
    here = desk.page.url
    desk.page.locator("h1").evaluate("title => { title.dataset.kept = 'yes'; }")
    office.levers.clear_faults()
    desk.page.get_by_role("button", name="Check now").focus()
    desk.page.keyboard.press("Enter")
    desk.sees_the_request("RECOVERED")
    expect(desk.page.locator("h1")).to_have_attribute("data-kept", "yes")
    assert desk.page.url == here
    assert loads.addresses == []


def test_the_title_counts_the_links_that_the_review_creates(desk: Desk, office: Office):
    challans = [{"challanNo": f"MH{number:03}", "challanAmount": 500} for number in range(MAX_CHALLANS + 1)]
    office.levers.add_vehicle("MH12AB2300", challans)
    desk.searches("MH12AB2300")
    desk.page.get_by_text("Select all payable").click()
    button(desk, "Review and create").click()
    expect(sheet(desk).get_by_role("heading", name="Create 2 payment links for MH12 AB 2300")).to_be_focused()
    desk.page.keyboard.press("Escape")
    desk.page.get_by_role("checkbox", name="MH001").uncheck()
    desk.sees_saved(f"{MAX_CHALLANS} of")
    button(desk, "Review and create").click()
    expect(sheet(desk).get_by_role("heading", name="Create a payment link for MH12 AB 2300")).to_be_focused()


def test_the_field_of_the_hours_is_for_others_than_the_usual_ones(desk: Desk):
    searched(desk)
    opens_the_list(desk)
    reviews(desk)
    hours, other = desk.page.get_by_label(HOURS), sheet(desk).locator(".expiry-other")
    expect(hours).to_have_value("48")
    expect(other).to_be_visible()
    button(desk, "3 days").click()
    expect(hours).to_have_value("72")
    expect(other).to_be_visible()
    hours.click()
    expect(other).to_be_hidden()
    hours.fill("30")
    hours.blur()
    expect(other).to_be_hidden()
