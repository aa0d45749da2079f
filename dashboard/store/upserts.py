"""Entering a row that another transaction may be entering at the same moment.

To look first and then insert is not enough: on PostgreSQL two transactions can both find nothing, and the second insert
fails with everything that its transaction recorded.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_absent(connection: Connection, table: Table, **values: Any) -> bool:
    """Enter a row unless its key is taken; True when it was entered.

    Waits for a transaction that is entering the same key. After False that row can be read, by a new statement.
    """
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    entered = dialect.insert(table).values(**values).on_conflict_do_nothing().returning(*table.primary_key)
    return connection.execute(entered).first() is not None


def insert_or_change(connection: Connection, table: Table, key: dict[str, Any], **values: Any) -> None:
    """Enter a row, or give the one that has this key these values; waits for a transaction that is entering it."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    entered = dialect.insert(table).values(**key, **values)
    connection.execute(entered.on_conflict_do_update(index_elements=list(key), set_=values))
