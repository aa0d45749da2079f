"""Test the way from a file to a started search of many vehicles in a real browser: in place, and on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.domain.fleet import JobKind
from dashboard.store.fleet import jobs, runs
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import ManagersDesk, tab_of
from tests.support.people import MEERA

pytestmark = pytest.mark.e2e

FILE = """Registration number;RC type;City;Driver;Phone
MH12 AB 1001;Truck;Mumbai;Ramesh Kumar;98765 43210
KA05 MN 4321;Truck;Mumbay;;
truck;;;;
"""


def chooses(page: Page) -> None:
    file = {"name": "Pune trucks.csv", "mimeType": "text/csv", "buffer": FILE.encode()}
    page.get_by_label("File").set_input_files(files=[file])


def searched(office: Office) -> list[tuple[str, list[str]]]:
    """Return the title and the numbers of each run."""
    with office.services.store.read() as connection:
        return [
            (job.title, [each.rc for each in runs.with_outcome(connection, job.id, None, after=0, limit=10)])
            for job in jobs.listed(connection, JobKind.SEARCH, 10)
        ]


@pytest.fixture
def meera(office: Office, page: Page) -> ManagersDesk:
    office.signs_in(page.context, MEERA)
    tab = ManagersDesk(page, office.url)
    tab.opens("/fleet")
    return tab


def test_a_file_is_checked_corrected_in_place_and_searched_once(meera: ManagersDesk, office: Office) -> None:
    page = meera.page
    page.evaluate("window.stays = true")
    chooses(page)
    page.get_by_label("Registration numbers").fill("MH12 AB 1002, mh-12-ab-1001")
    page.get_by_role("button", name="Search all").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check before searching")
    expect(page).to_have_url(re.compile("/fleet/drafts/"))
    page.get_by_role("button", name=re.compile("Mumbay: Mumbai")).click()
    expect(page.locator("[data-count=vehicles]")).to_contain_text("3")
    field = page.get_by_label("Registration number · Line 4")
    field.fill("DL01 CB 2002")
    field.press("Enter")
    expect(page.locator("[data-count=vehicles]")).to_contain_text("4")
    expect(page.locator("[data-count=left-out]")).to_have_count(0)
    page.reload()
    expect(page.locator("[data-count=vehicles]")).to_contain_text("4")
    assert searched(office) == []
    page.get_by_role("button", name="Search 4 vehicles").click()
    expect(page.locator("#run-panel")).to_contain_text("of 4 vehicles searched")
    assert searched(office) == [("Pune trucks", ["MH12AB1002", "MH12AB1001", "KA05MN4321", "DL01CB2002"])]


def test_numbers_are_typed_at_once_sent_by_a_key_and_rc_types_and_cities_come_by_themselves(
    meera: ManagersDesk, office: Office
) -> None:
    page = meera.page
    expect(page.get_by_label("Registration numbers")).to_be_focused()
    page.keyboard.type("MH12AB100O MH12 AB 1002")
    expect(page.get_by_text("About 2 vehicles")).to_be_visible()
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Use MH12 AB 1000").click()
    expect(page.locator("[data-count=vehicles]")).to_contain_text("2")
    page.get_by_text("Add RC type and city now").click()
    page.get_by_label("RC type", exact=True).select_option(label="Truck")
    page.get_by_label("City", exact=True).select_option(index=1)
    page.get_by_label("RC type · MH12 AB 1002").select_option(label="Trailer")
    page.get_by_role("button", name="Search 2 vehicles").click()
    expect(page.locator("#run-panel")).to_contain_text("of 2 vehicles searched")
    assert searched(office) == [("2 vehicles", ["MH12AB1000", "MH12AB1002"])]


def test_a_list_is_saved_and_searched_on_a_phone_without_scripts(browser: Browser, office: Office) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "java_script_enabled": False}
    with tab_of(browser, office, MEERA, **phone) as tab:
        page = tab.page
        tab.opens("/fleet")
        page.get_by_label("Registration numbers").fill("MH12 AB 1001 MH12 AB 1002")
        page.get_by_role("button", name="Search all").click()
        page.locator("summary", has_text="More").click()
        page.get_by_label("Name of the list").fill("Pune trucks")
        page.get_by_role("button", name="Save as a list").click()
        expect(page.get_by_text("“Pune trucks” is saved: 2 vehicles")).to_be_visible()
        tab.opens("/fleet")
        page.get_by_role("button", name="Search · Pune trucks").click()
        page.get_by_role("button", name="Search 2 vehicles").click()
        assert searched(office) == [("Pune trucks", ["MH12AB1001", "MH12AB1002"])]
