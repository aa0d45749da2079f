"""A statement of a period as a page, as CSV and as a workbook; who exported it is recorded."""

from __future__ import annotations

from flask import abort, current_app, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.domain.registration import normalize_part
from dashboard.domain.spreadsheets import Cell
from dashboard.services.reconciliation import statement as made_as
from dashboard.web.links.list_page import zone
from dashboard.web.reconciliation import statement_page
from dashboard.web.reconciliation.routes import bp
from dashboard.web.reconciliation.statement_page import Period
from dashboard.web.shared import request_args
from dashboard.web.shared.current import audit, current_services
from dashboard.web.shared.spreadsheets import csv_download, xlsx_download

_FIELDS = ("from", "to")


@bp.get("/reconcile/statement")
def statement() -> ResponseReturnValue:
    period, problem = _period()
    made = current_services().statements.of(period.start, period.end)
    typed = {name: request.args.get(name, "") for name in _FIELDS}
    if not any(typed.values()):
        typed = {"from": period.first.isoformat(), "to": period.last.isoformat()}
    page = statement_page.statement_page(made, period, typed, problem)
    return render_template("reconciliation/statement.html", page=page), 422 if problem else 200


@bp.get("/reconcile/statement/open")
def statement_open() -> str:
    """The links that were open when a day began, by what is known now."""
    day = request_args.day(request.args.get("day", "")) or abort(404)
    rc = normalize_part(request.args.get("vehicle", ""))
    cost_centre = request.args.get("cost_centre", "").strip()
    after = statement_page.read_after(request.args.get("after", ""))
    period, problem = _period()
    page = statement_page.open_page(day, rc, cost_centre, after, None if problem else period)
    return render_template("reconciliation/open_links.html", page=page)


@bp.get("/reconcile/statement.csv")
def statement_csv() -> ResponseReturnValue:
    name, head, rows = _exported("csv")
    return csv_download(name, head, iter(rows), zone())


@bp.get("/reconcile/statement.xlsx")
def statement_xlsx() -> ResponseReturnValue:
    name, head, rows = _exported("xlsx")
    return xlsx_download(name, head, iter(rows), zone(), "Statement")


def _exported(kind: str) -> tuple[str, list[str], list[list[Cell]]]:
    """The name of the file, its head and its rows; what is exported is recorded."""
    period, problem = _period()
    if problem:
        abort(400)
    made = current_services().statements.of(period.start, period.end)
    audit("export", f"statement.{kind}", first=period.first.isoformat(), last=period.last.isoformat())
    extent = f"{period.first} to {period.last} ({zone()})"
    rows: list[list[Cell]] = [[extent, *row] for row in made_as.rows(made)]
    head = ["Days", *made_as.head(current_app.extensions["settings"].currency, zone())]
    return f"statement-{period.first}-{period.last}.{kind}", head, rows


def _period() -> tuple[Period, str | None]:
    """The days that the address asks for, or last month; and what is wrong with it, if anything."""
    usual = statement_page.last_month()
    typed = [request.args.get(name, "").strip() for name in _FIELDS]
    if not any(typed):
        return usual, None
    first, last = (request_args.day(text) for text in typed)
    if first is None or last is None:
        return usual, "Enter both days, such as 2026-11-01 and 2026-11-30. Last month is shown."
    if last < first:
        return usual, "The last day is before the first. Last month is shown."
    return Period(first, last), None
