"""Read lines of vehicles from rows of a table, or from a text with any separators."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dashboard.domain.custom_fields import CUSTOM_FIELDS
from dashboard.domain.fleet import MAX_VEHICLES
from dashboard.domain.fleet_input import CITY, DRIVER, PASTED, PHONE, RC, RC_TYPE, Line
from dashboard.domain.registration import InvalidRegistration, doubt, normalize
from dashboard.domain.safe_text import on_one_line

#: The names of the columns, as the template has them. They are not translated, so that everybody can read the file of a
#: colleague.
COLUMNS = {
    RC: "Registration number",
    RC_TYPE: "RC type",
    CITY: "City",
    DRIVER: "Driver",
    PHONE: "Phone",
    **{each.name: each.label for each in CUSTOM_FIELDS},
}
#: Other names that fleets use for them.
_OTHER_NAMES = {
    RC: ("rc", "rc no", "rc number", "reg no", "registration no", "registration", "vehicle", "vehicle no"),
    RC_TYPE: ("vehicle type", "type"),
    CITY: ("location",),
    DRIVER: ("driver name",),
    PHONE: ("driver phone", "phone number", "mobile", "mobile no", "mobile number", "driver mobile"),
}
_MORE_NUMBERS = (
    "regn",
    "regn no",
    "regn number",
    "reg number",
    "vehicle number",
    "rc numbers",
    "registration numbers",
    "number",
    "plate",
    "truck no",
    "vehicles",
)

#: What separates numbers on a line for certain. A space may stand inside of a number.
_SEPARATORS = re.compile(r"[,;|\t\r\n\v\f]+")
_DELIMITERS = (",", ";", "\t")
#: How lists are numbered: "1. ", "2) ".
_LIST_MARK = re.compile(r"^\s*(?:\(?\d{1,5}[.)]\s+|[•*–-]\s+)")
_QUOTES = " \"'“”‘’.:"
#: A number has at most so many parts with spaces between them; one part alone has at least so many characters.
_MOST_PARTS, _SHORTEST = 5, 6
#: What nearly every number looks like: its parts can be told from those of the next one.
_USUAL = re.compile(r"[A-Z]{2}\d{1,2}[A-Z]{1,3}\d{1,4}|\d{2}BH\d{4}[A-Z]{1,2}")
#: A part of a line, a phone number as India writes it, and what stands in names and between them.
_PART = re.compile(r"[^\s,;|]+")
_MOBILE = re.compile(r"(?<![\d+])(?:(?:\+|00)?91[\s-]*|0)?[6-9](?:[\s-]?\d){9}(?!\d)")
_DIGITS = re.compile(r"[\d +()-]*\d[\d +()-]*")
_OF_NAMES, _BETWEEN = " .'’-", ' ,;|\t:–—-"“”'
#: The most characters of a pasted line that is shown with the part of it that could not be read.
_LONGEST_PASTED = 200
_EXPORTED_FORMULAS = ("'=", "'+", "'-", "'@")


class ReadProblem(StrEnum):
    """Name why a text or a file has no lines; `web/fleet/texts.py` has the words."""

    EMPTY = "empty"
    NO_HEAD = "no_head"
    NO_NUMBERS = "no_numbers"
    TOO_MANY = "too_many"
    NOT_A_TABLE = "not_a_table"


class Unreadable(ValueError):
    """Report that a text or a file has no lines that can be read; `columns` are those that it has instead."""

    def __init__(self, problem: StrEnum, columns: Sequence[str] = ()) -> None:
        super().__init__(problem.value)
        self.problem, self.columns = problem, tuple(columns)


@dataclass(frozen=True, slots=True)
class Read:
    """Hold the lines, and the names of columns that nobody here knows, whose cells are left out."""

    lines: tuple[Line, ...]
    ignored: tuple[str, ...] = ()


def read_text(text: str) -> Read:
    """Read a text: a table where its first line names columns, else numbers with any separators. Raises Unreadable."""
    first = next((row for row in text.splitlines() if row.strip()), "")
    names = _names(next(_csv_rows(first), []))
    # One word may also be a driver's name, or a city; two are the head of a table.
    if RC in names.values() or len(names) > 1:
        return read_table(_csv_rows(text))
    return Read(_limited(_numbers(enumerate(text.splitlines(), start=1))))


def read_table(rows: Iterable[Sequence[str]]) -> Read:
    """Read rows, whose first names the columns unless there is one alone. Raises Unreadable."""
    filled = [(number, row) for number, row in enumerate(rows, start=1) if any(cell.strip() for cell in row)]
    if not filled:
        raise Unreadable(ReadProblem.EMPTY)
    head = filled[0][1]
    names = _names(head)
    if RC not in names.values() and (place := _place_of_numbers([row for _number, row in filled])) is not None:
        names[place] = RC
    if RC in names.values():
        return _named(names, head, filled[1:])
    if len(names) > 1:
        raise Unreadable(ReadProblem.NO_NUMBERS, [title for cell in head if (title := _cell(cell))])
    if not all(_needs_no_head(number, row) for number, row in filled):
        raise Unreadable(ReadProblem.NO_HEAD)
    return Read(_limited(_numbers((number, ",".join(row)) for number, row in filled)))


def csv_rows(text: str) -> list[list[str]]:
    """Return the rows of a text with commas, semicolons or tabs between its cells. Raises Unreadable."""
    return list(_csv_rows(text))


def as_table(lines: Iterable[Line]) -> str:
    """Write lines as CSV, which `read_text` reads again."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS.values())
    for line in lines:
        writer.writerow(line.cells.get(name, "") for name in COLUMNS)
    return text.getvalue()


