"""Test the page of the service in a real browser: what the banner says elsewhere, it says in its own words."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import own_tab
from tests.support.people import ARUN

pytestmark = pytest.mark.e2e


def test_a_refused_key_is_said_once_on_the_service_page_and_in_the_banner_elsewhere(page: Page, office: Office):
    arun = own_tab(page, office, ARUN)
    banner = page.get_by_role("region", name="What is wrong")
    title = page.get_by_role("heading", name="The API key was refused")
    office.levers.revoke_secret()
    arun.searches(RC)
    expect(page.locator("main")).to_contain_text("could not be searched.")
    arun.opens("/drivers")
    expect(banner).to_contain_text("The API key was refused")
    page.locator("person-menu summary").click()
    page.get_by_role("link", name="Service status", exact=True).click()
    expect(title).to_be_visible()
    expect(banner).to_be_hidden()
    page.go_back()
    expect(banner).to_be_visible()
    expect(title).to_have_count(0)
