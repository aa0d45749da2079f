"""Run the dashboard's processes in a storm: replace dead ones, continue stopped ones, move time for all at once.

Time is moved while every process of ours is stopped, so that none of them reads one clock moved and not the other.
It never outruns assumption A4: what the service has received, or a stopped process was about to send, grows no older
than `_OLDEST` before it is committed or dropped.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from dashboard.failpoints import Point
from tests.faults.clerks import Tally
from tests.support.killable_processes import Action, AppFactory, Host
from tests.support.levers import Levers
from tests.support.long_running_processes import (
    ArmedFailpoint,
    LongRunningProcess,
    all_stopped,
    run_web_process,
    run_worker,
)

#: Seconds by which the own clock of a host may be off, and by which it may step.
_OFF, _STEPS = (0, 5, -5, -60, 3600), (5, -5, -60, 3600)
#: Seconds of A4's 120 that the storm uses.
_OLDEST = 100.0
#: Seconds; far longer than any process takes to start.
_PATIENCE = 60
_WEB, _WORKER = "web", "worker"
_POINTS = {
    _WEB: [point for point in Point if not point.startswith(("resolve.", "sweep.", "spooled"))]
    + [Point.RESOLVE_SEARCHED],
    _WORKER: [point for point in Point if point.startswith(("resolve.", "sweep."))],
}


@dataclass
class _Seat:
    """Hold one process; its replacement runs on the same host and listens at the same port. `stopped` is the moment it
    stopped, by our clock.
    """

    kind: str
    host: Host
    process: LongRunningProcess
    port: int = 0
    failpoint: ArmedFailpoint | None = None
    stopped: datetime | None = None
    goes_on_at: float = 0.0
    begun: bool = False


@dataclass
class House:
    app_factory: AppFactory
    levers: Levers
    oldest: Any  # shared float: when the service received its oldest unanswered creation
    tally: Tally
    rng: random.Random
    webs: int = 3
    workers: int = 2
    failpoint_rate: float = 0.7
    _seats: list[_Seat] = field(default_factory=list)
    _late_since: datetime | None = None

    def open(self) -> None:
        for kind in [_WEB] * self.webs + [_WORKER] * self.workers:
            failpoint, host = self._draw_failpoint(kind), Host(off=self.rng.choice(_OFF))
            self._seats.append(_Seat(kind, host, self._start(kind, host, 0, failpoint), failpoint=failpoint))
        self.everybody_goes_on()

    def close(self) -> None:
        for seat in self._seats:
            seat.process.close()
        self._seats.clear()

    def ports(self) -> Sequence[int]:
        return [seat.port for seat in self._seats if seat.kind == _WEB and seat.begun]

    # Failpoints and deaths

    def kill(self) -> None:
        """Kill any process at any moment."""
        seat = self.rng.choice(self._seats)
        seat.process.kill()

    def stop(self) -> None:
        """Stop any process at any moment; the caller lets time pass."""
        seat = self.rng.choice(self._seats)
        if seat.begun and seat.process.alive and seat.stopped is None:
            seat.process.stop()
            self._is_stopped(seat, f"stopped: {seat.kind} at any moment")

    def tend(self) -> None:
        """Replace dead processes, and continue those that were stopped for long enough."""
        for seat in self._seats:
            point = seat.process.reached_point
            action = seat.failpoint.action if seat.failpoint is not None and point is not None else None
            if not seat.process.alive:
                self.tally.add(f"killed: {seat.kind} at {point if action is Action.KILL else 'any moment'}")
                self._replace(seat)
            elif action is Action.STOP and seat.stopped is None:
                self._is_stopped(seat, f"stopped: {seat.kind} at {point}")
                seat.failpoint = None
            elif seat.stopped is not None and seat.goes_on_at <= monotonic():
                self._go_on(seat)
            if not seat.begun and seat.process.alive and seat.process.is_ready:
                seat.begun, seat.port = True, seat.process.wait_ready() or 0

    def everybody_goes_on(self) -> None:
        """Wait until every stopped process continues and every dead one is replaced: only then can their work end.

        A replacement may reach its failpoint before it is ready, and is replaced in its turn.
        """
        until = monotonic() + _PATIENCE
        self.tend()
        while any(seat.stopped is not None or not seat.begun for seat in self._seats):
            assert monotonic() < until, "processes neither start nor go on"
            threading.Event().wait(0.02)
            self.tend()

    def heal(self) -> None:
        """End every fault of the service, continue every stopped process, and replace every dead one.

        Failpoints that were not reached stay armed; a process that one kills later is replaced without a new failpoint.
        """
        self.failpoint_rate = 0.0
        self.levers.clear_faults()
        for seat in self._seats:
            self._go_on(seat)
        self.everybody_goes_on()
        while self.oldest.value:
            threading.Event().wait(0.01)
        self.settle_late()
        self._late_since = None

    def _replace(self, seat: _Seat) -> None:
        seat.process.close()
        seat.begun, seat.stopped, seat.failpoint = False, None, self._draw_failpoint(seat.kind)
        seat.process = self._start(seat.kind, seat.host, seat.port, seat.failpoint)

    def _draw_failpoint(self, kind: str) -> ArmedFailpoint | None:
        if self.rng.random() >= self.failpoint_rate:
            return None
        action = Action.STOP if self.rng.random() < 0.25 else Action.KILL
        return ArmedFailpoint(self.rng.choice(_POINTS[kind]), self.rng.choice((1, 1, 1, 2, 4)), action)

    def _start(self, kind: str, host: Host, port: int, failpoint: ArmedFailpoint | None) -> LongRunningProcess:
        app_factory = replace(self.app_factory, host=host)
        return (
            LongRunningProcess(run_web_process, app_factory, port, failpoint)
            if kind == _WEB
            else LongRunningProcess(run_worker, app_factory, failpoint)
        )

    def _is_stopped(self, seat: _Seat, how: str) -> None:
        seat.stopped, seat.goes_on_at = self.app_factory.clock(), monotonic() + self.rng.uniform(0.2, 1.5)
        self.tally.add(how)

    def _go_on(self, seat: _Seat) -> None:
        seat.process.resume()
        seat.stopped = None

    # Time

    def step_a_clock(self) -> None:
        """Step the own clock of any host, while its process runs."""
        by = self.rng.choice(_STEPS)
        self.rng.choice(self._seats).host.step(by)
        self.tally.add(f"clock stepped: {by:+} s")

    def passes(self, seconds: float) -> float:
        """Advance the clock by as much of `seconds` as A4 allows, and return the seconds advanced."""
        seconds = min(seconds, self.room())
        if seconds <= 0:
            return 0.0
        with all_stopped(seat.process for seat in self._seats):
            self.app_factory.clock.advance(seconds)
            self.levers.advance(seconds)
        return seconds

    def room(self) -> float:
        """Return how many seconds the clock may advance before an unfinished creation is older than A4 allows."""
        now = self.app_factory.clock()
        since = [seat.stopped for seat in self._seats if seat.stopped is not None and seat.kind == _WEB]
        if self._late_since is not None:
            since.append(self._late_since)
        ages = [(now - moment) / timedelta(seconds=1) for moment in since]
        if self.oldest.value:
            ages.append(now.timestamp() - self.oldest.value)
        return _OLDEST - max(ages, default=-1e9)

    def late_request(self) -> None:
        """Have the service hold a creation back, and record when: it must be committed or dropped before A4's limit."""
        self.levers.fault("create_link", "late")
        if self._late_since is None:
            self._late_since = self.app_factory.clock()

    def settle_late(self) -> None:
        """Commit or drop the creations that the service holds back."""
        if self._late_since is None:
            return
        self._late_since = self.app_factory.clock()
        if self.rng.random() < 0.7:
            committed = self.levers.commit_late()
            self.tally.add("late requests committed", sum(status == 200 for status in committed))
        else:
            self.levers.drop_late()
