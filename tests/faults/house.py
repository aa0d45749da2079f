"""Run the dashboard's processes in a storm: the dead are replaced, the stopped continue, time moves for all at once.

Time is moved while every process of ours is stopped, so that none of them reads one clock moved and not the other.
It never outruns assumption A4: what the service has received, or a stopped process was about to send, grows no older
than `_OLDEST` before it is carried out or dropped.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from dashboard.failpoints import Point
from tests.faults.clerks import Tally
from tests.support.crew import Action, Premises
from tests.support.levers import Levers
from tests.support.shifts import Fuse, Shift, serve, standing_still, work

#: Seconds of A4's 120 that the storm uses.
_OLDEST = 100.0
_WEB, _WORKER = "web", "worker"
_POINTS = {
    _WEB: [point for point in Point if not point.startswith(("resolve.", "sweep.", "spooled"))]
    + [Point.RESOLVE_SEARCHED],
    _WORKER: [point for point in Point if point.startswith(("resolve.", "sweep."))],
}


@dataclass
class _Seat:
    """A place for one process; whoever takes it listens at the same port. `stopped` is since when, by our clock."""

    kind: str
    shift: Shift
    port: int = 0
    fuse: Fuse | None = None
    stopped: datetime | None = None
    goes_on_at: float = 0.0
    begun: bool = False


@dataclass
class House:
    premises: Premises
    levers: Levers
    oldest: Any  # a shared double: since when the service has had a creation in hand
    tally: Tally
    rng: random.Random
    webs: int = 3
    workers: int = 2
    fused: float = 0.7
    _seats: list[_Seat] = field(default_factory=list)
    _late_since: datetime | None = None

    def open(self) -> None:
        for kind in [_WEB] * self.webs + [_WORKER] * self.workers:
            fuse = self._fuse(kind)
            self._seats.append(_Seat(kind, self._start(kind, 0, fuse), fuse=fuse))
        for seat in self._seats:
            seat.port = seat.shift.begun() or 0
            seat.begun = True

    def close(self) -> None:
        for seat in self._seats:
            seat.shift.close()
        self._seats.clear()

    def ports(self) -> Sequence[int]:
        return [seat.port for seat in self._seats if seat.kind == _WEB and seat.begun]

    # Who dies

    def kill(self) -> None:
        """Kill anyone at any moment."""
        seat = self.rng.choice(self._seats)
        seat.shift.kill()

    def stop(self) -> None:
        """Stop any process at any moment; the caller lets time pass."""
        seat = self.rng.choice(self._seats)
        if seat.begun and seat.shift.alive and seat.stopped is None:
            seat.shift.stop()
            self._is_stopped(seat, f"stopped: {seat.kind} at any moment")

    def tend(self) -> None:
        """Replace the dead, and continue those that were stopped for long enough."""
        for seat in self._seats:
            point = seat.shift.came_to
            burnt = seat.fuse.action if seat.fuse is not None and point is not None else None
            if not seat.shift.alive:
                self.tally.add(f"killed: {seat.kind} at {point if burnt is Action.KILL else 'any moment'}")
                self._replace(seat)
            elif burnt is Action.STOP and seat.stopped is None:
                self._is_stopped(seat, f"stopped: {seat.kind} at {point}")
                seat.fuse = None
            elif seat.stopped is not None and seat.goes_on_at <= monotonic():
                self._go_on(seat)
            if not seat.begun and seat.shift.alive and seat.shift.at_work:
                seat.begun = True

    def everybody_goes_on(self) -> None:
        """Wait until no process is stopped and every dead one is replaced: their work is not over before."""
        self.tend()
        while any(seat.stopped is not None or not seat.begun for seat in self._seats):
            threading.Event().wait(0.02)
            self.tend()

    def heal(self) -> None:
        """End every fault of the service, continue every stopped process, and replace every dead one.

        Fuses that have not burnt down stay where they are; whoever dies of one from now on is replaced for good.
        """
        self.fused = 0.0
        self.levers.clear_faults()
        for seat in self._seats:
            self._go_on(seat)
        self.tend()
        for seat in self._seats:
            seat.shift.begun()
            seat.begun = True
        while self.oldest.value:
            threading.Event().wait(0.01)
        self.settle_late()
        self._late_since = None

    def _replace(self, seat: _Seat) -> None:
        seat.shift.close()
        seat.begun, seat.stopped, seat.fuse = False, None, self._fuse(seat.kind)
        seat.shift = self._start(seat.kind, seat.port, seat.fuse)

    def _fuse(self, kind: str) -> Fuse | None:
        if self.rng.random() >= self.fused:
            return None
        action = Action.STOP if self.rng.random() < 0.25 else Action.KILL
        return Fuse(self.rng.choice(_POINTS[kind]), self.rng.choice((1, 1, 1, 2, 4)), action)

    def _start(self, kind: str, port: int, fuse: Fuse | None) -> Shift:
        return Shift(serve, self.premises, port, fuse) if kind == _WEB else Shift(work, self.premises, fuse)

    def _is_stopped(self, seat: _Seat, how: str) -> None:
        seat.stopped, seat.goes_on_at = self.premises.clock(), monotonic() + self.rng.uniform(0.2, 1.5)
        self.tally.add(how)

    def _go_on(self, seat: _Seat) -> None:
        seat.shift.go_on()
        seat.stopped = None

    # Time

    def passes(self, seconds: float) -> float:
        """Move time on by as much of `seconds` as A4 allows; returns how much that was."""
        seconds = min(seconds, self.room())
        if seconds <= 0:
            return 0.0
        with standing_still(seat.shift for seat in self._seats):
            self.premises.clock.advance(seconds)
            self.levers.advance(seconds)
        return seconds

    def room(self) -> float:
        """How many seconds time may move before something that is under way would be older than A4 allows."""
        now = self.premises.clock()
        since = [seat.stopped for seat in self._seats if seat.stopped is not None and seat.kind == _WEB]
        if self._late_since is not None:
            since.append(self._late_since)
        ages = [(now - moment) / timedelta(seconds=1) for moment in since]
        if self.oldest.value:
            ages.append(now.timestamp() - self.oldest.value)
        return _OLDEST - max(ages, default=-1e9)

    def late_request(self) -> None:
        """Note that the service holds a creation back: it must be committed or dropped before it is too old."""
        self.levers.fault("create_link", "late")
        if self._late_since is None:
            self._late_since = self.premises.clock()

    def settle_late(self) -> None:
        """Commit or drop the creations that the service holds back."""
        if self._late_since is None:
            return
        self._late_since = self.premises.clock()
        if self.rng.random() < 0.7:
            committed = self.levers.commit_late()
            self.tally.add("late requests committed", sum(status == 200 for status in committed))
        else:
            self.levers.drop_late()
