"""Queue the writers of a process in front of SQLite, in the order in which they came.

SQLite's own waiting is no queue: a writer tries again after a pause, and while many write some are never served.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from dashboard.store.refusals import StoreBusy


class WriteQueue:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_taken = False
        self._waiting: deque[threading.Event] = deque()

    @contextmanager
    def turn(self, patience: float) -> Iterator[None]:
        """Wait for one's turn and hold it. Raises StoreBusy after `patience` seconds."""
        self._enter(patience)
        try:
            yield
        finally:
            with self._lock:
                if self._waiting:
                    self._waiting.popleft().set()  # The turn passes on; it is never free for others in between.
                else:
                    self._is_taken = False

    def _enter(self, patience: float) -> None:
        mine = threading.Event()
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            self._waiting.append(mine)
        if mine.wait(patience):
            return
        with self._lock:
            if not mine.is_set():
                self._waiting.remove(mine)
                raise StoreBusy
