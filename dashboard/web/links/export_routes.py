"""Serve exports of the list of links as CSV or XLSX; each export is in the audit log."""

from __future__ import annotations

from collections.abc import Iterator

from flask import abort, request
from flask.typing import ResponseReturnValue

from dashboard.domain.spreadsheets import Cell
from dashboard.web.links import export_texts, filters
from dashboard.web.links.export import LinkExport, RowPer
from dashboard.web.links.routes import bp
from dashboard.web.shared.current import audit, current_services, settings, zone
from dashboard.web.shared.spreadsheets import csv_download, xlsx_download


@bp.get("/links/export")
def export() -> ResponseReturnValue:
    """Export in the format that the form asks for."""
    return export_xlsx() if request.args.get("format") == "xlsx" else export_csv()


@bp.get("/links/export.csv")
def export_csv() -> ResponseReturnValue:
    """Export every link that the filter of the address finds; `rows=challan` gives a row for each challan."""
    name, head, rows = _asked_for("csv")
    return csv_download(name, head, rows, zone())


@bp.get("/links/export.xlsx")
def export_xlsx() -> ResponseReturnValue:
    """Export the same as a workbook."""
    name, head, rows = _asked_for("xlsx")
    return xlsx_download(name, head, rows, zone(), str(export_texts.EXPORT_SHEET))


def _asked_for(kind: str) -> tuple[str, list[str], Iterator[list[Cell]]]:
    """Return the name of the file, its head and its rows, after the export was recorded."""
    asked, problems = filters.read(request.args)
    if problems:
        abort(400)
    row_per = RowPer.CHALLAN if request.args.get("rows") == RowPer.CHALLAN else RowPer.LINK
    services = current_services()
    exporting = LinkExport(services.store, services.clock, zone(), settings().currency)
    audit("export", f"links.{kind}", rows=str(row_per), filter=filters.write(asked))
    name = f"payment-links-{services.clock().astimezone(zone()):%Y-%m-%d-%H%M}.{kind}"
    return name, exporting.head(row_per), exporting.rows(asked, row_per)
