"""Open the replica's SQLite file: connections, and the two kinds of transaction."""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from dashboard.replica.schema import SCHEMA

BUSY_SECONDS = 30.0


class State:
    """Provide connections to one file, which several threads and processes may share."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        # Idle connections stay open: closing the last one would checkpoint and delete the WAL on every request.
        self._idle: queue.LifoQueue[sqlite3.Connection] = queue.LifoQueue()
        self._turn = threading.Lock()
        connection = self._open()
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(SCHEMA)
        self._idle.put(connection)

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        try:
            connection = self._idle.get_nowait()
        except queue.Empty:
            connection = self._open()
        try:
            connection.execute(begin)
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
        except sqlite3.Error:
            # A connection that failed may be broken.
            connection.close()
            raise
        except BaseException:
            self._idle.put(connection)
            raise
        self._idle.put(connection)

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Read from one consistent snapshot."""
        return self._transaction("BEGIN")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Begin with the write lock: a deferred transaction that reads first fails at once when another writes."""
        # SQLite waits by sleeping, which starves some of many threads; this queue wakes the next at once.
        with self._turn, self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def close(self) -> None:
        with suppress(queue.Empty):
            while True:
                self._idle.get_nowait().close()
