"""Read the payable challans of all vehicles of a search run, with one statement however many there are.

What is payable is decided as `services/vehicles/eligibility.py` decides it for one vehicle. A creation asks that one
again for each link, so this may only be too strict or too old, never a reason to create.
"""

from __future__ import annotations

from sqlalchemy import Connection, Text, bindparam, case, cast, func, select

from dashboard.domain.challans import PAYABLE_STATUSES
from dashboard.domain.fleet_plan import PayableChallan
from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.store.creation.intents import claim
from dashboard.store.fleet.runs import fleet_vehicle
from dashboard.store.links.tables import link, link_challan
from dashboard.store.vehicles.vehicles import challan

_found = select(fleet_vehicle.c.found_rc, func.min(fleet_vehicle.c.position).label("position"))
_found = _found.where(fleet_vehicle.c.run_id == bindparam("run_id"), fleet_vehicle.c.found_rc.is_not(None))
_vehicles = _found.group_by(fleet_vehicle.c.found_rc).subquery()
# Nested subqueries: the database reads the links of one challan by index, and not every paid link.
_is_paid = select(link.c.id).where(link.c.id == link_challan.c.link_id, link.c.status == PAID)
_paid = select(link_challan.c.link_id).where(link_challan.c.challan_id == challan.c.challan_id, _is_paid.exists())
_held = select(claim.c.id).where(claim.c.challan_id == challan.c.challan_id, claim.c.released_at.is_(None))
_holder = link.alias("holder")
_status = case((_holder.c.id.is_not(None), _holder.c.status), else_=challan.c.link_status)
_is_free = challan.c.payment_link_id.is_(None) & ~func.coalesce(challan.c.prepaid, False)
_PAYABLE = (
    select(
        _vehicles.c.position,
        challan.c.rc,
        challan.c.challan_id,
        challan.c.total_amount,
        challan.c.challan_date,
        challan.c.state,
        challan.c.challan_type,
    )
    .select_from(
        _vehicles.join(challan, challan.c.rc == _vehicles.c.found_rc).outerjoin(
            _holder,
            (_holder.c.id == challan.c.payment_link_id)
            & _holder.c.checked_at.is_not(None)
            & _holder.c.released_at.is_(None),
        )
    )
    .where(
        challan.c.listed,
        challan.c.challan_id.is_not(None),
        cast(challan.c.gaps, Text) == "[]",
        challan.c.status.in_(sorted(PAYABLE_STATUSES)),
        _is_free | _status.in_(sorted(ENDED_STATUSES)),
        ~_held.exists(),
        ~_paid.exists(),
    )
    .order_by(_vehicles.c.position, challan.c.position)
)


def of_run(connection: Connection, run_id: str) -> list[PayableChallan]:
    """Return the payable challans of a run, by vehicle in the order of the run, as listed."""
    return [PayableChallan(*row) for row in connection.execute(_PAYABLE, {"run_id": run_id})]
