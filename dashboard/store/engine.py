"""Open the database: SQLite by default, PostgreSQL by URL.

`Store.read()` and `Store.write()` each give one connection in one transaction, committed when the block ends and
rolled back when it raises. On SQLite a writer takes the write lock at once (BEGIN IMMEDIATE): a deferred transaction
that reads and then writes fails with "database is locked" whatever the busy timeout. Hold neither during a call to
the service.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

# DBOS would import this in the middle of requests, and until that is done a statement that compares with an enum fails.
import sqlalchemy.orm  # noqa: F401 - imported for what it registers.
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text

from dashboard.store.once import RESULTS
from dashboard.store.read_cache import ReadCache
from dashboard.store.refusals import StoreRefusal, of_driver
from dashboard.store.write_queue import WriteQueue

T = TypeVar("T")

#: Enough connections for 64 request threads and the watcher; the default pool of 15 is too few.
_POOL_SIZE = 80
#: How long a writer waits on SQLite, in the queue of its process and for other processes together.
_PATIENCE_SECONDS = 20.0
#: The limits of a session on PostgreSQL. Every host locks the same few rows all the time, so a host that freezes or
#: vanishes in mid-transaction would stop all others: the server ends its transaction, and nobody waits long for a lock.
#: No transaction of ours is idle for longer than our own code needs between two statements.
_LIMITS = {
    "lock_timeout": "5s",
    "statement_timeout": "30s",
    "idle_in_transaction_session_timeout": "10s",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "20s",
}
#: The same for our end of the connection, when the server's host vanishes; in seconds, but for `tcp_user_timeout`.
_OUR_END = {
    "connect_timeout": 5,
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}


_commits: ContextVar[int] = ContextVar("commits", default=0)


def commits() -> int:
    """Return how many writes this thread has committed, to tell whether a part of some work was saved."""
    return _commits.get()


class NotStored(LookupError):
    """The store has no row of this id."""


class Store:
    """Hold the engine of one database, shared by the threads of a process."""

    def __init__(self, url: str | URL, *, connections: int = _POOL_SIZE, limited: bool = True) -> None:
        """Prepare to open a database, with so many connections at most.

        Migrations are not `limited`: they may wait and work for as long as they need.
        """
        self.url = make_url(url)
        self._connections = connections
        self._limited = limited
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite and self.url.database:
            Path(self.url.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.engine = self._create_engine()
        # A failing statement is logged, and its values may be text that somebody typed.
        self.engine.hide_parameters = True
        event.listen(self.engine, "handle_error", _discard_refusing_connections)
        self.patience = _PATIENCE_SECONDS
        self._write_queue = WriteQueue()
        self._read_cache = ReadCache(self.url.database if self.is_sqlite else None)

    def _create_engine(self) -> Engine:
        if not self.is_sqlite:
            ours = {name: value for name, value in _OUR_END.items() if name not in self.url.query}
            engine = create_engine(
                self.url, pool_size=self._connections, max_overflow=0, pool_pre_ping=True, connect_args=ours
            )
            event.listen(engine, "connect", _durable_postgresql)
            if self._limited:
                event.listen(engine, "connect", _limit_postgresql)
            return engine
        arguments: dict[str, Any] = {"timeout": _PATIENCE_SECONDS, "check_same_thread": False}
        engine = create_engine(self.url, pool_size=self._connections, max_overflow=0, connect_args=arguments)
        event.listen(engine, "connect", _durable_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a read transaction: one consistent view of the store."""
        with self.engine.connect().execution_options(**{RESULTS: {}}) as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self, patience: float | None = None, *, durable: bool = True) -> Iterator[Connection]:
        """Open a write transaction, which is durable on disk once the block has ended.

        On SQLite it waits for other writers, `patience` seconds or those of the store, and then raises StoreBusy or
        OperationalError. One that is not `durable` does not wait for the disk: everybody sees it at once, and it
        outlives its process but maybe not a power failure. No money may depend on it.
        """
        patience = self.patience if patience is None else patience
        options = {
            "dashboard_writes": True,
            "dashboard_until": time.monotonic() + patience,
            "dashboard_durable": durable,
        }
        turn = self._write_queue.turn(patience) if self.is_sqlite else nullcontext()
        with self.engine.connect().execution_options(**options) as connection, turn, connection.begin():
            if not (durable or self.is_sqlite):
                connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
            yield connection
        _commits.set(_commits.get() + 1)

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

    def try_write(self, patience: float) -> None:
        """Commit a write that leaves nothing behind. Raises SQLAlchemyError when the database refuses it."""
        with self.write(patience) as connection:
            # A row of its own: SQLite would notice an update that changes nothing, and write nothing.
            connection.execute(text("INSERT INTO alembic_version (version_num) VALUES ('write check')"))
            connection.execute(text("DELETE FROM alembic_version WHERE version_num = 'write check'"))

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
    options = connection.get_execution_options()
    if not options.get("dashboard_writes"):
        connection.exec_driver_sql("BEGIN")
        return
    rest = options.get("dashboard_until", time.monotonic() + _PATIENCE_SECONDS) - time.monotonic()
    connection.exec_driver_sql(f"PRAGMA busy_timeout={max(100, round(rest * 1000))}")
    # Each time anew: what is to be durable never goes by what the connection was used for before.
    connection.exec_driver_sql(f"PRAGMA synchronous={'FULL' if options.get('dashboard_durable', True) else 'NORMAL'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _discard_refusing_connections(context: Any) -> None:
    """Open new connections after the database was read-only or away: one that was opened then would stay so."""
    if of_driver(context.original_exception) in (StoreRefusal.READ_ONLY, StoreRefusal.AWAY):
        context.is_disconnect = True


def _durable_postgresql(connection: Any, _record: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
    connection.commit()


def _limit_postgresql(connection: Any, _record: Any) -> None:
    with connection.cursor() as cursor:
        for name, value in _LIMITS.items():
            cursor.execute(f"SET {name} = '{value}'")
    connection.commit()
