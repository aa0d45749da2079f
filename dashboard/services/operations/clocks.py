"""Check that the clocks of this host, the database and the service agree (A8), and store it for the banner."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from dashboard.services.schedule import Clock
from dashboard.services.steady_clock import TOLERANCE, SteadyClock
from dashboard.store.engine import Store
from dashboard.store.operations import clock_checks
from dashboard.store.operations.clock_checks import MAX_HOST, ClockCheck

#: The service states its time in whole seconds, at some moment of a call.
SERVICE_TOLERANCE = timedelta(seconds=3)
#: An unchanged result is stored again after this long, and counts for longer than that.
_STORE_EVERY, _COUNTS_FOR = timedelta(minutes=1), timedelta(minutes=5)
#: The banner reports a step of a host's clock for this long.
_STEP_REPORTED_FOR = timedelta(hours=1)

#: The service's latest time, and how many seconds ago it came; None before any answer.
ServiceTime = Callable[[], tuple[datetime, float] | None]


def is_broken(check: ClockCheck, now: datetime) -> bool:
    """Return whether a comparison shows that A8 does not hold."""
    return (
        abs(check.database_ahead or 0) > TOLERANCE.total_seconds()
        or abs(check.service_ahead or 0) > SERVICE_TOLERANCE.total_seconds()
        or (check.stepped_at is not None and now - check.stepped_at <= _STEP_REPORTED_FOR)
    )


@dataclass(frozen=True)
class Clocks:
    """Compare the clocks of this process."""

    store: Store
    clock: Clock
    service_time: ServiceTime
    _stored: dict[str, ClockCheck] = field(default_factory=dict)

    def compare(self) -> None:
        """Follow the database's clock, and store how the clocks differ, when that is news."""
        if not isinstance(self.clock, SteadyClock):
            return
        ahead = self.clock.compare()
        step = self.clock.step()
        now = self.clock()
        stepped = abs(step) > TOLERANCE
        check = ClockCheck(
            host=socket.gethostname()[:MAX_HOST] or "?",
            at=now,
            database_ahead=None if ahead is None else ahead.total_seconds(),
            service_ahead=self._service_ahead(now),
            stepped_at=now if stepped else None,
            stepped_by=step.total_seconds() if stepped else None,
        )
        before = self._stored.get("")
        is_news = before is None or stepped or is_broken(before, now) != is_broken(check, now)
        if is_news or (before is not None and now - before.at >= _STORE_EVERY):
            with self.store.write() as connection:
                clock_checks.save(connection, check)
            self._stored[""] = check

    def broken(self) -> list[ClockCheck]:
        """Return what the hosts found lately that shows that A8 does not hold."""
        now = self.clock()
        checks = self.store.cached_read("clock checks", clock_checks.read_all)
        return [check for check in checks if now - check.at <= _COUNTS_FOR and is_broken(check, now)]

    def _service_ahead(self, now: datetime) -> float | None:
        told = self.service_time()
        if told is None or told[1] > _COUNTS_FOR.total_seconds():
            return None
        moment, ago = told
        # Half a second, since the service states whole ones.
        return (moment + timedelta(seconds=0.5 + ago) - now).total_seconds()
