"""Test follow-up, custom fields, exports, the overview and drivers in a real browser, for staff and a manager."""

from __future__ import annotations

import csv
import re
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Office
from tests.e2e.manager_steps import ManagersDesk, ends_soon, links_of, own_tab, reach, tab_of
from tests.support.people import ASHA, MEERA

pytestmark = pytest.mark.e2e

CAR, TRUCK = "DL01CB2002", "KA05MN4321"


@pytest.fixture
def asha(office: Office, page: Page) -> ManagersDesk:
    return own_tab(page, office, ASHA)


@pytest.fixture
def meera(office: Office, page: Page) -> ManagersDesk:
    return own_tab(page, office, MEERA)


def test_an_unpaid_link_that_ends_soon_gets_a_reminder_a_note_and_a_snooze(asha: ManagersDesk, office: Office):
    page = asha.page
    asha.opens("/follow-up")
    expect(page.locator("main")).to_contain_text("Nothing to follow up.")
    asha.adds_a_driver(name="Ramesh Yadav", phone="98765 43210", vehicles=CAR)
    [link_id] = links_of(office, CAR, ASHA, [2500])
    ends_soon(office, link_id)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Follow up").click()
    item = asha.waiting(link_id)
    expect(item).to_contain_text("Ends in 5 h")
    expect(page.locator("#follow-ends-soon")).to_contain_text("Ramesh Yadav")
    expect(item).to_contain_text("Not sent yet")
    expect(page).to_have_title("Follow up (1) · Challan Dashboard")

    # A share takes two clicks; then the reminder goes to the same driver.
    item.locator(".follow-more summary").click()
    item.get_by_role("button", name="Share another way").click()
    asha.copies_the_message()
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Follow up").click()
    expect(item).to_contain_text("for Ramesh Yadav")
    item.get_by_role("button", name="Share again").click()
    expect(page.get_by_label("Driver", exact=True)).to_have_value("Ramesh Yadav, +91 98765 43210")

    # A driver who got it by WhatsApp is reminded there in one tap, and the queue stays open.
    page.context.route(re.compile("^https://wa.me/"), lambda route: route.fulfill(body="sent on"))
    with page.expect_popup(), page.expect_response(re.compile("/shared$")):
        page.get_by_role("link", name="WhatsApp Ramesh Yadav").click()
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Follow up").click()
    office.clock.advance(61)  # Too soon after the first, it would be no second reminder.
    undo = item.locator(".follow-undo [data-at]")
    first_sent = undo.get_attribute("data-at") or ""
    with page.expect_popup() as opened:
        item.get_by_role("button", name=re.compile("^Send again DL01 CB 2002 to Ramesh Yadav")).click()
    expect(opened.value).to_have_url(re.compile(r"^https://wa\.me/919876543210\?text=.*DL01"))
    opened.value.close()
    expect(undo).not_to_have_attribute("data-at", first_sent)
    expect(item.locator("[data-moves]")).to_have_count(0)
    item.locator(".follow-more summary").click()
    item.get_by_role("button", name="Share another way").click()
    expect(page.locator("#share-past").get_by_text("Sent on WhatsApp to Ramesh Yadav")).to_have_count(2)
    page.go_back()

    item.locator(".follow-more summary").click()
    item.get_by_role("button", name="Add the note").click()
    expect(item.locator(".field-error")).to_have_text("Write the note.")
    item.get_by_label("Note on DL01 CB 2002").fill("Pays at the depot tonight")
    item.get_by_role("button", name="Add the note").click()
    expect(item).to_contain_text("Pays at the depot tonight")
    expect(item).to_contain_text("Asha Rao")
    asha.is_accessible_and_fits_phones("following up")

    item.locator(".follow-more summary").click()
    item.get_by_role("button", name="4 hours").click()
    expect(page.locator("main")).to_contain_text("Nothing to follow up.")
    expect(page.get_by_role("heading", name="Snoozed · 1 link")).to_be_visible()
    expect(item).to_contain_text(re.compile(r"Snoozed till (\d+ \w+, )?\d+:\d\d\s[ap]m by Asha Rao"))
    page.locator("summary", has_text="Snoozed").click()
    item.locator(".follow-more summary").click()
    item.get_by_role("button", name="Undo snooze").click()
    expect(page.get_by_role("heading", name="Snoozed · 1 link")).to_have_count(0)
    item.locator(".plate-link").click()
    asha.sees_in_the_timeline("Pays at the depot tonight")

    # A paid link leaves the queue.
    office.levers.pay(link_id)
    asha.sees_status("PAID")
    asha.opens("/follow-up")
    expect(page.locator("main")).to_contain_text("Nothing to follow up.")


