"""Test the statement of a period: its balance holds, and each figure leads to the list of the links it counts."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

import pytest
from bs4 import Tag
from flask import Flask
from openpyxl import load_workbook
from sqlalchemy import update

from dashboard.domain.links import AmountBreakdown, PaymentLink
from dashboard.services.links import ledger
from dashboard.services.reconciliation.statement import Movement, Statement, Statements
from dashboard.store.accounts import audit
from dashboard.store.links import custom_fields
from dashboard.store.links.tables import link
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web.links.test_list import Ledger, link_id, shown

INDIA = ZoneInfo("Asia/Kolkata")
JUNE = "from=2026-06-01&to=2026-06-30"


def day(text: str) -> datetime:
    """Return noon of a day in India, e.g. "06-15" of 2026."""
    return datetime.fromisoformat(f"2026-{text}T12:00:00").replace(tzinfo=INDIA).astimezone(UTC)


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    clock.set(day("07-10"))
    return Ledger(app.extensions["services"], clock)


def enter(
    entered: Ledger, number: int, *, made: str, status: str = "ACTIVE", over: str | None = None, **more: Any
) -> None:
    """Enter a link made on a day, and paid or ended on another."""
    entered.enter(number, status=status, **more)
    values: dict[str, Any] = {"first_seen_at": day(made)}
    if over is not None:
        values["status_since"] = day(over)
        if status == "PAID":
            values["paid_at"] = day(over)
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(number)).values(**values))


@pytest.fixture
def june(entered: Ledger) -> Ledger:
    """Enter links that were open, made, paid and lapsed in and around June."""
    enter(entered, 1, made="05-20", total=Decimal(100))  # open all the time
    enter(entered, 2, made="05-21", status="PAID", over="06-02", total=Decimal("20.50"))
    enter(entered, 3, made="06-03", status="PAID", over="06-04", total=Decimal(3))
    enter(entered, 4, made="06-05", status="EXPIRED", over="06-07", total=None)
    enter(entered, 5, made="06-08", status="PAID", over="07-02", total=Decimal(5000))  # paid in July
    enter(entered, 6, made="07-05", total=Decimal(9))  # made in July
    enter(entered, 7, made="04-01", status="PAID", over="05-01", total=Decimal(8))  # over before
    return entered


def lines(page: Page) -> dict[str, Tag]:
    """Return the lines of the balance by their labels, without the sign and the numbers of notes."""
    found = {}
    for each in page.all(".balance > div"):
        marks = "".join(mark.get_text() for mark in each.select("sup"))
        found[words(each.dt.get_text()).strip("+−= ").removesuffix(marks)] = each  # type: ignore[union-attr]  # It is on the page.
    return found


def balance(page: Page) -> dict[str, tuple[str, str]]:
    """Return links and amount of each line by its label; a line without links has neither."""
    found = {}
    for label, each in lines(page).items():
        amount, *links = (words(one.get_text(" ")) for one in each.select("dd"))
        found[label] = (links[0].split()[0] if links else "0", amount)
    return found


def days_shown(page: Page) -> str:
    return words(page.one(".period-days > summary").get_text()).removeprefix("Dates: ")


def leads(page: Page, label: str) -> str:
    return str(lines(page)[label].a["href"])  # type: ignore[index]  # It is on the page.


def test_a_statement_shows_links_open_made_paid_and_lapsed(manager: WebClient, june: Ledger) -> None:
    shown_balance = balance(manager.page(f"/reconcile/statement?{JUNE}"))
    assert shown_balance["Open at start"] == ("2", "₹120.50")
    assert shown_balance["Created"] == ("3", "₹5,003.00 + 1 unknown")
    assert shown_balance["Paid"] == ("2", "₹23.50")
    assert shown_balance["Ended unpaid"] == ("1", "₹0.00 + 1 unknown")
    assert shown_balance["Open at end"] == ("2", "₹5,100.00")


@pytest.mark.parametrize(("label", "expected"), [("Open at start", [1, 2]), ("Open at end", [1, 5])])
def test_an_open_balance_leads_to_its_links(manager: WebClient, june: Ledger, label: str, expected: list[int]) -> None:
    page = manager.page(f"/reconcile/statement?{JUNE}")
    listed = manager.page(leads(page, label))
    assert sorted(int(str(a["href"]).split("/")[-1][:8]) for a in listed.all("tbody a")) == expected


@pytest.mark.parametrize(("label", "expected"), [("Created", [3, 4, 5]), ("Paid", [2, 3]), ("Ended unpaid", [4])])
def test_a_figure_leads_to_the_filtered_list(manager: WebClient, june: Ledger, label: str, expected: list[int]) -> None:
    page = manager.page(f"/reconcile/statement?{JUNE}")
    assert sorted(shown(manager.page(leads(page, label)))) == expected


def group_row(page: Page, key: str, name: str) -> dict[str, str]:
    """Return the figures of a row by the head of their column."""
    [row] = [
        each
        for each in page.all(f"[aria-labelledby={key}-title] tbody tr")
        if each.th is not None and words(each.th.get_text()) == name
    ]
    return {str(cell["data-label"]): words(cell.get_text(" ")) for cell in row.select("td")}


def test_each_group_ends_with_its_totals_which_are_those_of_the_balance(manager: WebClient, june: Ledger) -> None:
    enter(june, 8, made="06-20", rc="KA05MN4321", total=None)
    page = manager.page(f"/reconcile/statement?{JUNE}")
    totals = group_row(page, "vehicles", "All vehicles")
    assert list(totals) == list(balance(page)), "the balance stands on the columns of the tables below it"
    for label, (links, amount) in balance(page).items():
        assert totals[label] == f"{amount} {links} link{'' if links == '1' else 's'}"
    last = page.all("[aria-labelledby=vehicles-title] tbody tr")[-1]
    assert words(last.th.get_text()) == "All vehicles"  # type: ignore[union-attr]  # It is on the page.
    [made] = [cell for cell in last.select("td") if cell["data-label"] == "Created"]
    assert sorted(shown(manager.page(str(made.a["href"])))) == [3, 4, 5, 8]  # type: ignore[index]  # It is on the page.


@pytest.mark.parametrize("by", ["vehicle", "day"])
def test_a_statement_has_the_same_columns_by_vehicle_and_by_day(manager: WebClient, june: Ledger, by: str) -> None:
    enter(june, 8, made="06-20", status="PAID", over="06-10")  # found after it was paid
    page = manager.page(f"/reconcile/statement?{JUNE}&by={by}")
    heads = ["Open at start", "Created", "Paid", "Ended unpaid", "Open at end"]
    assert list(balance(page)) == heads
    assert all(
        [cell["data-label"] for cell in row.select("td")] == heads for row in page.all(".table-statement tbody tr")
    )


def test_what_is_zero_is_written_in_the_balance_and_the_totals_alone(manager: WebClient, entered: Ledger) -> None:
    for number, rc in ((1, "MH12AB1001"), (2, "KA05MN4321")):
        enter(entered, number, made="06-10", rc=rc, total=Decimal(10))
    page = manager.page(f"/reconcile/statement?{JUNE}")
    assert balance(page)["Paid"] == ("0", "₹0.00")
    for name, zero in (("KA05 MN 4321", ""), ("All vehicles", "₹0.00")):
        row = group_row(page, "vehicles", name)
        assert [row[head] for head in ("Open at start", "Paid", "Ended unpaid")] == [zero] * 3


def test_a_single_vehicle_needs_no_totals(manager: WebClient, june: Ledger) -> None:
    assert not manager.page(f"/reconcile/statement?{JUNE}").all(".statement-totals")


def test_notes_are_numbered_and_marked_where_they_belong(manager: WebClient, june: Ledger) -> None:
    enter(june, 8, made="07-20", status="PAID", over="06-10")  # found after it was paid
    page = manager.page(f"/reconcile/statement?{JUNE}")
    notes = [words(each.get_text()) for each in page.all(".statement-notes > ol > li")]
    assert [" ".join(note.split()[:4]) for note in notes] == [
        "A link that was",
        "A link that expired",
        "A link counts as",
    ]
    for label, number in (("Created", 1), ("Paid", 2), ("Ended unpaid", 3)):
        marks = lines(page)[label].select("dt > sup")
        assert [(mark.get_text(), mark["title"]) for mark in marks] == [(str(number), notes[number - 1])]
    assert len(page.all(".table-statement thead sup")) == 3, "above the columns as well"


def holds(moved: Movement) -> bool:
    """Return True if the balance holds, in links and in amounts."""
    plus, minus = ("opening", "made"), ("paid", "paid_untimed", "lapsed")
    for name in ("links", "total", "unknown"):
        came = sum(getattr(getattr(moved, part), name) for part in plus)
        went = sum(getattr(getattr(moved, part), name) for part in minus)
        if came - went != getattr(moved.closing, name):
            return False
    return True


def days_add_up(made: Statement, part: str) -> bool:
    """Return True if the days of a column add up to the whole, in links and in amounts."""
    whole, days = getattr(made.whole, part), [getattr(moved, part) for moved in made.spans.values()]
    return all(
        sum(getattr(day, name) for day in days) == getattr(whole, name) for name in ("links", "total", "unknown")
    )


def days_hold(made: Statement) -> bool:
    """Return True if each day goes on from the one before, and all of them lead from the start to the end."""
    still_open = made.whole.opening
    if made.spans and not all(days_add_up(made, part) for part in ("made", "paid", "paid_untimed", "lapsed")):
        return False
    for moved in made.spans.values():
        if not holds(moved) or moved.opening != still_open:
            return False
        still_open = moved.closing
    return still_open == made.whole.closing and list(made.spans) == sorted(made.spans)


def test_the_balance_holds_for_any_period_with_odd_links(june: Ledger) -> None:
    enter(june, 8, made="06-20", status="PAID", over="06-10")  # paid before it was recorded, in June
    enter(june, 9, made="06-20", status="PAID", over="05-10")
    enter(june, 10, made="07-03", status="PAID", over="06-15")
    enter(june, 11, made="06-02", status="ON_HOLD")
    enter(june, 12, made="06-02", status="PAID", over="06-09")
    with june.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(12)).values(paid_at=None))
    statements = Statements(june.services.store, june.clock)
    first = day("04-20")
    for start in range(0, 80, 7):
        for length in (1, 10, 31, 90):
            span = first + timedelta(days=start), first + timedelta(days=start + length)
            days = [span[0] + timedelta(days=number) for number in range(length)]
            made = statements.make(*span, days)
            assert holds(made.whole), span
            assert days_hold(made), span
            assert all(holds(each) for each in made.vehicles.values()), span
            closing = statements.make(span[1], span[1] + timedelta(days=1)).whole.opening
            assert (made.whole.closing.links, made.whole.closing.total) == (closing.links, closing.total), span
    june_only = statements.make(day("06-01") - timedelta(hours=12), day("07-01") - timedelta(hours=12)).whole
    assert (june_only.found_paid, june_only.paid_untimed.links) == (2, 1), (
        "of what was found and paid in June nothing is said"
    )


def test_what_is_open_while_the_day_runs_is_open_now_and_says_what_is_wrong_of_it(
    manager: WebClient, entered: Ledger
) -> None:
    parts = AmountBreakdown(*[Decimal(each) for each in ("500", "50", "9", "0", "600")])
    entered.enter(1)
    entered.enter(2)
    with entered.services.store.write() as connection:
        answer = PaymentLink(id=link_id(1), status="ACTIVE", amount=parts)
        ledger.enter_link(connection, answer, entered.services.schedule, entered.clock())
    today = entered.clock().astimezone(INDIA).date()
    page = manager.page(f"/reconcile/statement?from={today}&to={today}")
    assert "Open at end" not in page.text
    opened = manager.page(leads(page, "Open now"))
    assert re.fullmatch(r"Open now, as known at \d+:\d\d [ap]m", opened.heading)
    marked = {words(each.get_text()): str(each["href"]) for each in opened.all("main table a[href*='#']")}
    assert list(marked) == ["Amount mismatch"], "the other link is as it was asked for"
    address, _, place = marked["Amount mismatch"].partition("#")
    assert manager.page(address).one(f"#{place}")
    entered.clock.advance(days=1)
    after = manager.page(f"/reconcile/statement?from={today}&to={today}")
    assert "Open now" not in after.text, "the day is over"


def test_days_begin_at_midnight_in_india(manager: WebClient, entered: Ledger) -> None:
    june_begins = datetime(2026, 5, 31, 18, 30, tzinfo=UTC)
    for number, moment in ((1, june_begins - timedelta(seconds=1)), (2, june_begins)):
        entered.enter(number)
        with entered.services.store.write() as connection:
            connection.execute(update(link).where(link.c.id == link_id(number)).values(first_seen_at=moment))
    may = manager.page("/reconcile/statement?from=2026-05-01&to=2026-05-31")
    june = manager.page(f"/reconcile/statement?{JUNE}")
    assert balance(may)["Created"] == ("1", "₹501.00")
    assert balance(june)["Open at start"] == ("1", "₹501.00")
    assert balance(june)["Created"] == ("1", "₹502.00")
    assert shown(manager.page(leads(may, "Created"))) == [1]
    assert shown(manager.page(leads(june, "Created"))) == [2]


def test_a_link_made_as_the_next_period_begins_is_not_counted(manager: WebClient, entered: Ledger) -> None:
    enter(entered, 1, made="06-01")
    page = manager.page("/reconcile/statement?from=2026-05-01&to=2026-05-31")
    assert "Nothing in these days." in page.text
    assert not page.all("table")


def test_last_month_is_shown_by_default(manager: WebClient, june: Ledger) -> None:
    page = manager.page("/reconcile/statement")
    assert days_shown(page) == "1 to 30 Jun 2026"
    assert page.field("From")["value"] == "2026-06-01"
    assert page.one(".period-choices a[aria-current]").get_text() == "Last month"
    assert not page.all(".period-days[open]"), "the choice of days takes no room until it is wanted"
    presets = [each.get_text() for each in page.all(".period-choices > .button")]
    assert presets == ["Today", "Yesterday", "Last week", "This month", "Last month"]


def test_this_month_is_shown_while_last_month_is_empty(manager: WebClient, entered: Ledger, clock: Any) -> None:
    entered.enter(1)
    page = manager.page("/reconcile/statement")
    assert page.one(".period-choices a[aria-current]").get_text() == "This month"
    assert balance(page)["Created"][0] == "1"


def test_days_that_are_no_month_mark_their_button_and_leave_the_room_to_the_figures(
    manager: WebClient, june: Ledger
) -> None:
    page = manager.page("/reconcile/statement?from=2026-06-03&to=2026-06-07")
    assert days_shown(page) == "3 to 7 Jun 2026"
    assert page.all(".period-days:not([open]) > summary[aria-current]")


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [
        ("2026-06-03", "2026-06-03", "3 Jun 2026"),
        ("2026-05-31", "2026-06-30", "31 May to 30 Jun 2026"),
        ("2025-12-31", "2026-06-30", "31 Dec 2025 to 30 Jun 2026"),
    ],
)
def test_the_days_of_a_statement_are_named_once(
    manager: WebClient, june: Ledger, first: str, last: str, days: str
) -> None:
    page = manager.page(f"/reconcile/statement?from={first}&to={last}")
    assert days_shown(page) == days
    assert page.one("title").get_text().startswith(f"Statement, {days} ·")


@pytest.mark.parametrize(
    ("query", "said", "wrong"),
    [
        ("from=yesterday&to=2026-06-30", "There is no such day.", ["from"]),
        ("from=2026-02-01&to=2026-02-31", "There is no such day.", ["to"]),
        ("from=&to=2026-06-30", "Enter the first day.", ["from"]),
        ("from=2026-06-30&to=2026-06-01", "The last day is before the first.", ["to"]),
        ("from=2026-06-01", "Enter the last day.", ["to"]),
        ("from=never&to=x", "There is no such day.", ["from", "to"]),
    ],
)
def test_unreadable_days_are_refused_and_stay_typed(
    manager: WebClient, june: Ledger, query: str, said: str, wrong: list[str]
) -> None:
    page = manager.page(f"/reconcile/statement?{query}", status=422)
    assert page.heading == "Statement"
    assert words(page.one(".period-choices [aria-current]").get_text()) == "Last month", "the usual days in their place"
    assert balance(page)["Created"] == ("3", "₹5,003.00 + 1 unknown")
    assert said in words(page.one(".period-days[open] .field-error").get_text())
    assert [each["name"] for each in page.all("[aria-invalid]")] == wrong
    typed = dict(parse_qsl(query))
    for label, name in (("From", "from"), ("To", "to")):
        assert page.field(label)["value"] == typed.get(name, "")
        is_shown = page.field(label)["type"] == "text" or re.fullmatch(r"\d{4}-\d\d-\d\d|", typed.get(name, ""))
        assert is_shown, "a field for a day would be empty"
    assert manager.get(f"/reconcile/statement.csv?{query}").status_code == 400


def test_the_figures_of_the_days_before_stay_while_others_cannot_be_shown(manager: WebClient, june: Ledger) -> None:
    before = {"Referer": "http://localhost/reconcile/statement?from=2026-05-20&to=2026-05-25"}
    page = Page(manager, manager.get("/reconcile/statement?from=2026-06-30&to=2026-06-01", headers=before))
    assert days_shown(page) == "20 to 25 May 2026"
    assert balance(page)["Created"] == ("2", "₹120.50")
    assert [page.one(f"#period-{name}")["value"] for name in ("from", "to")] == ["2026-06-30", "2026-06-01"]


def test_vehicles_have_rows_of_their_own(manager: WebClient, june: Ledger) -> None:
    enter(june, 20, made="06-10", rc="KA05MN4321", total=Decimal(7))
    page = manager.page(f"/reconcile/statement?{JUNE}")
    rows = {
        words(row.th.get_text()): row
        for row in page.all("table.table-statement tbody:not(.statement-totals) tr")
        if row.th
    }
    assert sorted(rows) == ["KA05 MN 4321", "MH12 AB 1001"]
    made = rows["KA05 MN 4321"].select("td")[1]
    assert words(made.get_text(" ")) == "₹7.00 1 link"
    assert made.a is not None
    assert shown(manager.page(str(made.a["href"]))) == [20]
    opened = manager.page(str(rows["KA05 MN 4321"].select("td")[4].a["href"]))  # type: ignore[union-attr,index]  # It is on the page.
    assert "KA05 MN 4321" in opened.heading
    assert len(opened.all("tbody tr")) == 1


def test_the_cost_centre_of_a_link_overrides_that_of_its_vehicle(manager: WebClient, june: Ledger, app: Flask) -> None:
    assert "Cost centre" not in manager.page(f"/reconcile/statement?{JUNE}").text
    with june.services.store.write() as connection:
        now = june.clock()
        custom_fields.write(connection, custom_fields.VEHICLE, "MH12AB1001", {"cost_centre": "West"}, now, 1)
        custom_fields.write(connection, custom_fields.LINK, link_id(3), {"cost_centre": "Trial"}, now, 1)
    page = manager.page(manager.page(f"/reconcile/statement?{JUNE}").link("Cost centre"))
    [section] = page.all("section[aria-labelledby=centres-title]")
    rows = {
        words(row.th.get_text()): row.select("td")
        for row in section.select("tbody:not(.statement-totals) tr")
        if row.th
    }
    assert [words(cell.get_text(" ")) for cell in rows["Trial"]][1:3] == ["₹3.00 1 link", "₹3.00 1 link"]
    paid = rows["West"][2].a
    assert paid is not None
    assert shown(manager.page(str(paid["href"]))) == [2]


def days_of(page: Page) -> dict[str, dict[str, str]]:
    """Return the figures of each day: an amount, and how many links."""
    return {
        words(row.th.get_text()): {
            str(cell["data-label"]): words(cell.get_text(" ")).rpartition(" link")[0] for cell in row.select("td")
        }
        for row in page.all("[aria-labelledby=days-title] tbody:not(.statement-totals) tr")
        if row.th
    }


def test_a_statement_by_day_goes_on_from_day_to_day(manager: WebClient, june: Ledger) -> None:
    page = manager.page(manager.page(f"/reconcile/statement?{JUNE}").link("Day"))
    days = days_of(page)
    assert list(days) == ["2 Jun", "3 Jun", "4 Jun", "5 Jun", "7 Jun", "8 Jun"], "days without movement have no row"
    assert days["2 Jun"] == {
        "Open at start": "₹120.50 2", "Created": "", "Paid": "₹20.50 1", "Ended unpaid": "", "Open at end": "₹100.00 1",
    }  # fmt: skip
    assert days["7 Jun"]["Ended unpaid"] == "₹0.00 + 1 unknown 1"
    assert days["8 Jun"]["Open at end"] == "₹5,100.00 2" == " ".join(reversed(balance(page)["Open at end"]))
    opened = manager.page(str(page.all("[aria-labelledby=days-title] tbody tr td:last-child a")[0]["href"]))
    assert opened.heading == "Open at the end of 2 Jun 2026", "the words of the column"
    assert manager.page(opened.link("Statement")).one("h2[id=days-title]").get_text() == "By day"


def test_a_link_that_was_found_after_it_was_paid_counts_as_created_on_the_day_of_the_payment(
    manager: WebClient, june: Ledger
) -> None:
    enter(june, 8, made="06-20", status="PAID", over="06-10", total=Decimal(40))
    whole = manager.page(f"/reconcile/statement?{JUNE}")
    assert not lines(whole)["Created"].select("sup"), "in the whole month it is found and paid"
    assert leads(whole, "Created")
    page = manager.page(f"/reconcile/statement?{JUNE}&by=day")
    days = days_of(page)
    assert days["10 Jun"]["Created"] == days["10 Jun"]["Paid"] == "₹40.00 1"
    assert days["10 Jun"]["Open at start"] == days["10 Jun"]["Open at end"]
    assert "20 Jun" not in days
    assert "counts as created on the day of the payment" in lines(page)["Created"].select("sup")[0]["title"]
    [row] = [each for each in page.all(".table-statement tbody tr") if each.th and each.th.get_text() == "10 Jun"]
    [created] = [cell for cell in row.select("td") if cell["data-label"] == "Created"]
    assert created.a is None, "the list goes by the day on which links were found"


def test_a_link_that_was_found_after_the_period_of_its_payment_is_created_and_paid_in_it(
    manager: WebClient, june: Ledger
) -> None:
    enter(june, 8, made="07-03", status="PAID", over="06-15", total=Decimal(40))
    enter(june, 9, made="06-21", status="PAID", over="05-15", rc="KA05MN4321", total=Decimal(70))
    page = manager.page(f"/reconcile/statement?{JUNE}")
    assert balance(page)["Created"] == ("4", "₹5,043.00 + 1 unknown")
    assert balance(page)["Paid"] == ("3", "₹63.50")
    assert lines(page)["Created"].a is None
    assert "KA05 MN 4321" not in page.text, "what was paid in May is of May"
    assert balance(manager.page("/reconcile/statement?from=2026-05-01&to=2026-05-31"))["Paid"] == ("2", "₹78.00")


def test_days_without_movement_are_counted_in_one_line(manager: WebClient, june: Ledger) -> None:
    page = manager.page(f"/reconcile/statement?{JUNE}&by=day")
    assert words(page.one(".statement-without").get_text()) == "24 days without movement"
    assert not manager.page("/reconcile/statement?from=2026-06-02&to=2026-06-05&by=day").all(".statement-without")
    months = manager.page("/reconcile/statement?from=2026-02-01&to=2026-07-25&by=day")
    assert words(months.one(".statement-without").get_text()) == "2 months without movement"
    enter(june, 9, made="07-03")
    ahead = manager.page("/reconcile/statement?from=2026-07-01&to=2026-07-31&by=day")
    assert words(ahead.one(".statement-without").get_text()) == "7 days without movement", "of ten: it is 10 July"


def test_a_day_leads_to_its_own_statement_and_its_figures_to_their_links(manager: WebClient, june: Ledger) -> None:
    page = manager.page(f"/reconcile/statement?{JUNE}&by=day")
    row = next(each for each in page.all("[aria-labelledby=days-title] tbody tr") if "4 Jun" in each.get_text())
    [paid] = [cell for cell in row.select("td") if cell["data-label"] == "Paid"]
    assert shown(manager.page(str(paid.a["href"]))) == [3]  # type: ignore[index]  # It is on the page.
    of_day = manager.page(page.link("4 Jun"))
    assert days_shown(of_day) == "4 Jun 2026"
    assert of_day.one("h2[id=vehicles-title]").get_text() == "By vehicle"
    assert not of_day.all(".statement-views"), "a single day has no days to choose from"
    assert manager.page("/reconcile/statement?from=2026-06-04&to=2026-06-04&by=day").all("#vehicles-title")


def test_a_long_statement_is_told_by_month_whose_days_are_a_click_away(manager: WebClient, june: Ledger) -> None:
    page = manager.page("/reconcile/statement?from=2026-04-20&to=2026-07-25&by=day")
    assert page.one("h2[id=days-title]").get_text() == "By month"
    months = [words(row.th.get_text()) for row in page.all("tbody:not(.statement-totals) tr") if row.th]
    assert months == ["1 to 31 May 2026", "1 to 30 Jun 2026", "1 to 11 Jul 2026"], "up to tomorrow"
    assert list(days_of(manager.page(page.link("1 to 30 Jun 2026")))) == [
        "2 Jun", "3 Jun", "4 Jun", "5 Jun", "7 Jun", "8 Jun",
    ]  # fmt: skip


def test_days_in_which_nothing_moved_have_no_table(manager: WebClient, june: Ledger) -> None:
    page = manager.page("/reconcile/statement?from=2026-06-10&to=2026-06-20&by=day")
    assert balance(page)["Open at start"] == balance(page)["Open at end"] == ("2", "₹5,100.00")
    assert "No link was created, paid or ended in these days." in page.text
    assert not page.all("table")
    assert words(page.one(".statement-views [aria-current]").get_text()) == "Day"


def test_the_days_of_a_statement_end_today_however_long_its_period_is(manager: WebClient, june: Ledger) -> None:
    enter(june, 8, made="07-09", status="PAID", over="07-11", total=Decimal(70))  # tomorrow, by a clock that is ahead
    page = manager.page("/reconcile/statement?from=2026-07-02&to=2026-07-31&by=day")
    assert list(days_of(page)) == ["2 Jul", "5 Jul", "9 Jul", "11 Jul"]
    every_year = manager.page("/reconcile/statement?from=1970-01-01&to=9000-12-31&by=day")
    assert [words(row.th.get_text()) for row in every_year.all("tbody:not(.statement-totals) tr") if row.th][-1] == (
        "1 to 11 Jul 2026"
    )


def test_another_period_is_told_by_day_as_well(manager: WebClient, june: Ledger) -> None:
    page = manager.page(f"/reconcile/statement?{JUNE}&by=day")
    assert manager.page(page.link("Last month")).all("#days-title")
    assert page.one(".period-form [name=by]")["value"] == "day"
    assert not manager.page(f"/reconcile/statement?{JUNE}&by=anything").all(".period-form [name=by]")


def test_a_statement_by_day_is_exported_by_day(manager: WebClient, june: Ledger) -> None:
    page = manager.page(f"/reconcile/statement?{JUNE}&by=day")
    answer = manager.get(page.link("CSV"))
    rows = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))
    assert [(row["Of"], row["Day"]) for row in rows[:2]] == [("all links", ""), ("day", "2026-06-02")]
    assert [row["Paid (INR)"] for row in rows[:2]] == ["23.50", "20.50"]
    assert Decimal(rows[-1]["Open at end (INR)"]) == Decimal(rows[0]["Open at end (INR)"]) == 5100


def test_capitals_make_no_other_cost_centre(manager: WebClient, june: Ledger) -> None:
    with june.services.store.write() as connection:
        for number, name in ((2, "West"), (3, "WEST")):
            custom_fields.write(connection, custom_fields.LINK, link_id(number), {"cost_centre": name}, june.clock(), 1)
    page = manager.page(f"/reconcile/statement?{JUNE}&by=cost-centre")
    [section] = page.all("section[aria-labelledby=centres-title]")
    rows = {
        words(row.th.get_text()).lower(): row.select("td")
        for row in section.select("tbody:not(.statement-totals) tr")
        if row.th
    }
    assert sorted(rows) == ["none", "west"]
    paid = rows["west"][2]
    assert words(paid.get_text(" ")) == "₹23.50 2 links"
    assert paid.a is not None
    assert sorted(shown(manager.page(str(paid.a["href"])))) == [2, 3]


def test_a_link_that_is_no_longer_paid_is_counted_apart(manager: WebClient, june: Ledger) -> None:
    with june.services.store.write() as connection:
        answer = PaymentLink(id=link_id(3), status="ACTIVE")
        ledger.enter_link(connection, answer, june.services.schedule, june.clock())
    page = manager.page("/reconcile/statement?from=2026-07-01&to=2026-07-31")
    said = words(page.one("#no-longer-paid").get_text())
    assert "In these days 1 paid link changed to another state: ₹3.00." in said
    assert "The service does not say whether the money was refunded." in said
    assert not manager.page(f"/reconcile/statement?{JUNE}").all("#no-longer-paid")


def test_a_link_that_is_no_longer_paid_is_not_in_the_list_of_its_day(manager: WebClient, june: Ledger) -> None:
    with june.services.store.write() as connection:
        answer = PaymentLink(id=link_id(3), status="ACTIVE", paid_at=day("06-04"))
        ledger.enter_link(connection, answer, june.services.schedule, june.clock())
    page = manager.page(f"/reconcile/statement?{JUNE}")
    assert balance(page)["Paid"] == ("1", "₹20.50")
    assert shown(manager.page(leads(page, "Paid"))) == [2]
    made = Statements(june.services.store, june.clock).make(day("06-03") - timedelta(hours=12), day("06-05"))
    assert made.whole.paid.links == 0


def test_a_payment_of_unknown_time_counts_and_is_listed_when_it_was_first_shown(
    manager: WebClient, june: Ledger
) -> None:
    with june.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(2)).values(paid_at=None))
    page = manager.page(f"/reconcile/statement?{JUNE}")
    assert balance(page)["Paid"] == ("2", "₹23.50")
    assert sorted(shown(manager.page(leads(page, "Paid")))) == [2, 3]
    said = "1 link (₹20.50) of unknown time; counted on the day the payment was first shown."
    assert said in words(page.one(".statement-notes").get_text(" "))
    [row] = page.all("table.table-statement tbody:not(.statement-totals) tr")
    cells = {str(cell["data-label"]): cell for cell in row.select("td")}
    assert words(cells["Paid"].get_text(" ")) == "₹23.50 2 links"
    assert sorted(shown(manager.page(str(cells["Paid"].a["href"])))) == [2, 3]  # type: ignore[index]  # It has one.


def test_the_page_of_open_links_leads_back_to_its_statement(manager: WebClient, june: Ledger) -> None:
    page = manager.page(f"/reconcile/statement?{JUNE}")
    opened = manager.page(leads(page, "Open at end"))
    assert opened.heading == "Open at the end of 30 Jun 2026"
    assert manager.page(leads(page, "Open at start")).heading == "Open at the start of 1 Jun 2026"
    assert manager.page(opened.link("Statement")).heading == page.heading


def test_a_statement_is_exported_or_printed_from_one_menu(manager: WebClient, june: Ledger) -> None:
    menu = manager.page(f"/reconcile/statement?{JUNE}").one(".statement-exports .drop-list")
    assert [words(each.get_text()) for each in menu.select(".button")] == ["CSV", "Excel (XLSX)", "Print or PDF"]


def test_before_the_first_link_a_statement_says_what_it_will_show(manager: WebClient) -> None:
    page = manager.page("/reconcile/statement")
    assert "No payment link yet. A statement will show what was open, created, paid" in page.text
    assert words(page.one(".empty a").get_text()) == "Search a vehicle"
    assert not page.all(".statement-period"), "no days have anything"


def test_a_period_without_movement_says_so(manager: WebClient, june: Ledger) -> None:
    assert "Nothing in these days." in manager.page("/reconcile/statement?from=2020-01-01&to=2020-01-31").text


def test_the_exports_hold_the_same_figures(manager: WebClient, june: Ledger, app: Flask) -> None:
    answer = manager.get(f"/reconcile/statement.csv?{JUNE}")
    assert 'filename="statement-2026-06-01-2026-06-30.csv"' in answer.headers["Content-Disposition"]
    whole, vehicle = csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig")))
    assert whole["Days"] == "2026-06-01 to 2026-06-30 (Asia/Kolkata)"
    assert (whole["Of"], vehicle["Vehicle or cost centre"]) == ("all links", "MH12AB1001")
    assert (whole["Paid: links"], whole["Paid (INR)"], whole["Paid: amount not known yet"]) == ("2", "23.50", "0")
    assert whole["Lapsed: amount not known yet"] == "1"
    assert whole["By what was known at (Asia/Kolkata)"] == "2026-07-10 12:00:07"
    with app.extensions["store"].read() as connection:
        entry = audit.newest(connection)[0]
    assert (entry.action, entry.subject) == ("export", "statement.csv")
    assert entry.detail == {"first": "2026-06-01", "last": "2026-06-30"}
    book = load_workbook(io.BytesIO(manager.get(f"/reconcile/statement.xlsx?{JUNE}").data))
    sheet = book["Statement"]
    head, first, *_ = sheet.iter_rows(values_only=True)
    assert dict(zip(head, first, strict=True))["Paid (INR)"] == 23.5


def test_a_hostile_cost_centre_is_defused(manager: WebClient, june: Ledger) -> None:
    with june.services.store.write() as connection:
        fields = {"cost_centre": "=1+1"}
        custom_fields.write(connection, custom_fields.VEHICLE, "MH12AB1001", fields, june.clock(), 1)
    answer = manager.get(f"/reconcile/statement.csv?{JUNE}")
    assert "'=1+1" in answer.data.decode()
    assert ",=1+1" not in answer.data.decode()


def test_open_links_are_shown_with_their_driver_and_their_end(manager: WebClient, june: Ledger) -> None:
    page = manager.page(f"/reconcile/statement?{JUNE}")
    opened = manager.page(leads(page, "Open at end"))
    heads = [words(each.get_text()) for each in opened.all("thead th")]
    assert heads == ["Payment link", "State now", "Total", "Driver", "When", "Created"]


def test_a_link_that_was_open_says_its_day_although_it_was_created_today(manager: WebClient, june: Ledger) -> None:
    enter(june, 8, made=f"{june.clock():%m-%d}")
    tomorrow = june.clock().date() + timedelta(days=1)
    page = manager.page(f"/reconcile/statement/open?day={tomorrow}")
    assert page.heading == f"Open at the start of {tomorrow.day} {tomorrow:%b %Y}"
    links = page.all(".table-links tbody tr")
    assert words(page.one(".reconcile-sum").get_text(" ")).endswith(f" {len(links)} links")
    assert all(re.match(r"\d+ [A-Z]", words(row.select("td")[-1].get_text())) for row in links)


def test_an_unreadable_day_is_not_found(manager: WebClient) -> None:
    assert manager.get("/reconcile/statement/open?day=soon").status_code == 404
    page = manager.page(f"/reconcile/statement/open?day={date(2026, 6, 1)}&after=nonsense")
    assert "No link was open then." in page.text
