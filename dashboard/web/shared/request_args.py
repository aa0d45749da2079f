"""Parse request arguments, rejecting dates, times and ids that the database cannot store."""

from __future__ import annotations

from datetime import UTC, date, datetime
from uuid import UUID

from flask import request
from werkzeug.exceptions import BadRequest, NotFound
from werkzeug.routing import IntegerConverter

from dashboard.store.links.tables import NEVER
from dashboard.store.types import LARGEST_ID

_LONGEST_UUID = 36
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


class NulTyped(BadRequest):
    """Refuse a request with a NUL character, which PostgreSQL cannot store in a text."""


class RowId(IntegerConverter):
    """Match the id of a row in an address; an id that no column can hold is answered with 404."""

    def to_python(self, value: str) -> int:
        try:
            return row_id(value)
        except ValueError:
            raise NotFound from None


def refuse_nul() -> None:
    """Refuse a request with a NUL character in its path, query or form, before anything reads them."""
    if request.routing_exception is not None:  # No view will read it.
        return
    if "\0" in request.path:
        raise NulTyped
    for fields in (request.args, request.form):
        if any("\0" in text for pair in fields.items(multi=True) for text in pair):
            raise NulTyped


def day(text: str) -> date | None:
    """Parse a date between 1970 and 9000, so that dates around it exist too; None when the text is none."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if 1970 <= found.year <= 9000 else None


def moment(text: str | None) -> datetime | None:
    """Parse a time with its zone that a list can be sorted by; None when the text is none."""
    try:
        found = datetime.fromisoformat(text or "")
        return found.astimezone(UTC) if found.tzinfo and _EARLIEST <= found <= NEVER else None
    except (ValueError, OverflowError):
        return None


def link_id(text: str | None) -> str | None:
    """Parse the id of a link that a field names; None when the text is none, so that no address repeats it."""
    try:
        return str(UUID(text)) if text and len(text) <= _LONGEST_UUID else None
    except ValueError:
        return None


def row_id(text: str) -> int:
    """Parse the id of a row. Raises ValueError."""
    number = int(text)
    if not 0 <= number <= LARGEST_ID:
        raise ValueError(f"{number} cannot be the id of a row")
    return number
