"""The overview shows the figures of the ledger, and every bar leads to a list of exactly what it counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from bs4 import Tag
from flask import Flask
from sqlalchemy import event, insert, update

from dashboard.domain.links import AmountBreakdown, PaymentLink
from dashboard.domain.sharing import Channel
from dashboard.services.links import ledger
from dashboard.store.accounts import people
from dashboard.store.engine import Store
from dashboard.store.links.tables import link, link_challan
from dashboard.store.sharing import shares
from dashboard.store.sharing.drivers import driver
from dashboard.web.overview import texts
from tests.support.clock import MovableClock
from tests.support.page import Page, words
from tests.support.people import ASHA, MEERA
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


@pytest.fixture
def asked(store: Store) -> list[str]:
    """Return the statements that the store executes."""
    found: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *of: found.append(of[2]))
    return found


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


def given_to(entered: Ledger, names: dict[int, tuple[str, ...]]) -> dict[str, int]:
    """Have links given to drivers, by number of the link; return the drivers' ids by name."""
    ids: dict[str, int] = {}
    with entered.services.store.write() as connection:
        person = people.find_by_email(connection, MEERA.email)
        assert person is not None
        now = entered.clock()
        for number, drivers in names.items():
            for name in drivers:
                if name not in ids:
                    new = insert(driver).values(name=name, language="en", added_at=now, added_by=person.id)
                    ids[name] = connection.execute(new.returning(driver.c.id)).scalar_one()
                shares.add(
                    connection,
                    link_id=link_id(number),
                    driver_id=ids[name],
                    channel=Channel.WHATSAPP,
                    language="en",
                    person_id=person.id,
                    at=now,
                )
    return ids


def section(page: Page, title: str) -> Tag:
    [found] = [each for each in page.all("section.chart") if words(each.select_one("h2, h3").get_text()) == title]  # type: ignore[union-attr]  # It is on the page.
    return found


def table(page: Page, title: str) -> dict[str, str]:
    """Return what a chart says of each of its bars or columns, by their labels."""
    chart = section(page, title)
    rows = {
        words(row.select_one(".chart-words > :first-child").get_text()): words(row.strong.get_text())
        for row in chart.select(".chart-bars li")
    }  # type: ignore[union-attr]  # It is on the page.
    return rows | {words(row.th.get_text()): words(row.td.get_text()) for row in chart.select("tbody tr")}  # type: ignore[union-attr]  # It is on the page.


def leads(page: Page, title: str) -> dict[str, str]:
    """Return the address of each bar or column, by its label."""
    chart = section(page, title)
    rows = {
        words(row.select_one(".chart-words > :first-child").get_text()): str(row.a["href"])
        for row in chart.select(".chart-bars li")
        if row.a
    }  # type: ignore[union-attr]  # It is on the page.
    return rows | {words(row.th.get_text()): str(row.a["href"]) for row in chart.select("tbody tr") if row.a}  # type: ignore[union-attr]  # It is on the page.


def fact(page: Page, label: str) -> Tag:
    [found] = [each for each in page.all(".overview-fact") if words(each.dt.get_text()) == label]  # type: ignore[union-attr]  # It is on the page.
    return found


def said(page: Page, label: str) -> str:
    return words(fact(page, label).dd.get_text(" "))  # type: ignore[union-attr]  # It is on the page.


def listed(manager: WebClient, page: Page, label: str) -> list[int]:
    return sorted(shown(manager.page(str(fact(page, label).a["href"]))))  # type: ignore[index]  # It is on the page.


