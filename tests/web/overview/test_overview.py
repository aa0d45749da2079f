"""The overview shows the figures of the ledger, and every bar leads to a list of exactly what it counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from flask import Flask
from sqlalchemy import update

from dashboard.domain.links import AmountBreakdown, PaymentLink
from dashboard.services.links import ledger
from dashboard.store.links.tables import link
from dashboard.store.operations import call_counts
from tests.support.clock import MovableClock
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web.links.test_list import Ledger, link_id, shown

#: Noon in India of a Wednesday, far from where a day or a week begins.
NOON = datetime(2026, 11, 18, 6, 30, tzinfo=UTC)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock(NOON)


@pytest.fixture
def entered(app: Flask, clock: MovableClock) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def made_ago(entered: Ledger, number: int, **span: float) -> None:
    with entered.services.store.write() as connection:
        moment = entered.clock() - timedelta(**span)
        connection.execute(update(link).where(link.c.id == link_id(number)).values(first_seen_at=moment))


def paid_ago(entered: Ledger, number: int, *, hours: float, waited: float) -> None:
    """Have a link paid `hours` ago, and made `waited` hours before that."""
    paid_at = entered.clock() - timedelta(hours=hours)
    values = {"status": "PAID", "paid_at": paid_at, "first_seen_at": paid_at - timedelta(hours=waited)}
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(number)).values(**values))


def table(page: Page, title: str) -> dict[str, list[str]]:
    """Return the cells of each row of a chart's table, by its label."""
    [section] = [each for each in page.all("section.chart") if words(each.h2.get_text()) == title]  # type: ignore[union-attr]
    rows = section.select("tbody tr")
    return {words(row.th.get_text()): [words(cell.get_text()) for cell in row.select("td")] for row in rows}  # type: ignore[union-attr]


def leads(page: Page, title: str) -> dict[str, str]:
    """Return the address of each row's first number, by its label."""
    [section] = [each for each in page.all("section.chart") if words(each.h2.get_text()) == title]  # type: ignore[union-attr]
    return {
        words(row.th.get_text()): str(row.a["href"])  # type: ignore[union-attr,index]
        for row in section.select("tbody tr")
        if row.a
    }


def test_without_links_the_overview_says_what_to_do(manager: WebClient) -> None:
    assert "Figures appear once there are links." in manager.page("/overview").text


def test_staff_read_that_the_page_is_for_managers(staff: WebClient) -> None:
    assert "This is for managers and administrators" in staff.page("/overview", status=403).text


def test_open_amounts_are_shown_by_age_and_lead_to_their_links(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=Decimal(100))
    entered.enter(2, total=Decimal("20.50"))
    entered.enter(3, total=Decimal(3), status="PAID")
    entered.enter(4, total=None)
    made_ago(entered, 2, days=4)
    made_ago(entered, 4, days=30)
    page = manager.page("/overview")
    rows = table(page, "Open, by age")
    assert rows["Made today"] == ["₹100.00 · 1 link"]
    assert rows["2 to 6 days ago"] == ["₹20.50 · 1 link"]
    assert rows["7 days ago and more"] == ["1 unknown · 1 link"]
    addresses = leads(page, "Open, by age")
    assert shown(manager.page(addresses["2 to 6 days ago"])) == [2]
    assert shown(manager.page(addresses["7 days ago and more"])) == [4]
    assert "₹120.50 3 links, 1 with amount not known yet" in page.text


def test_states_and_vehicles_lead_to_their_links(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, "KA05MN4321", total=Decimal(900))
    entered.enter(2, total=Decimal(5))
    entered.enter(3, status="EXPIRED")
    page = manager.page("/overview")
    assert table(page, "Links, by state") == {"Active": ["2"], "Expired": ["1"]}
    assert shown(manager.page(leads(page, "Links, by state")["Expired"])) == [3]
    assert list(table(page, "Open, by vehicle")) == ["KA05 MN 4321", "MH12 AB 1001"]
    assert shown(manager.page(leads(page, "Open, by vehicle")["KA05 MN 4321"])) == [1]


def test_weeks_count_links_made_paid_and_lapsed_and_lead_to_them(manager: WebClient, entered: Ledger) -> None:
    for number in (1, 2, 3):
        entered.enter(number, status="EXPIRED" if number == 3 else "ACTIVE")
    paid_ago(entered, 1, hours=24 * 14, waited=3)
    page = manager.page("/overview")
    title = "Links made, paid and lapsed, by week"
    rows = table(page, title)
    assert list(rows.values())[-1] == ["2", "0", "1"]
    assert list(rows.values())[-3] == ["1", "1", "0"]
    [section] = [each for each in page.all("section.chart") if each.h2 and words(each.h2.get_text()) == title]
    last = section.select("tbody tr")[-1].select("a")
    assert [sorted(shown(manager.page(str(a["href"])))) for a in last] == [[2, 3], [3]]


