"""Store the jobs of the fleet: bulk work that goes on over restarts, on any worker.

The store says what should run, and DBOS runs it. Each time a job begins or goes on it gets a new `generation`; a worker
starts the lanes of a generation, and records so. Lanes of an older generation end by themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    bindparam,
    false,
    select,
    update,
)

from dashboard.domain.fleet import OPEN_JOBS, JobKind, JobState
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

MAX_TITLE = 120

fleet_job = Table(
    "fleet_job",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("title", Text, nullable=False),
    Column("state", String(10), nullable=False),
    Column("reason", String(40)),
    Column("resume_at", Moment),
    Column("generation", Integer, nullable=False),
    Column("started_generation", Integer, nullable=False),
    Column("person_id", Integer, ForeignKey("person.id")),
    Column("created_at", Moment, nullable=False),
    Column("resumed_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("at_source", Boolean, nullable=False, server_default=false()),
)
Index("ix_fleet_job_state", fleet_job.c.state)
Index("ix_fleet_job_created_at", fleet_job.c.created_at)


@dataclass(frozen=True, slots=True)
class Job:
    """A job as stored. Moments are aware UTC.

    `reason` is why it is WAITING: a failure name of the service, or one of `domain.fleet`; `resume_at` is until when.
    `resumed_at` is when its present generation began.
    `person_id` is None where a schedule began it. `at_source`: its searches ask the source anew.
    """

    id: str
    kind: JobKind
    title: str
    state: JobState
    reason: str | None
    resume_at: datetime | None
    generation: int
    started_generation: int
    person_id: int | None
    created_at: datetime
    resumed_at: datetime
    ended_at: datetime | None
    at_source: bool

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_JOBS


_JOB = select(*(fleet_job.c[each.name] for each in fields(Job)))
_ONE = _JOB.where(fleet_job.c.id == bindparam("job_id"))
_ONE_LOCKED = _ONE.with_for_update()
# Every worker asks these twice a second.
_DUE = select(fleet_job.c.id).where(
    fleet_job.c.state == bindparam("waiting", str(JobState.WAITING)), fleet_job.c.resume_at <= bindparam("now")
)
_DUE = _DUE.order_by(fleet_job.c.id)
_ANY_DUE = _DUE.limit(1)
_RUNNING = _JOB.where(fleet_job.c.state == bindparam("running", str(JobState.RUNNING)))
_TO_START = _RUNNING.where(fleet_job.c.started_generation < fleet_job.c.generation).order_by(fleet_job.c.created_at)
_ANY_OPEN = select(fleet_job.c.id).where(fleet_job.c.state.in_([str(state) for state in OPEN_JOBS])).limit(1)


def add_once(
    connection: Connection,
    job_id: str,
    kind: JobKind,
    title: str,
    person_id: int | None,
    at: datetime,
    *,
    at_source: bool = False,
) -> bool:
    """Enter a job that runs from now on; False where it has been entered before."""
    begun: dict[str, object] = {"at_source": at_source}
    begun |= {"state": JobState.RUNNING, "generation": 1, "started_generation": 0, "created_at": at, "resumed_at": at}
    job = {"id": job_id, "kind": kind, "title": title[:MAX_TITLE], "person_id": person_id, **begun}
    return insert_if_absent(connection, fleet_job, **job)


def find(connection: Connection, job_id: str) -> Job | None:
    """Return a job, or None when there is none with this id."""
    row = connection.execute(_ONE, {"job_id": job_id}).one_or_none()
    return _job(row) if row else None


def find_all(connection: Connection, job_ids: Iterable[str]) -> dict[str, Job]:
    """Return those of these jobs that there are, by id."""
    query = _JOB.where(fleet_job.c.id.in_(list(job_ids)))
    return {job.id: job for job in map(_job, connection.execute(query))}


def find_locked(connection: Connection, job_id: str) -> Job | None:
    """Return a job; no other transaction can change it until this one ends."""
    row = connection.execute(_ONE_LOCKED, {"job_id": job_id}).one_or_none()
    return _job(row) if row else None


def listed(connection: Connection, kind: JobKind, limit: int) -> list[Job]:
    """Return the newest jobs of a kind."""
    query = _JOB.where(fleet_job.c.kind == kind).order_by(fleet_job.c.created_at.desc(), fleet_job.c.id)
    return [_job(row) for row in connection.execute(query.limit(limit))]


def open_ones(connection: Connection) -> list[Job]:
    """Return the jobs that are not over, paused ones included, the newest first."""
    query = _JOB.where(fleet_job.c.state.in_([str(state) for state in OPEN_JOBS]))
    return [_job(row) for row in connection.execute(query.order_by(fleet_job.c.created_at.desc(), fleet_job.c.id))]


def set_state(
    connection: Connection, job_id: str, state: JobState, *, before: Collection[JobState], ended_at: datetime | None
) -> bool:
    """Change the state of a job that is in one of `before`; False when it is not."""
    changed = update(fleet_job).where(fleet_job.c.id == job_id, fleet_job.c.state.in_(before))
    changed = changed.values(state=state, reason=None, resume_at=None, ended_at=ended_at)
    return connection.execute(changed.returning(fleet_job.c.id)).first() is not None


def set_waiting(connection: Connection, job_id: str, generation: int, reason: str, resume_at: datetime) -> bool:
    """Let a running job wait; False when it does not run, or has gone on since this generation."""
    changed = update(fleet_job).where(
        fleet_job.c.id == job_id, fleet_job.c.state == JobState.RUNNING, fleet_job.c.generation == generation
    )
    changed = changed.values(state=JobState.WAITING, reason=reason, resume_at=resume_at)
    return connection.execute(changed.returning(fleet_job.c.id)).first() is not None


def go_on(connection: Connection, job_id: str, at: datetime, *, before: Collection[JobState]) -> bool:
    """Let a job in one of the states `before` run again, in a new generation; False when it is in none of them."""
    changed = update(fleet_job).where(fleet_job.c.id == job_id, fleet_job.c.state.in_(before))
    nothing = dict.fromkeys(("reason", "resume_at", "ended_at"))
    changed = changed.values(state=JobState.RUNNING, generation=fleet_job.c.generation + 1, resumed_at=at, **nothing)
    return connection.execute(changed.returning(fleet_job.c.id)).first() is not None


def any_due(connection: Connection, now: datetime) -> bool:
    """Return whether the waiting time of some job is over."""
    return connection.execute(_ANY_DUE, {"now": now}).first() is not None


def go_on_due(connection: Connection, now: datetime) -> list[str]:
    """Let every job run again whose waiting time is over; return their ids."""
    return [
        job_id
        for job_id in connection.execute(_DUE, {"now": now}).scalars().all()
        if go_on(connection, job_id, now, before={JobState.WAITING})
    ]


def is_any_open(connection: Connection) -> bool:
    """Return whether some job is not over."""
    return connection.execute(_ANY_OPEN).first() is not None


def running(connection: Connection) -> list[Job]:
    """Return the jobs that run."""
    return [_job(row) for row in connection.execute(_RUNNING)]


def to_start(connection: Connection) -> list[Job]:
    """Return the running jobs whose lanes of the present generation no worker has started yet."""
    return [_job(row) for row in connection.execute(_TO_START)]


def record_started(connection: Connection, job: Job) -> None:
    """Record that the lanes of a job's generation are started."""
    mine = (fleet_job.c.id == job.id, fleet_job.c.started_generation < job.generation)
    connection.execute(update(fleet_job).where(*mine).values(started_generation=job.generation))


def _job(row: Sequence[object]) -> Job:
    job_id, kind, title, state, *rest = row
    return Job(job_id, JobKind(kind), title, JobState(state), *rest)  # type: ignore[arg-type]  # A row has no types.
