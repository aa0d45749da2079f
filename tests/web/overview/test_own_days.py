"""The overview is of any days, named as those of a statement, and leads to lists of those days alone."""

from __future__ import annotations

from decimal import Decimal
from urllib.parse import parse_qsl

import pytest
from sqlalchemy import update

from dashboard.store.links.tables import link
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web.links.test_list import Ledger, link_id, shown
from tests.web.overview.test_overview import (
    clock,
    entered,
    fact,
    given_to,
    leads,
    listed,
    made_ago,
    paid_ago,
    said,
    section,
    table,
)

__all__ = ["clock", "entered"]


@pytest.fixture
def paid(entered: Ledger) -> Ledger:
    """Have links paid on 16, 9, 8, 2 and 1 Nov, of 100, 200, … and one that ended unpaid on 9 Nov."""
    for number, days_ago in enumerate((2, 9, 10, 16, 17), 1):
        entered.enter(number, total=Decimal(100 * number))
        paid_ago(entered, number, hours=24 * days_ago, waited=1)
    entered.enter(6, total=Decimal(50), status="EXPIRED")
    made_ago(entered, 6, days=9)
    with entered.services.store.write() as connection:
        at = entered.clock().replace(day=9)
        connection.execute(update(link).where(link.c.id == link_id(6)).values(status_since=at))
    return entered


def test_days_that_are_over_have_their_own_figures_and_lists(manager: WebClient, paid: Ledger) -> None:
    given_to(paid, {1: ("Ramesh",), 2: ("Lakshmi",)})
    page = manager.page("/overview?from=2026-11-08&to=2026-11-14")
    assert words(page.one(".period-days > summary[aria-current]").get_text()) == "Dates: 8 to 14 Nov 2026"
    assert "Compared with 1 to 7 Nov 2026" in page.text
    assert said(page, "Collected") == "₹500.00 ↓ ₹400.00 (44%) less Before: ₹900.00 2 links"
    assert listed(manager, page, "Collected") == [2, 3]
    assert listed(manager, page, "Links created") == [2, 3, 6]
    assert listed(manager, page, "Paid, of 3 ended") == [2, 3]
    assert listed(manager, page, "Ended unpaid") == [6]
    assert table(page, "Collected by day") == {"8 Nov": "₹300.00 · 1 link", "9 Nov": "₹200.00 · 1 link"}
    assert table(page, "Collected by driver") == {
        "No driver": "₹300.00 · 1 link",
        "Lakshmi": "₹200.00 · 1 link",
    }
    assert shown(manager.page(leads(page, "Collected by day")["9 Nov"])) == [2]
    rest = manager.page("/overview?from=2026-11-10&to=2026-11-14")
    assert "Nothing was paid in these days. Choose more days." in rest.text


def test_the_last_column_of_days_that_are_over_leads_to_its_day_alone(manager: WebClient, paid: Ledger) -> None:
    page = manager.page("/overview?from=2026-11-03&to=2026-11-09")
    assert shown(manager.page(leads(page, "Collected by day")["9 Nov"])) == [2]


def test_few_days_say_where_the_figures_begin_as_well(manager: WebClient, paid: Ledger) -> None:
    few = manager.page("/overview?from=2026-10-30&to=2026-11-02")
    assert table(few, "Collected by day") == {"1 Nov": "₹500.00 · 1 link", "2 Nov": "₹400.00 · 1 link"}
    assert few.text.count("No figures before 1 Nov") == 1


def test_days_to_come_are_left_out(manager: WebClient, paid: Ledger) -> None:
    page = manager.page("/overview?from=2026-11-12&to=2026-11-30")
    assert words(page.one(".period-choices [aria-current]").get_text()) == "7 days", "the same days, up to today"
    assert page.field("To")["value"] == "2026-11-30"
    assert listed(manager, page, "Collected") == [1]


@pytest.mark.parametrize(
    ("query", "said", "wrong"),
    [
        ("from=yesterday&to=2026-11-10", "There is no such day.", ["from"]),
        ("from=2026-11-01&to=2026-11-31", "There is no such day.", ["to"]),
        ("from=2026-11-10&to=2026-11-01", "The last day is before the first.", ["to"]),
        ("from=2026-11-01", "Enter the last day.", ["to"]),
        ("from=2026-11-19&to=2026-11-30", "These days are still to come. Choose days up to today.", ["from"]),
    ],
)
def test_days_that_cannot_be_shown_are_said_and_stay_typed(
    manager: WebClient, paid: Ledger, query: str, said: str, wrong: list[str]
) -> None:
    page = manager.page(f"/overview?{query}", status=422)
    assert said in words(page.one(".period-days[open] .field-error").get_text())
    assert [each["name"] for each in page.all("[aria-invalid]")] == wrong
    typed = dict(parse_qsl(query))
    assert {name: page.one(f"#period-{name}")["value"] for name in ("from", "to")} == {"from": "", "to": ""} | typed
    assert words(page.one(".period-choices [aria-current]").get_text()) == "30 days", "the usual ones in their place"
    assert words(page.one(".period-days > summary").get_text()) == "Dates: 20 Oct to 18 Nov 2026"
    assert listed(manager, page, "Collected") == [1, 2, 3, 4, 5]


