"""Test that what takes longer than a moment says so, in its button, in words or at the top of the page."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.steps import Desk
from tests.e2e.tab import Held, is_accessible

pytestmark = pytest.mark.e2e


def reviews_all(desk: Desk) -> Locator:
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks_all_payable()
    desk.reviews()
    return desk.page.get_by_role("button", name="Create payment link")


def test_a_form_counts_the_seconds_in_its_button_and_is_sent_once(desk: Desk, office: Office):
    page = desk.page
    page.clock.install()
    button = reviews_all(desk)
    page.emulate_media(reduced_motion="reduce")
    held = Held(page, f"/vehicles/{RC}/links$")
    before, below = button.bounding_box(), page.locator("h2").last.bounding_box()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # However slow the machine is.
    button.click()
    page.clock.run_for(200)
    expect(button).not_to_have_class(re.compile("is-waiting"))
    page.clock.run_for(4_500)
    expect(button.locator(".button-waits")).to_have_text("Creating… 4 s")
    expect(page.locator(".while-sending").get_by_text("Sending. The service can take 30 s")).to_be_visible()
    expect(page.locator("form[aria-busy=true]")).to_have_count(1)
    expect(page.locator("[data-announcer]")).to_contain_text("Creating… Sending.")
    page.clock.resume()  # The check of accessibility waits by the page's clock too.
    is_accessible(page)
    button.click()
    page.clock.run_for(2_000)
    slow = "The service is slow. You can leave this page: the link cannot be made twice."
    expect(page.locator(".while-sending").get_by_text(slow)).to_be_visible()
    expect(page.locator(".while-sending").get_by_text("Sending. The service can take 30 s")).not_to_be_visible()
    assert (before, below) == (button.bounding_box(), page.locator("h2").last.bounding_box()), "nothing moves"
    assert held.count() == 1
    held.let_go()
    desk.sees_the_link("ACTIVE")
    assert office.levers.count("create_link") == 1


def test_a_form_that_failed_can_be_sent_again(desk: Desk):
    button = reviews_all(desk)
    desk.page.context.set_offline(True)
    button.click()
    expect(desk.page.locator("dialog .notices")).to_contain_text(
        "Press the button again: the link cannot be made twice."
    )
    expect(button).to_have_text("Create payment link")
    expect(desk.page.locator("form[aria-busy]")).to_have_count(0)
    desk.page.context.set_offline(False)
    button.click()
    desk.sees_the_link("ACTIVE")


@pytest.mark.parametrize("place", ["/", f"/vehicles/{RC}"])
@pytest.mark.parametrize("width", [1280, 320])
def test_a_search_says_that_it_waits_and_nothing_moves(desk: Desk, office: Office, place: str, width: int):
    page = desk.page
    page.set_viewport_size({"width": width, "height": 700})
    office.services.vehicle_search.search(RC, 1)
    desk.opens(place)
    held = Held(page, "/search$")
    boxes = [
        page.get_by_label("RC number"),
        page.get_by_role("button", name="Search", exact=True),
        page.locator("main h2").first,
    ]
    page.get_by_label("RC number").fill(RC)
    before = [each.bounding_box() for each in boxes]
    page.keyboard.press("Enter")
    said = page.get_by_text("Asking the service…").first
    expect(said).to_be_visible()
    expect(page.locator("#announcer")).to_have_text("Asking…")
    assert [each.bounding_box() for each in boxes] == before
    is_accessible(page)
    said.evaluate("said => { said.textContent = 'The challan source did not answer; trying again (2 of 3)'; }")
    assert [each.bounding_box() for each in boxes] == before
    held.let_go()
    expect(page.locator("#vehicle")).to_be_visible()


def test_a_slow_page_draws_a_line_and_its_link_is_followed_once(desk: Desk):
    page = desk.page
    held = Held(page, "/drivers$")
    link = page.get_by_role("link", name="Drivers", exact=True)
    link.click()
    expect(page.locator("html")).to_have_class("is-going")
    link.click()
    is_accessible(page)
    assert held.count() == 1
    held.let_go()
    expect(page.locator("h1")).to_have_text("Drivers")
    expect(page.locator("html")).not_to_have_class("is-going")


def test_a_form_that_comes_back_puts_the_focus_on_its_first_wrong_field(desk: Desk):
    reviews_all(desk)
    hours = desk.page.get_by_label("Expires after (hours)")
    hours.fill("12")
    desk.creates_the_link()
    expect(desk.page.locator("main")).to_contain_text("Enter a whole number of hours")
    expect(desk.page.get_by_label("Expires after (hours)")).to_be_focused()
