"""Pause, resume and cancel the jobs of the fleet, and let those go on whose waiting time is over."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto

from dashboard.domain.fleet import JobKind, JobState
from dashboard.errors import Operation
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.fleet import jobs, parts

log = logging.getLogger(__name__)

#: A part of a job is given back when its lane claimed it so long ago: no step takes as long.
_STALE_AFTER = timedelta(minutes=10)
#: A running job in which nothing has happened for so long gets new lanes: those it had must be gone.
_STALLED_AFTER = timedelta(minutes=3)


#: The calls of each kind of job, the main one first: a plan searches vehicles anew whose last search is too old.
_CALLS = {
    JobKind.SEARCH: (Operation.SEARCH_CHALLANS,),
    JobKind.CREATION: (Operation.CREATE_PAYMENT_LINK, Operation.SEARCH_CHALLANS),
}


class GoingOn(Enum):
    """Say what came of it that a person let a job go on."""

    GOES_ON = auto()
    TRIES = auto()  #: Nothing was left of the allowance, as far as is known: one call tries, and all depends on it.
    TOO_SOON = auto()  #: Such a call has tried less than a minute ago; the job waits as before.
    TOO_LATE = auto()  #: The job neither waited nor was paused.


@dataclass(frozen=True)
class FleetJobs:
    store: Store
    clock: Clock
    call_policy: CallPolicy

    def pause(self, job_id: str) -> bool:
        """Begin nothing more for a job until somebody resumes it. False when it neither runs nor waits."""
        return self._set(job_id, JobState.PAUSED, {JobState.RUNNING, JobState.WAITING})

    def resume(self, job_id: str) -> GoingOn:
        """Go on with a job that was paused, or that waits. One that waits may then make one call more than is left."""
        with self.store.read() as connection:
            job = jobs.find(connection, job_id)
        asked = None
        if job is not None and job.state is JobState.WAITING:
            asked, *_rest = [self.call_policy.ask_for_try(operation) for operation in _CALLS[job.kind]]
            if asked is False:
                return GoingOn.TOO_SOON
        with self.store.write() as connection:
            if not jobs.go_on(connection, job_id, self.clock(), before={JobState.PAUSED, JobState.WAITING}):
                return GoingOn.TOO_LATE
        return GoingOn.TRIES if asked else GoingOn.GOES_ON

    def cancel(self, job_id: str) -> bool:
        """End a job; what it has done stays. False when it is over."""
        return self._set(job_id, JobState.CANCELLED, {JobState.RUNNING, JobState.WAITING, JobState.PAUSED})

    def go_on_due(self) -> None:
        """Let every job go on whose waiting time is over."""
        now = self.clock()
        with self.store.read() as connection:
            if not jobs.any_due(connection, now):
                return
        with self.store.write() as connection:
            jobs.go_on_due(connection, now)

    def revive(self) -> None:
        """Give back what lanes claimed long ago, and let running jobs without any progress go on in new lanes.

        This is needed where the record of DBOS was lost, or does not belong to the store: after a restore, say.
        """
        now = self.clock()
        with self.store.write() as connection:
            if count := parts.give_back_stale(connection, now - _STALE_AFTER):
                log.warning("%d parts of jobs were given back, whose lanes are gone", count)
            for job in jobs.running(connection):
                last = max(parts.last_progress(connection, job.kind, job.id) or job.resumed_at, job.resumed_at)
                if now - last > _STALLED_AFTER and jobs.go_on(connection, job.id, now, before={JobState.RUNNING}):
                    log.warning("the %s job %s made no progress; it goes on in new lanes", job.kind, job.id)

    def _set(self, job_id: str, state: JobState, before: set[JobState]) -> bool:
        ended_at = self.clock() if state is JobState.CANCELLED else None
        with self.store.write() as connection:
            return jobs.set_state(connection, job_id, state, before=before, ended_at=ended_at)
