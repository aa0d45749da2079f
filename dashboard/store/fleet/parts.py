"""Count the parts of a job that are left and those that ended: vehicles of a run, and links of a plan, alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, Table, case, func, select, update

from dashboard.domain.fleet import JobKind, JobState
from dashboard.store.fleet.jobs import fleet_job
from dashboard.store.fleet.plans import fleet_link
from dashboard.store.fleet.runs import fleet_vehicle

#: Where the parts of each kind of job are, and the column that names the job.
_PARTS: Mapping[JobKind, tuple[Table, Column[Any]]] = {
    JobKind.SEARCH: (fleet_vehicle, fleet_vehicle.c.run_id),
    JobKind.CREATION: (fleet_link, fleet_link.c.plan_id),
}


@dataclass(frozen=True, slots=True)
class Left:
    """Count the parts without an outcome, those of them that lanes have claimed, and those that have to wait; `soonest`
    is the next moment at which one of these may be taken.
    """

    parts: int
    claimed: int
    later: int
    soonest: datetime | None


def left(connection: Connection, kind: JobKind, job_id: str) -> Left:
    """Count the parts of a job without an outcome."""
    table, of_job = _PARTS[kind]
    claimed = func.coalesce(func.sum(case((table.c.lane.is_not(None), 1), else_=0)), 0)
    query = select(func.count(), claimed, func.count(table.c.not_before), func.min(table.c.not_before))
    return Left(*connection.execute(query.where(of_job == job_id, table.c.outcome.is_(None))).one())


def give_back_stale(connection: Connection, claimed_before: datetime) -> int:
    """Give back what lanes of running jobs claimed before a moment and have not ended: the lanes must be gone.

    Those of other jobs stay claimed: nobody else would record the request that such a lane may have made.
    """
    running = select(fleet_job.c.id).where(fleet_job.c.state == JobState.RUNNING)
    return sum(
        connection.execute(
            update(table)
            .where(table.c.outcome.is_(None), table.c.claimed_at < claimed_before, of_job.in_(running))
            .values(lane=None, claimed_at=None)
        ).rowcount
        for table, of_job in _PARTS.values()
    )


def last_progress(connection: Connection, kind: JobKind, job_id: str) -> datetime | None:
    """Return when a part of a job was last claimed or ended; None before the first."""
    table, of_job = _PARTS[kind]
    query = select(func.max(table.c.claimed_at), func.max(table.c.ended_at)).where(of_job == job_id)
    return max((moment for moment in connection.execute(query).one() if moment is not None), default=None)


def ended_since(connection: Connection, kind: JobKind, job_id: str, since: datetime) -> int:
    """Return how many parts of a job ended since a moment, for its pace."""
    table, of_job = _PARTS[kind]
    query = select(func.count()).where(of_job == job_id, table.c.ended_at >= since)
    return int(connection.execute(query).scalar_one())
