"""Test exports of the list of links by reading them with the csv module and with openpyxl."""

from __future__ import annotations

import csv
import io
import tracemalloc
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from flask import Flask
from openpyxl import load_workbook
from sqlalchemy import insert

from dashboard.domain.link_filters import LinkFilter
from dashboard.domain.links import LinkChallan, PaymentLink
from dashboard.services.container import Services
from dashboard.services.links import ledger
from dashboard.store.accounts import audit
from dashboard.store.links.tables import link
from dashboard.web.links.export import LinkExport, RowPer
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.links.test_list import Ledger, link_id

INDIA = ZoneInfo("Asia/Kolkata")
FORMULA = '=HYPERLINK("http://evil.example","pay here")'


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def as_csv(visitor: WebClient, query: str = "") -> list[dict[str, str]]:
    answer = visitor.get(f"/links/export.csv{query}")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="payment-links-')
    return list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))


def as_xlsx(visitor: WebClient, query: str = "") -> list[dict[str, Any]]:
    answer = visitor.get(f"/links/export.xlsx{query}")
    assert answer.status_code == 200
    sheet = load_workbook(io.BytesIO(answer.data)).active
    assert sheet is not None
    head, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(map(str, head), row, strict=True)) for row in rows]


def test_each_link_is_a_row_with_zone_and_currency_in_the_head(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=Decimal("12345.50"))
    paid_at = entered.clock() - timedelta(hours=1)
    entered.enter(2, status="PAID")
    with entered.services.store.write() as connection:
        answer = PaymentLink(id=link_id(2), status="PAID", paid_at=paid_at)
        ledger.enter_link(connection, answer, entered.services.schedule, entered.clock())
    second, first = as_csv(manager)
    assert (first["Link id"], first["Vehicle"], first["State"]) == (link_id(1), "MH12AB1001", "ACTIVE")
    assert (first["Total (INR)"], first["Challans"], first["Paid (Asia/Kolkata)"]) == ("12345.50", "1", "")
    assert second["Paid (Asia/Kolkata)"] == f"{paid_at.astimezone(INDIA):%Y-%m-%d %H:%M:%S}"


def test_a_workbook_has_true_numbers_and_moments(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=Decimal("12345.50"))
    [row] = as_xlsx(manager)
    assert (row["Total (INR)"], row["Challans"]) == (12345.5, 1)
    made = row["Made (Asia/Kolkata)"]
    assert isinstance(made, datetime)
    assert abs(made - entered.clock().astimezone(INDIA).replace(tzinfo=None)) < timedelta(seconds=2)


def test_unknown_amounts_are_left_empty_and_not_zero(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=None)
    assert as_csv(manager)[0]["Total (INR)"] == ""
    assert as_xlsx(manager)[0]["Total (INR)"] is None


