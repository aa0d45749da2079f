"""Reading addresses and forms: a text is a day, a moment or a row's id only where the database can hold it."""

from __future__ import annotations

from datetime import UTC, date, datetime

from flask import request
from werkzeug.exceptions import BadRequest, NotFound
from werkzeug.routing import IntegerConverter

from dashboard.store.links.tables import NEVER
from dashboard.store.types import LARGEST_ID

_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


class NulTyped(BadRequest):
    """A character that no keyboard has, and that PostgreSQL keeps in no text."""


class RowId(IntegerConverter):
    """The number of a row in an address; there is nothing at a larger one than a column holds."""

    def to_python(self, value: str) -> int:
        try:
            return row_id(value)
        except ValueError:
            raise NotFound from None


def refuse_nul() -> None:
    """Refuse a request that holds it anywhere, before anything of it is looked for or kept."""
    if request.routing_exception is not None:  # Nothing is, then.
        return
    if "\0" in request.path:
        raise NulTyped
    for fields in (request.args, request.form):
        if any("\0" in text for pair in fields.items(multi=True) for text in pair):
            raise NulTyped


def day(text: str) -> date | None:
    """A day that can be looked for, with another one after it; None when the text names none."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if 1970 <= found.year <= 9000 else None


def moment(text: str | None) -> datetime | None:
    """A moment with its zone, such as a list can have a place at; None when the text names none."""
    try:
        found = datetime.fromisoformat(text or "")
        return found.astimezone(UTC) if found.tzinfo and _EARLIEST <= found <= NEVER else None
    except (ValueError, OverflowError):
        return None


def row_id(text: str) -> int:
    """The id that a row may have. Raises ValueError."""
    number = int(text)
    if not 0 <= number <= LARGEST_ID:
        raise ValueError(f"{number} is no row's id")
    return number