def split_numbers(text: str) -> Iterator[str]:
    """Yield the registration numbers of a line, as they are written."""
    for part in _SEPARATORS.split(_LIST_MARK.sub("", text)):
        if plain := part.strip(_QUOTES):
            yield from _grouped(plain.split())


def _csv_rows(text: str) -> Iterator[list[str]]:
    head = next((row for row in text.splitlines() if row.strip()), "")
    delimiter = max(_DELIMITERS, key=head.count)
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    except csv.Error:
        raise Unreadable(ReadProblem.NOT_A_TABLE) from None


def _names(head: Sequence[str]) -> dict[int, str]:
    """Return the fields of the columns that a row names, by their place."""
    known = {_folded(title): name for name, title in COLUMNS.items()}
    known |= {_folded(other): name for name, others in _OTHER_NAMES.items() for other in others}
    known |= {_folded(other): RC for other in _MORE_NUMBERS} | {_folded(name): name for name in COLUMNS}
    found: dict[int, str] = {}
    for place, cell in enumerate(head):
        name = known.get(_folded(cell))
        if name and name not in found.values():
            found[place] = name
    return found


def _place_of_numbers(rows: Sequence[Sequence[str]]) -> int | None:
    """Return which column below a head has registration numbers, whatever it is called; None unless it is one alone."""
    head, *below = rows
    if sum(bool(cell.strip()) for cell in head) < 2:
        return None
    found = []
    for place, title in enumerate(head):
        cells = [row[place] for row in below if place < len(row) and row[place].strip()]
        # What has digits may be a number that was mistyped, and no title.
        if not any(map(str.isdigit, title)) and 2 * sum(map(_is_usual, cells)) > len(cells):
            found.append(place)
    return found[0] if len(found) == 1 else None


def _named(names: dict[int, str], head: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]) -> Read:
    lines: list[Line] = []
    for number, row in rows:
        cells = {name: _cell(row[place]) for place, name in names.items() if place < len(row)}
        filled = {name: cell for name, cell in cells.items() if cell}
        # A column of numbers alone may have several in a cell.
        alone = _numbers([(number, filled.get(RC, ""))]) if len(names) == 1 else [Line(number, filled)]
        lines += [line for line in alone if line.cells]
    ignored = tuple(_cell(cell) for place, cell in enumerate(head) if place not in names and cell.strip())
    return Read(_limited(lines), ignored)


def _numbers(rows: Iterable[tuple[int, str]]) -> Iterator[Line]:
    for number, text in rows:
        if with_driver := _with_driver(number, text) or _with_part_of_driver(number, text):
            yield with_driver
            continue
        parts = list(split_numbers(text))
        whole = {PASTED: _cell(text)} if len(parts) > 1 and len(text) <= _LONGEST_PASTED else {}
        for found in parts:
            # Nobody needs to see where a number comes from that has the shape of one.
            yield Line(number, {RC: _cell(found)} | ({} if _has_shape(found) else whole))


