"""Write CSV or XLSX row by row, so that the memory in use does not grow with the size of an export."""

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
from flask import Response, send_file
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from dashboard.domain.spreadsheets import Cell

#: The most rows of a sheet of a workbook, with its head.
ROWS_A_SHEET = 1_048_576
_XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
#: Bytes of a workbook that are written into memory before the disk is used.
_IN_MEMORY = 4 * 1024 * 1024
#: Rows of CSV that are sent at once.
_ROWS_A_CHUNK = 200


def csv_download(name: str, head: list[str], rows: Iterator[list[Cell]], zone: tzinfo) -> Response:
    """Stream a CSV file called `name`; moments are written in `zone`."""
    answer = Response(as_csv(head, rows, zone), content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def xlsx_download(name: str, head: list[str], rows: Iterator[list[Cell]], zone: tzinfo, sheet_name: str) -> Response:
    """Send a workbook called `name`, with true numbers, and moments in `zone`."""
    book = as_xlsx(head, rows, zone, sheet_name)
    return send_file(book, mimetype=_XLSX_TYPE, as_attachment=True, download_name=name)


def as_csv(head: list[str], rows: Iterator[list[Cell]], zone: tzinfo) -> Iterator[bytes]:
    """Write CSV in chunks, with a byte order mark first: without it Excel does not read UTF-8."""
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow(head)
    yield b"\xef\xbb\xbf"
    for count, row in enumerate(rows, start=1):
        writer.writerow([_csv_cell(cell, zone) for cell in row])
        if count % _ROWS_A_CHUNK == 0:
            yield lines.getvalue().encode()
            lines.seek(0)
            lines.truncate()
    yield lines.getvalue().encode()


def _csv_cell(cell: Cell, zone: tzinfo) -> str | int:
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")
    return format(cell, "f") if isinstance(cell, Decimal) else cell


def as_xlsx(
    head: list[str],
    rows: Iterator[list[Cell]],
    zone: tzinfo,
    sheet_name: str,
    rows_a_sheet: int = ROWS_A_SHEET,
) -> IO[bytes]:
    """Write a workbook: xlsxwriter holds one row in memory, and finished rows go to disk.

    Rows beyond `rows_a_sheet` go on in another sheet with the same head, because xlsxwriter drops what a sheet cannot
    hold without an error.
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
    for column, title in enumerate(head):
        sheet.write_string(0, column, title, formats.head)
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
