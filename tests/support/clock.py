"""Provide clocks that a test moves."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

from dashboard.services.steady_clock import SteadyClock


class MovableClock:
    """Return one fixed time until a test moves it. Safe to use from several threads."""

    def __init__(self, start: datetime | None = None) -> None:
        self._lock = threading.Lock()
        self._now = start or datetime.now(UTC)

    def __call__(self) -> datetime:
        with self._lock:
            return self._now

    def advance(self, **span: float) -> datetime:
        """Move the clock forward, as in `advance(minutes=5)`, and return the new time."""
        with self._lock:
            self._now += timedelta(**span)
            return self._now

    def set(self, moment: datetime) -> None:
        with self._lock:
            self._now = moment.astimezone(UTC)


class RunningClock:
    """Return the real time, moved forward by a test."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def advance(self, seconds: float) -> None:
        self._ahead += timedelta(seconds=seconds)


class World:
    """Let true time pass, on hosts whose clocks may be off or step, over one reference that may step as well."""

    def __init__(self, start: datetime | None = None) -> None:
        self._time = MovableClock(start)
        self._began = self._time()
        self.reference_off = timedelta()

    def __call__(self) -> datetime:
        """Return the true time."""
        return self._time()

    def advance(self, **span: float) -> None:
        self._time.advance(**span)

    def reference(self) -> datetime:
        return self._time() + self.reference_off

    def host(self, **skew: float) -> SteadyClock:
        """Return the clock of a process on a host whose own clock is off, as in `host(seconds=5)`."""

        def monotonic() -> float:
            return (self._time() - self._began).total_seconds()

        clock = SteadyClock(self.reference, wall=lambda: self._time() + timedelta(**skew), monotonic=monotonic)
        clock.compare()
        return clock
