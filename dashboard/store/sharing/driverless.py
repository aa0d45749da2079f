"""Find the vehicles of the follow-up queue that nobody usually drives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, exists, func, select

from dashboard.store.links.tables import link
from dashboard.store.links.totals import Total, adding_up, total_of
from dashboard.store.sharing.drivers import driver, driver_vehicle
from dashboard.store.sharing.follow_ups import WAITS, moments
from dashboard.store.sharing.shares import gives, share


@dataclass(frozen=True, slots=True)
class DriverlessVehicle:
    """A vehicle without a usual driver, the links that wait for one, and when the first of them ends."""

    rc: str
    links: Total
    ends_at: datetime | None


_HAS_USUAL_DRIVER = exists().where(
    driver_vehicle.c.rc == link.c.rc, driver.c.id == driver_vehicle.c.driver_id, driver.c.gone_at.is_(None)
)
# Whoever was given a link is reminded of it, whether they usually drive its vehicle or not.
_IS_SHARED = exists().where(share.c.link_id == link.c.id, gives())
_LACKS_DRIVER = and_(WAITS, ~_IS_SHARED, ~_HAS_USUAL_DRIVER, link.c.rc.is_not(None))
_NUMBER = select(func.count(link.c.rc.distinct())).where(_LACKS_DRIVER)
_ENDS_AT = func.min(link.c.expires_at)
_DRIVERLESS = (
    select(link.c.rc, *adding_up(link.c.amount_rank), _ENDS_AT)
    .where(_LACKS_DRIVER)
    .group_by(link.c.rc)
    .order_by(_ENDS_AT.nulls_last(), link.c.rc)
)


def number(connection: Connection, now: datetime) -> int:
    """Count these vehicles."""
    return int(connection.execute(_NUMBER, moments(now)).scalar_one())


def vehicles(connection: Connection, now: datetime) -> list[DriverlessVehicle]:
    """Return the vehicles without a usual driver whose links wait in the queue, in the order in which they end."""
    rows = connection.execute(_DRIVERLESS, moments(now))
    return [DriverlessVehicle(rc, total_of(total), ends_at) for rc, *total, ends_at in rows]


def links(connection: Connection, now: datetime, rcs: Iterable[str]) -> list[str]:
    """Return the ids of the links of these vehicles that wait in the queue for a driver, in the order of their end."""
    named = select(link.c.id).where(_LACKS_DRIVER, link.c.rc.in_(list(rcs)))
    return list(connection.scalars(named.order_by(link.c.expires_at.nulls_last(), link.c.id), moments(now)))
