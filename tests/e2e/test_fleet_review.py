"""Test what becomes of a form of the review that is still under way when somebody goes back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Request, expect

from dashboard.domain.fleet import FleetVehicle
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import ManagersDesk, links_of, tab_of
from tests.e2e.tab import Held
from tests.e2e.test_fleet_layout import a_searched_run
from tests.support.lanes import take_parts
from tests.support.people import MEERA

pytestmark = pytest.mark.e2e


@pytest.fixture
def review(office: Office, browser: Browser) -> Iterator[ManagersDesk]:
    """Yield a tab on the review of a run, to which its manager came from the fleet. No error may reach its console."""
    run, _listed = a_searched_run(office, 3, challans=2)
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(message.text)

    with tab_of(browser, office, MEERA, reduced_motion="reduce") as desk:
        desk.page.on("console", note)
        desk.page.on("pageerror", lambda error: errors.append(str(error.stack)))
        desk.opens("/fleet")
        desk.page.locator(f"a[href='/fleet/runs/{run}']").click()
        desk.page.get_by_role("link", name="Review and create links", exact=True).click()
        expect(desk.page).to_have_url(re.compile("/review$"))
        yield desk
        assert errors == []


def goes_back_twice(desk: ManagersDesk) -> None:
    desk.page.go_back()
    desk.page.go_back()
    expect(desk.page).to_have_url(f"{desk.url}/fleet")
    expect(desk.page.get_by_role("heading", name="Search many vehicles")).to_be_visible()


def test_who_goes_back_while_the_plan_is_asked_for_stays_there(review: ManagersDesk) -> None:
    asked = Held(review.page, r"/review$")
    with review.page.expect_request(is_post):
        review.page.get_by_role("button", name="Preview the links").click()
    goes_back_twice(review)
    with review.page.expect_request_finished(is_post):
        asked.let_go()
    expect(review.page.locator("#toasts")).to_contain_text("Open it")
    expect(review.page.get_by_role("heading", name="Search many vehicles")).to_be_visible()


def test_a_tick_that_is_answered_late_changes_no_other_address(review: ManagersDesk) -> None:
    asked = Held(review.page, r"/review$")
    with review.page.expect_request(is_post):
        review.page.get_by_role("checkbox", name="MH14 LY 0001").uncheck()
    goes_back_twice(review)
    with review.page.expect_request_finished(is_post):
        asked.let_go()
    expect(review.page).to_have_url(f"{review.url}/fleet")
    expect(review.page.locator("#toasts")).to_be_empty()


def test_an_order_pressed_right_after_a_tick_takes_it_along(review: ManagersDesk) -> None:
    page = review.page
    page.get_by_role("checkbox", name="MH14 LY 0001").uncheck()
    page.get_by_role("button", name="To pay").click()
    expect(page).to_have_url(re.compile("order=largest"))
    expect(page.get_by_role("checkbox", name="MH14 LY 0001")).not_to_be_checked()
    expect(page.locator("#review-sum")).to_contain_text("1 vehicle left out")


def test_the_box_in_the_head_ticks_all_that_is_shown_and_tells_of_a_part(review: ManagersDesk) -> None:
    page = review.page
    everything = page.get_by_role("checkbox", name="Select the 3 vehicles shown")
    expect(everything).to_be_checked()
    page.get_by_role("checkbox", name="MH14 LY 0001").uncheck()
    expect(everything).to_be_checked(indeterminate=True)
    everything.check()
    expect(page.locator("#review-sum")).to_contain_text("3 of 3 vehicles")
    everything.uncheck()
    expect(page.locator("#review-sum")).to_contain_text("0 of 3 vehicles")
    page.reload()
    expect(everything).not_to_be_checked()


def test_a_challan_that_is_unticked_stays_so_on_every_way_to_the_plan(review: ManagersDesk) -> None:
    page = review.page
    page.get_by_role("link", name="MH14 LY 0001").click()
    page.get_by_role("checkbox", name="MH14LY0001-1").uncheck()
    expect(page.locator("#lot-sum")).to_contain_text("1 of 2 challans")
    page.reload()
    expect(page.get_by_role("checkbox", name="MH14LY0001-1")).not_to_be_checked()
    page.get_by_role("button", name="Review and create links").click()
    expect(page.locator("#review-sum")).to_contain_text("1 challan left out")
    page.get_by_role("link", name="MH14 LY 0001").click()
    page.get_by_role("checkbox", name="Select all challans").check()
    expect(page.locator("#lot-sum")).to_contain_text("2 of 2 challans")
    page.get_by_role("button", name="Keep 2 and go back").click()
    expect(page.locator("#review-sum")).not_to_contain_text("left out")


def test_what_was_on_a_failed_link_is_ticked_by_nobody_but_a_person(office: Office, browser: Browser) -> None:
    [failed] = links_of(office, "MH14LZ0001", MEERA, [500])
    office.levers.fail(failed)
    office.polls_until(failed, status="FAILED")
    office.levers.add_vehicle("MH14LZ0002", [{"challanNo": "LZ-2", "challanAmount": 700}])
    run = office.services.fleet_searches.start("Failed", [FleetVehicle(f"MH14LZ000{n}") for n in (1, 2)], None)
    take_parts(office.services, run)
    with tab_of(browser, office, MEERA, reduced_motion="reduce") as desk:
        desk.opens(f"/fleet/runs/{run}/review")
        page, said = desk.page, desk.page.locator("#review-sum")
        vehicle = page.get_by_role("checkbox", name="MH14 LZ 0001")
        expect(vehicle).not_to_be_checked()
        expect(said).to_contain_text("1 of 2 vehicles · 1 link · ₹782.60 · 1 vehicle left out")
        expect(page.locator("tbody .was-on-failed")).to_contain_text("1 challan was on a link that failed")
        others = page.get_by_role("checkbox", name="Select 1 vehicle")
        expect(others).to_be_checked(indeterminate=True)
        others.click()
        expect(said).to_contain_text("0 of 2 vehicles")
        expect(others).not_to_be_checked()
        others.click()
        expect(said).to_contain_text(
            "1 of 2 vehicles · 1 link · ₹782.60 · 1 vehicle left out: check the failed payment"
        )
        expect(vehicle).not_to_be_checked()
        vehicle.check()
        expect(said).to_contain_text("2 of 2 vehicles · 2 links · ₹1,341.60")
        page.reload()
        expect(vehicle).to_be_checked()
        page.get_by_role("button", name="Preview the links").click()
        expect(page.locator(".fleet-earlier")).to_contain_text("Money may have left the driver’s account. Ask first.")
        page.get_by_role("link", name="Change the selection").click()
        vehicle.uncheck()
        expect(said).to_contain_text("1 vehicle left out")


def test_of_two_steps_back_the_second_is_shown_in_whatever_order_they_are_answered(review: ManagersDesk) -> None:
    run = Held(review.page, r"/fleet/runs/[^/]+$")
    goes_back_twice(review)
    run.let_go()
    review.page.get_by_role("link", name="Search", exact=True).click()
    expect(review.page).to_have_url(f"{review.url}/")
    review.page.go_back()
    expect(review.page.get_by_role("heading", name="Search many vehicles")).to_be_visible()


def is_post(request: Request) -> bool:
    return request.method == "POST"
