"""Insert a row that another transaction may be inserting at the same moment.

Reading first and then inserting is not enough: on PostgreSQL two transactions can both find nothing, and the second
insert then fails, with everything that its transaction recorded.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_absent(connection: Connection, table: Table, **values: Any) -> bool:
    """Insert a row unless its key is taken; True when it was inserted.

    Waits for a transaction that is inserting the same key. After False that row can be read, by a new statement.
    """
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    entered = dialect.insert(table).values(**values).on_conflict_do_nothing().returning(*table.primary_key)
    return connection.execute(entered).first() is not None


def insert_or_change(connection: Connection, table: Table, key: dict[str, Any], **values: Any) -> None:
    """Insert a row, or update the one with this key; waits for a transaction that is inserting it."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    entered = dialect.insert(table).values(**key, **values)
    connection.execute(entered.on_conflict_do_update(index_elements=list(key), set_=values))
