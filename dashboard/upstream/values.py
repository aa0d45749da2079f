"""Convert single values of the service's JSON into text, identifiers, amounts and moments that are safe to store.

Each function takes any JSON value and returns None when it does not fit; none of them raises.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from dashboard.domain.safe_text import on_one_line

MAX_TEXT = 2_000
#: Of a text that is in an index: PostgreSQL refuses an entry of more than 2,704 bytes.
MAX_INDEXED = 200
#: A longer address cannot be a payment page's, and a shortened one would lead elsewhere.
MAX_URL = 8_000
#: A number spelled with more characters is not represented at all.
MAX_NUMBER = 64
_ZERO, _LIMIT = Decimal(0), Decimal("1e12")
#: A longer amount is absurd, and the ledger's columns would refuse it.
_MOST_WRITTEN = 32
#: The largest number that an Integer column holds.
_MOST_COUNTED = 2**31 - 1
#: A digit farther from the decimal point is absurd, and would fill a page with zeros.
_MOST_PLACES = 64
_FIRST_YEAR, _LAST_YEAR = 1990, 2100

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def text(value: Any, limit: int = MAX_TEXT) -> str | None:
    """Return at most `limit` characters of a string; spacing becomes a space, other control characters U+FFFD."""
    if type(value) is not str:
        return None
    return on_one_line(value[:limit])


def indexed(value: Any) -> str | None:
    """Return the text of a field that the store has an index on."""
    return text(value, MAX_INDEXED)


def identifier(value: Any) -> str | None:
    """Return a UUID in canonical lower case."""
    return value.lower() if type(value) is str and _UUID.fullmatch(value) else None


def address(value: Any) -> str | None:
    """Return a URL as sent; `domain/payment_urls.py` decides whether it is safe to follow.

    Control characters are replaced, because PostgreSQL refuses NUL in a text.
    """
    return text(value, MAX_URL) if type(value) is str and len(value) <= MAX_URL else None


def amount(value: Any) -> Decimal | None:
    """Return an amount in major units, spelled as in the JSON; None (unknown) when negative, not finite or absurd."""
    if type(value) is int:
        return Decimal(value) if 0 <= value < _LIMIT else None
    if type(value) is not Decimal or not value.is_finite() or not _ZERO <= value < _LIMIT:
        return None
    if not -_MOST_PLACES <= value.adjusted() <= _MOST_PLACES or len(str(value)) > _MOST_WRITTEN:
        return None
    return value.copy_abs()  # -0.00 is zero


def count(value: Any) -> int | None:
    """Return a whole number from 0 up, written as 3 or as 3.0; None when absurd."""
    number = amount(value)
    if number is None or number > _MOST_COUNTED or number != number.to_integral_value():
        return None
    return int(number)


def moment(value: Any) -> datetime | None:
    """Parse an ISO 8601 moment as aware UTC (one without an offset is UTC, as the document says); None when absurd."""
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
    """Return a JSON true or false; nothing else counts as one."""
    return value if type(value) is bool else None
