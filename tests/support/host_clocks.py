"""Tell the time of processes on hosts whose own clocks are off, over one clock of the database that may step."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from dashboard.services.steady_clock import SteadyClock


class HostClock(SteadyClock):
    """Tell the time of a process as in production, except that a comparison takes no time.

    On a busy machine it would be as inexact as the process was held up meanwhile, and the oracle attributes links by
    the moments of sends. `true` is the time that passes, `stepped` how far the database's clock is from it, in seconds,
    and `off` how far the host's own clock is from the database's.
    """

    def __init__(self, true: Callable[[], datetime], stepped: Callable[[], float], off: Callable[[], float]) -> None:
        self._at_once = threading.local()
        self._true = true
        began = true()

        def reference() -> datetime:
            return self._moment() + timedelta(seconds=stepped())

        def wall() -> datetime:
            return reference() + timedelta(seconds=off())

        def monotonic() -> float:
            return (self._moment() - began).total_seconds()

        super().__init__(reference, wall=wall, monotonic=monotonic)
        self.compare()

    def compare(self) -> timedelta | None:
        self._at_once.moment = self._true()
        try:
            return super().compare()
        finally:
            self._at_once.moment = None

    def _moment(self) -> datetime:
        return getattr(self._at_once, "moment", None) or self._true()
