"""Test a replacement link whose predecessor is paid late: every page warns until a manager notes what was done."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.steps import Desk
from tests.support.people import MEERA

pytestmark = pytest.mark.e2e

TITLE = "Money may be paid twice"


def creates_a_link(desk: Desk) -> str:
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks("MH1098765430", "MH1098765431", "MH1098765432")
    desk.reviews()
    desk.creates_the_link()
    return desk.sees_the_link("ACTIVE")


def replaces_the_link(desk: Desk, old: str) -> str:
    """Create the replacement link, from the panel that has just changed, through the review."""
    desk.page.get_by_role("button", name="Create again").click()
    expect(desk.page).to_have_url(f"{desk.url}/vehicles/{RC}/review?replaces={old}")
    main = desk.page.locator("main")
    expect(main).to_contain_text(re.compile("Replaces the link created .*, which has expired."))
    expect(main).to_contain_text("Left out (")
    expect(main).to_contain_text("You cannot cancel or extend it once created.")
    desk.creates_the_link()
    new = desk.sees_the_link("ACTIVE")
    expect(main).to_contain_text("Replaces the link created")
    return new


def banner(page: Page):
    return page.get_by_role("region", name="What is wrong")


def test_an_expired_link_is_replaced_and_its_late_payment_raises_an_alarm(desk: Desk, office: Office, browser: Browser):
    old = creates_a_link(desk)
    held = office.levers.link(old)["challans"]
    office.levers.expire(old)
    desk.sees_status("EXPIRED")
    office.levers.set_challan(held[0]["id"], status="DISPOSED")
    new = replaces_the_link(desk, old)

    # The driver paid at the old address, and the payment counted. Asha still has the new link open.
    other_tab = Desk(desk.page.context.new_page(), office.url)
    other_tab.opens(f"/links/{old}")
    expect(other_tab.page.locator("#link-panel")).to_contain_text("are on the new link")
    office.levers.pay(old)
    other_tab.page.get_by_role("button", name="Check now").click()
    other_tab.sees_status("PAID")
    expect(banner(other_tab.page)).to_contain_text(TITLE)
    expect(desk.page.locator("#link-panel")).to_contain_text("Do not share it.", timeout=15_000)
    desk.cannot_copy()

    desk.opens(f"/links/{new}")
    expect(desk.page.locator("#double-alarm")).to_contain_text(TITLE)
    expect(banner(desk.page), "the alarm on the page says it in full").to_be_hidden()
    for place in ("/", "/links", f"/vehicles/{RC}", "/nothing-here"):
        desk.opens(place)
        expect(banner(desk.page)).to_contain_text(TITLE)
        expect(banner(desk.page)).to_contain_text("MH12 AB 1001")
    expect(desk.page.get_by_role("button", name="Save the note")).to_have_count(0)

    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    meera = Desk(phone.new_page(), office.url)
    meera.page.set_default_timeout(15_000)
    office.signs_in(meera.page.context, MEERA)
    meera.opens()
    expect(banner(meera.page)).to_contain_text(TITLE)
    expect(banner(meera.page).get_by_role("link"), "Home leads to each below").to_have_count(0)
    alarm = meera.page.locator(".attention-item", has_text="is paid, the other can still be paid")
    alarm.get_by_role("link").last.click()
    expect(meera.page).to_have_url(f"{office.url}/links/{old}")
    expect(meera.page.locator("#double-alarm")).to_contain_text("This link is paid. Do not share the other link")
    meera.page.get_by_text("Note what was done").click()
    note = meera.page.get_by_label("What was done about it")
    note.fill("seen")
    meera.page.get_by_role("button", name="Save the note").click()
    expect(meera.page.locator("#double-alarm")).to_contain_text("at least 10")
    expect(note).to_have_value("seen")
    note.fill("The driver was told not to pay the new link.")
    meera.page.get_by_role("button", name="Save the note").click()
    expect(meera.page.locator("#double-alarm")).to_contain_text("noted by Meera Iyer")
    expect(banner(meera.page)).to_have_count(0)
    phone.close()

    for place in ("/", f"/vehicles/{RC}", f"/links/{new}"):
        desk.opens(place)
        expect(banner(desk.page)).to_have_count(0)
    expect(desk.page.locator("#double-alarm")).to_contain_text("The driver was told not to pay the new link.")
    desk.cannot_copy()


def test_an_ended_link_is_replaced_without_javascript(browser: Browser, office: Office):
    context = browser.new_context(java_script_enabled=False)
    desk = Desk(context.new_page(), office.url)
    desk.page.set_default_timeout(15_000)
    desk.signs_in()
    old = creates_a_link(desk)
    office.levers.cancel(old)
    desk.page.get_by_role("button", name="Check now").click()
    desk.sees_status("CANCELLED")
    desk.page.get_by_role("button", name="Create again").click()
    expect(desk.page.locator("main")).to_contain_text("which is cancelled")
    desk.creates_the_link()
    desk.sees_the_link("ACTIVE")
    context.close()


def test_the_new_address_is_copied_only_after_the_old_link_was_checked(desk: Desk, office: Office) -> None:
    old = creates_a_link(desk)
    office.levers.expire(old)
    desk.sees_status("EXPIRED")
    desk.page.get_by_role("button", name="Create again").click()
    desk.creates_the_link()
    desk.sees_the_link("ACTIVE")
    page, said = desk.page, desk.page.locator("[data-copy-said]")
    expect(page.locator("#toasts")).to_contain_text("Payment link created and copied")
    assert page.evaluate("navigator.clipboard.readText()") == desk.payment_url()
    page.evaluate("navigator.clipboard.writeText('before')")
    page.route(re.compile("/panel"), lambda route: route.abort())  # The page does not hear of it by itself.

    office.levers.fault("link_status", "status", status=400, count=10**6)
    office.clock.advance(10)
    page.get_by_role("button", name="Copy link").click()
    expect(said).to_contain_text("could not be checked just now")
    expect(page.get_by_role("status").first).to_contain_text("could not be checked just now")
    assert page.evaluate("navigator.clipboard.readText()") == "before"

    office.levers.clear_faults()
    assert desk.copies_the_payment_url() == desk.payment_url()

    page.evaluate("navigator.clipboard.writeText('before')")
    office.levers.pay(old)
    office.clock.advance(10)
    page.get_by_role("button", name="Copy link").click()
    expect(said).to_contain_text("Challans of this link were paid with another link. Do not share it.")
    assert page.evaluate("navigator.clipboard.readText()") == "before"
