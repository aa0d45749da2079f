"""List known vehicles by their number, or by what they have the most of."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Float, Select, bindparam, cast, exists, func, or_, select

from dashboard.domain.challans import PAYABLE_STATUSES
from dashboard.domain.links import PAID
from dashboard.store.links.tables import link, link_challan
from dashboard.store.sharing.drivers import driver, driver_vehicle
from dashboard.store.vehicles.vehicles import VEHICLE_COLUMNS, Vehicle, challan, vehicle


class MostOf(StrEnum):
    """Name what known vehicles are compared by."""

    SUM = "sum"
    PAYABLE = "payable"
    ON_LINK = "on-link"


class Only(StrEnum):
    """Narrow the list of known vehicles to some of them."""

    OPEN = "open"
    UNDRIVEN = "no-driver"


_MAY_BE_PAYABLE = challan.c.status.in_(sorted(PAYABLE_STATUSES))
_COVERED = select(link_challan.c.challan_id)
_MAY_BE_ON_LINK = or_(challan.c.payment_link_id.is_not(None), challan.c.challan_id.in_(_COVERED))
# By our own links: the last search may be older than the payment. The link is asked for by its id, apart: most links of
# an old ledger are PAID, and a database that began with those would go through all of them for each challan.
_OF_PAID = exists().where(link.c.id == link_challan.c.link_id, link.c.status == PAID)
_IS_PAID = exists().where(link_challan.c.challan_id == challan.c.challan_id, _OF_PAID)
_OF_PART = vehicle.c.rc.like(bindparam("part"))
_IS_DRIVEN = exists().where(
    driver_vehicle.c.rc == vehicle.c.rc, driver.c.id == driver_vehicle.c.driver_id, driver.c.gone_at.is_(None)
)
_ONLY: dict[Only, ColumnElement[bool]] = {
    Only.OPEN: exists().where(challan.c.rc == vehicle.c.rc, challan.c.listed, _MAY_BE_PAYABLE, ~_IS_PAID),
    Only.UNDRIVEN: ~_IS_DRIVEN,
}


# Statements are built once: building one takes longer than executing it.


@cache
def _counting(only: frozenset[Only]) -> Select[Any]:
    # Those of `only` are counted already.
    every: list[ColumnElement[Any]] = [func.count()]
    every += [func.count() if more in only else func.count().filter(_ONLY[more]) for more in Only]
    return _narrow(select(*every).select_from(vehicle), only)


@cache
def _listing(only: frozenset[Only], *, by_number: bool) -> Select[Any]:
    order = (vehicle.c.rc,) if by_number else (vehicle.c.searched_at.desc(), vehicle.c.rc)
    query = _narrow(select(*VEHICLE_COLUMNS), only).order_by(*order)
    return query.limit(bindparam("limit")).offset(bindparam("start"))


@cache
def _leading(most_of: MostOf, only: frozenset[Only]) -> Select[Any]:
    most, of = _MOST[most_of]
    listed = select(challan.c.rc, most.label("most")).where(challan.c.listed, of).group_by(challan.c.rc).subquery()
    rank = func.coalesce(listed.c.most, 0)
    query = _narrow(select(*VEHICLE_COLUMNS, rank).outerjoin(listed, listed.c.rc == vehicle.c.rc), only)
    return query.order_by(rank.desc(), vehicle.c.searched_at.desc(), vehicle.c.rc).limit(bindparam("limit"))


def _narrow(query: Select[Any], only: frozenset[Only]) -> Select[Any]:
    return query.where(_OF_PART, *(_ONLY[each] for each in Only if each in only))


_MOST: dict[MostOf, tuple[ColumnElement[Any], ColumnElement[bool]]] = {
    MostOf.SUM: (func.sum(cast(challan.c.total_amount, Float)), _MAY_BE_PAYABLE),
    MostOf.PAYABLE: (func.count(), _MAY_BE_PAYABLE),
    MostOf.ON_LINK: (func.count(), _MAY_BE_ON_LINK),
}


def counts(connection: Connection, part: str, only: frozenset[Only]) -> tuple[int, dict[Only, int]]:
    """Count the vehicles whose number contains `part`, those of `only` alone; and with each filter besides."""
    number, *narrowed = connection.execute(_counting(only), {"part": _like(part)}).one()
    return number, dict(zip(Only, narrowed, strict=True))


def listed(
    connection: Connection,
    part: str,
    limit: int,
    start: int = 0,
    *,
    only: frozenset[Only] = frozenset(),
    by_number: bool = False,
) -> list[Vehicle]:
    """Return vehicles, those searched last first or by their number, without so many of the first."""
    values = {"part": _like(part), "limit": limit, "start": start}
    return [Vehicle(*row) for row in connection.execute(_listing(only, by_number=by_number), values)]


def leading(
    connection: Connection, most_of: MostOf, part: str, limit: int, only: frozenset[Only] = frozenset()
) -> list[tuple[Vehicle, Decimal]]:
    """Return the vehicles that have the most by their last search alone, each with how much.

    Claims and links can only make less of it than a search has listed: a vehicle that is not among these has at most
    as much as the last of them.
    """
    rows = connection.execute(_leading(most_of, only), {"part": _like(part), "limit": limit})
    return [(Vehicle(*row[:-1]), Decimal(str(row[-1]))) for row in rows]


def _like(part: str) -> str:
    return f"%{part}%"  # A part has letters and digits alone.
