"""Find out whether this process can serve: whether the database is migrated, answers, and takes a write."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from sqlalchemy.exc import SQLAlchemyError

from dashboard.store.engine import Store
from dashboard.store.migrate import may_serve

#: A write is tried this often at most, and waits so long for others.
_SECONDS, _PATIENCE = 5.0, 3.0


@dataclass
class Readiness:
    store: Store
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _checked_at: float = float("-inf")
    _takes_writes: bool = False

    def is_ready(self) -> bool:
        """Return whether the database has the tables of this version, and took a write within the last seconds."""
        return may_serve(self.store) and self._is_writable()

    def _is_writable(self) -> bool:
        with self._lock:
            # A refusal is checked again at once, so that a healed database is noticed.
            if not self._takes_writes or time.monotonic() - self._checked_at >= _SECONDS:
                try:
                    self.store.try_write(_PATIENCE)
                    self._takes_writes = True
                except SQLAlchemyError:
                    self._takes_writes = False
                self._checked_at = time.monotonic()
            return self._takes_writes
