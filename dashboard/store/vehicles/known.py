"""List known vehicles by their number, or by what they have the most of."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Float, Select, bindparam, cast, func, or_, select

from dashboard.domain.challans import PAYABLE_STATUSES
from dashboard.store.links.tables import link_challan
from dashboard.store.vehicles.vehicles import VEHICLE_COLUMNS, Vehicle, challan, vehicle


class MostOf(StrEnum):
    """Name what known vehicles are compared by."""

    SUM = "sum"
    PAYABLE = "payable"
    ON_LINK = "on-link"


_OF_PART = vehicle.c.rc.like(bindparam("part"))
_BY_NUMBER = select(*VEHICLE_COLUMNS).where(_OF_PART).order_by(vehicle.c.rc)
_BY_NUMBER = _BY_NUMBER.limit(bindparam("limit")).offset(bindparam("start"))
_COUNT = select(func.count()).select_from(vehicle).where(_OF_PART)


def _leading(most: ColumnElement[Any], *of: ColumnElement[bool]) -> Select[Any]:
    listed = select(challan.c.rc, most.label("most")).where(challan.c.listed, *of).group_by(challan.c.rc).subquery()
    rank = func.coalesce(listed.c.most, 0)
    query = select(*VEHICLE_COLUMNS, rank).outerjoin(listed, listed.c.rc == vehicle.c.rc).where(_OF_PART)
    return query.order_by(rank.desc(), vehicle.c.searched_at.desc(), vehicle.c.rc).limit(bindparam("limit"))


_MAY_BE_PAYABLE = challan.c.status.in_(sorted(PAYABLE_STATUSES))
_COVERED = select(link_challan.c.challan_id)
_MAY_BE_ON_LINK = or_(challan.c.payment_link_id.is_not(None), challan.c.challan_id.in_(_COVERED))
_LEADING = {
    MostOf.SUM: _leading(func.sum(cast(challan.c.total_amount, Float)), _MAY_BE_PAYABLE),
    MostOf.PAYABLE: _leading(func.count(), _MAY_BE_PAYABLE),
    MostOf.ON_LINK: _leading(func.count(), _MAY_BE_ON_LINK),
}


def count(connection: Connection, part: str) -> int:
    """Count the vehicles whose number contains `part`."""
    return int(connection.execute(_COUNT, {"part": _like(part)}).scalar_one())


def by_number(connection: Connection, part: str, limit: int, start: int = 0) -> list[Vehicle]:
    """Return vehicles by their number, without so many of the first."""
    values = {"part": _like(part), "limit": limit, "start": start}
    return [Vehicle(*row) for row in connection.execute(_BY_NUMBER, values)]


def leading(connection: Connection, most_of: MostOf, part: str, limit: int) -> list[tuple[Vehicle, Decimal]]:
    """Return the vehicles that have the most by their last search alone, each with how much.

    Claims and links can only make less of it than a search has listed: a vehicle that is not among these has at most
    as much as the last of them.
    """
    rows = connection.execute(_LEADING[most_of], {"part": _like(part), "limit": limit})
    return [(Vehicle(*row[:-1]), Decimal(str(row[-1]))) for row in rows]


def _like(part: str) -> str:
    return f"%{part}%"  # A part has letters and digits alone.
