"""Run the watcher: plain loops that poll the links and resolve the intents that are due.

More slowly it checks the settlement of paid links, until their challans are settled, and deletes personal data that
is older than the settings say. It also records the created links that are on this machine's disk because the database
refused them, and stores how many calls were made. Processes that only answer browsers do these last two alone, since
each machine has a disk of its own.

Any number of watchers may run, in any number of processes: each claims a row by compare-and-set before it works on it,
so a link is polled once per interval however many watchers and viewers there are. They share the number of calls begun
a second, and of calls in flight, through the store (`LinkPoller.claim_due`).

Each step has a loop and a thread of its own: one that waits for a lock of the database does not hold up the others.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path

from dashboard import log_context
from dashboard.background.jobs import Jobs
from dashboard.services.container import Services
from dashboard.services.operations.block_clamps import clamp_blocks

log = logging.getLogger(__name__)

#: The time between two rounds of a loop, in seconds; a round is an indexed read when nothing is due.
_TICK_SECONDS = 0.25
#: How often the calls counted in memory are stored, in seconds.
_COUNTS_SECONDS = 5.0
#: How often the clocks are compared, and rows looked for that a wrong clock has planned, in seconds.
_CLOCKS_SECONDS, _CLAMP_SECONDS = 10.0, 60.0
#: How often a change of the secret is noticed, in seconds.
_KEY_SECONDS = 2.0
#: Attempts to resolve in flight at once, in a process: they are slow searches at the source, so they have threads of
#: their own.
_ATTEMPTS_IN_FLIGHT = 2
#: Settlement checks in flight at once, in a process; how often the store is read for one that is due, and for a paid
#: link without a plan, in seconds.
_SETTLEMENT_CHECKS_IN_FLIGHT, _SETTLEMENT_SECONDS, _PLAN_SECONDS = 1, 2.0, 600.0
#: How often old personal data is deleted, a batch at a time, in seconds.
_RETENTION_SECONDS = 60.0
#: The backoff of a step that fails, in seconds: doubled each time, up to the longest.
_FIRST_BACKOFF, _LONGEST_BACKOFF = 1.0, 30.0
#: How long a stop waits for the calls in flight: longer than any one call may take (its deadline), and shorter than
#: the 60 s after which a server ends its processes.
STOP_SECONDS = 50.0


class Watcher:
    """Poll links and resolve intents in threads of its own. Without `watch` it only records and counts (see the
    module).
    """

    def __init__(self, services: Services, *, watch: bool = True, jobs: Jobs | None = None) -> None:
        self._jobs = jobs
        self._attempts = _Lane(
            _ATTEMPTS_IN_FLIGHT, "intent_id", services.outcome_resolver.claim_due, services.outcome_resolver.resolve
        )
        self._polls = _Lane(
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
        self._lanes = (
            (self._attempts, services.outcome_resolver.release_leases),
            (self._polls, services.link_poller.release_leases),
            (self._settlement_checks, services.settlement_tracker.release),
        )
        self._write_counts = (services.call_policy.allowances.write_counts, services.call_outcomes.write_counts)
        threads = sum(lane.most for lane, _ in self._lanes)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="watcher")
        steps: list[tuple[Callable[[], None], float]] = [
            (services.outcome_recorder.record_spooled, 0),
            *((write, _COUNTS_SECONDS) for write in self._write_counts),
            (services.clocks.compare, _CLOCKS_SECONDS),
        ]
        if watch:
            steps += [
                (services.outcome_resolver.sweep, 0),
                (lambda: self._attempts.fill(self._pool), 0),
                (lambda: self._polls.fill(self._pool), 0),
                (services.link_poller.follow_key, _KEY_SECONDS),
                (services.link_poller.clamp_plans, _CLAMP_SECONDS),
                (services.outcome_resolver.clamp_plans, _CLAMP_SECONDS),
                (services.settlement_tracker.clamp_plans, _CLAMP_SECONDS),
                (lambda: clamp_blocks(services.store, services.clock()), _CLAMP_SECONDS),
                (lambda: self._settlement_checks.fill(self._pool), _SETTLEMENT_SECONDS),
                (services.settlement_tracker.plan_missing, _PLAN_SECONDS),
                (services.retention.delete_old, _RETENTION_SECONDS),
                *(jobs.steps() if jobs else ()),
            ]
        self._steps = [_Step(work, every) for work, every in steps]
        self._stopped = threading.Event()
        self._stop_seconds = STOP_SECONDS
        self._all_ended = True
        self._thread = threading.Thread(target=self.run, name="watcher", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds: float = STOP_SECONDS) -> bool:
        """Begin nothing more, and wait up to `seconds` for the calls in flight.

        True when all of them ended. Rows whose work did not end are free for other processes at once.
        """
        self._stop_seconds = seconds
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(seconds + 5)
        return self._all_ended and not self._thread.is_alive()

    def run(self) -> None:
        """Work until stopped."""
        steps = [threading.Thread(target=self._repeat, args=(step,), daemon=True) for step in self._steps]
        for thread in steps:
            thread.start()
        self._stopped.wait()
        give_up = time.monotonic() + self._stop_seconds
        for thread in steps:
            thread.join(max(0.0, give_up - time.monotonic()))
        self._end(give_up)
        self._all_ended = self._all_ended and not any(thread.is_alive() for thread in steps)

    def _repeat(self, step: _Step) -> None:
        # With jitter, so that several workers do not run in step.
        while not self._stopped.wait(_TICK_SECONDS * random.uniform(0.8, 1.2)):  # noqa: S311 - spreading, not secrecy.
            step.take()

    def _end(self, give_up: float) -> None:
        if self._jobs:
            self._all_ended = self._jobs.stop(max(0.0, give_up - time.monotonic()))
        calls = [call for lane, _ in self._lanes for call in list(lane.running)]
        if calls:
            log.info("the watcher stops; %d calls are in flight", len(calls))
        in_time = not wait(calls, timeout=max(0.0, give_up - time.monotonic())).not_done
        self._all_ended = self._all_ended and in_time
        for lane, release_leases in self._lanes:
            if unfinished := lane.unfinished():
                _try(partial(release_leases, unfinished))
        for write in self._write_counts:
            _try(write)
        self._pool.shutdown(wait=False, cancel_futures=True)


class _Lane:
    """Work of one kind, on `most` rows at once. `subject` is the name of a row's id in the log."""

    def __init__(
        self, most: int, subject: str, claim_due: Callable[[int], list[str]], work_on: Callable[[str], None]
    ) -> None:
        self.most = most
        self.running: dict[Future[None], str] = {}
        self._subject = subject
        self._claim_due = claim_due
        self._work_on = work_on

    def fill(self, pool: ThreadPoolExecutor) -> None:
        for done in [future for future in self.running if future.done()]:
            del self.running[done]
        if (room := self.most - len(self.running)) > 0:
            for item in self._claim_due(room):
                self.running[pool.submit(self._work, item)] = item

    def unfinished(self) -> list[str]:
        return [item for future, item in list(self.running.items()) if not future.done()]

    def _work(self, item: str) -> None:
        """Work on one row, in a log context with a request id of its own and the row's id."""
        with log_context.bound(request=log_context.new_id("watch"), **{self._subject: item}):
            try:
                self._work_on(item)
            except Exception:
                log.exception("a row could not be worked on")


class _Step:
    """Something done in each round of its loop, or `every` so many seconds; after a failure it backs off."""

    def __init__(self, work: Callable[[], None], every: float) -> None:
        self._work = work
        self._every = every
        self._next = 0.0
        self._backoff = _FIRST_BACKOFF

    def take(self) -> None:
        if time.monotonic() < self._next:
            return
        if _try(self._work):
            self._next, self._backoff = time.monotonic() + self._every, _FIRST_BACKOFF
        else:
            self._next = time.monotonic() + self._backoff
            self._backoff = min(self._backoff * 2, _LONGEST_BACKOFF)


def _try(work: Callable[[], None]) -> bool:
    """Do something, log its failure, and return whether it succeeded."""
    try:
        work()
    except Exception:
        log.exception("a step of the watcher failed")
        return False
    return True


def start(services: Services, *, watch: bool = True, jobs_in: Path | None = None) -> Watcher:
    """Start a watcher in this process; the caller stops it. Without `watch` it polls and resolves nothing.

    With a folder `jobs_in` it runs the jobs of the fleet too; a process can have one such watcher.
    """
    watcher = Watcher(services, watch=watch, jobs=Jobs(services, jobs_in) if jobs_in and watch else None)
    watcher.start()
    return watcher
