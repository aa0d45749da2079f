"""Read and write files of drivers: CSV or XLSX, one driver a line, with the fields of the form as its columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from werkzeug.datastructures import MultiDict

from dashboard.domain.drivers import MAX_NAME, DriverDetails
from dashboard.domain.fleet_lines import Unreadable
from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES
from dashboard.domain.phones import international, is_phone, shown
from dashboard.domain.registration import doubt, spaced
from dashboard.domain.spreadsheets import Cell, defused
from dashboard.store.sharing.drivers import Driver
from dashboard.web.fleet.input_files import FileProblem, rows_of
from dashboard.web.fleet.texts import unreadable
from dashboard.web.sharing import driver_file_texts
from dashboard.web.sharing.forms import DriverForm

#: The most that is read: in bytes of text, and in drivers.
_MAX_TEXT, MAX_LINES = 1024 * 1024, 1000
#: Names of columns, by field. They are not translated, so that everybody can read the file of a colleague.
_COLUMNS = {
    "name": "Name",
    "phone": "Phone",
    "email": "Email",
    "language": "Language",
    "vehicles": "Usual vehicles",
    "note": "Note",
}
HEAD = list(_COLUMNS.values())
#: Other names that fleets use for them.
_OTHER_NAMES = {
    **dict.fromkeys(("driver", "driver name"), "name"),
    **dict.fromkeys(("mobile", "mobile no", "mobile number", "phone number", "whatsapp"), "phone"),
    **dict.fromkeys(("e-mail",), "email"),
    **dict.fromkeys(("vehicle", "vehicles", "vehicle no", "vehicle number", "registration number"), "vehicles"),
}
_DELIMITERS = (",", ";", "\t")
#: Languages by each of their spellings in a file.
_SPOKEN = {name.casefold(): each.code for each in LANGUAGES.values() for name in (each.code, each.name, each.english)}
_FORMULA_STARTS = ("'=", "'+", "'-", "'@")


class UnreadableFile(ValueError):
    """Report that a file holds no drivers, with the reason for people."""


@dataclass(frozen=True, slots=True)
class Line:
    """Hold a line of a file by its number; either `details`, or the `problem` that keeps it out.

    A language that the line does not name is "" in `details`: whoever is known keeps theirs. `wrong` are the cells that
    the problem is about, by field; of a line with details, the vehicles where one of them has no known shape.
    """

    number: int
    name: str
    phone: str
    details: DriverDetails | None
    problem: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)


def text_of(content: bytes, file: str) -> str:
    """Return the rows of the file of this name as CSV, with their places. Raises UnreadableFile."""
    try:
        return _written(rows_of(content), ",")
    except Unreadable as refused:
        raise UnreadableFile(unreadable(refused, file)) from None


@dataclass(frozen=True, slots=True)
class Read:
    """Hold the lines of a file, and the names of its columns that are not read."""

    lines: tuple[Line, ...]
    ignored: tuple[str, ...]


def read(text: str) -> Read:
    """Read a file. Raises UnreadableFile where it has no lines, too many, or no column for name and phone."""
    rows, columns, head = _table(text)
    numbered = enumerate(rows[head:], start=head + 1)
    filled = [(number, row) for number, row in numbered if any(cell.strip() for cell in row)]
    if not filled:
        raise UnreadableFile(str(driver_file_texts.FILE_EMPTY))
    if len(filled) > MAX_LINES:
        raise UnreadableFile(driver_file_texts.file_too_long(len(filled), MAX_LINES))
    seen: dict[str, int] = {}
    ignored = (cell.strip()[:MAX_NAME] for cell, name in zip(rows[0], columns, strict=False) if name is None)
    return Read(
        tuple(_line(number, _cells(columns, row), seen) for number, row in filled),
        tuple(title for title in ignored if title),
    )


def corrected(text: str, cells: Mapping[tuple[int, str], str]) -> str:
    """Return a file with these cells, by line and field, in place of its own. Raises UnreadableFile."""
    rows, columns, head = _table(text)
    changed = False
    for (number, name), cell in cells.items():
        if name not in columns or not head < number <= len(rows):
            continue
        row, place = rows[number - 1], columns.index(name)
        row.extend([""] * (place + 1 - len(row)))
        changed = changed or _plain(row[place]) != cell.strip()
        row[place] = cell
    return _written(rows, _delimiter(text)) if changed else text


def _written(rows: Sequence[Sequence[str]], delimiter: str) -> str:
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter).writerows(rows)
    return written.getvalue()


def _table(text: str) -> tuple[list[list[str]], list[str | None], int]:
    """Split a text into its rows, and name the field of each column, None where it is not read.

    Also returns how many rows the head has: none where the first is a driver, with the columns of the template.
    """
    if len(text.encode()) > _MAX_TEXT:
        raise UnreadableFile(unreadable(Unreadable(FileProblem.TOO_LARGE)))
    if "\0" in text:
        raise UnreadableFile(str(driver_file_texts.FILE_NOT_CSV))
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text)))
    except csv.Error:
        raise UnreadableFile(str(driver_file_texts.FILE_NOT_CSV)) from None
    named = {**_OTHER_NAMES, **{title.casefold(): name for name, title in _COLUMNS.items()}}
    columns: list[str | None] = []
    for cell in rows[0] if rows else []:
        name = named.get(cell.strip().casefold())
        columns.append(None if name in columns else name)  # Of two columns of one field the first is read.
    if {"name", "phone"} <= set(columns):
        return rows, columns, 1
    if not any(columns) and len(columns) > 1 and is_phone(rows[0][1]):
        return rows, list(_COLUMNS), 0
    raise UnreadableFile(str(driver_file_texts.FILE_WITHOUT_COLUMNS))


def _delimiter(text: str) -> str:
    return max(_DELIMITERS, key=text.partition("\n")[0].count)


def _cells(columns: Sequence[str | None], row: Sequence[str]) -> dict[str, str]:
    return {name: _plain(cell) for name, cell in zip(columns, row, strict=False) if name}


def _plain(cell: str) -> str:
    """Return a cell without the mark by which our export keeps a spreadsheet from running it, such as "'+91…"."""
    text = cell.strip()
    return text[1:] if text.startswith(_FORMULA_STARTS) else text


def _line(number: int, cells: Mapping[str, str], seen: dict[str, int]) -> Line:
    """Check a line by the rules of the form. `seen` are the lines above, by phone."""
    name, phone, spoken = cells.get("name", ""), cells.get("phone", ""), cells.get("language", "")

    def refused(problem: str, *wrong: str) -> Line:
        return Line(number, name, phone, None, problem, {each: cells.get(each, "") for each in wrong})

    language = _SPOKEN.get(spoken.casefold(), "")
    form = DriverForm(MultiDict({**cells, "language": language or DEFAULT_LANGUAGE.code}), meta={"csrf": False})
    form.validate()
    # All at once, so that a line need not be corrected twice.
    problems = {name: [str(each) for each in said] for name, said in form.errors.items()}
    if not phone:
        problems["phone"] = [str(driver_file_texts.PHONE_NEEDED)]
    if spoken and not language:
        problems["language"] = [
            driver_file_texts.unknown_language(spoken, [each.english for each in LANGUAGES.values()])
        ]
    if problems:
        return refused(" ".join(each for said in problems.values() for each in said), *problems)
    above = seen.setdefault(international(phone), number)
    if above != number:
        return refused(driver_file_texts.same_phone(above), "phone")
    details = form.details(language)
    doubtful = {"vehicles": cells["vehicles"]} if any(map(doubt, details.vehicles)) else {}
    return Line(number, name, shown(phone), details, wrong=doubtful)


def export(listed: Sequence[Driver], vehicles: Mapping[int, Sequence[str]]) -> Iterator[list[Cell]]:
    """Return the rows of a file with these drivers, which can be read again."""
    for driver in listed:
        language = LANGUAGES.get(driver.language)
        yield [
            defused(cell)
            for cell in (
                driver.name,
                shown(driver.phone) if driver.phone else None,
                driver.email,
                language.english if language else driver.language,
                ", ".join(spaced(rc) for rc in vehicles[driver.id]),
                driver.note,
            )
        ]
