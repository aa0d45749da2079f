"""The watcher: a plain loop that asks for the links, and looks at the requests, that are due.

Slowly, and after all that, it checks the settlement of paid links until their challans are settled. It also
records the links that a refusing database left on this machine's disk, and writes down how many calls were made.
Processes that only answer browsers do these last two alone, each machine for itself.

Any number may run, in any number of processes: each row is claimed by compare-and-set before it is asked for, so a
link is asked for once per interval however many watchers and viewers there are. How many calls a second they begin, and
how many are under way, is shared between them through the store (`LinkPoller.claim_due`).
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial

from dashboard import log_context
from dashboard.services.container import Services

log = logging.getLogger(__name__)

#: How often the store is asked what is due, in seconds; three indexed reads when nothing is.
_TICK_SECONDS = 0.25
#: How often what was counted in memory is written down, in seconds.
_COUNTS_SECONDS = 5.0
#: Looks in flight at once, in a process: they are slow searches at the source, and have places of their own.
_LOOKS_IN_FLIGHT = 2
#: Settlement checks in flight at once, in a process; how often the store is asked whether one is due, and whether a
#: paid link has no plan yet, in seconds.
_SETTLEMENT_CHECKS_IN_FLIGHT, _SETTLEMENT_SECONDS, _PLAN_SECONDS = 1, 2.0, 600.0
#: A step that fails is left out for so many seconds, twice as long each time, up to the last.
_FIRST_PAUSE, _LAST_PAUSE = 1.0, 30.0
#: How long a stop waits for the calls in flight: longer than any one call may take (its deadline), and shorter than
#: the 60 s after which a server ends its processes.
STOP_SECONDS = 50.0


class Watcher:
    def __init__(self, services: Services, *, watch: bool = True) -> None:
        self._looks = _Lane(
            _LOOKS_IN_FLIGHT, "intent_id", services.outcome_resolver.claim_due, services.outcome_resolver.resolve
        )
        self._checks = _Lane(
            services.schedule.calls_in_flight,
            "link_id",
            services.link_poller.claim_due,
            services.link_poller.poll_claimed,
        )
        self._settlement_checks = _Lane(
            _SETTLEMENT_CHECKS_IN_FLIGHT,
            "link_id",
            services.settlement_tracker.claim_due,
            services.settlement_tracker.check,
        )
        self._let_go = (
            (self._looks, services.outcome_resolver.release_leases),
            (self._checks, services.link_poller.release_leases),
            (self._settlement_checks, services.settlement_tracker.release),
        )
        self._write_counts = services.call_policy.allowances.write_counts
        places = sum(lane.most for lane, _ in self._let_go)
        self._pool = ThreadPoolExecutor(places, thread_name_prefix="watcher")
        steps: list[tuple[Callable[[], None], float]] = [
            (services.outcome_recorder.record_spooled, 0),
            (self._write_counts, _COUNTS_SECONDS),
        ]
        if watch:
            steps += [
                (services.outcome_resolver.sweep, 0),
                (lambda: self._looks.fill(self._pool), 0),
                (lambda: self._checks.fill(self._pool), 0),
                (lambda: self._settlement_checks.fill(self._pool), _SETTLEMENT_SECONDS),
                (services.settlement_tracker.plan_missing, _PLAN_SECONDS),
            ]
        self._steps = [_Step(work, every) for work, every in steps]
        self._stopped = threading.Event()
        self._patience = STOP_SECONDS
        self._all_ended = True
        self._thread = threading.Thread(target=self.run, name="watcher", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds: float = STOP_SECONDS) -> bool:
        """Begin nothing more, and wait for the calls in flight, so long at the most.

        True when all of them ended. What was claimed and did not end is free for other processes at once.
        """
        self._patience = seconds
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(seconds + 5)
        return self._all_ended and not self._thread.is_alive()

    def run(self) -> None:
        """Work until stopped."""
        # Varied, so that several workers do not march in step.
        while not self._stopped.wait(_TICK_SECONDS * random.uniform(0.8, 1.2)):  # noqa: S311 - spreading, not secrecy.
            for step in self._steps:
                step.take()
        self._end()

    def _end(self) -> None:
        calls = [call for lane, _ in self._let_go for call in lane.running]
        if calls:
            log.info("the watcher stops; %d calls are in flight", len(calls))
        self._all_ended = not wait(calls, timeout=self._patience).not_done
        for lane, let_go in self._let_go:
            if unfinished := lane.unfinished():
                _try(partial(let_go, unfinished))
        _try(self._write_counts)
        self._pool.shutdown(wait=False, cancel_futures=True)


class _Lane:
    """Work of one kind: rows are claimed as far as there are places for them. `subject` names a row in the log."""

    def __init__(
        self, most: int, subject: str, take_due: Callable[[int], list[str]], work_on: Callable[[str], None]
    ) -> None:
        self.most = most
        self.running: dict[Future[None], str] = {}
        self._subject = subject
        self._take_due = take_due
        self._work_on = work_on

    def fill(self, pool: ThreadPoolExecutor) -> None:
        for done in [future for future in self.running if future.done()]:
            del self.running[done]
        if (room := self.most - len(self.running)) > 0:
            for item in self._take_due(room):
                self.running[pool.submit(self._work, item)] = item

    def unfinished(self) -> list[str]:
        return [item for future, item in self.running.items() if not future.done()]

    def _work(self, item: str) -> None:
        """The work on one row, under an id of its own: each line of it tells which link or request it was for."""
        with log_context.bound(request=log_context.new_id("watch"), **{self._subject: item}):
            try:
                self._work_on(item)
            except Exception:
                log.exception("a row could not be worked on")


class _Step:
    """Something done at each tick, or `every` so many seconds. When it fails it is left out, longer each time."""

    def __init__(self, work: Callable[[], None], every: float) -> None:
        self._work = work
        self._every = every
        self._next = 0.0
        self._pause = _FIRST_PAUSE

    def take(self) -> None:
        if time.monotonic() < self._next:
            return
        if _try(self._work):
            self._next, self._pause = time.monotonic() + self._every, _FIRST_PAUSE
        else:
            self._next, self._pause = time.monotonic() + self._pause, min(self._pause * 2, _LAST_PAUSE)


def _try(work: Callable[[], None]) -> bool:
    """Do something whose failure holds up nothing else; whether it went well."""
    try:
        work()
    except Exception:
        log.exception("a step of the watcher failed")
        return False
    return True


def start(services: Services, *, watch: bool = True) -> Watcher:
    """Start a watcher in this process; the caller stops it. Without `watch` it leaves links and requests to others."""
    watcher = Watcher(services, watch=watch)
    watcher.start()
    return watcher
