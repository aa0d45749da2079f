"""Read the payable challans of a search run's vehicles, and which vehicles have unpaid ones on links.

Each takes one statement, however many vehicles there are.

What is payable is decided as `services/vehicles/eligibility.py` decides it for one vehicle. A creation asks that one
again for each link, so this may only be too strict or too old, never a reason to create.
"""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from sqlalchemy import Connection, Text, bindparam, case, cast, func, select

from dashboard.domain.challans import PAYABLE_STATUSES
from dashboard.domain.fleet import HeldBy, SearchOutcome
from dashboard.domain.fleet_plan import PayableChallan
from dashboard.domain.links import ACTIVE, ENDED_STATUSES, PAID
from dashboard.store.creation.intents import claim
from dashboard.store.fleet.runs import fleet_vehicle
from dashboard.store.links.tables import link, link_challan
from dashboard.store.vehicles.vehicles import challan, vehicle

_found = select(fleet_vehicle.c.found_rc, func.min(fleet_vehicle.c.position).label("position"))
_found = _found.where(fleet_vehicle.c.run_id == bindparam("run_id"), fleet_vehicle.c.found_rc.is_not(None))
_vehicles = _found.group_by(fleet_vehicle.c.found_rc).subquery()
challans_of_run = _vehicles.join(challan, challan.c.rc == _vehicles.c.found_rc)
# Nested subqueries: the database reads the links of one challan by index, and not every paid link.
_is_paid = select(link.c.id).where(link.c.id == link_challan.c.link_id, link.c.status == PAID)
_paid = select(link_challan.c.link_id).where(link_challan.c.challan_id == challan.c.challan_id, _is_paid.exists())
_held = select(claim.c.id).where(claim.c.challan_id == challan.c.challan_id, claim.c.released_at.is_(None))
_holder = link.alias("holder")
_status = case((_holder.c.id.is_not(None), _holder.c.status), else_=challan.c.link_status)
_is_free = challan.c.payment_link_id.is_(None) & ~func.coalesce(challan.c.prepaid, False)
_is_current = (
    (_holder.c.id == challan.c.payment_link_id) & _holder.c.checked_at.is_not(None) & _holder.c.released_at.is_(None)
)
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
    .select_from(challans_of_run.outerjoin(_holder, _is_current))
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

_wanted = select(fleet_vehicle.c.found_rc).where(
    fleet_vehicle.c.run_id == bindparam("run_id"),
    fleet_vehicle.c.outcome.in_(bindparam("outcomes", expanding=True)),
    fleet_vehicle.c.found_rc.is_not(None),
)
_is_live = (
    challan.c.payment_link_id.is_not(None)
    & (cast(challan.c.gaps, Text) == "[]")
    & func.coalesce(_status, "").not_in(sorted({PAID, *ENDED_STATUSES}))
)
_of_claim = link.alias("of_claim")
_claimed = select(claim.c.id).select_from(claim.outerjoin(_of_claim, _of_claim.c.id == claim.c.link_id))
_claimed = _claimed.where(
    claim.c.challan_id == challan.c.challan_id,
    claim.c.released_at.is_(None),
    func.coalesce(_of_claim.c.status, "") != PAID,
    challan.c.payment_link_id.is_(None) | _status.in_(sorted(ENDED_STATUSES)),
)
_claimed_active = _claimed.where(_of_claim.c.status == ACTIVE, _of_claim.c.released_at.is_(None))
_requested = _claimed.where(claim.c.link_id.is_(None))
_is_active = (_is_live & (_status == ACTIVE)) | _claimed_active.exists()
_ON_LINKS = (
    select(
        challan.c.rc,
        func.max(
            case(
                (_requested.exists(), HeldBy.REQUEST.value),
                (_is_active, HeldBy.ACTIVE.value),
                else_=HeldBy.OTHERWISE.value,
            )
        ),
    )
    .select_from(challan.outerjoin(_holder, _is_current))
    .where(challan.c.rc.in_(_wanted), challan.c.listed, challan.c.challan_id.is_not(None))
    .where(_is_live | _claimed.exists())
    .group_by(challan.c.rc)
)
_ACTIVE = select(link.c.rc, link.c.id, link.c.total).where(
    link.c.rc.in_(bindparam("rcs", expanding=True)), link.c.status == ACTIVE, link.c.released_at.is_(None)
)
_ACTIVE = _ACTIVE.order_by(link.c.first_seen_at.desc(), link.c.id)
_UNREADABLE = (
    select(vehicle.c.rc, vehicle.c.unreadable + func.count(challan.c.rc))
    .select_from(
        vehicle.outerjoin(
            challan,
            (challan.c.rc == vehicle.c.rc)
            & challan.c.listed
            & (cast(challan.c.gaps, Text) != "[]")
            & (challan.c.status.is_(None) | challan.c.status.in_(sorted(PAYABLE_STATUSES))),
        )
    )
    .where(vehicle.c.rc.in_(_wanted))
    .group_by(vehicle.c.rc, vehicle.c.unreadable)
    .having(vehicle.c.unreadable + func.count(challan.c.rc) > 0)
)


def of_run(connection: Connection, run_id: str) -> list[PayableChallan]:
    """Return the payable challans of a run, by vehicle in the order of the run, as listed."""
    return [PayableChallan(*row) for row in connection.execute(_PAYABLE, {"run_id": run_id})]


def on_links(connection: Connection, run_id: str, outcomes: Collection[SearchOutcome]) -> dict[str, HeldBy]:
    """Return the vehicles with these outcomes that have unpaid challans on links, or reserved, and by what."""
    found = connection.execute(_ON_LINKS, {"run_id": run_id, "outcomes": sorted(outcomes)})
    return {rc: HeldBy(held_by) for rc, held_by in found}


def active_links(connection: Connection, rcs: Collection[str]) -> dict[str, dict[str, Decimal | None]]:
    """Return what is to pay on each active link of these vehicles, by vehicle and link, the newest link first."""
    found: dict[str, dict[str, Decimal | None]] = {}
    for rc, link_id, total in connection.execute(_ACTIVE, {"rcs": list(rcs)}) if rcs else ():
        found.setdefault(rc, {})[link_id] = total
    return found


def unreadable(connection: Connection, run_id: str) -> dict[str, int]:
    """Return the vehicles without anything payable that have open challans which lack details, and how many."""
    outcomes = [SearchOutcome.NOTHING_PAYABLE]
    found = connection.execute(_UNREADABLE, {"run_id": run_id, "outcomes": outcomes})
    return {rc: int(count) for rc, count in found}
