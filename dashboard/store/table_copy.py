"""Copy every table from a SQLite database to a PostgreSQL one, and compare the two row by row.

Rows are read in the order of their primary keys and written by COPY, a batch in a transaction. The tables are those of
the schema's metadata, in an order in which no row comes before one that it refers to. How far the copy of a table has
come is the number of rows in the target: a batch is there whole or not at all, and nobody else writes to either side.
The comparison reads both sides through the types of the columns, as the dashboard does, and JSON by its very text.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Any

import psycopg
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    DateTime,
    Float,
    Integer,
    Select,
    String,
    Table,
    Text,
    cast,
    collate,
    func,
    select,
    text,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

_LARGEST_INTEGER = 2**31 - 1
_NUL, _NOT_UNICODE = "holds a NUL character", "holds bytes that are no text"


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """Name a row that PostgreSQL would refuse, and why."""

    table: str
    row: str
    words: str

    def __str__(self) -> str:
        return f"{self.table}, {self.row}: {self.words}"


@dataclass(frozen=True, slots=True)
class TableDigest:
    """State how many rows of a table are equal on both sides, and the digest of all of them."""

    table: str
    rows: int
    digest: str


class RowsDiffer(Exception):
    """Report the first row that is not equal on both sides; `str()` names table and row."""


class BatchRefused(Exception):
    """Report a batch that PostgreSQL refused; `str()` names table and rows. Nothing of it was stored."""


# What PostgreSQL would refuse


def refused_rows(source: sqlite3.Connection, tables: list[Table]) -> Iterator[RefusedRow]:
    """Yield every row that PostgreSQL would refuse: SQLite holds neither to lengths nor to types."""
    # The driver would stop at the first text that is none.
    source.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    try:
        for table in tables:
            columns = [each for each in table.columns if each.computed is None]
            keys = [columns.index(each) for each in table.primary_key]
            for row in source.execute(_select_raw(table, columns)):
                for column, value in zip(columns, row, strict=True):
                    if words := _refusal(column, value):
                        name = _named([columns[at].name for at in keys], [row[at] for at in keys])
                        yield RefusedRow(table.name, name, f"{column.name} {words}")
        for table_name, rowid, parent, _ in source.execute("PRAGMA foreign_key_check").fetchall():
            yield RefusedRow(table_name, f"rowid={rowid}", f"refers to a row of {parent} that is missing")
    finally:
        source.text_factory = str


def _refusal(column: Column[Any], value: Any) -> str | None:
    """Return why PostgreSQL would refuse a value in a column."""
    if value is None:
        return None if column.nullable else "is empty"
    kind = _plain(column.type)
    if isinstance(kind, Boolean):
        return None if value in (0, 1) else "is neither true nor false"
    if isinstance(kind, Integer):
        good = isinstance(value, int) and -_LARGEST_INTEGER - 1 <= value <= _LARGEST_INTEGER
        return None if good else "is no number that fits"
    if isinstance(kind, Float):
        return None if isinstance(value, int | float) else "is no number"
    if not isinstance(value, str):
        return "is no text"
    if "\0" in value:
        return _NUL
    if not value.isascii() and not _is_unicode(value):
        return _NOT_UNICODE
    if isinstance(kind, DateTime):
        return None if _is_moment(value) else "is no moment"
    if isinstance(kind, JSON):
        return _refusal_of_json(value)
    if isinstance(kind, String):
        too_long = kind.length is not None and len(value) > kind.length
        return f"is longer than {kind.length} characters" if too_long else None
    raise TypeError(f"{column} has a type that is not copied yet: {kind!r}")


def _plain(kind: TypeEngine[Any]) -> TypeEngine[Any]:
    """Return the database's own type below one of ours."""
    return kind.impl_instance if isinstance(kind, TypeDecorator) else kind


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_moment(value: str) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is None
    except ValueError:
        return False


def _refusal_of_json(value: str) -> str | None:
    try:
        parsed = json.loads(value, parse_constant=_refuse_constant)
    except ValueError:
        return "is no JSON"
    plain = json.dumps(parsed, ensure_ascii=False)
    if "\\u0000" in plain:
        return _NUL
    return None if _is_unicode(plain) else _NOT_UNICODE


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


# Copying


