"""Run the jobs of the fleet on DBOS Transact, in any number of worker processes.

The store says what should run; DBOS runs it, and takes it up again after a crash. A job begins with a row of the store,
in the transaction of what a person did, so there is no moment at which one knows of it and the other does not. A worker
then enqueues the lanes of the job under ids that the job determines: doing so twice changes nothing.

DBOS keeps its own record: in a SQLite file beside an embedded store, or in the schema `dbos` of a PostgreSQL store. If
that record is lost, the store still says what is left, and the job goes on in new lanes. DBOS is launched when there is
a job to run, and not before: an installation without bulk work has neither its threads nor its file, and its processes
do not load it, which takes a quarter of a second and 22 MB.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import socket
import sqlite3
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import IO

from sqlalchemy.exc import SQLAlchemyError

from dashboard import log_context
from dashboard.background.sqlite_for_jobs import require_sqlite
from dashboard.domain.fleet import JobKind
from dashboard.services.container import Services
from dashboard.store.fleet import jobs, workers

log = logging.getLogger(__name__)

#: How often, in seconds: jobs that are to be started are looked for; a worker reports that it is alive, and looks for
#: others that are silent; jobs without progress get new lanes; what DBOS recorded of ended lanes is deleted.
_START_SECONDS, _REPORT_SECONDS, _REVIVE_SECONDS, _TIDY_SECONDS = 0.5, 5.0, 60.0, 3600.0
#: How often repeated searches are looked for that are due, in seconds.
_REPEAT_SECONDS = 10.0
#: A worker that has not reported for so long is dead, or frozen: its lanes are taken over.
_SILENT_AFTER = timedelta(seconds=30)
#: The delays before a part is taken again that the store refused, in seconds: doubled each time, up to the longest.
_FIRST_BACKOFF, _LONGEST_BACKOFF = 0.5, 15.0
#: What DBOS recorded of ended lanes is deleted so long after their beginning.
_RECORDS_KEPT = timedelta(days=7)


class _WorkerStops(BaseException):
    """End a lane without an outcome, so that DBOS takes it up again: the process stops.

    No Exception, which DBOS would record as the outcome of the step.
    """


class Jobs:
    """Run the jobs of a store in this process. `folder` is where the embedded record of DBOS is."""

    def __init__(self, services: Services, folder: Path, *, silent_after: timedelta = _SILENT_AFTER) -> None:
        self._services = services
        self._folder = folder
        self._silent_after = silent_after
        self._stopped = threading.Event()
        #: Notified when the last part under way ends.
        self._idle = threading.Condition()
        self._under_way = 0
        self._slot: IO[str] | None = None
        self._executor_id = ""
        self._is_launched = False
        schedule = services.schedule
        self._widths = {
            JobKind.SEARCH: schedule.fleet_searches_in_flight,
            JobKind.CREATION: schedule.fleet_creations_in_flight,
        }

    def steps(self) -> list[tuple[Callable[[], None], float]]:
        """Return what the watcher does for the jobs, and how often in seconds."""
        return [
            (self._services.fleet_jobs.go_on_due, _START_SECONDS),
            (self._start_repeated, _REPEAT_SECONDS),
            (self.start_lanes, _START_SECONDS),
            (self.report, min(_REPORT_SECONDS, self._silent_after.total_seconds() / 4)),
            (self._services.fleet_jobs.revive, _REVIVE_SECONDS),
            (self.tidy, _TIDY_SECONDS),
        ]

    def start_lanes(self) -> None:
        """Enqueue the lanes of every job that began or goes on. This launches DBOS, which takes up what is left."""
        if self._stopped.is_set():
            return
        with self._services.store.read() as connection:
            to_start = jobs.to_start(connection)
            if not (to_start or self._is_launched or jobs.is_any_open(connection)):
                return
        self._launch()
        from dashboard.background import lanes

        for job in to_start:
            for lane in range(self._widths[job.kind]):
                lanes.enqueue(job.kind, job.id, job.generation, lane)
            with self._services.store.write() as connection:
                jobs.record_started(connection, job)

    def _start_repeated(self) -> None:
        for run_id in self._services.fleet_schedules.start_due():
            log.info("a repeated search was due: run %s", run_id)

    def report(self) -> None:
        """Report that this worker is alive, and take over the lanes of those that are silent."""
        if not self._is_launched or self._stopped.is_set():
            return
        from dashboard.background import lanes

        now = self._services.clock()
        with self._services.store.write(durable=False) as connection:
            workers.report(connection, self._executor_id, now)
        with self._services.store.read() as connection:
            silent = workers.silent_since(connection, now - self._silent_after)
        for executor_id in silent:
            # DBOS first: if this process dies in between, the worker is still silent for the next one.
            taken = lanes.take_over(executor_id)
            with self._services.store.write() as connection:
                workers.take_over(connection, executor_id, now - self._silent_after)
            log.warning("worker %s is silent; %d of its lanes go on elsewhere", executor_id, taken)

    def tidy(self) -> None:
        """Delete what DBOS recorded of lanes that ended long ago."""
        if self._is_launched and not self._stopped.is_set():
            from dashboard.background import lanes

            lanes.delete_ended(datetime.now(UTC) - _RECORDS_KEPT)

    def stop(self, seconds: float) -> bool:
        """Begin nothing more, and wait for the parts under way; return whether all of them ended."""
        self._stopped.set()
        if not self._is_launched:
            return True
        from dashboard.background import lanes

        with self._idle:
            has_ended = self._idle.wait_for(lambda: not self._under_way, timeout=seconds)
        lanes.shut_down()
        self._is_launched = False
        with suppress(SQLAlchemyError), self._services.store.write(patience=2) as connection:
            # Others need not wait until this worker has been silent for long.
            workers.report(connection, self._executor_id, self._services.clock() - 2 * self._silent_after)
        if self._slot:
            self._slot.close()
        return has_ended

    def _launch(self) -> None:
        if self._is_launched:
            return
        from dashboard.background import lanes

        self._executor_id = self._executor_id or self._take_executor_id()
        lanes.launch(self._address(), self._executor_id, self._widths, self._take_next)
        self._is_launched = True
        with self._services.store.write(durable=False) as connection:
            workers.report(connection, self._executor_id, self._services.clock())
        log.info("jobs run here, as executor %s", self._executor_id)

    def _address(self) -> str:
        """Return the address of DBOS's record. An embedded one is switched to WAL first, which DBOS does not do.

        Raises SQLiteTooOld.
        """
        store = self._services.store
        if not store.is_sqlite:
            return str(store.url.render_as_string(hide_password=False))
        require_sqlite(sys.version_info[:3], sqlite3.sqlite_version_info)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self._folder / "jobs.db"
        connection = sqlite3.connect(file)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        finally:
            connection.close()
        return f"sqlite:///{file}"

    def _take_executor_id(self) -> str:
        """Return an id that no other living process has, and that this one gets again after a restart.

        Two workers with the same id would run each other's lanes, so each locks a file for as long as it lives.
        """
        folder = self._folder / "executors"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = hashlib.sha256(str(self._folder.resolve()).encode()).hexdigest()[:8]
        number = 0
        while True:
            number += 1
            file = open(folder / f"{number}.lock", "w", encoding="ascii")  # noqa: SIM115 - open until the process ends.
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                continue
            file.write(str(os.getpid()))
            file.flush()
            self._slot = file
            return f"{socket.gethostname()[:80]}-{place}-{number}"

    def _wait(self, seconds: float) -> None:
        """Wait for the turn of a lane, or end the lane where the worker stops meanwhile."""
        if self._stopped.wait(seconds):
            raise _WorkerStops

    def _take_next(self, kind: JobKind, job_id: str, generation: int, lane: str) -> bool:
        """Take the next part of a job, however often the store has to be asked; called by the steps of DBOS."""
        services = self._services
        take: Callable[[str, int, str], bool] = services.fleet_plans.create_next
        if kind is JobKind.SEARCH:
            take = partial(services.fleet_searches.search_next, wait=self._wait)
        backoff = _FIRST_BACKOFF
        with log_context.bound(request=log_context.new_id("fleet"), job_id=job_id):
            while True:
                with self._idle:
                    if self._stopped.is_set():
                        raise _WorkerStops
                    self._under_way += 1
                try:
                    return take(job_id, generation, lane)
                except Exception:
                    log.exception("a part of a job could not be taken; it is tried again")
                finally:
                    with self._idle:
                        self._under_way -= 1
                        if not self._under_way:
                            self._idle.notify_all()
                self._stopped.wait(backoff)
                backoff = min(backoff * 2, _LONGEST_BACKOFF)
