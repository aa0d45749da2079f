"""Read and write files of drivers: CSV, one driver a line, with the fields of the form as its columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from werkzeug.datastructures import MultiDict

from dashboard.domain.drivers import MAX_NAME, DriverDetails
from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES
from dashboard.domain.phones import international, shown
from dashboard.domain.registration import spaced
from dashboard.domain.spreadsheets import Cell, defused
from dashboard.store.sharing.drivers import Driver
from dashboard.web.sharing import texts
from dashboard.web.sharing.forms import DriverForm

#: The largest file that is read, in bytes and in lines below its head.
MAX_BYTES, MAX_LINES = 1024 * 1024, 1000
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
#: Languages by each of their spellings in a file.
_SPOKEN = {name.casefold(): each.code for each in LANGUAGES.values() for name in (each.code, each.name, each.english)}
_FORMULA_STARTS = ("'=", "'+", "'-", "'@")


class UnreadableFile(ValueError):
    """Report that a file holds no drivers, with the reason for people."""


@dataclass(frozen=True, slots=True)
class Line:
    """Hold a line of a file by its number; either `details`, or the `problem` that keeps it out.

    A language that the line does not name is "" in `details`: whoever is known keeps theirs. `wrong` are the cells that
    the problem is about, by field.
    """

    number: int
    name: str
    phone: str
    details: DriverDetails | None
    problem: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)


def decoded(content: bytes) -> str:
    """Return the text of a file. Raises UnreadableFile."""
    if len(content) > MAX_BYTES:
        raise UnreadableFile(str(texts.FILE_TOO_LARGE))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableFile(str(texts.FILE_NOT_UTF8)) from None


@dataclass(frozen=True, slots=True)
class Read:
    """Hold the lines of a file, and the names of its columns that are not read."""

    lines: tuple[Line, ...]
    ignored: tuple[str, ...]


def read(text: str) -> Read:
    """Read a file. Raises UnreadableFile where it has no lines, too many, or no column for name and phone."""
    rows, columns = _table(text)
    filled = [(number, row) for number, row in enumerate(rows[1:], start=2) if any(cell.strip() for cell in row)]
    if not filled:
        raise UnreadableFile(str(texts.FILE_EMPTY))
    if len(filled) > MAX_LINES:
        raise UnreadableFile(texts.file_too_long(len(filled), MAX_LINES))
    seen: dict[str, int] = {}
    ignored = (cell.strip()[:MAX_NAME] for cell, name in zip(rows[0], columns, strict=True) if name is None)
    return Read(
        tuple(_line(number, _cells(columns, row), seen) for number, row in filled),
        tuple(title for title in ignored if title),
    )


def corrected(text: str, cells: Mapping[tuple[int, str], str]) -> str:
    """Return a file with these cells, by line and field, in place of its own. Raises UnreadableFile."""
    rows, columns = _table(text)
    changed = False
    for (number, name), cell in cells.items():
        if name not in columns or not 1 < number <= len(rows):
            continue
        row, place = rows[number - 1], columns.index(name)
        row.extend([""] * (place + 1 - len(row)))
        changed = changed or row[place].strip() != cell.strip()
        row[place] = cell
    if not changed:
        return text
    written = io.StringIO()
    csv.writer(written, delimiter=_delimiter(text)).writerows(rows)
    return written.getvalue()


def _table(text: str) -> tuple[list[list[str]], list[str | None]]:
    """Split a file into its rows, and name the field of each column, None where it is not read."""
    if "\0" in text:
        raise UnreadableFile(str(texts.FILE_NOT_UTF8))
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text)))
    except csv.Error:
        raise UnreadableFile(str(texts.FILE_NOT_CSV)) from None
    named = {title.casefold(): name for name, title in _COLUMNS.items()} | {name: name for name in _COLUMNS}
    named["e-mail"] = "email"  # As older files of this dashboard have it.
    columns: list[str | None] = []
    for cell in rows[0] if rows else []:
        name = named.get(cell.strip().casefold())
        columns.append(None if name in columns else name)  # Of two columns of one field the first is read.
    if not {"name", "phone"} <= set(columns):
        raise UnreadableFile(str(texts.FILE_WITHOUT_COLUMNS))
    return rows, columns


def _delimiter(text: str) -> str:
    head = text.partition("\n")[0]
    return ";" if head.count(";") > head.count(",") else ","


def _cells(columns: Sequence[str | None], row: Sequence[str]) -> dict[str, str]:
    cells = {name: cell.strip() for name, cell in zip(columns, row, strict=False) if name}
    # Our own export marks as text what a spreadsheet would run as a formula, such as a number that begins with "+".
    return {name: cell[1:] if cell.startswith(_FORMULA_STARTS) else cell for name, cell in cells.items()}


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
        problems["phone"] = [str(texts.PHONE_NEEDED)]
    if spoken and not language:
        problems["language"] = [texts.unknown_language(spoken, [each.english for each in LANGUAGES.values()])]
    if problems:
        return refused(" ".join(each for said in problems.values() for each in said), *problems)
    above = seen.setdefault(international(phone), number)
    if above != number:
        return refused(texts.same_phone(above), "phone")
    return Line(number, name, shown(phone), form.details(language))


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
