"""Test a manager's way with many vehicles in the browser: search, review, create, send. The jobs run for real."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from dashboard.background import watcher
from dashboard.domain.fleet import PlannedLink
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.services.vehicles import eligibility
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import tab_of
from tests.e2e.tab import is_accessible
from tests.support.people import ASHA, MEERA
from tests.support.staff_member import StaffMember

pytestmark = pytest.mark.e2e

PLATES = [f"MH14FL{n:04}" for n in range(1, 7)]
MANY = "MH14FL9999"


@pytest.fixture
def busy(office: Office, tmp_path: Path) -> Iterator[Office]:
    """Yield an office that runs jobs, with six vehicles of one challan each. Each search takes half a second."""
    for plate in PLATES:
        office.levers.add_vehicle(plate, [{"challanNo": f"{plate}-1", "challanAmount": 500}])
    running = watcher.start(office.services, jobs_in=tmp_path / "jobs")
    yield office
    running.stop()


def test_a_manager_searches_pauses_reviews_creates_and_sends_by_keyboard(busy: Office, browser: Browser) -> None:
    with tab_of(browser, busy, MEERA, reduced_motion="reduce") as desk:
        page = desk.page
        desk.adds_a_driver(name="Lakshmi Iyer", phone="98765 43210", vehicles=", ".join(PLATES))
        expect(page.get_by_role("link", name="Lakshmi Iyer", exact=True)).to_be_visible()  # Before that page is left.
        busy.levers.fault("search", "delay", seconds=2, count=1000)
        desk.opens("/fleet")
        page.get_by_label("Registration numbers").fill(" ".join(PLATES))
        page.get_by_role("button", name="Search all").press("Enter")
        page.get_by_role("button", name=re.compile("^Search 6")).press("Enter")
        bar = page.get_by_role("progressbar", name="Vehicles searched")
        expect(bar).to_have_attribute("aria-valuemax", "6")
        page.get_by_role("button", name="Pause").press("Enter")
        expect(page.locator("#run-panel")).to_have_attribute("data-state", "paused")
        page.reload()
        expect(page.locator("#run-panel")).to_have_attribute("data-state", "paused")
        busy.levers.clear_faults()
        page.get_by_role("button", name="Resume").press("Enter")
        expect(page.locator("#run-panel")).to_have_attribute("data-state", "done")
        expect(bar).to_have_attribute("aria-valuenow", "6")
        expect(page.locator("#results tbody tr")).to_have_count(6)
        is_accessible(page)

        page.get_by_role("link", name="Review and create links", exact=True).press("Enter")
        first = page.get_by_role("checkbox", name="MH14 FL 0001")
        expect(first).to_be_checked()
        first.press("Space")
        expect(page.locator("#review-sum")).to_contain_text("5 of 6 vehicles · 5 links")
        page.reload()
        expect(first).not_to_be_checked()
        is_accessible(page)
        page.get_by_role("button", name="Preview the links").press("Enter")
        expect(page.get_by_role("heading", name="Create 5 payment links")).to_be_visible()
        is_accessible(page)
        page.get_by_role("button", name="Create links").press("Enter")
        expect(page.locator("#plan-panel")).to_have_attribute("data-state", "done")
        expect(page.locator("[data-outcome=created] strong")).to_have_text("5")
        is_accessible(page)

        page.get_by_role("link", name=re.compile(r"^Send to \d+ drivers?$")).press("Enter")
        row = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Lakshmi Iyer"))
        is_accessible(page)
        desk.opens(f"{urlsplit(page.url).path}/messages")
        expect(page.locator("#plan-message .reminder-head .quiet")).to_have_text("Next: 1 of 1 to message")
        expect(page.get_by_role("button", name="Send to Lakshmi Iyer on WhatsApp")).to_be_focused()
        is_accessible(page)
        page.context.route("https://wa.me/**", lambda route: route.fulfill(body="WhatsApp"))
        with page.context.expect_page() as opened:
            page.get_by_role("button", name="Send to Lakshmi Iyer on WhatsApp").press("Enter")
        opened.value.wait_for_url("https://wa.me/**")
        opened.value.close()
        desk.comes_back_to_the_tab()  # The queue is at its end, so it leads back to the drivers.
        expect(row).to_contain_text("Sent")
        page.get_by_role("button", name="Undo").press("Enter")
        expect(row).not_to_contain_text("Sent")
        with page.context.expect_page() as opened:
            page.get_by_role("button", name="Send to Lakshmi Iyer").press("Enter")
        opened.value.wait_for_url("https://wa.me/**")
        opened.value.close()
        desk.comes_back_to_the_tab()
        expect(row).to_contain_text("Sent")
        is_accessible(page)
        desk.opens("/fleet")


def test_a_driver_is_chosen_in_the_plan_and_then_sent_the_link(busy: Office, browser: Browser) -> None:
    meera = busy.app.extensions["people"].find(MEERA.email).id
    StaffMember(busy.services, meera).search(PLATES[0])
    with busy.services.store.read() as connection:
        [item] = eligibility.of_vehicle(connection, PLATES[0])
    link = PlannedLink(PLATES[0], (item.challan.id,), add_up([item.challan.total_amount]))
    plan_id = busy.services.fleet_plans.start("Depot", [link], hours=48, person_id=meera)
    with tab_of(browser, busy, MEERA, reduced_motion="reduce") as desk:
        page = desk.page
        desk.adds_a_driver(name="Lakshmi Iyer", phone="98765 43210", vehicles="")
        expect(page.get_by_role("link", name="Lakshmi Iyer", exact=True)).to_be_visible()  # Before that page is left.
        desk.opens(f"/fleet/plans/{plan_id}")
        expect(page.locator("#plan-panel")).to_have_attribute("data-state", "done")
        page.get_by_role("link", name="Choose driver for 1 vehicle").press("Enter")
        driver = page.get_by_label(f"Driver of {spaced(PLATES[0])}")
        expect(driver).to_be_focused()
        is_accessible(page)
        driver.fill("Laxmi Iyer")
        driver.press("Enter")
        phone = page.get_by_label("Phone")
        expect(phone).to_be_focused()
        is_accessible(page)
        driver.fill("Lakshmi Iyer")
        page.get_by_role("button", name="Save drivers").press("Enter")
        expect(page.get_by_role("heading", name="By driver (1)")).to_be_visible()
        expect(page.get_by_role("heading", name="No driver yet")).to_have_count(0)
        row = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Lakshmi Iyer"))
        expect(row).not_to_contain_text("Sent")
        page.context.route("https://wa.me/**", lambda route: route.fulfill(body="WhatsApp"))
        with page.context.expect_page() as opened:
            page.get_by_role("button", name="Send to Lakshmi Iyer").press("Enter")
        opened.value.wait_for_url("https://wa.me/**")
        opened.value.close()
        desk.comes_back_to_the_tab()
        expect(row).to_contain_text("Sent")
        is_accessible(page)


def test_staff_create_all_links_of_a_vehicle_in_one_go_on_a_phone(busy: Office, browser: Browser) -> None:
    busy.levers.add_vehicle(MANY, [{"challanNo": f"X{n:04}", "challanAmount": 500} for n in range(120)])
    asha = busy.app.extensions["people"].find(ASHA.email)
    clerk = StaffMember(busy.services, asha.id)
    clerk.search(MANY)
    busy.services.selections.tick(asha.id, MANY, clerk.payable(MANY), "")
    with tab_of(browser, busy, ASHA, viewport={"width": 390, "height": 844}, reduced_motion="reduce") as desk:
        desk.opens(f"/vehicles/{MANY}/review")
        desk.page.get_by_role("button", name="Create 2 links").click()
        expect(desk.page.locator("#plan-panel")).to_have_attribute("data-state", "done")
        expect(desk.page.locator("[data-outcome=created] strong")).to_have_text("2")
        is_accessible(desk.page)
    assert not busy.services.selections.of(asha.id, MANY).challan_ids
