"""Put rows into every table, by the types of its columns alone, so that a new table is filled as well."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, Boolean, Column, DateTime, Float, Integer, Table, UniqueConstraint, insert
from sqlalchemy.types import TypeDecorator

from dashboard.store.engine import Store
from dashboard.store.migrate import all_tables
from dashboard.store.types import Money

_NOW = datetime(2026, 11, 22, 23, 59, 59, 999_999, tzinfo=UTC)
_NOTHING = object()
#: Whatever a copy might spoil.
_TEXTS = ("", "मुंबई 💰", "tab\there", "line\nline\r\n", "quote \" and ' and \\N", "\\x00 \\. ;--", "Z", "a", "É")
_JSON = (_NOTHING, None, [], {"a": [1, 2.5, None, "मुंबई\n\\"]}, "text", 0, {"z": 1, "a": 2}, [["", True]])
_AMOUNTS = ("0", "0.00", "4111.45", "1E+3", "-7.10", "99999999999999999999.01")


def fill(store: Store, rows: int) -> dict[str, int]:
    """Put so many rows into every table, and return how many each has."""
    tables = all_tables().sorted_tables
    with store.write() as connection:
        for table in tables:
            columns = [each for each in table.columns if each.computed is None]
            for at in range(rows):
                connection.execute(insert(table), _row(table, columns, at))
    return {table.name: rows for table in tables}


def _row(table: Table, columns: list[Column[Any]], at: int) -> dict[str, Any]:
    # A column that is left out gets the null of SQL; None in one of JSON is its word null.
    return {each.name: value for each in columns if (value := _value(table, each, at)) is not _NOTHING}


def _value(table: Table, column: Column[Any], at: int) -> Any:
    if column.foreign_keys:
        [key] = column.foreign_keys
        return _value(key.column.table, key.column, at)
    kind = column.type
    plain = kind.impl_instance if isinstance(kind, TypeDecorator) else kind
    is_key = column.primary_key or column.unique or _is_indexed(table, column)
    if column.nullable and not is_key and at % 5 == 4:
        return None if isinstance(plain, JSON) and at % 2 else _NOTHING
    if isinstance(kind, Money):
        return Decimal(_AMOUNTS[at % len(_AMOUNTS)])
    if isinstance(plain, JSON):
        found = _JSON[at % len(_JSON)]
        return found if column.nullable or at % len(_JSON) else []
    if isinstance(plain, Boolean):
        return at % 2 == 0
    if isinstance(plain, Integer):
        return at + 1 if is_key else (at % 2 if at else -(2**31)) if column.name != "sends" else at % 2
    if isinstance(plain, Float):
        return (0.1, -1.5e300, 3.0)[at % 3]
    if isinstance(plain, DateTime):
        return _NOW - timedelta(microseconds=at * (1 if is_key else 7_000_001))
    length = getattr(plain, "length", None) or 10_000
    return f"{at:x}"[-length:] if length < 20 else f"{at:x} {_TEXTS[at % len(_TEXTS)]}"[:length]


def _is_indexed(table: Table, column: Column[Any]) -> bool:
    unique = [index for index in table.indexes if index.unique]
    unique += [each for each in table.constraints if isinstance(each, UniqueConstraint)]
    return any(column.name in each.columns for each in unique)
