"""Insert a row that another transaction may be inserting at the same moment.

Reading first and then inserting is not enough: on PostgreSQL two transactions can both find nothing, and the second
insert then fails, with everything that its transaction recorded.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import Insert as PostgresqlInsert
from sqlalchemy.dialects.sqlite import Insert as SqliteInsert
from sqlalchemy.sql.dml import ReturningInsert


def insert_if_absent(connection: Connection, table: Table, **values: Any) -> bool:
    """Insert a row unless its key is taken; True when it was inserted.

    Waits for a transaction that is inserting the same key. After False that row can be read, by a new statement.
    """
    return connection.execute(_if_absent(connection.dialect.name, table), values).first() is not None


def insert_or_change(connection: Connection, table: Table, key: dict[str, Any], **values: Any) -> None:
    """Insert a row, or update the one with this key; waits for a transaction that is inserting it."""
    connection.execute(_or_change(connection.dialect.name, table, tuple(key), tuple(values)), {**key, **values})


# To build a statement takes longer than to execute it.


@cache
def _if_absent(dialect: str, table: Table) -> ReturningInsert[Any]:
    return _insert(dialect, table).on_conflict_do_nothing().returning(*table.primary_key)


@cache
def _or_change(
    dialect: str, table: Table, key: tuple[str, ...], changed: tuple[str, ...]
) -> PostgresqlInsert | SqliteInsert:
    entered = _insert(dialect, table)
    return entered.on_conflict_do_update(index_elements=key, set_={name: entered.excluded[name] for name in changed})


def _insert(dialect: str, table: Table) -> PostgresqlInsert | SqliteInsert:
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