def test_the_typed_details_of_a_driver_survive_the_end_of_the_session(asha: ManagersDesk, office: Office):
    page = asha.page
    asha.opens("/drivers")
    page.get_by_label("Name").fill("Ravi Kumar")
    page.get_by_label("Phone").fill("98765 43210")
    office.clock.advance(3600)
    page.get_by_role("button", name="Add the driver").click()
    expect(page.get_by_text("What you entered is saved")).to_be_visible()
    asha.signs_in(ASHA.email)
    expect(page.get_by_role("heading", name="Not saved yet")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Ravi Kumar")
    asha.is_accessible_and_fits_phones("what waits to be saved")
    page.get_by_role("button", name="Save it", exact=True).click()
    expect(page.locator("#driver-new")).to_contain_text("Ravi Kumar is added.")


def test_the_follow_up_queue_works_by_keyboard_alone(asha: ManagersDesk, office: Office):
    page = asha.page
    first, second = links_of(office, CAR, ASHA, [2500, 900])
    for link_id in (first, second):
        ends_soon(office, link_id)
    asha.opens("/follow-up")
    page.locator("h1").click()
    reach(page, "Snooze, note for DL01 CB 2002")
    page.keyboard.press("Enter")
    reach(page, "Snooze 4 hours")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Snoozed · 1 link")).to_be_visible()
    reach(page, "Snooze, note for DL01 CB 2002")
    page.keyboard.press("Enter")
    reach(page, "Note on DL01 CB 2002")
    page.keyboard.type("Called")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Called")


def test_custom_fields_are_in_the_filter_and_in_the_exports(meera: ManagersDesk, office: Office, tmp_path: Path):
    page = meera.page
    first, second = links_of(office, CAR, MEERA, [2500, 900])
    [other] = links_of(office, TRUCK, ASHA, [1200])
    meera.opens(f"/vehicles/{CAR}")
    writes_our_fields(page, cost_centre="Pune depot", trip="T-4711")
    meera.opens(f"/links/{first}")
    own = page.locator("#own-fields")
    expect(own).to_contain_text("Pune depot from the vehicle")
    writes_our_fields(page, customer='=HYPERLINK("http://evil")', note="Recharge in May")
    expect(own).to_contain_text("Recharge in May")
    meera.is_accessible_and_fits_phones("a link with our own fields")
    meera.opens("/links")
    meera.filters(cost_centre="Pune depot")
    meera.sees_links(second, first)

    # The filtered list is exported in both formats and read back.
    rows = list(csv.DictReader(exported(page, tmp_path, "CSV").read_text("utf-8-sig").splitlines()))
    assert [row["Link id"] for row in rows] == [second, first]
    assert [row["Trip"] for row in rows] == ["T-4711", "T-4711"]
    assert rows[1]["Customer to recharge"] == '\'=HYPERLINK("http://evil")'
    truth = {link["id"]: link for link in office.levers.truth()["links"]}
    sheet = load_workbook(exported(page, tmp_path, "Excel (XLSX)", "A row for each challan")).active
    head, *lines = sheet.iter_rows(values_only=True)
    cells: list[dict[Any, Any]] = [dict(zip(head, line, strict=True)) for line in lines]
    assert [cell["Challan number"] for cell in cells] == [f"{CAR}C01", f"{CAR}C00"]
    assert [Decimal(row["Total (INR)"]) for row in rows] == [Decimal(str(cell["Total (INR)"])) for cell in cells]
    assert all(truth[cell["Link id"]]["paymentUrl"] == cell["Payment URL"] for cell in cells)
    assert {cell["Made by"] for cell in cells} == {"Meera Iyer"}
    assert other not in {row["Link id"] for row in rows}


def writes_our_fields(page: Page, **typed: str) -> None:
    page.locator("#own-fields summary").click()
    for name, value in typed.items():
        page.locator(f"#own-{name}").fill(value)
    page.get_by_role("button", name="Save details").click()
    for value in typed.values():
        expect(page.locator("#own-fields dl")).to_contain_text(value)


def exported(page: Page, folder: Path, kind: str, rows: str = "A row for each link") -> Path:
    if not page.get_by_label(rows).is_visible():
        page.locator(".views summary", has_text="Export").click()
    page.get_by_label(rows).check()
    page.get_by_label(kind).check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export", exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_staff_read_which_role_exports_and_the_overview_need(asha: ManagersDesk, office: Office):
    links_of(office, CAR, ASHA, [2500])
    asha.opens("/links")
    expect(asha.page.get_by_role("button", name="Export", exact=True)).to_have_count(0)
    for address in ("/links/export?format=csv", "/links/export.xlsx"):
        asha.opens(address)
        asha.sees_which_role_is_needed()
    menu = asha.page.get_by_role("navigation", name="Main")
    expect(menu.get_by_role("link", name="Overview")).to_have_count(0)
    asha.opens("/overview")
    asha.sees_which_role_is_needed()


@pytest.fixture
def noon(office: Office) -> None:
    """Start at noon, so that the day does not change during the test."""
    office.moves_to_noon()


@pytest.mark.usefixtures("noon")
def test_every_bar_of_the_overview_leads_to_the_links_it_counts(meera: ManagersDesk, office: Office):
    page = meera.page
    meera.opens("/overview")
    expect(page.locator("main")).to_contain_text("No payment link yet.")
    first, second = links_of(office, CAR, ASHA, [2500, 900])
    [third] = links_of(office, TRUCK, ASHA, [1200])
    office.levers.pay(second)
    # Where all is of one day there are no columns.
    office.levers.set_link(second, paidAt=(office.clock() - timedelta(days=1)).isoformat())
    office.levers.expire(third)
    for link_id, status in ((second, "PAID"), (third, "EXPIRED")):
        office.polls_until(link_id, status=status)
    meera.opens("/overview")
    meera.is_accessible_and_fits_phones("the overview")
    for chart, bar, expected in (
        ("Collected by day", None, [second]),
        ("Collected by staff member", ASHA.name, [second]),
        ("Open by vehicle", "DL01 CB 2002", [first]),
    ):
        picture = page.get_by_role("region", name=chart)
        if chart == "Collected by day":
            column = picture.locator(".chart-columns-read a")
            column.focus()
            expect(column.get_by_text("₹")).to_be_visible()
            column.click()
        else:
            picture.get_by_role("link", name=bar).first.click()
        meera.sees_links(*expected)
        page.go_back()

    page.get_by_role("link", name="90 days").press("Enter")
    expect(page).to_have_url(re.compile(r"\?days=90$"))
    page.get_by_role("link", name=re.compile("^₹")).first.press("Enter")
    meera.sees_links(second)


@pytest.mark.usefixtures("noon")
@pytest.mark.parametrize("java_script_enabled", [True, False])
def test_the_overview_and_the_statement_of_any_days_are_chosen_on_a_phone(
    browser: Browser, office: Office, java_script_enabled: bool
):
    [link_id] = links_of(office, CAR, ASHA, [2500])
    office.levers.pay(link_id)
    office.polls_until(link_id, status="PAID")
    phone = {"viewport": {"width": 390, "height": 844}, "java_script_enabled": java_script_enabled}
    with tab_of(browser, office, MEERA, **phone) as tab:
        page, today = tab.page, office.clock().date()
        for address, shown in (("/overview", ".overview-top"), ("/reconcile/statement", ".balance")):
            tab.opens(address)
            page.locator(".period-days > summary").click()
            page.get_by_label("From", exact=True).fill(f"{today + timedelta(days=2)}")
            page.get_by_label("To", exact=True).fill(f"{today - timedelta(days=1)}")
            page.get_by_role("button", name="Show").click()
            expect(page.get_by_text("The last day is before the first.")).to_be_visible()
            expect(page.locator(shown)).to_be_visible()
            page.get_by_label("From", exact=True).fill(f"{today - timedelta(days=9)}")
            page.get_by_label("To", exact=True).fill(f"{today}")
            page.get_by_role("button", name="Show").click()
            expect(page.locator(shown)).to_be_visible()
            expect(page).to_have_url(re.compile(rf"{address}\?from={today - timedelta(days=9)}&to={today}"))
            page.locator(".period-days > summary").click()
            page.locator(".period-list").get_by_role("link", name="This month").click()
            expect(page).to_have_url(re.compile(rf"from={today.replace(day=1)}&to={today}"))


def test_a_driver_is_added_after_mistakes_corrected_and_removed(asha: ManagersDesk, office: Office):
    page = asha.page
    [link_id] = links_of(office, CAR, ASHA, [2500])
    asha.opens("/drivers")
    expect(page.locator("main")).to_contain_text("No driver yet.")
    asha.adds_a_driver(phone="12", email="ramesh@", vehicles="!!")
    for name, words in (
        ("name", "Enter the driver’s name."),
        ("phone", "Enter ten digits, or a number with its country such as +91 98765 43210."),
        ("email", "Enter an email address such as ramesh@fleet.example."),
    ):
        expect(page.locator(f"#{name}-error")).to_have_text(words)
    expect(page.locator("#vehicles")).to_have_value("!!")
    asha.is_accessible_and_fits_phones("a driver with mistakes")
    asha.fills_the_driver(name="Ramesh Yadav", phone="9876543210", email="", vehicles=f"{CAR}, {TRUCK}")
    page.get_by_role("button", name="Add the driver").click()
    expect(page.locator("#driver-new")).to_contain_text("Ramesh Yadav is added.")
    asha.opens("/drivers")
    row = page.get_by_role("row", name="Ramesh Yadav")
    expect(row).to_contain_text("KA05 MN 4321")
    asha.is_accessible_and_fits_phones("the drivers")
    row.get_by_role("link", name="Ramesh Yadav", exact=True).click()
    page.get_by_text("Change details").click()
    page.get_by_role("button", name="Driver has left").click()
    expect(page.locator("h1")).to_contain_text("has left")
    asha.opens(f"/links/{link_id}")
    asha.shares()
    expect(page.get_by_label("Driver", exact=True)).to_have_value("")
    expect(page.locator("#share-to-drivers option")).to_have_count(0)


def test_two_people_who_edit_a_driver_at_once_see_each_others_changes(
    asha: ManagersDesk, office: Office, browser: Browser
):
    asha.opens("/drivers")
    asha.adds_a_driver(name="Ramesh Yadav", phone="98765 43210")
    asha.page.get_by_role("link", name="Open Ramesh Yadav").click()
    expect(asha.page).to_have_url(re.compile(r"/drivers/\d+$"))
    driver = asha.page.url.removeprefix(office.url)
    with tab_of(browser, office, MEERA) as meera:
        meera.opens(driver)
        meera.page.get_by_text("Change details", exact=True).click()
        meera.page.get_by_label("Phone").fill("98765 43211")
        meera.page.get_by_role("button", name="Save the driver").click()
        expect(meera.page.get_by_role("link", name="Call +91 98765 43211")).to_be_visible()
    asha.page.get_by_text("Change details", exact=True).click()
    asha.page.get_by_label("Note").fill("Night shift only")
    asha.page.get_by_role("button", name="Save the driver").click()
    notice = asha.page.locator("main form .notice")
    expect(notice).to_contain_text("Meera Iyer saved this at")
    expect(notice).to_contain_text("The form has their change already: Phone")
    expect(notice).to_be_focused()
    asha.is_accessible_and_fits_phones("a driver whom somebody else has changed")
    expect(asha.page.get_by_label("Note")).to_have_value("Night shift only")
    expect(asha.page.get_by_label("Phone")).to_have_value("98765 43211")
    asha.page.get_by_role("button", name="Save the driver").click()
    expect(notice).to_have_count(0)
    expect(asha.page.get_by_label("Phone")).to_have_value("98765 43211")


def test_a_managers_pages_are_complete_without_javascript(office: Office, browser: Browser, tmp_path: Path):
    [link_id] = links_of(office, CAR, ASHA, [2500])
    ends_soon(office, link_id)
    with tab_of(browser, office, MEERA, java_script_enabled=False) as meera:
        page = meera.page
        meera.opens("/follow-up")
        item = meera.waiting(link_id)
        item.locator(".follow-more summary").click()
        item.get_by_label("Note on DL01 CB 2002").fill("Called")
        item.get_by_role("button", name="Add the note").click()
        expect(item).to_contain_text("Called")
        item.locator(".follow-more summary").click()
        item.get_by_role("button", name="4 hours").click()
        expect(page.get_by_role("heading", name="Snoozed · 1 link")).to_be_visible()
        meera.opens(f"/links/{link_id}")
        writes_our_fields(page, trip="T-4711")
        meera.opens("/messages/ta")
        page.get_by_label("Message in Tamil").fill("{url}")
        page.get_by_role("button", name="Save message").click()
        expect(page.locator("main")).to_contain_text("Changed by Meera Iyer")
        meera.opens("/links")
        rows = list(csv.DictReader(exported(page, tmp_path, "CSV").read_text("utf-8-sig").splitlines()))
        assert [(row["Link id"], row["Trip"]) for row in rows] == [(link_id, "T-4711")]
        meera.opens("/overview")
        page.get_by_role("region", name="Open by vehicle").get_by_role("link").first.click()
        meera.sees_links(link_id)