def copy_table(source: sqlite3.Connection, target: Connection, table: Table, batch: int) -> Iterator[int]:
    """Copy the rows of a table that the target lacks; yield the number that it has after each batch."""
    columns = [each for each in table.columns if each.computed is None]
    moments = [at for at, each in enumerate(columns) if isinstance(_plain(each.type), DateTime)]
    names = ", ".join(f'"{each.name}"' for each in columns)
    copied = count(target, table)
    with closing(source.execute(f"{_select_raw(table, columns)} LIMIT -1 OFFSET ?", (copied,))) as rows:
        while part := rows.fetchmany(batch):
            try:
                with target.begin():
                    driver: Any = target.connection.driver_connection
                    with driver.cursor() as cursor, cursor.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:
                        for row in part:
                            copy.write_row(_in_utc(row, moments))
            except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError) as error:
                raise BatchRefused(_of_batch(table, copied, len(part), error)) from None
            copied += len(part)
            yield copied


def _of_batch(table: Table, before: int, rows: int, error: psycopg.Error) -> str:
    # The message alone: the details of the server quote values.
    words = error.diag.message_primary or type(error).__name__
    return f"{table.name}, rows {before + 1:,} to {before + rows:,}: {words}"


def _in_utc(row: tuple[Any, ...], moments: list[int]) -> list[Any]:
    """State the zone of a row's moments, which SQLite keeps without one."""
    values = list(row)
    for at in moments:
        if values[at] is not None:
            values[at] += "+00"
    return values


def _select_raw(table: Table, columns: list[Column[Any]]) -> str:
    names = ", ".join(_as_text(each) for each in columns)
    order = ", ".join(f'"{each.name}"' for each in table.primary_key)
    return f'SELECT {names} FROM "{table.name}" ORDER BY {order}'  # noqa: S608 - our own names.


def _as_text(column: Column[Any]) -> str:
    """Name a column as its text is copied. SQLite turns JSON that is a bare number into a number."""
    return f'CAST("{column.name}" AS TEXT)' if isinstance(_plain(column.type), JSON) else f'"{column.name}"'


def count(connection: Connection, table: Table) -> int:
    with connection.begin():
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def set_sequences(source: sqlite3.Connection, target: Connection, tables: list[Table]) -> None:
    """Set the sequence of each table that counts its rows behind the last number in the source."""
    for table in tables:
        [key, *more] = table.primary_key
        if more or not isinstance(key.type, Integer):
            continue
        named = {"table": f'"{table.name}"', "column": key.name}
        sequence = target.execute(text("SELECT pg_get_serial_sequence(:table, :column)"), named).scalar()
        last = source.execute(f'SELECT max("{key.name}") FROM "{table.name}"').fetchone()[0]  # noqa: S608 - our own names.
        if sequence is not None and last is not None:
            target.execute(text("SELECT setval(:sequence, :last)"), {"sequence": sequence, "last": last})


# Comparing


def compare(source: Connection, target: Connection, table: Table) -> TableDigest:
    """Compare every row of a table on both sides. Raises RowsDiffer at the first that differs or is missing."""
    keys = [table.columns.keys().index(each.key) for each in table.primary_key]
    digest, rows = hashlib.sha256(), 0
    with source.begin(), target.begin():
        for here, there in zip_longest(_digests(source, table), _digests(target, table)):
            if here is None or there is None or here[1] != there[1]:
                row = (here or there or ((), b""))[0]
                name = _named([each.name for each in table.primary_key], [row[at] for at in keys])
                raise RowsDiffer(f"{table.name}, {name}")
            digest.update(here[1])
            rows += 1
    return TableDigest(table.name, rows, digest.hexdigest())


def _digests(connection: Connection, table: Table) -> Iterator[tuple[Any, bytes]]:
    """Yield each row in the order of its key, with the digest of its values."""
    streamed = {"yield_per": 2000}
    for row in connection.execute(_select_typed(table, connection.dialect.name), execution_options=streamed):
        yield row, hashlib.sha256(repr(tuple(row)).encode()).digest()


def _select_typed(table: Table, dialect: str) -> Select[Any]:
    # The text of JSON tells an empty value from the word null.
    columns: list[ColumnElement[Any]] = [
        cast(each, Text) if isinstance(_plain(each.type), JSON) else each for each in table.columns
    ]
    return select(*columns).order_by(*(_bytewise(each, dialect) for each in table.primary_key))


def _bytewise(column: Column[Any], dialect: str) -> ColumnElement[Any]:
    """Order text by its bytes, as SQLite does; a database of PostgreSQL has the order of its language."""
    return collate(column, "C") if dialect == "postgresql" and isinstance(_plain(column.type), String) else column


def _named(names: list[str], values: list[Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in zip(names, values, strict=True))
