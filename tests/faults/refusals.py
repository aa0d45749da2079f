"""Make a database refuse the record of a created link: locked by another process, read-only, full, or removed.

The process that records is stopped with the service's answer unrecorded until the test has made the database
refuse. It waits a tenth of a second for a lock where the product waits 20 s, so that a test takes no minutes.
"""

from __future__ import annotations

import os
import resource
import signal
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import Connection, Engine, create_engine, event, text

from dashboard import failpoints
from dashboard.failpoints import Point
from dashboard.store.engine import Store
from tests.support import killable_processes
from tests.support.killable_processes import Answer, AppFactory, KillableTask, SentForm

_TABLES = "intent, claim, intent_event, link, link_event, link_challan"


class Refusal(ABC):
    """Refuse writes. The test calls `begin` and `end`; the recording process calls `prepare` when it has the answer."""

    name: str
    recorder: KillableTask  #: The process that records.

    def prepare(self, engine: Engine) -> None:  # noqa: B027 - most need nothing.
        """Prepare the process that is about to record."""

    @abstractmethod
    def begin(self, app_factory: AppFactory, store: Store) -> None:
        """Start the refusal."""

    @abstractmethod
    def end(self) -> None:
        """End the refusal."""


class Locked(Refusal):
    """Hold the write lock in another process."""

    name = "locked"

    def begin(self, app_factory: AppFactory, store: Store) -> None:
        self._holder = KillableTask(app_factory, _hold)
        assert self._holder.wait_stopped()

    def end(self) -> None:
        self._holder.resume()
        self._holder.result()


class ReadOnly(Refusal):
    """Make a PostgreSQL database read-only, and SQLite behave as with a read-only file (root may write to any)."""

    name = "read-only"

    def prepare(self, engine: Engine) -> None:
        if engine.dialect.name == "sqlite":
            sign = _sign(engine)

            def obey(connection: Any, _record: Any, _proxy: Any) -> None:
                connection.execute(f"PRAGMA query_only = {'ON' if sign.exists() else 'OFF'}")

            event.listen(engine, "checkout", obey)

    def begin(self, app_factory: AppFactory, store: Store) -> None:
        self._store = store
        if store.is_sqlite:
            _sign(store.engine).touch()
        else:
            _order(store, "SET default_transaction_read_only = on")

    def end(self) -> None:
        if self._store.is_sqlite:
            _sign(self._store.engine).unlink()
        else:
            _order(self._store, "RESET default_transaction_read_only")


class Full(Refusal):
    """Limit the files of the recording process to a few kilobytes: its spool file fits, and SQLite's log does not.

    A PostgreSQL server's disk cannot be filled from here.
    """

    name = "full"

    def prepare(self, engine: Engine) -> None:
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, most))

    def begin(self, app_factory: AppFactory, store: Store) -> None:
        assert store.is_sqlite

    def end(self) -> None:
        with suppress(ProcessLookupError):  # It may have been killed.
            resource.prlimit(self.recorder.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)


class Gone(Refusal):
    """Move SQLite's files away, as if the disk was lost; have a PostgreSQL server refuse connections."""

    name = "gone"

    def prepare(self, engine: Engine) -> None:
        engine.dispose()  # An open file stays readable wherever it is moved to.

    def begin(self, app_factory: AppFactory, store: Store) -> None:
        self._store = store
        if not store.is_sqlite:
            _order(store, "ALLOW_CONNECTIONS false")
            return
        store.engine.dispose()
        for file in self._files():
            file.rename(file.with_name(f"away-{file.name}"))

    def end(self) -> None:
        if not self._store.is_sqlite:
            _order(self._store, "ALLOW_CONNECTIONS true")
            return
        for file in self._files():  # A process that started in the meantime created an empty database.
            file.unlink()
        database = Path(str(self._store.url.database))
        for file in database.parent.glob(f"away-{database.name}*"):
            file.rename(file.with_name(file.name.removeprefix("away-")))

    def _files(self) -> list[Path]:
        database = Path(str(self._store.url.database))
        return list(database.parent.glob(f"{database.name}*"))


REFUSALS: dict[str, type[Refusal]] = {kind.name: kind for kind in (Locked, ReadOnly, Full, Gone)}


def send(app: Flask, form: SentForm, refusal: str) -> Answer:
    """Send a form from a process that stops when it has the service's answer; to be run by a `KillableTask`."""
    app.extensions["store"].patience = 0.1
    engine = app.extensions["store"].engine
    event.listen(engine, "connect", _impatient)

    def stand_still() -> None:
        REFUSALS[refusal]().prepare(engine)
        os.kill(os.getpid(), signal.SIGSTOP)

    failpoints.arm(Point.ANSWER_READ, stand_still)
    return killable_processes.send_form(app, form)


def _hold(app: Flask) -> None:
    """Hold the write lock while this process is stopped."""
    store: Store = app.extensions["store"]
    with store.write() as connection:
        if not store.is_sqlite:
            # The server would end a stopped transaction after the product's 10 s, and a busy machine takes longer.
            connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            connection.execute(text(f"LOCK TABLE {_TABLES} IN EXCLUSIVE MODE"))
        os.kill(os.getpid(), signal.SIGSTOP)


def _impatient(connection: Any, _record: Any) -> None:
    if _is_sqlite(connection):  # There the store itself has the patience.
        return
    cursor = connection.cursor()
    cursor.execute("SET lock_timeout = '100ms'")
    cursor.close()
    connection.commit()


def _sign(engine: Engine) -> Path:
    return Path(str(engine.url.database)).with_name("read-only")


def _is_sqlite(connection: Any) -> bool:
    return type(connection).__module__.startswith("sqlite3")


def _order(store: Store, change: str) -> None:
    """Change a setting of a PostgreSQL database, and end its open sessions, so that the setting applies to all."""
    engine = create_engine(store.url.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        name = store.url.database
        connection.execute(text(f'ALTER DATABASE "{name}" {change}'))
        _end_sessions(connection, str(name))
    engine.dispose()


def _end_sessions(connection: Connection, name: str) -> None:
    ended = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name")
    connection.execute(ended, {"name": name}).all()
