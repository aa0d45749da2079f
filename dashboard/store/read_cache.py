"""What was read of the store and still holds, because nothing was committed since: thousands of polls ask the same.

SQLite tells each connection whether any other one has committed, in this process or another (`PRAGMA data_version`),
for the price of a look at a page of memory. So what is remembered is exactly what would be read. PostgreSQL has nothing
of the kind that is cheaper than reading, and there nothing is remembered.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

#: More than the links and people of a busy minute; then it begins anew.
_MOST = 4000


class Memory:
    """`file` is the SQLite database, None for any other. Any thread may ask."""

    def __init__(self, file: str | None) -> None:
        self._file = file
        self._turn = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._connections = 0
        self._kept: dict[Hashable, tuple[object, Any]] = {}

    def get(self, key: Hashable, read: Callable[[], T]) -> T:
        """What `read` gave under this key, if nothing was committed since; else what it gives now."""
        version = self._version()
        if version is None:
            return read()
        kept = self._kept.get(key)
        if kept is not None and kept[0] == version:
            found: T = kept[1]
            return found
        # The version was taken first: whatever is committed from then on is read, or makes this entry old, or both.
        value = read()
        if len(self._kept) >= _MOST:
            self._kept.clear()
        self._kept[key] = (version, value)
        return value

    def close(self) -> None:
        with self._turn:
            self._forget()

    def _version(self) -> object:
        """Changes with every commit; None when it cannot be told."""
        if self._file is None:
            return None
        with self._turn:
            try:
                if self._connection is None:
                    self._connection = sqlite3.connect(self._file, check_same_thread=False, isolation_level=None)
                    self._connections += 1
                # The number means something to one connection alone.
                return self._connections, self._connection.execute("PRAGMA data_version").fetchone()[0]
            except sqlite3.Error:  # Reading says what is wrong.
                self._forget()
                return None

    def _forget(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None
        self._kept.clear()
