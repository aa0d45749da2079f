"""Test the way from signing in to a shared link in Hindi, and its pages with axe."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import tab_of
from tests.e2e.tab import is_accessible
from tests.support.people import ARUN, ASHA, PASSWORD

pytestmark = pytest.mark.e2e

MAIN_PAGES = ("/links", "/follow-up", "/drivers", "/vehicles", "/reconcile", "/overview", "/service", "/account")


def presses(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_a_link_is_created_copied_and_shared_in_hindi(office: Office, browser: Browser) -> None:
    context = browser.new_context(locale="en-IN", reduced_motion="reduce")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.route("https://wa.me/**", lambda route: route.fulfill(status=204))
    page = context.new_page()
    page.goto(f"{office.url}/sign-in")
    page.get_by_label("Email").fill(ASHA.email)
    page.get_by_label("Password").fill(PASSWORD)
    presses(page, "Sign in")
    page.locator("person-menu summary").click()
    presses(page, "हिन्दी")
    expect(page.locator("html")).to_have_attribute("lang", "hi")

    page.get_by_label("RC नंबर").fill(RC)
    page.locator("main").get_by_role("button", name="खोजें", exact=True).click()
    page.get_by_role("checkbox", name="सभी देय चुनें").check()
    expect(page.locator("#selection-summary")).to_contain_text("5 में से 5 चुने")
    presses(page, "जाँचें और बनाएँ")
    expect(page.locator(".expiry-ends")).to_have_text(re.compile(r"^\d+ \S+, \d+:\d\d\s[ap]m तक चलेगा।"))
    is_accessible(page)
    presses(page, "भुगतान लिंक बनाएँ")

    panel = page.locator("#link-panel")
    expect(panel).to_have_attribute("data-status", "ACTIVE")
    expect(panel).to_contain_text("चालू")
    # The script counts on in Hindi.
    expect(page.locator("time-ago").first).to_have_text(re.compile(r"^([2-9]|\d\d+) सेकंड पहले$|^\d+ (घंटे|मिनट)$"))
    is_accessible(page)
    presses(page, "लिंक कॉपी करें")
    expect(page.locator("[data-copy-said]")).to_have_text("कॉपी हुआ")
    assert "prepaid-payment" in page.evaluate("navigator.clipboard.readText()")

    page.goto(f"{page.url}/share")
    is_accessible(page)
    page.locator("[data-channel=whatsapp]").first.click()
    expect(page.locator("#share-sent")).to_contain_text("WhatsApp में तैयार किया")
    context.close()


def test_the_main_pages_in_hindi_have_no_fault_that_axe_can_find(office: Office, browser: Browser) -> None:
    with tab_of(browser, office, ARUN, reduced_motion="reduce") as desk:
        desk.page.locator("person-menu summary").click()
        presses(desk.page, "हिन्दी")
        expect(desk.page.locator("html")).to_have_attribute("lang", "hi")
        is_accessible(desk.page)
        for address in MAIN_PAGES:
            desk.opens(address)
            is_accessible(desk.page)
