"""Find the links of drivers: those that they were given, and those of their usual vehicles that no driver has.

A row of links names the same drivers: see `web/links/rows.py`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, Connection, Select, and_, exists, or_, select, union_all

from dashboard.domain.links import FAILED
from dashboard.store.links.tables import LIVE, link
from dashboard.store.sharing import shares
from dashboard.store.sharing.drivers import driver, driver_vehicle
from dashboard.store.sharing.shares import share

_beside, _other = driver_vehicle.alias("beside"), driver.alias("other_driver")
_HAS_OTHER_DRIVER = exists().where(
    _beside.c.rc == driver_vehicle.c.rc,
    _beside.c.driver_id != driver_vehicle.c.driver_id,
    _other.c.id == _beside.c.driver_id,
    _other.c.gone_at.is_(None),
)
_NEWEST = (share.c.at.desc(), share.c.id.desc())
_GIVEN_TO = select(share.c.driver_id).where(share.c.link_id == link.c.id, shares.gives()).order_by(*_NEWEST).limit(1)
#: Links that can be given to somebody, or whose driver is asked what became of a payment, while no driver has them.
_IS_FOR_USUAL = and_(or_(LIVE, link.c.status == FAILED), _GIVEN_TO.scalar_subquery().is_(None))


def of_drivers(driver_ids: Select[Any]) -> CompoundSelect[Any]:
    """Return the ids of the links of drivers, as a statement that reads the shares and vehicles of these alone."""
    given = select(share.c.link_id).where(share.c.driver_id.in_(driver_ids), shares.stands())
    return union_all(given, _for_usual(driver_ids))


def is_of_drivers(driver_ids: Select[Any]) -> ColumnElement[bool]:
    """Match the links of drivers, as it is tested on each link."""
    given = exists().where(share.c.link_id == link.c.id, share.c.driver_id.in_(driver_ids), shares.stands())
    return or_(given, and_(link.c.rc.in_(_only_driven_by(driver_ids)), _IS_FOR_USUAL))


def for_usual_driver(connection: Connection, driver_id: int, limit: int = 100) -> list[str]:
    """Return the ids of the links that no driver has, of vehicles that this one alone usually drives, newest first."""
    query = _for_usual(select(driver.c.id).where(driver.c.id == driver_id))
    query = query.order_by(link.c.first_seen_at.desc(), link.c.id.desc())
    return list(connection.scalars(query.limit(limit)))


def _for_usual(driver_ids: Select[Any]) -> Select[Any]:
    return select(link.c.id).where(link.c.rc.in_(_only_driven_by(driver_ids)), _IS_FOR_USUAL).correlate(None)


def _only_driven_by(driver_ids: Select[Any]) -> Select[Any]:
    """Return the vehicles that one of these drivers usually drives, and nobody else who is with us."""
    mine = (driver_vehicle.c.driver_id.in_(driver_ids), driver.c.id == driver_vehicle.c.driver_id)
    return select(driver_vehicle.c.rc).where(*mine, driver.c.gone_at.is_(None), ~_HAS_OTHER_DRIVER).correlate(None)
