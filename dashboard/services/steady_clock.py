"""Tell the time by the database's clock, which all hosts share, and by a monotonic one between comparisons (A8).

The clock of this host decides nothing: it may be off, and it may step. A moment of ours never goes back. When the
reference is ahead, we follow at once, so that no host lags behind the others; what we skipped is no time that has
certainly passed (`certainly_passed`). When the reference is behind, we go at half the pace until it has caught up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import text

from dashboard.services.schedule import Clock
from dashboard.store.engine import Store

#: Clocks that differ by more than this do not agree (A8).
TOLERANCE = timedelta(seconds=1)
#: A comparison that took longer than this says nothing.
_LONGEST_COMPARISON = 1.0
#: The pace while the reference is behind.
_SLOW = 0.5
#: Skips, and comparisons while the reference was behind, that are remembered: more than any proof lasts.
_SKIPS_KEPT = 1000


def utcnow() -> datetime:
    return datetime.now(UTC)


def _monotonic() -> float:
    """Return the seconds since the host started, those included in which it was suspended."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def database_clock(store: Store) -> Callable[[], datetime]:
    """Return what tells the time by the database's clock. SQLite has none but that of its host."""
    if store.is_sqlite:
        return utcnow

    def ask() -> datetime:
        with store.read() as connection:
            moment: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
            return moment.astimezone(UTC)

    return ask


class SteadyClock:
    """Return moments that never go back and follow a reference; safe for use by many threads.

    `compare` reads the reference; until it has succeeded once, the host's own clock is followed.
    """

    def __init__(
        self,
        reference: Callable[[], datetime],
        *,
        wall: Clock = utcnow,
        monotonic: Callable[[], float] = _monotonic,
    ) -> None:
        self._reference = reference
        self._wall = wall
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._compared = False
        self._at, self._base = monotonic(), wall()
        #: How far we are ahead of the reference.
        self._lead = timedelta()
        self._skips: list[tuple[datetime, timedelta]] = []
        #: What we fell behind while the reference was behind, by when it was compared.
        self._slowed: list[tuple[datetime, timedelta]] = []
        self._wall_at: tuple[float, datetime] = (self._at, self._base)

    def __call__(self) -> datetime:
        with self._lock:
            return self._now(self._monotonic())

    def compare(self) -> timedelta | None:
        """Follow the reference; return how far it is ahead of the host's own clock, or None when that is not known.

        Raises what the reference raises.
        """
        began = self._monotonic()
        told = self._reference()
        ended = self._monotonic()
        if ended - began > _LONGEST_COMPARISON:
            return None
        told += timedelta(seconds=(ended - began) / 2)
        with self._lock:
            self._follow(told, ended)
        return told - self._wall()

    def step(self) -> timedelta:
        """Return how far the host's own clock has stepped since the last call."""
        at, wall = self._monotonic(), self._wall()
        with self._lock:
            before, self._wall_at = self._wall_at, (at, wall)
        return (wall - before[1]) - timedelta(seconds=at - before[0])

    def certainly_passed(self, since: datetime, until: datetime) -> timedelta:
        """Return the time between two moments, without what we skipped after the first, or are ahead by."""
        with self._lock:
            return until - since - self._skipped(since, until) - self._lead_left(self._monotonic())

    def elapsed(self, since: datetime, until: datetime) -> timedelta:
        """Return how long it took from one of our moments to another, however the reference stepped between them."""
        with self._lock:
            slowed = sum((by for at, by in self._slowed if since <= at), timedelta())
            slowed += self._lead - self._lead_left(self._monotonic())
            return until - since - self._skipped(since, until) + slowed

    def _skipped(self, since: datetime, until: datetime) -> timedelta:
        """Return what we skipped between two moments, either of which may lie within a skip."""
        spans = ((max(since, at), min(until, at + by)) for at, by in self._skips)
        return sum((end - begin for begin, end in spans if begin < end), timedelta())

    def _follow(self, told: datetime, at: float) -> None:
        now = self._now(at)
        if (slowed := self._lead - self._lead_left(at)) > timedelta():
            self._slowed = [*self._slowed, (now, slowed)][-_SKIPS_KEPT:]
        if not self._compared:
            self._compared, now = True, told
        elif told - now > TOLERANCE:
            self._skips = [*self._skips, (now, told - now)][-_SKIPS_KEPT:]
        self._at, self._base, self._lead = at, max(now, told), max(now - told, timedelta())

    def _now(self, at: float) -> datetime:
        passed = timedelta(seconds=at - self._at)
        return self._base + passed - (self._lead - self._lead_left(at))

    def _lead_left(self, at: float) -> timedelta:
        """Return how far we are still ahead of the reference."""
        return max(self._lead - timedelta(seconds=at - self._at) * (1 - _SLOW), timedelta())


def elapsed(clock: Clock, since: datetime, until: datetime) -> timedelta:
    """Return how long it took from one moment of a clock to another, whatever it was set to between them."""
    return clock.elapsed(since, until) if isinstance(clock, SteadyClock) else until - since


def certainly_passed(clock: Clock, since: datetime, until: datetime) -> timedelta:
    """Return how much time has certainly passed between two moments of a clock: a step of it is no time."""
    return clock.certainly_passed(since, until) if isinstance(clock, SteadyClock) else until - since
