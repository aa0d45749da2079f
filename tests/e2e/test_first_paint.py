"""Test what a vehicle's page shows before the script of its list has come: the same as after."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Office
from tests.e2e.steps import Desk
from tests.e2e.tab import Held
from tests.e2e.test_selection import COUNT, RC, many, selected_by
from tests.support.people import ASHA
from tests.support.waiting import until

pytestmark = pytest.mark.e2e

__all__ = ["many"]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("ticks", [0, 1, COUNT])
def test_nothing_of_the_list_changes_when_its_script_takes_over(
    desk: Desk, office: Office, many: object, ticks: int, width: int
):
    page = desk.page
    desk.searches(RC)
    desk.sees_vehicle(RC)
    ids = desk.payable().evaluate_all("boxes => boxes.map((box) => box.value)")
    person = office.app.extensions["people"].find(ASHA.email)
    desk.opens("/account")
    office.services.selections.tick(person.id, RC, ids[:ticks], "")
    page.set_viewport_size({"width": width, "height": 800})
    script = Held(page, r"/lazy\.js")
    page.goto(f"{desk.url}/vehicles/{RC}", wait_until="commit")
    until(lambda: page.evaluate("document.readyState") != "loading", "the document was not read")
    until(script.count, "the script was not asked for")
    # The first scripts run once the page has its styles.
    expect(page.locator("live-panel:defined").first).to_be_attached()
    expect(page.locator("#selection-summary")).to_be_visible()

    def drawn() -> object:
        parts = ".challans .filters, .group-head, .group-picks, .challan, thead th, .selection-bar, #selection-summary"
        return page.locator(f":is({parts}, #open-review)").evaluate_all(
            "parts => parts.map((part) => [part.className, part.innerText,"
            " part.checkVisibility({ visibilityProperty: true }), getComputedStyle(part).backgroundColor,"
            " Math.round(part.getBoundingClientRect().top)])"
        )

    before = drawn()
    script.let_go()
    page.evaluate("customElements.whenDefined('challan-table')")
    assert drawn() == before
    looks = page.get_by_label("Select all payable")
    assert looks.evaluate("each => [each.checked, each.indeterminate]") == [ticks == COUNT, 0 < ticks < COUNT]


def presses_select_all_early(desk: Desk) -> Held:
    """Press Select all payable while the script of the list is held back."""
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.sees_saved("0 of")
    script = Held(desk.page, r"/lazy\.js")
    desk.page.goto(desk.page.url, wait_until="commit")
    desk.ticks_all_payable()
    until(script.count, "the script was not asked for")
    return script


def test_select_all_pressed_before_the_script_of_the_list_has_come_ticks_all(desk: Desk, office: Office, many: object):
    script = presses_select_all_early(desk)
    script.let_go()
    selected_by(office, COUNT)
    desk.sees_saved(f"{COUNT} of {COUNT} selected")
    assert desk.page.get_by_label("Select all payable").get_attribute("name") is None, "the script ticks by itself now"


def test_select_all_and_the_review_pressed_before_that_script_has_come_review_all(
    desk: Desk, office: Office, many: object
):
    presses_select_all_early(desk)
    desk.reviews()
    selected_by(office, COUNT)