def test_the_figures_of_the_days_before_stay_while_others_cannot_be_shown(manager: WebClient, paid: Ledger) -> None:
    before = {"Referer": "http://localhost/overview?from=2026-11-08&to=2026-11-14"}
    page = Page(manager, manager.get("/overview?from=2026-11-10&to=2026-11-01", headers=before))
    assert words(page.one(".period-days > summary[aria-current]").get_text()) == "Dates: 8 to 14 Nov 2026"
    assert "Still showing 8 to 14 Nov 2026." in words(page.one("#period-error").get_text()), "where that is not seen"
    assert listed(manager, page, "Collected") == [2, 3]
    assert [page.one(f"#period-{name}")["value"] for name in ("from", "to")] == ["2026-11-10", "2026-11-01"]
    elsewhere = {"Referer": "http://localhost/reconcile/statement?from=2026-11-08&to=2026-11-14"}
    page = Page(manager, manager.get("/overview?from=2026-11-10&to=2026-11-01", headers=elsewhere))
    assert words(page.one(".period-choices [aria-current]").get_text()) == "30 days"


def test_months_are_one_click_away(manager: WebClient, paid: Ledger) -> None:
    page = manager.page("/overview")
    month = manager.page(page.link("This month"))
    assert words(month.one(".period-days > summary").get_text()) == "Dates: 1 to 18 Nov 2026"
    assert words(month.one(".period-list [aria-current]").get_text()) == "This month"
    assert listed(manager, month, "Collected") == [1, 2, 3, 4, 5]
    last = manager.page(page.link("Last month"))
    assert words(last.one(".period-days > summary").get_text()) == "Dates: 1 to 31 Oct 2026"


def test_of_a_long_period_each_month_has_a_column(manager: WebClient, paid: Ledger) -> None:
    paid_ago(paid, 5, hours=24 * 200, waited=1)
    page = manager.page("/overview?from=2025-11-19&to=2026-11-18")
    assert table(page, "Collected by month") == {"May 2026": "₹500.00 · 1 link", "Nov 2026": "₹1,000.00 · 4 links"}
    assert shown(manager.page(leads(page, "Collected by month")["May 2026"])) == [5]
    assert len(section(page, "Collected by month").select(".chart-columns-read > li")) == 7, "from the first on"


def test_months_as_long_ago_are_compared_where_there_are_as_many(manager: WebClient, paid: Ledger) -> None:
    for number, days_ago in ((4, 400), (5, 700)):
        paid_ago(paid, number, hours=24 * days_ago, waited=1)
    page = manager.page("/overview?from=2026-01-01&to=2026-11-18")
    assert said(page, "Collected").startswith("₹600.00 ↑ ₹200.00 (50%) more Before: ₹400.00")
    [before] = section(page, "Collected by month").select(".chart-before")
    assert words(before.get_text()) == "Before, 1 Oct to 31 Oct: ₹400.00 · 1 link"
    page = manager.page("/overview?from=2026-01-31&to=2026-11-18")
    assert "Before: ₹400.00" in said(page, "Collected")
    assert not section(page, "Collected by month").select(".chart-before"), "11 months, and 10 before them"


def test_a_ledger_as_old_as_can_be_named_is_shown(manager: WebClient, paid: Ledger) -> None:
    page = manager.page("/overview?from=1970-01-01&to=9000-12-31")
    assert listed(manager, page, "Collected") == [1, 2, 3, 4, 5]
    assert "No figures before 1 Nov" in page.text


@pytest.mark.parametrize(
    ("label", "days_ago", "waited", "better", "said"),
    [
        ("Time to payment", 1, 5, "wrong", "↑ 4.0 h slower"),
        ("Time to payment", 1, 0.5, "good", "↓ 30 min faster"),
        ("Collected", 1, 1, "good", "↑ ₹500.00 (100%) more"),
    ],
)
def test_what_is_better_depends_on_the_number_and_by_how_much_is_said(
    manager: WebClient, entered: Ledger, label: str, days_ago: int, waited: float, better: str, said: str
) -> None:
    for number, ago, hours in ((1, days_ago, waited), (2, 9, 1), (3, 40, 1)):
        entered.enter(number, total=Decimal(1000 // number))
        paid_ago(entered, number, hours=24 * ago, waited=hours)
    change = fact(manager.page("/overview?days=7"), label).select_one(".overview-change > strong")
    assert change is not None
    assert change["class"] == [f"meaning-{better}"]
    assert words(change.get_text()) == said


def test_a_share_says_by_how_many_points_it_changed(manager: WebClient, paid: Ledger) -> None:
    page = manager.page("/overview?from=2026-11-08&to=2026-11-14")
    assert said(page, "Paid, of 3 ended") == "67% ↓ 33 points lower Before: 100% 2 paid"
