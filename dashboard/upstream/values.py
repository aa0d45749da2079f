"""Single values of the service's JSON, made safe to keep: text, identifiers, amounts and moments.

Each function takes whatever JSON gave and returns None when that does not fit; none of them raises.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from dashboard.domain.texts import on_one_line

MAX_TEXT = 2_000
#: A longer address cannot be a payment page's, and one that was cut would lead somewhere else.
MAX_URL = 8_000
#: A number spelled with more characters is not held at all.
MAX_NUMBER = 64
_ZERO, _LIMIT = Decimal(0), Decimal("1e12")
#: An amount that takes more characters to write out means nothing, and the ledger's columns would refuse it.
_MOST_WRITTEN = 32
#: The largest number that a column for whole numbers holds.
_MOST_COUNTED = 2**31 - 1
#: Farther from the decimal point no digit makes sense, and writing it out would fill a page with zeros.
_MOST_PLACES = 64
_FIRST_YEAR, _LAST_YEAR = 1990, 2100

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def text(value: Any, limit: int = MAX_TEXT) -> str | None:
    """A string without control characters (spacing becomes a space, others U+FFFD), at most `limit` characters."""
    if type(value) is not str:
        return None
    return on_one_line(value[:limit])


def identifier(value: Any) -> str | None:
    """A UUID in canonical lower case."""
    return value.lower() if type(value) is str and _UUID.fullmatch(value) else None


def address(value: Any) -> str | None:
    """A URL as sent; whether it is safe to follow is judged where it is shown.

    Control characters are replaced here too, so that a database can hold it (PostgreSQL refuses NUL in a text).
    """
    return text(value, MAX_URL) if type(value) is str and len(value) <= MAX_URL else None


def amount(value: Any) -> Decimal | None:
    """An amount in major units, spelled as in the JSON; None (unknown) when negative, not finite or absurd."""
    if type(value) is int:
        return Decimal(value) if 0 <= value < _LIMIT else None
    if type(value) is not Decimal or not value.is_finite() or not _ZERO <= value < _LIMIT:
        return None
    if not -_MOST_PLACES <= value.adjusted() <= _MOST_PLACES or len(str(value)) > _MOST_WRITTEN:
        return None
    return value.copy_abs()  # -0.00 is zero


def count(value: Any) -> int | None:
    """A whole number from 0 up, written as 3 or as 3.0; None when absurd."""
    number = amount(value)
    if number is None or number > _MOST_COUNTED or number != number.to_integral_value():
        return None
    return int(number)


def moment(value: Any) -> datetime | None:
    """An ISO 8601 moment as aware UTC (one without an offset is UTC, as the document says); None when absurd."""
    if type(value) is not str or len(value) > 64:
        return None
    try:
        when = datetime.fromisoformat(value)
        if when.tzinfo is not UTC:
            when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return when if _FIRST_YEAR <= when.year <= _LAST_YEAR else None


def flag(value: Any) -> bool | None:
    """A JSON true or false, nothing that merely resembles one."""
    return value if type(value) is bool else None
