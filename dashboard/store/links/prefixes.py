"""Match challan numbers by their beginning, in a way that an index answers."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ColumnElement, and_


def spellings(text: str) -> list[str]:
    """Return how a challan number may be stored: in capitals, as most are, or as typed."""
    typed = text.strip()
    return list(dict.fromkeys((typed.upper(), typed)))


def begins_with(column: Column[Any], beginning: str) -> ColumnElement[bool]:
    """Match a prefix in a way that an index on the column answers on both databases."""
    exactly = column.startswith(beginning, autoescape=True)
    after = after_all(beginning)
    return exactly if after is None else and_(column >= beginning, column < after, exactly)


def after_all(beginning: str) -> str | None:
    """Return what sorts after every text with this beginning, in any collation; None when that is not simple."""
    stem = beginning.rstrip("Zz")
    if not stem or not (beginning.isascii() and beginning.isalnum()):
        return None
    return stem[:-1] + ("A" if stem[-1] == "9" else chr(ord(stem[-1]) + 1))
