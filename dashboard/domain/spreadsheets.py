"""Define the cell values of an exported file, and escape text that a spreadsheet would read as a formula."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from dashboard.domain.safe_text import on_one_line

#: A cell until its format is written: amounts in major units, moments aware; None is an empty cell.
Cell = str | int | Decimal | datetime | None
_FORMULA_STARTS = ("=", "+", "-", "@")


def defused(text: str | None) -> str | None:
    """Put a text on one line without harmful characters, and mark what a spreadsheet would run as text."""
    if text is None:
        return None
    plain = on_one_line(text)
    begins = text[:1]
    return f"'{plain}" if begins in _FORMULA_STARTS or (begins and not begins.isprintable()) else plain
