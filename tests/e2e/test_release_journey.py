"""Test the release of a request's challans by a manager in a real browser, while the page polls."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from sqlalchemy import update

from dashboard.store.creation.intents import intent
from tests.e2e.conftest import RC, Office
from tests.e2e.steps import Desk
from tests.e2e.tab import Loads
from tests.support.people import MEERA

pytestmark = pytest.mark.e2e

WHY = "The driver waits at the depot."


def a_day_later(office: Office, request_id: str) -> None:
    """Move the send of the request a day into the past, so that a resolution attempt is due."""
    ago = timedelta(hours=25)
    with office.services.store.write() as connection:
        row = connection.execute(intent.select().where(intent.c.id == request_id)).one()
        earlier = {"send_started": row.send_started - ago, "send_ended": row.send_ended - ago}
        connection.execute(
            update(intent).where(intent.c.id == request_id).values(**earlier, next_check_at=office.services.clock())
        )


def test_a_manager_releases_the_challans_and_they_are_checked_once_more(desk: Desk, office: Office) -> None:
    desk.signs_out()
    desk.opens("/sign-in")
    desk.signs_in(MEERA.email)
    loads = Loads(desk.page)
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks("MH1098765430", "MH1098765431")
    desk.reviews()
    office.levers.fault("create_link", "cut", when="before")
    desk.creates_the_link()
    request_id = desk.sees_the_request("UNKNOWN")
    here = desk.page.url
    expect(desk.page.get_by_label("Reason")).to_be_hidden()
    office.levers.set_challan(office.levers.vehicle(RC)["challans"][0]["id"], gone=True)
    a_day_later(office, request_id)

    # The form appears without a reload, and a poll does not change the text that is being typed.
    desk.sees_the_request("NEEDS_ATTENTION")
    reason = desk.page.get_by_label("Reason")
    expect(reason).to_be_visible()
    for scheme in ("light", "dark"):
        desk.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert Axe().run(desk.page).violations_count == 0
    reason.focus()
    desk.page.keyboard.type(WHY[:10])
    seen = desk.page.locator("#request-panel").get_attribute("hx-get")
    office.services.outcome_resolver.resolve(request_id)
    expect(desk.page.locator("#request-panel")).not_to_have_attribute("hx-get", str(seen))
    desk.page.keyboard.type(WHY[10:])
    expect(reason).to_have_value(WHY)

    desk.releases_the_challans()
    panel = desk.page.locator("#request-panel")
    expect(panel).to_contain_text(re.compile(rf"Challans released by {MEERA.name}, \d+:\d\d\s[ap]m: “{WHY}”"))
    expect(panel).to_contain_text("the link may or may not exist")
    expect(panel).to_have_attribute("data-state", "NEEDS_ATTENTION")
    expect(panel).not_to_contain_text(re.compile("not created|failed|stay reserved", re.IGNORECASE))
    expect(reason).to_have_count(0)
    expect(desk.page).to_have_url(here)
    expect(desk.page).to_have_title(re.compile("MH12 AB 1001"))
    assert loads.addresses == []

    desk.opens("/")
    expect(desk.page.locator("main")).to_contain_text(f"Challans released by {MEERA.name}; we still look for the link")
    desk.opens(f"/vehicles/{RC}")
    desk.ticks("MH1098765431")
    desk.reviews()
    office.levers.forget_calls()
    desk.creates_the_link()
    desk.sees_the_link("ACTIVE")
    assert [call["operation"] for call in office.levers.calls()][:2] == ["search", "create_link"]
    desk.page.goto(here)
    expect(panel).to_contain_text("One of its 2 challans is held by another request or link now")


def test_a_release_form_that_came_too_late_explains_that_and_the_typed_reason_stays(desk: Desk, office: Office) -> None:
    office.signs_in(desk.page.context, MEERA)
    desk.opens()
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks("MH1098765430", "MH1098765431")
    desk.reviews()
    office.levers.break_a4()
    desk.creates_the_link()
    request_id = desk.sees_the_request("UNKNOWN")
    office.levers.set_challan(office.levers.vehicle(RC)["challans"][0]["id"], raw={"prepaid": True})
    a_day_later(office, request_id)
    desk.sees_the_request("NEEDS_ATTENTION")
    desk.page.get_by_label("Reason").fill(WHY)
    office.levers.commit_late()
    office.services.outcome_resolver.resolve(request_id)
    desk.sees_the_request("RECOVERED")
    expect(desk.page.get_by_text("The state above has changed: there is nothing to release now.")).to_be_visible()
    expect(desk.page.get_by_role("button", name="Release the challans")).to_be_disabled()
    expect(desk.page.get_by_label("Reason")).to_have_value(WHY)


def test_staff_are_told_to_ask_a_manager_only_once_the_request_needs_one(desk: Desk, office: Office) -> None:
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks("MH1098765430")
    desk.reviews()
    office.levers.fault("create_link", "cut", when="before")
    desk.creates_the_link()
    request_id = desk.sees_the_request("UNKNOWN")
    copies = desk.page.get_by_role("button", name="Copy details for a manager")
    expect(copies).to_be_hidden()
    office.levers.set_challan(office.levers.vehicle(RC)["challans"][0]["id"], gone=True)
    a_day_later(office, request_id)
    desk.sees_the_request("NEEDS_ATTENTION")
    expect(copies).to_be_visible()
