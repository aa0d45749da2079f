"""The watcher: a plain loop that asks for the links, and looks at the requests, that are due.

It also records the links that a refusing database left on this machine's disk. Processes that only answer browsers do
that alone, each machine for itself.

Any number may run, in any number of processes: each row is claimed by compare-and-set before it is asked for, so a
link is asked for once per interval however many watchers and viewers there are.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from dashboard import tracing
from dashboard.services.desk import Desk

log = logging.getLogger(__name__)

#: How often the store is asked what is due, in seconds; one indexed read when nothing is.
_TICK_SECONDS = 0.5
#: Calls in flight at once. Looks are slow searches at the source, so they have places of their own.
_CHECKS_IN_FLIGHT = 8
_LOOKS_IN_FLIGHT = 2


class Watcher:
    def __init__(self, desk: Desk, *, watch: bool = True) -> None:
        self._desk = desk
        self._watch = watch
        self._stopped = threading.Event()
        self._checks: set[Future[None]] = set()
        self._looks: set[Future[None]] = set()
        self._thread = threading.Thread(target=self.run, name="watcher", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout: float = 15) -> None:
        """Let the calls in flight end, then return; rows already claimed are free again when their lease ends."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def run(self) -> None:
        """Work until stopped."""
        with ThreadPoolExecutor(_CHECKS_IN_FLIGHT + _LOOKS_IN_FLIGHT, thread_name_prefix="watcher") as pool:
            while not self._stopped.wait(_TICK_SECONDS):
                self._round(pool)

    def _round(self, pool: ThreadPoolExecutor) -> None:
        """Begin what is due and fits in; a slow answer, or a step that fails, holds up no other."""
        for step in self._steps(pool) if self._watch else (self._desk.recording.spooled,):
            try:
                step()
            except Exception:
                log.exception("a step of the watcher failed")

    def _steps(self, pool: ThreadPoolExecutor) -> tuple[Callable[[], None], ...]:
        reconciling, following = self._desk.reconciling, self._desk.following
        look, check = _traced("intent_id", reconciling.look), _traced("link_id", following.check_taken)
        return (
            self._desk.recording.spooled,
            reconciling.sweep,
            lambda: self._begin(pool, self._looks, _LOOKS_IN_FLIGHT, reconciling.take_due, look),
            lambda: self._begin(pool, self._checks, _CHECKS_IN_FLIGHT, following.take_due, check),
        )

    @staticmethod
    def _begin(
        pool: ThreadPoolExecutor,
        running: set[Future[None]],
        most: int,
        take_due: Callable[[int], list[str]],
        work_on: Callable[[str], None],
    ) -> None:
        running.difference_update([future for future in running if future.done()])
        if (room := most - len(running)) > 0:
            running.update(pool.submit(work_on, item) for item in take_due(room))


def _traced(subject: str, work_on: Callable[[str], None]) -> Callable[[str], None]:
    """The work on one row, under an id of its own: each line of it tells which link or request it was for."""

    def work(item: str) -> None:
        with tracing.working("watch", **{subject: item}):
            try:
                work_on(item)
            except Exception:
                log.exception("a row could not be worked on")

    return work


def start(desk: Desk, *, watch: bool = True) -> Watcher:
    """Start a watcher in this process; the caller stops it. Without `watch` it only records what was left on disk."""
    watcher = Watcher(desk, watch=watch)
    watcher.start()
    return watcher
