"""Serve statements as a page, as CSV and as a workbook. Each export is recorded in the audit log."""

from __future__ import annotations

from collections.abc import Iterator

from flask import abort, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.domain.registration import normalize_part
from dashboard.domain.spreadsheets import Cell
from dashboard.services.reconciliation.statement import Statement
from dashboard.web.reconciliation import statement_export, statement_page, statement_texts
from dashboard.web.reconciliation.periods import Asked, By, Moment, Period, read_by, read_period
from dashboard.web.reconciliation.routes import bp
from dashboard.web.shared import request_args
from dashboard.web.shared.current import audit, current_services, settings, zone
from dashboard.web.shared.periods import values_before
from dashboard.web.shared.spreadsheets import csv_download, xlsx_download


@bp.get("/reconcile/statement")
def statement() -> ResponseReturnValue:
    period, problem = read_period(request.args)
    days = values_before() if problem else request.args
    if problem:
        period, _problem = read_period(days)
    by = read_by(request.args)
    made = _made(Asked(period, by))
    if not any(days.get(name) for name in period.in_address) and statement_page.is_empty(made):
        # A young ledger begins in this month.
        period = Period.this_month()
        made = _made(Asked(period, by))
    typed = {name: request.args.get(name, "") for name in period.in_address}
    shown = typed if any(typed.values()) else period.in_address
    page = statement_page.statement_page(made, Asked(period, by), shown, problem)
    return render_template("reconciliation/statement.html", page=page), 422 if problem else 200


def _made(asked: Asked) -> Statement:
    """Make a statement; its days are counted apart only where they are shown."""
    spans = [each.start for each in asked.period.spans()] if asked.by is By.DAY else ()
    return current_services().statements.make(asked.period.start, asked.period.end, spans)


@bp.get("/reconcile/statement/open")
def statement_open() -> str:
    """Show the links that were open when a day began or ended, as far as is known now."""
    day = request_args.day(request.args.get("day", "")) or abort(404)
    moment = Moment(day, at_end=request.args.get("at") == "end")
    rc = normalize_part(request.args.get("vehicle", ""))
    cost_centre = request.args.get("cost_centre", "").strip()
    after = statement_page.read_after(request.args.get("after", ""))
    period, problem = read_period(request.args)
    asked = None if problem else Asked(period, read_by(request.args))
    page = statement_page.open_links_page(moment, rc, cost_centre, after, asked)
    return render_template("reconciliation/open_links.html", page=page)


@bp.get("/reconcile/statement.csv")
def statement_csv() -> ResponseReturnValue:
    name, head, rows = _export("csv")
    return csv_download(name, head, rows, zone())


@bp.get("/reconcile/statement.xlsx")
def statement_xlsx() -> ResponseReturnValue:
    name, head, rows = _export("xlsx")
    return xlsx_download(name, head, rows, zone(), str(statement_texts.EXPORT_SHEET))


def _export(kind: str) -> tuple[str, list[str], Iterator[list[Cell]]]:
    """Return the name of the file, its head and its rows, after the export was recorded."""
    period, problem = read_period(request.args)
    if problem:
        abort(400)
    asked = Asked(period, read_by(request.args))
    made = _made(asked)
    audit("export", f"statement.{kind}", first=period.first.isoformat(), last=period.last.isoformat())
    head = statement_export.head(settings().currency, zone(), asked)
    return f"statement-{period.first}-{period.last}.{kind}", head, statement_export.rows(made, asked, zone())
