"""Test whole journeys without page loads: with a slow service, of a new vehicle, after a refusal, and of a new link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.steps import Desk
from tests.e2e.tab import Held, Loads, is_accessible
from tests.e2e.test_without_page_loads import is_at

pytestmark = pytest.mark.e2e

NEW = "KA05MN4321"
LIST, REVIEW = f"/vehicles/{RC}", f"/vehicles/{RC}/review"


def button(desk: Desk, name: str) -> Locator:
    return desk.page.get_by_role("button", name=name, exact=True)


def says(desk: Desk, words: str) -> None:
    """Read what a screen reader is told, in an open dialog or on the page."""
    expect(desk.page.locator("[data-announcer]:visible, #announcer").filter(has_text=words)).not_to_have_count(0)


@pytest.mark.parametrize("seconds", [0.3, 3])
def test_from_search_to_the_copied_url_with_a_slow_service(desk: Desk, office: Office, loads: Loads, seconds: float):
    is_slow = seconds > 1
    office.levers.switch(latency_seconds=seconds)
    page = desk.page
    expect(page.get_by_label("RC number")).to_be_focused()
    page.keyboard.type(RC)
    page.keyboard.press("Enter")
    if is_slow:
        expect(page.get_by_text("Asking the service…")).to_be_visible()
        expect(page.locator("#search-form .button-waits")).to_have_text(re.compile(r"[1-3] s$"))
        says(desk, "Asking…")
    is_at(desk, LIST, "^MH12 AB 1001", "Search")
    expect(page.get_by_label("Select all payable")).to_be_focused()
    page.keyboard.press("a")
    expect(page.locator("#selection-sum")).to_contain_text("5 of 5 selected")
    page.keyboard.press("r")
    is_at(desk, REVIEW, "^Review MH12 AB 1001", "Search")
    expect(page.get_by_role("heading", name="Create a payment link for")).to_be_focused()
    page.keyboard.press("Control+Enter")
    if is_slow:
        expect(page.locator(".while-sending").get_by_text("Sending. The service can take")).to_be_visible()
        expect(page.locator("dialog .button-waits")).to_have_text(re.compile(r"^Creating… [1-3] s$"))
        says(desk, "Creating…")
    link_id = desk.sees_the_link("ACTIVE")
    is_at(desk, f"/links/{link_id}", "MH12 AB 1001", "Links")
    expect(page.get_by_label("Driver", exact=True)).to_be_focused()
    expect(page.locator("#toasts")).to_contain_text("Payment link created")
    assert desk.copies_the_payment_url() == desk.payment_url()
    assert office.levers.count("create_link") == 1
    assert loads.addresses == []


def test_a_first_search_is_refused_completed_and_found_again_in_place(desk: Desk, office: Office, loads: Loads):
    page = desk.page
    page.keyboard.type("not a number!")
    page.keyboard.press("Enter")
    expect(page.get_by_text("A registration number has only letters A to Z and digits.").first).to_be_visible()
    expect(page.get_by_label("RC number")).to_be_focused()
    is_at(desk, "/", "Challan Dashboard", "Search")
    desk.searches(NEW)
    desk.is_asked_for_type_and_city(NEW)
    expect(page.get_by_label("RC type")).to_be_focused()
    says(desk, "This vehicle is new here.")
    page.get_by_label("RC type").select_option(index=1)
    button(desk, "Search").click()
    expect(page.get_by_label("City")).to_be_focused()
    expect(page.get_by_label("City")).to_have_attribute("aria-invalid", "true")
    is_accessible(page)
    is_at(desk, "/", "Challan Dashboard", "Search")
    page.get_by_label("City").select_option(index=1)
    button(desk, "Search").click()
    is_at(desk, f"/vehicles/{NEW}", "^KA05 MN 4321", "Search")

    page.get_by_label("Find anything").fill("nothing at all")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{desk.url}/find?q=nothing%20at%20all")
    expect(page).to_have_title(re.compile("^nothing at all · Find anything"))
    expect(page.locator("#main")).to_be_focused()
    page.get_by_label("Find anything").fill("mn43")
    page.keyboard.press("Enter")
    is_at(desk, f"/vehicles/{NEW}", "^KA05 MN 4321", "Search")
    page.get_by_role("link", name="Search", exact=True).click()
    page.get_by_role("link", name="All known vehicles").click()
    is_at(desk, "/vehicles", "^Known vehicles", "Search")
    page.get_by_label("RC number or part of it").fill("mn43")
    is_at(desk, r"/vehicles\?q=MN43", "^Known vehicles", "Search")
    page.get_by_role("link", name="KA05 MN 4321").click()
    is_at(desk, f"/vehicles/{NEW}", "^KA05 MN 4321", "Search")
    page.go_back()
    is_at(desk, r"/vehicles\?q=MN43", "^Known vehicles", "Search")
    assert loads.addresses == []


def test_a_refused_request_is_tried_again_in_place(desk: Desk, office: Office, loads: Loads):
    desk.searches(RC)
    desk.ticks("MH1098765430")
    desk.reviews()
    office.levers.fault("create_link", "status", status=400)
    desk.creates_the_link()
    request_id = desk.sees_the_request("REJECTED")
    is_at(desk, f"/requests/{request_id}", "MH12 AB 1001", "Links")
    expect(desk.page.locator("#main")).to_be_focused()
    button(desk, "Try again").click()
    is_at(desk, REVIEW, "^Review MH12 AB 1001", "Search")
    desk.creates_the_link()
    link_id = desk.sees_the_link("ACTIVE")
    is_at(desk, f"/links/{link_id}", "MH12 AB 1001", "Links")
    assert loads.addresses == []


def test_an_ended_link_is_created_anew_in_place(desk: Desk, office: Office, loads: Loads):
    desk.searches(RC)
    desk.ticks("MH1098765430")
    desk.reviews()
    desk.creates_the_link()
    old = desk.sees_the_link("ACTIVE")
    page, main = desk.page, desk.page.locator("main")
    page.get_by_text("Add cost centre").click()
    page.get_by_label("Trip").fill("half typed")
    office.levers.expire(old)
    desk.sees_status("EXPIRED")
    [challan] = office.levers.link(old)["challans"]
    office.levers.set_challan(challan["id"], status="DISPOSED")
    desk.page.get_by_role("button", name="Create again").click()
    expect(main.get_by_role("heading", name="Cannot go on a new link (1)")).to_be_visible()
    expect(page.locator("#link-problem")).to_be_focused()
    expect(page.get_by_label("Trip")).to_have_value("half typed")
    is_at(desk, f"/links/{old}", "MH12 AB 1001", "Links")
    expect(main.get_by_role("button", name="Create again")).to_have_count(0)
    office.levers.set_challan(challan["id"], status="PENDING")
    main.get_by_role("button", name="Check now").click()
    desk.page.get_by_role("button", name="Create again").click()
    is_at(desk, rf"{REVIEW}\?replaces={old}", "^Review MH12 AB 1001", "Search")
    desk.creates_the_link()
    new = desk.sees_the_link("ACTIVE")
    is_at(desk, f"/links/{new}", "MH12 AB 1001", "Links")
    expect(main).to_contain_text("Replaces the link created")
    assert loads.addresses == []


def test_what_stands_between_two_pages_is_accessible(desk: Desk, office: Office):
    """Known vehicles while typing, the review, a wrong field in it, waiting for the link, and what it says."""
    page = desk.page
    page.emulate_media(reduced_motion="reduce")
    office.services.vehicle_search.search(RC, 1)
    page.keyboard.type("1001")
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    is_accessible(page)
    page.keyboard.press("Enter")
    desk.sees_vehicle(RC)
    desk.ticks_all_payable()
    desk.reviews()
    is_accessible(page)
    page.get_by_label("Expires after (hours)").fill("12")
    desk.creates_the_link()
    expect(page.get_by_label("Expires after (hours)")).to_have_attribute("aria-invalid", "true")
    is_accessible(page)
    page.get_by_label("Expires after (hours)").fill("24")
    held = Held(page, f"{LIST}/links$")
    desk.creates_the_link()
    expect(page.locator(".while-sending").get_by_text("Sending. The service can take")).to_be_visible()
    is_accessible(page)
    held.let_go()
    desk.sees_the_link("ACTIVE")
    expect(page.locator("#toasts")).to_contain_text("Payment link created")
    is_accessible(page)