def test_without_links_the_overview_says_what_to_do(manager: WebClient) -> None:
    page = manager.page("/overview")
    assert "No payment link yet. This page will show what is open, what was collected each day" in page.text
    assert page.one(".empty a").get_text() == "Search a vehicle"


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
    assert table(page, "Open now") == {
        "Known since today": "₹100.00 · 1 link",
        "2 to 6 days ago": "₹20.50 · 1 link",
        "7 days ago and more": "Amount unknown · 1 link",
    }
    addresses = leads(page, "Open now")
    assert shown(manager.page(addresses["2 to 6 days ago"])) == [2]
    assert shown(manager.page(addresses["7 days ago and more"])) == [4]
    assert said(page, "Open now") == "₹120.50 3 links, amount of 1 unknown"
    assert listed(manager, page, "Open now") == [1, 2, 4]


def test_what_is_open_and_all_of_one_age_is_said_once(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=Decimal(100))
    page = manager.page("/overview")
    assert said(page, "Open now") == "₹100.00 1 link · Known since today", "it was created outside, nobody knows when"
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(1)).values(person_id=1))
    page = manager.page("/overview")
    assert said(page, "Open now") == "₹100.00 1 link · Created today"
    assert words(section(page, "Open now").get_text(" ")).count("₹100.00") == 1


def test_open_vehicles_lead_to_their_own_links_alone(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, "KA05MN432", total=Decimal(900))
    entered.enter(2, "KA05MN4321", total=Decimal(5))
    page = manager.page("/overview")
    assert list(table(page, "Open by vehicle")) == ["KA05 MN 432", "KA05 MN 4321"]
    assert shown(manager.page(leads(page, "Open by vehicle")["KA05 MN 432"])) == [1]
    assert shown(manager.page("/links?vehicle=KA05MN43")) == [2, 1]


@pytest.mark.parametrize(
    ("query", "chosen", "days", "paid"),
    [
        ("", "30 days", "20 Oct to 18 Nov 2026", [1, 2]),
        ("?days=7", "7 days", "12 to 18 Nov 2026", [1]),
        ("?days=90", "90 days", "21 Aug to 18 Nov 2026", [1, 2, 3]),
        ("?days=8", "30 days", "20 Oct to 18 Nov 2026", [1, 2]),
    ],
)
def test_the_address_names_the_period(
    manager: WebClient, entered: Ledger, query: str, chosen: str, days: str, paid: list[int]
) -> None:
    for number, ago in ((1, 2), (2, 20), (3, 60)):
        entered.enter(number)
        paid_ago(entered, number, hours=24 * ago, waited=1)
    page = manager.page(f"/overview{query}")
    assert words(page.one(".period-choices [aria-current]").get_text()) == chosen
    assert words(page.one(".period-days > summary").get_text()) == f"Dates: {days}"
    assert listed(manager, page, "Collected") == paid


def test_a_period_is_compared_with_the_one_before_it(manager: WebClient, entered: Ledger) -> None:
    for number, ago, total in ((1, 2, 300), (2, 9, 200), (3, 40, 1)):
        entered.enter(number, total=Decimal(total))
        paid_ago(entered, number, hours=24 * ago, waited=1)
    page = manager.page("/overview?days=7")
    assert "Compared with 5 to 11 Nov 2026" in page.text
    assert "↑ ₹100.00 (50%) more Before: ₹200.00" in said(page, "Collected")
    assert said(page, "Links created") == "1 Same as before ₹300.00"
    assert "Ended unpaid" not in page.text, "of which there were none before either"
    assert said(page, "Time to payment").startswith("1.0 h Same as before")


