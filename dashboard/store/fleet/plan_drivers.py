"""Store the driver chosen for each vehicle of a plan, before its links are sent."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Column, Connection, ForeignKey, Integer, String, Table, delete, insert, select

from dashboard.domain.fleet import OPEN_JOBS
from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.fleet.jobs import fleet_job
from dashboard.store.fleet.plans import fleet_link
from dashboard.store.schema import metadata
from dashboard.store.sharing import drivers
from dashboard.store.sharing.drivers import Driver

fleet_plan_driver = Table(
    "fleet_plan_driver",
    metadata,
    Column("plan_id", String(36), ForeignKey("fleet_plan.id"), primary_key=True),
    Column("rc", String(MAX_LENGTH), primary_key=True),
    Column("driver_id", Integer, ForeignKey("driver.id"), nullable=False),
)
_columns = fleet_plan_driver.c


def choose(connection: Connection, plan_id: str, chosen: Mapping[str, int]) -> None:
    """Store the driver of each of these vehicles; an earlier choice is replaced."""
    if not chosen:
        return
    connection.execute(delete(fleet_plan_driver).where(_columns.plan_id == plan_id, _columns.rc.in_(list(chosen))))
    rows = [{"plan_id": plan_id, "rc": rc, "driver_id": driver_id} for rc, driver_id in chosen.items()]
    connection.execute(insert(fleet_plan_driver), rows)


def still_to_create(connection: Connection, plan_id: str) -> list[str]:
    """Return the RC number of each link of a plan that is still to be created: of a cancelled one none is."""
    query = select(fleet_link.c.rc).join(fleet_job, fleet_job.c.id == fleet_link.c.plan_id)
    query = query.where(
        fleet_link.c.plan_id == plan_id, fleet_link.c.outcome.is_(None), fleet_job.c.state.in_(OPEN_JOBS)
    )
    return list(connection.execute(query.order_by(fleet_link.c.position)).scalars())


def of_vehicles(connection: Connection, plan_id: str, rcs: Collection[str]) -> dict[str, Driver]:
    """Return the drivers chosen for these vehicles of a plan, by RC number, without those who have left."""
    query = select(_columns.rc, _columns.driver_id).where(_columns.plan_id == plan_id, _columns.rc.in_(list(rcs)))
    chosen: dict[str, int] = dict(connection.execute(query).all())
    present = drivers.present(connection, set(chosen.values())) if chosen else {}
    return {rc: present[driver_id] for rc, driver_id in chosen.items() if driver_id in present}
