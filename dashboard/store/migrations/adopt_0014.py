"""Adopt a database that version 0.1.0 left at its last revision, 0014.

Its tables are moved aside, the initial revision creates today's, and every row is copied, all in one transaction: an
interrupted adoption leaves the database as it was. Names and values that changed since stand in the mappings below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, MetaData, Table, inspect, text

from dashboard.store.engine import Store

LAST_REVISION = "0014"

#: Table of today -> table of 0.1.0.
RENAMED_TABLES = {
    "custom_field": "own_field",
    "discrepancy": "finding",
    "paid_notification": "person_seen",
    "reference_list": "lookup",
    "search_count": "person_count",
    "seen_paid_link": "link_seen",
    "selection": "draft",
    "session": "sign_in",
    "vehicle_refresh": "refresh",
}
#: (table, column) of today -> column of 0.1.0.
RENAMED_COLUMNS = {
    ("discrepancy", "withdrawn_at"): "gone_at",
    ("discrepancy", "acknowledged_at"): "seen_at",
    ("discrepancy", "acknowledged_by"): "seen_by",
    ("intent", "attempts"): "looks",
    ("intent", "last_attempt_at"): "last_look_at",
    ("intent", "attempt_failed_at"): "look_failed_at",
    ("intent", "attempt_failure"): "look_failure",
    ("intent", "resolving_until"): "looking_until",
    ("intent", "released_at"): "set_aside_at",
    ("intent", "released_by"): "set_aside_by",
    ("intent", "release_reason"): "set_aside_why",
    ("link", "service_clock_offset"): "clock_ahead",
    ("link", "watched_at"): "looked_at",
    ("settlement", "checks"): "tries",
    ("settlement", "checked_at"): "seen_at",
    ("settlement", "challans"): "raw",
}
#: Tables that start empty: alembic writes its own row, and a saved form lives for two hours at most.
NOT_COPIED = frozenset({"alembic_version", "saved_form"})
_FAILURES = {"AllowanceKept": "AllowanceReserved"}
#: (table, column) of today -> value of 0.1.0 -> value of today.
RENAMED_VALUES = {
    ("intent", "outcome"): _FAILURES,
    ("intent", "attempt_failure"): _FAILURES,
    ("link", "failure"): _FAILURES,
    ("search_attempt", "failure"): _FAILURES,
    ("settlement", "failure"): _FAILURES,
    ("vehicle", "failure"): _FAILURES,
}


def adopt(store: Store, create_tables: Callable[[Connection], None]) -> None:
    """Copy every row of version 0.1.0 into the tables that `create_tables` makes, in one transaction."""
    with _without_foreign_keys(store) as connection:
        former = _move_aside(connection)
        create_tables(connection)
        today = MetaData()
        today.reflect(connection)
        for table in today.sorted_tables:
            source = RENAMED_TABLES.get(table.name, table.name)
            if source in former and table.name not in NOT_COPIED:
                _copy(connection, table, former[source])
                _translate(connection, table)
        _copy_refusals(connection, former)
        _drop_former(connection, former)


@contextmanager
def _without_foreign_keys(store: Store) -> Iterator[Connection]:
    """Open a write transaction in which SQLite follows no reference: the tables that rows refer to are replaced."""
    with store.engine.connect().execution_options(dashboard_writes=True) as connection:
        driver = connection.connection.dbapi_connection
        assert driver is not None
        if store.is_sqlite:
            driver.execute("PRAGMA foreign_keys=OFF")
            driver.execute("PRAGMA legacy_alter_table=ON")
        try:
            with connection.begin():
                yield connection
                if store.is_sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
                    raise RuntimeError("a copied row refers to a row that is missing")
        finally:
            if store.is_sqlite:
                driver.execute("PRAGMA legacy_alter_table=OFF")
                driver.execute("PRAGMA foreign_keys=ON")


def _move_aside(connection: Connection) -> dict[str, tuple[str, set[str]]]:
    """Return, for each table of 0.1.0, where it stands now and its columns."""
    inspector = inspect(connection)
    former = {}
    is_sqlite = connection.dialect.name == "sqlite"
    if not is_sqlite:
        connection.execute(text("CREATE SCHEMA former"))
    for name in inspector.get_table_names():
        columns = {column["name"] for column in inspector.get_columns(name)}
        if is_sqlite:
            # The names of indexes are one space for the whole database.
            for index in inspector.get_indexes(name):
                if not index.get("duplicates_constraint"):
                    connection.execute(text(f'DROP INDEX IF EXISTS "{index["name"]}"'))
            connection.execute(text(f'ALTER TABLE "{name}" RENAME TO "former_{name}"'))
            former[name] = (f'"former_{name}"', columns)
        else:
            connection.execute(text(f'ALTER TABLE "{name}" SET SCHEMA former'))
            former[name] = (f'former."{name}"', columns)
    return former


def _copy(connection: Connection, table: Table, former: tuple[str, set[str]]) -> None:
    source, known = former
    pairs = []
    for column in table.columns:
        old = RENAMED_COLUMNS.get((table.name, column.name), column.name)
        if column.computed is None and old in known:
            pairs.append((column.name, old))
    into, values = (", ".join(f'"{name}"' for name in names) for names in zip(*pairs, strict=True))
    connection.execute(text(f'INSERT INTO "{table.name}" ({into}) SELECT {values} FROM {source}'))  # noqa: S608 - our own names.
    if connection.dialect.name == "postgresql" and "id" in table.columns:
        sequence = connection.execute(text("SELECT pg_get_serial_sequence(:name, 'id')"), {"name": table.name}).scalar()
        if sequence is not None:
            last = connection.execute(text(f'SELECT max(id) FROM "{table.name}"')).scalar()  # noqa: S608 - our own names.
            if last is not None:
                connection.execute(text("SELECT setval(:sequence, :last)"), {"sequence": sequence, "last": last})


def _translate(connection: Connection, table: Table) -> None:
    for (name, column), values in RENAMED_VALUES.items():
        if name == table.name:
            for old, new in values.items():
                statement = table.update().where(table.c[column] == old).values({column: new})
                connection.execute(statement)


def _copy_refusals(connection: Connection, former: dict[str, tuple[str, set[str]]]) -> None:
    """Copy what the service refused. The key of another organization stays blocked for good: without its block the next
    creation would go to that organization. Circuit breakers start anew, because they rest for half a minute.
    """
    source, _ = former["latch"]
    columns = "scope, failures, since, blocked_at, until, fingerprint, recent"
    values = "scope, tries, since, since, until, fingerprint, '[]'"
    connection.execute(text(f"INSERT INTO call_block ({columns}) SELECT {values} FROM {source}"))  # noqa: S608 - our own names.


def _drop_former(connection: Connection, former: dict[str, tuple[str, set[str]]]) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("DROP SCHEMA former CASCADE"))
        return
    for source, _ in former.values():
        connection.execute(text(f"DROP TABLE {source}"))