def _with_driver(number: int, text: str) -> Line | None:
    """Read a vehicle with its driver: a phone number behind one of the usual shape, and nothing else but a name."""
    text = _LIST_MARK.sub("", text)
    for end in list(_PART.finditer(text))[:_MOST_PARTS]:
        rc, rest = text[: end.end()].strip(_QUOTES), text[end.end() :]
        phones = list(_MOBILE.finditer(rest))
        if len(phones) != 1 or not _is_usual(rc):
            continue
        name = (rest[: phones[0].start()] + " " + rest[phones[0].end() :]).strip(_BETWEEN)
        if _may_be_name(name):
            cells = {RC: _cell(rc), DRIVER: _cell(name), PHONE: _cell(phones[0][0])}
            return Line(number, {field: cell for field, cell in cells.items() if cell})
    return None


def _with_part_of_driver(number: int, text: str) -> Line | None:
    """Read a vehicle with a name behind its comma, and no phone number or one that is none: its driver is corrected."""
    first, *rest = [part.strip(_QUOTES) for part in _SEPARATORS.split(_LIST_MARK.sub("", text))]
    filled = [each for each in rest if each]
    names = [each for each in filled if _may_be_name(each)]
    phones = [each for each in filled if _DIGITS.fullmatch(each)]
    if not _is_usual(first) or len(names) != 1 or len(phones) > 1 or len(filled) > len(names) + len(phones):
        return None
    cells = {RC: first, DRIVER: names[0], PHONE: "".join(phones)}
    return Line(number, {field: _cell(cell) for field, cell in cells.items() if cell})


def _may_be_name(text: str) -> bool:
    # Signs of vowels in Indian scripts are no letters by themselves.
    return all(each.isalpha() or each in _OF_NAMES or not (each.isascii() or each.isnumeric()) for each in text)


def _limited(lines: Iterable[Line]) -> tuple[Line, ...]:
    found: list[Line] = []
    for line in lines:
        if len(found) == MAX_VEHICLES:
            raise Unreadable(ReadProblem.TOO_MANY)
        found.append(line)
    if not found:
        raise Unreadable(ReadProblem.EMPTY)
    return tuple(found)


def _grouped(parts: Sequence[str]) -> Iterator[str]:
    """Join the parts of a text between spaces to numbers: as few as possible, of known shapes where that can be."""
    if len(parts) == 1 or _has_shape("".join(parts)):
        yield " ".join(parts)
        return
    if len(parts) > MAX_VEHICLES * _MOST_PARTS:
        raise Unreadable(ReadProblem.TOO_MANY)
    # The cheapest way to group the parts before each place, and where its last group begins.
    best: list[tuple[float, int]] = [(0, 0)]
    for end in range(1, len(parts) + 1):
        starts = range(max(0, end - _MOST_PARTS), end)
        best.append(min((best[start][0] + _cost(parts[start:end]), start) for start in starts))
    ends, end = [], len(parts)
    while end:
        ends.append((best[end][1], end))
        end = best[end][1]
    for start, end in reversed(ends):
        yield " ".join(parts[start:end])


def _cost(parts: Sequence[str]) -> float:
    """Return what a group costs: one of the usual shape the least, and a part that fits nowhere the most.

    A letter typed for a digit does not break a number in two, whose second half might be another vehicle's.
    """
    text = "".join(parts)
    if len(text) >= _SHORTEST and _has_shape(text):
        return 1 if _is_usual(text) else 1.5 * len(parts)
    return 1.25 * len(parts) if _has_lookalikes(text) else 2 + 1.5 * len(parts)


def _has_shape(text: str) -> bool:
    try:
        return doubt(normalize(text)) is None
    except InvalidRegistration:
        return False


def _is_usual(text: str) -> bool:
    return _has_shape(text) and _USUAL.fullmatch(normalize(text)) is not None


def _has_lookalikes(text: str) -> bool:
    try:
        found = doubt(normalize(text))
    except InvalidRegistration:
        return False
    return found is not None and bool(found.swapped)


def _needs_no_head(number: int, row: Sequence[str]) -> bool:
    """Return whether the cells of a row say themselves what they are: one cell, numbers, or one with its driver."""
    filled = [cell for cell in row if cell.strip()]
    return len(filled) < 2 or all(map(_has_shape, filled)) or _with_driver(number, ",".join(filled)) is not None


def _cell(text: str) -> str:
    """Return a cell on one line. An export of ours marks as text what a spreadsheet would run as a formula."""
    plain = " ".join(on_one_line(text).split())
    return plain[1:] if plain.startswith(_EXPORTED_FORMULAS) else plain


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", text.casefold()).split())
