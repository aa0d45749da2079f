"""Read the rows of an uploaded file: CSV in the encodings that Excel writes, or XLSX. Nothing of a file is run."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Any
from xml.etree.ElementTree import ParseError

from dashboard.domain.fleet_lines import Unreadable, csv_rows

#: The largest file, in bytes, and what a workbook of that size may unpack to.
MAX_BYTES, _MAX_UNPACKED, _MAX_PARTS = 1024 * 1024, 32 * 1024 * 1024, 500
#: The most rows and columns of a sheet, empty ones among them.
_MAX_ROWS, _MAX_COLUMNS = 100_000, 60
#: The first bytes of a ZIP, which a workbook is, and of what old versions of Excel write.
_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_PDF, _BEFORE_PDF = b"%PDF-", 1024
#: No workbook needs a document type; one may define entities that grow without end.
_DOCUMENT_TYPES = tuple("<!DOCTYPE".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
_MACROS = "vbaProject"
#: A broken workbook fails anywhere in the libraries that read it.
_BROKEN: tuple[type[Exception], ...] = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, ParseError, EOFError, OSError),
    *(LookupError, ValueError, TypeError, AttributeError, NotImplementedError, RuntimeError),
)


class FileProblem(StrEnum):
    """Name why a file has no rows; `texts.py` has the words."""

    MISSING = "missing"
    TOO_LARGE = "too_large"
    NOT_READABLE = "not_readable"
    OLD_EXCEL = "old_excel"
    PDF = "pdf"
    MACROS = "macros"
    TOO_MANY_ROWS = "too_many_rows"
    TOO_MANY_COLUMNS = "too_many_columns"


def rows_of(content: bytes) -> list[list[str]]:
    """Return the rows of a file, which is known by its content and not by its name. Raises Unreadable."""
    if not content:
        raise Unreadable(FileProblem.MISSING)
    if len(content) > MAX_BYTES:
        raise Unreadable(FileProblem.TOO_LARGE)
    if content.startswith(_OLD_EXCEL):
        raise Unreadable(FileProblem.OLD_EXCEL)
    # Its mark may follow a few other bytes.
    if _PDF in content[:_BEFORE_PDF]:
        raise Unreadable(FileProblem.PDF)
    if content.startswith(_ZIP):
        return _workbook_rows(content)
    return csv_rows(_decoded(content))


def _decoded(content: bytes) -> str:
    """Return a text in UTF-8 or UTF-16, or as Excel writes it on Windows."""
    marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # A picture or a PDF may be decoded too, but no text has such characters.
        if not any(each < " " and each not in "\t\r\n\v\f" for each in text):
            return text
        break
    raise Unreadable(FileProblem.NOT_READABLE)


def _workbook_rows(content: bytes) -> list[list[str]]:
    # Loaded with the first workbook: most processes never read one.
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    _refuse_hostile(content)
    try:
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        try:
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # A sheet may claim any size.
            rows = sheet.iter_rows(max_row=_MAX_ROWS + 1, max_col=_MAX_COLUMNS + 1, values_only=True)
            return list(_bounded(rows))
        finally:
            book.close()
    except Unreadable:
        raise
    except (InvalidFileException, *_BROKEN):
        raise Unreadable(FileProblem.NOT_READABLE) from None


def _refuse_hostile(content: bytes) -> None:
    """Refuse a workbook that unpacks to too much, has macros, or defines entities. Raises Unreadable."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > _MAX_UNPACKED:
                raise Unreadable(FileProblem.TOO_LARGE)
            if any(_MACROS in part.filename for part in parts):
                raise Unreadable(FileProblem.MACROS)
            # No more than the size that a part claims is ever read of it.
            for part in parts:
                unpacked = archive.read(part)
                if any(word in unpacked for word in _DOCUMENT_TYPES):
                    raise Unreadable(FileProblem.NOT_READABLE)
    except Unreadable:
        raise
    except _BROKEN:
        raise Unreadable(FileProblem.NOT_READABLE) from None


def _bounded(rows: Iterator[Sequence[Any]]) -> Iterator[list[str]]:
    for number, row in enumerate(rows, start=1):
        if number > _MAX_ROWS:
            raise Unreadable(FileProblem.TOO_MANY_ROWS)
        cells = [_text(value) for value in row]
        if len(cells) > _MAX_COLUMNS and cells[_MAX_COLUMNS]:
            raise Unreadable(FileProblem.TOO_MANY_COLUMNS)
        yield cells


def _text(value: Any) -> str:
    """Return a cell as text: a phone number that Excel took for a number has no decimals."""
    match value:
        case None | bool():
            return ""
        case float() if value.is_integer() and abs(value) < 1e16:
            return str(int(value))
        case datetime() | date():
            return value.isoformat()
    return str(value)
