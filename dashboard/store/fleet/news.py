"""Add up the challans that searches of the fleet have found for the first time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select

from dashboard.domain.fleet import JobKind
from dashboard.store.fleet.jobs import fleet_job
from dashboard.store.fleet.runs import fleet_vehicle


@dataclass(frozen=True, slots=True)
class FleetNews:
    """Hold how many challans are new, and the newest run that found some."""

    challans: int
    run_id: str


_FOUND = (
    select(fleet_job.c.id, func.sum(fleet_vehicle.c.new_challans))
    .join(fleet_vehicle, fleet_vehicle.c.run_id == fleet_job.c.id)
    .where(fleet_job.c.kind == JobKind.SEARCH, fleet_job.c.created_at >= bindparam("since"))
    .where(fleet_vehicle.c.new_challans > 0)
    .group_by(fleet_job.c.id, fleet_job.c.created_at)
    .order_by(fleet_job.c.created_at.desc(), fleet_job.c.id)
)


def found_since(connection: Connection, since: datetime) -> FleetNews | None:
    """Return what runs that began since a moment have found; None when there is nothing new."""
    found = connection.execute(_FOUND, {"since": since}).all()
    return FleetNews(sum(int(new) for _, new in found), found[0][0]) if found else None
