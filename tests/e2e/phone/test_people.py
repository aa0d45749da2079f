"""Test the cards of people, of the audit log and of a statement on a phone, and the second factor set up there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Office
from tests.e2e.manager_steps import links_of
from tests.e2e.phone.geometry import HEIGHT, SMALL, WIDTH
from tests.e2e.steps import Desk
from tests.support.people import ARUN, ASHA, MEERA, PASSWORD

pytestmark = pytest.mark.e2e

#: Where something begins and ends in its line.
SIDES = "each => { const { left, right } = each.getBoundingClientRect(); return { left, right }; }"


def test_the_cards_of_people_and_of_the_audit_log_leave_nothing_out_and_have_one_form(
    office: Office, browser: Browser
) -> None:
    links_of(office, "DL01CB2002", ASHA, [2500])
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    office.signs_in(context, ARUN)
    admin = Desk(context.new_page(), office.url)
    admin.opens("/people")
    for each in admin.page.locator(".table-people tbody td:not(.has-none)").all():
        expect(each).to_be_visible()
    admin.opens("/audit")
    cards = admin.page.locator(".table-audit tr[data-row]")
    assert cards.count() > 1
    for cell, side in (("td:nth-child(2)", "left"), ("th", "right")):
        places = {each.evaluate(SIDES)[side] for each in cards.locator(f"{cell} > *").all()}
        assert len(places) == 1, "who it was on one side, and when on the other"
    context.close()


def test_a_second_factor_is_set_up_on_the_phone_that_shows_its_page(phone: Desk) -> None:
    page = phone.page
    phone.opens("/account/second-factor")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").tap()
    opens = page.get_by_role("link", name="Open the app")
    expect(opens).to_have_attribute("href", re.compile("^otpauth://totp/"))
    expect(page.get_by_role("img", name="QR code")).to_be_hidden()
    expect(page.get_by_role("button", name="Copy the key")).to_be_visible()
    assert page.evaluate(SMALL) == []
    page.get_by_text("Show the QR code").tap()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()


def test_the_total_of_a_statement_stands_in_its_balance_alone(phone: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [2500])
    links_of(office, "22BH6517AB", ASHA, [1500])
    office.signs_in(phone.page.context, MEERA)
    phone.opens("/reconcile/statement")
    expect(phone.page.locator(".balance-total").first).to_be_visible()
    expect(phone.page.locator(".statement-totals")).to_be_hidden()
