"""Test which files are read, in which encodings, and that a hostile one is refused at a bounded cost."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import openpyxl
import pytest

from dashboard.domain.fleet_lines import Unreadable
from dashboard.web.fleet import input_files
from dashboard.web.fleet.input_files import MAX_BYTES, FileProblem, rows_of

TEXT = "RC number;Driver\nMH12AB1001;José – “Raju”\n"


def workbook(*rows: list[object], also: dict[str, bytes] | None = None) -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (also or {}).items():
            archive.writestr(name, content)
    return file.getvalue()


def problem_of(content: bytes) -> object:
    with pytest.raises(Unreadable) as raised:
        rows_of(content)
    return raised.value.problem


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_is_read_in_the_encodings_that_excel_writes(encoding: str) -> None:
    assert rows_of(TEXT.encode(encoding)) == [["RC number", "Driver"], ["MH12AB1001", "José – “Raju”"]]


def test_a_workbook_is_read_by_its_content_and_phones_have_no_decimals() -> None:
    file = workbook(["RC number", "Phone", "Note"], ["MH12AB1001", 9876543210, date(2026, 11, 22)])
    rows = [[cell for cell in row if cell] for row in rows_of(file)]
    assert rows == [["RC number", "Phone", "Note"], ["MH12AB1001", "9876543210", "2026-11-22T00:00:00"]]


def test_a_formula_is_never_computed() -> None:
    rows = rows_of(workbook(["RC number"], ["=1+1"], ["MH12AB1001"]))
    assert [row[0] for row in rows] == ["RC number", "", "MH12AB1001"], "no value was stored with it"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", FileProblem.MISSING),
        (b"x" * (MAX_BYTES + 1), FileProblem.TOO_LARGE),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileProblem.OLD_EXCEL),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", FileProblem.NOT_READABLE),
        (b"%PDF-1.7\n1 0 obj\n", FileProblem.PDF),
        (b"\n%PDF-1.4\n\x01\x02", FileProblem.PDF),
        (b"\xff\xfeM\x00H", FileProblem.NOT_READABLE),
        (b"PK\x03\x04 no archive", FileProblem.NOT_READABLE),
        (workbook(["RC"])[:-40], FileProblem.NOT_READABLE),
        (workbook(["RC"], also={"xl/vbaProject.bin": b"x"}), FileProblem.MACROS),
        (workbook(["RC"], also={"xl/zeros.xml": b"0" * (33 * 1024 * 1024)}), FileProblem.TOO_LARGE),
        (workbook(["RC"], also={f"xl/{number}.xml": b"" for number in range(600)}), FileProblem.TOO_LARGE),
        (workbook(["RC"], also={"xl/a.xml": b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}), FileProblem.NOT_READABLE),
        (workbook(["RC"] * 70), FileProblem.TOO_MANY_COLUMNS),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_cannot_be_read_or_is_hostile_says_why(content: bytes, problem: FileProblem) -> None:
    assert problem_of(content) is problem


def test_an_archive_that_is_no_workbook_is_not_readable() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "a")
    assert problem_of(file.getvalue()) is FileProblem.NOT_READABLE


def test_a_sheet_with_a_cell_far_below_is_refused_without_reading_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "_MAX_ROWS", 50)
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (1, 60):
        book.active.cell(row, 1, "MH12AB1001")
    file = io.BytesIO()
    book.save(file)
    assert problem_of(file.getvalue()) is FileProblem.TOO_MANY_ROWS
