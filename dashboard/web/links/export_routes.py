"""Exports of the list of links as CSV or XLSX, streamed; who exported what is recorded."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import IO, Any

import xlsxwriter
from flask import Response, abort, current_app, request, send_file
from flask.typing import ResponseReturnValue
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from dashboard.services.links.export import Cell, LinkExport, RowPer
from dashboard.web.links import filters
from dashboard.web.links.list_page import zone
from dashboard.web.links.routes import bp
from dashboard.web.shared.current import audit, current_services

SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
#: As many rows as a sheet of a workbook can hold, its head among them.
ROWS_A_SHEET = 1_048_576
#: How much is written into memory before the disk is used.
_IN_MEMORY = 4 * 1024 * 1024


@bp.get("/links/export")
def export() -> ResponseReturnValue:
    """The list in the format that the form asks for."""
    return export_xlsx() if request.args.get("format") == "xlsx" else export_csv()


@bp.get("/links/export.csv")
def export_csv() -> ResponseReturnValue:
    """The whole filter of the address, not the page; `rows=challan` gives a row for each challan."""
    name, head, rows = _asked_for("csv")
    answer = Response(as_csv(head, rows, zone()), content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@bp.get("/links/export.xlsx")
def export_xlsx() -> ResponseReturnValue:
    """The same as a workbook, with true numbers and moments."""
    name, head, rows = _asked_for("xlsx")
    return send_file(as_xlsx(head, rows, zone()), mimetype=SPREADSHEET, as_attachment=True, download_name=name)


def _asked_for(kind: str) -> tuple[str, list[str], Iterator[list[Cell]]]:
    """The name of the file, its head and its rows; what is exported is recorded first."""
    asked, problems = filters.read(request.args)
    if problems:
        abort(400)
    row_per = RowPer.CHALLAN if request.args.get("rows") == RowPer.CHALLAN else RowPer.LINK
    services = current_services()
    exporting = LinkExport(services.store, services.clock, zone(), current_app.extensions["settings"].currency)
    audit("export", f"links.{kind}", rows=str(row_per), filter=filters.write(asked))
    name = f"payment-links-{services.clock().astimezone(zone()):%Y-%m-%d-%H%M}.{kind}"
    return name, exporting.head(row_per), exporting.rows(asked, row_per)


def as_csv(head: list[str], rows: Iterator[list[Cell]], zone: tzinfo) -> Iterator[bytes]:
    """Begins with a byte order mark, without which Excel takes UTF-8 for something else."""
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow(head)
    yield b"\xef\xbb\xbf"
    for count, row in enumerate(rows):
        writer.writerow([_written(cell, zone) for cell in row])
        if count % 200 == 199:
            yield lines.getvalue().encode()
            lines.seek(0)
            lines.truncate()
    yield lines.getvalue().encode()


def _written(cell: Cell, zone: tzinfo) -> str | int:
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")
    return format(cell, "f") if isinstance(cell, Decimal) else cell


def as_xlsx(
    head: list[str],
    rows: Iterator[list[Cell]],
    zone: tzinfo,
    sheet_name: str = "Payment links",
    rows_a_sheet: int = ROWS_A_SHEET,
) -> IO[bytes]:
    """A workbook, written row by row: xlsxwriter keeps one row in memory, and what is finished goes to disk.

    What a sheet cannot hold goes on in another with the same head, as xlsxwriter drops rows beyond the last without a
    word.
    """
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - the answer closes it.
    options: dict[str, Any] = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "default_date_format": "yyyy-mm-dd hh:mm:ss",
        # A full sheet takes more than the 2 GiB that a plain ZIP is written with; one that takes less stays plain.
        "use_zip64": True,
    }
    book = xlsxwriter.Workbook(file, options)
    formats = _Formats(
        head=book.add_format({"bold": True}),
        moment=book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
        money=book.add_format({"num_format": "#,##0.00"}),
    )
    sheet, number = _sheet(book, sheet_name, head, formats), 1
    for row in rows:
        if number == rows_a_sheet:
            sheet, number = _sheet(book, f"{sheet_name} {len(book.worksheets()) + 1}", head, formats), 1
        _write_row(sheet, number, row, zone, formats)
        number += 1
    book.close()
    file.seek(0)
    return file


@dataclass(frozen=True, slots=True)
class _Formats:
    head: Format
    moment: Format
    money: Format


def _sheet(book: xlsxwriter.Workbook, name: str, head: list[str], formats: _Formats) -> Worksheet:
    sheet = book.add_worksheet(name)
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(head) - 1, 20)
    for column, words in enumerate(head):
        sheet.write_string(0, column, words, formats.head)
    return sheet


def _write_row(sheet: Worksheet, number: int, row: list[Cell], zone: tzinfo, formats: _Formats) -> None:
    for column, cell in enumerate(row):
        if isinstance(cell, datetime):
            sheet.write_datetime(number, column, cell.astimezone(zone).replace(tzinfo=None), formats.moment)
        elif isinstance(cell, Decimal):
            sheet.write_number(number, column, float(cell), formats.money)
        elif isinstance(cell, int):
            sheet.write_number(number, column, cell)
        elif cell is not None:
            sheet.write_string(number, column, cell)
