"""Test the check of a file of drivers in a real browser: what was corrected is checked before anything is saved."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Office
from tests.e2e.manager_steps import ManagersDesk
from tests.support.people import MEERA

pytestmark = pytest.mark.e2e

_GROUND = "each => getComputedStyle(each).backgroundColor"


def test_once_a_line_is_corrected_the_filled_button_is_the_one_that_checks_it(office: Office, page: Page) -> None:
    office.signs_in(page.context, MEERA)
    ManagersDesk(page, office.url).opens("/drivers/import")
    page.get_by_label("Rows from Excel").fill("Name\tPhone\nRamesh Kumar\t98765 43210\nRavi\t12")
    page.get_by_role("button", name="Check the drivers").click()
    bar = page.locator(".fleet-bar")
    check, save = bar.get_by_role("button", name="Check corrections"), bar.get_by_role("button", name="Save 1 driver")
    expect(bar).to_contain_text("Corrections are checked before they are saved.")
    filled, plain = save.evaluate(_GROUND), check.evaluate(_GROUND)
    assert filled != plain
    page.get_by_label("Phone, line 3").fill("98765 43211")
    page.keyboard.press("Tab")
    assert (check.evaluate(_GROUND), save.evaluate(_GROUND)) == (filled, plain)
    check.click()
    expect(bar.get_by_role("button", name="Save 2 drivers")).to_be_visible()
