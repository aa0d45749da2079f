"""Test what the scripts do on pages of many states, drawn once: a test answers their polls itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

import pytest
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser, Locator, Page, expect

from tests.gallery.drawn import Drawn

pytestmark = pytest.mark.e2e

_HUGE = "many: a vehicle of 230 challans"
_REVIEW = "reviews: the review of the first hundred"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def ground(button: Locator) -> str:
    return str(button.evaluate("button => getComputedStyle(button).backgroundColor"))


def panel_of(drawn: Drawn, name: str) -> Tag:
    panel = BeautifulSoup(drawn["en"][name], "lxml").select_one("#link-panel")
    assert panel is not None
    return panel


def test_ticks_are_counted_exactly_and_survive_the_filters(page: Page, address: str) -> None:
    page.goto(f"{address}/{_HUGE}")
    rows = page.locator("tr.challan-payable")
    count, shown = rows.count(), page.locator("tr.challan-payable:visible")
    unknown = rows.locator(".total .amount-unknown").count()
    summary = page.locator("#selection-summary [data-words]")
    page.get_by_label("Select all payable").check()
    expect(summary).to_have_text(re.compile(rf"^{count} of {count} selected · ₹.* \+ {unknown} unknown"))
    page.get_by_label("Contains").fill("parking")
    expect(shown).not_to_have_count(count)
    some = shown.count()
    assert 0 < some < count
    expect(page.get_by_text(f"{some} shown, {count - some} hidden also selected")).to_be_visible()
    page.locator(".filters").get_by_role("button", name="Show all").click()
    rows.first.get_by_role("checkbox").uncheck()
    assert page.get_by_label("Select all payable").evaluate("box => box.indeterminate")


@pytest.mark.parametrize(
    "name",
    ["one: a vehicle with nothing payable", "many: a vehicle of one link", "many: a vehicle of every kind of challan"],
)
def test_nothing_stands_over_the_buttons_of_a_vehicle(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/{name}")
    for button in ("Refresh from source", "Search"):
        page.get_by_role("button", name=button, exact=True).click(trial=True)


def test_a_link_that_is_paid_while_watched_is_said_and_cannot_be_copied_any_more(
    page: Page, address: str, drawn: Drawn
) -> None:
    paid = str(panel_of(drawn, "many: a paid link"))
    page.route("**/panel?*", lambda route: route.fulfill(body=paid, content_type="text/html"))
    page.goto(f"{address}/many: an active link")
    expect(page.locator("#announcer")).to_contain_text("Paid", timeout=15_000)
    expect(page.locator("#link-panel")).to_have_attribute("data-status", "PAID")
    expect(page).to_have_title(re.compile("^Paid"))
    expect(page.get_by_role("button", name="Copy link")).to_be_disabled()
    expect(page.get_by_text("Copying is off. This link is paid; there is nothing to share.")).to_be_visible()


def test_a_link_past_its_end_is_not_called_active_where_copying_goes_off(
    page: Page, address: str, drawn: Drawn
) -> None:
    panel = panel_of(drawn, "many: an active link")
    panel["data-copyable"], panel["data-off"] = "false", "This link has most likely ended."
    page.route("**/panel?*", lambda route: route.fulfill(body=str(panel), content_type="text/html"))
    page.goto(f"{address}/many: an active link")
    expect(page.get_by_text("Copying is off. This link has most likely ended.")).to_be_visible(timeout=15_000)


@pytest.mark.parametrize("name", ["sharing: a message", "sharing: the QR code"])
def test_what_was_prepared_for_sharing_lapses_by_itself_and_comes_back_with_a_check(
    page: Page, address: str, name: str
) -> None:
    page.route("**/panel?*", lambda route: route.abort())
    page.clock.install()
    page.goto(f"{address}/{name}")
    ways, lapsed = page.locator("share-options"), page.locator("[data-lapsed]")
    page.clock.fast_forward(40_000)
    expect(ways).to_be_visible()
    expect(lapsed).to_be_hidden()
    page.clock.fast_forward(22_000)
    expect(ways).to_be_hidden()
    expect(lapsed).to_be_visible()
    # Another region's answer says nothing about the link; the link's own panel says when it was checked.
    for source, at, back in (("main", "10:00:30", False), ("link-panel", "10:00:00", True)):
        detail = {"at": f"2026-11-21T{at}Z", "now": "2026-11-21T10:00:30Z"}
        told = "([id, detail]) => document.getElementById(id)?.dispatchEvent("
        page.evaluate(f"{told}new CustomEvent('checked', {{ bubbles: true, detail }}))", [source, detail])
        expect(ways).to_be_visible(visible=back)
        expect(lapsed).to_be_visible(visible=not back)


def test_drivers_are_saved_next_only_once_somebody_is_typed(page: Page, address: str) -> None:
    page.goto(f"{address}/follow_up: choose drivers")
    send = page.get_by_role("button", name="Save and send")
    before = ground(send)
    page.get_by_label("Driver of MH12 FU 0007").fill("Ramesh")
    expect(send).not_to_have_css("background-color", before)


def test_while_details_of_a_driver_are_changed_only_saving_them_is_filled(page: Page, address: str) -> None:
    page.goto(f"{address}/sharing: a driver, fields that are wrong")
    save, add = page.get_by_role("button", name="Save the driver"), page.get_by_role("link", name="Add phone number")
    filled = ground(save)
    expect(add).not_to_have_css("background-color", filled)
    page.get_by_text("Change details").click()
    expect(add).to_have_css("background-color", filled)


def test_the_presets_fill_in_the_hours_and_the_end_is_told(page: Page, address: str) -> None:
    page.goto(f"{address}/{_REVIEW}")
    hours, ends = page.get_by_label("Expires after (hours)"), page.locator(".expiry-ends")
    page.get_by_role("button", name="3 days").click()
    expect(hours).to_have_value("72")
    expect(ends).to_have_text(re.compile(r"^Valid till \d+ \w+, \d+:\d\d\s[ap]m\.$"))
    why = page.get_by_text("Enter a whole number of hours from 24 to 168.")
    expect(why).to_be_hidden()
    hours.fill("")
    hours.press("1")
    expect(why).to_be_hidden()
    hours.press("2")
    expect(ends.get_by_text("Valid till")).to_be_hidden()
    expect(why).to_be_visible()
    expect(hours).to_have_attribute("aria-invalid", "true")
    expect(hours).to_have_accessible_description("Enter a whole number of hours from 24 to 168.")
    page.get_by_role("button", name="3 days").click()
    expect(why).to_be_hidden()
    expect(hours).not_to_have_attribute("aria-invalid", "true")


def test_without_a_script_nothing_dead_is_shown(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/{_HUGE}")
    expect(page.get_by_role("button", name="Review and create")).to_be_visible()
    expect(page.get_by_label("Contains")).to_be_hidden()
    expect(page.get_by_label("Select all payable")).to_be_hidden()
    expect(page.locator('input[name="challan"]')).to_have_count(page.locator("tr.challan-payable").count())
    page.goto(f"{address}/{_REVIEW}")
    expect(page.get_by_role("button", name="Create payment link")).to_be_visible()
    expect(page.get_by_role("button", name="3 days")).to_be_hidden()
    context.close()


def test_the_browser_keeps_no_trace_of_what_was_opened(page: Page, address: str) -> None:
    page.goto(f"{address}/{_HUGE}")
    assert page.evaluate("Object.keys(sessionStorage).concat(Object.keys(localStorage))") == []


def test_the_arrow_keys_lead_from_day_to_day_of_a_chart_and_show_what_was_collected(page: Page, address: str) -> None:
    page.goto(f"{address}/month: overview")
    days = page.locator(".chart-columns-read [tabindex]")
    days.first.focus()
    for number in (0, 1):
        expect(days.nth(number)).to_be_focused()
        expect(days.nth(number).locator(".chart-value")).to_have_css("opacity", "1")
        page.keyboard.press("ArrowRight")
    days.last.focus()
    page.keyboard.press("ArrowRight")
    expect(days.last).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_text("As a table")).to_be_focused()


def test_on_a_phone_the_parts_of_a_statement_stand_in_one_column_and_add_up(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/month: statement by day")
    days = page.locator(".table-statement tbody:not(.statement-totals) tr")
    opened = days.filter(has=page.locator("td:nth-child(2) .statement-amount"))
    figures = (
        opened.filter(has=page.locator("td:nth-child(5) .statement-amount"))
        .first.locator("td:visible")
        .evaluate_all(
            """all => all.map(each => {
              const amount = each.querySelector(".statement-amount, .nothing");
              return [each.dataset.label, amount.textContent, Math.round(amount.getBoundingClientRect().right)];
            })"""
        )
    )
    amounts = {label: Decimal(amount.strip("₹").replace(",", "")) for label, amount, _right in figures}
    # By the hour of the drawing something was created or paid on that day, or not; what is empty is not seen.
    parts = ["Open at start", "Created", "Paid", "Ended unpaid", "Open at end"]
    assert list(amounts) == [part for part in parts if part in amounts]
    start, created, paid, unpaid = (amounts.get(part, Decimal(0)) for part in parts[:-1])
    assert start + created - paid - unpaid == amounts["Open at end"]
    assert len({right for _label, _amount, right in figures}) == 1, "amounts end at one edge"


def test_on_paper_each_figure_of_a_statement_stands_below_its_head(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 within its margins.
    page.emulate_media(media="print")
    page.goto(f"{address}/month: statement")
    ends = "each => Math.round(each.getBoundingClientRect().right)"
    table = page.locator(".table-statement")
    heads = table.locator("thead th").evaluate_all(f"all => all.map({ends})")
    for row in table.locator("tbody tr").all():
        assert row.locator(":is(th, td)").evaluate_all(f"all => all.map({ends})") == heads
    expect(page.locator(".period-days > summary")).to_be_visible()
    for control in (".period-choices", ".statement-views", ".statement-exports"):
        expect(page.locator(control)).to_be_hidden()
