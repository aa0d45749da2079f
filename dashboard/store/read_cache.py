"""Cache results of reads until anybody commits, because thousands of polls ask the same.

SQLite tells each connection whether any other one has committed, in this process or another (`PRAGMA data_version`),
for the price of reading one page of memory. A cached result is therefore exactly what a read would return. PostgreSQL
has no such check that is cheaper than reading, so nothing is cached there.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

#: More than the links and people of a busy minute; a full cache is emptied.
_MOST_ENTRIES = 4000


class ReadCache:
    """Cache results by key for one SQLite database; safe for use by many threads."""

    def __init__(self, file: str | None) -> None:
        """Cache reads of the SQLite database in `file`; None for any other database, where nothing is cached."""
        self._file = file
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._connections = 0
        self._entries: dict[Hashable, tuple[object, Any]] = {}

    def get(self, key: Hashable, read: Callable[[], T]) -> T:
        """Return the entry of `key` if nothing was committed since; otherwise the result of `read`, which is stored."""
        version = self._version()
        if version is None:
            return read()
        entry = self._entries.get(key)
        if entry is not None and entry[0] == version:
            cached: T = entry[1]
            return cached
        # The version is taken before the read, so a commit in between can only make this entry stale, never wrong.
        value = read()
        if len(self._entries) >= _MOST_ENTRIES:
            self._entries.clear()
        self._entries[key] = (version, value)
        return value

    def close(self) -> None:
        with self._lock:
            self._reset()

    def _version(self) -> object:
        """Return a value that changes with every commit; None when the database cannot be asked."""
        if self._file is None:
            return None
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = sqlite3.connect(self._file, check_same_thread=False, isolation_level=None)
                    self._connections += 1
                # SQLite's number is comparable within one connection only, so the connection is part of the version.
                return self._connections, self._connection.execute("PRAGMA data_version").fetchone()[0]
            except sqlite3.Error:  # The read that follows reports what is wrong.
                self._reset()
                return None

    def _reset(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None
        self._entries.clear()
