"""Open the database: SQLite by default, PostgreSQL by URL.

`Store.read()` and `Store.write()` each give one connection in one transaction, committed when the block ends and
rolled back when it raises. On SQLite a writer takes the write lock at once (BEGIN IMMEDIATE): a deferred transaction
that reads and then writes fails with "database is locked" whatever the busy timeout. Hold neither during a call to
the service.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text

from dashboard.store.read_cache import ReadCache

T = TypeVar("T")

#: Enough connections for 64 request threads and the watcher; the default pool of 15 is too few.
_POOL_SIZE = 80
_BUSY_TIMEOUT_SECONDS = 20


class NotStored(LookupError):
    """The store has no row of this id."""


class Store:
    """Hold the engine of one database, shared by the threads of a process."""

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite and self.url.database:
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
        self.engine = self._create_engine()
        # A failing statement is logged, and its values may be text that somebody typed.
        self.engine.hide_parameters = True
        self._read_cache = ReadCache(self.url.database if self.is_sqlite else None)

    def _create_engine(self) -> Engine:
        if not self.is_sqlite:
            engine = create_engine(self.url, pool_size=_POOL_SIZE, max_overflow=0, pool_pre_ping=True)
            event.listen(engine, "connect", _durable_postgresql)
            return engine
        arguments = {"timeout": _BUSY_TIMEOUT_SECONDS, "check_same_thread": False}
        engine = create_engine(self.url, pool_size=_POOL_SIZE, max_overflow=0, connect_args=arguments)
        event.listen(engine, "connect", _durable_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a read transaction: one consistent view of the store."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a write transaction, which is durable on disk once the block has ended."""
        with self.engine.connect().execution_options(dashboard_writes=True) as connection, connection.begin():
            yield connection

    def cached_read(self, key: Hashable, read: Callable[[Connection], T]) -> T:
        """Return the result of `read`, cached under `key` until anybody commits anything.

        `read` must depend on the store and the key alone, and callers must not change its result.
        """

        def read_now() -> T:
            with self.read() as connection:
                return read(connection)

        return self._read_cache.get(key, read_now)

    def ping(self) -> None:
        """Raise SQLAlchemyError when the database cannot be reached."""
        with self.read() as connection:
            connection.execute(text("SELECT 1"))

    def close(self) -> None:
        self._read_cache.close()
        self.engine.dispose()


def _durable_sqlite(connection: Any, _record: Any) -> None:
    # Switches off the driver's own transactions: `_begin_sqlite` begins them.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("dashboard_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _durable_postgresql(connection: Any, _record: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
    connection.commit()