def test_a_payment_that_the_service_took_back_is_not_counted_as_paid(manager: WebClient, entered: Ledger) -> None:
    for number in (1, 2):
        entered.enter(number, total=Decimal(100))
        paid_ago(entered, number, hours=0.5, waited=1)
    with entered.services.store.write() as connection:
        # The service took the payment back, and still sends its time.
        connection.execute(update(link).where(link.c.id == link_id(2)).values(status="FAILED"))
    page = manager.page("/overview")
    assert "Paid in 12 weeks ₹100.00 1 link" in page.text
    title = "Links made, paid and lapsed, by week"
    assert list(table(page, title).values())[-1] == ["2", "1", "1"]
    [section] = [each for each in page.all("section.chart") if each.h2 and words(each.h2.get_text()) == title]
    last = section.select("tbody tr")[-1].select("a")
    assert [sorted(shown(manager.page(str(a["href"])))) for a in last] == [[1, 2], [1], [2]]
    [fact] = [a for a in page.all(".overview-fact a") if "of=paid" in str(a["href"])]
    assert shown(manager.page(str(fact["href"]))) == [1]


def test_links_paid_without_a_time_are_counted_beside_the_others(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=Decimal(100))
    paid_ago(entered, 1, hours=0.5, waited=1)
    assert "without a time" not in manager.page("/overview").text
    entered.enter(2, total=Decimal("20.50"), status="PAID")
    entered.enter(3, total=None, status="PAID")
    page = manager.page("/overview")
    assert "₹100.00 1 link; 2 more paid, payment time not known, ₹20.50 + 1 unknown" in page.text
    assert "2 links paid, payment time not known, so not in any week." in page.text


def test_the_time_to_payment_is_shown_as_median_and_distribution(manager: WebClient, entered: Ledger) -> None:
    for number, waited, more in (
        (1, 0.5, "the only payment so far"),
        (2, 3, "median of 2 payments"),
        (3, 30, "median of 3 payments"),
    ):
        entered.enter(number)
        paid_ago(entered, number, hours=5, waited=waited)
        page = manager.page("/overview")
        assert more in page.text
    assert "Time to payment 3.0 h" in page.text
    rows = table(page, "From making to payment, last 12 weeks")
    assert [rows[label][0] for label in ("Within 1 h", "1 to 6 h", "6 to 24 h", "24 to 48 h", "Later")] == list("11010")
    bars = page.all("#chart-waits ~ .chart-bars a")
    assert [shown(manager.page(str(bar["href"]))) for bar in bars] == [[1], [2], [3]]
    listed = manager.page(str(bars[1]["href"]))
    assert listed.field("Time to payment").select_one("[selected]").get_text() == "1 to 6 h"


def test_the_savings_of_the_cheaper_mode_are_summed_exactly(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    modes = tuple(
        AmountBreakdown(None, None, None, None, total, mode)
        for mode, total in (("UPI", Decimal("14250.50")), ("CREDIT_CARD", Decimal("14586.81")))
    )
    with entered.services.store.write() as connection:
        answer = PaymentLink(id=link_id(1), status="ACTIVE", payment_mode_options=modes)
        ledger.enter_link(connection, answer, entered.services.schedule, entered.clock())
    assert "₹336.31 more can be saved on open links" in manager.page("/overview").text
    paid_ago(entered, 1, hours=1, waited=1)
    page = manager.page("/overview")
    assert "Saved by the cheaper way to pay (maximum) ₹336.31" in page.text
    by_week = table(page, "Saved by the cheaper way to pay (maximum), by week")
    assert list(by_week.values())[-1] == ["₹336.31 · 1 link"]
    assert "Unknown of" not in page.text
    assert next(iter(by_week.values())) == ["₹0.00 · 0 links"]
    entered.enter(2)
    paid_ago(entered, 2, hours=1, waited=1)
    assert "in each week. Unknown of 1 link." in manager.page("/overview").text
    (bar,) = page.all("#chart-savings ~ .chart-picture a")
    assert shown(manager.page(str(bar["href"]))) == [2, 1]


def test_challans_on_open_links_are_shown_by_type(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=Decimal(700))
    rows = table(manager.page("/overview"), "Challans on open links, by type")
    assert rows == {"Not stated": ["₹700.00 · 1 challan"]}


def test_calls_to_the_service_are_shown_by_day(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    with entered.services.store.write() as connection:
        day = entered.clock() + timedelta(hours=5, minutes=30)
        call_counts.add(connection, f"{day:%Y-%m-%d}", "search", 41)
        call_counts.add(connection, f"{day:%Y-%m-%d}", "search", 1)
    assert list(table(manager.page("/overview"), "Calls to the service, by day").values())[-1] == ["42", "0", "0"]


def test_every_bar_fits_its_picture(manager: WebClient, entered: Ledger) -> None:
    for number in range(1, 6):
        entered.enter(number, f"MH12AB{number:04}")
    page = manager.page("/overview")
    for picture in page.all("svg.chart-picture"):
        _, _, width, height = map(float, str(picture["viewbox"]).split())
        for bar in picture.select("rect"):
            assert float(str(bar["x"])) + float(str(bar["width"])) <= width
            assert float(str(bar["y"])) + float(str(bar["height"])) <= height