def test_behind_each_day_stands_what_was_collected_as_many_days_before(manager: WebClient, entered: Ledger) -> None:
    for number, ago, total in ((1, 2, 300), (2, 9, 200), (3, 10, 50), (4, 10, 25), (5, 40, 1)):
        entered.enter(number, total=Decimal(total))
        paid_ago(entered, number, hours=24 * ago, waited=1)
    chart = section(manager.page("/overview?days=7"), "Collected by day")
    read = [words(each.get_text(" ")) for each in chart.select(".chart-value")]
    assert read == [
        "15 Nov ₹0.00 · 0 links Before, 8 Nov: ₹75.00 · 2 links",
        "16 Nov ₹300.00 · 1 link Before, 9 Nov: ₹200.00 · 1 link",
    ]
    heights = [float(str(bar["height"])) for bar in chart.select("rect.bar-before:not(.chart-key *)")]
    assert heights[0] < heights[1], "drawn on the same axis"
    assert [words(each.get_text()) for each in chart.select("thead th")] == ["Collected", "Before"]
    assert [words(row.get_text(" ")) for row in chart.select("tbody tr")] == [
        "15 Nov ₹0.00 · 0 links ₹75.00 · 2 links",
        "16 Nov ₹300.00 · 1 link ₹200.00 · 1 link",
    ]


def test_what_was_paid_tomorrow_by_a_clock_that_is_ahead_is_drawn_today(manager: WebClient, entered: Ledger) -> None:
    for number, hours in ((1, -20), (2, 48)):
        entered.enter(number, total=Decimal(100 * number))
        paid_ago(entered, number, hours=hours, waited=1)
    assert table(manager.page("/overview?days=7"), "Collected by day") == {
        "16 Nov": "₹200.00 · 1 link",
        "18 Nov": "₹100.00 · 1 link",
    }


def test_days_before_that_are_known_in_part_are_not_drawn(manager: WebClient, entered: Ledger) -> None:
    for number, ago in ((1, 2), (2, 9)):
        entered.enter(number)
        paid_ago(entered, number, hours=24 * ago, waited=1)
    chart = section(manager.page("/overview?days=7"), "Collected by day")
    assert not chart.select(".bar-before, .chart-before")


def test_behind_each_week_stands_the_week_as_many_weeks_before(manager: WebClient, entered: Ledger) -> None:
    for number, ago in ((1, 2), (2, 92), (3, 190)):
        entered.enter(number, total=Decimal(100))
        paid_ago(entered, number, hours=24 * ago, waited=1)
    chart = section(manager.page("/overview?days=90"), "Collected by week")
    assert [words(each.get_text(" ")) for each in chart.select(".chart-before")] == [
        "Before, 14 Aug to 20 Aug: ₹100.00 · 1 link"
    ]


