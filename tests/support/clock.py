"""A clock that stands still until a test moves it."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta


class MovableClock:
    """Starts at the present. Safe to read and move from several threads."""

    def __init__(self, start: datetime | None = None) -> None:
        self._lock = threading.Lock()
        self._now = start or datetime.now(UTC)

    def __call__(self) -> datetime:
        with self._lock:
            return self._now

    def advance(self, **span: float) -> datetime:
        """`advance(minutes=5)`; returns the new present."""
        with self._lock:
            self._now += timedelta(**span)
            return self._now

    def set(self, moment: datetime) -> None:
        with self._lock:
            self._now = moment.astimezone(UTC)


class RunningClock:
    """The real time, moved on by a test."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def advance(self, seconds: float) -> None:
        self._ahead += timedelta(seconds=seconds)
