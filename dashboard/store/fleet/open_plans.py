"""Read what plans that are not finished still have to create, so that nothing is planned twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select

from dashboard.domain.fleet import OPEN_JOBS
from dashboard.store.fleet.jobs import fleet_job
from dashboard.store.fleet.plans import fleet_link

# A link that has its outcome holds its challans by its request, or leaves them free.
_LEFT = (
    fleet_link.c.plan_id == fleet_job.c.id,
    fleet_job.c.state.in_([str(state) for state in OPEN_JOBS]),
    fleet_link.c.outcome.is_(None),
)
_CHALLANS = select(fleet_link.c.plan_id, fleet_link.c.challan_ids).where(*_LEFT)
_CHALLANS = _CHALLANS.order_by(fleet_job.c.created_at.desc(), fleet_job.c.id)
_COUNT = select(func.count()).select_from(fleet_link).where(*_LEFT)
_OF_VEHICLE = select(fleet_job.c.id, fleet_job.c.person_id, fleet_job.c.created_at, func.count())
_OF_VEHICLE = _OF_VEHICLE.where(*_LEFT, fleet_link.c.rc == bindparam("rc"))
_OF_VEHICLE = _OF_VEHICLE.group_by(fleet_job.c.id, fleet_job.c.person_id, fleet_job.c.created_at)
_OF_VEHICLE = _OF_VEHICLE.order_by(fleet_job.c.created_at, fleet_job.c.id)


@dataclass(frozen=True, slots=True)
class PlanOfVehicle:
    """A plan that is not finished, with the number of links that it has to create yet for a vehicle."""

    id: str
    person_id: int | None
    made_at: datetime
    links: int


def of_vehicle(connection: Connection, rc: str) -> list[PlanOfVehicle]:
    """Return the plans that have links of a vehicle to create yet, the oldest first."""
    return [PlanOfVehicle(*row) for row in connection.execute(_OF_VEHICLE, {"rc": rc})]


def challans(connection: Connection) -> dict[str, str]:
    """Return which challans are to be put on links yet, with the plan of each: the oldest of several."""
    return {each: plan_id for plan_id, ids in connection.execute(_CHALLANS) for each in ids}


def links_left(connection: Connection) -> int:
    """Count the links that are to be created yet."""
    return int(connection.execute(_COUNT).scalar_one())