def test_a_ledger_that_is_too_young_is_compared_with_nothing(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    page = manager.page("/overview")
    assert words(page.one(".overview-head .quiet").get_text()) == "No figures before 18 Nov"
    assert "Before" not in page.one("main").get_text()


def test_a_number_that_is_zero_is_shown_where_there_were_some_before(manager: WebClient, entered: Ledger) -> None:
    for number, ago in ((1, 9), (2, 40)):
        entered.enter(number)
        paid_ago(entered, number, hours=24 * ago, waited=1)
    assert said(manager.page("/overview?days=7"), "Links created") == "0 ↓ 1 less Before: 1"


def test_the_days_begin_with_the_first_figure_and_a_short_chart_is_filled_with_days_before_it(
    manager: WebClient, entered: Ledger
) -> None:
    entered.enter(1, total=Decimal(100))
    paid_ago(entered, 1, hours=24, waited=0)
    page = manager.page("/overview?days=30")
    assert len(page.all(".chart-columns-read > li")) == 7
    assert page.text.count("No figures before 17 Nov") == 1
    entered.enter(2, total=Decimal(100))
    paid_ago(entered, 2, hours=24 * 9, waited=0)
    page = manager.page("/overview?days=30")
    assert len(page.all(".chart-columns-read > li")) == 10
    assert page.text.count("No figures before 9 Nov") == 1
    assert not page.all(".chart-picture > .bar-unknown"), "it begins with the first figure"
    young = manager.page("/overview?days=7")
    assert "o figures before" not in young.text
    assert words(young.one(".overview-head .quiet").get_text()) == "Comparison with the days before starts 22 Nov"


def test_each_day_shows_what_was_collected_and_leads_to_it(manager: WebClient, entered: Ledger) -> None:
    for number, days in ((1, 1), (2, 1), (3, 9), (4, 25)):
        entered.enter(number, total=Decimal(25_000 * number))
        paid_ago(entered, number, hours=24 * days, waited=3)
    page = manager.page("/overview")
    assert table(page, "Collected by day") == {
        "24 Oct": "₹1,00,000.00 · 1 link",
        "9 Nov": "₹75,000.00 · 1 link",
        "17 Nov": "₹75,000.00 · 2 links",
    }
    addresses = leads(page, "Collected by day")
    assert sorted(shown(manager.page(addresses["17 Nov"]))) == [1, 2]
    chart = section(page, "Collected by day")
    assert [words(each.get_text()) for each in chart.select(".chart-values li")] == [
        "₹1.5 lakh",
        "₹1 lakh",
        "₹50,000",
        "₹0",
    ], "the largest column ends below the top of the axis"
    assert [str(each["href"]) for each in chart.select(".chart-columns-read a")] == list(addresses.values())


@pytest.mark.parametrize(
    ("days_ago", "query", "labels"),
    [
        (6, "", "12 Nov, 13 Nov, 14 Nov, 15 Nov, 16 Nov, 17 Nov, 18 Nov"),
        (29, "", "24 Oct, 29 Oct, 3 Nov, 8 Nov, 13 Nov, 18 Nov"),
        (60, "?days=7", "12 Nov, 13 Nov, 14 Nov, 15 Nov, 16 Nov, 17 Nov, 18 Nov"),
    ],
)
def test_the_axis_has_the_days_of_the_period_from_the_first_figure_on(
    manager: WebClient, entered: Ledger, days_ago: int, query: str, labels: str
) -> None:
    for number, days in ((1, 0), (2, days_ago)):
        entered.enter(number, total=Decimal(100))
        paid_ago(entered, number, hours=24 * days, waited=0)
    chart = section(manager.page(f"/overview{query}"), "Collected by day")
    assert ", ".join(words(each.get_text()) for each in chart.select(".chart-labels li")) == labels


def test_of_many_days_each_week_has_a_column_that_leads_to_its_links(manager: WebClient, entered: Ledger) -> None:
    for number, days in ((1, 0), (2, 6), (3, 7), (4, 89)):
        entered.enter(number, total=Decimal(100))
        paid_ago(entered, number, hours=24 * days, waited=0)
    page = manager.page("/overview?days=90")
    chart = section(page, "Collected by week")
    labels = [words(each.get_text()) for each in chart.select(".chart-labels li")]
    assert (len(labels), labels[0], labels[-2:]) == (13, "21 Aug", ["5 Nov", "12 Nov"]), "the last ends today"
    assert table(page, "Collected by week") == {
        "21 Aug to 26 Aug": "₹100.00 · 1 link",
        "5 Nov to 11 Nov": "₹100.00 · 1 link",
        "12 Nov to 18 Nov": "₹200.00 · 2 links",
    }
    addresses = leads(page, "Collected by week")
    assert [sorted(shown(manager.page(each))) for each in addresses.values()] == [[4], [3], [1, 2]]


def test_a_young_ledger_says_where_its_days_begin(manager: WebClient, entered: Ledger) -> None:
    for number, hours in ((1, 1), (2, 30)):
        entered.enter(number, total=Decimal(100))
        paid_ago(entered, number, hours=hours, waited=1)
    page = manager.page("/overview")
    assert table(page, "Collected by day") == {"17 Nov": "₹100.00 · 1 link", "18 Nov": "₹100.00 · 1 link"}
    assert page.text.count("No figures before 17 Nov") == 1
    assert shown(manager.page(leads(page, "Collected by day")["18 Nov"])) == [1]


def test_the_first_week_of_a_young_ledger_begins_where_its_figures_do(manager: WebClient, entered: Ledger) -> None:
    for number, days in ((1, 0), (2, 38)):
        entered.enter(number, total=Decimal(100))
        paid_ago(entered, number, hours=24 * days, waited=0)
    page = manager.page("/overview?days=90")
    assert "No figures before 11 Oct" in page.text
    assert next(iter(table(page, "Collected by week"))) == "11 Oct to 14 Oct", "and no column is named by a day before"


def test_what_was_collected_is_shown_by_vehicle_and_person(
    manager: WebClient, staff: WebClient, entered: Ledger
) -> None:
    entered.enter(1, "KA05MN4321", total=Decimal(900))
    entered.enter(2, total=Decimal(5))
    for number in (1, 2):
        paid_ago(entered, number, hours=5, waited=1)
    entered.made_by(1, ASHA.email)
    page = manager.page("/overview")
    assert table(page, "Collected by vehicle") == {
        "KA05 MN 4321": "₹900.00 · 1 link",
        "MH12 AB 1001": "₹5.00 · 1 link",
    }
    by_person = "Collected by staff member"
    assert table(page, by_person) == {
        ASHA.name: "₹900.00 · 1 link",
        "Created outside this dashboard": "₹5.00 · 1 link",
    }
    addresses = leads(page, by_person)
    assert shown(manager.page(addresses[ASHA.name])) == [1]
    assert shown(manager.page(addresses["Created outside this dashboard"])) == [2]
    assert shown(manager.page(leads(page, "Collected by vehicle")["KA05 MN 4321"])) == [1]
    assert [words(plate.get_text()) for plate in section(page, "Collected by vehicle").select(".plate")] == [
        "KA05 MN 4321",
        "MH12 AB 1001",
    ]


def test_vehicles_that_the_chart_leaves_out_are_in_the_statement_of_its_days(
    manager: WebClient, entered: Ledger
) -> None:
    for number in range(1, 13):
        entered.enter(number, f"MH12AB10{number:02}", total=Decimal(number))
        paid_ago(entered, number, hours=5, waited=1)
    more = section(manager.page("/overview?days=7"), "Collected by vehicle").select_one("p > a")
    assert more is not None
    assert words(more.get_text()) == "2 more vehicles with less."
    rows = manager.page(str(more["href"])).all(".table-statement tbody:not(.statement-totals) th")
    assert {words(row.get_text()) for row in rows} == {f"MH12 AB 10{number:02}" for number in range(1, 13)}


def test_the_largest_bar_is_whole_and_the_others_are_in_proportion_to_it(manager: WebClient, entered: Ledger) -> None:
    for number, vehicle, total in ((1, "KA05MN4321", 900), (2, "MH12AB1001", 450), (3, "MH12AB1002", 900)):
        entered.enter(number, vehicle, total=Decimal(total))
        paid_ago(entered, number, hours=5, waited=1)
    page = manager.page("/overview")
    bars = section(page, "Collected by vehicle").select("rect.bar")
    assert [float(str(bar["width"])) for bar in bars] == [360, 360, 180]
    assert len(section(page, "Collected by staff member").select("rect.bar")) == 1


def test_the_value_of_a_day_is_read_over_its_column_and_one_column_alone_is_a_stop_of_tab(
    manager: WebClient, entered: Ledger
) -> None:
    for number, days, total in ((1, 1, 10), (2, 2, 90_000)):
        entered.enter(number, total=Decimal(total))
        paid_ago(entered, number, hours=24 * days, waited=1)
    days = section(manager.page("/overview?days=7"), "Collected by day").select(".chart-columns-read > li")
    assert [bool(day.a) for day in days] == [False, False, False, False, True, True, False]
    assert words(days[5].get_text(" ")) == "17 Nov ₹10.00 · 1 link"
    assert [day.a["tabindex"] for day in days if day.a] == ["0", "-1"]


def test_what_was_collected_is_shown_by_driver(manager: WebClient, entered: Ledger) -> None:
    for number in (1, 2, 3):
        entered.enter(number, total=Decimal(100 * number))
        paid_ago(entered, number, hours=5, waited=1)
    given_to(entered, {1: ("Ramesh",), 2: ("Ramesh", "Lakshmi", "Lakshmi")})
    page = manager.page("/overview")
    assert table(page, "Collected by driver") == {
        "Ramesh": "₹300.00 · 2 links",
        "No driver": "₹300.00 · 1 link",
        "Lakshmi": "₹200.00 · 1 link",
    }, "in order of their amounts, on the same scale"
    assert len(section(page, "Collected by driver").select(".bar-before")) == 1
    addresses = leads(page, "Collected by driver")
    assert sorted(shown(manager.page(addresses["Ramesh"]))) == [1, 2]
    assert shown(manager.page(addresses["Lakshmi"])) == [2]
    assert "A link that was sent to two drivers counts for both." in page.text


def test_a_payment_that_the_service_took_back_is_not_counted_as_paid(manager: WebClient, entered: Ledger) -> None:
    for number in (1, 2):
        entered.enter(number, total=Decimal(100))
        paid_ago(entered, number, hours=0.5, waited=1)
    with entered.services.store.write() as connection:
        # The service took the payment back, and still sends its time.
        connection.execute(update(link).where(link.c.id == link_id(2)).values(status="FAILED"))
    page = manager.page("/overview")
    assert said(page, "Collected") == "₹100.00 1 link"
    assert listed(manager, page, "Collected") == [1]
    assert listed(manager, page, "Links created") == [1, 2]
    assert said(page, "Ended unpaid") == "1 ₹100.00 of these, 1 payment failed", "which Follow up lists apart"
    assert listed(manager, page, "Ended unpaid") == [2]


def test_links_paid_without_a_time_count_on_the_day_they_were_first_shown_as_in_the_lists(
    manager: WebClient, staff: WebClient, entered: Ledger
) -> None:
    entered.enter(1, total=Decimal(100))
    paid_ago(entered, 1, hours=0.5, waited=1)
    assert "first shown" not in manager.page("/overview").text
    entered.enter(2, total=Decimal("20.50"), status="PAID")
    entered.enter(3, "KA05MN4321", total=Decimal(7), status="PAID")
    entered.made_by(2, ASHA.email)
    with entered.services.store.write() as connection:
        day_before = entered.clock() - timedelta(days=1)
        connection.execute(update(link).where(link.c.id == link_id(3)).values(status_since=day_before))
    page = manager.page("/overview")
    besides = "Of this, ₹27.50 (2 links): payment time not given, so "
    besides += "counted on the day it was first shown as paid."
    assert said(page, "Collected") == f"₹127.50 3 links {besides}"
    assert listed(manager, page, "Collected") == [1, 2, 3]
    assert table(page, "Collected by day") == {"17 Nov": "₹7.00 · 1 link", "18 Nov": "₹120.50 · 2 links"}
    assert table(page, "Collected by vehicle") == {
        "MH12 AB 1001": "₹120.50 · 2 links",
        "KA05 MN 4321": "₹7.00 · 1 link",
    }
    by_person = {"Created outside this dashboard": "₹107.00 · 2 links", ASHA.name: "₹20.50 · 1 link"}
    assert table(page, "Collected by staff member") == by_person
    for title, counted in (
        ("Collected by day", {"17 Nov": [3], "18 Nov": [1, 2]}),
        ("Collected by vehicle", {"MH12 AB 1001": [1, 2], "KA05 MN 4321": [3]}),
        ("Collected by staff member", {"Created outside this dashboard": [1, 3], ASHA.name: [2]}),
    ):
        addresses = leads(page, title)
        assert {label: sorted(shown(manager.page(addresses[label]))) for label in addresses} == counted
    assert said(page, "Time to payment") == "1.0 h time known for 1 of 3"
    assert fact(page, "Time to payment").a is None, "a list would have the other payments too"


def test_a_driver_is_shown_for_a_link_that_was_paid_without_a_time(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=Decimal(100), status="PAID")
    ramesh = given_to(entered, {1: ("Ramesh",)})["Ramesh"]
    page = manager.page("/overview")
    assert table(page, "Collected by driver") == {"Ramesh": "₹100.00 · 1 link"}
    assert f"driver={ramesh}" in leads(page, "Collected by driver")["Ramesh"]
    assert shown(manager.page(leads(page, "Collected by driver")["Ramesh"])) == [1]
    assert "Time to payment" not in page.text
    assert "Nothing was paid" not in page.text


def test_the_time_to_payment_is_shown_as_median_and_distribution(manager: WebClient, entered: Ledger) -> None:
    for number, waited, more in (
        (1, 0.5, "the only payment"),
        (2, 3, "median of 2 payments"),
        (3, 30, "median of 3 payments"),
    ):
        entered.enter(number)
        paid_ago(entered, number, hours=5, waited=waited)
        page = manager.page("/overview")
        assert more in said(page, "Time to payment")
    assert said(page, "Time to payment").startswith("3.0 h")
    title = "From creation to payment"
    assert table(page, title) == dict.fromkeys(("Within 1 h", "1 to 6 h", "24 to 48 h"), "1 link")
    assert [shown(manager.page(address)) for address in leads(page, title).values()] == [[1], [2], [3]]


def test_the_savings_of_the_cheaper_mode_are_summed_exactly(manager: WebClient, entered: Ledger) -> None:
    modes = tuple(
        AmountBreakdown(None, None, None, None, total, mode)
        for mode, total in (("UPI", Decimal("14250.50")), ("CREDIT_CARD", Decimal("14586.81")))
    )

    def enters_with_modes(number: int) -> None:
        entered.enter(number)
        with entered.services.store.write() as connection:
            answer = PaymentLink(id=link_id(number), status="ACTIVE", payment_mode_options=modes)
            ledger.enter_link(connection, answer, entered.services.schedule, entered.clock())

    enters_with_modes(1)
    label = "UPI saving, at most"
    assert label not in manager.page("/overview").text, "nothing was paid"
    paid_ago(entered, 1, hours=1, waited=1)
    assert said(manager.page("/overview"), label) == "₹336.31"
    enters_with_modes(3)
    assert said(manager.page("/overview"), label) == "₹336.31 ₹336.31 more on open links"
    paid_ago(entered, 3, hours=24 * 40, waited=1)
    entered.enter(2)
    paid_ago(entered, 2, hours=1, waited=1)
    page = manager.page("/overview")
    assert said(page, label) == "₹336.31 fee of 1 link unknown"
    assert listed(manager, page, label) == [1, 2]


def test_challans_on_open_links_are_shown_by_type(manager: WebClient, entered: Ledger) -> None:
    for number, total in ((1, 700), (2, 300)):
        entered.enter(number, total=Decimal(total))
    with entered.services.store.write() as connection:
        of_first = link_challan.c.link_id == link_id(1)
        connection.execute(update(link_challan).where(of_first).values(challan_type="ONLINE"))
    rows = table(manager.page("/overview"), "Challans on open links, by type")
    assert rows == {"Online": "₹700.00 · 1 challan", "Not stated": "₹300.00 · 1 challan"}


def test_a_division_into_one_part_repeats_no_number_of_the_tiles(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=Decimal(700))
    page = manager.page("/overview")
    assert [words(each.get_text()) for each in page.all("section.chart h2")] == [
        "Collected",
        "Open now",
        "Open by vehicle",
    ]


def test_the_share_of_created_links_that_are_paid_leads_to_those_links(manager: WebClient, entered: Ledger) -> None:
    for number in range(1, 4):
        entered.enter(number)
    paid_ago(entered, 1, hours=1, waited=2)
    paid_ago(entered, 2, hours=1, waited=24 * 40)
    page = manager.page("/overview")
    assert said(page, "Paid, of 1 ended") == "100% 1 paid 1 still open"
    entered.enter(3, status="EXPIRED")
    page = manager.page("/overview")
    assert said(page, "Paid, of 2 ended") == "50% 1 paid"
    assert listed(manager, page, "Paid, of 2 ended") == [1]
    assert said(page, "Links created").startswith("2")


def test_only_all_links_are_a_hundred_percent() -> None:
    shares = [texts.in_percent(*each) for each in ((1, 1000), (999, 1000), (0, 3), (3, 3), (2, 3), (1, 8))]
    assert shares == [1, 99, 0, 100, 67, 13]


def test_no_chart_and_no_row_is_zero(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="EXPIRED")
    page = manager.page("/overview")
    assert [words(each.get_text()) for each in page.all("section.chart h2")] == ["Collected"]
    assert "Nothing was paid yet." in page.text
    assert "Open now" not in [words(each.get_text()) for each in page.all("h2")]


def test_the_page_asks_the_same_for_any_number_of_links(manager: WebClient, entered: Ledger, asked: list[str]) -> None:
    numbers = []
    for upto in (2, 30):
        for number in range(upto // 2, upto):
            entered.enter(number, f"MH12AB{number:04}")
            if number % 2:
                paid_ago(entered, number, hours=number, waited=1)
        manager.page("/overview")
        asked.clear()
        manager.page("/overview")
        numbers.append(len(asked))
    assert numbers[1] <= numbers[0] <= 20


def test_every_bar_fits_its_picture(manager: WebClient, entered: Ledger) -> None:
    for number in range(1, 6):
        entered.enter(number, f"MH12AB{number:04}")
    page = manager.page("/overview")
    for picture in page.all("svg.chart-picture"):
        _, _, width, height = map(float, str(picture["viewbox"]).split())
        for bar in picture.select("rect"):
            assert float(str(bar["x"])) + float(str(bar["width"])) <= width
            assert float(str(bar["y"])) + float(str(bar["height"])) <= height


def test_what_was_collected_comes_first_and_then_what_is_open_which_leads_to_the_follow_up(
    manager: WebClient, entered: Ledger
) -> None:
    entered.enter(1, total=Decimal(700))
    page = manager.page("/overview")
    assert [words(each.get_text()) for each in page.all("main h2")][:2] == ["Collected", "Open now"]
    assert said(page, "Collected") == "₹0.00"
    assert "Nothing was paid yet." in page.text, "no other days have more"
    assert "Choose more days" not in page.text
    assert not page.all(".overview-facts"), "that one link was created is said by what is open"
    assert page.link("Follow up: 1 to do") == "/follow-up"


def test_types_that_are_shown_as_sent_stand_beside_no_word_of_ours(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2)
    with entered.services.store.write() as connection:
        of_first = link_challan.c.link_id == link_id(1)
        connection.execute(update(link_challan).values(challan_type="ONLINE"))
        connection.execute(update(link_challan).where(of_first).values(challan_type="KERB"))
    assert {*table(manager.page("/overview"), "Challans on open links, by type")} == {"ONLINE", "KERB"}


def test_what_was_all_collected_on_the_only_day_has_no_chart(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=Decimal(700))
    paid_ago(entered, 1, hours=1, waited=0)
    page = manager.page("/overview")
    assert said(page, "Collected") == "₹700.00 1 link"
    assert not page.all(".chart-plot")
    assert "No figures before 18 Nov" in page.text


def test_where_other_days_may_have_more_it_says_so(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    paid_ago(entered, 1, hours=24 * 20, waited=1)
    assert "Nothing was paid in these days. Choose more days." in manager.page("/overview?days=7").text