def test_a_row_for_each_challan_repeats_its_link(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    challans = tuple(
        LinkChallan(f"x{n}", f"MH7{n}", "MH12AB1001", "PENDING", "ONLINE", "Maharashtra", Decimal(5), None, None)
        for n in range(3)
    )
    with entered.services.store.write() as connection:
        answer = PaymentLink(id=link_id(1), status="ACTIVE", challans=challans)
        ledger.enter_link(connection, answer, entered.services.schedule, entered.clock())
    rows = as_csv(manager, "?rows=challan")
    assert {row["Link id"] for row in rows} == {link_id(1)}
    # Challans once observed on a link stay stored.
    assert sorted(row["Challan number"] for row in rows) == ["MH70", "MH71", "MH72", "MH90001"]
    assert {row["Challan legal fee (INR)"] for row in rows} == {""}


def test_a_link_that_only_a_search_has_shown_is_exported_and_its_challans_are_unknown(
    staff: WebClient, manager: WebClient, five: dict[str, str], app: Flask, services: Services
) -> None:
    made = steps.elsewhere(app, *sorted(five.values())[:3])
    steps.searches(staff)
    for export in (as_csv, as_xlsx):
        for query in ("", "?rows=challan"):
            [row] = export(manager, query)
            assert row["Link id"] == made
            assert row["Challans"] in ("", None)
        assert {name: row[name] for name in row if name.startswith("Challan ") and row[name]} == {}
        assert list(row)[-1] == "Challan total (INR)"
    services.link_poller.refresh(made)
    assert [row["Challans"] for row in as_csv(manager)] == ["3"]
    assert len(as_csv(manager, "?rows=challan")) == 3


def test_a_link_without_challans_has_a_row_of_its_own(manager: WebClient, entered: Ledger) -> None:
    with entered.services.store.write() as connection:
        answer = PaymentLink(id=link_id(1), status="ACTIVE")
        ledger.enter_link(connection, answer, entered.services.schedule, entered.clock())
    [row] = as_csv(manager, "?rows=challan")
    assert (row["Link id"], row["Challans"], row["Challan number"]) == (link_id(1), "0", "")
    assert None not in row.values(), "as many cells as there are columns"


def test_the_whole_filter_is_exported_and_not_the_page(manager: WebClient, entered: Ledger) -> None:
    for number in range(1, 70):
        entered.enter(number, status="PAID" if number % 2 else "EXPIRED")
    assert len(as_csv(manager, "?state=PAID")) == 35
    assert len(as_xlsx(manager, "?state=PAID&after=x")) == 35
    page = manager.page("/links?state=PAID")
    answer = page.submit("Export", rows="link")
    assert answer.data.decode("utf-8-sig").count("\n") == 36
    workbook = page.submit("Export", rows="link", format="xlsx")
    assert load_workbook(io.BytesIO(workbook.data)).active.max_row == 36


@pytest.mark.parametrize("hostile", [FORMULA, "+1", "-1+1", "@SUM(A1)", "\tx", "\r=1", "\x00=1"])
def test_cells_that_a_spreadsheet_would_run_are_defused(manager: WebClient, entered: Ledger, hostile: str) -> None:
    entered.enter(1)
    challan = LinkChallan("h", hostile, hostile, hostile, hostile, hostile, None, None, None)
    with entered.services.store.write() as connection:
        answer = PaymentLink(id=link_id(1), status=hostile, challans=(challan,))
        ledger.enter_link(connection, answer, entered.services.schedule, entered.clock())
    for rows in (as_csv(manager, "?rows=challan"), as_xlsx(manager, "?rows=challan")):
        found = [row for row in rows if row["Challan number"] != "MH90001"]
        for name in ("State", "Challan number", "Challan type", "Challan status"):
            assert str(found[0][name]).startswith("'"), found[0][name]
            assert str(found[0][name]).isprintable()


def test_staff_are_offered_no_export_and_read_why_at_its_address(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    page = staff.page("/links")
    assert "Export" not in page.buttons()
    refused = staff.page("/links/export.csv", status=403)
    assert "This is for managers and administrators" in refused.text


def test_an_export_is_in_the_audit_log_with_its_filter(manager: WebClient, app: Flask, entered: Ledger) -> None:
    entered.enter(1)
    as_csv(manager, "?state=PAID&rows=challan")
    with app.extensions["store"].read() as connection:
        entry = audit.newest(connection)[0]
    assert (entry.action, entry.subject, entry.name) == ("export", "links.csv", "Meera Iyer")
    assert entry.detail == {"rows": "challan", "filter": {"state": ["PAID"]}}


def test_an_invalid_filter_exports_nothing(manager: WebClient) -> None:
    assert manager.get("/links/export.csv?from=yesterday").status_code == 400


def test_a_long_export_needs_no_more_memory_than_a_short_one(app: Flask, clock: Any) -> None:
    services = app.extensions["services"]
    now = clock()
    common = {"rc": "MH12AB1001", "status": "PAID", "status_since": now, "modes": [], "detailed": True}
    common |= {"origin": "observed", "first_seen_at": now, "version": 1}

    def grow(start: int, end: int) -> None:
        with services.store.write() as connection:
            connection.execute(insert(link), [common | {"id": link_id(number)} for number in range(start, end)])

    def most_memory() -> int:
        tracemalloc.start()
        try:
            count = sum(1 for _ in LinkExport(services.store, clock, INDIA, "INR").rows(LinkFilter(), RowPer.LINK))
            assert count in (1_000, 12_000)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    grow(0, 1_000)
    short = most_memory()
    grow(1_000, 12_000)
    assert most_memory() < short * 1.5


def test_no_export_may_be_kept_by_a_cache(manager: WebClient) -> None:
    for address in ("/links/export.xlsx", "/links/export.csv"):
        assert manager.get(address).headers.get_all("Cache-Control") == ["no-store"], address
