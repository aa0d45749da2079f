"""Test that asking the driver of a failed link is said on the page that asked, and taken back there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import ManagersDesk, tab_of
from tests.support.people import ASHA

pytestmark = pytest.mark.e2e


@pytest.fixture
def asha(office: Office, browser: Browser) -> Iterator[ManagersDesk]:
    """Send a link to a driver, whose payment fails."""
    with tab_of(browser, office, ASHA) as desk:
        page = desk.page
        page.context.route("https://wa.me/**", lambda route: route.fulfill(body="WhatsApp"))
        desk.adds_a_driver(name="Ramesh Yadav", phone="98765 43210", vehicles=RC)
        link_id = desk.creates_a_link(RC)
        with page.expect_popup() as opened:
            page.locator(".share-send .button-primary").click()
        opened.value.wait_for_url("https://wa.me/919876543210**")
        opened.value.close()
        office.levers.fail(link_id)
        desk.sees_status("FAILED")
        yield desk


def test_the_page_of_the_link_says_that_its_driver_was_asked_until_that_is_taken_back(asha: ManagersDesk) -> None:
    page = asha.page
    ask = page.get_by_role("button", name=re.compile("^Ask Ramesh Yadav"))
    with page.expect_popup() as opened:
        ask.click()
    opened.value.wait_for_url("https://wa.me/919876543210**")
    asked = page.locator(".panel-sent", has_text="Asked ")
    expect(asked).to_be_visible(timeout=15_000)
    expect(page.locator("#link-timeline")).to_contain_text("Asked Ramesh Yadav on WhatsApp")
    asha.is_accessible_and_fits_phones("a failed link whose driver was asked")
    asked.get_by_role("button", name="Undo").click()
    expect(page.locator("#toasts")).to_contain_text("the driver is not marked as asked")
    expect(ask).to_be_visible()


def test_follow_up_asks_by_one_click_and_its_row_says_so(asha: ManagersDesk) -> None:
    page = asha.page
    asha.opens("/follow-up")
    row = page.locator("#follow-failed > li")
    with page.expect_popup() as opened:
        row.get_by_role("button", name="Ask driver").click()
    opened.value.wait_for_url("https://wa.me/919876543210**")
    expect(row.locator(".last-contact")).to_contain_text("Asked", timeout=15_000)
    expect(row.get_by_role("link", name=re.compile("^Note answer"))).to_be_visible()
    row.get_by_role("button", name="Undo").click()
    expect(row.get_by_role("button", name="Ask driver")).to_be_visible()
