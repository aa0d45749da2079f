"""Test settlement: a paid vehicle is searched until the fine is settled, or a manager acknowledges that it is not."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from sqlalchemy import update

from dashboard.domain.links import AmountBreakdown, PaymentLink
from dashboard.services.links import ledger
from dashboard.store.reconciliation.settlements import settlement
from tests.e2e.conftest import RC, Office
from tests.e2e.steps import Desk, Driver
from tests.support.people import MEERA

pytestmark = pytest.mark.e2e

NUMBER = "MH1098765430"


def paid_link(desk: Desk, driver: Driver, office: Office) -> str:
    """Have Meera make a link and a driver pay it, while the source does not show the payment yet."""
    office.levers.switch(paid_lag_seconds=10**6)
    office.signs_in(desk.page.context, MEERA)
    desk.opens()
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks(NUMBER)
    desk.reviews()
    desk.creates_the_link()
    link_id = desk.sees_the_link("ACTIVE")
    driver.opens(desk.payment_url())
    driver.pays_by_upi()
    desk.sees_status("PAID")
    return link_id


def due_now(office: Office, link_id: str, *, paid_ago: timedelta) -> None:
    """Move the payment into the past, and make a settlement check due."""
    now = office.services.clock()
    with office.services.store.write() as connection:
        one = update(settlement).where(settlement.c.link_id == link_id)
        connection.execute(one.values(since=now - paid_ago, due_at=now))


def source_learns(office: Office, link_id: str) -> None:
    for item in office.levers.link(link_id)["challans"]:
        office.levers.set_challan(item["id"], status="PAID")


def reloads_reconcile_until(desk: Desk, words: str | re.Pattern[str]) -> None:
    """Load the page again and again until the watcher has done its part."""
    for _ in range(60):
        desk.opens("/reconcile")
        if desk.page.locator("#unsettled", has_text=words).count():
            return
        desk.page.wait_for_timeout(250)
    raise AssertionError(f"the page does not say {words}")


def test_a_paid_fine_is_searched_again_until_it_is_settled(desk: Desk, driver: Driver, office: Office) -> None:
    link_id = paid_link(desk, driver, office)
    reloads_reconcile_until(desk, "1 paid link not yet verified with the department.")

    due_now(office, link_id, paid_ago=timedelta(hours=1))
    reloads_reconcile_until(desk, f"{NUMBER} Pending")
    expect(desk.page.locator("#unsettled")).to_contain_text("Verified again in")
    for scheme in ("light", "dark"):
        desk.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert Axe().run(desk.page).violations_count == 0

    source_learns(office, link_id)
    due_now(office, link_id, paid_ago=timedelta(hours=6))
    reloads_reconcile_until(desk, "No paid challan is showing as pending.")
    desk.opens(f"/links/{link_id}")
    expect(desk.page.locator("main")).to_contain_text(f"Department shows it settled: {NUMBER} PAID")


def test_a_fine_that_stays_listed_waits_for_a_manager(desk: Desk, driver: Driver, office: Office) -> None:
    link_id = paid_link(desk, driver, office)
    due_now(office, link_id, paid_ago=timedelta(days=7))
    reloads_reconcile_until(desk, "It is no longer verified by itself.")
    expect(desk.page.locator("#unsettled")).to_contain_text(f"{NUMBER} Pending")
    desk.page.get_by_role("button", name=re.compile("^Verify now")).click()
    expect(desk.page.locator("#toasts")).to_contain_text("Verified with the department just now.")

    desk.page.locator("#unsettled summary", has_text="Mark as checked").press("Enter")
    note = desk.page.get_by_label("Note: what you found")
    expect(note).to_be_focused()
    note.fill("Called.")
    desk.page.get_by_role("button", name="Asked the service’s support.").click()
    expect(note).to_be_focused()
    expect(note).to_have_value("Called. Asked the service’s support.")
    note.fill("ok")
    note.press("Enter")
    expect(desk.page.locator("#unsettled .field-error")).to_contain_text("Write a note of 3 to 500 characters")
    expect(note).to_have_value("ok")
    note.fill("Support will settle it by hand.")
    note.press("Enter")
    expect(desk.page.locator(".checks-list #unsettled")).to_contain_text("1 marked as checked still applies.")
    expect(desk.page.locator("#toasts")).to_contain_text("Marked as checked: Paid, but still pending.")
    folded = desk.page.locator("details.acknowledged-list")
    expect(folded.get_by_text("Support will settle it by hand.")).to_be_hidden()
    folded.locator("summary").click()
    expect(folded).to_contain_text("Support will settle it by hand.")
    expect(folded).to_contain_text(MEERA.name)


def test_the_page_stays_while_paid_links_are_being_verified(desk: Desk, driver: Driver, office: Office) -> None:
    source_learns(office, paid_link(desk, driver, office))
    desk.opens("/reconcile")
    errors: list[str] = []
    desk.page.on("pageerror", lambda error: errors.append(str(error)))
    office.levers.fault("search", "delay", seconds=6, count=100)
    desk.page.get_by_role("button", name="Verify 1 link (1 search)").click()
    expect(desk.page.locator("main #unverified")).to_contain_text("Verifying 1 paid link with the department")
    for _ in range(2):
        with desk.page.expect_response(lambda answer: "/reconcile" in answer.url):
            pass
    expect(desk.page.get_by_role("heading", level=1, name="Reconcile")).to_be_visible()
    expect(desk.page.locator("main #unverified")).to_contain_text("Verifying 1 paid link with the department")
    expect(desk.page.locator("main #unverified")).to_have_text("Verified: 1 settled")
    expect(desk.page.get_by_role("heading", level=1, name="Reconcile")).to_be_visible()
    assert not errors


def test_the_button_of_several_rows_says_how_many_are_ticked(desk: Desk, office: Office) -> None:
    office.signs_in(desk.page.context, MEERA)
    now = office.services.clock()
    with office.services.store.write() as connection:
        for number in (1, 2, 3):
            link_id = f"0000000{number}-0000-0000-0000-000000000000"
            total = AmountBreakdown(Decimal(500), None, None, None, Decimal(500))
            elsewhere = PaymentLink(link_id, "ACTIVE", expires_at=now + timedelta(hours=48), amount=total)
            ledger.enter_link(connection, elsewhere, office.services.schedule, now, rc=RC)
    desk.opens("/reconcile/findings/elsewhere")
    desk.page.get_by_text("Mark several as checked").click()
    form = desk.page.locator("#several-elsewhere")
    send, rows = form.locator("[type=submit]"), desk.page.locator("[name=row]")
    everything = form.get_by_label("Choose all 3")
    expect(rows.nth(0)).to_be_focused()
    expect(everything).not_to_be_checked()
    expect(send).to_have_text("Mark ticked rows as checked")
    rows.nth(0).check()
    expect(send).to_have_text("Mark 1 as checked")
    everything.check()
    expect(send).to_have_text("Mark 3 as checked")
    rows.nth(1).uncheck()
    expect(everything).not_to_be_checked()
    form.locator("[name=note]").fill("Known: the driver has them.")
    form.get_by_role("button", name="Mark 2 as checked").click()
    expect(desk.page.locator("#toasts")).to_contain_text("2 links")
