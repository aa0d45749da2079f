"""Test exported files: full sheets, and text that a spreadsheet program would run or reject."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
import xlsxwriter
from openpyxl import load_workbook

from dashboard.domain.spreadsheets import defused
from dashboard.web.shared import spreadsheets

INDIA = ZoneInfo("Asia/Kolkata")


@pytest.mark.parametrize(("rows", "sheets"), [(0, [0]), (4, [4]), (5, [4, 1]), (9, [4, 4, 1])])
def test_rows_that_a_sheet_cannot_hold_go_on_in_another_with_the_same_head(rows: int, sheets: list[int]) -> None:
    cells = ([f"link {number}", number] for number in range(rows))
    file = spreadsheets.as_xlsx(["Link", "Hours"], iter(cells), INDIA, "Links", rows_a_sheet=5)
    found = [list(sheet.iter_rows(values_only=True)) for sheet in load_workbook(file).worksheets]
    assert [head for head, *_ in found] == [("Link", "Hours")] * len(sheets)
    assert [len(below) for _, *below in found] == sheets
    assert [row for _, *below in found for row in below] == [(f"link {number}", number) for number in range(rows)]


def test_a_sheet_holds_as_many_rows_as_a_workbook_can() -> None:
    assert xlsxwriter.worksheet.Worksheet().xls_rowmax == spreadsheets.ROWS_A_SHEET


@pytest.mark.parametrize(
    "text",
    [
        "MH12AB1001",
        "निर्धारित गति",
        "र्\u200dहस्व दृष्टीचा चालक",  # In Marathi the first letter takes a joiner.
        "ಸರ್ಕಾರಿ ಸಾಫ್ಟ್\u200cವೇರ್",  # In Kannada this mark separates letters.
        "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL} family",
        "",
        None,
    ],
)
def test_plain_text_of_any_script_is_unchanged(text: str | None) -> None:
    assert defused(text) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("one\r\ntwo\u2028three\u2029four", "one  two three four"),
        ("a\x00b\x7fc\x9bd", "a\ufffdb\ufffdc\ufffdd"),
        ("invoice \u202egpj.exe\u2066", "invoice \ufffdgpj.exe\ufffd"),
        ("no letters \ud800\ufffe\uffff", "no letters \ufffd\ufffd\ufffd"),
    ],
)
def test_line_breaks_and_harmful_characters_are_replaced(text: str, plain: str) -> None:
    assert defused(text) == plain
    book = load_workbook(spreadsheets.as_xlsx(["Text"], iter([[defused(text)]]), INDIA, "Texts"))
    assert book.worksheets[0]["A2"].value == plain
