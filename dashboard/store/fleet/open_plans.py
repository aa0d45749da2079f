"""Read what plans that are not finished still have to create, so that nothing is planned twice."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

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


def challans(connection: Connection) -> dict[str, str]:
    """Return which challans are to be put on links yet, with the plan of each: the oldest of several."""
    return {each: plan_id for plan_id, ids in connection.execute(_CHALLANS) for each in ids}


def links_left(connection: Connection) -> int:
    """Count the links that are to be created yet."""
    return int(connection.execute(_COUNT).scalar_one())
