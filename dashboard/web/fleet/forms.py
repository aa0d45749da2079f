"""Read the forms of the fleet's input."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from decimal import Decimal, InvalidOperation

from werkzeug.datastructures import MultiDict

from dashboard.domain.fleet_input import FIELDS, Line, searched_anyway, with_cell, with_city
from dashboard.domain.fleet_lines import Read, read_table, read_text
from dashboard.domain.fleet_schedules import LEAST_DAYS, MOST_DAYS, Repeat, Scope
from dashboard.domain.lookups import City
from dashboard.store.fleet.drafts import MAX_TITLE
from dashboard.store.fleet.lists import MAX_NAME
from dashboard.store.types import LARGEST_ID
from dashboard.web.fleet import texts
from dashboard.web.fleet.input_files import rows_of

#: The fields of corrections: the place of a line in its draft, and its cell.
_CELL = re.compile(r"cell-(\d{1,5})-([a-z_]+)")
_TIME = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)")
#: A cell that is typed in place of another; longer ones are cut, and their line says that they are too long.
_LONGEST_CELL = 1000


@dataclass(frozen=True, slots=True)
class Given:
    """Hold the lines that were typed and uploaded."""

    lines: tuple[Line, ...]
    ignored: tuple[str, ...]


def read_input(numbers: str, file: bytes | None) -> Given:
    """Read what was typed, and the file. Raises Unreadable."""
    parts: list[Read] = []
    if numbers.strip():
        parts.append(read_text(numbers))
    if file is not None:
        parts.append(read_table(rows_of(file)))
    lines = [line for part in parts for line in part.lines]
    return Given(tuple(lines), tuple(name for part in parts for name in part.ignored))


def corrected(lines: Sequence[Line], form: MultiDict[str, str], cities: Sequence[City]) -> list[Line]:
    """Return the lines of a draft with what a form changes in them."""
    found = list(lines)
    for name, text in form.items(multi=True):
        if (match := _CELL.fullmatch(name)) and match[2] in FIELDS and int(match[1]) < len(found):
            line = found[int(match[1])]
            found[int(match[1])] = with_cell(line, match[2], " ".join(text.split())[:_LONGEST_CELL])
    # A box that is not ticked is not sent, so the place of each box is.
    for place in form.getlist("doubtful"):
        if place.isascii() and place.isdigit() and len(place) < 6 and int(place) < len(found):
            found[int(place)] = searched_anyway(found[int(place)], wanted=f"anyway-{place}" in form)
    typed, _, city_id = form.get("city", "").rpartition("|")
    city = next((each for each in cities if each.id == city_id), None)
    if city is not None and typed:
        found = with_city(found, typed, city.id)
    for typed, text in zip(form.getlist("unknown-city"), form.getlist("another-city"), strict=False):
        if typed and (another := " ".join(text.split())[:_LONGEST_CELL]):
            found = with_city(found, typed, another)
    return found


def title(form: Mapping[str, str]) -> str | None:
    """Return the name of a run; None when it is empty or too long."""
    typed = " ".join(form.get("title", "").split())
    return typed if 0 < len(typed) <= MAX_TITLE else None


def list_name(form: Mapping[str, str]) -> str | None:
    """Return the name of a list; None when it is empty or too long."""
    typed = " ".join(form.get("name", "").split())
    return typed if 0 < len(typed) <= MAX_NAME else None


def days(text: str) -> int | None:
    """Return a number of days; None when it is none that can be asked for."""
    plain = text.strip()
    if not (plain.isascii() and plain.isdigit() and len(plain) <= 4):
        return None
    return int(plain) if LEAST_DAYS <= int(plain) <= MOST_DAYS else None


def amount(text: str, most: Decimal) -> Decimal | None:
    """Return an amount; None when it is none, or more than `most`."""
    try:
        found = Decimal(text.replace(",", ""))
    except InvalidOperation:
        return None
    return found if found.is_finite() and 0 <= found <= most else None


def at_source(form: Mapping[str, str]) -> bool:
    """Return whether the box is ticked that has the source asked anew."""
    return form.get("source") == "yes"


def repeat(form: MultiDict[str, str]) -> tuple[Repeat | None, dict[str, str]]:
    """Return the repeated search that a form describes, or its problems by field."""
    problems: dict[str, str] = {}
    scope, _, list_id = form.get("what", "").partition(":")
    number = int(list_id) if list_id.isascii() and list_id.isdigit() and len(list_id) < 11 else 0
    if scope not in set(Scope) or (scope == Scope.LIST and not 0 < number <= LARGEST_ID):
        problems["what"] = str(texts.NO_SCOPE)
    old = days(form.get("days", "")) if scope == Scope.OLD else None
    if scope == Scope.OLD and old is None:
        problems["days"] = str(texts.DAYS_NEEDED)
    # An undo sends its days in one field.
    chosen = form.getlist("day") or list(form.get("weekdays", ""))
    weekdays = frozenset(int(day) for day in chosen if day in set("0123456"))
    if not weekdays:
        problems["day"] = str(texts.NO_WEEKDAY)
    at = _TIME.fullmatch(form.get("at", "").strip())
    if at is None:
        problems["at"] = str(texts.NO_TIME)
    if problems or at is None:
        return None, problems
    kind = Scope(scope)
    list_of = number if kind is Scope.LIST else None
    return Repeat(kind, weekdays, time(int(at[1]), int(at[2])), list_of, old, at_source(form)), {}


def page_number(args: Mapping[str, str]) -> int:
    """Return the number of the page that an address asks for, or 1."""
    text = args.get("page", "")
    return max(1, int(text)) if text.isascii() and text.isdecimal() and len(text) < 6 else 1
